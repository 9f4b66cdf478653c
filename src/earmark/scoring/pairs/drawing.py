"""What people look at in a report on pairs: which criteria are heard, and what position, consistency and ties make of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from earmark.manifests.families.pairs import CONTROL
from earmark.manifests.report import EVERY_FACET, OVERALL, MetricEntry, Report
from earmark.pages.figures import (
    BarPair,
    DotPair,
    Figure,
    ForestRow,
    Slope,
    VerdictCell,
    VerdictRow,
    forest,
    nested_bars,
    paired_dots,
    slopes,
    verdicts,
)
from earmark.pages.paper_tables import METRICS, row_of_report

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.scoring.decisions import Decisions

PARTS = {part: part.replace("_", " ") for part in METRICS}
"""Parts of a criterion that are held against chance, and what they are called."""

Two = tuple[str, MetricEntry, MetricEntry]


def draw(release: Release, _: Decisions, report: Report) -> Sequence[tuple[str, Figure]]:
    """The figures of a report with their captions."""
    names = {facet.id: facet.name for facet in release.manifest.facets if facet.id != CONTROL}
    return (
        (
            "Accuracy per criterion, with its interval, and the rules that do not listen.",
            forest(_forest_rows(report, names), report.baselines),
        ),
        ("Which cells are above chance, and which below?", _verdicts(report, names)),
        (
            "Does it matter which clip is heard first? Accuracy with the preferred clip first (@A) and second (@B).",
            paired_dots(
                [DotPair(*row) for row in _rows(report, names, "accuracy_a", "accuracy_b")],
                first="@A: preferred clip first",
                second="@B: second",
                title="Accuracy in both positions",
            ),
        ),
        (
            "Is a judge that is consistent also right? Pairs decided alike in both orders, and rightly in both.",
            nested_bars(
                [BarPair(*row) for row in _rows(report, names, "consistency", "consistent_accuracy")],
                outer="consistent",
                inner="consistent and right",
                title="Consistency, and consistent accuracy within it",
            ),
        ),
        (
            "Does a judge that tells two clips apart know when to say Tie? Accuracy on pairs that are no ties and on ties.",
            slopes(
                [Slope(*row) for row in _rows(report, names, "accuracy_non_tie", "accuracy_tie", overall=False)],
                left="no tie",
                right="tie",
                title="Accuracy without and with ties",
            ),
        ),
    )


def _forest_rows(report: Report, names: Mapping[str, str]) -> list[ForestRow]:
    overall = report.find(report.headline)
    rows = [] if overall is None else [ForestRow(EVERY_FACET, overall, strong=True)]
    found = ((name, report.find(report.headline, facet)) for facet, name in names.items())
    return [*rows, *(ForestRow(name, entry) for name, entry in found if entry is not None)]


def _verdicts(report: Report, names: Mapping[str, str]) -> Figure:
    """Criteria down, their parts across; beside them people, where the report has their accuracies."""
    found = row_of_report("", report).cells
    rows = []
    for facet, name in {**names, OVERALL: EVERY_FACET}.items():
        people = [report.find(f"human_{metric}", facet) for metric in METRICS.values()]
        cells = [
            VerdictCell(found.get((facet, part)), entry.value if entry else None)
            for part, entry in zip(METRICS, people, strict=True)
        ]
        rows.append(VerdictRow(name, tuple(cells)))
    return verdicts(tuple(PARTS.values()), rows, title="Accuracies against chance")


def _rows(report: Report, names: Mapping[str, str], one: str, other: str, *, overall: bool = True) -> list[Two]:
    """Two figures of each criterion that has them, behind those of all."""
    facets = {**({OVERALL: EVERY_FACET} if overall else {}), **names}
    found = ((name, report.find(one, facet), report.find(other, facet)) for facet, name in facets.items())
    return [(name, first, second) for name, first, second in found if first is not None and second is not None]
