"""Printed figures beside reports, and worked values beside ours: what `earmark paper` shows, as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec

from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.report import ALL, OVERALL, MetricEntry, Report, read_report
from earmark.scoring.papers.records import Cell, Paper, Printed, Section, Walk

if TYPE_CHECKING:
    from earmark.manifests.canonical import Json

DIFFERENCE = declare("paper.difference", Severity.ERROR, "a worked value differs and nothing explains it")

ELSEWHERE = "*"
"""Behind a figure that is by the default definition, the report having no paper mode."""

NOTHING = "-"

PAPER_METRICS = {"eer": "eer_nearest_vertex"}
"""Metrics that go by another name in a paper mode's slice."""


@dataclass(frozen=True)
class NamedReport:
    """A report and whose it is.

    Args:
        judge: Name of the judge, made unique.
        report: The report.
    """

    judge: str
    report: Report


@dataclass(frozen=True)
class Found:
    """What a report has for a printed figure.

    Args:
        low: The figure; the least over facets where the printed one is a range over facets.
        high: The same, or the greatest over facets.
        paper_mode: Whether it is the paper mode's, and so comparable.
    """

    low: float
    high: float
    paper_mode: bool


@dataclass(frozen=True)
class Comparison:
    """A printed figure and what each report has for it.

    Args:
        printed: The figure.
        found: One per report; None where it has none.
    """

    printed: Printed
    found: tuple[Found | None, ...]

    @property
    def printed_text(self) -> str:
        """The printed figure or range, for people."""
        return _range(self.printed.low, self.printed.high)

    @property
    def shown(self) -> tuple[str, ...]:
        """What the reports have, for people; a star where it is not the paper mode's."""
        return tuple(
            NOTHING if one is None else _range(one.low, one.high) + ("" if one.paper_mode else ELSEWHERE)
            for one in self.found
        )


def report_differences(paper: Paper, cells: Sequence[Cell], findings: Findings) -> None:
    """Make a finding of every worked value that differs without an explanation."""
    for cell in cells:
        if cell.problem is not None:
            findings.add(
                DIFFERENCE,
                file=paper.name,
                id=f"{cell.case}: {cell.quantity}",
                found=cell.problem,
                expected=cell.printed,
            )


def read_reports(paper: Paper, files: Sequence[Path]) -> tuple[NamedReport, ...]:
    """Read reports to compare with a paper.

    Raises:
        EarmarkError: If a file is no report, or one of another family.
    """
    read = [(file, read_report(file)) for file in files]
    for file, report in read:
        family = report.signature.get("family")
        if family != paper.family:
            raise EarmarkError(f"{file} is about family {family}; paper {paper.name} is about {paper.family}")
    return named_reports(read)


def named_reports(files: Sequence[tuple[Path, Report]]) -> tuple[NamedReport, ...]:
    """Reports by their judges' names, or where there is none by their files', each made unique."""
    read: list[NamedReport] = []
    for file, report in files:
        name = _judge(report) or _named(file)
        taken = {other.judge for other in read}
        unique = next(n for n in range(1, len(taken) + 2) if (name if n == 1 else f"{name} ({n})") not in taken)
        read.append(NamedReport(name if unique == 1 else f"{name} ({unique})", report))
    return tuple(read)


def beside(paper: Paper, reports: Sequence[NamedReport]) -> tuple[Comparison, ...]:
    """Every printed figure with what each report has for its facet."""
    return tuple(
        Comparison(printed, tuple(_find(paper, printed, named.report) for named in reports))
        for printed in paper.printed
    )


def as_plain(
    paper: Paper,
    cells: Sequence[Cell],
    walks: Sequence[Walk],
    compared: Sequence[Comparison],
    sections: Sequence[Section] = (),
) -> dict[str, Json]:
    """All of it as JSON values."""
    plain = {
        "paper": paper.name,
        "means": paper.means,
        "caveat": paper.caveat,
        "worked_values": [{**_fields(cell), "problem": cell.problem} for cell in cells],
        "filters": [_fields(walk) for walk in walks],
        "printed": [_fields(one) for one in compared],
        "sections": [_fields(section) for section in sections],
    }
    return cast("dict[str, Json]", plain)


def _fields(record: Cell | Walk | Comparison | Section) -> Mapping[str, object]:
    plain: Mapping[str, object] = msgspec.to_builtins(record)
    return plain


def _find(paper: Paper, printed: Printed, report: Report) -> Found | None:
    """A report's figure for a printed one: the paper mode's where it has it, else the default's."""
    for slice, metric in ((paper.slice, PAPER_METRICS.get(printed.metric, printed.metric)), (ALL, printed.metric)):
        entries = [entry for entry in report.metrics if (entry.metric, entry.slice) == (metric, slice)]
        values = [entry.value for entry in entries if entry.value is not None and _is_about(entry, printed)]
        if values:
            return Found(min(values), max(values), slice == paper.slice)
    return None


def _is_about(entry: MetricEntry, printed: Printed) -> bool:
    return entry.facet != OVERALL if printed.facet is None else entry.facet == printed.facet


def _named(file: Path) -> str:
    """What a report is called whose judge has no name: as its file, or as its folder where `earmark score` named the file."""
    return (file.resolve().parent.name if file.name == "report.json" else "") or file.stem


def _judge(report: Report) -> str | None:
    """The name of the judge as a submission states it: a text, or the `name` in an object."""
    judge = report.submission.get("judge")
    if isinstance(judge, Mapping):
        judge = judge.get("name")
    return judge if isinstance(judge, str) and judge else None


def _range(low: float | None, high: float | None) -> str:
    """A figure, a range, or a range that is open at one end.

    >>> _range(0.66, 0.81), _range(0.5, 0.5), _range(None, 0.22), _range(0.06, None), _range(-0.003, 0.4)
    ('0.66 to 0.81', '0.50', 'up to 0.22', 'from 0.06', '-0.003 to 0.40')
    """
    ends = [_figure(end) for end in (low, high) if end is not None]
    if low is None or high is None:
        return f"{'up to' if low is None else 'from'} {ends[0]}"
    return ends[0] if ends[0] == ends[1] else " to ".join(ends)


def _figure(value: float) -> str:
    """Two decimals where that is all of it, else three."""
    return f"{value:.2f}" if round(value, 3) == round(value, 2) else f"{value:.3f}"
