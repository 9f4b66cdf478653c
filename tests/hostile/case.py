"""One hostile file: its bytes, made here and copied from nowhere, and what a check of it must come to.

Files are held against a stance release of two items in both orders, so four presentations are owed; `row` is a sound row for
one of them, and a file of all four has no finding.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from tests.support.tiny import tiny_rows

ITEMS = 2
IDS: tuple[str, ...] = tuple(sorted(str(entry["presentation_id"]) for entry in tiny_rows(items=ITEMS)["presentations"]))
"""The presentations owed, ascending."""

MOST_BYTES = len(IDS) << 16
"""What is read at most for as many presentations, decompressed."""

MOST_ROWS = 1024 + 64 * len(IDS)
"""How many rows are read at most."""

SOME = -1
"""A count that is not stated: at least one."""


@dataclass(frozen=True)
class Case:
    """A hostile file.

    Args:
        name: What it is, unique.
        suffix: How its name ends.
        data: Its bytes.
        codes: How many findings of each code it owes, without "submission." before it; `SOME` for at least one.
        exit: What `earmark check` returns.
        why: What a careless reader would do with it.
        file: Its whole name, where that is the point.
    """

    name: str
    suffix: str
    data: bytes
    codes: Mapping[str, int]
    exit: int
    why: str
    file: str | None = None

    @property
    def file_name(self) -> str:
        """The name it is stored under."""
        return self.file or f"{self.name}{self.suffix}"

    def agrees(self, counts: Mapping[str, int]) -> bool:
        """Whether findings were as many of each code as they should be."""
        wanted = {f"submission.{code}": count for code, count in self.codes.items()}
        return wanted.keys() == counts.keys() and all(
            counts[code] > 0 if count == SOME else counts[code] == count for code, count in wanted.items()
        )


def row(n: int, **changed: object) -> str:
    """A sound row for presentation n, with fields changed or added."""
    return json.dumps({"presentation_id": IDS[n], "choice": "P", **changed})


def sound(first: int = 0) -> list[str]:
    """Sound rows for the presentations from `first` on."""
    return [row(n) for n in range(first, len(IDS))]


def lines(*texts: str, end: str = "\n") -> bytes:
    """Lines of a file, each ended."""
    return "".join(text + end for text in texts).encode()


def beside_sound(line: bytes) -> bytes:
    """A line in the place of the first presentation's row, whose id it writes `<id>`, and sound rows for the others."""
    return line.replace(b"<id>", IDS[0].encode()) + b"\n" + lines(*sound(1))


def in_a_line(
    name: str, line: str | bytes, codes: Mapping[str, int], why: str, *, exit: int = 1, missing: bool = False
) -> Case:
    """A JSON Lines file whose first line is odd.

    Args:
        name: As of the case.
        line: The line; `<id>` stands for the id that it is about.
        codes: As of the case.
        why: As of the case.
        exit: As of the case.
        missing: Whether the line does not tell which presentation it is about, so that this one is missing.
    """
    data = line.encode() if isinstance(line, str) else line
    return Case(name, ".jsonl", beside_sound(data), {**codes, **({"missing": 1} if missing else {})}, exit, why)
