"""How each pole of the nine stance dimensions is delivered in the miniature corpora: rate, pitch, movement, level, pauses.

The figures are made up to be heard, not measured on people. They are set so that level alone does well on some dimensions
(assertiveness, attention, engagement), nothing on others (warmth), and worse than chance where the positive pole is the
quiet one (compassion, politeness, deference, calm).
"""

from __future__ import annotations

from typing import NamedTuple


class Delivery(NamedTuple):
    """A way of speaking, as the means around which speakers and utterances vary.

    Attributes:
        rate: words per minute as the voice counts them.
        pitch: shift of the speaker's own pitch, in the voice's steps.
        range: movement of the pitch, 0 to 100.
        volume: amplitude, linear; 60 is ordinary.
        pause: mean pause between two sentences of a turn, s.
        gap: least and greatest gap before taking the turn, s.
        turn: seconds of speech in a turn.
        share: speech relative to what an ordinary speaker says.
    """

    rate: int = 175
    pitch: int = 0
    range: int = 50
    volume: int = 60
    pause: float = 0.5
    gap: tuple[float, float] = (0.1, 1.0)
    turn: float = 7.0
    share: float = 1.0


class Pole(NamedTuple):
    """One end of a dimension.

    Attributes:
        dimension: "S0" to "S8", or "" for roles that belong to none.
        pole: "P", "N", or "".
        roles: the roles that are drawn, with the interpersonal code that the corpus gives them.
        delivery: how they speak.
    """

    dimension: str
    pole: str
    roles: tuple[tuple[str, str], ...]
    delivery: Delivery

    @property
    def interaction(self) -> bool:
        """Whether the dimension is judged from exchanges rather than from one speaker's clip."""
        return self.dimension in {"S6", "S7", "S8"}


POLES = (
    Pole("S0", "P", (("Warm", "ANCP"), ("Friendly", "APCP"), ("Welcoming", "ANCP")), Delivery(165, 6, 80, 58)),
    Pole("S0", "N", (("Aloof", "AMCM"), ("Indifferent", "ANCM"), ("Distant", "AMCM")), Delivery(172, -5, 15, 58)),
    Pole(
        "S1",
        "P",
        (("Considerate", "ANCP"), ("Understanding", "CGST"), ("Empathetic", "APCN")),
        Delivery(148, 1, 62, 50),
    ),
    Pole(
        "S1", "N", (("Callous", "ANCM"), ("Insensitive", "ANCM"), ("Unsympathetic", "ANCM")), Delivery(195, -2, 28, 66)
    ),
    Pole("S2", "P", (("Polite", "AMCP"), ("Respectful", "ANCP"), ("Courteous", "ANCP")), Delivery(160, 3, 60, 54)),
    Pole(
        "S2",
        "N",
        (("Impolite", "ANCM"), ("Disrespectful", "ANCM"), ("Uncivil", "ANCM")),
        Delivery(198, -1, 40, 70, 0.4, (0.1, 0.5)),
    ),
    Pole(
        "S3", "P", (("Assertive", "APCN"), ("Firm", "APCN"), ("Self-assured", "APCN")), Delivery(192, -3, 48, 76, 0.4)
    ),
    Pole(
        "S3",
        "N",
        (("Timid", "AMCN"), ("Indecisive", "AMCN"), ("Self-doubting", "AMCN")),
        Delivery(152, 3, 45, 42, 0.8, (0.4, 1.5)),
    ),
    Pole(
        "S4", "P", (("Honest", "AMCM"), ("Ingenuous", "AMCP"), ("Uncalculating", "AMCP")), Delivery(178, 2, 55, 64, 0.4)
    ),
    Pole(
        "S4",
        "N",
        (("Manipulative", "APCM"), ("Calculating", "APCM"), ("Devious", "APCM")),
        Delivery(158, -4, 85, 55, 0.6),
    ),
    Pole(
        "S5",
        "P",
        (("Attentive", "CGST"), ("Alert", "CGST"), ("Engaged", "CGST")),
        Delivery(184, 2, 62, 68, 0.4, (0.1, 0.6)),
    ),
    Pole(
        "S5",
        "N",
        (("Distracted", "CGST"), ("Drowsy", "CGST"), ("Unfocused", "AMCN")),
        Delivery(138, -4, 25, 48, 0.9, (0.5, 1.5)),
    ),
    Pole(
        "S6",
        "P",
        (("Sociable", "APCP"), ("Outgoing", "APCP"), ("Gregarious", "APCP")),
        Delivery(188, 6, 85, 72, 0.35, (0.1, 0.4), 5.0),
    ),
    Pole(
        "S6",
        "N",
        (("Withdrawn", "AMCM"), ("Taciturn", "AMCM"), ("Reticent", "AMCM")),
        Delivery(148, -4, 16, 44, 0.8, (0.8, 1.5), 3.5, 0.7),
    ),
    Pole(
        "S7",
        "P",
        (("Submissive", "AMCN"), ("Yielding", "AMCN"), ("Meek", "AMCN")),
        Delivery(160, 4, 52, 48, 0.6, (0.3, 1.2), 4.0, 0.9),
    ),
    Pole(
        "S7",
        "N",
        (("Dominant", "APCN"), ("Forceful", "APCN"), ("Overbearing", "APCM")),
        Delivery(186, -5, 50, 78, 0.4, (0.1, 0.3), 6.0),
    ),
    Pole(
        "S8",
        "P",
        (("Steady", "APCN"), ("Stable", "APCN"), ("Unargumentative", "AMCP")),
        Delivery(152, -1, 35, 50, 0.6, (0.3, 1.0), 4.5),
    ),
    Pole(
        "S8",
        "N",
        (("Aggressive", "APCM"), ("Ruthless", "ANCM"), ("Vindictive", "APCM")),
        Delivery(204, 3, 72, 82, 0.35, (0.1, 0.3), 4.5),
    ),
)

BYSTANDER = Pole("", "", (("Jovial", "APCP"), ("Disorganized", "AMCN"), ("Wily", "APCM")), Delivery(turn=4.5))
"""Roles that no dimension selects, as most partners play in the real corpus."""
