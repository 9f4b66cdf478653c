"""What calls took, apart from everything that is compared: a table for the page and a line for the terminal."""

from __future__ import annotations

from collections.abc import Mapping

from earmark.manifests.report import EFFICIENCY, OVERALL, MetricEntry, Report
from earmark.pages.formats import NOTHING, ends, figure_text, metric_label
from earmark.pages.shown import shown
from earmark.pages.svg import Table

MEANS: Mapping[str, str] = {
    "latency_mean": "From request to answer, mean over calls.",
    "latency_median": "The same, of the call in the middle.",
    "latency_p95": "Nineteen calls in twenty took no longer.",
    "latency_coverage": "Share of calls with a latency.",
    "output_tokens_per_second": "All tokens of the answers over all seconds, one call at a time.",
    "tokens_coverage": "Share of calls with a latency and a number of tokens.",
    "cost_per_100_calls": "A call is a presentation in one run.",
    "cost_per_100_items": "Over items all of whose presentations have a cost; every order and run counts.",
    "cost_coverage": "Share of calls with a cost.",
}
"""What each figure means."""

_LINE = (
    ("latency", ("latency_mean", "latency_median", "latency_p95")),
    ("speed", ("output_tokens_per_second",)),
    ("cost", ("cost_per_100_calls", "cost_per_100_items")),
)


def efficiency_table(report: Report) -> Table | None:
    """Every figure with its interval and the calls that it is over; None where nothing is known."""
    entries = _entries(report)
    if not _known(entries):
        return None
    rows = [
        (
            metric_label(name),
            figure_text(entry) if entry.value is not None else f"{NOTHING} {shown(entry.reason or '')}",
            _interval(entry),
            f"{entry.n:,}",
        )
        for name, entry in entries.items()
    ]
    return Table(("figure", "value", "interval", "n"), tuple(rows))


def efficiency_text(report: Report) -> str:
    """The figures that are known, on one line; empty where none is.

    Args:
        report: The report.
    """
    entries, parts = _entries(report), []
    for label, names in _LINE:
        known = [entries[name] for name in names if name in entries and entries[name].value is not None]
        if known:
            figures = ", ".join(f"{_short(entry.metric, label)}{figure_text(entry)}" for entry in known)
            parts.append(f"{label} {figures} (n {known[0].n:,})")
    return f"efficiency, not ranked: {'; '.join(parts)}" if parts else ""


def _entries(report: Report) -> dict[str, MetricEntry]:
    return {entry.metric: entry for entry in report.metrics if (entry.facet, entry.slice) == (OVERALL, EFFICIENCY)}


def _known(entries: Mapping[str, MetricEntry]) -> bool:
    """Whether any figure but a coverage is defined."""
    return any(entry.value is not None for name, entry in entries.items() if not name.endswith("_coverage"))


def _short(metric: str, label: str) -> str:
    name = metric.removeprefix(f"{label}_")
    return "" if metric == "output_tokens_per_second" else f"{name.replace('_', ' ')} "


def _interval(entry: MetricEntry) -> str:
    if not entry.intervals:
        return NOTHING
    first = entry.intervals[0]
    reason = f" {shown(first.reason)}" if first.reason else ""
    return f"{ends(first)} by {shown(first.by, 40)}{reason}"
