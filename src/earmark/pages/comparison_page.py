"""A comparison as one HTML page that needs nothing else: who differs from whom, by how much, and what nothing tells apart.

Only the leading metrics stand here; the tables beside it have all. Names of judges are a stranger's and go through `shown`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from earmark.manifests.canonical import json_text
from earmark.manifests.comparison import (
    BOOTSTRAP,
    Comparison,
    DifferenceEntry,
    FigureEntry,
    GroupsEntry,
    MatchedEntry,
)
from earmark.manifests.report import EVERY_FACET, OVERALL, MetricEntry, UseEntry
from earmark.pages.forest import ForestRow, forest
from earmark.pages.formats import (
    CONDITIONAL,
    NOTHING,
    conditional,
    marked_ends,
    metric_label,
    number,
    percent,
    probability,
)
from earmark.pages.groups_figure import GroupRow, groups_figure
from earmark.pages.paired_dots import difference
from earmark.pages.purposes import purposes
from earmark.pages.shown import briefs, shown, shown_lines
from earmark.pages.summary import facet_label
from earmark.pages.svg import Figure, Table
from earmark.pages.templates import render_template

MOST_PAIRS, MOST_ROWS, MOST_REASONS = 28, 300, 6
"""Pairs that a forest shows, and rows of differences that a metric's table shows: how many there are is always said. Reasons of
marked intervals."""

LEVEL = 0.05
"""What an adjusted p is below where two judges differ."""


@dataclass(frozen=True)
class MatrixCell:
    """Row less column: its text, the sign for the eye, what it says to the ear, and which side is higher if they differ."""

    text: str
    mark: str = ""
    says: str = ""
    side: str = ""


@dataclass(frozen=True)
class Metric:
    """One leading metric: who differs how much from whom, overall and facet by facet."""

    name: str
    means: str
    figure: Figure
    cut: str
    matrix: tuple[tuple[str, tuple[MatrixCell, ...]], ...]
    details: Table
    details_cut: str


@dataclass(frozen=True)
class Modality:
    """Judges that stand in one ranking."""

    name: str
    judges: Table
    figures: tuple[tuple[str, Figure], ...]
    standings: Table | None
    agreements: Table | None
    kinds: Table
    alone: bool


def comparison_html(
    comparison: Comparison,
    *,
    title: str,
    glossary: Mapping[str, str] | None = None,
    limits: str = "",
    use: UseEntry | None = None,
    about: Sequence[tuple[str, str]] = (),
) -> str:
    """The page of a comparison.

    Args:
        comparison: The comparison, of any family.
        title: Title of the page.
        glossary: What each metric means, by its name.
        limits: What the figures cannot show, in a paragraph.
        use: What the benchmark is for and what it is not for.
        about: What was judged, as labels and texts.

    Returns:
        An HTML document that is well-formed XML too.
    """
    names = {OVERALL: EVERY_FACET, **comparison.facets}
    said = glossary or {}
    return render_template(
        "comparison.html.j2",
        {
            "title": shown(title),
            "judges": len(comparison.judges),
            "pairs": len(comparison.pairs),
            "sentence": in_words(comparison),
            "label_source": shown(comparison.label_source, 2000),
            "modalities": [_modality(comparison, modality, names) for modality in comparison.modalities],
            "metrics": [_metric(comparison, metric, names, said) for metric in comparison.leading],
            "head": [shown(judge.name, 60) for judge in comparison.judges],
            "matched": None if comparison.matched is None else _matched(comparison, comparison.matched, names),
            "matched_words": "" if comparison.matched is None else matched_in_words(comparison.matched),
            "method": method(comparison),
            "conditional": conditional_words(comparison),
            "floor": floor_note(comparison),
            "limits": shown(limits, 4000),
            "use": purposes(use),
            "about": [(shown(label, 120), shown(text, 2000)) for label, text in about],
            "signature": shown_lines(json_text(comparison.signature)),
        },
    )


def in_words(comparison: Comparison) -> str:
    """How many pairs of judges the headline tells apart, in a sentence."""
    metric = comparison.leading[0] if comparison.leading else comparison.headline
    overall = [entry for entry in comparison.differences if (entry.metric, entry.facet) == (metric, OVERALL)]
    apart = sum(_differ(entry) for entry in overall)
    pairs = f"{len(overall)} pair{'' if len(overall) == 1 else 's'}"
    return f"In {metric_label(metric)} over all facets {apart} of {pairs} of judges differ (adjusted p < {LEVEL})."


def method(comparison: Comparison) -> str:
    """How intervals and p came about."""
    resamples = comparison.signature.get("resamples")
    intervals = [interval for entry in comparison.differences for interval in entry.intervals]
    levels = " or ".join(dict.fromkeys(percent(interval.level) for interval in intervals)) or "No"
    kinds = " or ".join(dict.fromkeys(shown(interval.method, 40) for interval in intervals))
    over = f" over B = {resamples:,} replicates" if isinstance(resamples, int) else ""
    return (
        f"A difference is the first judge less the second, over what both owe. Brackets are {levels} {kinds} bootstrap intervals"
        f"{over}, both judges under the same draws. p is two-sided: of a mean over units, by changing the two judges’ places "
        "in each unit, in all ways; of any other figure, the bootstrap’s. Holm’s method adjusts p over all comparisons of a "
        "metric that stand here, those over all facets by themselves. Values, intervals and p do not depend on who else is "
        "compared."
    )


def floor_note(comparison: Comparison) -> str:
    """Which metrics so few replicates cannot tell apart among so many comparisons; empty where there is none."""
    resamples = comparison.signature.get("resamples")
    if not isinstance(resamples, int):
        return ""
    counted: dict[tuple[str, bool], int] = {}
    drawn = {(entry.metric, entry.facet == OVERALL) for entry in comparison.differences if entry.test == BOOTSTRAP}
    for entry in comparison.differences:
        key = entry.metric, entry.facet == OVERALL
        if key in drawn and entry.p is not None:
            counted[key] = counted.get(key, 0) + 1
    short = {key: count for key, count in counted.items() if count * 2 / (resamples + 1) >= LEVEL}
    if not short:
        return ""
    leading = [metric for metric in comparison.leading if (metric, True) in short or (metric, False) in short]
    named = ", ".join(
        f"{metric_label(metric)}{'' if (metric, True) in short else ' facet by facet'}" for metric in leading
    )
    named = named or f"{len({metric for metric, _ in short})} metrics"
    least = int(2 / LEVEL * max(short.values()))
    return (
        f"With {resamples:,} replicates no bootstrap p among so many comparisons can stay below {LEVEL} after Holm’s method: "
        f"of {named} nothing shows here who differs. It takes more than {least:,} replicates."
    )


def matched_in_words(matched: MatchedEntry) -> str:
    """How many items are kept, and who lost the others."""
    lost = ", ".join(f"{shown(name, 60)} {count:,}" for name, count in matched.lost.items() if count)
    because = f" Without a valid answer by {lost}." if lost else ""
    with_group = f" Lost with their group besides: {matched.with_group:,}." if matched.with_group else ""
    return f"{matched.kept:,} of the {matched.items:,} items that all owe are kept.{because}{with_group}"


def conditional_words(comparison: Comparison) -> str:
    """What the marked intervals of the leading figures over all facets are conditional on; empty where none is."""
    matched = () if comparison.matched is None else comparison.matched.differences
    entries: list[FigureEntry | DifferenceEntry] = [*comparison.figures, *comparison.differences, *matched]
    reasons = dict.fromkeys(
        shown(found.reason or "")
        for entry in entries
        if entry.metric in comparison.leading and entry.facet == OVERALL
        for found in entry.intervals[:1]
        if conditional(found)
    )
    return f"{CONDITIONAL} {'; '.join(list(reasons)[:MOST_REASONS])}." if reasons else ""


def signed(value: float | None) -> str:
    """A difference with its sign."""
    return difference(value, 0.0)


def _differ(entry: DifferenceEntry) -> bool:
    return entry.p_adjusted is not None and entry.p_adjusted < LEVEL


def _as_metric(entry: FigureEntry | DifferenceEntry, *, null: float | None = None) -> MetricEntry:
    n = entry.n if isinstance(entry, FigureEntry) else max(entry.first_n, entry.second_n)
    return MetricEntry(
        metric=entry.metric,
        facet=entry.facet,
        value=entry.value,
        unit=entry.unit,
        n=n,
        chance=null,
        reason=entry.reason,
        intervals=entry.intervals,
    )


def _share(value: float | None) -> str:
    return NOTHING if value is None else f"{100 * value:.1f} %"


def _modality(comparison: Comparison, modality: str, names: Mapping[str, str]) -> Modality:
    judges = [judge for judge in comparison.judges if judge.modality == modality]
    figures = {(entry.judge, entry.metric): entry for entry in comparison.figures if entry.facet == OVERALL}
    groups = {
        entry.metric: entry for entry in comparison.groups if entry.modality == modality and entry.facet == OVERALL
    }
    leading = comparison.leading[:1]
    rows = []
    for judge in sorted(judges, key=lambda judge: (judge.access or "~", judge.architecture or "~")):
        found = [figures.get((judge.name, metric)) for metric in leading]
        cells: list[str] = []
        for entry in found:
            ends = marked_ends(entry.intervals[0]) if entry is not None and entry.intervals else NOTHING
            cells += [number(entry.value if entry else None), ends]
        ok = _share(
            judge.counts[OVERALL]["ok"] / judge.counts[OVERALL]["owed"] if judge.counts[OVERALL]["owed"] else None
        )
        kind = ((judge.access or NOTHING).replace("_", " "), (judge.architecture or NOTHING).replace("_", " "))
        rows.append((shown(judge.name, 60), *kind, shown(judge.protocol, 60), ok, *cells))
    head = ["judge", "access", "architecture", "protocol", "coverage"]
    for metric in leading:
        head += [metric_label(metric), "interval"]
    drawn = [
        (f"{metric_label(metric)}, all facets", _groups(groups[metric], figures))
        for metric in comparison.leading
        if metric in groups and groups[metric].judges
    ]
    return Modality(
        shown(modality, 40),
        Table(tuple(head), tuple(rows)),
        tuple(drawn),
        _standings(comparison, modality, names),
        _agreements(comparison, modality),
        _kinds(comparison, modality),
        len(judges) < 2,
    )


def _groups(entry: GroupsEntry, figures: Mapping[tuple[str, str], FigureEntry]) -> Figure:
    letters = entry.letters or ("",) * len(entry.judges)
    rows = [
        GroupRow(shown(name, 60), _as_metric(figure), letter, _share(figure.coverage))
        for name, letter in zip(entry.judges, letters, strict=True)
        for figure in (figures[name, entry.metric],)
    ]
    place = {name: n for n, name in enumerate(entry.judges)}
    groups = [[place[name] for name in group] for group in entry.groups or ()]
    return groups_figure(rows, groups, title=f"Groups in {metric_label(entry.metric)}")


def _standings(comparison: Comparison, modality: str, names: Mapping[str, str]) -> Table | None:
    rows = []
    for entry in comparison.standings:
        if entry.modality == modality and entry.metric in comparison.leading:
            low, high = (
                NOTHING if value is None or facet is None else f"{number(value)} ({facet_label(facet, names)})"
                for value, facet in ((entry.low, entry.low_facet), (entry.high, entry.high_facet))
            )
            rows.append(
                (shown(entry.judge, 60), metric_label(entry.metric), f"{entry.best} of {entry.facets}", low, high)
            )
    head = ("judge", "metric", "best, or not distinguishable from the best", "lowest", "highest")
    return Table(head, tuple(rows)) if rows else None


def _agreements(comparison: Comparison, modality: str) -> Table | None:
    """Kendall's tau-b between the leading metrics, as a square."""
    entries = {
        frozenset((entry.first, entry.second)): entry for entry in comparison.agreements if entry.modality == modality
    }
    metrics = [metric for metric in comparison.leading if any(metric in pair for pair in entries)]
    if not any(entry.tau is not None for entry in entries.values()):
        return None
    rows = []
    for one in metrics:
        found = [entries.get(frozenset((one, other))) for other in metrics]
        cells = [number(entry.tau) if entry is not None else NOTHING for entry in found]
        rows.append((metric_label(one), *cells))
    return Table(("metric", *(metric_label(metric) for metric in metrics)), tuple(rows))


