"""Columns as fields: their types, their parts, and the split that the names of files say."""

from __future__ import annotations

import re

import pyarrow as pa
import pytest

from earmark.builders.publishing.croissant.fields import Target, data_type, field_of, split_field
from earmark.builders.publishing.croissant.identifiers import Identifiers
from earmark.builders.publishing.data.configs import AUDIO_COLUMN, ITEM_CLIPS_COLUMN, item_shard
from earmark.manifests.tables import Column

SOURCE = {"fileObject": {"@id": "f"}}


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (pa.bool_(), "sc:Boolean"),
        (pa.int8(), "sc:Integer"),
        (pa.uint64(), "sc:Integer"),
        (pa.float32(), "sc:Float"),
        (pa.date32(), "sc:Date"),
        (pa.timestamp("us"), "sc:DateTime"),
        (pa.dictionary(pa.int32(), pa.string()), "sc:Text"),
        (pa.large_string(), "sc:Text"),
        (pa.duration("s"), "sc:Text"),
        (AUDIO_COLUMN.type, "sc:AudioObject"),
    ],
)
def test_types(kind: pa.DataType, name: str) -> None:
    assert data_type(kind) == name


def test_a_list_of_lists_has_as_many_dimensions() -> None:
    column = Column(name="spans", type=pa.list_(pa.list_(pa.int64())), means="Spans.", unit="samples", low=0)
    field = field_of(column, "x/spans", SOURCE, Identifiers())
    assert (field["isArray"], field["arrayShape"], field["dataType"]) == (True, "-1,-1", "sc:Integer")
    assert field["description"] == "Spans. Unit: samples. At least 0."


def test_parts_are_read_out_of_the_column_that_holds_them() -> None:
    target = Target("clips/clip_id", joined=False)
    field = field_of(ITEM_CLIPS_COLUMN, "items/clips", SOURCE, Identifiers(), parts={"clip_id": target})
    assert "dataType" not in field
    assert {part["@id"]: part["dataType"] for part in field["subField"]} == {
        "items/clips/role": "sc:Text",
        "items/clips/position": "sc:Integer",
        "items/clips/clip_id": "sc:Text",
    }
    for part in field["subField"]:
        assert part["source"] == {
            **SOURCE,
            "extract": {"column": "clips"},
            "transform": {"jsonPath": part["name"]},
        }
        assert ("references" in part) is (part["name"] == "clip_id")


@pytest.mark.parametrize("kind", [pa.string(), pa.list_(pa.string())])
@pytest.mark.parametrize("joined", [False, True])
def test_a_reference_is_always_said_and_followed_only_by_one_value(kind: pa.DataType, joined: bool) -> None:
    column = Column(name="clip", type=kind, means="The clip.", refers_to="clips.clip_id", nullable=True)
    field = field_of(column, "x/clip", SOURCE, Identifiers(), Target("clips/clip_id", joined))
    assert str(field["description"]).endswith("efers to clips/clip_id.")
    followed = joined and kind == pa.string()
    assert field.get("references") == ({"field": {"@id": "clips/clip_id"}} if followed else None)


@pytest.mark.parametrize("path", [item_shard("S0"), item_shard("a-test"), "data/clips/test-00003-of-00120.parquet"])
def test_the_names_of_files_say_the_split(path: str) -> None:
    transform = split_field("x/split", SOURCE)["source"]["transform"]
    found = re.match(transform["regex"], path.rpartition("/")[2])
    assert found is not None
    assert found.groups() == ("test",)
