"""What is left of a release's tables without some items: no row speaks of them, and nothing stands there for their sake alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from earmark.builders.withdrawing.naming import NAMES, Named

if TYPE_CHECKING:
    from earmark.manifests.canonical import Json
    from earmark.manifests.release import Release

_MADE_OF = ("items", "item_clips", "presentations", "prompts", "clips", "answers", "sources", "selection")


@dataclass(frozen=True)
class Gone:
    """What is withdrawn.

    Args:
        items: Ids of items.
        presentations: Ids of what was sent of them.
        clips: Ids of clips that no other item needs.
        names: Speakers, conversations and recordings of which nothing is left, and those that were named.
        along: How many of the items go because others of their group do.
    """

    items: pa.Array
    presentations: pa.Array
    clips: pa.Array
    names: pa.Array
    along: int


@dataclass(frozen=True)
class Remaining:
    """What is left.

    Args:
        release: The version before.
        gone: What is withdrawn from it.
        tables: Every table, by name.
        recipe: The resolved recipe.
    """

    release: Release
    gone: Gone
    tables: Mapping[str, pa.Table]
    recipe: Mapping[str, Json]


def remaining(release: Release, request: Named) -> Remaining:
    """Take what is named out of a release.

    An item goes with any of its clips, a group with any of its items, and what is asked after an item with that. A clip goes
    with the last item that needs it, and a prompt with the last presentation.

    Args:
        release: The release, its private side at hand.
        request: What is withdrawn.
    """
    tables = {name: release.table(name) for name in release.family.tables()}
    items, along = _items(tables, request)
    tables["items"] = _without(tables["items"], "item_id", items)
    tables["item_clips"] = _without(tables["item_clips"], "item_id", items)
    presentations = tables["presentations"].filter(pc.is_in(tables["presentations"]["item_id"], value_set=items))
    tables["presentations"] = _without(tables["presentations"], "item_id", items)
    tables["prompts"] = _of(tables["prompts"], "prompt_id", tables["presentations"]["prompt_id"])
    every_clip = tables["clips"]["clip_id"]
    tables["clips"] = _of(tables["clips"], "clip_id", tables["item_clips"]["clip_id"])
    tables["answers"] = _without(tables["answers"], "item_id", items)
    before = tables["sources"]
    tables["sources"] = _of(before, "clip_id", tables["clips"]["clip_id"])
    names = _names(before, tables["sources"], request)
    tables["selection"] = _without(tables["selection"], "id", names)
    gone = Gone(
        items=items,
        presentations=presentations["presentation_id"].combine_chunks(),
        clips=every_clip.filter(pc.invert(pc.is_in(every_clip, value_set=tables["clips"]["clip_id"]))).combine_chunks(),
        names=names,
        along=along,
    )
    for name, table in release.family.tables().items():
        if name not in _MADE_OF:
            for column in table.columns:
                if column.refers_to is not None and not column.is_list:
                    there, key = column.refers_to.split(".")
                    tables[name] = _of(tables[name], column.name, tables[there][key])
    return Remaining(release, gone, tables, _recipe(release))


def _recipe(release: Release) -> Mapping[str, Json]:
    recipe = release.manifest.as_json()["recipe"]
    return recipe if isinstance(recipe, Mapping) else {}


def _items(tables: Mapping[str, pa.Table], request: Named) -> tuple[pa.Array, int]:
    """Ids of all items that go, and how many of them only go because of others."""
    items, clips = tables["items"], tables["item_clips"]
    by_clip = clips["item_id"].filter(
        pc.is_in(clips["clip_id"], value_set=pa.array(sorted(request.clips), pa.string()))
    )
    asked = pc.unique(pa.chunked_array([pa.array(sorted(request.items), pa.string()), *by_clip.chunks]))
    gone, sent = asked, tables["presentations"]
    while True:
        groups = items["group"].filter(pc.is_in(items["item_id"], value_set=gone)).drop_null().combine_chunks()
        mates = items["item_id"].filter(pc.is_in(items["group"], value_set=groups)).combine_chunks()
        before = sent["presentation_id"].filter(pc.is_in(sent["item_id"], value_set=gone)).combine_chunks()
        later = sent["item_id"].filter(pc.is_in(sent["after"], value_set=before)).combine_chunks()
        more = pc.unique(pa.concat_arrays([gone, mates, later]))
        if len(more) == len(gone):
            return gone, len(gone) - len(asked)
        gone = more


def _names(before: pa.Table, after: pa.Table, request: Named) -> pa.Array:
    """Names of which no clip is left, and those that were named."""
    told = {column: set(before[column].drop_null().to_pylist()) for column in NAMES}
    left = {column: set(after[column].drop_null().to_pylist()) for column in NAMES}
    return pa.array(sorted(set(request.names).union(*(told[column] - left[column] for column in NAMES))), pa.string())


def _without(rows: pa.Table, column: str, values: pa.Array) -> pa.Table:
    return rows.filter(pc.invert(pc.is_in(rows[column], value_set=values)))


def _of(rows: pa.Table, column: str, values: pa.ChunkedArray) -> pa.Table:
    kept = pc.is_in(rows[column], value_set=pc.unique(values))
    return rows.filter(pc.or_(kept, pc.is_null(rows[column])))
