"""The private side as it may be published: the answers, and of the sources what scoring needs and licences let be told.

A clip whose licence forbids texts and rows about speakers keeps how it is cut, what was measured of it, and opaque names of its
speaker, conversation, prompt and script, so that what depends on each other is still known. Of items about it the answers say
nothing of speakers besides the gold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from earmark.builders.publishing.data.dataset import copy_file
from earmark.manifests.building import write_parquet
from earmark.manifests.canonical import Json, json_text
from earmark.manifests.copies.published import SHIPPED
from earmark.manifests.declarations import RECIPES, SOURCES
from earmark.manifests.hashes import file_hash
from earmark.manifests.keys import keyed_id
from earmark.manifests.rows import text
from earmark.manifests.tables import Column, Side, Table

if TYPE_CHECKING:
    from earmark.manifests.release import Release

KEPT = frozenset(column.name for column in RECIPES.columns) | {"level"}
"""What stays of every row besides what was measured: how a clip is cut, and what it is recognised by."""

ANSWERS_TABLE, SOURCES_TABLE = "answers", "sources"


def write_private_side(release: Release, whole: frozenset[str], folder: Path) -> None:
    """Write the tables that scoring needs and `shipped.json`; never the key, pages, attempts or what was sampled from.

    Args:
        release: The release, with its private side and key.
        whole: Ids of the clips whose rows may be published as they are.
        folder: The folder that gets a private side.

    Raises:
        PrivateSideMissing: If this copy of the release lacks it.
        ReleaseError: If a table is damaged.
    """
    private = folder / Side.PRIVATE.value
    private.mkdir(parents=True, exist_ok=True)
    declared = release.family.tables()
    answers, sources = (private / declared[name].filename for name in (ANSWERS_TABLE, SOURCES_TABLE))
    rows = release.table(SOURCES_TABLE).to_pylist()
    reduced = any(text(row, "clip_id") not in whole for row in rows)
    golds = release.table(ANSWERS_TABLE).to_pylist()
    less = reduced_answers(release, golds, whole)
    told = less != golds
    if told:
        write_parquet(declared[ANSWERS_TABLE].from_rows(less), answers)
    else:
        copy_file(release.file(ANSWERS_TABLE), answers)
    if reduced:
        kept = reduced_sources(declared[SOURCES_TABLE], rows, whole, release.key)
        write_parquet(declared[SOURCES_TABLE].from_rows(kept), sources)
    else:
        copy_file(release.file(SOURCES_TABLE), sources)
    manifest = release.manifest
    said: Mapping[str, Json] = {
        "canary": manifest.canary,
        "release": f"{manifest.name}@{manifest.version}",
        "content_hash": manifest.content_hash,
        "tables": {
            ANSWERS_TABLE: {"file_hash": file_hash(answers), "reduced": told},
            SOURCES_TABLE: {"file_hash": file_hash(sources), "reduced": reduced},
        },
    }
    (private / SHIPPED).write_text(json_text(said), encoding="utf-8", newline="\n")


def reduced_sources(
    table: Table, rows: Iterable[dict[str, object]], whole: frozenset[str], key: bytes
) -> list[dict[str, object]]:
    """Rows of sources without what licences forbid.

    Args:
        table: The family's declaration of sources.
        rows: All rows.
        whole: Ids of the clips whose rows may be published as they are.
        key: The release key, by which names are made opaque.
    """
    names = {column.name for column in table.columns}
    return [
        {name: cell for name, cell in row.items() if name in names}
        if text(row, "clip_id") in whole
        else {column.name: _reduced(column, row[column.name], key) for column in table.columns}
        for row in rows
    ]


def reduced_answers(
    release: Release, rows: Iterable[dict[str, object]], whole: frozenset[str]
) -> list[dict[str, object]]:
    """Rows of answers without what they say of speakers besides the gold, where licences forbid it.

    Args:
        release: The release.
        rows: All rows.
        whole: Ids of the clips of whose speakers may be told.
    """
    columns = release.family.tables()[ANSWERS_TABLE].columns
    hushed = {column.name for column in columns if column.nullable and column.name in _OF_SPEAKERS}
    clips = release.table("item_clips").select(["item_id", "clip_id"]).to_pylist() if hushed else []
    items = {row["item_id"] for row in clips if row["clip_id"] not in whole}
    return [
        {name: None if name in hushed and row["item_id"] in items else cell for name, cell in row.items()}
        for row in rows
    ]


def _reduced(column: Column, cell: object, key: bytes) -> object:
    """A cell that tells nothing of words or of a person, of the column's own type."""
    if cell is None or column.name in KEPT or column.step is not None:
        return cell
    if column.name in _DEPENDED_ON:
        return keyed_id(key, "s", [column.name, str(cell)])
    if column.nullable:
        return None
    if column.is_list:
        return []
    # What is no text tells of the clip and not of what was said; a choice is one of few words that the format has.
    return (
        cell if column.choices or not pa.types.is_string(column.type) else keyed_id(key, "s", [column.name, str(cell)])
    )


_OF_SPEAKERS = frozenset({"sex", "age", "age_group"})
"""What answers may say of speakers besides the gold."""

_DEPENDED_ON = ("speaker", "conversation", "prompt", "script")
"""What clips have in common, by which intervals are made."""

assert {*_DEPENDED_ON, *KEPT - {"gain"}} <= {column.name for column in SOURCES.columns}  # noqa: S101 — names are spelt here
