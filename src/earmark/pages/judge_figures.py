"""Figures of several judges of pairs beside each other: what position, consistency and ties make of each, a row a judge."""

from __future__ import annotations

from collections.abc import Sequence

from earmark.manifests.families.pairs import CRITERIA
from earmark.manifests.report import OVERALL, MetricEntry, Report
from earmark.pages.nested_bars import BarPair, nested_bars
from earmark.pages.paired_dots import DotPair, paired_dots
from earmark.pages.slopes import Slope, slopes
from earmark.pages.svg import Figure

_OF = "judge"


def judge_figures(reports: Sequence[tuple[str, Report]]) -> tuple[tuple[str, Figure], ...]:
    """Captions and figures: positions and consistency over the mean of all criteria, ties in each criterion that has any.

    A mean would hold non-ties of criteria without ties against ties of the others.

    Args:
        reports: Reports of the pairs family, by the name of their judge. One that lacks a figure is left out of it.

    Returns:
        Those that at least one judge is in.
    """
    drawn: list[tuple[str, Figure]] = []
    if rows := _both(reports, "accuracy_a", "accuracy_b"):
        found = paired_dots(
            [DotPair(*row) for row in rows],
            first="@A: preferred clip first",
            second="@B: second",
            title="Accuracy in both positions, by judge",
            of=_OF,
        )
        drawn.append(("Whom does it sway which clip is heard first? Mean over criteria of accuracy @A and @B.", found))
    if rows := _both(reports, "consistency", "consistent_accuracy"):
        found = nested_bars(
            [BarPair(*row) for row in rows],
            outer="consistent",
            inner="consistent and right",
            title="Consistency, and consistent accuracy within it, by judge",
            of=_OF,
        )
        drawn.append(("Who is consistent, and right? Pairs decided alike in both orders, and rightly in both.", found))
    for criterion in CRITERIA:
        if not (rows := _both(reports, "accuracy_non_tie", "accuracy_tie", criterion)):
            continue
        if all(tie.value is None for *_, tie in rows):
            continue
        found = slopes(
            [Slope(*row) for row in rows],
            left="no tie",
            right="tie",
            title=f"Accuracy without and with ties in {criterion}, by judge",
            of=_OF,
        )
        drawn.append(
            (f"Who knows when to say Tie in {criterion}? Accuracy on pairs that are no ties, and on ties.", found)
        )
    return tuple(drawn)


def _both(
    reports: Sequence[tuple[str, Report]], one: str, other: str, facet: str = OVERALL
) -> list[tuple[str, MetricEntry, MetricEntry]]:
    """Two figures of a criterion, or of all, of each judge whose report has both."""
    found = ((judge, report.find(one, facet), report.find(other, facet)) for judge, report in reports)
    return [(judge, first, second) for judge, first, second in found if first is not None and second is not None]
