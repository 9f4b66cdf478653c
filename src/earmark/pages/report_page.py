"""A report as one HTML page that needs nothing else: no script, no network, no font, readable on paper and on a telephone.

Everything from outside goes through `shown` and the template's escaping; only the drawings of this room are put in as they
are. Equal input is equal bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from earmark.manifests.canonical import Json, json_text
from earmark.manifests.findings import Findings
from earmark.manifests.report import ALL, EFFICIENCY, EVERY_FACET, OVERALL, MetricEntry, Report
from earmark.pages.counts import OUTCOMES
from earmark.pages.efficiency import MEANS, efficiency_table
from earmark.pages.facet_figures import facet_figures, metric_row
from earmark.pages.formats import NOTHING, metric_label, number, percent
from earmark.pages.notes import conditional_note, method, resamples_of
from earmark.pages.purposes import purposes
from earmark.pages.shown import flattened, shown, shown_lines
from earmark.pages.summary import facet_label, facets_of, summary
from earmark.pages.svg import Figure, Table
from earmark.pages.templates import render_template

MOST_REASONS, MOST_EXAMPLES, MOST_FINDINGS = 20, 5, 200
"""Reasons, examples of each and findings that a page shows; how many there are is always said."""

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
class UnparsedGroup:
    """Responses that could not be read for one reason: how many, and the first few as presentation, run and response."""

    outcome: str
    reason: str
    count: int
    examples: tuple[tuple[str, str, str], ...]


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
    counted: str = "units",
    glossary: Mapping[str, str] | None = None,
    notes: Sequence[str] = (),
    about: Sequence[tuple[str, str]] = (),
    banner: str = "",
) -> str:
    """The page of a report.

    Args:
        report: The report, of any family.
        title: Title of the page.
        figures: Captions and figures, in the order in which they stand.
        findings: What the submission's check found, if it was kept.
        unparsed: Every response that could not be read; a few of each reason are shown, all are counted.
        facet_names: Names of facets for people; an unnamed facet stands as its id, an unnamed "overall" as "all facets".
        limits: What the figures cannot show, in a paragraph; what they may be used for stands in the report.
        counted: What the headline's n is of.
        glossary: What each metric means, in a sentence, by its name in the report.
        notes: Sentences that stand under the summary, such as what its first row is a mean of.
        about: What the report is of, as labels and texts: corpus, licence, how many items.
        banner: What must be known before any figure is believed; stands directly under the label source.

    Returns:
        An HTML document that is well-formed XML too.
    """
    facet_names = {OVERALL: EVERY_FACET, **facet_names}
    headline = report.find(report.headline)
    resamples = resamples_of(report)
    groups = _unparsed(unparsed)
    return render_template(
        "report.html.j2",
        {
            "title": shown(title),
            "judge": judge_name(report.submission),
            "headline_name": metric_label(report.headline),
            "headline_means": shown((glossary or {}).get(report.headline, ""), 1000),
            "headline": metric_row(headline, (), resamples) if headline else None,
            "headline_intervals": _in_words(headline),
            "label_source": shown(report.label_source, 2000),
            "banner": shown(banner, 2000),
            "rules": _rules(report, headline),
            "summary": summary(report, facet_names),
            "method": method(report),
            "notes": [shown(note, 1000) for note in notes],
            "figures": [(shown(caption, 300), figure) for caption, figure in figures],
            "facets": [facet_figures(report, facet, facet_names, resamples) for facet in facets_of(report)],
            "marked": bool(
                conditional_note([entry for entry in report.metrics if entry.slice not in (ALL, EFFICIENCY)])
            ),
            "glossary": [(metric_label(metric), shown(text, 1000)) for metric, text in (glossary or {}).items()],
            "counts": _counts(report, facet_names),
            "efficiency": efficiency_table(report),
            "efficiency_means": [(metric_label(metric), text) for metric, text in MEANS.items()],
            "unparsed": groups[:MOST_REASONS],
            "unparsed_reasons": len(groups),
            "most_examples": MOST_EXAMPLES,
            "unparsed_count": len(unparsed),
            "findings": list(findings)[:MOST_FINDINGS] if findings is not None else None,
            "findings_summary": findings.summary() if findings is not None else "",
            "finding_counts": findings.counts if findings is not None else {},
            "shown": shown,
            "about": [(shown(label, 120), shown(text, 2000)) for label, text in about],
            "limits": shown(limits, 4000),
            "use": purposes(report.use),
            "counted": shown(counted, 40),
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
    """Each interval of a figure in words; one without ends gives its reason."""
    if entry is None:
        return []
    words = []
    for found in entry.intervals:
        by = f"by {shown(found.by, 40)} ({found.clusters:,})"
        reason = shown(found.reason or "")
        if found.low is None or found.high is None:
            words.append(f"no {percent(found.level)} interval {by}, because {reason or 'an end is undefined'}")
        else:
            ends = f"{percent(found.level)} interval {number(found.low)} to {number(found.high)} {by}"
            words.append(f"{ends}, {reason}" if reason else ends)
    return words or ["without an interval, for the report has none"]


def _unparsed(rows: Sequence[UnparsedRow]) -> list[UnparsedGroup]:
    """Rows put together by outcome and reason, the most frequent first, equally frequent ones as they first appear."""
    groups: dict[tuple[str, str], list[UnparsedRow]] = {}
    for row in rows:
        groups.setdefault((row.outcome, row.reason), []).append(row)
    return [
        UnparsedGroup(
            shown(outcome, 40),
            shown(reason),
            len(found),
            tuple(
                (shown(row.presentation, 60), str(row.run), shown(row.response, _RESPONSE))
                for row in found[:MOST_EXAMPLES]
            ),
        )
        for (outcome, reason), found in sorted(groups.items(), key=lambda pair: -len(pair[1]))
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
    # A rule that was itself submitted would stand beside itself.
    judge = judge_name(report.submission)
    rules += [
        rule(entry.name, entry.value, entry.reason)
        for entry in report.baselines
        if not (shown(entry.name, 120) == judge and value is not None and number(entry.value) == number(value))
    ]
    return rules if chance is None else [*rules, rule("chance", chance, None)]


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
    return Table(("facet", *(shown(name, 40).replace("_", " ") for name in columns)), rows)
