"""CSV after RFC 4180 with a declared header: an empty cell is an absent field, evidence is a JSON list in one cell."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator, Sequence
from typing import BinaryIO, NamedTuple

from earmark.manifests.canonical import Json
from earmark.manifests.findings import Severity, declare, nearest
from earmark.manifests.strict import NotStrictJson, strict_json
from earmark.scoring.submissions.collecting import BLANK_LINE, BOM, BOM_BYTES, LINE_TOO_LONG, NOT_UTF8, Collector
from earmark.scoring.submissions.lines import bounded_lines
from earmark.scoring.submissions.rows import TOO_LARGE_A_NUMBER, TOO_LONG, Problem

BAD_COLUMNS = declare(
    "submission.bad-columns", Severity.ERROR, "the columns are not those of prediction rows; nothing is read"
)
NOT_CSV = declare(
    "submission.not-csv", Severity.ERROR, "the record is no CSV after RFC 4180, or has not one cell a column"
)

_AT_ONCE = 4096
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,18})(\.[0-9]{1,400})?([eE][+-]?[0-9]{1,4})?")
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


def read_csv(stream: BinaryIO, collector: Collector) -> None:
    """Read a CSV file into a collector."""
    records = _records(stream, collector)
    columns = _columns(next(records, None), collector)
    if columns is None:
        return
    values: list[dict[str, Json]] = []
    lines: list[int] = []
    for record in records:
        if record.data == b"":
            collector.add(BLANK_LINE, row=record.line)
            continue
        if collector.rows + len(values) >= collector.rules.limits.rows:
            collector.take_values(values, lines)
            collector.full(record.line)
            return
        cells = _cells(record, collector)
        if isinstance(cells, Problem):
            collector.refuse(record.line, [cells], None, 0)
        elif len(cells) != len(columns):
            named = dict(zip(columns, cells, strict=False))
            problem = Problem(NOT_CSV, found=f"{len(cells)} cells", expected=f"{len(columns)}, one for each column")
            collector.refuse(record.line, [problem], *collector.rules.identify(_value(named)))
        else:
            values.append(_value(dict(zip(columns, cells, strict=True))))
            lines.append(record.line)
        if len(values) == _AT_ONCE:
            collector.take_values(values, lines)
            values, lines = [], []
    collector.take_values(values, lines)


def check_columns(columns: Sequence[str], collector: Collector) -> bool:
    """Whether a table has columns of prediction rows and no others."""
    fields = collector.rules.fields
    bad = False
    for name in dict.fromkeys(columns):
        if name not in fields:
            collector.add(BAD_COLUMNS, row=1, found=name, expected=nearest(name[:40], fields))
            bad = True
        elif columns.count(name) > 1:
            collector.add(BAD_COLUMNS, row=1, found=f"{name} {columns.count(name)} times", expected="each column once")
            bad = True
    if "presentation_id" not in columns:
        collector.add(BAD_COLUMNS, row=1, found=", ".join(columns), expected="a column presentation_id")
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


def _records(stream: BinaryIO, collector: Collector) -> Iterator[_Record]:
    """Records, which may go over several lines where a cell is quoted, none taken further than the longest line allowed."""
    most = collector.rules.limits.line
    parts: list[bytes] = []
    begun, size, within = 1, 0, False
    for lines in bounded_lines(stream, collector):
        for number, line in enumerate([lines.data] if lines.cut else lines.data.split(b"\n"), lines.first):
            if number == 1 and line.startswith(BOM_BYTES):
                collector.add(BOM, row=1, expected="UTF-8 without it")
                line = line[len(BOM_BYTES) :]
            if not within:
                begun, size, parts = number, 0, []
            size += len(line) + 1
            if size <= most + 1 and not lines.cut:
                parts.append(line)
            # Doubled quotes within a cell leave the parity as it is, as do all cells that are closed.
            within ^= line.count(b'"') % 2 == 1
            if lines.cut or (size > most + 1 and not within):
                within = False
                yield _Record(None, begun)
            elif not within:
                yield _Record(b"\n".join(parts).removesuffix(b"\r"), begun)
    if within:
        yield _Record(b"\n".join(parts) if size <= most + 1 else None, begun)


def _cells(record: _Record, collector: Collector) -> list[str] | Problem:
    if record.data is None:
        return Problem(LINE_TOO_LONG, expected=f"at most {collector.rules.limits.line} bytes")
    try:
        text = record.data.decode("utf-8")
    except UnicodeDecodeError as error:
        return Problem(NOT_UTF8, found=f"{error.reason} at byte {error.start}")
    if not _RECORD.fullmatch(text):
        return Problem(
            NOT_CSV, found=text, expected="cells with quotes in quotes, doubled within, and every one closed"
        )
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
    value = float(cell) if number[1] or number[2] else int(cell)
    return TOO_LARGE_A_NUMBER if value == math.inf or value == -math.inf else value
