"""The printed figures as other reports are held against them, and pages of tables in the paper's form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from earmark.manifests.report import ALL, OVERALL
from earmark.pages.judge_figures import judge_figures
from earmark.pages.paper_tables import METRICS, Accuracy, FurtherTable, Group, JudgeRow, row_of_report, tables_page
from earmark.pages.svg import Table
from earmark.scoring.papers.parapair.counts import SLIPS, solve_sizes
from earmark.scoring.papers.parapair.derived import sections
from earmark.scoring.papers.parapair.rounding import percent_text
from earmark.scoring.papers.parapair.tables import read_tables
from earmark.scoring.papers.parapair.verdicts import verdicts
from earmark.scoring.papers.records import Printed

if TYPE_CHECKING:
    from earmark.manifests.report import Report
    from earmark.scoring.papers.parapair.tables import Tables

FIGURE_2 = "section 5.5; its other values stand only in Figure 2"
BEHIND_B = "said as 29.4 in favour of position B, mean over criteria"

CAVEAT = (
    "The paper's pairs are not published, so that no report is of them: a figure beside a printed one is of other pairs of the "
    "same kind. Its same and cross transcripts differ in how many ties they hold; read them within non-ties. "
    "A mean is over the criteria that its row has, and is compared with none over others. "
    "Figures with a star are not from paper mode; an accuracy is the same in both."
)


def printed_figures(tables: Tables | None = None) -> tuple[Printed, ...]:
    """Every accuracy of the tables, as a share, and the one position gap that the text has.

    Args:
        tables: The printed tables; by default those of the paper.
    """
    cells = (tables or read_tables()).cells
    figures = [
        Printed(
            METRICS[cell.part],
            cell.criterion,
            cell.judge,
            cell.tenths / 1000,
            cell.tenths / 1000,
            f"Table {cell.table}",
        )
        for cell in cells
    ]
    return (*figures, Printed("position_gap", OVERALL, "SpeechJudge-7B", -0.294, -0.294, FIGURE_2, BEHIND_B))


def printed_rows(tables: Tables | None = None) -> tuple[JudgeRow, ...]:
    """The rows of the tables, each cell held against chance over pairs.

    Args:
        tables: The printed tables; by default those of the paper.
    """
    sizes = solve_sizes(tables or read_tables())
    cells: dict[str, dict[tuple[str, str], Accuracy]] = {judge: {} for judge in sizes.tables.judges}
    for one in verdicts(sizes):
        judge, criterion, part = one.cell.place
        chance = float(one.chance)
        cells[judge][criterion, part] = Accuracy(one.cell.tenths / 1000, one.n, chance, one.p, one.p_adjusted)
    for cell in sizes.tables.cells:
        if cell.criterion == OVERALL:
            n = sum(sizes.pairs(cell.judge, criterion, ALL) for criterion in sizes.tables.non_tie)
            cells[cell.judge][OVERALL, ALL] = Accuracy(cell.tenths / 1000, n)
    return tuple(JudgeRow(judge, found, judge == sizes.tables.humans) for judge, found in cells.items())


def page(reports: Sequence[tuple[str, Report]]) -> str:
    """Tables 2 to 4 as they are printed, reports in the same form, and what follows from the printed figures.

    Args:
        reports: Reports of the pairs family, by the name of their judge.
    """
    printed = printed_rows()
    groups = [
        Group(
            "As printed", printed, "People: 50 pairs of each criterion, six raters; models: every pair in both orders."
        )
    ]
    if reports:
        rows = [row_of_report(judge, report) for judge, report in reports]
        note = CAVEAT
        if not any(row.people for row in rows):
            rows = [*(row for row in printed if row.people), *rows]
            note = f"{CAVEAT} The row of people is the printed one."
        groups.insert(0, Group("Reports", tuple(rows), note, judge_figures(reports)))
    return tables_page(
        groups,
        title="ParaPairAudioBench, Tables 2 to 4",
        notes=[_slips_note()],
        further=[FurtherTable(one.title, Table(one.head, one.rows), one.note) for one in sections()],
    )


def _slips_note() -> str:
    """The printed figures that are known to be slips of print, in a sentence."""
    said = [
        f"{judge}, {'mean' if criterion == OVERALL else criterion}: {percent_text(slip.printed)} is printed and "
        f"{percent_text(slip.right)} is right ({slip.why})"
        for (judge, criterion, _), slip in SLIPS.items()
    ]
    return f"Slips of print, shown as they stand. {'; '.join(said)}."
