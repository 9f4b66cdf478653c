"""Levelling: chosen pairs exchanged for others until the preferred side is not, on average, the longer or the louder one.

The cheapest pairs differ little each, and yet all may differ the same way. In a cell whose sides are told apart (exactly one clip
of a pair satisfies the target) the mean difference left − right of every nuisance should stay within `GOAL` standard
deviations. So pairs of such cells are exchanged, one for one and never more or fewer, while that lowers

    sum of costs + WEIGHT × sum over cells and nuisances of what the sum of differences is beyond the goal,

both in standard deviations. No exchange breaks a cap. What it costs stands beside the cost of the cheapest choice, whose bound
holds of this one too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from earmark.builders.pairing.allocation import Allocation, Pairs
from earmark.builders.pairing.balance import GOAL, pooled_deviation
from earmark.builders.pairing.candidates import Edges, join_edges, nearest_pairs, same_sides
from earmark.builders.pairing.cells import Caps, Cell
from earmark.builders.pairing.pool import Bools, Codes, Floats, Pool
from earmark.manifests.canonical import Json

WEIGHT = 10.0
"""What one standard deviation of one pair beyond the goal costs."""

LISTED = 2_000
"""So many of a cell's candidates, the cheapest ones, may be taken in exchange."""

_SWEEPS = 5
_LEAST = 1e-9


@dataclass(frozen=True, eq=False)
class Levelled:
    """A choice after levelling.

    Args:
        allocation: The choice; reports of cells and solves are those of the cheapest choice, whose cells are as full.
        exchanges: How many pairs were exchanged.
        cost_before: Sum of the costs of the cheapest choice.
        cost_after: Sum of the costs now.
        beyond_before: Means of a nuisance in a directed cell beyond the goal, in the cheapest choice.
        beyond_after: The same now.
        means: How many such means there are.
    """

    allocation: Allocation
    exchanges: int
    cost_before: float
    cost_after: float
    beyond_before: int
    beyond_after: int
    means: int

    @property
    def dearer(self) -> float:
        """By what share of its cost the choice is dearer than the cheapest; 0 where that costs nothing."""
        return (self.cost_after - self.cost_before) / self.cost_before if self.cost_before > 0 else 0.0

    def as_json(self) -> dict[str, Json]:
        """The figures for machines."""
        return {
            "goal": GOAL,
            "exchanges": self.exchanges,
            "cost_before": self.cost_before,
            "cost_after": self.cost_after,
            "beyond_before": self.beyond_before,
            "beyond_after": self.beyond_after,
            "means": self.means,
        }


def level(
    pool: Pool, cells: Sequence[Cell], caps: Mapping[Hashable, Caps], allocation: Allocation, *, nearest: int
) -> Levelled:
    """Exchanges pairs of directed cells while that helps.

    Args:
        pool: The clips.
        cells: The cells that the allocation is of.
        caps: Caps by group; a group without any has those of `Caps()`.
        allocation: The cheapest choice.
        nearest: How many nearest partners of each clip may be taken in exchange.
    """
    ordered = sorted(cells, key=lambda cell: cell.key)
    groups = {cell.group for cell in ordered}
    uses = {group: _Uses(pool, caps.get(group, Caps()), ordered) for group in groups}
    pairs = allocation.pairs
    for number, left, right, target in zip(
        pairs.cell.tolist(), pairs.left.tolist(), pairs.right.tolist(), pairs.target, strict=True
    ):
        uses[ordered[number].group].add(number, target, left, right, 1)
    directed = [
        _Directed(pool, number, cell, pairs, nearest)
        for number, cell in enumerate(ordered)
        if cell.selections and not any(same_sides(selection) for selection in cell.selections)
    ]
    before = sum(cell.beyond() for cell in directed)
    exchanges = 0
    for _ in range(_SWEEPS):
        made = sum(cell.sweep(uses[ordered[cell.number].group]) for cell in directed)
        exchanges += made
        if not made:
            break
    after = _joined(pool, pairs, directed)
    return Levelled(
        replace(allocation, pairs=after),
        exchanges,
        float(pairs.cost.sum()),
        float(after.cost.sum()),
        before,
        sum(cell.beyond() for cell in directed),
        sum(len(cell.unit) for cell in directed if len(cell.chosen)),
    )


