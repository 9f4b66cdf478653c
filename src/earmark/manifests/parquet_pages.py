"""What a Parquet file holds by the headers of its pages, which bound what is taken in memory, whatever its footer says.

A footer may say that a column is small, and each page still stands for gigabytes. Only what bounds are made of is read here, in
Thrift's compact protocol; whatever is odd about it is refused, since Arrow might see something else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import add
from typing import BinaryIO, NamedTuple, NoReturn, TypeAlias

MOST_METADATA = 1 << 22
"""Bytes of the largest footer that is read."""

MOST_PAGE = 1 << 26
"""Bytes of the largest page, unpacked; writers begin a new one after one or eight megabytes."""

MOST_PAGES = 1 << 15
"""How many pages a file may have."""

MOST_HEADERS = 1 << 22
"""Bytes of the headers of all pages together but for texts in them, which cost nothing; columns may share a page."""

MOST_SCHEMA = 1 << 12
"""How many entries its schema may have: Arrow goes down into each that stands in another."""

_MOST_STRUCTURES = 1 << 17
_MOST_NESTING = 16
_HEADER, _LONGEST_HEADER = 1 << 10, 1 << 16
_TRUE, _FALSE, _BYTE, _INT16, _INT32, _INT64, _DOUBLE, _BINARY, _LIST, _SET = range(1, 11)
_STRUCTURE = 12
_BITS = {_INT16: 16, _INT32: 32, _INT64: 64}
_MOST_FIELD = (1 << 15) - 1
_HEADS = {0: 5, 1: 6, 2: 7, 3: 8}
_DICTIONARY = 2
_DATA = {0: 2, 3: 4}
"""Kinds of page that hold values, and the field that says how; an index (1) and a dictionary (2) hold none."""

_PLAIN, _BY_DICTIONARY = 0, (2, 8)

_Value: TypeAlias = "int | bytes | list[_Value] | _Fields"
_Fields: TypeAlias = "dict[int, tuple[int, _Value]]"
"""Fields of a structure: the type and the value of each, since whoever expects another type passes it over."""


class OddParquet(ValueError):
    """A file whose bounds cannot be told."""


class Column(NamedTuple):
    """What the pages of a column come to.

    Args:
        bytes: Unpacked.
        values: Nulls among them: of a list, all its entries.
        written_out: The most bytes that its texts could come to, where each value stands for the longest there may be.
    """

    bytes: int
    values: int
    written_out: int


class _Page(NamedTuple):
    """What a page adds to its column, and bytes of its header but for texts in it."""

    held: Column
    header: int


@dataclass(frozen=True)
class Held:
    """What a file holds.

    Args:
        rows: By its own account.
        group_rows: By that of its row groups.
        bytes: Of all pages once they are unpacked, or as the row groups say if that is more.
        columns: In the order of the schema, whose names count and not those that a row group gives them.
    """

    rows: int
    group_rows: int
    bytes: int
    columns: tuple[Column, ...]


def held(stream: BinaryIO, most_bytes: int) -> Held:
    """What the pages of a file come to, without unpacking any.

    Args:
        stream: The file.
        most_bytes: Where there are more, no further page is looked at.

    Raises:
        OddParquet: If that cannot be told.
    """
    footer, end = _footer(stream)
    groups = _structures(footer, 4)
    rows, said = (sum(_amount(group, field) for group in groups) for field in (3, 2))
    unpacked, headers, columns = 0, 0, [Column(0, 0, 0)] * _leaves(footer)
    for count, (at, page) in enumerate(_pages(stream, groups, len(columns), end), 1):
        headers += page.header
        if count > MOST_PAGES or headers > MOST_HEADERS:
            raise OddParquet(f"more than {MOST_PAGES} pages, or {MOST_HEADERS} bytes of their headers")
        unpacked += page.held.bytes
        columns[at] = Column(*map(add, columns[at], page.held))
        if max(said, unpacked) > most_bytes:
            break
    return Held(_number(footer, 3), rows, max(said, unpacked), tuple(columns))


def _footer(stream: BinaryIO) -> tuple[_Fields, int]:
    """The file's metadata, and where they begin."""
    size = stream.seek(0, 2)
    stream.seek(max(0, size - 8))
    tail = stream.read(8)
    length = int.from_bytes(tail[:4], "little")
    if tail[4:] != b"PAR1" or size < length + 12:
        raise OddParquet("it does not end as Parquet does")
    if length > MOST_METADATA:
        raise OddParquet(f"metadata of {length} bytes, and at most {MOST_METADATA} are read")
    stream.seek(size - 8 - length)
    return _Thrift(stream.read(length)).whole(), size - 8 - length


def _leaves(footer: _Fields) -> int:
    """How many columns its schema has."""
    entries = _structures(footer, 2)
    if len(entries) > MOST_SCHEMA:
        raise OddParquet(f"a schema of {len(entries)} entries, and at most {MOST_SCHEMA} are read")
    return sum(5 not in entry or _amount(entry, 5, _INT32) == 0 for entry in entries[1:])


def _pages(stream: BinaryIO, groups: list[_Fields], leaves: int, end: int) -> Iterator[tuple[int, _Page]]:
    """The pages of all columns, group by group, and which column each is of."""
    for group in groups:
        rows, chunks = _amount(group, 3), _structures(group, 1)
        if len(chunks) != leaves:
            raise OddParquet(f"{len(chunks)} columns in a row group, where its schema has {leaves}")
        for at, chunk in enumerate(chunks):
            column = _structure(chunk, 3)
            wanted, found = _amount(column, 5), 0
            # A group without rows has no pages, and says nothing of where they are.
            for page in _pages_of(stream, column, end) if wanted else ():
                found += page.held.values
                yield at, page
            if found != wanted or wanted < rows:
                raise OddParquet(f"{found} values in the pages of a column that says {wanted}, of {rows} rows")


