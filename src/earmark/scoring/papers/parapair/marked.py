"""The printed tables again, from constructed answers that the pairs family's own scorer marks, cell by cell beside the print."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from earmark.manifests.families.pairs import CROSS, NON_TIE, SAME, TIE
from earmark.manifests.report import ALL, OVERALL
from earmark.pages.paper_tables import METRICS
from earmark.scoring.measuring import Numbering
from earmark.scoring.pairs.figures import figures
from earmark.scoring.pairs.gold import PAIR, read_gold
from earmark.scoring.pairs.marks import mark
from earmark.scoring.papers.parapair.constructed import answer, construct
from earmark.scoring.papers.parapair.counts import oracle, slip_of, solve, solve_sizes
from earmark.scoring.papers.parapair.rounding import rounded
from earmark.scoring.papers.parapair.study import study
from earmark.scoring.papers.parapair.tables import read_tables
from earmark.scoring.papers.records import Cell

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from earmark.scoring.pairs.marks import Marked
    from earmark.scoring.papers.parapair.counts import Counts
    from earmark.scoring.papers.parapair.tables import Place, PrintedCell, Sizes, Tables

PART_NAMES = {ALL: "", NON_TIE: ", non-tie", TIE: ", tie", SAME: ", same transcript", CROSS: ", cross transcript"}


def worked_values(tables: Tables | None = None) -> tuple[Cell, ...]:
    """Every printed accuracy beside what its counts give and what the scorer makes of them, in percent.

    Args:
        tables: The printed tables; by default those of the paper.
    """
    tables = tables or read_tables()
    sizes = solve_sizes(tables)
    solved = {judge: solve(sizes, judge) for judge in tables.judges}
    counted = {
        place: tenths for judge in tables.judges for place, tenths in oracle(sizes, judge, solved[judge]).items()
    }
    marked = dict(scored(sizes, solved))
    return tuple(_cell(cell, counted[cell.place], marked.get(cell.place)) for cell in tables.cells)


@cache
def paper_values() -> tuple[Cell, ...]:
    """The same of the paper's own tables, worked out once."""
    return worked_values()


def scored(sizes: Sizes, solved: Mapping[str, Mapping[str, Counts]]) -> Iterator[tuple[Place, int]]:
    """What the scorer gives for every figure that is printed, in tenths of a percent; what it leaves undefined is left out.

    Args:
        sizes: How many pairs each figure is over.
        solved: Right answers of every judge, by criterion.
    """
    parts = {metric: part for part, metric in METRICS.items()}
    for judge, marks in marked_answers(sizes, solved):
        wanted = [figure for figure in figures(marks) if figure.slice == ALL and figure.metric in parts]
        numbers = Numbering(PAIR, wanted)
        for figure in wanted:
            place = judge, figure.facet, parts[figure.metric]
            value = figure.statistic(numbers).value() if place in sizes.tables.by_place else None
            if value is not None:
                yield place, _tenths(sizes, place, value)


def marked_answers(sizes: Sizes, solved: Mapping[str, Mapping[str, Counts]]) -> Iterator[tuple[str, Marked]]:
    """Every judge with its constructed answers, marked by the family's scorer.

    Args:
        sizes: How many pairs each figure is over.
        solved: Right answers of every judge, by criterion.
    """
    for judges in (sizes.tables.models, (sizes.tables.humans,)):
        pairs = study(sizes, {judge: solved[judge] for judge in judges})
        gold = read_gold(construct(pairs))
        for judge in judges:
            yield judge, mark(gold, answer(pairs, judge))


def _tenths(sizes: Sizes, place: Place, value: float) -> int:
    """A value in tenths of a percent; that of one criterion is a count over a known total, so that halves are exact."""
    _, criterion, _ = place
    if criterion == OVERALL:
        exact = Fraction(value).limit_denominator(10**9)
        return rounded(exact.numerator, exact.denominator)
    total = sizes.answers(*place)
    return rounded(round(value * total), total)


def _cell(cell: PrintedCell, counted: int, marked: int | None) -> Cell:
    slip = slip_of(cell)
    column = "mean" if cell.criterion == OVERALL else cell.criterion
    return Cell(
        case=f"Table {cell.table}, {cell.judge}",
        quantity=column + PART_NAMES[cell.part],
        printed=cell.text,
        paper=counted / 10,
        default=None if marked is None else marked / 10,
        why="" if slip is None else f"a slip of print: {slip.why}",
        corrected=None if slip is None else slip.right / 10,
        decimals=1,
    )