def _kinds(comparison: Comparison, modality: str) -> Table:
    rows = tuple(
        (
            f"{entry.by}: {entry.kind.replace('_', ' ')}",
            metric_label(entry.metric),
            str(entry.judges),
            number(entry.mean),
            number(entry.best),
            shown(entry.best_judge or NOTHING, 60),
        )
        for entry in comparison.gathered
        if entry.modality == modality and entry.metric in comparison.leading[:1]
    )
    return Table(("kind", "metric", "judges", "mean", "best", "whose"), rows)


def _metric(comparison: Comparison, metric: str, names: Mapping[str, str], glossary: Mapping[str, str]) -> Metric:
    entries = [entry for entry in comparison.differences if entry.metric == metric]
    overall = [entry for entry in entries if entry.facet == OVERALL]
    drawn, cut = overall, ""
    if len(overall) > MOST_PAIRS:
        first = overall[0].first
        drawn = [entry for entry in overall if entry.first == first]
        cut = (
            f"Only differences from {shown(first, 60)} are drawn, {len(drawn)} of {len(overall):,}; the matrix has all."
        )
    label = briefs([judge.name for judge in comparison.judges], 13)
    rows = [
        ForestRow(f"{label[entry.first]} − {label[entry.second]}", _as_metric(entry, null=0.0), strong=_differ(entry))
        for entry in drawn
    ]
    figure = forest(rows, of="first − second", null="no difference")
    whole = [f"{shown(entry.first, 60)} − {shown(entry.second, 60)}" for entry in drawn]  # a drawing has no room for it
    spelled = [(name, *cells[1:]) for name, cells in zip(whole, figure.table.rows, strict=True)]
    figure = replace(figure, table=Table(figure.table.head, tuple(spelled)))
    details = [_detail(entry, names) for entry in entries[:MOST_ROWS]]
    head = (
        "first − second",
        "facet",
        "difference",
        "interval",
        "p",
        "p adjusted",
        "first",
        "second",
        "coverage",
        "right alone",
        "p (McNemar)",
    )
    kept = f"{MOST_ROWS} of {len(entries):,} rows; the tables have all." if len(entries) > MOST_ROWS else ""
    return Metric(
        metric_label(metric),
        shown(glossary.get(metric, ""), 1000),
        figure,
        cut,
        _matrix(comparison, overall),
        Table(head, tuple(details)),
        kept,
    )


