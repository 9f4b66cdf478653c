"""What holds of every report that came of marking: a report for which it does not is forged, damaged or of a faulty version."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from earmark.manifests.canonical import Json
from earmark.manifests.findings import Code, Findings, Severity, declare, nearest
from earmark.manifests.report import OVERALL, IntervalEntry, MetricEntry, Report
from earmark.scoring.decisions import Outcome
from earmark.scoring.leaderboard.scales import Scale, scale_of
from earmark.scoring.submissions.header import Judge, Run

BAD_SIGNATURE = declare(
    "leaderboard.bad-signature", Severity.ERROR, "the signature does not say what the report is to be compared by"
)
BAD_SUBMISSION = declare(
    "leaderboard.bad-submission", Severity.ERROR, "what is said of judge or run is of another form than a submission's"
)
NO_HEADLINE = declare("leaderboard.no-headline", Severity.ERROR, "the headline is not among the figures")
BAD_COUNTS = declare("leaderboard.bad-counts", Severity.ERROR, "the counts do not add up to what is owed")
IMPOSSIBLE = declare("leaderboard.impossible", Severity.ERROR, "no submission can get this figure")

_HASH = re.compile(r"blake2b-256:[0-9a-f]{64}")
_RELEASE = re.compile(r"[^@]+@[^@]+")
_SCORER = re.compile(r"earmark [0-9][0-9A-Za-z.+!-]*")
_NAMES = {"release": _RELEASE, "content_hash": _HASH, "answers_hash": _HASH, "scorer": _SCORER}
_EXPECTED = {
    "release": "name@version",
    "content_hash": "blake2b-256: and 64 hex digits",
    "answers_hash": "blake2b-256: and 64 hex digits",
    "scorer": "earmark and its version",
    "family": "a name",
    "protocol": "a name",
}
_LONGEST_NAME = 200
_MOST_FACETS = 1000
"""More facets than any release has; each would be a column."""
_MOST_FIGURES, _MOST_RULES = 1 << 15, 1000
"""More figures, each with its intervals, and more rules than any report has; each is a row of a table or of a page."""
_OUTCOMES = tuple(outcome.name.lower() for outcome in Outcome)
_CHECKED = 4096
"""How much of a long text is held against its field's form; how long a name is misleads nobody."""


def possible(report: Report, file: str, findings: Findings) -> bool:
    """Whether a report could have come of marking.

    Args:
        report: The report.
        file: Its name for findings.
        findings: Where problems go.
    """
    look = _Look(report, file, findings)
    before = len(findings)
    look.signature()
    look.submission()
    look.counts()
    look.headline()
    look.metrics()
    return len(findings) == before


