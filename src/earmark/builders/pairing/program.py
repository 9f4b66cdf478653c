"""The choice among edges as a program in whole numbers: which are taken, under caps, so that every cell gets its demand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from earmark.builders.pairing.candidates import Edges
from earmark.builders.pairing.cells import Caps
from earmark.builders.pairing.pool import Bools, Codes, Pool, Ranks

if TYPE_CHECKING:
    from scipy.sparse import csc_array

COST_BITS = 10
"""A cost is rounded to 2⁻¹⁰ of a standardised unit."""

HASH_BITS = 12
"""So many bits of hash stand below a cost and tell equal ones apart."""

UNIT = 2.0 ** -(COST_BITS + HASH_BITS)
"""What one whole number of a program's cost is in standardised units."""


@dataclass(frozen=True, eq=False)
class Program:
    """Minimise the cost of the edges taken; every edge is taken or not.

    Args:
        cost: (e,) whole numbers, in `UNIT`.
        cell: (e,) which cell the edge would fill, ascending.
        rows: (r, e) what has a cap, and the edges that use it; what no choice of edges could use beyond its cap is left out.
        most: (r,) the caps.
        demand: (c,) how many edges each cell wants.
    """

    cost: Codes
    cell: Codes
    rows: csc_array
    most: Codes
    demand: Codes

    def __post_init__(self) -> None:
        if (self.cell[1:] < self.cell[:-1]).any():
            raise ValueError("the edges of a program stand cell by cell")

    def slices(self) -> list[slice]:
        """Where the edges of each cell stand."""
        ends = np.searchsorted(self.cell, np.arange(len(self.demand) + 1)).tolist()
        return [slice(begin, end) for begin, end in pairwise(ends)]

    def filled(self, taken: Bools) -> Codes:
        """How many edges each cell has of those taken; (c,)."""
        return np.bincount(self.cell[taken], minlength=len(self.demand)).astype(np.int64)

    def keeps_caps(self, taken: Bools) -> bool:
        """Whether no cap is exceeded and no cell has more than its demand."""
        return bool((self.rows @ taken.astype(np.int64) <= self.most).all()) and bool(
            (self.filled(taken) <= self.demand).all()
        )

    def part(self, columns: Bools, most: Codes, demand: Codes, rows: Bools | None = None) -> Program:
        """The program of some of the edges with other caps and demands; `rows` says which caps are kept, None all."""
        chosen = self.rows[:, columns]
        return Program(self.cost[columns], self.cell[columns], chosen if rows is None else chosen[rows], most, demand)


def cheapest(program: Program, start: Bools | None, factor: float) -> Bools:
    """Per cell the cheapest edges: a factor times as many as it wants, and all no dearer than the dearest one started with."""
    core = np.zeros(len(program.cost), np.bool_)
    for here, wanted in zip(program.slices(), program.demand.tolist(), strict=True):
        cost = program.cost[here]
        count, dearest = math.ceil(factor * wanted), -1
        if start is not None:
            chosen = cost[start[here]]
            dearest = int(chosen.max(initial=-1))
            count = math.ceil(4 * factor * wanted) if len(chosen) < wanted else count
        if 0 < count <= len(cost):
            dearest = max(dearest, int(np.partition(cost, count - 1)[count - 1]))
        core[here] = (cost <= dearest) | (count > len(cost))
    return core


def whole_costs(cost: np.ndarray[tuple[int], np.dtype[np.float64]], mixed: Ranks) -> Codes:
    """Costs as whole numbers of `UNIT`, with the high bits of a hash below what a cost is rounded to."""
    rounded = np.rint(cost * 2.0**COST_BITS).astype(np.int64)
    return (rounded << HASH_BITS) | (mixed >> np.uint64(64 - HASH_BITS)).astype(np.int64)


def program_of(
    pool: Pool,
    edges: Edges,
    *,
    cell: Codes,
    target: Codes,
    salt: Ranks,
    caps: Caps,
    most_per_target: Sequence[int | None],
    demand: Codes,
) -> Program:
    """The program of a group of cells.

    Args:
        pool: The clips.
        edges: Admissible pairs of all cells.
        cell: (e,) cell of each edge.
        target: (e,) code of each edge's target.
        salt: (e,) hash of each edge's target, so that a pair costs something else under another.
        caps: Caps of the group.
        most_per_target: Per cell, the most pairs of one target.
        demand: (c,) demand of each cell.
    """
    from scipy.sparse import csc_array

    n, e = len(pool.ids), len(edges)
    names: list[tuple[Codes, int]] = []  # what each edge uses, (e, w), below 0 for nothing; and the cap
    if caps.clip is not None:
        names.append((np.column_stack([edges.left, edges.right]), caps.clip))
    if caps.clip_pair is not None:
        low, high = np.minimum(edges.left, edges.right), np.maximum(edges.left, edges.right)
        names.append(((low * n + high)[:, None], caps.clip_pair))
    if caps.speaker is not None:
        one, other = pool.speaker[edges.left], pool.speaker[edges.right]
        names.append((np.column_stack([one, np.where(one == other, -1, other)]), caps.speaker))
    for c, most in enumerate(most_per_target):
        if most is not None:
            names.append((np.where(cell == c, target, -1)[:, None], most))
    parts, most_of, offset = [np.empty((e, 0), np.int32)], [np.empty(0, np.int64)], 0
    for name, cap in names:
        row, count = _rows(name, cap)
        parts.append(np.where(row >= 0, row + offset, -1).astype(np.int32))
        most_of.append(np.full(count, cap, np.int64))
        offset += count
    row = np.concatenate(parts, axis=1)
    uses = row >= 0
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.count_nonzero(uses, axis=1))])
    used = row[uses]
    rows = csc_array((np.ones(len(used)), used, starts), shape=(offset, e))
    rows.sort_indices()
    mixed = scramble(
        pool.rank
    )  # a pair's hash is the same whichever clip comes first, and another under another target
    return Program(
        cost=whole_costs(edges.cost, scramble((mixed[edges.left] + mixed[edges.right]) ^ salt)),
        cell=cell,
        rows=rows,
        most=np.concatenate(most_of),
        demand=demand,
    )


def _rows(name: Codes, cap: int) -> tuple[Codes, int]:
    """A row from 0 for each name that is used more often than `cap`, -1 for the others and for names below 0; how many rows."""
    if int(name.max(initial=0)) < 8 * name.size:
        binding = np.bincount(name[name >= 0]) > cap if (name < 0).any() else np.bincount(name.ravel()) > cap
        row = np.where(binding, np.cumsum(binding) - 1, -1)
        return np.where(name >= 0, row[name], -1) if len(row) else np.full(name.shape, -1, np.int64), int(binding.sum())
    ordered = np.sort(name, axis=None)  # far cheaper than to learn where each name stands
    ordered = ordered[np.searchsorted(ordered, 0) :]
    often = np.unique(ordered[cap:][ordered[cap:] == ordered[: max(0, len(ordered) - cap)]])
    if not len(often):
        return np.full(name.shape, -1, np.int64), 0
    place = np.minimum(np.searchsorted(often, name), len(often) - 1)
    return np.where(often[place] == name, place, -1), len(often)


def scramble(word: Ranks) -> Ranks:
    """Each 64-bit word scrambled one to one (the finaliser of SplitMix64, Steele et al. 2014)."""
    word = word + np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))
