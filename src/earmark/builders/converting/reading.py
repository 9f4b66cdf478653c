"""Reading other people's JSON: bounded, each key once, and what is no finite number read as absent.

Frameworks write NaN into their logs, in scores that nobody here looks at, so that refusing it would lose whole files; no field
that is used may be absent where it matters, so that nothing is gained by it.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from earmark.manifests.canonical import Json
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings, Severity, declare

UNREADABLE = declare("convert.unreadable", Severity.ERROR, "the file cannot be read")
TOO_LARGE = declare("convert.too-large", Severity.ERROR, "the file is larger than what is read")
ARCHIVE = declare("convert.archive", Severity.ERROR, "the file is an archive; nothing in it is opened")
NOT_TEXT = declare("convert.not-utf8", Severity.ERROR, "the file is not UTF-8")
NOT_JSON = declare("convert.not-json", Severity.ERROR, "the file is no strict JSON")
BAD_LINE = declare("convert.bad-line", Severity.ERROR, "a line is no JSON object; it is left out")

MOST_BYTES = 1 << 27
"""Largest file that is read."""

_Kind = TypeVar("_Kind")

_ZIP = b"PK\x03\x04"
_BOM = b"\xef\xbb\xbf"


class Line(NamedTuple):
    """A line of a JSON Lines file: its number from 1, and its value, or why it has none."""

    number: int
    value: Json
    problem: str | None


def read_text(path: Path, findings: Findings, *, instead: str = "the file that is in it") -> str:
    """The text of a file.

    Args:
        path: The file.
        findings: Told of what is wrong.
        instead: What to give in place of an archive.

    Raises:
        Refused: If it cannot be read, is too large, an archive, or no UTF-8.
    """
    file = path.name
    try:
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        findings.add(UNREADABLE, file=file, found=error.strerror or type(error).__name__)
        raise Refused(findings) from None
    if data.startswith(_ZIP):
        findings.add(ARCHIVE, file=file, found="zip", expected=instead)
        raise Refused(findings)
    if len(data) > MOST_BYTES:
        findings.add(TOO_LARGE, file=file, expected=f"at most {MOST_BYTES} bytes")
        raise Refused(findings)
    try:
        return data.removeprefix(_BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        findings.add(NOT_TEXT, file=file, found=f"byte {error.start}")
        raise Refused(findings) from None


def read_json(path: Path, findings: Findings, *, instead: str = "the file that is in it") -> Json:
    """The value of a JSON file.

    Raises:
        Refused: As for `read_text`, and if it is no strict JSON.
    """
    text = read_text(path, findings, instead=instead)
    try:
        return json_value(text)
    except ValueError as error:
        findings.add(NOT_JSON, file=path.name, found=error, expected="JSON, each key once in an object")
        raise Refused(findings) from None


def read_lines(path: Path, findings: Findings) -> Iterator[Line]:
    """The lines of a JSON Lines file that are not blank.

    Raises:
        Refused: As for `read_text`.
    """
    for number, line in enumerate(read_text(path, findings).split("\n"), 1):
        if line.strip():
            try:
                value = json_value(line)
            except ValueError as error:
                yield Line(number, None, str(error))
            else:
                yield Line(number, value, None if isinstance(value, dict) else "no object")


def json_value(text: str) -> Json:
    """The value of a JSON text; a number that is not finite or beyond 64 bits is read as null.

    Raises:
        ValueError: If it is no JSON, nested too deeply, or has a key twice in one object.

    >>> json_value('{"score": NaN, "n": 1}')
    {'score': None, 'n': 1}
    """
    try:
        value: Json = json.loads(
            text, object_pairs_hook=_unique, parse_constant=_absent, parse_float=_finite, parse_int=_bounded
        )
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return value


def converted(value: object, kind: type[_Kind]) -> _Kind:
    r"""A value of JSON as a record, or whatever else msgspec can check.

    Raises:
        msgspec.ValidationError: If it is none, or half a surrogate pair stands where a key or a label belongs.

    >>> converted(["\udead"], dict)
    Traceback (most recent call last):
    ...
    msgspec.ValidationError: Expected `object`, got `array`
    """
    try:
        return msgspec.convert(value, kind)
    except UnicodeEncodeError:
        raise msgspec.ValidationError("half a surrogate pair where a key or a label belongs") from None


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) < len(pairs):
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise ValueError(f"the key {twice[:40]!r} stands twice in one object")
    return value


def _absent(_: str) -> None:
    return None


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


def _bounded(digits: str) -> int | None:
    return int(digits) if len(digits) <= 20 and -(1 << 63) <= int(digits) < 1 << 63 else None
