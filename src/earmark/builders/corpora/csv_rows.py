"""CSV tables of other people's: every cell a string as it stands, every oddity a finding, and no order kept.

Blanks stay blanks and digits stay strings, so that neither `None` nor `00000634` changes its meaning on the way in. Line
ends within a cell are read as one newline, so that a copy saved on Windows says the same as the original.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from earmark.manifests.canonical import Json, canonical_json
from earmark.manifests.findings import Code, Findings, Severity, declare

MOST_BYTES = 1 << 28
"""Largest table that is read; the largest known one has 9 MB."""

UNREADABLE = declare("corpus.unreadable-table", Severity.ERROR, "the table cannot be read")
MISSING_COLUMN = declare("corpus.missing-column", Severity.ERROR, "the table lacks a column that is needed")
REPEATED_COLUMN = declare("corpus.repeated-column", Severity.ERROR, "the table has a column twice")
EMPTY_TABLE = declare("corpus.empty-table", Severity.ERROR, "the table has no row")
RAGGED_ROW = declare("corpus.ragged-row", Severity.ERROR, "the row has more or fewer cells than the header; dropped")
REPEATED_ROW = declare("corpus.repeated-row", Severity.WARNING, "the row says what an earlier one said; merged with it")
BOM = declare("corpus.byte-order-mark", Severity.WARNING, "the table opens with a byte order mark; read without it")
WINDOWS_LINE_ENDS = declare(
    "corpus.windows-line-ends", Severity.NOTE, "the table has Windows line ends; read as newlines"
)

_BOM = b"\xef\xbb\xbf"

R = TypeVar("R", bound=Hashable)


class Row(NamedTuple):
    """The cells that were asked for, in the order asked for.

    Attributes:
        line: line at which the row begins, counted from 1; the header is line 1.
        cells: one string per column asked for.
    """

    line: int
    cells: tuple[str, ...]


def read_rows(path: Path, columns: Sequence[str], findings: Findings) -> tuple[Row, ...] | None:
    """Read some columns of a table and ignore all others.

    Args:
        path: a CSV file, UTF-8, its first row the header.
        columns: the columns needed.
        findings: what is wrong is added to them.

    Returns:
        The sound rows in file order; None if the table as a whole is of no use.
    """
    file = str(path)
    text = _text(path, findings)
    if text is None:
        return None
    # newline="" leaves line ends inside quotes to the csv module, which needs them to find where a row ends.
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[Row] = []
    where: list[int] = []
    header: list[str] = []
    line = 1
    try:
        for cells in reader:
            begins, line = line, reader.line_num + 1
            if not header:
                header = cells
                if not _columns_found(header, columns, file, findings):
                    return None
                where = [header.index(name) for name in columns]
            elif cells and len(cells) != len(header):
                findings.add(RAGGED_ROW, file=file, row=begins, found=len(cells), expected=f"{len(header)} cells")
            elif cells:
                rows.append(Row(begins, tuple(_newlines(cells[index]) for index in where)))
    except csv.Error as error:
        # What follows a broken quotation would be read into the wrong cells, so that nothing of the file can be trusted.
        findings.add(UNREADABLE, file=file, row=line, found=error, expected="quotes closed and doubled within a cell")
        return None
    if not header:
        findings.add(UNREADABLE, file=file, found="an empty file", expected=f"the columns {', '.join(columns)}")
        return None
    if not rows:
        findings.add(EMPTY_TABLE, file=file)
    return tuple(rows)


def merge_repeated(records: Iterable[tuple[int, R]], file: str, findings: Findings) -> list[tuple[int, R]]:
    """Keep the first of equal records; each later one is a warning, so that merging is counted."""
    first: dict[R, int] = {}
    for line, record in records:
        earlier = first.setdefault(record, line)
        if earlier != line:
            findings.add(REPEATED_ROW, file=file, row=line, found=f"the same as row {earlier}")
    return [(line, record) for record, line in first.items()]


def drop_conflicting(
    records: Iterable[tuple[int, R]],
    key: Callable[[R], str],
    code: Code,
    *,
    column: str,
    file: str,
    findings: Findings,
) -> list[tuple[int, R]]:
    """Drop all records that share a key, since nothing says which of them is right and file order must not decide."""
    groups: dict[str, list[tuple[int, R]]] = defaultdict(list)
    for line, record in records:
        groups[key(record)].append((line, record))
    kept: list[tuple[int, R]] = []
    for shared, members in groups.items():
        if len(members) == 1:
            kept += members
            continue
        rows = ", ".join(str(line) for line, _ in members)
        for line, _ in members:
            findings.add(code, file=file, row=line, column=column, id=shared, found=f"rows {rows}", expected="one row")
    return kept


def hash_records(records: Iterable[Json]) -> str:
    """`sha256:` and the hash of what records say, whatever order they stand in and however often one is repeated."""
    digest = hashlib.sha256()
    for line in sorted({canonical_json(record) for record in records}):
        digest.update(line + b"\n")
    return f"sha256:{digest.hexdigest()}"


def _text(path: Path, findings: Findings) -> str | None:
    file = str(path)
    try:
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        findings.add(UNREADABLE, file=file, found=error.strerror or type(error).__name__, expected="a CSV file")
        return None
    if len(data) > MOST_BYTES:
        findings.add(UNREADABLE, file=file, found="a larger one", expected=f"at most {MOST_BYTES} bytes")
        return None
    if data.startswith(_BOM):
        findings.add(BOM, file=file, row=1, expected="UTF-8 without a byte order mark")
        data = data[len(_BOM) :]
    # The header holds no line end of its own, so the first one in the file is the table's.
    if data[: data.find(b"\n") + 1].endswith(b"\r\n"):
        findings.add(WINDOWS_LINE_ENDS, file=file, row=1, expected="newlines alone")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        findings.add(UNREADABLE, file=file, row=row, found=f"byte {data[error.start]:#04x}", expected="UTF-8")
        return None


def _columns_found(header: list[str], columns: Sequence[str], file: str, findings: Findings) -> bool:
    counted = Counter(header)
    shown = ", ".join(header)
    for name in columns:
        if counted[name] == 0:
            findings.add(
                MISSING_COLUMN, file=file, row=1, column=name, found=shown, expected=f"the columns {', '.join(columns)}"
            )
        elif counted[name] > 1:
            findings.add(REPEATED_COLUMN, file=file, row=1, column=name, found=shown, expected="each column once")
    return all(counted[name] == 1 for name in columns)


def _newlines(cell: str) -> str:
    return cell.replace("\r\n", "\n").replace("\r", "\n") if "\r" in cell else cell
