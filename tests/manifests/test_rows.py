"""Typed access gives the very cell."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.manifests import rows

WORDS = st.none() | st.sampled_from(["", "a", "b", "é"]) | st.text(st.characters(exclude_categories=["Cs"]), max_size=3)
KINDS = {
    "word": (pa.string(), WORDS),
    "words": (pa.list_(pa.string()), st.none() | st.lists(WORDS, max_size=3)),
    "wholes": (pa.list_(pa.int64()), st.none() | st.lists(st.integers(0, 9), max_size=3)),
    "x": (pa.float64(), st.none() | st.floats(0, 1)),
}


@settings(max_examples=25)
@given(st.lists(st.fixed_dictionaries({name: cells for name, (_, cells) in KINDS.items()}), max_size=12), st.data())
def test_rows_are_those_that_arrow_gives(found: list[dict[str, object]], data: st.DataObject) -> None:
    """Whatever is null, however a table is cut into chunks, and wherever they begin in their buffers."""
    table = pa.Table.from_pylist(found, pa.schema([(name, kind) for name, (kind, _) in KINDS.items()]))
    cut = data.draw(st.integers(0, len(found)))
    parts = pa.concat_tables([table.slice(cut), table.slice(0, cut), table.slice(0, 0)])
    for one in (table, table.slice(cut), parts, table.select([])):
        assert rows.rows_of(one) == one.to_pylist()


def test_texts_that_recur_are_one_object() -> None:
    table = pa.table({"a": ["long text"] * 3, "b": [["long text", None], ["long text"], None]})
    found = rows.rows_of(table)
    assert len({id(row["a"]) for row in found}) == 1
    assert found[0]["b"] is not found[1]["b"]


def test_cells_come_back_as_they_are() -> None:
    row = {"a": "x", "none": None, "texts": ["x", "y"], "n": 3, "whole": [1, 2], "x": 0.5, "yes": False}
    assert rows.text(row, "a") == "x"
    assert rows.optional_text(row, "a") == "x"
    assert rows.optional_text(row, "none") is None
    assert rows.texts(row, "texts") == ["x", "y"]
    assert rows.whole(row, "n") == 3
    assert rows.wholes(row, "whole") == [1, 2]
    assert rows.real(row, "x") == 0.5
    assert rows.truth(row, "yes") is False
