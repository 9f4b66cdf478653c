"""Every printed figure with another last digit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import msgspec

from earmark.scoring.papers.speecheq.tables import Tables, read_tables

Path: TypeAlias = tuple[str | int, ...]

NOT_WORKED = frozenset({"latency", "ranks"})
"""What is printed and taken as given; the cost of a service is too."""


def another(digits: str, by: int = 1) -> str:
    """The figure with another last digit."""
    return digits[:-1] + str((int(digits[-1]) + by) % 10)


def printed_paths(value: object, path: Path = ()) -> Iterator[Path]:
    """Where every printed figure stands."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in NOT_WORKED:
                yield from printed_paths(inner, (*path, key))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from printed_paths(inner, (*path, at))
    elif isinstance(value, str) and value:
        yield path


def mutated(*paths: Path) -> Tables:
    """The printed tables with other last digits at these places."""
    plain = msgspec.to_builtins(read_tables())
    for path in paths:
        inside = plain
        for step in path[:-1]:
            inside = inside[step]
        # A printed latency leaves up to two costs, and two p are slips: the neighbour of such a figure may be the right one.
        inside[path[-1]] = another(inside[path[-1]], by=5 if path[-1] in ("cost", "p") else 1)
    return msgspec.convert(plain, Tables)
