"""Strict readers of JSON: what a lenient parser would let through changes what a file says.

Duplicate keys, NaN, Infinity and numbers that overflow are refused; so is whatever is not UTF-8, names half a surrogate pair,
or is nested too deeply. `strict_json` stops at the first of them; `examined_json` notes each with the field it stands in.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, cast

from earmark.manifests.canonical import Json
from earmark.manifests.errors import EarmarkError

MOST_NESTING = 64
"""Deepest nesting that is read."""

MOST_FAULTY = 50
"""In how many fields of one object faults are noted; a line has room for a hundred thousand."""


_NESTING = frozenset({dict, list})
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[{]|[\]}]')
_LOOKED_THROUGH = 1 << 16


class Fault(StrEnum):
    """What is wrong with a text that is refused."""

    ENCODING = "encoding"
    SYNTAX = "syntax"
    NESTING = "nesting"
    REPEATED_KEY = "repeated key"
    NAN = "not a number"
    INFINITY = "infinity"
    OVERFLOW = "overflow"
    SURROGATE = "surrogate"


class NotStrictJson(EarmarkError):
    """Text that is no JSON, or JSON that two readers could read differently.

    Args:
        message: What is wrong, and where.
        fault: What kind of fault it is.
        says: What is wrong, without the place; the message where it names none.
        character: Character of its line at which it is wrong, from 1; None where that is not known.
    """

    def __init__(
        self, message: str, fault: Fault = Fault.SYNTAX, *, says: str | None = None, character: int | None = None
    ) -> None:
        super().__init__(message)
        self.fault = fault
        self.says = message if says is None else says
        self.character = character


class Noted(NamedTuple):
    """A fault in text that is JSON otherwise.

    Args:
        fault: What kind.
        field: The key of the outermost object under which it stands; None outside one.
        says: What is wrong.
    """

    fault: Fault
    field: str | None
    says: str


class Examined(NamedTuple):
    """A value, null in place of each number that is none, and the first fault of each kind in each faulty field, up to 50."""

    value: Json
    faults: tuple[Noted, ...]


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
    value = _parsed(data, _STRICT)
    if b"\\u" in data:
        _require_whole_characters(value)
    return value


def examined_json(data: bytes) -> Examined:
    """The value that the bytes stand for and every fault that lets a parser go on.

    Raises:
        NotStrictJson: If they are not UTF-8, no JSON, or nested deeper than 64.

    >>> examined_json(b'{"a": NaN, "a": 1e999}').faults[1]
    Noted(fault=<Fault.OVERFLOW: 'overflow'>, field='a', says='the number 1e999 is not finite')
    """
    try:
        return Examined(strict_json(data), ())  # which is quick, and nearly always does
    except NotStrictJson as error:
        if error.fault in (Fault.ENCODING, Fault.SYNTAX, Fault.NESTING):
            raise
    noting = _Noting()
    value = _parsed(
        data,
        json.JSONDecoder(
            object_pairs_hook=noting.object,
            parse_constant=noting.constant,
            parse_float=noting.real,
            parse_int=noting.whole,
        ),
    )
    return noting.examined(value, surrogates=b"\\u" in data)


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


def _parsed(data: bytes, decoder: json.JSONDecoder) -> Json:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise not_utf8(data, error) from None
    try:
        # A decoder by itself says of a byte order mark only that it expects a value.
        value: Json = json.loads(text) if text.startswith("\ufeff") else decoder.decode(text)
    except json.JSONDecodeError as error:
        place = f"{error.msg} at line {error.lineno}, column {error.colno}"
        raise NotStrictJson(place, says=error.msg, character=error.colno) from None
    except RecursionError:
        raise _too_deep(text) from None
    if type(value) in _NESTING and _depth(value) > MOST_NESTING:
        raise _too_deep(text)
    return value


def not_utf8(data: bytes, error: UnicodeDecodeError) -> NotStrictJson:
    """Text that is not UTF-8, with the character of its line at which it is not."""
    before = data[data.rfind(b"\n", 0, error.start) + 1 : error.start]
    says, character = f"{error.reason} at byte {error.start}", len(before.decode("utf-8", "replace")) + 1
    return NotStrictJson(f"not UTF-8: {says}", Fault.ENCODING, says=says, character=character)


def _too_deep(text: str) -> NotStrictJson:
    character, depth = None, 0
    for found in _BRACKETS.finditer(text, 0, _LOOKED_THROUGH):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
        if depth > MOST_NESTING:
            character = found.start() - text.rfind("\n", 0, found.start())
            break
    return NotStrictJson(f"nested deeper than {MOST_NESTING}", Fault.NESTING, character=character)


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise NotStrictJson(_twice(_repeated(pairs)), Fault.REPEATED_KEY)
    return value


def _repeated(pairs: list[tuple[str, Json]]) -> str:
    return next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)


def _twice(name: str) -> str:
    return f"the key {name[:40]!r} stands twice in one object"


def _no_constant(name: str) -> Json:
    fault = Fault.NAN if name == "NaN" else Fault.INFINITY
    raise NotStrictJson(f"{name} is not a JSON number", fault)


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise NotStrictJson(f"the number {digits[:40]} is not finite", Fault.OVERFLOW)
    return number


def _bounded(digits: str) -> int:
    if len(digits) > 20 or not -(1 << 63) <= int(digits) < 1 << 63:
        raise NotStrictJson(f"the number {digits[:20]}… needs more than 64 bits", Fault.OVERFLOW)
    return int(digits)


_STRICT = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite, parse_int=_bounded
)


def _require_whole_characters(value: Json) -> None:
    for entry in _entries(value):
        for text in (entry, *entry) if isinstance(entry, Mapping) else (entry,):
            if isinstance(text, str) and (lone := _lone_surrogate(text)) is not None:
                raise NotStrictJson(lone, Fault.SURROGATE)


def _lone_surrogate(text: str) -> str | None:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            return f"a lone surrogate, U+{ord(text[error.start]):04X}, is no character"
    return None


class _Marked(NamedTuple):
    """Stands in a value for a number that is none."""

    fault: Fault
    says: str


_MAY_HOLD_FAULTS = frozenset({dict, list, _Marked})


@dataclass
class _Noting:
    """Takes what the strict hooks refuse and keeps it for later."""

    repeated: dict[int, tuple[dict[str, Json], list[tuple[str, Json]]]] = field(default_factory=dict)
    marks: dict[str, Json] = field(default_factory=dict)

    def object(self, pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        value = dict(pairs)
        if len(value) < len(pairs):
            self.repeated[id(value)] = value, pairs  # kept with it, so that no other gets its id
        return value

    def constant(self, name: str) -> Json:
        return self.marks[name] if name in self.marks else self._or_marked(_no_constant, name)

    def real(self, digits: str) -> Json:
        return self._or_marked(_finite, digits)

    def whole(self, digits: str) -> Json:
        return self._or_marked(_bounded, digits)

    def _or_marked(self, hook: Callable[[str], Json], written: str) -> Json:
        try:
            return hook(written)
        except NotStrictJson as error:
            mark = cast(Json, _Marked(error.fault, error.says))
            self.marks[written] = mark
            return mark

    def examined(self, value: Json, *, surrogates: bool) -> Examined:
        if not (self.repeated or self.marks or surrogates):
            return Examined(value, ())
        faults: list[Noted] = []
        if isinstance(value, dict):
            if id(value) in self.repeated:
                name = _repeated(self.repeated[id(value)][1])
                faults.append(Noted(Fault.REPEATED_KEY, name, _twice(name)))
            faulty = 0
            for name, cell in value.items():
                if not surrogates and type(cell) not in _MAY_HOLD_FAULTS:
                    continue
                found, outer = self._within([name, cell], name, surrogates), faults[:1]
                faults += [noted for noted in found if noted[:2] not in {known[:2] for known in outer}]
                faulty += bool(found)
                if faulty == MOST_FAULTY:
                    break
        else:
            faults += self._within(value, None, surrogates)
        return Examined(_unmarked(value) if self.marks else value, tuple(faults))

    def _within(self, cell: Json, name: str | None, surrogates: bool) -> list[Noted]:
        """The first fault of each kind in a field."""
        found: dict[Fault, Noted] = {}
        entries: Iterator[object] = _entries(cell)
        for entry in entries:
            if isinstance(entry, _Marked) and entry.fault not in found:
                found[entry.fault] = Noted(entry.fault, name, entry.says)
            elif isinstance(entry, dict) and id(entry) in self.repeated and Fault.REPEATED_KEY not in found:
                key = _repeated(self.repeated[id(entry)][1])
                found[Fault.REPEATED_KEY] = Noted(Fault.REPEATED_KEY, name, _twice(key))
            if surrogates and Fault.SURROGATE not in found:
                for text in (entry, *entry) if isinstance(entry, dict) else (entry,):
                    if isinstance(text, str) and (lone := _lone_surrogate(text)) is not None:
                        found[Fault.SURROGATE] = Noted(Fault.SURROGATE, name, lone)
                        break
        return list(found.values())


def _unmarked(value: object) -> Json:
    if isinstance(value, _Marked):
        return None
    if isinstance(value, dict):
        return {name: _unmarked(cell) for name, cell in value.items()}
    return [_unmarked(cell) for cell in value] if isinstance(value, list) else cast(Json, value)


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
