"""Pairs that the printed tables imply, cell by cell, and how many answers to each cell are right.

Nothing is drawn. What the tables do not fix is declared: as many pairs of one transcript as they allow are non-ties; age and
gender are halved by transcript, and their right answers in proportion; sides and the kinds of tie alternate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from earmark.manifests.families.pairs import (
    BOTH_BAD,
    BOTH_GOOD,
    CRITERIA,
    CROSS,
    FIRST,
    NON_TIE,
    REVERSED,
    SAME,
    SECOND,
    STORED,
    TIE,
)
from earmark.scoring.papers.parapair.effect import right_among
from earmark.scoring.papers.parapair.tables import ORDERS

if TYPE_CHECKING:
    from earmark.scoring.papers.parapair.counts import Counts
    from earmark.scoring.papers.parapair.tables import Sizes

Solved = Mapping[str, "Counts"]
"""Right answers of one judge, by criterion."""


@dataclass(frozen=True)
class Cell:
    """Pairs that only their number tells apart.

    Args:
        criterion: What they are about.
        kind: "non_tie" or "tie".
        transcript: "same" or "cross".
        pairs: How many there are.
    """

    criterion: str
    kind: str
    transcript: str
    pairs: int


@dataclass(frozen=True)
class Pair:
    """One constructed pair.

    Args:
        item: Its id.
        criterion: What it is about.
        kind: "non_tie", "both_good" or "both_bad".
        transcript: "same" or "cross".
        gold: "first", "second" or "tie".
    """

    item: str
    criterion: str
    kind: str
    transcript: str
    gold: str


@dataclass(frozen=True)
class Study:
    """Who answered which pairs how: models in two orders, or raters in one.

    Args:
        sizes: How many pairs each figure is over.
        cells: The pairs.
        solved: Right answers of each judge.
        division: How many pairs of one transcript are non-ties, by criterion of Table 4.
        shown: How many answers each pair has.
    """

    sizes: Sizes
    cells: tuple[Cell, ...]
    solved: Mapping[str, Solved]
    division: Mapping[str, int]
    shown: int

    @property
    def orders(self) -> tuple[str, ...]:
        """The orders in which each pair is shown; raters saw it in one, each of them once."""
        return (STORED, REVERSED) if self.shown == ORDERS else (STORED,)

    def right(self, judge: str) -> dict[Cell, int]:
        """How many answers of a judge are right in each cell; no more than there are."""
        found = {}
        for criterion, counts in self.solved[judge].items():
            cells = {(cell.kind, cell.transcript): cell for cell in self.cells if cell.criterion == criterion}
            here = _middle(right_among(self.sizes, judge, criterion, counts, self.division.get(criterion, 0)))
            split = {
                (NON_TIE, SAME): here,
                (NON_TIE, CROSS): counts.non_tie - here,
                (TIE, SAME): (counts.same or 0) - here,
                (TIE, CROSS): counts.tie - (counts.same or 0) + here,
            }
            if counts.same is None:
                split = _filled({place: self.shown * cell.pairs for place, cell in cells.items()}, counts)
            for place, cell in cells.items():
                found[cell] = min(max(split[place], 0), self.shown * cell.pairs)
        return found


def study(sizes: Sizes, solved: Mapping[str, Solved]) -> Study:
    """Pairs that every judge's counts fit into.

    Args:
        sizes: How many pairs each figure is over.
        solved: Right answers of each judge: of models, or of people.
    """
    judges = tuple(solved)
    division, cells = {}, []
    for criterion in CRITERIA:
        non_tie, tie = (sizes.pairs(judges[0], criterion, part) for part in (NON_TIE, TIE))
        if all(solved[judge][criterion].same is not None for judge in judges):
            division[criterion] = _division(sizes, solved, criterion)
            same = division[criterion], sizes.pairs(judges[0], criterion, SAME) - division[criterion]
        else:
            same = (non_tie // 2, tie // 2) if tie else (non_tie, 0)
        for kind, all_of_it, of_same in ((NON_TIE, non_tie, same[0]), (TIE, tie, same[1])):
            cells.append(Cell(criterion, kind, SAME, of_same))
            cells.append(Cell(criterion, kind, CROSS, all_of_it - of_same))
    shown = sizes.tables.shown(judges[0])
    return Study(sizes, tuple(cell for cell in cells if cell.pairs), solved, division, shown)


def pairs_of(cell: Cell) -> Iterator[Pair]:
    """The pairs of a cell; sides alternate, and so do the kinds of tie where a criterion has both."""
    for at in range(cell.pairs):
        kind, gold = cell.kind, (FIRST, SECOND)[at % 2]
        if cell.kind == TIE:
            kind, gold = (
                (
                    BOTH_BAD
                    if cell.criterion == "emphasis"
                    else (BOTH_GOOD, BOTH_BAD)[(at + (cell.transcript == CROSS)) % 2]
                ),
                TIE,
            )
        yield Pair(
            f"{cell.criterion}-{cell.kind}-{cell.transcript}-{at:04d}", cell.criterion, kind, cell.transcript, gold
        )


def _middle(allowed: range) -> int:
    return allowed[len(allowed) // 2] if allowed else 0


def _filled(room: Mapping[tuple[str, str], int], counts: Counts) -> dict[tuple[str, str], int]:
    """Right answers where the paper does not print transcripts: as much in the one half as in the other."""
    split = {}
    for kind, right in ((NON_TIE, counts.non_tie), (TIE, counts.tie)):
        same, cross = room.get((kind, SAME), 0), room.get((kind, CROSS), 0)
        split[kind, SAME] = right * same // max(1, same + cross)
        split[kind, CROSS] = right - split[kind, SAME]
    return split


def _division(sizes: Sizes, solved: Mapping[str, Solved], criterion: str) -> int:
    """The largest number of non-ties among pairs of one transcript that suits most judges' counts."""
    judges = tuple(solved)
    most = min(sizes.pairs(judges[0], criterion, part) for part in (SAME, NON_TIE))

    def suited(at: int) -> int:
        return sum(bool(right_among(sizes, judge, criterion, solved[judge][criterion], at)) for judge in judges)

    return max(range(most + 1), key=lambda at: (suited(at), at))
