"""A number of items spread over the cells of several columns as evenly as whole numbers and what there is allow.

The first column is split as evenly as possible, then each of its parts by the second, and so on: where both cannot be even, the
earlier column is. A part with fewer items than its even share gives all it has and its siblings get the rest, evenly. What does
not divide is one more here or there, and these are placed so that every column alone comes out as even as it can be: within one
wherever nothing ran short. What is left to choose is chosen by hash: if the first label always got the odd item, the order of
presentation would go with the gold.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

Cell: TypeAlias = tuple[str, ...]
"""A label for each column, in their order; a shorter one stands for all cells that begin with it."""

Rank: TypeAlias = Callable[[Cell], int]
"""A hash of a cell: between labels that are equal in all else, the lowest gets the odd item."""


@dataclass
class Tally:
    """What the spreads made so far gave, so that odd items do not gather anywhere.

    Args:
        items: Items given to each label of each column (with an empty cell), and to each label below each cell.
    """

    items: Counter[tuple[int, Cell, str]] = field(default_factory=Counter)

    def note(self, column: int, counts: Mapping[Cell, int]) -> None:
        """Add what the cells of a column were given."""
        for cell, items in counts.items():
            self.items[column, cell[:-1], cell[-1]] += items
            self.items[column, (), cell[-1]] += items


@dataclass
class _Parent:
    """A part that is being split: what each label gets for certain, and who may still get one more."""

    cell: Cell
    base: dict[str, int]
    more: list[str]  # labels that have one item more to give
    extras: int
    chosen: set[str]


def spread(demand: int, available: Mapping[Cell, int], rank: Rank, tally: Tally | None = None) -> Counter[Cell]:
    """How many items to take of each cell.

    Args:
        demand: How many in all.
        available: Items in each cell; all cells have as many columns.
        rank: Decides between cells that are equal in all else.
        tally: What earlier spreads gave; what this one gives is added.

    Returns:
        The numbers, cells without any left out; they add up to `demand`.

    Raises:
        ValueError: If there are fewer items than that.

    >>> cells = {("a", "x"): 9, ("a", "y"): 9, ("b", "x"): 1, ("b", "y"): 9}
    >>> sorted(spread(5, cells, rank=lambda cell: cell[-1:] == ("b",)).items())
    [(('a', 'x'), 2), (('a', 'y'), 1), (('b', 'x'), 1), (('b', 'y'), 1)]
    """
    if demand > sum(available.values()):
        raise ValueError(f"{sum(available.values())} items, {demand} wanted")
    tally = Tally() if tally is None else tally
    counts: Counter[Cell] = Counter({(): demand} if demand else {})
    for column in range(max((len(cell) for cell in available), default=0)):
        below: dict[Cell, Counter[str]] = defaultdict(Counter)
        for cell, items in available.items():
            below[cell[:column]][cell[column]] += items
        counts = split(counts, below, column, rank, tally)
    return counts


def split(
    demands: Mapping[Cell, int], below: Mapping[Cell, Mapping[str, int]], column: int, rank: Rank, tally: Tally
) -> Counter[Cell]:
    """Split parts by one more column.

    Args:
        demands: Items of each part.
        below: For each part, the items there are of each label; at least as many as its demand.
        column: Number of the column, which tells its labels in the tally from others'.
        rank: Decides between labels that are equal in all else.
        tally: What earlier spreads gave; what this one gives is added.

    Returns:
        The numbers by part and label, those of 0 left out.
    """
    parents = [_parent(cell, demands[cell], below[cell]) for cell in sorted(demands)]
    _place_extras(parents, column, rank, tally)
    counts = Counter[Cell]()
    for parent in parents:
        for label, items in parent.base.items():
            if got := items + (label in parent.chosen):
                counts[*parent.cell, label] = got
    tally.note(column, counts)
    return counts


def even_shares(counts: Mapping[Cell, int], cell: Cell, available: Mapping[Cell, int]) -> int:
    """The most that an even split of a cell's parent would give it."""
    siblings = {other[: len(cell)] for other in available if other[: len(cell) - 1] == cell[:-1]} | {cell}
    whole = sum(items for other, items in counts.items() if other[: len(cell) - 1] == cell[:-1])
    return -(-whole // len(siblings))


def absent_cells(available: Mapping[Cell, int]) -> list[Cell]:
    """Cells that would have to be there for an even spread, and have no item.

    A label is missed below a part if it occurs elsewhere and could occur there: not if it occurs only with one label of an
    earlier column, as `both_good` does only with ties, and the part has another.
    """
    absent: list[Cell] = []
    width = max((len(cell) for cell in available), default=0)
    for column in range(1, width):
        goes_with: list[dict[str, set[str]]] = [defaultdict(set) for _ in range(column)]
        for cell in available:
            for earlier in range(column):
                goes_with[earlier][cell[column]].add(cell[earlier])
        bound = [all(len(labels) == 1 for labels in goes_with[earlier].values()) for earlier in range(column)]
        present = {cell[: column + 1] for cell in available}
        for parent in sorted({cell[:column] for cell in available}):
            for label in sorted({cell[column] for cell in available}):
                possible = all(
                    not bound[earlier] or parent[earlier] in goes_with[earlier][label] for earlier in range(column)
                )
                if possible and (*parent, label) not in present:
                    absent.append((*parent, label))
    return absent


def _parent(cell: Cell, demand: int, available: Mapping[str, int]) -> _Parent:
    """Fill all labels alike until they are full or one more for each would be too many."""
    level, rest = 0, demand
    while True:
        open_labels = [label for label, items in available.items() if items > level]
        if not open_labels or len(open_labels) > rest:
            break
        rest -= len(open_labels)
        level += 1
    base = {label: min(items, level) for label, items in sorted(available.items())}
    return _Parent(cell, base, sorted(open_labels), rest, set())


def _place_extras(parents: Sequence[_Parent], column: int, rank: Rank, tally: Tally) -> None:
    """Choose which labels get the odd items."""
    alone = Counter[str]()
    for parent in parents:
        alone.update(parent.base)

    def least(cell: Cell, label: str) -> tuple[int, int, int, int]:
        before = tally.items
        return alone[label], before[column, cell, label], before[column, (), label], rank((*cell, label))

    for parent in sorted(parents, key=lambda parent: (len(parent.more) - parent.extras, rank(parent.cell))):
        parent.chosen = set(sorted(parent.more, key=lambda label: least(parent.cell, label))[: parent.extras])
        alone.update(parent.chosen)
    while _move_one(parents, alone):
        pass


def _move_one(parents: Sequence[_Parent], alone: Counter[str]) -> bool:
    """Move one odd item, by way of other labels if need be, from a label to one with two fewer or more; say if there was one."""
    for start in sorted(alone, key=lambda label: (-alone[label], label)):
        reached: dict[str, tuple[str, _Parent] | None] = {start: None}
        waiting = [start]
        while waiting:
            label = waiting.pop(0)
            if alone[label] <= alone[start] - 2:
                alone[label] += 1
                alone[start] -= 1
                while (step := reached[label]) is not None:
                    before, parent = step
                    parent.chosen = parent.chosen - {before} | {label}
                    label = before
                return True
            for parent in parents:
                if label in parent.chosen:
                    for other in parent.more:
                        if other not in parent.chosen and other not in reached:
                            reached[other] = (label, parent)
                            waiting.append(other)
    return False
