"""The common subset of two versions: the items that both hold unchanged, so that files made for either can be set side by side.

It has hashes of its own, which are the same whichever version it is taken from. So reports on it have equal signatures, and those
say which two versions it is between.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.hashes import content_hash
from earmark.manifests.release import Manifest, Release
from earmark.manifests.revisions.difference import require_one_line
from earmark.manifests.revisions.earlier import CommonSubset, Earlier, earlier
from earmark.manifests.revisions.items import items_difference
from earmark.manifests.revisions.records import Known, TableDifference
from earmark.manifests.revisions.sound import audio_difference
from earmark.manifests.revisions.tables import Pair, by_cells, table_difference
from earmark.manifests.revisions.versions import Version
from earmark.manifests.revisions.withdrawn import Predecessor
from earmark.manifests.tables import Side

if TYPE_CHECKING:
    from collections.abc import Mapping

UNSURE = declare(
    "common.unsure", Severity.WARNING, "whether what both versions hold is the same in them cannot be seen from here"
)
CHANGED = declare(
    "common.changed", Severity.NOTE, "items of both versions are left out, since they are not the same in them"
)

_PRIVATE = ("answers", "sources")
_SHOWN = ("items", "item_clips", "presentations", "prompts", "clips")


def common_subset(release: Release, other: Release, findings: Findings) -> Release:
    """What two versions both hold.

    An item is left out if anything of it differs, if its protocols ask something else of it, or if its group is not whole.

    Args:
        release: The version to mark on; its private side is used where it is at hand.
        other: The other one; its public side is enough.
        findings: Where it is said what was left out for being changed, and what could not be compared.

    Returns:
        The subset; the release itself where the two are one version.

    Raises:
        OtherLine: If they are no versions of one release.
        EarmarkError: If nothing is left, or their audio is at different rates.
        ReleaseError: If a table cannot be read.
    """
    require_one_line(release, other)
    if release.manifest.content_hash == other.manifest.content_hash:
        return release
    with release.trusted("it is compared"), other.trusted("it is compared"):
        whole = Pair.read(other, release)
        offered = frozenset(entry.name for entry in release.manifest.protocols) & frozenset(
            entry.name for entry in other.manifest.protocols
        )
        kept = _kept(whole, offered, findings)
        if not len(kept):
            raise EarmarkError(f"{release.path} and {other.path} have no item in common that is the same in both")
        tables = {name: _of_both(whole, name, 1, kept, offered) for name in (*_SHOWN, *_PRIVATE)}
        return _subset(release, other, {name: rows for name, rows in tables.items() if rows is not None})


def _kept(whole: Pair, offered: frozenset[str], findings: Findings) -> pa.Array:
    """Ids of items that are the same in both versions, groups whole."""
    old, new = whole.public("items")
    both = new["item_id"].filter(pc.is_in(new["item_id"], value_set=old["item_id"])).combine_chunks()
    pair = replace(
        whole,
        tables={
            name: (_of_both(whole, name, 0, both, offered), _of_both(whole, name, 1, both, offered)) for name in _SHOWN
        },
    )
    declared = whole.new.family.tables()
    tables = [by_cells(declared[name], *pair.public(name)) for name in _SHOWN]
    private = [table_difference(whole, name) for name in _PRIVATE]
    for table in private:
        _settle(whole, table, findings)
    audio = audio_difference(whole, files=False)
    if audio.resampled:
        raise EarmarkError("the audio of the two versions is at different rates, so that no item is the same in both")
    differing = items_difference(pair, [*tables, *private], audio)
    if differing.changed:
        findings.add(CHANGED, found=differing.changed.count, expected=f"in {', '.join(differing.by)}")
    kept = both.filter(pc.invert(pc.is_in(both, value_set=differing.changed.every)))
    return _whole_groups(whole, kept)


def _settle(whole: Pair, table: TableDifference, findings: Findings) -> None:
    """Say so where nobody can tell from here that a private table is the same, and no list of withdrawals vouches for it."""
    if table.known is Known.CELLS or table.same:
        return
    hashes = whole.old.manifest.content_hash, whole.new.manifest.content_hash
    vouched = any(
        entry.content_hash in hashes for release in (whole.old, whole.new) for entry in earlier(release).versions
    )
    if not vouched:
        findings.add(UNSURE, file=f"{table.table}.parquet", found=table.why, expected="both private sides, to be sure")


def _whole_groups(whole: Pair, kept: pa.Array) -> pa.Array:
    """Without items whose group, or what they are asked after, is not kept."""
    while True:
        lost: list[pa.Array] = []
        for items, sent in zip(whole.public("items"), whole.public("presentations"), strict=True):
            gone = items.filter(pc.invert(pc.is_in(items["item_id"], value_set=kept)))
            groups = gone["group"].drop_null().combine_chunks()
            lost.append(items["item_id"].filter(pc.is_in(items["group"], value_set=groups)).combine_chunks())
            before = sent["presentation_id"].filter(pc.invert(pc.is_in(sent["item_id"], value_set=kept)))
            lost.append(
                sent["item_id"].filter(pc.is_in(sent["after"], value_set=before.combine_chunks())).combine_chunks()
            )
        left = kept.filter(pc.invert(pc.is_in(kept, value_set=pa.concat_arrays(lost))))
        if len(left) == len(kept):
            return kept
        kept = left


def _of_both(whole: Pair, name: str, at: int, items: pa.Array, offered: frozenset[str]) -> pa.Table | None:
    """A table of one version without what is not of some items, and presentations without protocols that only one offers."""
    rows = whole.tables[name][at]
    if rows is None or name in ("items", "item_clips", "answers"):
        return rows and _of(rows, "item_id", items)
    if name == "presentations":
        return _owed(_of(rows, "item_id", items), offered)
    if name == "prompts":
        sent = _of_both(whole, "presentations", at, items, offered)
        return _of(rows, "prompt_id", pc.unique(sent["prompt_id"])) if sent is not None else None
    clips = _of(whole.public("item_clips")[at], "item_id", items)["clip_id"]
    return _of(rows, "clip_id", pc.unique(clips))


def _owed(rows: pa.Table, offered: frozenset[str]) -> pa.Table:
    """Presentations of protocols that are offered."""
    at = rows.schema.get_field_index("protocols")
    known: dict[tuple[str, ...], list[str]] = {}
    lists = [
        known.setdefault(tuple(said), [name for name in said if name in offered])
        for said in rows["protocols"].to_pylist()
    ]
    narrowed = rows.set_column(at, rows.schema.field(at), pa.array(lists, rows.schema.field(at).type))
    return narrowed.filter(pc.greater(pc.list_value_length(narrowed["protocols"]), 0))


def _of(rows: pa.Table, column: str, values: pa.Array) -> pa.Table:
    return rows.filter(pc.is_in(rows[column], value_set=values))


def _subset(release: Release, other: Release, tables: Mapping[str, pa.Table]) -> CommonSubset:
    pair = sorted((release, other), key=lambda one: (Version.of(one.manifest.version), one.manifest.content_hash))
    between = tuple(Predecessor(version=one.manifest.version, content_hash=one.manifest.content_hash) for one in pair)
    files = [earlier(one) for one in pair]
    sent = pa.concat_arrays(
        [
            *(one.table("presentations")["presentation_id"].combine_chunks() for one in pair),
            *(one.presentations for one in files),
        ]
    )
    kept = tables["presentations"]["presentation_id"].combine_chunks()
    return CommonSubset(
        path=release.path,
        private=release.private,
        base=release,
        manifest=_manifest(release, tables, "&".join(entry.version for entry in between)),
        tables=dict(tables),
        between=between,
        earlier=Earlier(
            tuple(dict.fromkeys([*between, *(entry for one in files for entry in one.versions)])),
            pc.unique(sent.filter(pc.invert(pc.is_in(sent, value_set=kept)))),
        ),
    )


def _manifest(release: Release, tables: Mapping[str, pa.Table], version: str) -> Manifest:
    """The manifest of a subset: its own counts and hashes."""
    manifest, declared = release.manifest, release.family.tables()
    entries = dict(manifest.tables)
    # A copy that was published with its answers open has no key, and nothing to keep from anybody.
    key = release.key if (release.side(Side.PRIVATE) / "key").is_file() else b""
    for name, rows in tables.items():
        public = declared[name].side is Side.PUBLIC
        found = content_hash(declared[name], rows, salt=b"" if public else key)
        entries[name] = msgspec.structs.replace(entries[name], rows=rows.num_rows, content_hash=found, file_hash=None)
    items = Counter(tables["items"]["facet"].to_pylist())
    owed = Counter(pc.list_flatten(tables["presentations"]["protocols"]).to_pylist())
    return msgspec.structs.replace(
        manifest,
        version=version,
        facets=[msgspec.structs.replace(facet, items=items[facet.id]) for facet in manifest.facets if items[facet.id]],
        protocols=[
            msgspec.structs.replace(entry, presentations=owed[entry.name])
            for entry in manifest.protocols
            if owed[entry.name]
        ],
        tables=entries,
        media=None,
        withdrawn=None,
    )
