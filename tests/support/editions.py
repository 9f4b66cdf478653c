"""Versions of a release, in memory or on disk, made of one by changing its tables."""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pyarrow as pa

from earmark.manifests.building import write_parquet
from earmark.manifests.canonical import canonical_cell, json_text
from earmark.manifests.hashes import content_hash, file_hash
from earmark.manifests.release import MANIFEST, Manifest, Release, TableEntry, canary, open_release
from earmark.manifests.revisions.earlier import CommonSubset
from earmark.manifests.tables import Side, Table

FOLDER = Path(__file__).resolve().parents[1] / "golden"

Tables = dict[str, pa.Table]
Edit = Callable[[pa.Table], pa.Table]


def tables_of(release: Release) -> Tables:
    """All tables of a release."""
    return {name: release.table(name) for name in release.family.tables()}


def loaded(release: Release) -> Release:
    """A release whose tables are read once."""
    return CommonSubset(path=release.path, manifest=release.manifest, tables=tables_of(release))


def in_memory(
    release: Release, tables: Mapping[str, pa.Table], version: str = "9.9.9", *, hashes: bool = True
) -> Release:
    """A release whose tables stand in memory; its manifest says what is true of them, but for hashes where none are wanted."""
    entries = {
        name: msgspec.structs.replace(
            release.manifest.tables[name],
            rows=rows.num_rows,
            content_hash=hashed(release, name, rows) if hashes else f"blake2b-256:{'0' * 64}",
            file_hash=None,
        )
        for name, rows in tables.items()
    }
    manifest = msgspec.structs.replace(release.manifest, version=version, tables={**release.manifest.tables, **entries})
    return CommonSubset(path=release.path, manifest=manifest, tables={**tables_of(release), **tables})


def hashed(release: Release, name: str, rows: pa.Table) -> str:
    """The content hash of a table, salted where it is private."""
    table = release.family.tables()[name]
    return content_hash(table, rows, salt=b"" if table.side is Side.PUBLIC else release.key)


def rewritten(
    release: Release, out: Path, edits: Mapping[str, Edit], version: str = "2.0.0", **said: object
) -> Release:
    """A copy of a release on disk with tables changed and every hash that of the change.

    Args:
        release: The release.
        out: Where the copy goes.
        edits: By table, what is done to it.
        version: Version of the copy.
        said: What else its manifest says.
    """
    shutil.copytree(release.path, out)
    entries: dict[str, TableEntry] = dict(release.manifest.tables)
    for name, edit in edits.items():
        rows, path = edit(release.table(name)), out / release.file(name).relative_to(release.path)
        write_parquet(rows, path)
        public = entries[name].side is Side.PUBLIC
        entries[name] = msgspec.structs.replace(
            entries[name],
            rows=rows.num_rows,
            content_hash=hashed(release, name, rows),
            file_hash=file_hash(path) if public else None,
        )
    manifest = msgspec.structs.replace(
        release.manifest, version=version, canary=canary(release.manifest.name, version), tables=entries, **said
    )
    return with_manifest(out, manifest)


def with_manifest(folder: Path, manifest: Manifest) -> Release:
    """Write a manifest and open the release."""
    (folder / MANIFEST).write_text(json_text(manifest.as_json()), encoding="utf-8", newline="\n")
    return open_release(folder)


@cache
def next_version(family: str) -> Release:
    """The golden release of a family without every fifth of its items, made once; read it, never change it."""
    from earmark.builders.withdrawing import Withdrawal, withdraw

    old = open_release(FOLDER / family / "release")
    folder = Path(_scratch().name) / family
    folder.mkdir()
    items = sorted(old.table("items")["item_id"].to_pylist())[::5]
    (folder / "ids.txt").write_text("\n".join(items), encoding="utf-8")
    return withdraw(old, Withdrawal(ids=folder / "ids.txt", reason="Asked for.", out=folder / "next")).release


@cache
def _scratch() -> TemporaryDirectory[str]:
    """Gone when the tests are over."""
    return TemporaryDirectory()


def without_private(release: Release, out: Path) -> Release:
    """A copy of the public side alone."""
    shutil.copytree(release.path, out)
    shutil.rmtree(out / "private")
    return open_release(out)


def set_cell(column: str, at: int, value: object) -> Edit:
    """Put a value into one cell."""

    def edit(rows: pa.Table) -> pa.Table:
        cells = rows[column].to_pylist()
        cells[at] = value
        place = rows.schema.get_field_index(column)
        return rows.set_column(place, rows.schema.field(place), pa.array(cells, rows.schema.field(place).type))

    return edit


def slow_difference(table: Table, old: pa.Table, new: pa.Table) -> tuple[set[str], set[str], dict[str, set[str]]]:
    """Keys added, keys removed, and keys changed by column, row by row: the twin of the fast comparison."""

    def keyed(rows: pa.Table) -> dict[str, dict[str, object]]:
        return {" ".join(str(row[name]) for name in table.key): row for row in rows.to_pylist()}

    before, now = keyed(old), keyed(new)
    changed = defaultdict(set)
    for key in before.keys() & now.keys():
        for name in (column.name for column in table.columns if column.name not in table.key):
            if canonical_cell(before[key][name]) != canonical_cell(now[key][name]):
                changed[name].add(key)
    return now.keys() - before.keys(), before.keys() - now.keys(), dict(changed)