def _pages_of(stream: BinaryIO, column: _Fields, end: int) -> Iterator[_Page]:
    """What each page of a column in a row group comes to."""
    at, size, words = _number(column, 9), _amount(column, 7), 0
    if 11 in column and 0 < _number(column, 11) < at:  # where its dictionary begins
        at = _number(column, 11)
    last = at + size
    if not 4 <= at <= last <= end:
        raise OddParquet(f"a column from byte {at} to {last} of {end}")
    while at < last:
        header, length, texts = _page_header(stream, at)
        begins = at + length
        kind, unpacked, packed = (_amount(header, field, _INT32) for field in (1, 2, 3))
        if unpacked > MOST_PAGE:
            raise OddParquet(f"a page of {unpacked} bytes, and at most {MOST_PAGE} are read")
        if begins + packed > last or kind not in _HEADS:
            raise OddParquet(f"a page of kind {kind} and {packed} bytes, {last - begins} before the end of its column")
        values, written_out = 0, 0
        if kind == _DICTIONARY:
            words = unpacked
        elif kind in _DATA:
            head = _structure(header, _HEADS[kind])
            values, encoding = _amount(head, 1, _INT32), _amount(head, _DATA[kind], _INT32)
            written_out = (
                unpacked if encoding == _PLAIN else values * (words if encoding in _BY_DICTIONARY else unpacked)
            )
        yield _Page(Column(unpacked, values, written_out), length - texts)
        at = begins + packed


def _page_header(stream: BinaryIO, at: int) -> tuple[_Fields, int, int]:
    """The header that begins at a byte, how long it is, and how much of that is texts."""
    for length in (_HEADER, _LONGEST_HEADER):
        stream.seek(at)
        thrift = _Thrift(stream.read(length))
        try:
            return thrift.whole(), thrift.at, thrift.texts
        except OddParquet:
            if length == _LONGEST_HEADER:
                raise
    raise AssertionError


def _number(of: _Fields, field: int, kind: int = _INT64) -> int:
    found, value = of.get(field, (0, 0))
    return value if found == kind and isinstance(value, int) else _odd(field)


def _amount(of: _Fields, field: int, kind: int = _INT64) -> int:
    number = _number(of, field, kind)
    return number if number >= 0 else _odd(field)


def _structure(of: _Fields, field: int) -> _Fields:
    _, value = of.get(field, (0, 0))
    return value if isinstance(value, dict) else _odd(field)


def _structures(of: _Fields, field: int) -> list[_Fields]:
    kind, value = of.get(field, (0, 0))
    if kind != _LIST or not isinstance(value, list):
        _odd(field)
    found = [entry for entry in value if isinstance(entry, dict)]
    return found if len(found) == len(value) else _odd(field)


def _odd(field: int) -> NoReturn:
    raise OddParquet(f"field {field} of its metadata is missing, or of another type")


class _Thrift:
    """Values in Thrift's compact protocol.

    Args:
        data: Where they stand.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._left = _MOST_STRUCTURES
        self.at = 0
        self.texts = 0

    def whole(self) -> _Fields:
        """The structure that begins here.

        Raises:
            OddParquet: If it has no end, or has a field twice.
        """
        try:
            return self._structure(0)
        except IndexError:
            raise OddParquet("its metadata have no end") from None

    def _structure(self, depth: int) -> _Fields:
        fields: _Fields = {}
        field = 0
        self._left -= 1
        if depth > _MOST_NESTING or self._left < 0:
            raise OddParquet("its metadata are nested too deeply, or too many")
        while head := self._byte():
            step = head >> 4
            field = field + step if step else self._signed(_INT16)
            if field in fields or not 0 < field <= _MOST_FIELD:
                raise OddParquet(f"field {field} of its metadata stands twice, or cannot be")
            kind = head & 15
            fields[field] = kind, kind if kind in (_TRUE, _FALSE) else self._value(kind, depth + 1)
        return fields

    def _value(self, kind: int, depth: int) -> _Value:
        if kind in _BITS:
            return self._signed(kind)
        if kind in (_TRUE, _FALSE, _BYTE):  # in a list each takes a byte
            return self._byte()
        if kind == _STRUCTURE:
            return self._structure(depth)
        if kind in (_DOUBLE, _BINARY):
            return self._bytes(8 if kind == _DOUBLE else self._unsigned())
        if kind in (_LIST, _SET) and depth <= _MOST_NESTING:
            head = self._byte()
            count = head >> 4 if head < 0xF0 else self._unsigned()
            if count > len(self._data) - self.at:  # each takes a byte or more
                raise IndexError
            return [self._value(head & 15, depth + 1) for _ in range(count)]
        raise OddParquet(f"its metadata have a value of kind {kind}")

    def _bytes(self, length: int) -> bytes:
        begin, self.at, self.texts = self.at, self.at + length, self.texts + length
        if self.at > len(self._data):
            raise IndexError
        return self._data[begin : self.at]

    def _byte(self) -> int:
        byte = self._data[self.at]
        self.at += 1
        return byte

    def _unsigned(self) -> int:
        number, shift = 0, 0
        while True:
            byte = self._byte()
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                return number
            shift += 7
            if shift > 63:
                raise OddParquet("its metadata have a number beyond 64 bits")

    def _signed(self, kind: int) -> int:
        number = self._unsigned()
        if number >> _BITS[kind]:
            raise OddParquet(f"its metadata have a number beyond {_BITS[kind]} bits")
        return number >> 1 ^ -(number & 1)
