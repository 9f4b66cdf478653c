"""The printed figures as reports of other systems are held against them."""

from __future__ import annotations

from earmark.manifests.report import OVERALL
from earmark.scoring.papers.records import Printed
from earmark.scoring.papers.speecheq.tables import Tables, read_tables

CAVEAT = (
    "The paper's figures are of the authors' 2,265 dialogues, and by the majority of several runs of each question, as its "
    "public predictions show; a report beside them is of other dialogues. One made with --paper speecheq votes as they did; "
    "without it (a star) its figures are means over runs. SEQ is comparable only where both are against one norm."
)


def printed_figures(tables: Tables | None = None) -> tuple[Printed, ...]:
    """Accuracies and SEQ of every row of Table 3.

    Args:
        tables: The printed tables; by default those of the paper.
    """
    rows = (tables or read_tables()).table_3
    return tuple(
        Printed(metric, OVERALL, judge, float(digits), float(digits), "Table 3")
        for judge, row in rows.items()
        for metric, digits in (("acc_1", row.acc_1), ("acc_2", row.acc_2), ("acc_traj", row.acc_traj), ("seq", row.seq))
    )
