"""CSV in blocks: many records at once where nothing about them is in doubt, and the rest named so that it is read strictly.

A block is whole records of bytes. Where quotation marks, commas and line ends stand is looked at in all of it at once, which
proves of nearly every record that any reader of RFC 4180 sees the same cells. What is proven is cut out, decoded by Arrow with
all cells as text, and every column checked. A record that is doubted may still be good: the strict reader decides.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from earmark.manifests.grammars import MOST_EVIDENCE
from earmark.scoring.submissions.collecting import BOM_BYTES, count_byte
from earmark.scoring.submissions.columns import COLUMNS, sound
from earmark.scoring.submissions.rows import MOST_COST, MOST_RUN, STATUSES, Rules

_COMMA, _QUOTE, _NEWLINE, _RETURN = b',"\n\r'
_LONGEST = 1 << 16
_WHOLE = r"^(?:0|[1-9][0-9]{0,17})$"
_REAL = r"^(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,40})?(?:[eE][+-]?[0-9]{1,2})?$"
_MOST = {"run": MOST_RUN, "probability": 1}
_WORDS = {"status": STATUSES}
_LISTS = msgspec.json.Decoder(list[str])


class Records(NamedTuple):
    """The records of a block.

    Args:
        begins: (n,) byte on which each begins.
        ends: (n,) byte after its last, without the line end.
        lines: (n,) line on which it begins, from 1.
        plain: (n,) whether any reader takes the same cells from it, as many as there are columns.
    """

    begins: NDArray[np.int64]
    ends: NDArray[np.int64]
    lines: NDArray[np.int64]
    plain: NDArray[np.bool_]

    def blank(self, data: bytes) -> NDArray[np.bool_]:
        """(n,) which are blank lines of the block."""
        sizes = self.ends - self.begins
        returns = np.frombuffer(data + b"\n", np.uint8)[self.begins] == _RETURN
        blank: NDArray[np.bool_] = (sizes == 0) | ((sizes == 1) & returns)
        return blank


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
    ends = _outside(np.flatnonzero(marks == _NEWLINE), np.flatnonzero(marks == _QUOTE))
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
    quotes = np.flatnonzero(marks == _QUOTE)
    places = _outside(np.flatnonzero((marks == _COMMA) | (marks == _NEWLINE)), quotes)
    at = np.flatnonzero(marks[places] == _NEWLINE)
    ends = places[at]
    begins = np.append(0, ends[:-1] + 1)
    plain = (np.diff(at, prepend=-1) == columns) & (ends - begins <= min(longest, _LONGEST))
    lines = first + np.arange(len(ends))
    if len(quotes):
        lines = first + np.flatnonzero(marks == _NEWLINE).searchsorted(begins)
        plain[np.searchsorted(ends, _misplaced(marks, quotes))] = False
    doubtful = [_returns(marks, ends)] if b"\r" in data else []
    if b"\0" in data:
        doubtful.append(np.flatnonzero(marks == 0))
    if not data.isascii():
        doubtful.append(_not_utf8(data))
    if BOM_BYTES in data:
        # Where one stands first in what is left, Arrow would take it for the file's own.
        doubtful.append(np.array([found.start() for found in re.finditer(BOM_BYTES, data)]))
    for some in doubtful:
        plain[np.searchsorted(ends, some)] = False
    plain &= ends - begins > (marks[ends - 1] == _RETURN)
    return Records(begins, ends, lines, plain)


def good_rows(
    rules: Rules, data: bytes, found: Records, columns: Sequence[str]
) -> tuple[pa.Table, NDArray[np.int64]] | None:
    """The rows of the records that are plain and keep every rule.

    Args:
        rules: What rows may say.
        data: The block.
        found: Its records.
        columns: Names of the columns.

    Returns:
        The rows with the columns of `COLUMNS`, and the numbers of all other records, ascending.
    """
    import pyarrow.csv as pc_csv

    plain = np.flatnonzero(found.plain)
    if not len(plain):
        return None
    try:
        texts = pc_csv.read_csv(
            pa.BufferReader(data) if len(plain) == len(found.plain) else io.BytesIO(_cut_out(data, found)),
            pc_csv.ReadOptions(use_threads=False, block_size=len(data) + 2, column_names=list(columns)),
            pc_csv.ParseOptions(newlines_in_values=b'"' in data),
            pc_csv.ConvertOptions(
                column_types=dict.fromkeys(columns, pa.string()), null_values=[""], strings_can_be_null=True
            ),
        )
    except pa.ArrowInvalid:
        return None
    if texts.num_rows != len(plain):
        return None
    good = np.ones(len(plain), np.bool_)
    cells = {name: texts[name].combine_chunks() for name in columns}
    arrays = []
    for field in COLUMNS:
        if field.name == "line":
            arrays.append(pa.array(found.lines[plain]))
        elif field.name in cells:
            array, right = _column(rules, field, cells[field.name])
            arrays.append(array)
            if right is not None:
                good &= right
        elif field.nullable:
            arrays.append(pa.nulls(len(plain), field.type))
        else:
            value = STATUSES[0] if field.name == "status" else 0
            arrays.append(pa.repeat(pa.scalar(value, field.type), len(plain)))
    table = pa.Table.from_arrays(arrays, schema=COLUMNS)
    good &= sound(table)
    if good.all():
        return table, np.flatnonzero(~found.plain)
    others = np.ones(len(found.plain), np.bool_)
    others[plain[good]] = False
    return table.filter(pa.array(good)), np.flatnonzero(others)


def _outside(places: NDArray[np.int64], quotes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The places, ascending, before which there is an even number of quotation marks."""
    return places[np.searchsorted(quotes, places) % 2 == 0] if len(quotes) else places


