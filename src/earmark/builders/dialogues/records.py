"""What a dialogue is before anybody speaks it: the records that pass from stage to stage.

A turn is counted from 1. Odd turns are the first speaker's, who brings something; even turns are the second speaker's, who is
heard at turns 4 and 6 in two renderings.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from earmark.manifests.attempts import CONTEXT, DISSONANT, OPTIONS, RESONANT

Gender = Literal["female", "male", "nonbinary"]
GENDERS: tuple[Gender, ...] = ("female", "male", "nonbinary")

TURNS = (1, 2, 3, 4, 5, 6)
TARGET_TURNS = (4, 6)
CONTEXT_TURNS = (1, 2, 3, 5)
RENDERINGS = tuple((turn, option) for turn in TURNS for option in (OPTIONS if turn in TARGET_TURNS else (CONTEXT,)))
"""Turn and option of the eight clips of a dialogue, in their order."""


class _Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class Person(_Record, frozen=True):
    """A speaker.

    Args:
        name: Given name.
        role: Who that is to the other one.
        gender: Decides among which voices one is drawn.
    """

    name: str
    role: str
    gender: Gender


class DissonantPersona(_Record, frozen=True):
    """Somebody who would fail socially here.

    Args:
        failure: Slug of the failure, see `earmark.manifests.eqi.FAILURES`.
        persona: One sentence.
    """

    failure: str
    persona: str


class Scenario(_Record, frozen=True):
    """Where a dialogue stands, and what it asks of the second speaker.

    Args:
        subscale: Slug of the subscale that is tested.
        valence: Positive, Negative or Conflict.
        type: Slug of the scenario type, such as workplace.
        title: A few words.
        context: The place, one sentence; shown to judges.
        description: What happens, without what would be right; shown to judges.
        intent: What the second speaker's voice should do; never shown.
        first: Who brings something.
        second: Who answers.
        first_persona: How the first speaker is.
        resonant_persona: How somebody is who gets it right.
        dissonant_personas: Two who do not, of two different failures.
    """

    subscale: str
    valence: str
    type: str
    title: str
    context: str
    description: str
    intent: str
    first: Person
    second: Person
    first_persona: str
    resonant_persona: str
    dissonant_personas: tuple[DissonantPersona, DissonantPersona]

    def speaker(self, turn: int) -> Person:
        """Who speaks a turn."""
        return self.first if turn % 2 else self.second


class Line(_Record, frozen=True):
    """What is said in a turn."""

    turn: int
    text: str


class Script(_Record, frozen=True):
    """Six lines, of turns 1 to 6 in order."""

    lines: tuple[Line, ...]

    def line(self, turn: int) -> str:
        """What is said in a turn, 1 to 6."""
        return self.lines[turn - 1].text


class Tone(_Record, frozen=True):
    """How a line is to be said.

    Args:
        instruction: One sentence of 8 to 15 words.
        failure: Slug of the failure it shows; None of a resonant tone and of a context turn's.
    """

    instruction: str
    failure: str | None = None


class TargetTones(_Record, frozen=True):
    """The candidates of a target turn.

    Args:
        turn: 4 or 6.
        candidates: A resonant one, then two of two different failures.
    """

    turn: int
    candidates: tuple[Tone, Tone, Tone]


class Tones(_Record, frozen=True):
    """How all lines are to be said.

    Args:
        context: Of turns 1, 2, 3 and 5, in order.
        targets: Of turns 4 and 6, in order.
    """

    context: tuple[Tone, Tone, Tone, Tone]
    targets: tuple[TargetTones, TargetTones]

    def target(self, turn: int) -> TargetTones:
        """The candidates of turn 4 or 6."""
        return self.targets[TARGET_TURNS.index(turn)]


class Selection(_Record, frozen=True):
    """Which candidates of a turn become its two options.

    Args:
        turn: 4 or 6.
        resonant: Number of the resonant candidate, counted from 1.
        dissonant: Number of the dissonant one, counted from 1.
        reasoning: Why.
    """

    turn: int
    resonant: int
    dissonant: int
    reasoning: str


class Author(_Record, frozen=True):
    """Who wrote a dialogue.

    Args:
        provider: Address of a server, or a name that stands for it.
        model: Model or rule set, with its version.
        rejections: What was rejected on the way, by stage: the reasons, in order.
    """

    provider: str
    model: str
    rejections: dict[str, tuple[str, ...]] = {}


class Dialogue(_Record, frozen=True):
    """A dialogue that is written and not yet spoken.

    Args:
        name: Its name within the build, such as `interpersonal_empathy-0007`.
        scenario: Where it stands.
        script: What is said.
        tones: How it may be said.
        selections: Which tones were taken, of turns 4 and 6 in order.
        author: Who wrote it.
    """

    name: str
    scenario: Scenario
    script: Script
    tones: Tones
    selections: tuple[Selection, Selection]
    author: Author

    def tone(self, turn: int, option: str) -> Tone:
        """The tone of a rendering; see `RENDERINGS`.

        Raises:
            ValueError: If the dialogue has no such rendering.
        """
        if (turn, option) not in RENDERINGS:
            raise ValueError(f"a dialogue has no rendering {option!r} of turn {turn}")
        if option == CONTEXT:
            return self.tones.context[CONTEXT_TURNS.index(turn)]
        selection = self.selections[TARGET_TURNS.index(turn)]
        number = {RESONANT: selection.resonant, DISSONANT: selection.dissonant}[option]
        return self.tones.target(turn).candidates[number - 1]
