"""Parquet footers that lie: the metadata of an honest file, read and written again in Thrift's compact protocol."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import TypeAlias

import pyarrow as pa

Value: TypeAlias = "int | bytes | List | Struct"
Struct: TypeAlias = "list[tuple[int, int, Value]]"
List: TypeAlias = "tuple[int, list[Value]]"

_GROUPS, _KEYS = 4, 5
_OF_GROUP = {"total_byte_size": 2, "num_rows": 3}
_OF_COLUMN = {"num_values": 5, "total_uncompressed_size": 6, "total_compressed_size": 7, "data_page_offset": 9}
_PATH, _SIZE_STATISTICS, _HISTOGRAM = 3, 16, 3


def changed_footer(
    data: bytes,
    *,
    schema: pa.Schema | None = None,
    histogram: Sequence[int] | None = None,
    path: Sequence[str] = (),
    **numbers: int,
) -> bytes:
    """A file with another footer.

    Args:
        data: A Parquet file.
        schema: Stored as the schema that Arrow wrote.
        histogram: Definition levels by the statistics of its columns of lists.
        path: Names that every row group gives its columns of lists.
        numbers: Fields of every row group (total_byte_size, num_rows) and column that are to say something else.
    """
    at = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    footer, _ = _struct(data, at)
    for group in _get(footer, _GROUPS)[1]:
        for name in numbers.keys() & _OF_GROUP.keys():
            _set(group, _OF_GROUP[name], numbers[name])
        for chunk in _get(group, 1)[1]:
            column = _get(chunk, 3)
            for name in numbers.keys() - _OF_GROUP.keys():
                _set(column, _OF_COLUMN[name], numbers[name])
            listed = len(_get(column, _PATH)[1]) > 1
            if histogram is not None and listed:
                _set(_get(column, _SIZE_STATISTICS), _HISTOGRAM, (6, list(histogram)))
            if path and listed:
                _set(column, _PATH, (8, [name.encode() for name in path]))
    if schema is not None:
        for entry in _get(footer, _KEYS)[1]:
            _set(entry, 2, base64.b64encode(schema.serialize().to_pybytes()))
    written = _written(12, footer)
    return data[:at] + written + len(written).to_bytes(4, "little") + b"PAR1"


def _get(struct: Struct, field: int):  # type: ignore[no-untyped-def]  # whatever stands there
    return next(value for name, _, value in struct if name == field)


def _set(struct: Struct, field: int, value: Value) -> None:
    at = next(n for n, entry in enumerate(struct) if entry[0] == field)
    struct[at] = (field, struct[at][1], value)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte, at = data[at], at + 1
        number, shift = number | (byte & 127) << shift, shift + 7
        if byte < 128:
            return number, at


def _read(data: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind in (1, 2):
        return int(kind == 1), at
    if kind in (4, 5, 6):
        number, at = _varint(data, at)
        return number >> 1 ^ -(number & 1), at
    if kind == 8:
        length, at = _varint(data, at)
        return data[at : at + length], at + length
    if kind == 9:
        head, at = data[at], at + 1
        count = head >> 4
        if count == 15:
            count, at = _varint(data, at)
        entries: list[Value] = []
        for _ in range(count):
            entry, at = _read(data, at, head & 15)
            entries.append(entry)
        return (head & 15, entries), at
    assert kind == 12, kind
    return _struct(data, at)


def _struct(data: bytes, at: int) -> tuple[Struct, int]:
    fields: Struct = []
    field = 0
    while head := data[at]:
        at, kind = at + 1, head & 15
        if head >> 4:
            field += head >> 4
        else:
            number, at = _varint(data, at)
            field = number >> 1
        value, at = _read(data, at, kind)
        fields.append((field, kind, value))
    return fields, at + 1


def _unsigned(number: int) -> bytes:
    out = b""
    while number > 127:
        out, number = out + bytes([number & 127 | 128]), number >> 7
    return out + bytes([number])


def _written(kind: int, value: Value) -> bytes:
    if isinstance(value, int):
        return b"" if kind in (1, 2) else _unsigned((value << 1 ^ value >> 63) & (1 << 64) - 1)
    if isinstance(value, bytes):
        return _unsigned(len(value)) + value
    if isinstance(value, tuple):
        inner, entries = value
        return bytes([0xF0 | inner]) + _unsigned(len(entries)) + b"".join(_written(inner, one) for one in entries)
    fields, last = b"", 0
    for field, of, entry in value:
        of = 2 - int(entry == 1) if of in (1, 2) else of
        step = field - last
        head = bytes([step << 4 | of]) if 0 < step < 16 else bytes([of]) + _unsigned(field << 1)
        fields, last = fields + head + _written(of, entry), field
    return fields + b"\0"
