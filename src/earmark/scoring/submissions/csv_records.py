"""Where the records and cells of CSV stand in a block of bytes, for all of them at once, and about which nothing is in doubt.

A block is whole records. Where quotation marks, commas and line ends stand proves of nearly every record that any reader of
RFC 4180 sees the same cells. Those of a column are cut out together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from earmark.scoring.submissions.collecting import count_byte

_COMMA, _QUOTE, _NEWLINE, _RETURN = b',"\n\r'
_LONGEST = 1 << 16


@dataclass(frozen=True)
class Records:
    """The records of a block.

    Args:
        begins: (n,) byte on which each begins.
        ends: (n,) byte after its last, without the line end.
        lines: (n,) line on which it begins, from 1.
        plain: (n,) whether any reader takes the same cells from it, as many as there are columns.
        marks: The bytes of the block, and a line end.
        separators: (k,) bytes on which a cell has ended, ascending.
        last: (n,) which of those is the end of each record.
        doubled: Bytes of the quotation marks that only double another.
    """

    begins: NDArray[np.int64]
    ends: NDArray[np.int64]
    lines: NDArray[np.int64]
    plain: NDArray[np.bool_]
    marks: NDArray[np.uint8]
    separators: NDArray[np.int64]
    last: NDArray[np.int64]
    doubled: NDArray[np.int64]

    def blank(self) -> NDArray[np.bool_]:
        """(n,) which are blank lines of the block."""
        sizes = self.ends - self.begins
        blank: NDArray[np.bool_] = (sizes == 0) | ((sizes == 1) & (self.marks[self.begins] == _RETURN))
        return blank

    def cells(self, columns: int) -> list[pa.StringArray]:
        """The cells of the plain records by column, null where they are empty.

        Args:
            columns: How many there are.
        """
        rows = np.flatnonzero(self.plain)
        ends = self.separators[self.last[rows, None] + np.arange(1 - columns, 1)]
        begins = np.column_stack([self.begins[rows], ends[:, :-1] + 1])
        ends[:, -1] -= self.marks[ends[:, -1] - 1] == _RETURN
        quoted = self.marks[begins] == _QUOTE
        begins, ends = begins + quoted, ends - quoted
        marks = self.marks
        if len(self.doubled):
            marks = np.delete(marks, self.doubled)
            begins -= np.searchsorted(self.doubled, begins)
            ends -= np.searchsorted(self.doubled, ends)
        # Of all that stands between these places every other piece is a cell.
        places = np.stack([begins, ends], axis=-1).astype(np.int32)
        pieces = pa.StringArray.from_buffers(places.size - 1, pa.py_buffer(places), pa.py_buffer(marks))
        at, empty = np.arange(0, places.size, 2).reshape(ends.shape), begins == ends
        return [pieces.take(pa.array(at[:, n], mask=empty[:, n].copy())) for n in range(columns)]


def whole_records(data: bytes) -> int:
    """How many bytes are whole records and their line ends, if the block begins with a record and its last line is whole.

    Args:
        data: Lines without the last line end.

    Returns:
        The length of `data`, or where its last record begins if a quoted cell of it is still open.
    """
    if count_byte(data, b'"') % 2 == 0:
        return len(data)
    marks = np.frombuffer(data, np.uint8)
    ends, quotes = np.flatnonzero(marks == _NEWLINE), np.flatnonzero(marks == _QUOTE)
    ends = ends[np.searchsorted(quotes, ends) % 2 == 0]
    return int(ends[-1]) + 1 if len(ends) else 0


def records(data: bytes, first: int, columns: int, longest: int) -> Records:
    """Where the records of a block are.

    Args:
        data: Whole records without the last line end.
        first: Line on which the first begins.
        columns: How many cells a record has.
        longest: Bytes that a record has at most.
    """
    marks = np.frombuffer(data + b"\n", np.uint8)
    found = marks == _COMMA
    found |= marks == _NEWLINE
    found |= marks == _QUOTE
    places = np.flatnonzero(found)
    kinds = marks[places]
    quotes = kinds == _QUOTE
    within = np.cumsum(quotes, dtype=np.uint8) & 1 == 1  # which wraps around at an even number
    outside = np.flatnonzero(~(quotes | within))
    separators = places[outside]
    last = np.flatnonzero(kinds[outside] == _NEWLINE)
    ends = separators[last]
    begins = np.append(0, ends[:-1] + 1)
    lines = first + np.searchsorted(places[kinds == _NEWLINE], begins)
    plain = (np.diff(last, prepend=-1) == columns) & (ends - begins <= min(longest, _LONGEST))
    doubled, misplaced = _doubled(marks, places[quotes])
    plain[np.searchsorted(ends, misplaced)] = False
    if b"\r" in data:
        plain[np.searchsorted(ends, _returns(marks, ends))] = False
    if b"\0" in data:
        plain[np.searchsorted(ends, np.flatnonzero(marks == 0))] = False
    if not data.isascii():
        plain[np.searchsorted(ends, _not_utf8(data))] = False
    plain &= ends - begins > (marks[ends - 1] == _RETURN)
    return Records(begins, ends, lines, plain, marks, separators, last, doubled)


def _doubled(marks: NDArray[np.uint8], quotes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Quotation marks that double the one before them, and those that neither do so nor begin or end a cell.

    There is an even number in a block.
    """
    opens, closes = quotes[::2], quotes[1::2]
    before, after = marks[opens - 1], marks[closes + 1]  # before the first byte comes the last: a line end
    doubled = before == _QUOTE
    begins = (before == _COMMA) | (before == _NEWLINE) | doubled
    ends = (after == _COMMA) | (after == _NEWLINE) | (after == _QUOTE) | (after == _RETURN)
    return opens[doubled], np.append(opens[~begins], closes[~ends])


def _returns(marks: NDArray[np.uint8], ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """Carriage returns that are neither within quotes nor part of a line end."""
    loose = (marks == _RETURN) & ~np.logical_xor.accumulate(marks == _QUOTE)
    last = ends[(ends > 0) & (marks[ends - 1] == _RETURN)] - 1
    loose[last] = False
    return np.flatnonzero(loose)


def _not_utf8(data: bytes) -> NDArray[np.int64]:
    """A byte of each line that is not UTF-8."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        places, begin = [], 0
        for line in data.split(b"\n"):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                places.append(begin + error.start)
            begin += len(line) + 1
        return np.array(places, np.int64)
    return np.empty(0, np.int64)
