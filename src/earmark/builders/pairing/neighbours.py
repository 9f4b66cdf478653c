"""The nearest admissible partners within groups of equal codes: all compared in small groups, a KD-tree in large ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from earmark.builders.pairing.pool import Bools, Codes, Floats

RANK_WEIGHT = 1e-6
"""What the distance of two ranks, from 0 to 1, adds to a cost where partners are compared."""

_ROUNDING = 1e-9
_BATCH = 1 << 17
"""So many pairs are looked at together: few enough for a processor's cache."""


@dataclass(frozen=True, eq=False)
class Seekers:
    """Clips of a selection that seek partners.

    Args:
        values: (m, c) nuisances; NaN where not measured.
        missing: (c,) what a nuisance costs where one of the two has none.
        rank: (m,) in [0, 1].
        left: (m,) who stands on the left side.
        right: (m,) who stands on the right side; equal to `left` where the sides are the same.
        differ: Columns of codes (m,) in which partners must differ.
    """

    values: Floats
    missing: Floats
    rank: Floats
    left: Bools
    right: Bools
    differ: Sequence[Codes]

    def admissible(self, one: NDArray[np.intp], other: NDArray[np.intp]) -> Bools:
        """Whether two clips of one group may be a pair, broadcast over both arguments."""
        fits = (self.left[one] & self.right[other]) | (self.right[one] & self.left[other])
        fits &= one != other
        for column in self.differ:
            fits &= column[one] != column[other]
        return fits

    def distance(self, one: NDArray[np.intp], other: NDArray[np.intp]) -> Floats:
        """Cost with the distance of the ranks, broadcast over both arguments."""
        return pair_costs(self.values, self.missing, one, other) + RANK_WEIGHT * np.abs(
            self.rank[one] - self.rank[other]
        )


def pair_costs(values: Floats, missing: Floats, one: NDArray[np.integer], other: NDArray[np.integer]) -> Floats:
    """Sum of absolute differences of the nuisances, broadcast over both index arrays."""
    cost = np.zeros(np.broadcast_shapes(one.shape, other.shape))
    for c in range(values.shape[1]):
        difference = np.abs(values[one, c] - values[other, c])
        cost += np.where(np.isnan(difference), missing[c], difference)
    return cost


def small_groups(seekers: Seekers, code: Codes, most: int, k: int) -> Iterator[NDArray[np.int64]]:
    """Pairs of seeker and partner, (p, 2), from all groups of two to `most` clips, groups of one size at a time."""
    order = np.argsort(code, kind="stable")
    sizes = np.bincount(code) if len(code) else np.empty(0, np.intp)
    starts = np.cumsum(sizes) - sizes
    for size in range(2, most + 1):
        firsts = starts[sizes == size]
        for begin in range(0, len(firsts), max(1, _BATCH // size**2)):
            batch = firsts[begin : begin + max(1, _BATCH // size**2)]
            group = order[batch[:, None] + np.arange(size)]
            one, other = group[:, :, None], group[:, None, :]
            fits = seekers.admissible(one, other)
            if k < size - 1:
                distance = np.where(fits, seekers.distance(one, other), np.inf)
                nearest = np.argpartition(distance, k - 1, axis=2)[:, :, :k]
                fits &= distance <= np.take_along_axis(distance, nearest, axis=2).max(axis=2, keepdims=True)
            where = np.nonzero(fits)
            yield np.stack([group[where[0], where[1]], group[where[0], where[2]]], axis=1)


def nearest_in_group(seekers: Seekers, group: NDArray[np.intp], k: int) -> NDArray[np.int64]:
    """Pairs of seeker and partner, (p, 2), of one group: for each clip its k nearest admissible partners.

    A tree holds the clips in which the same nuisances were measured, since what costs a constant cannot be told by distance.
    """
    bits = np.arange(seekers.values.shape[1])
    missing = np.isnan(seekers.values[group]) @ (1 << bits)
    names, pattern = np.unique(missing, return_inverse=True) if missing.any() else (missing[:1], missing)
    patterns = names[:, None] >> bits & 1 == 1
    sides = [(seekers.left, seekers.right)]
    symmetric = np.array_equal(seekers.left[group], seekers.right[group])
    if not symmetric:
        sides.append((seekers.right, seekers.left))
    seeking, partner = [], []
    for from_side, to_side in sides:
        for p in range(len(patterns)):
            for q in range(len(patterns)):
                here = group[(pattern == p) & from_side[group]]
                there = here if p == q and symmetric else group[(pattern == q) & to_side[group]]
                if len(here) and len(there):
                    found = _through_tree(seekers, here, there, ~(patterns[p] | patterns[q]), k)
                    seeking.append(found[0])
                    partner.append(found[1])
    if not seeking:
        return np.empty((0, 2), np.int64)
    one, other = np.concatenate(seeking), np.concatenate(partner)
    if len(patterns) > 1:  # the k nearest of each pattern; the k nearest of all are among them
        order = np.lexsort((seekers.distance(one, other), one))
        one, other = one[order], other[order]
        kept = _position(one) < k
        one, other = one[kept], other[kept]
    return np.stack([one, other], axis=1)


def _through_tree(
    seekers: Seekers, here: NDArray[np.intp], there: NDArray[np.intp], columns: Bools, k: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """For each clip of `here` its k nearest admissible partners in `there`; more are asked for until enough are admissible."""
    from scipy.spatial import cKDTree

    def points(which: NDArray[np.intp]) -> Floats:
        return np.column_stack([seekers.values[which][:, columns], RANK_WEIGHT * seekers.rank[which]])

    tree = cKDTree(points(there)) if k < len(there) else None
    seeking, partner = [], []
    waiting = here
    if (
        tree is not None
    ):  # neighbours one after the other walk the same branches, which are then in the processor's cache
        waiting = here[(tree if here is there else cKDTree(points(here))).indices]
    asked = min(len(there), 2 * k + 2)
    while len(waiting):
        held = []
        for begin in range(0, len(waiting), max(1, _BATCH // asked)):
            one = waiting[begin : begin + max(1, _BATCH // asked)]
            if tree is None or asked == len(there):
                near = np.broadcast_to(there, (len(one), len(there)))
                sure = np.ones(near.shape, np.bool_)
            else:
                found = tree.query(points(one), asked, p=1)
                distance, near = np.asarray(found[0]), there[np.asarray(found[1])]
                sure = distance < distance[:, -1:] - _ROUNDING
            fits = seekers.admissible(one[:, None], near) & sure
            enough = np.count_nonzero(fits, axis=1) >= k if not sure.all() else np.ones(len(one), np.bool_)
            held.append(one[~enough])
            if near.shape[1] > k and not sure.all():  # nearest first
                fits &= np.cumsum(fits, axis=1) <= k
            rows, places = np.nonzero(fits & enough[:, None])
            first, second = one[rows], near[rows, places]
            if near.shape[1] > k and sure.all():
                order = np.lexsort((seekers.distance(first, second), rows))
                first, second = first[order], second[order]
                kept = _position(rows[order]) < k
                first, second = first[kept], second[kept]
            seeking.append(first)
            partner.append(second)
        waiting, asked = np.concatenate(held), min(len(there), 4 * asked)
    return np.concatenate(seeking), np.concatenate(partner)


def _position(sorted_codes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Place of each element within its run of equal elements, from 0."""
    n = len(sorted_codes)
    starts = np.ones(n, np.bool_)
    starts[1:] = sorted_codes[1:] != sorted_codes[:-1]
    return np.arange(n) - np.maximum.accumulate(np.where(starts, np.arange(n), 0)) if n else np.arange(0)