class _Uses:
    """How often clips, pairs of clips, speakers and targets of cells are used in one group."""

    def __init__(self, pool: Pool, caps: Caps, cells: Sequence[Cell]) -> None:
        self._caps, self._cells, self._n = caps, cells, len(pool.ids)
        _, self._speaker = np.unique(pool.speaker, return_inverse=True)
        self._clips = np.zeros(self._n, np.int64)
        self._speakers = np.zeros(self._n, np.int64)
        self._pairs: Counter[int] = Counter()
        self._targets: Counter[tuple[int, str]] = Counter()

    def add(self, cell: int, target: str, left: int, right: int, times: int) -> None:
        """Count a pair, or with −1 no longer count it."""
        self._clips[[left, right]] += times
        self._speakers[list({int(self._speaker[left]), int(self._speaker[right])})] += times
        self._pairs[self._pair(left, right)] += times
        self._targets[cell, target] += times

    def allow(self, cell: int, edges: Edges, targets: Sequence[str]) -> Bools:
        """(e,) whether each edge may be added to what is counted."""
        free = np.ones(len(edges), np.bool_)
        if self._caps.clip is not None:
            free &= (self._clips[edges.left] < self._caps.clip) & (self._clips[edges.right] < self._caps.clip)
        if self._caps.speaker is not None:
            for side in (edges.left, edges.right):
                free &= self._speakers[self._speaker[side]] < self._caps.speaker
        if self._caps.clip_pair is not None:
            ends = zip(edges.left.tolist(), edges.right.tolist(), strict=True)
            free &= np.array([self._pairs[self._pair(*both)] < self._caps.clip_pair for both in ends], np.bool_)
        most = self._cells[cell].most_per_target
        if most is not None:
            open_targets = [self._targets[cell, target] < most for target in targets]
            free &= np.array(open_targets, np.bool_)[edges.selection]
        return free

    def _pair(self, left: int, right: int) -> int:
        return min(left, right) * self._n + max(left, right)


class _Directed:
    """A cell whose sides are told apart: its candidates, and which of them are chosen."""

    def __init__(self, pool: Pool, number: int, cell: Cell, pairs: Pairs, nearest: int) -> None:
        self.number = number
        self._moved = False
        self.targets = [selection.target for selection in cell.selections]
        self.edges, self.chosen = _candidates(pool, number, cell, pairs, nearest)
        sides = [
            np.logical_or.reduce(masks) for masks in zip(*((s.left, s.right) for s in cell.selections), strict=True)
        ]
        deviations = [
            pooled_deviation(*(pool.nuisances[side, m] for side in sides)) for m in range(pool.nuisances.shape[1])
        ]
        known = [m for m, deviation in enumerate(deviations) if deviation is not None]
        self.unit = np.array([deviation for deviation in deviations if deviation is not None])
        differences = pool.nuisances[self.edges.left][:, known] - pool.nuisances[self.edges.right][:, known]
        self.measured = ~np.isnan(differences)
        self.differences = np.where(self.measured, differences, 0.0) / self.unit

    def beyond(self) -> int:
        """How many means lie beyond the goal."""
        return int(np.count_nonzero(self._excess(*self._sums()) > _LEAST))

    def sweep(self, uses: _Uses) -> int:
        """Make the best exchange until none helps; how many were made. A cell that was level from the start is left alone."""
        if not len(self.chosen) or not (self._moved or self._excess(*self._sums()).any()):
            return 0
        made = 0
        while self._exchange(uses):
            self._moved = True
            made += 1
        return made

    def _exchange(self, uses: _Uses) -> bool:
        """Make the exchange that lowers the objective most, if any does."""
        sums, counts = self._sums()
        now = float(self._excess(sums, counts).sum())
        taken = np.zeros(len(self.edges), np.bool_)
        taken[self.chosen] = True
        best: tuple[float, int, int] | None = None
        for place, old in enumerate(self.chosen.tolist()):
            self._count(uses, old, -1)
            free = np.flatnonzero(~taken & uses.allow(self.number, self.edges, self.targets))
            self._count(uses, old, 1)
            if not len(free):
                continue
            excess = self._excess(
                sums - self.differences[old] + self.differences[free], counts - self.measured[old] + self.measured[free]
            )
            change = self.edges.cost[free] - self.edges.cost[old] + WEIGHT * (excess.sum(axis=1) - now)
            least = int(np.argmin(change))
            if change[least] < -_LEAST and (best is None or change[least] < best[0]):
                best = float(change[least]), place, int(free[least])
        if best is None:
            return False
        _, place, new = best
        self._count(uses, int(self.chosen[place]), -1)
        self._count(uses, new, 1)
        self.chosen[place] = new
        return True

    def _count(self, uses: _Uses, edge: int, times: int) -> None:
        target = self.targets[int(self.edges.selection[edge])]
        uses.add(self.number, target, int(self.edges.left[edge]), int(self.edges.right[edge]), times)

    def _sums(self) -> tuple[Floats, Codes]:
        """Per nuisance, the sum of differences and over how many chosen pairs it is."""
        return self.differences[self.chosen].sum(axis=0), self.measured[self.chosen].sum(axis=0)

    @staticmethod
    def _excess(sums: Floats, counts: Codes) -> Floats:
        """What each sum of differences is beyond the goal."""
        excess: Floats = np.maximum(np.abs(sums) - GOAL * counts, 0.0)
        return excess


