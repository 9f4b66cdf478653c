"""JSON Lines, read in bounded blocks: a block of good rows at once, anything else line by line and strictly.

A line without end is never taken into memory. msgspec sees no duplicate key, so the quotation marks of a block are counted: each
key and each text has two, and a key that stands twice has two more than its structure accounts for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import BinaryIO, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from earmark.manifests.findings import Severity, declare
from earmark.manifests.strict import MOST_NESTING, Fault, NotStrictJson, examined_json
from earmark.scoring.submissions.collecting import (
    BLANK_LINE,
    BOM,
    BOM_BYTES,
    LINE_TOO_LONG,
    NOT_UTF8,
    TOO_LARGE,
    Collector,
    count_byte,
)
from earmark.scoring.submissions.columns import block
from earmark.scoring.submissions.header import Header, read_header
from earmark.scoring.submissions.line_ends import LineEnds, has_longer
from earmark.scoring.submissions.rows import INFINITY, MOST_RUN, NAN, NUL, NUMBER_OVERFLOW, Limits, Problem, Row

NOT_JSON = declare("submission.not-json", Severity.ERROR, "the line is no JSON")
DUPLICATE_KEY = declare("submission.duplicate-key", Severity.ERROR, "a key stands twice in one object")
TOO_DEEP = declare("submission.too-deep", Severity.ERROR, "the line is nested too deeply")
LONE_SURROGATE = declare("submission.lone-surrogate", Severity.ERROR, "a text holds half a surrogate pair")

_CODES = {
    Fault.ENCODING: NOT_UTF8,
    Fault.SYNTAX: NOT_JSON,
    Fault.NESTING: TOO_DEEP,
    Fault.REPEATED_KEY: DUPLICATE_KEY,
    Fault.NAN: NAN,
    Fault.INFINITY: INFINITY,
    Fault.OVERFLOW: NUMBER_OVERFLOW,
    Fault.SURROGATE: LONE_SURROGATE,
}

_RIGHT = {
    Fault.ENCODING: "UTF-8",
    Fault.SYNTAX: "one JSON object a line",
    Fault.NESTING: f"brackets at most {MOST_NESTING} deep",
    Fault.REPEATED_KEY: "each key once",
    Fault.NAN: "a number, or null",
    Fault.INFINITY: "a number, or null",
    Fault.OVERFLOW: "a number, or null",
    Fault.SURROGATE: "both halves of the pair, or U+FFFD",
}

_BLOCK = 1 << 20
_CHUNK = 64
_SHORT = 64
_MOST_KNOWN = 1 << 12
_SPACE = b" \t\r"
_SALVAGED = 1 << 16
_ID = re.compile(rb'"presentation_id"[ \t]*:[ \t]*"([^"\\\x00-\x1f]*)"')
_RUN = re.compile(rb'"run"[ \t]*:[ \t]*([0-9]{1,10})[ \t]*[,}]')


class Lines(NamedTuple):
    """Whole lines without their last line end; or the beginning of one line that is too long."""

    data: bytes
    first: int
    cut: bool = False


def read_lines(stream: BinaryIO, collector: Collector, *, fast: bool = True) -> Header | None:
    """Read a JSON Lines file into a collector.

    Args:
        stream: The file, opened for reading bytes.
        collector: Takes rows and findings.
        fast: Whether good rows are taken in blocks; the outcome is the same.

    Returns:
        What the first line says of the run, if it does.
    """
    header: Header | None = None
    reader = _Reader(collector, fast)
    ends = LineEnds(collector, quoted=False)
    for lines in bounded_lines(stream, collector, ends):
        data, first = lines.data, lines.first
        if first == 1 and not lines.cut:
            line, _, rest = data.partition(b"\n")
            header = _header(line, collector)
            if header is not None:
                if not rest:
                    continue
                data, first = rest, 2
        if not (reader.refuse_cut(data, first) if lines.cut else reader.take(data, first)):
            break
    ends.tell()
    return header


def bounded_lines(stream: BinaryIO, collector: Collector, ends: LineEnds) -> Iterator[Lines]:
    """The lines of a file in blocks, never holding more than a block and the longest line allowed.

    Args:
        stream: The file, opened for reading bytes.
        collector: Takes findings.
        ends: Looks at how lines end; whoever takes them lets it tell.
    """
    limits = collector.rules.limits
    line, left, rest, skipping = 1, limits.bytes, b"", False
    for data in _blocks(stream, collector):
        data, left = data[: max(0, left)], left - len(data)
        collector.cut |= left < 0
        if skipping:
            _, newline, data = data.partition(b"\n")
            skipping = not newline
            line += len(newline)
        data = rest + data
        whole, newline, rest = data.rpartition(b"\n")
        if newline:
            ends.see(data[: len(whole) + 1], line)
            yield Lines(whole, line)
            line += count_byte(whole, b"\n") + 1
        if len(rest) > limits.line:
            ends.cut()
            yield Lines(rest[:_SALVAGED], line, cut=True)
            rest, skipping = b"", True
        if left < 0:
            collector.add(TOO_LARGE, row=line, expected=f"at most {limits.bytes} bytes")
            return
    if rest and not collector.cut:
        ends.see(rest, line)
        yield Lines(rest, line)


def _blocks(stream: BinaryIO, collector: Collector) -> Iterator[bytes]:
    """The bytes of a file without its byte order mark, which is a finding."""
    head = stream.read(len(BOM_BYTES))
    if head == BOM_BYTES:
        collector.add(BOM, row=1, expected="UTF-8 without it")
        head = b""
    yield from (head[at : at + _BLOCK] for at in range(0, len(head), _BLOCK))
    while data := stream.read(_BLOCK):
        yield data


def tell_blank(numbers: Sequence[int], collector: Collector) -> None:
    """Count blank lines, of which there may be a thousand million, and name the first.

    Args:
        numbers: Which they are, ascending.
        collector: Takes findings.
    """
    for at, number in enumerate(numbers):
        if not collector.findings.keeps(BLANK_LINE, collector.name, number):
            collector.findings.count_more(BLANK_LINE, len(numbers) - at)
            return
        collector.add(BLANK_LINE, row=number)


class _Refused(NamedTuple):
    """What is wrong with a line, and what it is about as far as that can be read."""

    problems: list[Problem]
    id: str | None
    run: int


class _Reader:
    """Takes lines into a collector."""

    def __init__(self, collector: Collector, fast: bool) -> None:
        self.collector = collector
        self.fast = fast
        self.decoder = msgspec.json.Decoder(collector.structure)
        self.known: dict[bytes, _Refused] = {}

    def take(self, data: bytes, first: int) -> bool:
        """Take lines: all at once if they are good, else each by itself and the good ones at once.

        Returns:
            False once the file has more rows than are read.
        """
        count = count_byte(data, b"\n") + 1
        if self.fast and not data.strip(_SPACE + b"\n"):
            tell_blank(range(first, first + count), self.collector)
            return True
        if self.fast and count <= self.collector.room():
            rows = self._decoded(data.replace(b"\r\n", b"\n") if b"\r" in data else data, count)
            if rows is None:
                self._take_mixed(data.split(b"\n"), first)
            else:
                self._take_rows(data, first, rows, np.arange(first, first + count))
            return True
        blank: list[int] = []
        for number, line in enumerate(data.split(b"\n"), first):
            if not line or not line.strip(_SPACE):
                blank.append(number)
            elif self.collector.full(number):
                tell_blank(blank, self.collector)
                return False
            else:
                self._take_line(line, number)
        tell_blank(blank, self.collector)
        return True

    def refuse_cut(self, beginning: bytes, number: int) -> bool:
        """Refuse a line that was not read to its end."""
        if self.collector.full(number):
            return False
        self._refuse_long(beginning, number)
        return True

    def _take_rows(
        self, data: bytes | list[bytes], first: int, rows: list[msgspec.Struct], numbers: NDArray[np.int64]
    ) -> None:
        """Take decoded rows, but for those that break a rule between fields or in which a key stands twice.

        Args:
            data: The lines that they come from, and maybe others.
            first: Line of the first of those.
            rows: (n,) structures.
            numbers: (n,) line of each.
        """
        taken = block(self.collector.rules, rows, pa.array(numbers))
        if isinstance(data, bytes):
            if taken.quotes.sum() == _quotes(data) and taken.sound.all():
                self.collector.take_table(taken.table)
                return
            data = data.split(b"\n")
        marks = (_quotes(data[number - first]) for number in numbers.tolist())
        right = taken.sound & (taken.quotes == [-1 if count is None else count for count in marks])
        for number in numbers[~right].tolist():
            self._take_line(data[number - first], number)
        self.collector.take_table(taken.table.filter(pa.array(right)))

    def _take_mixed(self, lines: list[bytes], first: int) -> None:
        """Take lines of which some are not good."""
        rows: list[msgspec.Struct] = []
        numbers: list[int] = []
        blank: list[int] = []
        for begin in range(0, len(lines), _CHUNK):
            chunk = lines[begin : begin + _CHUNK]
            at_once = self._decoded(b"\n".join(chunk), len(chunk))
            if at_once is not None:
                rows += at_once
                numbers += range(first + begin, first + begin + len(chunk))
                continue
            for number, line in enumerate(chunk, first + begin):
                if not line or not line.strip(_SPACE):
                    blank.append(number)
                elif (part := self._decoded(line, 1)) is None:
                    self._take_line(line, number)
                else:
                    rows += part
                    numbers.append(number)
        tell_blank(blank, self.collector)
        self._take_rows(lines, first, rows, np.array(numbers, np.int64))

    def _decoded(self, data: bytes, count: int) -> list[msgspec.Struct] | None:
        """The structures of lines, one each, if all of them are rows by themselves; a key may stand twice in them."""
        if has_longer(data, self.collector.rules.limits.line):
            return None
        # Between `}` and `{` there can only be the end of a row, so that as many rows as lines are one row a line.
        if count > 1 and _between_objects(data) != count - 1:
            return None
        try:
            rows = self.decoder.decode_lines(data)
        except (msgspec.DecodeError, RecursionError):
            return None
        return rows if len(rows) == count else None

    def _take_line(self, line: bytes, number: int) -> None:
        if len(line) > self.collector.rules.limits.line:
            self._refuse_long(line, number)
            return
        read = self.known.get(line) or self._read(line, number)
        if isinstance(read, Row):
            self.collector.take_row(read)
            return
        if len(line) <= _SHORT and len(self.known) < _MOST_KNOWN:
            self.known[line] = read  # whoever sends one bad line often sends it again
        self.collector.refuse(number, *read)

    def _read(self, line: bytes, number: int) -> Row | _Refused:
        rules = self.collector.rules
        try:
            value, faults = examined_json(line)
        except NotStrictJson as error:
            nul = line.find(b"\0") if error.fault is Fault.SYNTAX else -1
            if nul >= 0:
                where = len(line[:nul].decode("utf-8", "replace")) + 1
                problem = Problem(NUL, found="U+0000", expected="a text without it", character=where)
            else:
                right = _RIGHT[error.fault]
                problem = Problem(_CODES[error.fault], found=error.says, expected=right, character=error.character)
            return _Refused([problem], *_salvaged(line, rules.limits))
        if not faults:
            checked = rules.check(value, number)
            return checked if isinstance(checked, Row) else _Refused(checked, *rules.identify(value))
        problems = [Problem(_CODES[fault], name, says, _RIGHT[fault]) for fault, name, says in faults]
        if isinstance(value, dict):
            problems += rules.problems(value, known={name for _, name, _ in faults if name is not None})
        plain = all(fault not in (Fault.REPEATED_KEY, Fault.SURROGATE) for fault, *_ in faults)
        return _Refused(problems, *(rules.identify(value) if plain else _salvaged(line, rules.limits)))

    def _refuse_long(self, line: bytes, number: int) -> None:
        limits = self.collector.rules.limits
        problem = Problem(LINE_TOO_LONG, expected=f"at most {limits.line} bytes")
        self.collector.refuse(number, [problem], *_salvaged(line, limits))


def _between_objects(data: bytes) -> int:
    """How many line ends stand between `}` and `{`."""
    if len(data) < _SALVAGED:
        return data.count(b"}\n{")
    marks = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(marks[1:-1] == ord("\n")) + 1
    return int(np.count_nonzero((marks[ends - 1] == ord("}")) & (marks[ends + 1] == ord("{"))))


def _quotes(data: bytes) -> int | None:
    """How many quotation marks begin or end a text, if the lines are JSON; None where there may be U+0000."""
    if b"\\" not in data:
        return data.count(b'"') if len(data) < _SALVAGED else count_byte(data, b'"')
    if b"\\u0000" in data:
        return None
    if b"\\\\" in data:
        data = data.replace(b"\\\\", b"")
    if len(data) < _SALVAGED:
        return data.count(b'"') - data.count(b'\\"')
    marks = np.frombuffer(data, np.uint8)
    found = marks == ord('"')
    return int(np.count_nonzero(found)) - int(np.count_nonzero(found[1:] & (marks[:-1] == ord("\\"))))


def _header(line: bytes, collector: Collector) -> Header | None:
    if b"earmark" not in line or len(line) > collector.rules.limits.line:
        return None
    try:
        value, faults = examined_json(line)
    except NotStrictJson:
        return None
    if not isinstance(value, dict) or set(value) != {"earmark"}:
        return None
    for fault, name, says in faults:
        collector.findings.add(
            _CODES[fault], file=collector.name, row=1, column=name, found=says, expected=_RIGHT[fault]
        )
    # What can be read in two ways is not read at all.
    return Header() if faults else read_header(value["earmark"], collector.name, collector.findings)


def _salvaged(line: bytes, limits: Limits) -> tuple[str | None, int]:
    """Which presentation and run a line that is no JSON is about, where it plainly says one."""
    # No more of a line is looked at than is at hand of one that was not read to its end.
    most = min(_SALVAGED, limits.line)
    ids, runs = set(_ID.findall(line, 0, most)), set(_RUN.findall(line, 0, most))
    id = ids.pop().decode("utf-8", "replace") if len(ids) == 1 else ""
    run = int(runs.pop()) if len(runs) == 1 else 0
    return (id if 0 < len(id) <= limits.id else None), (run if run <= MOST_RUN else 0)
