"""The record sets of a published copy: what `datasets` loads as configs, and what their columns refer to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from earmark.builders.publishing.croissant.fields import Target, field_of, split_field
from earmark.builders.publishing.data.configs import CLIPS_CONFIG, ITEM_CLIPS_COLUMN, ITEMS_CONFIG, SPLIT
from earmark.manifests.copies.published import DATA
from earmark.manifests.declarations import ITEM_CLIPS, RECIPES

if TYPE_CHECKING:
    from earmark.builders.publishing.croissant.files import Distribution
    from earmark.builders.publishing.croissant.identifiers import Identifiers
    from earmark.builders.publishing.texts.facts import Facts
    from earmark.manifests.canonical import Json
    from earmark.manifests.tables import Column, Table

EVERY_CLIP = "all_clips"
"""The set of all clips, where only some have their audio in the copy."""


@dataclass(frozen=True, kw_only=True)
class _Planned:
    """A record set that there will be if its files are there.

    Args:
        name: What it is called.
        paths: Its files, or patterns of them.
        columns: Its columns.
        key: Those of them that identify a row.
        means: One sentence for people.
        table: The table that it is, if the rows of others refer to its own.
        heavy: Whether it holds audio.
    """

    name: str
    paths: Sequence[str]
    columns: Sequence[Column]
    key: Sequence[str]
    means: str
    table: str | None = None
    heavy: bool = False


@dataclass(frozen=True)
class _Found:
    """A record set whose files are there.

    Args:
        plan: What it is.
        id: Its id.
        source: Where it is read from.
        fields: Ids of its fields, by column.
    """

    plan: _Planned
    id: str
    source: Mapping[str, Json]
    fields: Mapping[str, str]


def record_sets(facts: Facts, tables: Mapping[str, Table], files: Distribution, ids: Identifiers) -> list[Json]:
    """Every record set whose files are there.

    Args:
        facts: What is known of the copy.
        tables: The tables of its family, by name.
        files: Its files; they learn which of them are read as one.
        ids: Where ids come from.
    """
    found = []
    for plan in _planned(facts, tables):
        source = files.source(plan.paths, f"{plan.name}-files")
        if source is not None:
            id = ids.new(plan.name)
            found.append(_Found(plan, id, source, {each.name: ids.new(f"{id}/{each.name}") for each in plan.columns}))
    targets = {
        f"{entry.plan.table}.{name}": Target(id, joined=not entry.plan.heavy)
        for entry in found
        if entry.plan.table is not None
        for name, id in entry.fields.items()
    }
    return [*(_record_set(entry, targets, ids) for entry in found), _facets(facts, ids), _splits(ids)]


def _planned(facts: Facts, tables: Mapping[str, Table]) -> Iterator[_Planned]:
    """What `datasets` loads, and of the other public tables what is referred to or tells how to cut."""
    some_missing = facts.shipped < facts.clips
    for config in facts.configs:
        table = ITEMS_CONFIG if config.facet is not None else config.name
        heavy = config.name == CLIPS_CONFIG
        yield _Planned(
            name=config.name if config.facet is None else f"{ITEMS_CONFIG}-{config.name}",
            paths=config.files,
            columns=config.columns,
            key=tables[table].key,
            means=config.means,
            table=None if config.facet is not None or (heavy and some_missing) else table,
            heavy=heavy,
        )
    if some_missing:
        name = EVERY_CLIP if facts.shipped else CLIPS_CONFIG
        yield replace(_stored(tables["clips"]), name=name, means="One row per clip, its audio shipped or not.")
    if facts.has_recipes:
        yield _stored(RECIPES)


def _stored(table: Table) -> _Planned:
    return _Planned(
        name=table.name,
        paths=(f"{table.side.value}/{table.filename}",),
        columns=table.columns,
        key=table.key,
        means=table.means,
        table=table.name,
    )


def _record_set(entry: _Found, targets: Mapping[str, Target], ids: Identifiers) -> Json:
    plan = entry.plan
    clip = targets.get(ITEM_CLIPS.column("clip_id").refers_to or "")
    parts = {} if clip is None else {"clip_id": clip}
    fields = [
        field_of(
            column,
            entry.fields[column.name],
            entry.source,
            ids,
            _target(column, entry, targets),
            parts if column == ITEM_CLIPS_COLUMN else {},
        )
        for column in plan.columns
    ]
    if plan.paths[0].startswith(f"{DATA}/"):
        fields.append(split_field(ids.new(f"{entry.id}/split"), entry.source))
    return {
        "@type": "cr:RecordSet",
        "@id": entry.id,
        "name": plan.name,
        "description": plan.means,
        "key": [{"@id": entry.fields[name]} for name in plan.key],
        "field": fields,
    }


def _target(column: Column, entry: _Found, targets: Mapping[str, Target]) -> Target | None:
    """What a column refers to; within its own set that is only said, since mlcroissant takes it for a circle."""
    target = None if column.refers_to is None else targets.get(column.refers_to)
    within = target is not None and target.id in entry.fields.values()
    return replace(target, joined=False) if target is not None and within else target


def _facets(facts: Facts, ids: Identifiers) -> Json:
    entries: list[Mapping[str, Json]] = [
        {"id": facet.id, "name": facet.name, "items": facet.items} for facet in facts.facets
    ]
    means = {"id": "As items say it.", "name": "What people call it.", "items": "How many items test it."}
    return _embedded("facets", "The axes that items test.", "sc:Enumeration", "id", means, entries, ids)


def _splits(ids: Identifiers) -> Json:
    entries: list[Mapping[str, Json]] = [{"name": SPLIT, "url": "cr:TestSplit"}]
    means = {"name": "As the names of files say it.", "url": "What Croissant calls it."}
    return _embedded("splits", "The only split: nothing is to be trained on.", "cr:Split", "name", means, entries, ids)


def _embedded(
    name: str,
    means: str,
    kind: str,
    key: str,
    columns: Mapping[str, str],
    rows: Sequence[Mapping[str, Json]],
    ids: Identifiers,
) -> Json:
    """A small table that stands in the file itself."""
    id = ids.new(name)
    fields = {column: ids.new(f"{id}/{column}") for column in columns}
    return {
        "@type": "cr:RecordSet",
        "@id": id,
        "name": name,
        "description": means,
        "dataType": kind,
        "key": [{"@id": fields[key]}],
        "field": [
            {
                "@type": "cr:Field",
                "@id": fields[column],
                "name": column,
                "description": said,
                "dataType": "sc:Integer" if any(isinstance(row[column], int) for row in rows) else "sc:Text",
            }
            for column, said in columns.items()
        ],
        "data": [{fields[column]: row[column] for column in columns} for row in rows],
    }