def _candidates(pool: Pool, number: int, cell: Cell, pairs: Pairs, nearest: int) -> tuple[Edges, Codes]:
    """The cheapest edges of a cell with all that are chosen, sorted; and the places of the chosen ones.

    Raises:
        ValueError: If a chosen pair is not among the nearest.
    """
    listed = join_edges([nearest_pairs(pool, s, nearest, index=i) for i, s in enumerate(cell.selections)])
    targets = sorted({selection.target for selection in cell.selections})
    of_selection = np.array([targets.index(selection.target) for selection in cell.selections], np.int64)
    n = len(pool.ids)
    name = (of_selection[listed.selection] * n + listed.left) * n + listed.right
    here = np.flatnonzero(pairs.cell == number)
    of_pair = np.array([targets.index(pairs.target[i]) for i in here.tolist()], np.int64)
    mine = np.isin(name, (of_pair * n + pairs.left[here]) * n + pairs.right[here])
    if int(mine.sum()) != len(here):
        raise ValueError(
            f"cell {cell.key}: {len(here) - int(mine.sum())} chosen pairs are not among the {nearest} nearest"
        )
    keep = mine.copy()
    keep[np.lexsort((name, listed.cost))[:LISTED]] = True
    kept = np.flatnonzero(keep)
    kept = kept[np.argsort(name[kept])]
    return listed.take(kept), np.flatnonzero(mine[kept])


def _joined(pool: Pool, pairs: Pairs, directed: Sequence[_Directed]) -> Pairs:
    """The pairs of all cells, those of directed ones as they are now."""
    moved = {cell.number for cell in directed}
    rows = list(_rows(pairs, moved, directed))
    n = len(pool.ids)
    rows.sort(key=lambda row: (row[0], row[1], row[2] * n + row[3]))
    cells, targets, left, right, cost = zip(*rows, strict=True) if rows else ((), (), (), (), ())
    return Pairs(
        cell=np.array(cells, np.int64),
        left=np.array(left, np.int64),
        right=np.array(right, np.int64),
        target=tuple(targets),
        cost=np.array(cost, np.float64),
    )


def _rows(pairs: Pairs, moved: set[int], directed: Sequence[_Directed]) -> Iterator[tuple[int, str, int, int, float]]:
    """Cell, target, left, right and cost of every pair."""
    columns = (pairs.cell.tolist(), pairs.target, pairs.left.tolist(), pairs.right.tolist(), pairs.cost.tolist())
    yield from (row for row in zip(*columns, strict=True) if row[0] not in moved)
    for cell in directed:
        chosen = cell.edges.take(cell.chosen)
        targets = [cell.targets[i] for i in chosen.selection.tolist()]
        for row in zip(targets, chosen.left.tolist(), chosen.right.tolist(), chosen.cost.tolist(), strict=True):
            yield cell.number, *row
