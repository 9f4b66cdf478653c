"""Reading what a user wrote as TOML or JSON, field by field, so that every problem is found at once and named."""

from __future__ import annotations

import re
import tomllib
from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from earmark.manifests.canonical import Json
from earmark.manifests.findings import Code, Findings, nearest
from earmark.manifests.strict import NotStrictJson, strict_json

MOST_BYTES = 1 << 20
"""Largest file that is read."""

MOST_TEXT = 4_000
"""Longest text, in characters."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


@dataclass(frozen=True)
class Codes:
    """The codes under which one kind of file reports.

    Args:
        unreadable: The file cannot be read at all.
        unknown_key: A key that means nothing there.
        bad_value: A value that is missing, of the wrong type or out of range.
    """

    unreadable: Code
    unknown_key: Code
    bad_value: Code


@dataclass(frozen=True)
class Fields:
    """One table of the file.

    Args:
        value: The table.
        place: Where it stands, such as `dimension[2].positive`.
        file: The file, as the user named it.
        codes: How problems are reported.
        findings: Where they are reported.
    """

    value: Mapping[str, object]
    place: str
    file: str | None
    codes: Codes
    findings: Findings

    def known(self, keys: Sequence[str]) -> None:
        """Report every key that is none of these."""
        for key in self.value:
            if key not in keys:
                self.report(self.codes.unknown_key, key, key, nearest(key, keys))

    def report(self, code: Code, key: str, found: object = None, expected: str | None = None) -> None:
        """Report something about one key."""
        self.findings.add(code, file=self.file, column=self.at(key), found=found, expected=expected)

    def bad(self, key: str, found: object, expected: str) -> None:
        """Report a value that cannot be used."""
        self.report(self.codes.bad_value, key, found, expected)

    def text(self, key: str, *, choices: Sequence[str] = (), pattern: str = "") -> str | None:
        """A text of one line; reported and None where there is none or it is another."""
        value = self.value.get(key)
        if not isinstance(value, str) or not value.strip():
            self.bad(key, self._shown(key), "a text")
        elif (reason := _no_line(value)) is not None:
            self.bad(key, value, reason)
        elif choices and value not in choices:
            self.bad(key, value, nearest(value, choices))
        elif pattern and not re.fullmatch(pattern, value):
            self.bad(key, value, f"a text that matches {pattern}")
        else:
            return value
        return None

    def texts(self, key: str, *, optional: bool = False) -> tuple[str, ...] | None:
        """A list of texts; reported and None where there is none."""
        value = self.value.get(key)
        if value is None and optional:
            return ()
        if not isinstance(value, list | tuple):
            self.bad(key, self._shown(key), "a list of texts")
            return None
        texts = [entry for entry in value if isinstance(entry, str) and entry.strip() and _no_line(entry) is None]
        if len(texts) < len(value):
            wrong = next(entry for entry in value if entry not in texts)
            self.bad(key, wrong, "a list of texts of one line each")
            return None
        return tuple(texts)

    def whole(self, key: str, *, optional: bool = False) -> int | None:
        """A whole number of at least 0; reported and None where there is none."""
        value = self.value.get(key)
        if value is None and optional:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            self.bad(key, self._shown(key), "a whole number, 0 or more")
            return None
        return value

    def table(self, key: str) -> Fields | None:
        """A table in this one; reported and None where there is none."""
        value = self.value.get(key)
        if not isinstance(value, Mapping):
            self.bad(key, self._shown(key), "a table")
            return None
        return Fields(value, self.at(key), self.file, self.codes, self.findings)

    def tables(self, key: str) -> list[Fields]:
        """A list of tables in this one; what is no table is reported and left out."""
        value = self.value.get(key)
        if not isinstance(value, list | tuple) or not value:
            self.bad(key, self._shown(key), "a list of one or more tables")
            return []
        found = []
        for number, entry in enumerate(value, start=1):
            if isinstance(entry, Mapping):
                found.append(Fields(entry, f"{self.at(key)}[{number}]", self.file, self.codes, self.findings))
            else:
                self.bad(key, entry, "a list of tables")
        return found

    def at(self, key: str) -> str:
        """Where a key stands in the file."""
        return f"{self.place}.{key}" if self.place else key

    def _shown(self, key: str) -> object:
        return self.value.get(key, "nothing")


def read_fields(
    source: Path | Mapping[str, Json], codes: Codes, findings: Findings, *, json: bool = False
) -> Fields | None:
    """The top table of a file, or of a table that was read already; reported and None where there is none.

    Args:
        source: A file in UTF-8, or the table.
        codes: How problems are reported.
        findings: Where they are reported.
        json: Whether the file is strict JSON instead of TOML.
    """
    if isinstance(source, Mapping):
        return Fields(source, "", None, codes, findings)
    file = str(source)
    try:
        with source.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        findings.add(codes.unreadable, file=file, found=error.strerror)
        return None
    if len(data) > MOST_BYTES:
        findings.add(codes.unreadable, file=file, expected=f"a file of at most {MOST_BYTES} bytes")
        return None
    try:
        value = strict_json(data.removeprefix(BOM_UTF8)) if json else tomllib.loads(data.decode("utf-8-sig"))
    except (NotStrictJson, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        findings.add(codes.unreadable, file=file, found=error, expected=f"{'JSON' if json else 'TOML'} in UTF-8")
        return None
    if not isinstance(value, Mapping):
        findings.add(codes.unreadable, file=file, found=type(value).__name__, expected="one object")
        return None
    return Fields(value, "", file, codes, findings)


def repeated(names: Iterable[str]) -> tuple[str, ...]:
    """The names that stand more than once, in order."""
    seen: set[str] = set()
    twice: dict[str, None] = {}
    for name in names:
        if name in seen:
            twice[name] = None
        seen.add(name)
    return tuple(twice)


def _no_line(text: str) -> str | None:
    if _CONTROL.search(text):
        return "a text of one line, without control characters"
    if len(text) > MOST_TEXT:
        return f"a text of at most {MOST_TEXT} characters"
    return None
