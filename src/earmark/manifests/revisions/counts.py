"""How many items there are of each facet and kind, and presentations of each protocol, then and now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from earmark.manifests.revisions.records import CellChange
from earmark.manifests.revisions.tables import Pair

_Cells = Counter[tuple[str, str, str | None]]


def cell_changes(pair: Pair) -> tuple[CellChange, ...]:
    """Counts of both versions, facets and protocols in the order of their names, all kinds of a facet before each of them."""
    old, new = (_cells(pair, at) for at in range(2))
    known = [pair.tables["answers"][at] is not None for at in range(2)]
    found = []
    for key in sorted(old.keys() | new.keys(), key=lambda cell: (cell[0], cell[1], cell[2] or "")):
        counts = [
            None if key[2] is not None and not here else cells[key]
            for cells, here in zip((old, new), known, strict=True)
        ]
        found.append(CellChange(*key, *counts))
    return tuple(found)


def _cells(pair: Pair, at: int) -> _Cells:
    cells: _Cells = Counter()
    for facet, count in _counted(pair.public("items")[at]["facet"]):
        cells["items", facet, None] = count
    answers = pair.tables["answers"][at]
    if answers is not None and pair.new.family.kinds:
        kinds = (
            pair.public("items")[at].select(["item_id", "facet"]).join(answers.select(["item_id", "kind"]), "item_id")
        )
        table = kinds.group_by(["facet", "kind"]).aggregate([([], "count_all")]).to_pylist()
        for row in table:
            if row["kind"] is not None:
                cells["items", row["facet"], row["kind"]] = row["count_all"]
    for protocol, count in _counted(pc.list_flatten(pair.public("presentations")[at]["protocols"])):
        cells["presentations", protocol, None] = count
    return cells


def _counted(column: pa.ChunkedArray) -> Iterator[tuple[str, int]]:
    for entry in pc.value_counts(column).to_pylist():
        yield entry["values"], entry["counts"]
