"""What two versions of a release differ in, as records: exact counts, the first ids of each kind, and what cannot be known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from earmark.manifests.canonical import Json
from earmark.manifests.revisions.ids import Ids
from earmark.manifests.tables import Side


class Known(StrEnum):
    """How a table could be compared."""

    CELLS = "cells"
    """Both versions have it here."""

    HASH = "hash"
    """Only by its salted hash, which says whether it is the same."""

    NOTHING = "nothing"
    """Not at all."""


@dataclass(frozen=True)
class Edition:
    """One of the two versions.

    Args:
        name: Of the release line.
        version: Of the data.
        content_hash: Of its public side.
    """

    name: str
    version: str
    content_hash: str

    def as_json(self) -> dict[str, Json]:
        """The same for machines."""
        return {"name": self.name, "version": self.version, "content_hash": self.content_hash}


@dataclass(frozen=True)
class TableDifference:
    """What two versions of a table differ in.

    Args:
        table: Its name.
        side: Where it stands.
        is_data: Whether marks depend on it; what is no data tells how the release was made.
        rows: How many the old and the new one have.
        known: How they could be compared.
        same: Whether they say the same; None where that cannot be known.
        why: Why no more is known.
        added: Keys of rows that only the new one has.
        removed: Keys of rows that only the old one has.
        changed: By column, keys of rows that say something else in it.
        measured: Those of the columns that are measured, and so stand outside content hashes.
        widened: Whether what changed in `protocols` is only that more of them owe a presentation.
    """

    table: str
    side: Side
    is_data: bool
    rows: tuple[int, int]
    known: Known
    same: bool | None
    why: str | None = None
    added: Ids = field(default_factory=Ids)
    removed: Ids = field(default_factory=Ids)
    changed: Mapping[str, Ids] = field(default_factory=dict)
    measured: frozenset[str] = frozenset()
    widened: bool = False

    @property
    def edited(self) -> Mapping[str, Ids]:
        """What changed without what is measured."""
        return {column: ids for column, ids in self.changed.items() if column not in self.measured}

    @property
    def remeasured(self) -> Mapping[str, Ids]:
        """What changed of what is measured."""
        return {column: ids for column, ids in self.changed.items() if column in self.measured}

    def as_json(self) -> dict[str, Json]:
        """The same for machines."""
        return {
            "table": self.table,
            "side": self.side.value,
            "rows": list(self.rows),
            "compared_by": self.known.value,
            "same": self.same,
            "why": self.why,
            "added": self.added.as_json(),
            "removed": self.removed.as_json(),
            "changed": {column: ids.as_json() for column, ids in self.changed.items()},
            "measured": sorted(self.measured & self.changed.keys()),
        }


@dataclass(frozen=True)
class ItemsDifference:
    """Items of which something differs.

    Args:
        old: How many the old version has.
        new: How many the new one has.
        added: Those that only the new one has.
        removed: Those that only the old one has.
        changed: Those of both of which anything at all differs, measured values left out.
        by: In what, such as `presentations.order`, `prompts.user`, `presentations added`, and of which items.
    """

    old: int
    new: int
    added: Ids = field(default_factory=Ids)
    removed: Ids = field(default_factory=Ids)
    changed: Ids = field(default_factory=Ids)
    by: Mapping[str, Ids] = field(default_factory=dict)

    def as_json(self) -> dict[str, Json]:
        """The same for machines."""
        return {
            "old": self.old,
            "new": self.new,
            "added": self.added.as_json(),
            "removed": self.removed.as_json(),
            "changed": self.changed.as_json(),
            "changed_in": {what: ids.as_json() for what, ids in self.by.items()},
        }


@dataclass(frozen=True)
class AudioDifference:
    """What differs in sound.

    Args:
        rates: Rate of the audio of the old and of the new version, Hz; None where it is native, or there is none.
        files: How many audio files they have.
        changed: Clips of both whose samples differ.
        encoded: Clips of both whose files differ and whose samples do not.
        compared: How many clips of both were compared, by their files or by the hashes of their samples.
        unknown: How many were not, since neither is at hand.
        why: What it means that hashes differ and files are not at hand; None where all is known.
    """

    rates: tuple[int | None, int | None]
    files: tuple[int, int]
    changed: Ids = field(default_factory=Ids)
    encoded: Ids = field(default_factory=Ids)
    compared: int = 0
    unknown: int = 0
    why: str | None = None

    @property
    def resampled(self) -> bool:
        """Whether both have audio, at two rates."""
        return all(self.files) and self.rates[0] != self.rates[1]

    def as_json(self) -> dict[str, Json]:
        """The same for machines."""
        return {
            "rates": list(self.rates),
            "files": list(self.files),
            "changed": self.changed.as_json(),
            "encoded_anew": self.encoded.as_json(),
            "compared": self.compared,
            "unknown": self.unknown,
            "why": self.why,
        }


@dataclass(frozen=True)
class CellChange:
    """How many there are of something, then and now.

    Args:
        what: "items" of a facet and kind, or "presentations" of a protocol.
        facet: The facet, or the protocol.
        kind: Kind of item; None for all kinds together.
        old: How many; None where the private side would tell.
        new: The same now.
    """

    what: str
    facet: str
    kind: str | None
    old: int | None
    new: int | None

    def as_json(self) -> dict[str, Json]:
        """The same for machines."""
        of = "protocol" if self.what == "presentations" else "facet"
        return {"what": self.what, of: self.facet, "kind": self.kind, "old": self.old, "new": self.new}


@dataclass(frozen=True)
class MetadataChange:
    """Something that the manifest says besides.

    Args:
        field: Its path, such as `recipe.release.licence`.
        old: What it said; None where it said nothing.
        new: What it says.
    """

    field: str
    old: Json
    new: Json

    def as_json(self) -> dict[str, Json]:
        """The same for machines."""
        return {"field": self.field, "old": self.old, "new": self.new}


@dataclass(frozen=True)
class Difference:
    """What two versions of a release differ in.

    Args:
        old: One version.
        new: The other one.
        items: Seen from the items.
        tables: Table by table.
        audio: What differs in sound.
        cells: Counts, of everything that the two have, equal ones among them.
        metadata: What else the manifests say.
        withdrawn: How many items the new version says to have withdrawn that the old one does not.
    """

    old: Edition
    new: Edition
    items: ItemsDifference
    tables: tuple[TableDifference, ...]
    audio: AudioDifference
    cells: tuple[CellChange, ...]
    metadata: tuple[MetadataChange, ...]
    withdrawn: int = 0

    def table(self, name: str) -> TableDifference:
        """One table.

        Raises:
            KeyError: If there is none of that name.
        """
        for table in self.tables:
            if table.table == name:
                return table
        raise KeyError(name)

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs, as far as can be known, but the version's number."""
        return (
            all(table.same is not False for table in self.tables)
            and not any(table.remeasured for table in self.tables)
            and not (self.audio.changed or self.audio.encoded or self.audio.resampled)
            and self.audio.files[0] == self.audio.files[1]
            and self.audio.why is None
            and not self.metadata
        )

    def as_json(self) -> dict[str, Json]:
        """The same for machines."""
        return {
            "old": self.old.as_json(),
            "new": self.new.as_json(),
            "items": self.items.as_json(),
            "tables": [table.as_json() for table in self.tables],
            "audio": self.audio.as_json(),
            "cells": [cell.as_json() for cell in self.cells],
            "metadata": [change.as_json() for change in self.metadata],
            "withdrawn": self.withdrawn,
        }
