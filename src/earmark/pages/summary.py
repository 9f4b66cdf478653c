"""The few figures per facet that people compare first, as columns and rows, and as a plain text table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from earmark.manifests.report import ALL, EVERY_FACET, OVERALL, MetricEntry, Report
from earmark.pages.formats import CONDITIONAL, MINUS, NO_BREAK, NOTHING, figure_text, marked_ends, metric_label
from earmark.pages.notes import conditional_note
from earmark.pages.shown import shown

LEADING: Mapping[str, tuple[str, ...]] = {
    "balanced_accuracy": ("failure_rate", "order_disagreement", "auroc", "eer", "oracle_f1"),
    "accuracy": (
        "failure_rate",
        "accuracy_non_tie",
        "accuracy_tie",
        "position_gap",
        "consistency",
        "consistent_accuracy",
    ),
    "acc_traj": ("failure_rate", "acc_1", "acc_2", "acc_all", "swap_consistency", "position_share", "seq"),
}
"""Headline → what a report with it is compared by; a report with another one shows its first figures."""

WITH_INTERVAL = frozenset({"auroc"})
"""Metrics beside the headline whose first interval stands in the table."""

_MOST = 6
_BESIDE = ("paper:", "against:")
_PLAIN = str.maketrans({MINUS: "-", NOTHING: "-", NO_BREAK: " ", CONDITIONAL: "*"})
_SHORT = {
    "failure_rate": "failure",
    "order_disagreement": "disagreement",
    "accuracy_non_tie": "non-tie",
    "accuracy_tie": "tie",
    "consistent_accuracy": "consistent and right",
}


@dataclass(frozen=True)
class Summary:
    """One row per facet, the overall one first.

    Args:
        metrics: The metrics, in column order.
        head: Column heads: facet, n, then one per metric.
        rows: One text per column.
        note: What the marked intervals are conditional on; empty where none is marked.
    """

    metrics: tuple[str, ...]
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def facets_of(report: Report) -> tuple[str, ...]:
    """Every facet that the report has a figure or a count for: the overall one first, the others as they first appear."""
    seen = dict.fromkeys([*(entry.facet for entry in report.metrics), *report.counts])
    return (*(facet for facet in seen if facet == OVERALL), *(facet for facet in seen if facet != OVERALL))


def facet_label(facet: str, names: Mapping[str, str] | None) -> str:
    """A facet for people: its id and its name; the overall one has no id worth saying, and none that the name says again has.

    >>> facet_label("S0", {"S0": "Warmth"}), facet_label("S1", {}), facet_label("age", {"age": "Age"}), facet_label("overall", {})
    ('S0 Warmth', 'S1', 'Age', 'all facets')
    >>> facet_label("stress_management_stress_tolerance", {"stress_management_stress_tolerance": "Stress Tolerance"})
    'Stress Tolerance'
    """
    name = shown({OVERALL: EVERY_FACET, **(names or {})}.get(facet, ""), 120)
    slug = re.sub(r"\W+", "_", name.casefold())
    said = facet == OVERALL or name.casefold().startswith(facet.casefold()) or facet.casefold().endswith(f"_{slug}")
    return name if name and said else f"{shown(facet, 60)} {name}".strip()


def leading_metrics(report: Report) -> tuple[str, ...]:
    """The metrics that the summary shows: the headline first, then the known ones that the report has."""
    present = tuple(dict.fromkeys(entry.metric for entry in report.metrics if entry.slice == ALL))
    known = tuple(metric for metric in LEADING.get(report.headline, ()) if metric in present)
    if known:
        return (report.headline, *known)
    others = (metric for metric in present if metric != report.headline)
    return (report.headline, *list(others)[: _MOST - 1])


def summary(report: Report, facet_names: Mapping[str, str] | None = None) -> Summary:
    """The summary of a report.

    Args:
        report: The report.
        facet_names: Names of facets for people; an unnamed facet stands as its id.
    """
    metrics = leading_metrics(report)
    by_place = {(entry.facet, entry.metric): entry for entry in report.metrics if entry.slice == ALL}
    rows = []
    bracketed = []
    for facet in facets_of(report):
        entries = [by_place.get((facet, metric)) for metric in metrics]
        headline = by_place.get((facet, report.headline))
        cells = [
            _cell(entry, interval=entry is headline or metric in WITH_INTERVAL)
            for entry, metric in zip(entries, metrics, strict=True)
        ]
        bracketed += [entry for entry in entries if entry and (entry is headline or entry.metric in WITH_INTERVAL)]
        rows.append((facet_label(facet, facet_names), f"{headline.n:,}" if headline else NOTHING, *cells))
    head = ("facet", "n", *(_SHORT.get(metric, metric_label(metric)) for metric in metrics))
    return Summary(metrics, tuple(head), tuple(rows), conditional_note(bracketed, first_only=True))


def report_table(report: Report, facet_names: Mapping[str, str] | None = None) -> str:
    """The summary as aligned plain text for a terminal, in ASCII but for the names.

    Args:
        report: The report.
        facet_names: Names of facets for people.

    Returns:
        Lines of equal alignment, the head first, with a line end after each; then what a star is, where there is one.
    """
    table = summary(report, facet_names)
    rows = [tuple(cell.translate(_PLAIN) for cell in row) for row in (table.head, *table.rows)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(table.head))]
    rule = tuple("-" * width for width in widths)
    lines = "".join(_line(row, widths) for row in (rows[0], rule, *rows[1:]))
    return f"{lines}{table.note.translate(_PLAIN)}\n" if table.note else lines


def beside_text(report: Report) -> str:
    """What a paper's filters and other submissions make of all facets, a line each; empty where neither was asked for.

    Of a paper these are the figures of the summary, or its first ones where it has none of those; of another submission the
    differences in the headline.

    Args:
        report: The report.
    """
    lines = []
    known = {report.headline, *LEADING.get(report.headline, ())}
    for name in dict.fromkeys(entry.slice for entry in report.metrics if entry.slice.startswith(_BESIDE)):
        entries = [entry for entry in report.metrics if (entry.facet, entry.slice) == (OVERALL, name)]
        against = name.startswith("against:")
        told = [
            entry
            for entry in entries
            if (entry.metric.endswith(f"_{report.headline}") if against else entry.metric in known)
        ]
        figures = (
            f"{metric_label(entry.metric)} {_cell(entry, interval=against or entry.metric == report.headline)}"
            for entry in told or entries[:_MOST]
        )
        lines.append(f"{shown(name, 120)}: {', '.join(figures)}".translate(_PLAIN))
    return "\n".join(lines)


def _cell(entry: MetricEntry | None, *, interval: bool) -> str:
    if entry is None or entry.value is None:
        return NOTHING
    text = figure_text(entry)
    return f"{text} {marked_ends(entry.intervals[0])}" if interval and entry.intervals else text


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = (
        cell.ljust(width) if place == 0 else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join((first, *others)).rstrip() + "\n"
