"""Strict readers of JSON: what a lenient parser would let through changes what a file says.

Duplicate keys, NaN, Infinity and numbers that overflow are refused; so is whatever is not UTF-8, names half a surrogate pair,
or is nested too deeply.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import cast

from earmark.manifests.canonical import Json
from earmark.manifests.errors import EarmarkError

MOST_NESTING = 64
"""Deepest nesting that is read."""


_NESTING = frozenset({dict, list})


class Fault(StrEnum):
    """What is wrong with a text that is refused."""

    ENCODING = "encoding"
    SYNTAX = "syntax"
    NESTING = "nesting"
    REPEATED_KEY = "repeated key"
    NUMBER = "number"
    SURROGATE = "surrogate"


class NotStrictJson(EarmarkError):
    """Text that is no JSON, or JSON that two readers could read differently."""

    def __init__(self, message: str, fault: Fault = Fault.SYNTAX) -> None:
        super().__init__(message)
        self.fault = fault


def strict_json(data: bytes) -> Json:
    """The one value that the bytes stand for.

    Raises:
        NotStrictJson: If they are not UTF-8, no JSON, nested deeper than 64, or hold a duplicate key, a lone surrogate, or a
            number that is not finite or is a whole one beyond 64 bits.

    >>> strict_json(b'{"a": 1, "a": 2}')
    Traceback (most recent call last):
    ...
    earmark.manifests.strict.NotStrictJson: the key 'a' stands twice in one object
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotStrictJson(f"not UTF-8: {error.reason} at byte {error.start}", Fault.ENCODING) from None
    try:
        value: Json = json.loads(
            text, object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite, parse_int=_bounded
        )
    except json.JSONDecodeError as error:
        raise NotStrictJson(f"{error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise NotStrictJson(f"nested deeper than {MOST_NESTING}", Fault.NESTING) from None
    if _depth(value) > MOST_NESTING:
        raise NotStrictJson(f"nested deeper than {MOST_NESTING}", Fault.NESTING)
    if "\\u" in text:
        _require_whole_characters(value)
    return value


def read_strict_json(path: Path, *, most_bytes: int = 1 << 28) -> Json:
    """The value in a JSON file.

    Args:
        path: The file.
        most_bytes: Largest file that is read.

    Raises:
        NotStrictJson: If it is no strict JSON or is too large.
        OSError: If it cannot be read.
    """
    with path.open("rb") as stream:
        data = stream.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise NotStrictJson(f"larger than {most_bytes} bytes")
    return strict_json(data)


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) < len(pairs):
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise NotStrictJson(f"the key {twice[:40]!r} stands twice in one object", Fault.REPEATED_KEY)
    return value


def _no_constant(name: str) -> Json:
    raise NotStrictJson(f"{name} is not a JSON number", Fault.NUMBER)


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise NotStrictJson(f"the number {digits[:40]} is not finite", Fault.NUMBER)
    return number


def _bounded(digits: str) -> int:
    if len(digits) > 20 or not -(1 << 63) <= int(digits) < 1 << 63:
        raise NotStrictJson(f"the number {digits[:20]}… needs more than 64 bits", Fault.NUMBER)
    return int(digits)


def _require_whole_characters(value: Json) -> None:
    for entry in _entries(value):
        for text in (entry, *entry) if isinstance(entry, Mapping) else (entry,):
            if isinstance(text, str) and not text.isascii():
                try:
                    text.encode()
                except UnicodeEncodeError as error:
                    lone = f"a lone surrogate, U+{ord(text[error.start]):04X}, is no character"
                    raise NotStrictJson(lone, Fault.SURROGATE) from None


def _depth(value: Json) -> int:
    """How deeply a value is nested, level by level: corpora have files of ten thousand words, so this must be quick."""
    depth, level = 0, [value]
    while level:
        depth += 1
        level = [
            inner
            for entry in level
            if type(entry) in _NESTING
            for inner in (entry.values() if isinstance(entry, dict) else cast("list[Json]", entry))
        ]
    return depth


def _entries(value: Json) -> Iterator[Json]:
    """The value and all that is nested in it."""
    waiting = [value]
    while waiting:
        entry = waiting.pop()
        yield entry
        if isinstance(entry, Mapping):
            waiting.extend(entry.values())
        elif isinstance(entry, list):
            waiting.extend(entry)
