"""Canonical JSON and canonical cells: one spelling of every value, so that equal things have equal bytes."""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = "None | bool | int | float | str | Sequence[Json] | Mapping[str, Json]"
"""What JSON can say; the type of everything read from or written to it."""


def _mapping(value: object) -> dict[object, object]:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"no canonical form for {type(value).__name__}")


_CANONICAL = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"), default=_mapping
)


def canonical_json(value: Json) -> bytes:
    """The one spelling of a value: keys sorted, no space, UTF-8, NFC strings.

    Raises:
        ValueError: If a number is NaN or infinite, a string is no Unicode text, or two keys of one object are the same in NFC.

    >>> canonical_json({"b": [1, 2.5], "a": "é"}).decode()
    '{"a":"é","b":[1,2.5]}'
    """
    spelt = _CANONICAL.encode(value)
    if spelt.isascii() and "-0.0" not in spelt:  # as nearly all is: there is nothing to compose
        return spelt.encode()
    return _CANONICAL.encode(_composed(value)).encode()


def json_text(value: Json) -> str:
    """The same value for people to read: keys sorted, two spaces of indent, a newline at the end.

    Raises:
        ValueError: If a number is NaN or infinite.
    """
    return json.dumps(_composed(value), ensure_ascii=False, allow_nan=False, sort_keys=True, indent=2) + "\n"


def canonical_cell(cell: object) -> bytes:
    """One table cell as tag, length and bytes, so that no two different rows can run together.

    Raises:
        ValueError: If a float is NaN.
        TypeError: If the cell is of a type that no table holds.
    """
    if type(cell) is str:  # as nearly all are
        data = (cell if cell.isascii() else unicodedata.normalize("NFC", cell)).encode()
        return b"s%d:%s" % (len(data), data)
    match cell:
        case None:
            return b"-"
        case bool():
            return b"t" if cell else b"f"
        case int():
            tag, text = b"i", str(cell)
        case float():
            if math.isnan(cell):
                raise ValueError("NaN has no canonical form; use null")
            tag, text = b"f", repr(cell + 0.0)
        case str():
            tag, text = b"s", unicodedata.normalize("NFC", cell)
        case list():
            return b"[%d:" % len(cell) + b"".join(map(canonical_cell, cell))
        case _:
            raise TypeError(f"no canonical form for {type(cell).__name__}")
    data = text.encode()
    return b"%s%d:%s" % (tag, len(data), data)


def _composed(value: Json) -> Json:
    if type(value) is str:  # as nearly all are
        return value if value.isascii() else unicodedata.normalize("NFC", value)
    match value:
        case str():
            return unicodedata.normalize("NFC", value)
        case Mapping():
            composed = {unicodedata.normalize("NFC", name): _composed(entry) for name, entry in value.items()}
            if len(composed) < len(value):
                raise ValueError(f"two keys are the same in NFC: {sorted(value)}")
            return composed
        case list() | tuple():
            return [_composed(entry) for entry in value]
        case float():
            return value + 0.0  # −0.0 and 0.0 are one number
        case _:
            return value
