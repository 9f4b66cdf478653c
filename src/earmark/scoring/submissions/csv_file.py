"""CSV after RFC 4180 with a declared header: an empty cell is an absent field, evidence is a JSON list in one cell."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator, Sequence
from typing import BinaryIO, NamedTuple, cast

import numpy as np

from earmark.manifests.canonical import Json
from earmark.manifests.findings import Severity, declare, nearest
from earmark.manifests.strict import NotStrictJson, not_utf8, strict_json
from earmark.scoring.submissions.collecting import BLANK_LINE, LINE_TOO_LONG, NOT_UTF8, Collector
from earmark.scoring.submissions.csv_blocks import good_rows
from earmark.scoring.submissions.csv_records import records, whole_records
from earmark.scoring.submissions.line_ends import LineEnds, has_longer
from earmark.scoring.submissions.lines import Lines, bounded_lines, tell_blank
from earmark.scoring.submissions.rows import TOO_LARGE_A_NUMBER, TOO_LONG, Problem

BAD_COLUMNS = declare(
    "submission.bad-columns", Severity.ERROR, "the columns are not those of prediction rows; nothing is read"
)
NOT_CSV = declare(
    "submission.not-csv", Severity.ERROR, "the record is no CSV after RFC 4180, or has not one cell a column"
)

_AT_ONCE = 4096
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]{1,400})?([eE][+-]?[0-9]{1,4})?")
_CELL = r'(?:"(?:[^"]|"")*+"|[^",\r\n]*+)'
_RECORD = re.compile(f"{_CELL}(?:,{_CELL})*+")
_NO_NUMBERS: dict[str, Json] = {
    "nan": math.nan,
    "inf": math.inf,
    "infinity": math.inf,
    "true": True,
    "false": False,
}
_NUMBERS = frozenset({"run", "probability", "latency_s", "input_tokens", "output_tokens", "cost_usd"})


class _Record(NamedTuple):
    """A record without its line end and the line it begins on; None where it is too long."""

    data: bytes | None
    line: int


def read_csv(stream: BinaryIO, collector: Collector, *, fast: bool = True) -> None:
    """Read a CSV file into a collector.

    Args:
        stream: The file, opened for reading bytes.
        collector: Takes rows and findings.
        fast: Whether good rows are taken in blocks; the outcome is the same.
    """
    reader = _Reader(collector, fast)
    ends = LineEnds(collector, quoted=True)
    for lines in bounded_lines(stream, collector, ends):
        if not reader.take(lines):
            break
    else:
        reader.finish()
    ends.tell()


class _Reader:
    """Takes lines into a collector: whole records in blocks where that is allowed, all others one by one."""

    def __init__(self, collector: Collector, fast: bool) -> None:
        self.collector = collector
        self.fast = fast
        self.splitter = _Splitter(collector)
        self.columns: list[str] | None = None
        self.open: Lines | None = None  # a record whose last cell may go on
        self.values: list[dict[str, Json]] = []
        self.lines: list[int] = []

    def take(self, lines: Lines) -> bool:
        """Take lines.

        Returns:
            False if no more is read.
        """
        while self.columns is None:
            line, newline, rest = lines.data.partition(b"\n")
            for record in self.splitter.split(lines if lines.cut else lines._replace(data=line)):
                self.columns = _columns(record, self.collector)
                if self.columns is None:
                    self.collector.stopped = lines.first + 1
                    return False
            if not newline or lines.cut:
                return True
            lines = Lines(rest, lines.first + 1)
        if not self.fast or self.splitter.within:
            return self._take_records(lines)
        if self.open is not None:
            if lines.cut:
                begun, self.open = self.open, None
                return self._take_records(begun) and self._take_records(lines)
            lines = Lines(self.open.data + b"\n" + lines.data, self.open.first)
            self.open = None
        if lines.cut or has_longer(lines.data, self.collector.rules.limits.line):
            return self._take_records(lines)
        if lines.data[:1] in (b"", b"\n", b"\r") and not (lines.data + b"\n").replace(b"\r\n", b"").strip(b"\n"):
            tell_blank(range(lines.first, lines.first + lines.data.count(b"\n") + 1), self.collector)
            return True
        size = whole_records(lines.data)
        if size < len(lines.data):
            begun = Lines(lines.data[size:], lines.first + lines.data.count(b"\n", 0, size))
            if len(begun.data) > self.collector.rules.limits.line:
                return self._take_records(lines)
            self.open = begun
            if size == 0:
                return True
        return self._take_block(Lines(lines.data[: size - 1] if self.open is not None else lines.data, lines.first))

    def finish(self) -> None:
        """Take what is left at the end of the file."""
        if self.collector.cut:  # a record that was cut is none
            self._flush()
            return
        if self.open is not None and not self._take_records(self.open):
            return
        for record in self.splitter.finish():
            if self.columns is None:
                self.columns = _columns(record, self.collector)
            elif not self._take_record(record):
                return
        if self.columns is None and self.splitter.begun == 0:
            _columns(None, self.collector)
        self._flush()

    def _take_block(self, lines: Lines) -> bool:
        """Take whole records, as many as can be at once."""
        columns, rules = cast("list[str]", self.columns), self.collector.rules
        found = records(lines.data, lines.first, len(columns), rules.limits.line)
        blank = found.blank()
        if len(blank) - blank.sum() > self.collector.room() - len(self.values):
            return self._take_records(lines)
        if found.plain.any():
            table, others = good_rows(rules, found, columns)
            self.collector.take_table(table)
            others = others[~blank[others]]
        else:
            others = np.flatnonzero(~blank)
        tell_blank(found.lines[blank].tolist(), self.collector)
        for n in others.tolist():
            data = lines.data[found.begins[n] : found.ends[n]].removesuffix(b"\r")
            size = int(found.ends[n] - found.begins[n])
            self._take_record(_Record(data if size <= rules.limits.line else None, int(found.lines[n])))
        return True

    def _take_records(self, lines: Lines) -> bool:
        return all(self._take_record(record) for record in self.splitter.split(lines))

    def _take_record(self, record: _Record) -> bool:
        collector, columns = self.collector, cast("list[str]", self.columns)
        if record.data == b"":
            collector.add(BLANK_LINE, row=record.line)
            return True
        if collector.rows + len(self.values) >= collector.rules.limits.rows:
            self._flush()
            collector.full(record.line)
            return False
        cells = _cells(record, collector)
        if isinstance(cells, Problem):
            collector.refuse(record.line, [cells], None, 0)
        elif len(cells) != len(columns):
            named = dict(zip(columns, cells, strict=False))
            problem = Problem(NOT_CSV, found=f"{len(cells)} cells", expected=f"{len(columns)}, one for each column")
            collector.refuse(record.line, [problem], *collector.rules.identify(_value(named)))
        else:
            self.values.append(_value(dict(zip(columns, cells, strict=True))))
            self.lines.append(record.line)
        if len(self.values) >= _AT_ONCE:
            self._flush()
        return True

    def _flush(self) -> None:
        self.collector.take_values(self.values, self.lines)
        self.values, self.lines = [], []


_OTHER_SEPARATORS = {";": "semicolons", "\t": "tabs"}
"""What spreadsheets put between cells where the comma is a decimal point, or where a table was copied."""


def check_columns(columns: Sequence[str], collector: Collector) -> bool:
    """Whether a table has columns of prediction rows and no others."""
    fields, findings = collector.rules.fields, collector.findings
    # A header has room for a hundred thousand columns that there are not: those are told that are kept, and all are counted.
    unknown = sorted(set(columns).difference(fields))
    for name in unknown[: findings.cap]:
        collector.add(BAD_COLUMNS, row=1, found=name, expected=nearest(name[:40], fields))
    findings.count_more(BAD_COLUMNS, len(unknown[findings.cap :]))
    repeated = [name for name in fields if columns.count(name) > 1]
    for name in repeated:
        collector.add(BAD_COLUMNS, row=1, found=f"{name} {columns.count(name)} times", expected="each column once")
    bad = bool(unknown or repeated)
    if "presentation_id" not in columns:
        expected = "a column presentation_id"
        for mark, called in _OTHER_SEPARATORS.items():
            if len(columns) == 1 and "presentation_id" in columns[0].split(mark):
                expected = f"{expected}: columns with commas between them, not {called}, in the header and in every row"
        collector.add(BAD_COLUMNS, row=1, found=", ".join(columns), expected=expected)
        bad = True
    return not bad


def _columns(record: _Record | None, collector: Collector) -> list[str] | None:
    if record is None:
        collector.add(BAD_COLUMNS, row=1, found="an empty file", expected="a first record that names the columns")
        return None
    cells = _cells(record, collector)
    if isinstance(cells, Problem):
        collector.add(cells.code, row=1, found=cells.found, expected="a first record that names the columns")
        return None
    return cells if check_columns(cells, collector) else None


class _Splitter:
    """Splits lines into records, which may go over several lines where a cell is quoted, none taken further than allowed."""

    def __init__(self, collector: Collector) -> None:
        self.collector = collector
        self.most = collector.rules.limits.line
        self.parts: list[bytes] = []
        self.begun, self.size, self.within = 0, 0, False

    def split(self, lines: Lines) -> Iterator[_Record]:
        """The records that end in these lines."""
        for number, line in enumerate([lines.data] if lines.cut else lines.data.split(b"\n"), lines.first):
            if not self.within:
                self.begun, self.size, self.parts = number, 0, []
            self.size += len(line) + 1
            if self.size <= self.most + 1 and not lines.cut:
                self.parts.append(line)
            # Doubled quotes within a cell leave the parity as it is, as do all cells that are closed.
            self.within ^= line.count(b'"') % 2 == 1
            # A line that is too long by itself ends its record, since no more of it may be at hand.
            if lines.cut or len(line) > self.most or (self.size > self.most + 1 and not self.within):
                self.within = False
                yield _Record(None, self.begun)
            elif not self.within:
                yield _Record(b"\n".join(self.parts).removesuffix(b"\r"), self.begun)

    def finish(self) -> Iterator[_Record]:
        """The record that no line ended."""
        if self.within:
            self.within = False
            yield _Record(b"\n".join(self.parts) if self.size <= self.most + 1 else None, self.begun)


def _cells(record: _Record, collector: Collector) -> list[str] | Problem:
    if record.data is None:
        return Problem(LINE_TOO_LONG, expected=f"at most {collector.rules.limits.line} bytes")
    try:
        text = record.data.decode("utf-8")
    except UnicodeDecodeError as error:
        wrong = not_utf8(record.data, error)
        character = wrong.character if b"\n" not in record.data else None
        return Problem(NOT_UTF8, found=wrong.says, expected="UTF-8", character=character)
    if not _RECORD.fullmatch(text):
        sound = _RECORD.match(text)
        character = sound.end() + 1 if sound is not None and "\n" not in text else None
        right = "cells with quotes in quotes, doubled within, and every one closed"
        return Problem(NOT_CSV, found=text, expected=right, character=character)
    try:
        return next(csv.reader([text], strict=True))
    except csv.Error as error:  # a cell longer than the reader's own limit
        return Problem(TOO_LONG, found=str(error), expected=f"at most {collector.rules.limits.response} characters")


def _value(cells: dict[str, str]) -> dict[str, Json]:
    """A record as the row that JSON would have; what is no number or list stays text and is refused by its field."""
    value: dict[str, Json] = {}
    for name, cell in cells.items():
        if cell == "":
            continue
        value[name] = cell
        if name in _NUMBERS:
            value[name] = _number(cell)
        elif name == "evidence":
            try:
                value[name] = strict_json(cell.encode())
            except NotStrictJson:
                continue
    return value


def _number(cell: str) -> Json:
    """A cell as a number, as one of the things that pass for numbers elsewhere, or as the text that it is."""
    number = _NUMBER.fullmatch(cell)
    if number is None:
        return _NO_NUMBERS.get(cell.lower().lstrip("+-"), cell)
    value, whole = float(cell), not (number[1] or number[2])
    if math.isinf(value) or (whole and abs(value) > 1 << 63):
        return TOO_LARGE_A_NUMBER
    return int(cell) if whole else value
