"""The pairs a selection admits: how many there are, counted without listing them, and the nearest of each clip as edges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from earmark.builders.pairing.cells import Selection
from earmark.builders.pairing.neighbours import Seekers, nearest_in_group, pair_costs, small_groups
from earmark.builders.pairing.pool import Bools, Codes, Floats, Pool

SMALL_GROUP = 128
"""Groups of at most so many clips are compared all with all; larger ones go through a tree."""


@dataclass(frozen=True, eq=False)
class Edges:
    """Pairs worth considering, as columns.

    Args:
        left: (e,) index of one clip in the pool; where the sides are the same clips, the lower index.
        right: (e,) index of the other.
        cost: (e,) sum of absolute differences of the nuisances, at least 0.
        selection: (e,) index of the selection that admits the pair.
    """

    left: Codes
    right: Codes
    cost: Floats
    selection: Codes

    def __len__(self) -> int:
        return len(self.left)

    def take(self, which: Bools | Codes | NDArray[np.intp]) -> Edges:
        """Those at the given places, or where true."""
        return Edges(self.left[which], self.right[which], self.cost[which], self.selection[which])


def join_edges(parts: Sequence[Edges]) -> Edges:
    """Several lists of edges as one, in the order given."""
    whole = [*parts, Edges(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0), np.empty(0, np.int64))]
    return Edges(
        np.concatenate([part.left for part in whole]),
        np.concatenate([part.right for part in whole]),
        np.concatenate([part.cost for part in whole]),
        np.concatenate([part.selection for part in whole]),
    )


def same_sides(selection: Selection) -> bool:
    """Whether both sides are the same clips, so that a pair is unordered.

    Raises:
        ValueError: If the sides overlap without being the same.
    """
    if selection.left is selection.right or np.array_equal(selection.left, selection.right):
        return True
    shared = int(np.count_nonzero(selection.left & selection.right))
    if shared:
        raise ValueError(f"selection {selection.target!r}: {shared} clips stand on both sides, which are not the same")
    return False


def partner_counts(pool: Pool, selection: Selection) -> Codes:
    """With how many clips each clip of the pool may be paired; (n,), 0 for a clip on neither side.

    Clips that agree in the columns `equal` less those that agree in one of `differ` too, by inclusion and exclusion over
    the columns of `differ`: every term counts clips per combination of codes, and no pair is looked at.
    """
    symmetric = same_sides(selection)
    known = _known(pool, selection)
    left, right = selection.left & known, selection.right & known
    partners = np.zeros(len(pool.ids), np.int64)
    for size in range(len(selection.differ) + 1):
        for chosen in combinations(selection.differ, size):
            members = np.flatnonzero(left | right)
            code = combined([column[members] for column in (*selection.equal, *chosen)], len(members))
            classes = int(code.max()) + 1 if len(code) else 0
            on_left = np.bincount(code[left[members]], minlength=classes)
            if symmetric:
                found = on_left[code] - 1
            else:
                on_right = np.bincount(code[right[members]], minlength=classes)
                found = np.where(left[members], on_right[code], on_left[code])
            partners[members] += found if size % 2 == 0 else -found
    return partners


def count_pairs(pool: Pool, selection: Selection) -> int:
    """How many pairs a selection admits, exactly; an unordered pair counts once."""
    partners = partner_counts(pool, selection)
    return int(partners.sum()) // 2


def nearest_pairs(pool: Pool, selection: Selection, k: int, *, index: int = 0) -> Edges:
    """Every admissible pair in which one clip is among the k nearest partners of the other, sorted by left, then right.

    Near is what costs little. Costs closer than a millionth are told apart by the distance of the two ranks, so that the
    pairs are the same whatever the order of the clips. With k at least the number of clips these are all pairs there are.

    Args:
        pool: The clips.
        selection: Which pairs are admissible.
        k: How many partners of each clip, at least 1.
        index: Index of the selection, stored with each edge.
    """
    if k < 1:
        raise ValueError(f"{k} nearest partners; at least 1")
    symmetric = same_sides(selection)
    known = _known(pool, selection)
    members = np.flatnonzero((selection.left | selection.right) & known)
    left, right = selection.left[members], selection.right[members]
    code = combined([column[members] for column in selection.equal], len(members))
    seekers = Seekers(
        values=pool.nuisances[members],
        missing=pool.mean_differences,
        rank=pool.rank[members].astype(np.float64) / 2.0**64,
        left=left,
        right=right,
        differ=[column[members] for column in selection.differ],
    )
    found = [np.empty((0, 2), np.int64)]
    found.extend(small_groups(seekers, code, SMALL_GROUP, k))
    found.extend(nearest_in_group(seekers, group, k) for group in _large_groups(code, left, right))
    ends = np.concatenate(found)
    one, other = ends[:, 0], ends[:, 1]
    first = one < other if symmetric else left[one]
    once = np.sort(np.where(first, one, other) * len(members) + np.where(first, other, one))
    once = once[np.append(True, once[1:] != once[:-1])] if len(once) else once
    one, other = once // max(1, len(members)), once % max(1, len(members))
    cost = pair_costs(seekers.values, seekers.missing, one, other)
    return Edges(members[one], members[other], cost, np.full(len(once), index, np.int64))


def combined(columns: Sequence[Codes], n: int) -> Codes:
    """One code from 0 for each combination of codes that occurs; (n,), all 0 without columns.

    Args:
        columns: Columns of n codes, each at least 0.
        n: How many.
    """
    code = np.zeros(n, np.int64)
    for column in columns:
        dense = _dense(column)
        code = _dense(code * (int(dense.max(initial=0)) + 1) + dense)
    return code


def _dense(code: Codes) -> Codes:
    """The same codes numbered from 0 without holes, in their order."""
    span = int(code.max(initial=0)) + 1
    if span > 8 * len(code):
        return np.unique(code, return_inverse=True)[1].astype(np.int64, copy=False)
    present = np.zeros(span, np.bool_)  # no need to sort
    present[code] = True
    return (np.cumsum(present) - 1)[code]


def _known(pool: Pool, selection: Selection) -> Bools:
    """Which clips have a code in every column that a pair is judged by."""
    known = np.ones(len(pool.ids), np.bool_)
    for column in (*selection.equal, *selection.differ):
        known &= column >= 0
    return known


def _large_groups(code: Codes, left: Bools, right: Bools) -> Iterator[NDArray[np.intp]]:
    """The members of each group of equal codes that has too many to compare all, if it has some on both sides."""
    order = np.argsort(code, kind="stable")
    sizes = np.bincount(code) if len(code) else np.empty(0, np.intp)
    for start, size in zip(np.cumsum(sizes) - sizes, sizes, strict=True):
        group = order[start : start + size]
        if size > SMALL_GROUP and left[group].any() and right[group].any():
            yield group
