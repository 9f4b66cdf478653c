"""Entries of the author's files: plots, settings, and the ways to say a line.

A plot tells what happens between two people and leaves open where; a setting fills in where, and what they are busy with. Texts
have places such as {task}, which are filled by a setting's words.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from earmark.manifests.eqi import failure_of

Sign = Literal[-1, 1]
Two = tuple[str, str]


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An entry of a file, of which no field may be missing or unknown."""


class Plot(Record, frozen=True):
    """What happens between two people.

    Args:
        valence: What the first speaker brings.
        title: A few words.
        happens: The situation up to turn 1, as judges read it.
        intent: What the second speaker's voice should do.
        open: Turn 1, either of two.
        peak: The first half of turn 3.
        then: The second half of turn 3; goes with either first half.
        answer: Turn 4, words that may be said well or badly; follows the second half of the same place.
        sustain: Turn 5; follows the answer of the same place.
        close: Turn 6, as turn 4.
    """

    valence: str
    title: str
    happens: str
    intent: str
    open: Two
    peak: Two
    then: Two
    answer: Two
    sustain: Two
    close: Two


class Plots(Record, frozen=True):
    """What there is of one subscale; each mapping is by valence.

    Args:
        deliveries: The deliveries of a resonant voice, see `Manner`; one that is meant to be frequent stands twice.
        resonant: Personas who get it right.
        plots: At least one of each valence.
    """

    deliveries: dict[str, tuple[str, ...]]
    resonant: dict[str, tuple[str, ...]]
    plots: tuple[Plot, ...]

    def of(self, valence: str) -> tuple[Plot, ...]:
        """The plots of a valence."""
        return tuple(plot for plot in self.plots if plot.valence == valence)


class Setting(Record, frozen=True):
    """Where two people are, and what they are busy with.

    Args:
        place: One sentence, shown to judges.
        roles: Who the first and the second speaker are.
        task: What both are busy with, with its article.
        work: The second speaker's part in it, without an article, one thing.
        people: Others, plural.
        lead: Somebody whose word counts.
        step: What may be demanded of the second speaker, as an infinitive.
        win: Good news, a clause.
        loss: A heavy blow, a clause.
        slip: A mishap, a clause.
        change: What is suddenly otherwise, a clause.
    """

    place: str
    roles: Two
    task: str
    work: str
    people: str
    lead: str
    step: str
    win: str
    loss: str
    slip: str
    change: str

    @property
    def words(self) -> dict[str, str]:
        """What fills the places of texts."""
        return {name: getattr(self, name) for name in SLOTS if name in self.__struct_fields__}


SLOTS = ("task", "work", "people", "lead", "step", "win", "loss", "slip", "change", "day", "first", "second")
"""Places that a text may have: a setting's, the day that is drawn, and the two names, which stand in descriptions alone."""


def _sentences(heads: tuple[str, ...], tails: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{head}, {tail}." for head in heads for tail in tails)


class Wording(Record, frozen=True):
    """Ways to put a tone: any head goes with any tail.

    Args:
        heads: Pace, pitch and force.
        tails: What else the voice does.
    """

    heads: tuple[str, ...]
    tails: tuple[str, ...]

    def sentences(self) -> tuple[str, ...]:
        """All of them."""
        return _sentences(self.heads, self.tails)


class Manner(Wording, frozen=True):
    """A delivery of a resonant voice.

    Args:
        rate: 1 fast, -1 slow.
        pitch: 1 high, -1 low.
        level: 1 loud, -1 quiet.
        opposite: The delivery with all three the other way.
        shared: Further tails, which go with the heads of the failures that borrow it, too.
    """

    rate: Sign
    pitch: Sign
    level: Sign
    opposite: str
    shared: tuple[str, ...]

    @property
    def signs(self) -> tuple[Sign, Sign, Sign]:
        """Of rate, pitch and level."""
        return self.rate, self.pitch, self.level


class ContextWordings(Record, frozen=True):
    """Tones of the lines that both options share, in turns 1, 2, 3 and 5."""

    first: Wording
    second: Wording
    third: Wording
    fifth: Wording


class ToneMaterial(Record, frozen=True):
    """How a line may be said.

    Args:
        deliveries: By name.
        failures: What each failure does, by failure and by the delivery whose pace, pitch and force it borrows.
        context: By valence.
    """

    deliveries: dict[str, Manner]
    failures: dict[str, dict[str, Wording]]
    context: dict[str, ContextWordings]

    def resonant(self, delivery: str) -> tuple[str, ...]:
        """All tones of a resonant voice in a delivery."""
        manner = self.deliveries[delivery]
        return _sentences(manner.heads, (*manner.tails, *manner.shared))

    def dissonant(self, failure: str, delivery: str) -> tuple[str, ...]:
        """All tones of a failure that borrows a delivery: its head or its tail is its own, and the other one the delivery's.

        The apathetic one shares nothing, as nothing moves in it.
        """
        own, manner = self.failures[failure][delivery], self.deliveries[delivery]
        if failure_of(failure).seldom:
            return own.sentences()
        return (*_sentences(own.heads, manner.shared), *_sentences(manner.heads, own.tails))


class Lines(Record, frozen=True):
    """Words that go with any plot.

    Args:
        days: One is drawn for each dialogue.
        openers: May stand before a line of turn 4 or 6.
        replies: Turn 2, by valence.
        personas: First speakers', by valence.
        failing: Dissonant ones, by failure.
    """

    days: tuple[str, ...]
    openers: tuple[str, ...]
    replies: dict[str, tuple[str, ...]]
    personas: dict[str, tuple[str, ...]]
    failing: dict[str, tuple[str, ...]]


class Names(Record, frozen=True):
    """Given names by gender."""

    female: tuple[str, ...]
    male: tuple[str, ...]
    nonbinary: tuple[str, ...]
