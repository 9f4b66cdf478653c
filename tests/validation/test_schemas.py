"""Schemas: each constraint violated alone is found with code, row, id and the valid values; all of them at once too."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pandera.errors
import pandera.pandas as pandera
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.manifests import declarations
from earmark.manifests.families.stance import STANCE
from earmark.manifests.findings import Findings
from earmark.manifests.tables import Column, Side, Table
from earmark.validation import schemas, strategies
from earmark.validation.schemas import check_table, pandera_schema

TABLES = sorted(STANCE.tables().values(), key=lambda table: table.name)

TOY = Table(
    name="toys",
    means="Toys.",
    side=Side.PUBLIC,
    key=("box", "place"),
    columns=(
        Column(name="box", type=pa.string(), pattern="[a-c]+", means="Box."),
        Column(name="place", type=pa.int64(), low=0, high=9, unit="cm", means="Place."),
        Column(name="kind", type=pa.string(), choices=("bear", "ball"), nullable=True, means="Kind."),
        Column(name="weight", type=pa.float64(), low=0.5, high=2.0, unit="kg", nullable=True, means="Weight."),
        Column(name="names", type=pa.list_(pa.string()), pattern="[A-Z][a-z]*", means="Names."),
        Column(name="years", type=pa.list_(pa.int64()), low=1900, high=2100, nullable=True, means="Years."),
        Column(name="loved", type=pa.bool_(), means="Whether it is loved."),
    ),
)
SOUND: dict[str, Any] = {
    "box": "abc",
    "place": 3,
    "kind": "bear",
    "weight": 1.0,
    "names": ["Ted", "X"],
    "years": [1999],
    "loved": True,
}


def found(rows: list[dict[str, Any]], table: Table = TOY) -> tuple[Findings, bool]:
    """What is found in rows, which Arrow takes with nulls where the declaration has none."""
    schema = pa.schema([pa.field(column.name, column.type) for column in table.columns])
    findings = Findings()
    usable = check_table(table, pa.Table.from_pylist(rows, schema=schema), findings)
    return findings, usable


def others(n: int) -> list[dict[str, Any]]:
    return [{**SOUND, "place": place} for place in range(n)]


def test_sound_rows_are_sound() -> None:
    edges = [
        {**SOUND, "place": 0, "weight": 0.5, "kind": None, "names": [], "years": None},
        {**SOUND, "place": 9, "weight": 2.0, "years": [1900, 2100]},
        {**SOUND, "place": 5, "weight": None},
    ]
    findings, usable = found(edges)
    assert list(findings) == []
    assert usable
    assert list(found([])[0]) == []


@pytest.mark.parametrize(
    ("column", "value", "code", "shown", "expected"),
    [
        ("box", "abd", "table.value", "abd", "a match of [a-c]+"),
        ("box", "abc\n", "table.value", "abc\n", "a match of [a-c]+"),
        ("box", "xabc", "table.value", "xabc", "a match of [a-c]+"),
        ("box", "", "table.value", "", "a match of [a-c]+"),
        ("box", None, "table.null", None, None),
        ("place", -1, "table.value", "-1", "at least 0 cm and at most 9 cm"),
        ("place", 10, "table.value", "10", "at least 0 cm and at most 9 cm"),
        ("place", None, "table.null", None, None),
        ("kind", "Bear", "table.value", "Bear", "one of bear, ball"),
        ("weight", 0.49, "table.value", "0.49", "at least 0.5 kg and at most 2 kg"),
        ("weight", 2.01, "table.value", "2.01", "at least 0.5 kg and at most 2 kg"),
        ("names", ["Ted", "ted"], "table.value", "ted", "a match of [A-Z][a-z]*"),
        ("names", ["Ted\n"], "table.value", "Ted\n", "a match of [A-Z][a-z]*"),
        ("names", ["Ted", None], "table.null", None, "a match of [A-Z][a-z]*"),
        ("names", None, "table.null", None, None),
        ("years", [1999, 1899], "table.value", "1899", "at least 1900 and at most 2100"),
        ("years", [2101], "table.value", "2101", "at least 1900 and at most 2100"),
        ("loved", None, "table.null", None, None),
    ],
)
def test_each_constraint_violated_alone(
    column: str, value: object, code: str, shown: str | None, expected: str | None
) -> None:
    rows = others(4)
    rows[2][column] = value
    findings, usable = found(rows)
    (finding,) = findings
    assert (finding.code.name, finding.file, finding.row, finding.column) == (code, "toys.parquet", 3, column)
    assert finding.found == shown
    if expected is not None:
        assert finding.expected == expected
    if column not in ("box", "place"):
        assert finding.id == "abc 2"
    assert usable == (code == "table.value"), "rows with an absent cell are not to be relied on"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_is_none(value: float) -> None:
    rows = others(3)
    rows[1]["weight"] = value
    findings, usable = found(rows)
    finding = next(entry for entry in findings if entry.code.name == "table.not-finite")
    assert (finding.row, finding.column, finding.found) == (2, "weight", str(value))
    assert not usable


def test_two_rows_of_one_key() -> None:
    rows = [*others(3), {**SOUND, "place": 1, "kind": "ball"}]
    findings, usable = found(rows)
    assert [(f.code.name, f.row, f.column, f.id) for f in findings] == [
        ("table.duplicate-key", 2, "box place", "abc 1"),
        ("table.duplicate-key", 4, "box place", "abc 1"),
    ]
    assert usable


def test_columns_and_types_come_first() -> None:
    findings = Findings()
    rows = pa.table({"box": ["abc"], "place": [1]})
    assert not check_table(TOY, rows, findings)
    (finding,) = findings
    assert (finding.code.name, finding.found) == ("table.columns", "box, place")
    assert finding.expected == "box, place, kind, weight, names, years, loved"
    findings = Findings()
    sound = pa.Table.from_pylist([SOUND], schema=TOY.arrow_schema())
    reordered = sound.select(["place", "box", *sound.column_names[2:]])
    assert not check_table(TOY, reordered, findings)
    assert findings.counts == {"table.columns": 1}
    findings = Findings()
    other = sound.set_column(1, "place", pa.array([3], pa.int32())).set_column(3, "weight", pa.array([1], pa.int64()))
    assert not check_table(TOY, other, findings)
    assert [(f.column, f.found, f.expected) for f in findings] == [
        ("place", "int32", "int64"),
        ("weight", "int64", "double"),
    ]


def test_all_failures_at_once() -> None:
    rows = others(5)
    rows[0] |= {"box": "z", "kind": "doll", "names": ["x", "y"]}
    rows[1] |= {"place": 99, "weight": 9.0, "years": [1, 2]}
    rows[3] |= {"box": None, "loved": None}
    findings, _ = found(rows)
    assert findings.counts == {"table.null": 2, "table.value": 8}


def test_counts_are_exact_where_the_list_is_capped() -> None:
    rows = [{**SOUND, "box": "z", "place": n % 10} for n in range(2_000)]
    findings, _ = found(rows)
    assert findings.counts["table.value"] == 2_000
    assert len([entry for entry in findings if entry.code.name == "table.value"]) == findings.cap


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_drawn_rows_of_every_table_pass(table: Table) -> None:
    @settings(max_examples=15, deadline=None)
    @given(strategies.tables(table))
    def check(rows: list[dict[str, object]]) -> None:
        findings = Findings()
        assert check_table(table, table.from_rows(rows), findings)
        assert list(findings) == []

    check()


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_any_constraint_of_any_table_broken_is_found(table: Table) -> None:
    """Of every declared column: a value outside its choices, pattern or range, and a null where none may be."""

    @settings(max_examples=5, deadline=None)
    @given(strategies.rows(table))
    def check(sound: dict[str, object]) -> None:
        for column in table.columns:
            for wrong in _wrong(column):
                row = {**sound, column.name: [wrong] if column.is_list and wrong is not None else wrong}
                findings, _ = found([row], table)
                assert [entry.column for entry in findings] == [column.name]
                assert {entry.code.name for entry in findings} == {"table.null" if wrong is None else "table.value"}

    check()
    assert any(_wrong(column) for column in table.columns)


def _wrong(column: Column) -> list[object]:
    wrong: list[object] = [] if column.nullable else [None]
    if column.choices is not None or column.pattern is not None:
        wrong.append("\x00 never\n")
    if column.low is not None:
        wrong.append(type_of(column)(column.low - 1))
    if column.high is not None:
        wrong.append(type_of(column)(column.high + 1))
    return wrong


def type_of(column: Column) -> type[int] | type[float]:
    inner = column.type.value_type if column.is_list else column.type
    return int if pa.types.is_integer(inner) else float


@pytest.mark.parametrize("table", declarations.TABLES, ids=lambda table: table.name)
def test_each_table_has_a_named_schema(table: Table) -> None:
    schema = getattr(schemas, table.name.upper())
    assert isinstance(schema, pandera.DataFrameSchema)
    assert list(schema.columns) == [column.name for column in table.columns]
    assert schema.unique == list(table.key)
    assert [name for name, column in schema.columns.items() if column.nullable] == [
        column.name for column in table.columns if column.nullable
    ]


def test_a_name_that_is_no_schema() -> None:
    with pytest.raises(AttributeError, match="no schema named 'CLIP'; there is ITEMS, ITEM_CLIPS"):
        _ = schemas.CLIP


@settings(max_examples=25, deadline=None)
@given(place=st.integers(-20, 30), kind=st.sampled_from(("bear", "ball", "doll", None)))
def test_pandera_alone_agrees(place: int, kind: str | None) -> None:
    """Whoever takes the schema and not `check_table` gets the same verdict on what is no list."""
    row = {**SOUND, "place": place, "kind": kind}
    frame = pa.Table.from_pylist([row], schema=TOY.arrow_schema()).to_pandas(types_mapper=pd.ArrowDtype)
    sound = 0 <= place <= 9 and kind != "doll"
    try:
        pandera_schema(TOY).validate(frame, lazy=True)
    except pandera.errors.SchemaErrors:
        assert not sound
    else:
        assert sound
    assert (not list(found([row])[0])) == sound


def test_a_big_table_is_checked_whole() -> None:
    n = 200_000
    rows = pa.table(
        {
            "clip_id": pa.array([f"c{'a' * 20}{n:06d}".translate(DIGITS) for n in range(n)]),
            "duration": pa.array([1.0] * (n - 1) + [-1.0]),
            "rate": pa.array([48_000] * n, pa.int64()),
            "licence": pa.array(["CC0-1.0"] * n),
        }
    )
    findings = Findings()
    assert check_table(declarations.CLIPS, rows, findings)
    (finding,) = findings
    assert (finding.row, finding.column, finding.found) == (n, "duration", "-1.0")


DIGITS = str.maketrans("0123456789", "abcdefghij")
