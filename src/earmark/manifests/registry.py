"""Families by name: one record and one module of the same name per room, all found by entry point."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType

from earmark.manifests.errors import EarmarkError, UnknownName
from earmark.manifests.family import Family


def _entries(group: str) -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in sorted(entry_points(group=f"earmark.{group}"), key=lambda e: e.value)}


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