def _detail(entry: DifferenceEntry, names: Mapping[str, str]) -> tuple[str, ...]:
    cell = entry.cell
    return (
        f"{shown(entry.first, 40)} − {shown(entry.second, 40)}",
        facet_label(entry.facet, names),
        signed(entry.value) if entry.value is not None else f"{NOTHING} {shown(entry.reason or '')}".strip(),
        marked_ends(entry.intervals[0]) if entry.intervals else NOTHING,
        probability(entry.p),
        probability(entry.p_adjusted),
        number(entry.first_value),
        number(entry.second_value),
        f"{_share(entry.first_coverage)}, {_share(entry.second_coverage)}",
        NOTHING if cell is None else f"{cell.first_only} : {cell.second_only}",
        NOTHING if cell is None else probability(cell.p),
    )


def _matrix(
    comparison: Comparison, overall: Sequence[DifferenceEntry]
) -> tuple[tuple[str, tuple[MatrixCell, ...]], ...]:
    found = {(entry.first, entry.second): entry for entry in overall}
    rows = []
    for row in comparison.judges:
        cells = []
        for column in comparison.judges:
            entry, sign = found.get((row.name, column.name)), 1.0
            if entry is None:
                entry, sign = found.get((column.name, row.name)), -1.0
            cells.append(_cell(entry, sign) if row.name != column.name else MatrixCell(""))
        rows.append((shown(row.name, 60), tuple(cells)))
    return tuple(rows)


