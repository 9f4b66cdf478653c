"""What is asked of a pairing: cells with a demand each, the pairs that each admits, and how often a clip may be used."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from earmark.builders.pairing.pool import Bools, Codes


@dataclass(frozen=True, eq=False)
class Selection:
    """The pairs of one clip of the left side and another one of the right side that agree and differ where they must.

    Where both sides are the same clips a pair is unordered and counts once.

    Args:
        target: What the pair is asked about, stored with it.
        left: (n,) which clips of the pool may stand on one side, such as those that satisfy the target.
        right: (n,) which may stand on the other; the very array `left` where the sides are the same. Disjoint from it otherwise.
        equal: Columns of codes, (n,) each, in which both clips must have the same code; a code below 0 equals nothing.
        differ: Columns of codes in which they must not; a code below 0 is not known, and such a clip is in no pair.
    """

    target: str
    left: Bools
    right: Bools
    equal: tuple[Codes, ...] = ()
    differ: tuple[Codes, ...] = ()


@dataclass(frozen=True, eq=False)
class Cell:
    """Pairs of one sort and how many of them are wanted.

    Args:
        key: What tells it from other cells; cells are ordered by it.
        group: Cells of one group, such as a criterion, share the caps.
        selections: The pairs that may fill it, by target. No pair is in two of them, unless under two targets.
        demand: How many are wanted; None for every pair that the caps allow.
        most_per_target: The most pairs of one target, None for no limit.
    """

    key: tuple[str, ...]
    group: Hashable
    selections: tuple[Selection, ...]
    demand: int | None
    most_per_target: int | None = None


@dataclass(frozen=True, kw_only=True)
class Caps:
    """How often something may be used in the pairs of one group; None for no limit.

    Args:
        clip: Pairs per clip.
        clip_pair: Pairs per unordered pair of clips, whatever their targets.
        speaker: Pairs per speaker; a pair of one speaker's clips counts once.
    """

    clip: int | None = None
    clip_pair: int | None = 1
    speaker: int | None = None
