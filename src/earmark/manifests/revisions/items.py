"""A difference seen from the items: which of them are touched by a row that was added, removed or changed in any table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

import pyarrow as pa
import pyarrow.compute as pc

from earmark.manifests.revisions.ids import Ids
from earmark.manifests.revisions.records import AudioDifference, ItemsDifference, TableDifference
from earmark.manifests.revisions.tables import Pair

_Named = tuple[str, pa.Array]


def items_difference(pair: Pair, tables: Iterable[TableDifference], audio: AudioDifference) -> ItemsDifference:
    """Which items differ, and in what.

    Args:
        pair: The two versions.
        tables: What their tables differ in.
        audio: What differs in sound.
    """
    old, new = pair.public("items")
    every = {table.table: table for table in tables}
    both = new.filter(pc.is_in(new["item_id"], value_set=old["item_id"]))["item_id"]
    by: dict[str, list[pa.Array]] = defaultdict(list)
    for what, ids in _touched(pair, every, audio):
        here = pc.unique(ids)
        by[what].append(here.filter(pc.is_in(here, value_set=both)))
    told = {what: Ids.of(pa.concat_arrays(found)) for what, found in sorted(by.items())}
    told = {what: ids for what, ids in told.items() if ids}
    return ItemsDifference(
        old=old.num_rows,
        new=new.num_rows,
        added=every["items"].added,
        removed=every["items"].removed,
        changed=Ids.of(pa.concat_arrays([pa.array([], pa.string()), *(ids.every for ids in told.values())])),
        by=told,
    )


def _touched(pair: Pair, tables: dict[str, TableDifference], audio: AudioDifference) -> Iterator[_Named]:
    for column, ids in tables["items"].edited.items():
        yield f"items.{column}", ids.every
    for name in ("item_clips", "presentations"):
        yield from _of_rows(pair, tables[name])
    for column, ids in tables["prompts"].edited.items():
        for rows in pair.public("presentations"):
            yield f"prompts.{column}", _where(rows, "prompt_id", ids.every)
    for name in ("clips", "sources"):
        for column, ids in tables[name].edited.items():
            yield f"{name}.{column}", _of_clips(pair, ids.every)
    for column, ids in tables["answers"].edited.items():
        yield f"answers.{column}", ids.every
    yield "audio", _of_clips(pair, audio.changed.every)


def _of_rows(pair: Pair, table: TableDifference) -> Iterator[_Named]:
    """Items of the rows of a table that name one."""
    key = pair.new.family.tables()[table.table].key
    old, new = pair.public(table.table)
    for what, ids in (
        *((f"{table.table}.{column}", ids) for column, ids in table.edited.items()),
        (f"{table.table} added", table.added),
        (f"{table.table} removed", table.removed),
    ):
        if not ids:
            continue
        if key[0] == "item_id":  # an id has no space in it
            yield what, pc.list_element(pc.split_pattern(ids.every, " ", max_splits=1), 0)
        else:
            for rows in (old, new):
                yield what, _where(rows, key[0], ids.every)


def _of_clips(pair: Pair, clips: pa.Array) -> pa.Array:
    return pa.concat_arrays([_where(rows, "clip_id", clips) for rows in pair.public("item_clips")])


def _where(rows: pa.Table, column: str, values: pa.Array) -> pa.Array:
    if not len(values):
        return pa.array([], pa.string())
    return rows["item_id"].filter(pc.is_in(rows[column], value_set=values)).combine_chunks()