def _misplaced(marks: NDArray[np.uint8], quotes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Quotation marks that neither begin nor end a cell nor stand doubled within one; the block has an even number."""
    opens, closes = quotes[::2], quotes[1::2]
    before, after = marks[opens - 1], marks[closes + 1]  # before the first byte comes the last: a line end
    begins = (before == _COMMA) | (before == _NEWLINE) | (before == _QUOTE)
    ends = (after == _COMMA) | (after == _NEWLINE) | (after == _QUOTE) | (after == _RETURN)
    return np.append(opens[~begins], closes[~ends])


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


def _cut_out(data: bytes, found: Records) -> bytes:
    """The plain records alone, each with a line end."""
    edges = np.flatnonzero(np.diff(found.plain, prepend=False, append=False))
    begins, ends = found.begins[edges[::2]].tolist(), found.ends[edges[1::2] - 1].tolist()
    return b"\n".join(data[begin:end] for begin, end in zip(begins, ends, strict=True))


def _column(rules: Rules, field: pa.Field, cells: pa.Array) -> tuple[pa.Array, NDArray[np.bool_] | None]:
    """Cells of one column, null where empty, as its field's type, and which of them its rules take; None where all are."""
    limits = rules.limits
    if pa.types.is_list(field.type):
        return _lists(cells, limits.evidence)
    if pa.types.is_integer(field.type) or pa.types.is_floating(field.type):
        return _numbers(field, cells)
    words = {**_WORDS, "choice": rules.choices}.get(field.name)
    if words is not None:
        if field.name == "status":
            cells = pc.fill_null(cells, STATUSES[0])
        if cells.null_count == len(cells):
            return cells, None
        known = pc.or_(pc.is_in(cells, pa.array(list(words), pa.string())), pc.is_null(cells))
        return cells, _unless_all(known)
    length = pc.utf8_length(cells)
    most = limits.id if field.name == "presentation_id" else limits.response
    short = pc.fill_null(pc.less_equal(length, most), field.nullable)
    return pc.fill_null(cells, "") if not field.nullable else cells.cast(field.type), _unless_all(short)


def _numbers(field: pa.Field, cells: pa.Array) -> tuple[pa.Array, NDArray[np.bool_] | None]:
    """Numbers as JSON spells them; each different spelling is looked at once."""
    encoded = cells.dictionary_encode()
    spelt = encoded.dictionary
    whole = pa.types.is_integer(field.type)
    right = pc.match_substring_regex(spelt, _WHOLE if whole else _REAL)
    values = pc.if_else(right, spelt, "0").cast(field.type)
    right = pc.and_(right, pc.less_equal(values, _MOST.get(field.name, MOST_COST)))
    array = values.take(encoded.indices)
    good = pc.fill_null(right.take(encoded.indices), True)
    return (array if field.nullable else pc.fill_null(array, 0)), _unless_all(good)


def _lists(cells: pa.Array, most: int) -> tuple[pa.Array, NDArray[np.bool_] | None]:
    """JSON lists of texts."""
    good = np.ones(len(cells), np.bool_)
    if cells.null_count == len(cells):
        return pa.nulls(len(cells), pa.list_(pa.string())), None
    values: list[list[str] | None] = []
    for n, cell in enumerate(cells.to_pylist()):
        entries = None
        if cell is not None:
            try:
                entries = _LISTS.decode(cell)
            except (msgspec.DecodeError, RecursionError):
                good[n] = False
            else:
                good[n] = len(entries) <= MOST_EVIDENCE and all(len(e) <= most and "\0" not in e for e in entries)
        values.append(entries)
    return pa.array(values, pa.list_(pa.string())), good


def _unless_all(good: pa.Array) -> NDArray[np.bool_] | None:
    if pc.all(good).as_py():
        return None
    found: NDArray[np.bool_] = good.to_numpy(zero_copy_only=False)
    return found