def _cell(entry: DifferenceEntry | None, sign: float) -> MatrixCell:
    if entry is None or entry.value is None:
        return MatrixCell(NOTHING, says="undefined")
    value = sign * entry.value
    lasting, raw = _differ(entry), entry.p is not None and entry.p < LEVEL
    if not raw or value == 0:
        return MatrixCell(signed(value))
    higher = value > 0
    mark = ("▲" if higher else "▼") if lasting else ("△" if higher else "▽")
    says = f"{'higher' if higher else 'lower'}{'' if lasting else ', not after Holm’s method'}"
    return MatrixCell(signed(value), mark, says, ("above" if higher else "below") if lasting else "")


def _matched(comparison: Comparison, matched: MatchedEntry, names: Mapping[str, str]) -> Table:
    """Differences over the matched items, beside those over all that both owe."""
    whole = {(one.first, one.second, one.metric, one.facet): one for one in comparison.differences}
    rows = []
    for entry in matched.differences:
        beside = whole.get((entry.first, entry.second, entry.metric, entry.facet))
        cells: list[str] = []
        for one in (entry, beside):
            if one is None:
                cells += [NOTHING, NOTHING, NOTHING]
            else:
                ends = marked_ends(one.intervals[0]) if one.intervals else NOTHING
                cells += [signed(one.value), ends, probability(one.p)]
        pair = f"{shown(entry.first, 40)} − {shown(entry.second, 40)}"
        rows.append((pair, metric_label(entry.metric), facet_label(entry.facet, names), *cells))
    head = ("first − second", "metric", "facet", "Δ matched", "interval", "p", "Δ over all owed", "interval", "p")
    return Table(head, tuple(rows[:MOST_ROWS]))
