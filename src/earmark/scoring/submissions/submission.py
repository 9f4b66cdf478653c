"""A submission: somebody's prediction file, read as data. No path or address in it is followed, and nothing in it is run."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from earmark.manifests.canonical import Json
from earmark.manifests.findings import Findings, Severity, declare
from earmark.scoring.submissions.collecting import TOO_LARGE, UNREADABLE, BadRow, Collector
from earmark.scoring.submissions.columns import table_rows
from earmark.scoring.submissions.containers import ENOUGH, Refusal, packing_of
from earmark.scoring.submissions.csv_file import read_csv
from earmark.scoring.submissions.header import Header
from earmark.scoring.submissions.lines import read_lines
from earmark.scoring.submissions.parquet_file import read_parquet
from earmark.scoring.submissions.rows import Limits, Row, Rules

if TYPE_CHECKING:
    import pyarrow as pa

UNKNOWN_SUFFIX = declare(
    "submission.unknown-suffix", Severity.ERROR, "the name does not say how the file is to be read"
)
EMPTY = declare("submission.empty", Severity.ERROR, "the file holds no row")

SUFFIXES = (".jsonl", ".csv", ".parquet")
"""The formats, which a file's name tells."""

_AT_ONCE = 1 << 14


@dataclass(frozen=True)
class Submission:
    """What a prediction file says, ids as given and not yet aligned with any release.

    Args:
        name: Name of the file.
        header: What its first line says of the run; all of it None where there is none.
        table: Good rows in the order of the file, with the columns of `columns.COLUMNS`: every field of a row, null where it
            was absent (`run` 0 and `status` "ok" instead), and `line`.
        bad: Rows that could not be used, with the presentation each is about, where that could be read.
    """

    name: str
    header: Header
    table: pa.Table
    bad: tuple[BadRow, ...] = ()

    @property
    def rows(self) -> Iterator[Row]:
        """Good rows in the order of the file, then bad ones that name a presentation, with their problem."""
        for batch in self.table.to_batches(max_chunksize=_AT_ONCE):
            yield from table_rows(batch)
        for bad in self.bad:
            if bad.presentation_id is not None:
                yield Row(bad.presentation_id, bad.run, line=bad.line, problem=bad.reason)

    @property
    def protocol(self) -> str | None:
        """The protocol that the file says it follows."""
        return self.header.protocol

    @property
    def declared(self) -> Mapping[str, str]:
        """The release, content hash and protocol that the file names, as far as it does."""
        said = {name: getattr(self.header, name) for name in ("release", "content_hash", "protocol")}
        return {name: value for name, value in said.items() if value is not None}

    def described(self) -> Mapping[str, Json]:
        """What the submitter says of judge and run, for the report."""
        return {
            "judge": {
                name: value for name, value in msgspec.to_builtins(self.header.judge).items() if value is not None
            },
            "run": {name: value for name, value in msgspec.to_builtins(self.header.run).items() if value is not None},
        }


def read_submission(
    path: Path, *, choices: Sequence[str], probability: bool, findings: Findings, limits: Limits | None = None
) -> Submission:
    """Read and check a prediction file; whatever is wrong in it becomes a finding.

    Args:
        path: JSON Lines, CSV or Parquet, as the suffix says.
        choices: What a prediction may say.
        probability: Whether the family's rows may have a probability.
        findings: Where problems go.
        limits: What is read at most.
    """
    limits = limits or Limits()
    collector = Collector(path.name, Rules(choices, probability=probability, limits=limits), findings)
    before = len(findings)
    header = _read(path, collector) or Header()
    if collector.rows == 0 and len(findings) == before:
        collector.add(EMPTY, expected="a row for every presentation owed")
    return Submission(path.name, header, collector.table(), collector.bad_rows())


def _read(path: Path, collector: Collector) -> Header | None:
    suffix, limits = path.suffix.lower(), collector.rules.limits
    if suffix not in SUFFIXES:
        collector.add(UNKNOWN_SUFFIX, found=path.suffix or path.name, expected=f"one of {', '.join(SUFFIXES)}")
        return None
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            collector.add(UNREADABLE, found="no regular file", expected="a file")
            return None
        size = status.st_size
        if size > limits.bytes:
            collector.add(TOO_LARGE, found=f"{size} bytes", expected=f"at most {limits.bytes}")
            return None
        if suffix == ".parquet":
            read_parquet(path, collector)
            return None
        with path.open("rb") as stream:
            packing = packing_of(stream.read(ENOUGH))
            stream.seek(0)
            if isinstance(packing, Refusal):
                collector.add(packing.code, found=packing.found, expected=packing.expected)
                return None
            if suffix == ".jsonl":
                return read_lines(stream, collector)
            read_csv(stream, collector)
    except OSError as error:
        collector.add(UNREADABLE, found=error.strerror or str(error))
    return None
