"""Tables of two versions beside each other: by their cells, or by salted hashes where a private side is not at hand.

The hash of a private table is salted with the line's key, and ids are made with that key too. So whoever has one private side can
make again the hash that the other version's table would have if nothing in it differed, where that table is of things that are
still there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from earmark.manifests.copies.shipped import shipped
from earmark.manifests.errors import EarmarkError, ReleaseError
from earmark.manifests.hashes import content_hash
from earmark.manifests.revisions.ids import Ids, rows_named
from earmark.manifests.revisions.matching import Flags, cells_at, differing, matched
from earmark.manifests.revisions.records import Known, TableDifference
from earmark.manifests.tables import Side

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.manifests.tables import Table

_OF_WHAT = {"answers": ("items", "item_id"), "sources": ("clips", "clip_id")}
"""Private tables that marks depend on, and the public one that has a row of the same key for each of theirs."""

NO_SIDE = "neither version's private side is at hand, and they do not hold the same {}"
NO_OTHER = "the private side of the {} version is not at hand; by its salted hash something differs"
NOT_MADE = (
    "the private side of the {} version is not at hand, and its hash cannot be made again of what the other holds"
)
OTHER_KEYS = "no id stands in both, so that they may be of two keys, whose hashes say nothing of each other"


@dataclass(frozen=True)
class Pair:
    """Two releases of a line, and their tables as far as they are at hand.

    Args:
        old: The earlier one.
        new: The later one.
        tables: By name, the table of each, None where its side is not at hand.
    """

    old: Release
    new: Release
    tables: Mapping[str, tuple[pa.Table | None, pa.Table | None]]

    def public(self, name: str) -> tuple[pa.Table, pa.Table]:
        """A table of both, of the public side."""
        old, new = self.tables[name]
        if old is None or new is None:
            raise ReleaseError(f"table {name} is not at hand")
        return old, new

    @classmethod
    def read(cls, old: Release, new: Release) -> Pair:
        """Read what is at hand of two releases of one family.

        Raises:
            ReleaseError: If a table cannot be read.
        """
        tables = {}
        for name, table in new.family.tables().items():
            tables[name] = (_at_hand(old, table), _at_hand(new, table))
        return cls(old, new, tables)


def _at_hand(release: Release, table: Table) -> pa.Table | None:
    """A table, unless its side is not here, or what is here was made poorer for publication and would differ in that."""
    if table.side is Side.PRIVATE:
        if not release.file(table.name).is_file():
            return None
        copied = shipped(release)
        if copied is not None and (entry := copied.tables.get(table.name)) is not None and entry.reduced:
            return None
    return release.table(table.name)


def table_difference(pair: Pair, name: str) -> TableDifference:
    """What two versions of a table differ in.

    Raises:
        ReleaseError: If a key stands twice in one of them.
    """
    table = pair.new.family.tables()[name]
    old, new = pair.tables[name]
    if old is not None and new is not None:
        return by_cells(table, old, new)
    if name not in _OF_WHAT:
        return _unknown(table, pair, "it tells how the release was made, and is not at hand of both")
    return _by_hash(table, pair, old, new)


def is_data(table: Table) -> bool:
    """Whether marks depend on a table; the others tell how a release was made."""
    return table.side is Side.PUBLIC or table.name in _OF_WHAT


def by_cells(table: Table, old: pa.Table, new: pa.Table) -> TableDifference:
    """What two tables of one declaration differ in, cell by cell."""
    try:
        match = matched(table.key, old, new)
    except ValueError as error:
        raise ReleaseError(
            f"table {table.name} is damaged: {error}; earmark validate says all that is wrong"
        ) from error
    changed, widened = {}, True
    for column in table.columns:
        if column.name in table.key:
            continue
        here, there = cells_at(old, column.name, match.old), cells_at(new, column.name, match.new)
        apart = differing(here, there)
        if apart.any():
            changed[column.name] = rows_named(new, table.key, match.new[apart])
            if (table.name, column.name) == ("presentations", "protocols"):
                widened = _only_more(here, there, apart)
    measured = frozenset(column.name for column in table.columns if column.step is not None)
    return TableDifference(
        table=table.name,
        side=table.side,
        is_data=is_data(table),
        rows=(old.num_rows, new.num_rows),
        known=Known.CELLS,
        same=not len(match.added) and not len(match.removed) and changed.keys() <= measured,
        added=rows_named(new, table.key, match.added),
        removed=rows_named(old, table.key, match.removed),
        changed=changed,
        measured=measured,
        widened=widened and "protocols" in changed,
    )


def _only_more(old: pa.Array, new: pa.Array, apart: Flags) -> bool:
    """Whether every list that differs holds all that it held."""
    rows = pa.array(np.flatnonzero(apart))
    pairs = (
        pa.table({"old": _joined(old.take(rows)), "new": _joined(new.take(rows))})
        .group_by(["old", "new"])
        .aggregate([])
    )
    return all(
        one is not None and other is not None and set(one.split("\0")) <= set(other.split("\0"))
        for one, other in zip(pairs["old"].to_pylist(), pairs["new"].to_pylist(), strict=True)
    )


def _joined(cells: pa.Array) -> pa.Array:
    return pc.binary_join(cells, "\0")


def _by_hash(table: Table, pair: Pair, old: pa.Table | None, new: pa.Table | None) -> TableDifference:
    things, key = _OF_WHAT[table.name]
    old_ids, new_ids = (rows[key] for rows in pair.public(things))
    hashes = [release.manifest.tables[table.name].content_hash for release in (pair.old, pair.new)]
    if hashes[0] == hashes[1]:
        return _told(table, pair, same=True)
    common = int(pc.sum(pc.is_in(new_ids, value_set=old_ids)).as_py() or 0)
    if not common:
        return _unknown(table, pair, OTHER_KEYS)
    alike = common == len(old_ids) == len(new_ids)
    if old is None and new is None:
        if alike:
            return _told(table, pair, same=False, why=NO_OTHER.format("old or new"))
        return _unknown(table, pair, NO_SIDE.format(things))
    rows, present, other = (old, 0, 1) if new is None else (new, 1, 0)
    which, others = ("old", "new")[other], (old_ids, new_ids)[other]
    if common < len(others) or rows is None:
        return _unknown(table, pair, NOT_MADE.format(which))
    kept = rows.filter(pc.is_in(rows[table.key[0]], value_set=others))
    try:
        made = content_hash(table, kept, salt=(pair.old, pair.new)[present].key)
    except (EarmarkError, ValueError, TypeError):
        return _unknown(table, pair, NOT_MADE.format(which))
    if made != hashes[other]:
        return _told(table, pair, same=False, why=NO_OTHER.format(which))
    more = rows.filter(pc.invert(pc.is_in(rows[table.key[0]], value_set=others)))
    extra = rows_named(more, table.key, np.arange(more.num_rows))
    added, removed = (Ids(), extra) if new is None else (extra, Ids())
    return _told(table, pair, same=not extra, added=added, removed=removed)


def _told(
    table: Table,
    pair: Pair,
    *,
    same: bool | None,
    why: str | None = None,
    added: Ids | None = None,
    removed: Ids | None = None,
    known: Known = Known.HASH,
) -> TableDifference:
    old, new = (release.manifest.tables[table.name].rows for release in (pair.old, pair.new))
    return TableDifference(
        table=table.name,
        side=table.side,
        is_data=is_data(table),
        rows=(old, new),
        known=known,
        same=same,
        why=why,
        added=added or Ids(),
        removed=removed or Ids(),
    )


def _unknown(table: Table, pair: Pair, why: str) -> TableDifference:
    hashes = [release.manifest.tables[table.name].content_hash for release in (pair.old, pair.new)]
    if hashes[0] == hashes[1]:
        return _told(table, pair, same=True)
    return _told(table, pair, same=None, why=why, known=Known.NOTHING)
