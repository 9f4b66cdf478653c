"""What a release holds, counted: items, speakers and conversations per facet, gold and group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from earmark.manifests.canonical import Json
from earmark.manifests.release import Release

if TYPE_CHECKING:
    import pyarrow as pa

Cell: TypeAlias = "tuple[str, str, str]"
"""Facet, gold and group."""

_CELL = ("facet", "gold", "group")

EVERY = ""
"""Stands for all golds or all groups together."""

UNGROUPED = "not known"
"""Stands for the group of an item that has none, where others have one."""


@dataclass(frozen=True)
class Counts:
    """Distinct things in one cell; speakers and conversations are those of the clips that are judged."""

    items: int
    speakers: int
    conversations: int


@dataclass(frozen=True)
class Summary:
    """A release counted.

    Args:
        cells: (facet, gold, group) → counts; an empty string stands for all of them. Without the private side only items per
            facet are known, and speakers and conversations are 0.
        golds: The golds, in the family's order.
        private: Whether the private side was at hand.
    """

    cells: Mapping[Cell, Counts]
    golds: tuple[str, ...]
    private: bool

    def ratio(self, facet: str) -> float | None:
        """Items of the commonest gold over those of the rarest; None where one has none, or golds are not known."""
        items = [self.cells[facet, gold, EVERY].items for gold in self.golds if (facet, gold, EVERY) in self.cells]
        return max(items) / min(items) if self.private and len(items) == len(self.golds) else None

    def as_json(self) -> list[Mapping[str, Json]]:
        """One record per cell."""
        return [
            {
                "facet": facet or None,
                "gold": gold or None,
                "group": group or None,
                "items": counts.items,
                "speakers": counts.speakers if self.private else None,
                "conversations": counts.conversations if self.private else None,
            }
            for (facet, gold, group), counts in sorted(self.cells.items())
        ]


def summarise(release: Release) -> Summary:
    """Count a release, in Arrow; the group is the family's first own answer column, such as the role."""
    family, private = release.family, release.has_private_side
    places = _places(release) if private else _of(release.table("items", ["facet"])["facet"])
    items = _by_cell(places, {})
    heard = _by_cell(_heard(release, places), {"speaker": "all", "conversation": "only_valid"}) if private else {}
    cells = {cell: Counts(rows, *heard.get(cell, (0, 0, 0))[1:]) for cell, (rows,) in items.items()}
    return Summary(cells, family.golds, private)


def _of(facets: pa.ChunkedArray, golds: object = EVERY, groups: object = EVERY) -> pa.Table:
    """The facet, gold and group of each item."""
    import pyarrow as pa

    columns = (pa.repeat(of, len(facets)) if isinstance(of, str) else of for of in (facets, golds, groups))
    return pa.table(dict(zip(_CELL, columns, strict=True)))


def _places(release: Release) -> pa.Table:
    """The same by the answers; an item that has none is in no cell but those of its facet."""
    import pyarrow.compute as pc

    further = [column.name for column in release.family.answer_columns[:1]]
    items, answers = release.table("items", ["facet"]), release.table("answers", ["gold", *further])
    answer = pc.index_in(items["item_id"], value_set=answers["item_id"].combine_chunks())
    golds = pc.fill_null(answers["gold"].take(answer), EVERY)
    # Where no item has a group there is nothing to tell apart; where some have, the others are said to have none.
    if not further or answers[further[0]].null_count == answers.num_rows:
        return _of(items["facet"], golds)
    named = pc.fill_null(answers[further[0]], EVERY)
    named = pc.if_else(pc.equal(named, EVERY), UNGROUPED, named)
    return _of(items["facet"], golds, pc.fill_null(named.take(answer), EVERY))


def _heard(release: Release, places: pa.Table) -> pa.Table:
    """Speaker and conversation of every clip that is judged, and the facet, gold and group of its item.

    Raises:
        LookupError: If a clip has no source.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    items, clips = release.table("items", []), release.table("item_clips", ["clip_id"])
    sources = release.table("sources", ["speaker", "conversation"])
    clips = clips.filter(pc.is_in(clips["role"], value_set=pa.array(release.family.judged, pa.string())))
    source = pc.index_in(clips["clip_id"], value_set=sources["clip_id"].combine_chunks())
    if source.null_count:
        raise LookupError(f"clip {clips['clip_id'].filter(source.is_null())[0]} has no source")
    item = pc.index_in(clips["item_id"], value_set=items["item_id"].combine_chunks())
    conversations = sources["conversation"]
    named = pc.if_else(pc.equal(conversations, EVERY), pa.scalar(None, pa.string()), conversations)  # no part of any
    table = places.take(item)
    table = table.append_column("speaker", sources["speaker"].take(source))
    return table.append_column("conversation", named.take(source)).filter(item.is_valid())


def _by_cell(rows: pa.Table, columns: Mapping[str, str]) -> dict[Cell, list[int]]:
    """Rows, and different values of some columns, for each facet, gold and group and for all of each together.

    Args:
        rows: Facets, golds and groups, and those columns.
        columns: By name, whether null counts as a value ("all") or not ("only_valid").
    """
    import pyarrow.compute as pc

    distinct = ((name, "count_distinct", pc.CountOptions(mode)) for name, mode in columns.items())
    asked: list[tuple[object, ...]] = [([], "count_all"), *distinct]
    found: dict[Cell, list[int]] = {}
    # From the narrowest to the widest: what has no name in a column is the same cell as all together, and counts for less.
    for chosen in (chosen for most in (3, 2, 1, 0) for chosen in combinations(_CELL, most)):
        counted = rows.group_by(list(chosen), use_threads=False).aggregate(asked) if rows.num_rows else rows
        for row in zip(*counted.to_pydict().values(), strict=True):
            named = dict(zip(chosen, row, strict=False))
            facet, gold, group = (str(named.get(name, EVERY)) for name in _CELL)
            found[facet, gold, group] = [int(count) for count in row[len(chosen) :]]
    return found
