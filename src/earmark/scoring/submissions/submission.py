"""A submission: somebody's prediction file, read as data. No path or address in it is followed, and nothing in it is run."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

import msgspec

from earmark.manifests.canonical import Json
from earmark.manifests.findings import Findings, Severity, declare
from earmark.scoring.submissions.collecting import TOO_LARGE, UNREADABLE, BadRow, Collector
from earmark.scoring.submissions.columns import table_rows
from earmark.scoring.submissions.containers import ENOUGH, Format, Packing, Refusal, format_of, opened, packing_of
from earmark.scoring.submissions.csv_file import read_csv
from earmark.scoring.submissions.header import Header
from earmark.scoring.submissions.lines import read_lines
from earmark.scoring.submissions.parquet_file import read_parquet
from earmark.scoring.submissions.rows import Limits, Row, Rules
from earmark.scoring.submissions.unpacking import Unpacking

if TYPE_CHECKING:
    import pyarrow as pa

EMPTY = declare("submission.empty", Severity.ERROR, "the file holds no row")

_AT_ONCE = 1 << 14


@dataclass(frozen=True)
class Submission:
    """What a prediction file says, ids as given and not yet aligned with any release.

    Args:
        name: Name of the file, bytes that are no text spelt out.
        header: What its first line says of the run; all of it None where there is none.
        table: Good rows in the order of the file, with the columns of `columns.COLUMNS`: every field of a row, null where it
            was absent (`run` 0 and `status` "ok" instead), and `line`.
        bad: Rows that could not be used, with the presentation each is about; of those in which that could not be read, the
            first 16,384.
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
        path: JSON Lines, CSV or Parquet, as its name or else its content says; the first two may be packed with gzip or zstd.
        choices: What a prediction may say.
        probability: Whether the family's rows may have a probability.
        findings: Where problems go.
        limits: What is read at most.
    """
    limits = limits or Limits()
    # A name need not be text everywhere; what is written of the file must be.
    name = path.name.encode("utf-8", "backslashreplace").decode("utf-8")
    collector = Collector(name, Rules(choices, probability=probability, limits=limits), findings)
    before = findings.count(Severity.ERROR)
    header = _read(path, collector) or Header()
    if collector.rows == 0 and findings.count(Severity.ERROR) == before:
        collector.add(EMPTY, expected="a row for every presentation owed")
    return Submission(name, header, collector.table(), collector.bad_rows())


def _read(path: Path, collector: Collector) -> Header | None:
    try:
        with opened(path) as stream:
            size = os.fstat(stream.fileno()).st_size
            if size > collector.rules.limits.bytes:
                most = collector.rules.limits.bytes
                collector.add(TOO_LARGE, found=f"{size} bytes", expected=f"at most {most}")
                return None
            header = _unpacked(stream, path, collector)
            if stream.read(1) == b"" and stream.tell() != size:
                found = f"{size} bytes when it was opened, {stream.tell()} when it was read"
                collector.add(UNREADABLE, found=found, expected="a file that nobody writes to")
            return header
    except OSError as error:
        collector.add(UNREADABLE, found=error.strerror or str(error), expected="a regular file that may be read")
    return None


def _unpacked(stream: BinaryIO, path: Path, collector: Collector) -> Header | None:
    """Read a file for what its first bytes are, then for what its name says."""
    packing = packing_of(_head(stream))
    if isinstance(packing, Refusal):
        _refuse(packing, collector)
        return None
    if packing is Packing.PLAIN:
        return _rows(stream, path, packing, collector)
    with io.BufferedReader(Unpacking(stream, packing, collector), ENOUGH) as unpacked:
        return _rows(unpacked, path, packing, collector)


def _rows(stream: BinaryIO, path: Path, packing: Packing, collector: Collector) -> Header | None:
    head = _head(stream) if packing is Packing.PLAIN else cast(io.BufferedReader, stream).peek(ENOUGH)
    match format_of(path.name, head, packing):
        case Refusal() as refusal:
            _refuse(refusal, collector)
        case Format.PARQUET:
            read_parquet(path, collector)
            stream.seek(0, io.SEEK_END)
        case Format.CSV:
            read_csv(stream, collector)
        case Format.LINES:
            return read_lines(stream, collector)
    return None


def _head(stream: BinaryIO) -> bytes:
    head = stream.read(ENOUGH)
    stream.seek(0)
    return head


def _refuse(refusal: Refusal, collector: Collector) -> None:
    collector.add(refusal.code, found=refusal.found, expected=refusal.expected)
