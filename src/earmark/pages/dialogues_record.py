"""What the page of spoken dialogues shows, as plain records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from earmark.manifests.report import MetricEntry

VOICED, NO_CONTRAST, NO_CLIP, UNSPOKEN = "voiced", "no contrast", "no clip", "unspoken"
FATES: Mapping[str, str] = {
    VOICED: "it stands in the release",
    NO_CONTRAST: "a turn had no pair of clips that passed the gate",
    NO_CLIP: "a line had no clip that can be used",
    UNSPOKEN: "it was asked for, and never came to be spoken",
}
"""What becomes of a dialogue."""


@dataclass(frozen=True)
class FateRow:
    """What became of the dialogues of a group.

    Args:
        label: The group.
        fates: How many had each of `FATES`.
    """

    label: str
    fates: Mapping[str, int]


@dataclass(frozen=True)
class GateDimension:
    """A dimension of the gate.

    Args:
        name: Its name.
        measure: What it reads.
        unit: Unit of a difference.
        thresholds: Where points are earned, ascending, each with the points from there on.
        differences: Of the pairs that were chosen; None where undefined.
    """

    name: str
    measure: str
    unit: str
    thresholds: tuple[tuple[float, float], ...]
    differences: tuple[float | None, ...]


@dataclass(frozen=True)
class RatePair:
    """Pass rates of a group of turns.

    Args:
        label: The group.
        first: Share that passed at the first attempt.
        end: Share that passed in the end.
    """

    label: str
    first: MetricEntry
    end: MetricEntry


@dataclass(frozen=True)
class RemadeRow:
    """A clip that was made again.

    Args:
        dialogue: Name of its dialogue.
        turn: Its turn.
        option: Its option.
        attempt: Its number, from 0.
        points: Points of its best pair; None where it has none.
        rejected: Why it may not be used; None where it may.
        reason: Why it was the one to be made again.
    """

    dialogue: str
    turn: int
    option: str
    attempt: int
    points: float | None
    rejected: str | None
    reason: str


@dataclass(frozen=True)
class SignRow:
    """A signed difference over the turns that were chosen: how often each option is the louder, higher … one."""

    name: str
    resonant: int
    dissonant: int
    neither: int


@dataclass(frozen=True)
class RuleRow:
    """A rule that does not listen to what is meant.

    Args:
        name: Its name.
        turns: Share of turns that it gets right.
        dialogues: Share of dialogues that it gets right in both turns.
    """

    name: str
    turns: MetricEntry
    dialogues: MetricEntry


@dataclass(frozen=True, kw_only=True)
class DialoguesRecord:
    """All that the page shows.

    Args:
        name: Name of the corpus.
        speaker: Who spoke, with what.
        words: What is said of the words check, as labels and texts; empty where nobody listened.
        profile: Name of the gate's profile.
        pass_at: Points at which a pair passes.
        most: Regenerations that a turn could have.
        fates: What became of the dialogues, in groups of several kinds, by kind.
        clips: Clips that were made.
        used: Clips that stand in the release.
        first_points: Points of the first attempts of every turn; None where there was no pair.
        best_points: Points of the best pair of every turn in the end, likewise.
        regenerations: How many turns had how many clips more than two.
        dimensions: The dimensions of the gate.
        rates: Pass rates, by what groups are told by.
        remade: Clips that were made again.
        reasons: What the reasons among them mean.
        dropped: Names of dialogues that were dropped, and why.
        signs: The signed differences.
        with_a_choice: Turns of which more than one pair passed, so that there was a choice.
        imbalance: Sum of their imbalances; and of the best choice there is, and before choosing.
        rules: The rules.
    """

    name: str
    speaker: str
    words: tuple[tuple[str, str], ...]
    profile: str
    pass_at: float
    most: int
    fates: Mapping[str, tuple[FateRow, ...]]
    clips: int
    used: int
    first_points: tuple[float | None, ...]
    best_points: tuple[float | None, ...]
    regenerations: Mapping[int, int]
    dimensions: tuple[GateDimension, ...]
    rates: Mapping[str, tuple[RatePair, ...]]
    remade: tuple[RemadeRow, ...]
    reasons: Mapping[str, str]
    dropped: tuple[tuple[str, str], ...]
    signs: tuple[SignRow, ...]
    with_a_choice: int
    imbalance: tuple[int, int, int]
    rules: tuple[RuleRow, ...]
