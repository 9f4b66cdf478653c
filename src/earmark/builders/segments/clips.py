"""Clips: what segmentation hands on, as recipes. No audio is read to make one.

A clip is spans of one channel in order, half-open (start, end) in native samples, with digital silence between two of
them. What is not taken stands beside it: every second of speech is in the target of one clip, or in one drop with its reason.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, NamedTuple, TypeAlias, TypeVar

Span: TypeAlias = tuple[int, int]
"""Half-open (start, end) in native samples."""


@dataclass(frozen=True, slots=True)
class Clip:
    """A recipe for a clip: spans of one channel and the silence that joins them.

    Args:
        spans: One or more non-empty half-open (start, end), native samples, in order and disjoint.
        joining_silence: Digital silence between two spans, native samples.
        rate: Native sampling rate, Hz.
        active: VAD time in the spans, native samples.
        text: The words in the spans, joined by spaces; None where the corpus has no transcript of the channel.
    """

    spans: tuple[Span, ...]
    joining_silence: int
    rate: int
    active: int
    text: str | None

    @property
    def active_s(self) -> float:
        """VAD time in the spans, seconds."""
        return self.active / self.rate

    @property
    def frames(self) -> int:
        """Length of the cut clip in native samples, joining silence included."""
        return duration(self.spans, self.joining_silence)

    @property
    def duration_s(self) -> float:
        """Length of the cut clip in seconds, joining silence included."""
        return self.frames / self.rate


def duration(spans: Iterable[Span], joining_silence: int) -> int:
    """Samples of a clip with silence between its spans.

    >>> duration([(0, 10), (20, 25)], 3)
    18
    """
    lengths = [end - start for start, end in spans]
    return sum(lengths) + joining_silence * max(0, len(lengths) - 1)


@dataclass(frozen=True, slots=True)
class Single:
    """An item's clip of one speaker alone."""

    target: Clip


class Direction(StrEnum):
    """Where an interaction's context lies."""

    CONTEXT_BEFORE = "context_before"
    CONTEXT_AFTER = "context_after"


@dataclass(frozen=True, slots=True)
class Interaction:
    """An item's two clips around a turn switch.

    Args:
        context: What the partner said just before the target (or just after it; see `direction`).
        target: What the speaker said.
        direction: Where the context lies.
        gap_s: Silence between the two turns, seconds; negative where they overlap.
    """

    context: Clip
    target: Clip
    direction: Direction
    gap_s: float


class Reason(StrEnum):
    """Why speech is in no target."""

    BACKCHANNEL = "backchannel"
    """An IPU shorter than a backchannel may be."""
    UNCUTTABLE = "uncuttable"
    """A stretch longer than a clip may be, without a gap to cut at."""
    CLOSED_SHORT = "closed_short"
    """A single clip that the next stretch would have overrun before it was long enough."""
    TAIL_SHORT = "tail_short"
    """The end of a speaker's speech, too short for a last single clip."""
    WITHIN_PARTNER = "within_partner"
    """An IPU wholly within one of the partner's: it takes no turn."""
    NO_SWITCH = "no_switch"
    """A turn that no turn of the partner precedes."""
    GAP = "gap"
    """A turn too long after the partner's."""
    OVERLAP = "overlap"
    """A turn that overlaps the partner's for too long."""
    TARGET_SHORT = "target_short"
    """A turn too short for a target."""
    CONTEXT_SHORT = "context_short"
    """A turn whose partner had said too little, or nothing that can be cut to length."""
    BEYOND_TARGET = "beyond_target"
    """The rest of a turn from which a target was taken."""


class Drop(NamedTuple):
    """Speech that no target took.

    Attributes:
        reason: Why.
        spans: Where, native samples.
        active_s: VAD time in the spans, seconds.
    """

    reason: Reason
    spans: tuple[Span, ...]
    active_s: float


class Count(NamedTuple):
    """How often something was dropped, and how much active speech that was in seconds."""

    drops: int
    active_s: float


ItemT = TypeVar("ItemT", Single, Interaction)


@dataclass(frozen=True, slots=True)
class Segmentation(Generic[ItemT]):
    """The items of one speaker in one conversation, and all speech of that speaker that is in the target of none.

    Args:
        items: In order of time; of one turn, the one with its context before stands first.
        drops: In order of time.
    """

    items: tuple[ItemT, ...]
    drops: tuple[Drop, ...]

    def counts(self) -> dict[Reason, Count]:
        """Drops by reason, in the order of `Reason`; reasons that did not occur are left out."""
        by_reason: dict[Reason, list[float]] = {}
        for drop in self.drops:
            by_reason.setdefault(drop.reason, []).append(drop.active_s)
        return {
            reason: Count(len(by_reason[reason]), sum(by_reason[reason])) for reason in Reason if reason in by_reason
        }
