"""Reading reports for a leaderboard: files that strangers may have written, so that nothing in them is taken on trust.

What is no report, or could not have come of marking, is a finding; the others are still read, so that all is said at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from earmark.manifests.canonical import Json
from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.hashes import json_hash
from earmark.manifests.report import Report, read_report
from earmark.scoring.leaderboard.possible import possible

NO_REPORT = declare("leaderboard.no-report", Severity.ERROR, "the file is no report")

FILE = "report.json"
"""What a report is called in its folder."""

MOST_BYTES = 1 << 25
"""Largest report that is read."""


@dataclass(frozen=True)
class Reported:
    """A report of a file.

    Args:
        file: The file as the user named it, for findings; it stands in no leaderboard.
        report: The report.
        hash: Hash of all that the report says.
    """

    file: str
    report: Report
    hash: str

    @property
    def judge(self) -> Mapping[str, Json]:
        """What the submitter says of the judge."""
        return _mapping(self.report.submission.get("judge"))

    @property
    def run(self) -> Mapping[str, Json]:
        """What the submitter says of the run."""
        return _mapping(self.report.submission.get("run"))


def read_reports(paths: Sequence[Path], findings: Findings) -> tuple[Reported, ...]:
    """Read reports, and keep those that could have come of marking.

    Args:
        paths: Reports, or folders with a report.json.
        findings: Where problems go.

    Raises:
        EarmarkError: If a path leads nowhere.
    """
    for path in paths:
        if not path.exists():
            raise EarmarkError(f"{path} is not there")
    read = []
    for path in paths:
        file = path / FILE if path.is_dir() else path
        found = _read(file, str(path), findings)
        if found is not None and possible(found.report, found.file, findings):
            read.append(found)
    return tuple(read)


def _read(file: Path, name: str, findings: Findings) -> Reported | None:
    if not file.is_file():  # neither a pipe, which would never end, nor a folder without a report
        expected = f"a report, or a folder with a {FILE}"
        findings.add(
            NO_REPORT, file=name, found="no regular file" if file.exists() else f"no {FILE}", expected=expected
        )
        return None
    try:
        report = read_report(file, most_bytes=MOST_BYTES)
        return Reported(name, report, json_hash(report.as_json()))
    except (EarmarkError, ValueError) as error:  # the latter where two keys are one in NFC
        findings.add(NO_REPORT, file=name, found=str(error), expected=f"{FILE} as `earmark score` writes it")
        return None


def _mapping(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, Mapping) else {}
