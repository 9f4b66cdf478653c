"""Every table of a comparison: what `--tables` writes. All have plain numbers but two, which are meant to be read as they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from earmark.manifests.comparison import Comparison, DifferenceEntry, FigureEntry, MatchedEntry
from earmark.manifests.report import OVERALL, IntervalEntry
from earmark.pages.cells import Cell, NamedTable
from earmark.pages.formats import marked_ends, metric_label, number


def comparison_tables(comparison: Comparison) -> tuple[NamedTable, ...]:
    """The tables of a comparison; the first column of each names a judge, a modality or a metric."""
    tables = [
        _overview(comparison),
        _by_facet(comparison),
        _judges(comparison),
        _figures(comparison.figures, "figures", "Figures of every judge, as its own report has them."),
        _differences(comparison.differences, "differences", "First less second, in every figure, over what both owe."),
        _cells(comparison.differences),
        _groups(comparison),
        _standings(comparison),
        _agreements(comparison),
        _gathered(comparison),
    ]
    if comparison.matched is not None:
        tables.append(_matched(comparison, comparison.matched))
        caption = "Figures over the items that every judge answered validly."
        tables.append(_figures(comparison.matched.figures, "matched_figures", caption))
    return tuple(tables)


def _overview(comparison: Comparison) -> NamedTable:
    """What stands in a paper: a row for each judge, a column for each figure that people compare first."""
    told = dict.fromkeys(entry.metric for entry in comparison.figures if entry.facet == OVERALL)
    metrics = [name for name in comparison.leading if name in told] or list(told)
    columns = [(name, OVERALL) for name in metrics]
    caption = "Figures over all facets with the first interval; judges of one modality that share a letter are not told apart."
    return _spelled(comparison, "overview", caption, columns, [metric_label(name) for name in metrics])


def _by_facet(comparison: Comparison) -> NamedTable:
    """The same of the headline, or of the first figure that was asked for, a column for each facet."""
    told = list(dict.fromkeys(entry.metric for entry in comparison.figures))
    metric = comparison.headline if comparison.headline in told else next(iter(told), comparison.headline)
    facets = list(dict.fromkeys(entry.facet for entry in comparison.figures if entry.metric == metric))
    columns = [(metric, facet) for facet in facets if facet != OVERALL]
    caption = f"The {metric_label(metric)} of every judge by facet, written in the same way."
    return _spelled(comparison, "by_facet", caption, columns, [comparison.facets.get(f, f) for _, f in columns])


def _spelled(
    comparison: Comparison, name: str, caption: str, columns: Sequence[tuple[str, str]], heads: Sequence[str]
) -> NamedTable:
    """A row for each judge, whose cells have a value, its first interval and the letters of its groups."""
    figure = {(entry.judge, entry.metric, entry.facet): entry for entry in comparison.figures}
    letters = {
        (judge, entry.metric, entry.facet): said
        for entry in comparison.groups
        for judge, said in zip(entry.judges, entry.letters or ("",) * len(entry.judges), strict=True)
    }

    def cell(judge: str, metric: str, facet: str) -> Cell:
        entry = figure.get((judge, metric, facet))
        if entry is None:
            return None
        ends = (marked_ends(interval) for interval in entry.intervals[:1])
        return " ".join(filter(None, (number(entry.value, entry.unit), *ends, letters.get((judge, metric, facet), ""))))

    rows = tuple(
        (judge.name, judge.modality, *(cell(judge.name, *at) for at in columns)) for judge in comparison.judges
    )
    return NamedTable(name, caption, ("judge", "modality", *heads), rows)


def _judges(comparison: Comparison) -> NamedTable:
    rows: list[tuple[Cell, ...]] = []
    for judge in comparison.judges:
        overall = judge.counts[OVERALL]
        share = overall["ok"] / overall["owed"] if overall["owed"] else None
        kind = (judge.access, judge.architecture)
        rows.append(
            (judge.name, judge.file, judge.protocol, judge.modality, *kind, overall["owed"], overall["ok"], share)
        )
    head = ("judge", "file", "protocol", "modality", "access", "architecture", "owed", "ok", "coverage")
    return NamedTable(
        "judges", "The judges, and the share of what they owe that has a valid answer.", head, tuple(rows)
    )


def _ends(intervals: Sequence[IntervalEntry], places: int) -> tuple[Cell, ...]:
    """Unit, clusters and ends of each interval; nothing where an entry has fewer."""
    cells: list[Cell] = []
    for place in range(places):
        found = intervals[place] if place < len(intervals) else None
        cells += (None, None, None, None) if found is None else (found.by, found.clusters, found.low, found.high)
    return tuple(cells)


def _ends_head(entries: Iterable[Sequence[IntervalEntry]]) -> tuple[int, tuple[str, ...]]:
    """How many intervals an entry has at most, and the heads of their columns."""
    places = max((len(intervals) for intervals in entries), default=0)
    numbers = ["" if place == 0 else f"_{place + 1}" for place in range(places)]
    return places, tuple(f"{name}{number}" for number in numbers for name in ("by", "clusters", "low", "high"))


def _figures(figures: Sequence[FigureEntry], name: str, caption: str) -> NamedTable:
    places, ends = _ends_head(entry.intervals for entry in figures)
    rows = tuple(
        (
            entry.judge,
            entry.metric,
            entry.facet,
            entry.value,
            *_ends(entry.intervals, places),
            entry.unit,
            entry.n,
            entry.coverage,
            entry.reason,
        )
        for entry in figures
    )
    return NamedTable(
        name, caption, ("judge", "metric", "facet", "value", *ends, "unit", "n", "coverage", "reason"), rows
    )


def _differences(entries: Sequence[DifferenceEntry], name: str, caption: str) -> NamedTable:
    places, ends = _ends_head(entry.intervals for entry in entries)
    rows = tuple(
        (
            entry.first,
            entry.second,
            entry.metric,
            entry.facet,
            entry.value,
            *_ends(entry.intervals, places),
            entry.p,
            entry.p_adjusted,
            entry.test,
            entry.units,
            entry.first_value,
            entry.second_value,
            entry.first_n,
            entry.second_n,
            entry.first_coverage,
            entry.second_coverage,
            entry.reason,
        )
        for entry in entries
    )
    tested = ("p", "p_adjusted", "test", "units")
    sides = ("first_value", "second_value", "first_n", "second_n", "first_coverage", "second_coverage")
    head = ("first", "second", "metric", "facet", "difference", *ends, *tested, *sides, "reason")
    return NamedTable(name, caption, head, rows)


def _cells(entries: Sequence[DifferenceEntry]) -> NamedTable:
    rows = tuple(
        (
            entry.first,
            entry.second,
            entry.metric,
            entry.facet,
            cell.both,
            cell.first_only,
            cell.second_only,
            cell.neither,
            cell.p,
        )
        for entry in entries
        if (cell := entry.cell) is not None
    )
    head = ("first", "second", "metric", "facet", "both", "first_only", "second_only", "neither", "p")
    return NamedTable("cells", "McNemar’s exact test of figures whose units are right or wrong.", head, rows)


def _groups(comparison: Comparison) -> NamedTable:
    value = {(entry.judge, entry.metric, entry.facet): entry for entry in comparison.figures}
    rows = tuple(
        (entry.modality, entry.metric, entry.facet, judge, letters, figure.value, figure.coverage)
        for entry in comparison.groups
        for judge, letters in zip(entry.judges, entry.letters or ("",) * len(entry.judges), strict=True)
        for figure in (value[judge, entry.metric, entry.facet],)
    )
    head = ("modality", "metric", "facet", "judge", "groups", "value", "coverage")
    caption = "Two judges of one modality differ in a figure exactly if they share no letter."
    return NamedTable("groups", caption, head, rows)


def _standings(comparison: Comparison) -> NamedTable:
    rows = tuple(
        (one.modality, one.judge, one.metric, one.facets, one.best, one.low, one.low_facet, one.high, one.high_facet)
        for one in comparison.standings
    )
    head = ("modality", "judge", "metric", "facets", "best", "low", "low_facet", "high", "high_facet")
    caption = "In how many facets a judge is best or not distinguishable from the best, and its range over facets."
    return NamedTable("standings", caption, head, rows)


def _agreements(comparison: Comparison) -> NamedTable:
    rows = tuple(
        (one.modality, one.first, one.second, one.judges, one.tau, one.reason) for one in comparison.agreements
    )
    head = ("modality", "first", "second", "judges", "tau_b", "reason")
    return NamedTable("agreements", "Kendall’s tau-b between the rankings by every two metrics.", head, rows)


def _gathered(comparison: Comparison) -> NamedTable:
    rows = tuple(
        (one.modality, one.by, one.kind, one.metric, one.judges, one.mean, one.best, one.best_judge)
        for one in comparison.gathered
    )
    head = ("modality", "by", "kind", "metric", "judges", "mean", "best", "best_judge")
    return NamedTable("kinds", "What judges reach by access and by architecture.", head, rows)


def _matched(comparison: Comparison, matched: MatchedEntry) -> NamedTable:
    """Differences over the matched items, beside those over all that both owe."""
    whole = {(one.first, one.second, one.metric, one.facet): one for one in comparison.differences}
    rows = []
    for entry in matched.differences:
        beside = whole.get((entry.first, entry.second, entry.metric, entry.facet))
        cells: list[Cell] = [entry.first, entry.second, entry.metric, entry.facet]
        for one in (entry, beside):
            cells += (None, None, None, None, None) if one is None else (one.value, *_first(one), one.p, one.p_adjusted)
        rows.append((*cells, entry.first_n, entry.reason))
    names = ("difference", "low", "high", "p", "p_adjusted")
    head = ("first", "second", "metric", "facet", *(f"matched_{name}" for name in names), *names, "matched_n", "reason")
    caption = "First less second over the items that every judge answered validly, beside that over all that both owe."
    return NamedTable("matched", caption, head, tuple(rows))


def _first(entry: DifferenceEntry) -> tuple[Cell, Cell]:
    return (entry.intervals[0].low, entry.intervals[0].high) if entry.intervals else (None, None)
