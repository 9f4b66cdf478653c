"""What a Parquet file holds by the headers of its pages, which bound what is taken in memory, whatever its footer says.

A footer may say that a column is small, and each page still stands for gigabytes. Only what bounds are made of is read here:
headers, and the dictionaries of texts as far as they are small.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import add
from typing import BinaryIO, NamedTuple

from earmark.manifests.parquet.dictionaries import MOST_ENTRIES, Dictionaries, Dictionary
from earmark.manifests.parquet.thrift import (
    INT32,
    Fields,
    OddParquet,
    Thrift,
    amount_of,
    number_of,
    structure_of,
    structures_of,
)

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

_HEADER, _LONGEST_HEADER = 1 << 10, 1 << 16
_HEADS = {0: 5, 1: 6, 2: 7, 3: 8}
_DICTIONARY = 2
_DATA = {0: 2, 3: 4}
"""Kinds of page that hold values, and the field that says how; an index (1) and a dictionary (2) hold none."""

_IN_FULL, _BY_DICTIONARY = (0, 6), (2, 8)
"""Encodings: each text as it is (plainly, or all lengths before all texts), or by its place in the dictionary."""

_TEXT = 6


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


def held(stream: BinaryIO, most_bytes: int, *, most_entries: int = MOST_ENTRIES) -> Held:
    """What the pages of a file come to, without unpacking any but small dictionaries.

    Args:
        stream: The file.
        most_bytes: Where there are more, no further page is looked at.
        most_entries: How many entries of dictionaries are looked at; with 0 each is taken to be as long as all of them.

    Raises:
        OddParquet: If that cannot be told.
    """
    footer, end = _footer(stream)
    groups = structures_of(footer, 4)
    rows, said = (sum(amount_of(group, field) for group in groups) for field in (3, 2))
    unpacked, headers, columns = 0, 0, [Column(0, 0, 0)] * _leaves(footer)
    for count, (at, page) in enumerate(
        _pages(stream, groups, len(columns), end, Dictionaries(stream, most_entries)), 1
    ):
        headers += page.header
        if count > MOST_PAGES or headers > MOST_HEADERS:
            raise OddParquet(f"more than {MOST_PAGES} pages, or {MOST_HEADERS} bytes of their headers")
        unpacked += page.held.bytes
        columns[at] = Column(*map(add, columns[at], page.held))
        if max(said, unpacked) > most_bytes:
            break
    return Held(number_of(footer, 3), rows, max(said, unpacked), tuple(columns))


def chunks(stream: BinaryIO) -> list[list[tuple[int, int]]]:
    """Where each column of each row group lies: the byte that it begins at, and the one behind it.

    Raises:
        OddParquet: If that cannot be told.
    """
    footer, end = _footer(stream)
    found = []
    for group in structures_of(footer, 4):
        columns = [structure_of(chunk, 3) for chunk in structures_of(group, 1)]
        found.append([_place(column, end) for column in columns])
    return found


def _footer(stream: BinaryIO) -> tuple[Fields, int]:
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
    return Thrift(stream.read(length)).whole(), size - 8 - length


def _leaves(footer: Fields) -> int:
    """How many columns its schema has."""
    entries = structures_of(footer, 2)
    if len(entries) > MOST_SCHEMA:
        raise OddParquet(f"a schema of {len(entries)} entries, and at most {MOST_SCHEMA} are read")
    return sum(5 not in entry or amount_of(entry, 5, INT32) == 0 for entry in entries[1:])


def _pages(
    stream: BinaryIO, groups: list[Fields], leaves: int, end: int, dictionaries: Dictionaries
) -> Iterator[tuple[int, _Page]]:
    """The pages of all columns, group by group, and which column each is of."""
    for group in groups:
        rows, chunks = amount_of(group, 3), structures_of(group, 1)
        if len(chunks) != leaves:
            raise OddParquet(f"{len(chunks)} columns in a row group, where its schema has {leaves}")
        for at, chunk in enumerate(chunks):
            column = structure_of(chunk, 3)
            wanted, found = amount_of(column, 5), 0
            # A group without rows has no pages, and says nothing of where they are.
            for page in _pages_of(stream, column, end, dictionaries) if wanted else ():
                found += page.held.values
                yield at, page
            if found != wanted or wanted < rows:
                raise OddParquet(f"{found} values in the pages of a column that says {wanted}, of {rows} rows")


def _place(column: Fields, end: int) -> tuple[int, int]:
    """The byte that a column of a row group begins at, and the one behind it."""
    at, size = number_of(column, 9), amount_of(column, 7)
    if 11 in column and 0 < number_of(column, 11) < at:  # where its dictionary begins
        at = number_of(column, 11)
    if not 4 <= at <= at + size <= end:
        raise OddParquet(f"a column from byte {at} to {at + size} of {end}")
    return at, at + size


def _pages_of(stream: BinaryIO, column: Fields, end: int, dictionaries: Dictionaries) -> Iterator[_Page]:
    """What each page of a column in a row group comes to."""
    (at, last), longest = _place(column, end), 0
    while at < last:
        header, length, texts = _page_header(stream, at)
        begins = at + length
        kind, unpacked, packed = (amount_of(header, field, INT32) for field in (1, 2, 3))
        if unpacked > MOST_PAGE:
            raise OddParquet(f"a page of {unpacked} bytes, and at most {MOST_PAGE} are read")
        if begins + packed > last or kind not in _HEADS:
            raise OddParquet(f"a page of kind {kind} and {packed} bytes, {last - begins} before the end of its column")
        values, written_out = 0, 0
        if kind == _DICTIONARY:
            entries = amount_of(structure_of(header, _HEADS[kind]), 1, INT32)
            page = Dictionary(begins, packed, unpacked, entries, amount_of(column, 4, INT32))
            longest = max(longest, dictionaries.longest(page) if amount_of(column, 1, INT32) == _TEXT else unpacked)
        elif kind in _DATA:
            head = structure_of(header, _HEADS[kind])
            values, encoding = amount_of(head, 1, INT32), amount_of(head, _DATA[kind], INT32)
            of_each = longest if encoding in _BY_DICTIONARY else unpacked
            written_out = unpacked if encoding in _IN_FULL else values * of_each
        yield _Page(Column(unpacked, values, written_out), length - texts)
        at = begins + packed


def _page_header(stream: BinaryIO, at: int) -> tuple[Fields, int, int]:
    """The header that begins at a byte, how long it is, and how much of that is texts."""
    for length in (_HEADER, _LONGEST_HEADER):
        stream.seek(at)
        thrift = Thrift(stream.read(length))
        try:
            return thrift.whole(), thrift.at, thrift.texts
        except OddParquet:
            if length == _LONGEST_HEADER:
                raise
    raise AssertionError
