"""All figures of one facet, spelled out: a row per metric with its intervals and their reasons, then a row per slice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from earmark.manifests.report import ALL, EFFICIENCY, IntervalEntry, MetricEntry, Report
from earmark.pages.forest import interval_by, resampled
from earmark.pages.formats import NOTHING, ends, figure_text, marked_ends, metric_label, number, probability
from earmark.pages.notes import at_floor
from earmark.pages.shown import shown
from earmark.pages.summary import facet_label
from earmark.pages.svg import Table

_VALID_ONLY = "_valid_only"


@dataclass(frozen=True)
class MetricRow:
    """One figure, spelled out; each interval is its ends and its reason."""

    name: str
    value: str
    reason: str
    intervals: tuple[tuple[str, str], ...]
    n: str
    chance: str
    p: str
    p_adjusted: str


@dataclass(frozen=True)
class FacetFigures:
    """All figures of a facet.

    Args:
        label: The facet for people.
        bys: The units that its intervals are by.
        rows: One per metric over all of it.
        slices: One row per slice; None where it has none.
        hidden: How many "valid only" figures are left out because each equals its plain counterpart.
    """

    label: str
    bys: tuple[str, ...]
    rows: tuple[MetricRow, ...]
    slices: Table | None
    hidden: int


def metric_row(entry: MetricEntry, bys: Sequence[str], resamples: int | None) -> MetricRow:
    """One figure, spelled out.

    Args:
        entry: The figure.
        bys: The units of its columns of intervals.
        resamples: Bootstrap replicates, which bound p from below; None where unknown.
    """
    floor = at_floor(entry.p, resamples)
    return MetricRow(
        metric_label(entry.metric),
        figure_text(entry),
        shown(entry.reason or "") if entry.value is None else "",
        tuple(_interval(interval_by(entry, by)) for by in bys),
        f"{entry.n:,}",
        number(entry.chance),
        probability(entry.p, bound=floor),
        probability(entry.p_adjusted, bound=floor),
    )


def facet_figures(report: Report, facet: str, names: Mapping[str, str], resamples: int | None) -> FacetFigures:
    """All figures of a facet, undefined ones last.

    Args:
        report: The report.
        facet: Facet id.
        names: Names of facets for people.
        resamples: Bootstrap replicates; None where unknown.
    """
    entries = [entry for entry in report.metrics if entry.facet == facet]
    whole = sorted((entry for entry in entries if entry.slice == ALL), key=lambda entry: entry.value is None)
    repeated = _repeated(whole)
    told = [entry for entry in whole if entry.metric not in repeated]
    bys = resampled(told)
    return FacetFigures(
        facet_label(facet, names),
        tuple(shown(by, 40) for by in bys),
        tuple(metric_row(entry, bys, resamples) for entry in told),
        _slices([entry for entry in entries if entry.slice not in (ALL, EFFICIENCY)]),
        len(repeated),
    )


def _repeated(entries: Sequence[MetricEntry]) -> frozenset[str]:
    """The "valid only" metrics, if every one of them says what its plain counterpart says, its intervals included."""
    by_name = {entry.metric: entry for entry in entries}
    valid = [entry for entry in entries if entry.metric.endswith(_VALID_ONLY)]
    for entry in valid:
        plain = by_name.get(entry.metric.removesuffix(_VALID_ONLY))
        if plain is None or (plain.value, plain.n) != (entry.value, entry.n):
            return frozenset()
        if entry.intervals and entry.intervals != plain.intervals:
            return frozenset()
    return frozenset(entry.metric for entry in valid)


def _interval(found: IntervalEntry | None) -> tuple[str, str]:
    return (NOTHING, "") if found is None else (ends(found), shown(found.reason or ""))


def _slices(entries: Sequence[MetricEntry]) -> Table | None:
    """Slices down, metrics across; each cell with the intervals that it has, undefined ones with their reason and last."""
    if not entries:
        return None
    metrics = tuple(dict.fromkeys(entry.metric for entry in entries))
    by_slice: dict[str, dict[str, MetricEntry]] = {}
    for entry in entries:
        by_slice.setdefault(entry.slice, {})[entry.metric] = entry
    rows = []
    for name, cells in sorted(
        by_slice.items(), key=lambda pair: all(entry.value is None for entry in pair[1].values())
    ):
        counts = sorted({entry.n for entry in cells.values()})
        texts = [_slice_cell(cells.get(metric), with_n=len(counts) > 1) for metric in metrics]
        rows.append((shown(name, 60), f"{counts[0]:,}" if len(counts) == 1 else "", *texts))
    return Table(("slice", "n", *map(metric_label, metrics)), tuple(rows))


def _slice_cell(entry: MetricEntry | None, *, with_n: bool) -> str:
    if entry is None:
        return ""
    if entry.value is None:
        return f"{NOTHING} {shown(entry.reason or '')}".strip()
    intervals = "".join(
        f" {marked_ends(found)} by {shown(found.by, 40)}" for found in entry.intervals if found.low is not None
    )
    return f"{figure_text(entry)}{intervals}{f' (n {entry.n:,})' if with_n else ''}"
