"""Thrift's compact protocol, as far as the metadata of Parquet need it.

Whatever is odd is refused, since Arrow might see something else.
"""

from __future__ import annotations

from typing import NoReturn, TypeAlias

_MOST_STRUCTURES = 1 << 17
_MOST_NESTING = 16
_TRUE, _FALSE, _BYTE, _INT16, INT32, INT64, _DOUBLE, _BINARY, _LIST, _SET = range(1, 11)
_STRUCTURE = 12
_BITS = {_INT16: 16, INT32: 32, INT64: 64}
_MOST_FIELD = (1 << 15) - 1

Value: TypeAlias = "int | bytes | list[Value] | Fields"
Fields: TypeAlias = "dict[int, tuple[int, Value]]"
"""Fields of a structure: the type and the value of each, since whoever expects another type passes it over."""


class OddParquet(ValueError):
    """A file whose bounds cannot be told."""


def number_of(of: Fields, field: int, kind: int = INT64) -> int:
    """A field that is a whole number of a kind.

    Raises:
        OddParquet: If it is missing, or of another type; so do all of these.
    """
    found, value = of.get(field, (0, 0))
    return value if found == kind and isinstance(value, int) else _odd(field)


def amount_of(of: Fields, field: int, kind: int = INT64) -> int:
    """The same, and not below 0."""
    number = number_of(of, field, kind)
    return number if number >= 0 else _odd(field)


def structure_of(of: Fields, field: int) -> Fields:
    """A field that is a structure."""
    _, value = of.get(field, (0, 0))
    return value if isinstance(value, dict) else _odd(field)


def structures_of(of: Fields, field: int) -> list[Fields]:
    """A field that is a list of structures."""
    kind, value = of.get(field, (0, 0))
    if kind != _LIST or not isinstance(value, list):
        _odd(field)
    found = [entry for entry in value if isinstance(entry, dict)]
    return found if len(found) == len(value) else _odd(field)


def _odd(field: int) -> NoReturn:
    raise OddParquet(f"field {field} of its metadata is missing, or of another type")


class Thrift:
    """Values in Thrift's compact protocol.

    Args:
        data: Where they stand.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._left = _MOST_STRUCTURES
        self.at = 0
        """Bytes that were read."""
        self.texts = 0
        """How many of them are texts."""

    def whole(self) -> Fields:
        """The structure that begins here.

        Raises:
            OddParquet: If it has no end, or has a field twice.
        """
        try:
            return self._structure(0)
        except IndexError:
            raise OddParquet("its metadata have no end") from None

    def _structure(self, depth: int) -> Fields:
        fields: Fields = {}
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

    def _value(self, kind: int, depth: int) -> Value:
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
