"""Freezing a norm: from counts of right answers, or from reports of one's own systems."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.report import ALL, OVERALL
from earmark.scoring.norms.norm import TRAJECTORY, Norm, System

if TYPE_CHECKING:
    from earmark.manifests.report import MetricEntry, Report

NAME = declare("norm.name", Severity.ERROR, "a norm's name or version is not of the form that ids need")
COUNTS = declare("norm.counts", Severity.ERROR, "a system's counts are no share")
TWICE = declare("norm.system-twice", Severity.ERROR, "two systems of a norm have one name, or one has none")
NO_FIGURE = declare("norm.no-figure", Severity.ERROR, "a report lacks the figure that the norm is over")

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_VERSION = re.compile(r"(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*)){2}")
_MOST = 2**53


def freeze(
    name: str,
    version: str,
    systems: Iterable[System],
    *,
    metric: str = TRAJECTORY,
    facet: str = OVERALL,
    note: str = "",
) -> Norm:
    """A norm of systems whose right answers are known.

    One without systems, or in which half of them are level, is a norm that gives no score and says why.

    Args:
        name: Lower case, digits and hyphens.
        version: As 1.0.0.
        systems: The cohort; the order does not matter.
        metric: The share that is standardised.
        facet: What it is over.
        note: Where the numbers are from.

    Raises:
        Refused: With everything that is wrong.

    >>> freeze("ours", "1.0.0", [System("a", 1, 4), System("b", 3, 4)]).median
    Fraction(1, 2)
    """
    norm = Norm(name, version, tuple(systems), metric, facet, note)
    findings = Findings()
    check_norm(norm, findings)
    findings.require_none()
    return norm


def freeze_reports(
    name: str,
    version: str,
    reports: Sequence[tuple[str, Report]],
    *,
    metric: str = TRAJECTORY,
    facet: str = OVERALL,
    note: str = "",
) -> Norm:
    """A norm of systems that have been marked.

    A report holds its figures to six significant digits. Where a whole number of right answers out of its n has those digits, it
    is what is frozen; where none has, as of a mean over runs, the digits themselves are.

    Args:
        name: Lower case, digits and hyphens.
        version: As 1.0.0.
        reports: Whose each is, and the report.
        metric: The share that is standardised.
        facet: What it is over.
        note: Where the numbers are from.

    Raises:
        Refused: With everything that is wrong, reports without the figure among it.
    """
    findings, systems = Findings(), []
    for judge, report in reports:
        entry = report.find(metric, facet)
        if entry is None or entry.value is None or entry.n < 1 or not 0 <= entry.value <= 1:
            found = f"no {metric} of {facet}" if entry is None else entry.reason or f"{entry.value} of {entry.n}"
            findings.add(NO_FIGURE, id=judge, found=found, expected=_offered(report, metric))
        else:
            systems.append(_system(judge, entry.value, entry))
    norm = Norm(name, version, tuple(systems), metric, facet, note)
    check_norm(norm, findings)
    findings.require_none()
    return norm


def check_norm(norm: Norm, findings: Findings, *, file: str | None = None) -> None:
    """Find all that is wrong with a norm.

    Args:
        norm: Made of whatever somebody said.
        findings: What is wrong is added here.
        file: Where it stands, to be said.
    """
    if not _NAME.fullmatch(norm.name):
        findings.add(NAME, file=file, column="norm", found=norm.name, expected="lower case, digits and hyphens")
    if not _VERSION.fullmatch(norm.version):
        findings.add(NAME, file=file, column="version", found=norm.version, expected="three numbers, as 1.0.0")
    for column, text in (("metric", norm.metric), ("facet", norm.facet)):
        if not text:
            findings.add(NAME, file=file, column=column, found="nothing", expected="a name")
    for name, times in Counter(system.name for system in norm.systems).items():
        if times > 1 or not name.strip():
            found = f"{times} of it" if times > 1 else "no name"
            findings.add(TWICE, file=file, id=name or None, found=found, expected="one name for each system")
    for system in norm.systems:
        if not 1 <= system.total <= _MOST or not 0 <= system.correct <= system.total:
            found = f"{system.correct} of {system.total}"
            findings.add(
                COUNTS, file=file, id=system.name, found=found, expected="0 <= correct <= total, total at least 1"
            )


def _offered(report: Report, metric: str) -> str:
    """What a norm may be over, as far as a report has it: facets of a metric that there is, else the metrics."""
    whole = [
        entry for entry in report.metrics if entry.slice == ALL and entry.value is not None and 0 <= entry.value <= 1
    ]
    facets = dict.fromkeys(entry.facet for entry in whole if entry.metric == metric)
    if facets:
        return f"a share: {metric} of one of {', '.join(facets)}"
    return f"a share: one of {', '.join(dict.fromkeys(entry.metric for entry in whole if entry.facet == OVERALL))}"


def _system(judge: str, value: float, entry: MetricEntry) -> System:
    digits = f"{value:.6g}"
    correct = round(value * entry.n)
    if f"{correct / entry.n:.6g}" == digits:
        return System(judge, correct, entry.n)
    share = Fraction(Decimal(digits))
    return System(judge, share.numerator, share.denominator)
