"""Columns of rows: the structure takes nothing that the rules refuse, and nothing is lost on the way."""

from __future__ import annotations

import json

import msgspec
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.predictions import GOOD, ODD, SMALL

from earmark.scoring.submissions.columns import COLUMNS, block, row_table, structure, table_rows
from earmark.scoring.submissions.rows import FIELDS, Row, Rules

RULES = Rules(("P", "N", "1"), probability=True, limits=SMALL)
STRUCTURE = structure(RULES)


def taken(values: list[object]) -> list[Row] | None:
    """What the structure makes of values, or None where it refuses one."""
    try:
        rows = msgspec.convert(values, list[STRUCTURE])  # type: ignore[valid-type]  # made at run time
    except msgspec.ValidationError:
        return None
    read = block(RULES, rows, pa.array(range(len(rows)), pa.int64()))
    return table_rows(read.table) if read.sound.all() else None


@given(st.lists(ODD | GOOD, min_size=1, max_size=4))
def test_what_the_structure_takes_the_rules_take(values: list[object]) -> None:
    rows = taken(values)
    if rows is not None and "\\u0000" not in json.dumps(values):  # which the readers look for themselves
        assert rows == [RULES.check(value, n) for n, value in enumerate(values)]  # type: ignore[arg-type]  # JSON


@given(st.lists(GOOD, min_size=1, max_size=6))
def test_good_rows_are_taken(values: list[object]) -> None:
    assert taken(values) == [RULES.check(value, n) for n, value in enumerate(values)]  # type: ignore[arg-type]  # JSON


@given(st.lists(GOOD, min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_quotes_are_counted(values: list[dict[str, object]], random: object) -> None:
    lines = [msgspec.json.encode(value).replace(b"\\\\", b"").replace(b'\\"', b"") for value in values]
    rows = msgspec.convert(values, list[STRUCTURE])  # type: ignore[valid-type]  # made at run time
    read = block(RULES, rows, pa.array(range(len(rows)), pa.int64()))
    assert read.quotes.tolist() == [line.count(b'"') for line in lines]


@given(st.lists(GOOD, max_size=6))
def test_rows_and_columns_are_the_same(values: list[object]) -> None:
    rows = [row for n, value in enumerate(values) if isinstance(row := RULES.check(value, n), Row)]  # type: ignore[arg-type]
    table = row_table(rows) if rows else COLUMNS.empty_table()
    assert table.schema.equals(COLUMNS)
    assert table_rows(table) == rows


def test_the_columns_are_the_fields_and_the_line() -> None:
    assert tuple(COLUMNS.names) == (*FIELDS, "line")
    assert Row._fields == (*FIELDS, "line", "problem")


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"status": "ok"},
        {"response": "x", "choice": "P"},
        {"response": "x", "probability": 0.5},
        {"status": "failed", "choice": "P"},
        {"status": "failed", "probability": 0.5},
        {"status": "abstained", "choice": "P", "probability": 0.5},
    ],
)
def test_rows_that_contradict_themselves_are_unsound(fields: dict[str, object]) -> None:
    values = [
        {"presentation_id": "p", "choice": "P"},
        {"presentation_id": "p", **fields},
        {"presentation_id": "p", "response": ""},
    ]
    rows = msgspec.convert(values, list[STRUCTURE])  # type: ignore[valid-type]  # made at run time
    assert block(RULES, rows, pa.array([1, 2, 3], pa.int64())).sound.tolist() == [True, False, True]
    assert isinstance(RULES.check(values[1], 2), list)  # type: ignore[arg-type]  # JSON
