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


def mix(one: Ranks, other: Ranks, salt: Ranks) -> Ranks:
    """A hash of two ranks and a salt, (e,), the same whichever rank comes first."""
    return scramble((scramble(one) + scramble(other)) ^ salt)


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
    every = np.arange(e)
    parts: list[tuple[Codes, Codes, Codes]] = []  # name of the row, edge, cap
    if caps.clip is not None:
        parts.append(_rows(np.concatenate([edges.left, edges.right]), np.concatenate([every, every]), caps.clip))
    if caps.clip_pair is not None:
        low, high = np.minimum(edges.left, edges.right), np.maximum(edges.left, edges.right)
        parts.append(_rows(low * n + high, every, caps.clip_pair))
    if caps.speaker is not None:
        one, other = pool.speaker[edges.left], pool.speaker[edges.right]
        two = one != other
        parts.append(_rows(np.concatenate([one, other[two]]), np.concatenate([every, every[two]]), caps.speaker))
    for c, most in enumerate(most_per_target):
        if most is not None:
            here = np.flatnonzero(cell == c)
            parts.append(_rows(target[here], here, most))
    offsets = np.cumsum([0, *(len(most) for _, _, most in parts)])
    names = [row + offset for (row, _, _), offset in zip(parts, offsets, strict=False)]
    row = np.concatenate([*names, np.empty(0, np.int64)])
    column = np.concatenate([*(where for _, where, _ in parts), np.empty(0, np.int64)])
    rows = csc_array((np.ones(len(row)), (row, column)), shape=(int(offsets[-1]), e))
    return Program(
        cost=whole_costs(edges.cost, mix(pool.rank[edges.left], pool.rank[edges.right], salt)),
        cell=cell,
        rows=rows,
        most=np.concatenate([*(most for _, _, most in parts), np.empty(0, np.int64)]),
        demand=demand,
    )


def _rows(name: Codes, edge: Codes, cap: int) -> tuple[Codes, Codes, Codes]:
    """Rows from 0 for the names that more than `cap` edges use, with their edges and caps; names are at least 0."""
    if int(name.max(initial=0)) < 8 * len(name):
        binding = np.bincount(name) > cap
        kept = binding[name]
        return (np.cumsum(binding) - 1)[name[kept]], edge[kept], np.full(int(binding.sum()), cap, np.int64)
    ordered = np.sort(name)  # far cheaper than to learn where each name stands
    often = np.unique(ordered[cap:][ordered[cap:] == ordered[: max(0, len(name) - cap)]])
    place = np.minimum(np.searchsorted(often, name), max(0, len(often) - 1))
    kept = often[place] == name if len(often) else np.zeros(len(name), np.bool_)
    return place[kept].astype(np.int64), edge[kept], np.full(len(often), cap, np.int64)


def scramble(word: Ranks) -> Ranks:
    """Each 64-bit word scrambled one to one (the finaliser of SplitMix64, Steele et al. 2014)."""
    word = word + np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))
