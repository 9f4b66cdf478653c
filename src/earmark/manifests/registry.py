"""Families by name: one record and one module of the same name per room, all found by entry point."""

from __future__ import annotations

import sys
from functools import lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from pathlib import Path
from types import ModuleType
from typing import Protocol

from earmark.manifests.errors import EarmarkError, UnknownName
from earmark.manifests.family import Family


class _Finder(Protocol):
    def __call__(self, *, group: str) -> EntryPoints: ...


def _entries(group: str) -> dict[str, EntryPoint]:
    return _found(entry_points, group, tuple((path, _changed(path)) for path in sys.path))


@lru_cache(maxsize=64)
def _found(finder: _Finder, group: str, _places: tuple[tuple[str, int], ...]) -> dict[str, EntryPoint]:
    # The files of every installed package are read for this, and each release that is opened asks. Installing or removing one
    # changes a folder on the path, by which Python itself tells whether to list it anew.
    return {entry.name: entry for entry in sorted(finder(group=f"earmark.{group}"), key=lambda e: e.value)}


def _changed(path: str) -> int:
    """When a folder on the path last had a file come or go, 0 where there is none."""
    try:
        return Path(path).stat().st_mtime_ns
    except OSError:
        return 0


def family_names() -> tuple[str, ...]:
    """The families that are installed, by name."""
    return tuple(sorted(_entries("families")))


def family(name: str) -> Family:
    """The record of a family.

    Raises:
        UnknownName: If no installed package has it.
        EarmarkError: If the entry point cannot be loaded or does not name a family record of that name.
    """
    entry = _entries("families").get(name)
    if entry is None:
        raise UnknownName("family", name, family_names())
    try:
        record: object = entry.load()
    except (ImportError, AttributeError) as error:
        raise EarmarkError(f"the entry point {entry.value} of earmark.families cannot be loaded: {error}") from error
    if not isinstance(record, Family) or record.name != name:
        raise EarmarkError(f"the entry point {entry.value} of earmark.families is no family record named {name!r}")
    return record


def family_module(room: str, name: str) -> ModuleType:
    """A family's module in one room: `builders`, `validation` or `scoring`.

    Raises:
        UnknownName: If the family has no module there.
    """
    entry = _entries(room).get(name)
    if entry is None:
        raise UnknownName(f"family in {room}", name, tuple(sorted(_entries(room))))
    return import_module(entry.module)