@dataclass(frozen=True)
class _Look:
    """One report that is looked at."""

    report: Report
    file: str
    findings: Findings

    def signature(self) -> None:
        """Names, hashes and numbers that others are compared by."""
        signature = self.report.signature
        for name, expected in _EXPECTED.items():
            value = signature.get(name)
            form = _NAMES.get(name)
            good = isinstance(value, str) and 0 < len(value) <= _LONGEST_NAME and (not form or form.fullmatch(value))
            if not good:
                self._add(BAD_SIGNATURE, f"signature.{name}", value, expected)
        for name, least in (("resamples", 1), ("seed", 0)):
            value = signature.get(name)
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                self._add(BAD_SIGNATURE, f"signature.{name}", value, f"a whole number from {least}")
        level = signature.get("level")
        if not isinstance(level, float) or not 0 < level < 1:
            self._add(BAD_SIGNATURE, "signature.level", level, "between 0 and 1")
        norms = signature.get("norms", [])
        if not isinstance(norms, list) or not all(
            isinstance(norm, Mapping) and isinstance(norm.get("norm"), str) for norm in norms
        ):
            self._add(BAD_SIGNATURE, "signature.norms", norms, "a list of norms")

    def submission(self) -> None:
        """The fields of judge and run, those of a submission's first line."""
        for part, kind in (("judge", Judge), ("run", Run)):
            said = self.report.submission.get(part, {})
            if not isinstance(said, Mapping):
                self._add(BAD_SUBMISSION, part, said, "an object")
                continue
            types = {field.name: field.type for field in msgspec.structs.fields(kind)}
            for name, value in said.items():
                column = f"{part}.{name[:40]}"
                if name not in types:
                    self._add(BAD_SUBMISSION, column, None, nearest(name[:40], types))
                    continue
                try:
                    msgspec.convert(value[:_CHECKED] if isinstance(value, str) else value, types[name])
                except msgspec.ValidationError as error:
                    self._add(BAD_SUBMISSION, column, value, str(error))

    def counts(self) -> None:
        """Every owed presentation has one outcome, and every facet's are those of the whole."""
        counts = self.report.counts
        facets_named = {*counts, *(entry.facet for entry in self.report.metrics)}
        if len(facets_named) > _MOST_FACETS:
            self._add(BAD_COUNTS, "facets", len(facets_named), f"at most {_MOST_FACETS}")
        if OVERALL not in counts:
            self._add(BAD_COUNTS, "counts", None, f"counts of {OVERALL!r}")
        for facet, of in counts.items():
            column = f"counts.{facet[:40]}"
            absent = [name for name in ("owed", *_OUTCOMES) if name not in of]
            if absent or min(of.values()) < 0:
                self._add(BAD_COUNTS, column, of, f"{', '.join(absent) or 'every count'}, a whole number from 0")
            elif sum(of[name] for name in _OUTCOMES) != of["owed"]:
                total = sum(of[name] for name in _OUTCOMES)
                self._add(BAD_COUNTS, column, f"{total} outcomes of {of['owed']} owed", "one outcome for each owed")
        facets = [of for facet, of in counts.items() if facet != OVERALL]
        for name in ("owed", *_OUTCOMES) if facets and OVERALL in counts else ():
            parts, whole = sum(of.get(name, 0) for of in facets), counts[OVERALL].get(name, 0)
            if parts != whole:
                self._add(BAD_COUNTS, f"counts.{OVERALL}.{name}", whole, f"{parts}, as over the facets")

    def headline(self) -> None:
        """The figure that orders is there."""
        if self.report.find(self.report.headline) is None:
            self._add(NO_HEADLINE, "headline", self.report.headline, "the name of a figure over all facets")

    def metrics(self) -> None:
        """Each figure is on its scale, with sound intervals, once."""
        figures = sum(1 + len(entry.intervals) for entry in self.report.metrics)
        if figures > _MOST_FIGURES:
            self._add(IMPOSSIBLE, "metrics", f"{figures} figures and intervals", f"at most {_MOST_FIGURES}")
        if (rules := len(self.report.baselines)) > _MOST_RULES:
            self._add(IMPOSSIBLE, "baselines", f"{rules} rules", f"at most {_MOST_RULES}")
        if figures > _MOST_FIGURES or rules > _MOST_RULES:
            return
        seen = Counter((entry.metric, entry.facet, entry.slice) for entry in self.report.metrics)
        for entry in self.report.metrics:
            if seen[entry.metric, entry.facet, entry.slice] > 1:
                self._impossible(entry, "stands twice", "once")
            self._value(entry)
            for interval in entry.intervals:
                self._interval(entry, interval)
        for rule in self.report.baselines:
            scale = scale_of(self.report.headline)
            if rule.value is not None and scale and not scale.holds(rule.value):
                self._add(IMPOSSIBLE, "baselines", f"{rule.value} of {rule.name[:60]}", _between(scale))

    def _value(self, entry: MetricEntry) -> None:
        scale = scale_of(entry.metric)
        if entry.n < 0:
            self._impossible(entry, f"n = {entry.n}", "from 0")
        if entry.value is None and not (entry.reason or "").strip():
            self._impossible(entry, "undefined without a reason", "a reason")
        if entry.value is not None and scale is not None and not scale.holds(entry.value):
            self._impossible(entry, entry.value, _between(scale))
        if entry.value is not None and entry.n == 0:
            self._impossible(entry, f"{entry.value} over nothing", "undefined, with a reason")
        for name, p in (("p", entry.p), ("p_adjusted", entry.p_adjusted)):
            if p is not None and not 0 <= p <= 1:
                self._impossible(entry, f"{name} = {p}", "between 0 and 1")
        if entry.chance is not None and scale is not None and not scale.holds(entry.chance):
            self._impossible(entry, f"chance = {entry.chance}", _between(scale))

    def _interval(self, entry: MetricEntry, interval: IntervalEntry) -> None:
        scale, ends = scale_of(entry.metric), (interval.low, interval.high)
        if interval.clusters < 0 or not 0 < interval.level < 1:
            self._impossible(entry, f"{interval.clusters} clusters, level {interval.level}", "from 0; between 0 and 1")
        if interval.low is not None and interval.high is not None and interval.low > interval.high:
            self._impossible(entry, f"an interval from {interval.low} to {interval.high}", "its lower end first")
        if entry.value is None and ends != (None, None):
            self._impossible(entry, "an interval of nothing", "no ends")
        for end in ends:
            if end is not None and scale is not None and not scale.holds(end):
                self._impossible(entry, f"an interval that ends at {end}", _between(scale))

    def _impossible(self, entry: MetricEntry, found: object, expected: str) -> None:
        place = f"{entry.metric[:60]} of {entry.facet[:60]}, {entry.slice[:60]}"
        self.findings.add(IMPOSSIBLE, file=self.file, id=place, found=found, expected=expected)

    def _add(self, code: Code, column: str, found: Json, expected: str) -> None:
        self.findings.add(code, file=self.file, column=column, found=found, expected=expected)


def _between(scale: Scale) -> str:
    return f"between {scale.low:g} and {scale.high:g}"
