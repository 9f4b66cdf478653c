"""A report as one HTML page that needs nothing else: no script, no network, no font, readable on paper and on a telephone.

Everything from outside goes through `shown` and the template's escaping; only the drawings of this room are put in as they
are. Equal input is equal bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from earmark.manifests.canonical import Json, json_text
from earmark.manifests.findings import Findings
from earmark.manifests.report import ALL, MetricEntry, Report
from earmark.pages.counts import OUTCOMES
from earmark.pages.forest import interval_by, resampled
from earmark.pages.formats import NOTHING, ends, metric_label, number, percent, probability
from earmark.pages.shown import flattened, shown, shown_lines
from earmark.pages.summary import facet_label, facets_of, summary
from earmark.pages.svg import Figure, Table
from earmark.pages.templates import render_template

MOST_UNPARSED, MOST_FINDINGS = 50, 200
"""Rows of each kind that a page shows; how many there are is always said."""

_RESPONSE = 400  # characters of a response that are shown


@dataclass(frozen=True)
class UnparsedRow:
    """A response that could not be read.

    Args:
        presentation: Id of the presentation that it answers.
        run: Which run.
        outcome: What it counts as, such as "unparsable".
        reason: What the grammar missed.
        response: The response as it came.
    """

    presentation: str
    run: int
    outcome: str
    reason: str
    response: str


@dataclass(frozen=True)
class MetricRow:
    """One figure, spelled out."""

    name: str
    value: str
    reason: str
    intervals: tuple[str, ...]
    n: str
    chance: str
    p: str
    p_adjusted: str


@dataclass(frozen=True)
class FacetFigures:
    """All figures of a facet: one row per metric, then one row per slice."""

    label: str
    bys: tuple[str, ...]
    rows: tuple[MetricRow, ...]
    slices: Table | None


@dataclass(frozen=True)
class Rule:
    """The judge or a baseline in the list of bars; `share` is its place on an axis from 0 to 1, in percent."""

    name: str
    value: str
    reason: str
    share: str | None
    judge: bool = False


def report_html(
    report: Report,
    *,
    title: str,
    figures: Sequence[tuple[str, Figure]],
    findings: Findings | None,
    unparsed: Sequence[UnparsedRow],
    facet_names: Mapping[str, str],
    limits: str = "",
    glossary: Mapping[str, str] | None = None,
) -> str:
    """The page of a report.

    Args:
        report: The report, of any family.
        title: Title of the page.
        figures: Captions and figures, in the order in which they stand.
        findings: What the submission's check found, if it was kept.
        unparsed: Every response that could not be read; the first ones are shown, all are counted.
        facet_names: Names of facets for people; an unnamed facet stands as its id.
        limits: What the report is for and what it is not, in a paragraph.
        glossary: What each metric means, in a sentence, by its name in the report.

    Returns:
        An HTML document that is well-formed XML too.
    """
    headline = report.find(report.headline)
    return render_template(
        "report.html.j2",
        {
            "title": shown(title),
            "judge": judge_name(report.submission),
            "headline_name": metric_label(report.headline),
            "headline": _row(headline, ()) if headline else None,
            "headline_intervals": _in_words(headline),
            "label_source": shown(report.label_source, 2000),
            "rules": _rules(report, headline),
            "summary": summary(report, facet_names),
            "figures": figures,
            "facets": [_facet(report, facet, facet_names) for facet in facets_of(report)],
            "glossary": [(metric_label(metric), shown(text, 1000)) for metric, text in (glossary or {}).items()],
            "counts": _counts(report, facet_names),
            "unparsed": [
                (
                    shown(row.presentation, 60),
                    str(row.run),
                    shown(row.outcome, 40),
                    shown(row.reason),
                    shown(row.response, _RESPONSE),
                )
                for row in unparsed[:MOST_UNPARSED]
            ],
            "unparsed_count": len(unparsed),
            "findings": list(findings)[:MOST_FINDINGS] if findings is not None else None,
            "findings_summary": findings.summary() if findings is not None else "",
            "finding_counts": findings.counts if findings is not None else {},
            "shown": shown,
            "limits": shown(limits, 4000),
            "submission": flattened(report.submission),
            "signature": shown_lines(json_text(report.signature)),
        },
    )


def judge_name(submission: Mapping[str, Json]) -> str:
    """What the submitter calls the judge.

    >>> judge_name({"judge": {"name": "ears"}}), judge_name({"judge": "ears"}), judge_name({})
    ('ears', 'ears', 'unnamed judge')
    """
    judge = submission.get("judge")
    name = judge.get("name") if isinstance(judge, Mapping) else judge
    return shown(name, 120) if isinstance(name, str) and name.strip() else "unnamed judge"


def _in_words(entry: MetricEntry | None) -> list[str]:
    if entry is None:
        return []
    return [
        f"{percent(found.level)} interval {number(found.low)} to {number(found.high)} "
        f"by {shown(found.by, 40)} ({found.clusters:,})"
        for found in entry.intervals
        if found.low is not None and found.high is not None
    ]


def _rules(report: Report, headline: MetricEntry | None) -> list[Rule]:
    value, chance = (headline.value, headline.chance) if headline else (None, None)
    known = [value, chance, *(rule.value for rule in report.baselines)]
    scaled = all(0 <= entry <= 1 for entry in known if entry is not None)

    def rule(name: str, value: float | None, reason: str | None, *, judge: bool = False) -> Rule:
        share = f"{100 * value:.2f}" if scaled and value is not None else None
        return Rule(shown(name, 60), number(value), shown(reason or ""), share, judge)

    rules = [
        rule(judge_name(report.submission), value, headline.reason if headline else "not in the report", judge=True)
    ]
    rules += [rule(entry.name, entry.value, entry.reason) for entry in report.baselines]
    return rules if chance is None else [*rules, rule("chance", chance, None)]


def _row(entry: MetricEntry, bys: Sequence[str]) -> MetricRow:
    cells = []
    for by in bys:
        found = interval_by(entry, by)
        reason = f" {shown(found.reason)}" if found is not None and found.reason else ""
        cells.append(f"{ends(found)}{reason}" if found is not None else NOTHING)
    return MetricRow(
        metric_label(entry.metric),
        number(entry.value, entry.unit),
        shown(entry.reason or "") if entry.value is None else "",
        tuple(cells),
        f"{entry.n:,}",
        number(entry.chance),
        probability(entry.p),
        probability(entry.p_adjusted),
    )


def _facet(report: Report, facet: str, facet_names: Mapping[str, str]) -> FacetFigures:
    entries = [entry for entry in report.metrics if entry.facet == facet]
    whole = sorted((entry for entry in entries if entry.slice == ALL), key=lambda entry: entry.value is None)
    bys = resampled(whole)
    return FacetFigures(
        facet_label(facet, facet_names),
        tuple(shown(by, 40) for by in bys),
        tuple(_row(entry, bys) for entry in whole),
        _slices([entry for entry in entries if entry.slice != ALL]),
    )


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
    intervals = "".join(f" {ends(found)}" for found in entry.intervals if found.low is not None)
    return f"{number(entry.value, entry.unit)}{intervals}{f' (n {entry.n:,})' if with_n else ''}"


def _counts(report: Report, facet_names: Mapping[str, str]) -> Table:
    names = dict.fromkeys(name for counts in report.counts.values() for name in counts)
    columns = (*(name for name in OUTCOMES if name in names), *(name for name in names if name not in OUTCOMES))
    rows = tuple(
        (
            facet_label(facet, facet_names),
            *(f"{report.counts[facet][name]:,}" if name in report.counts[facet] else NOTHING for name in columns),
        )
        for facet in facets_of(report)
        if facet in report.counts
    )
    return Table(("facet", *(shown(name, 40) for name in columns)), rows)
