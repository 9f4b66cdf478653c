"""The declared tables: consistent with each other, and silent about the gold on the public side."""

from __future__ import annotations

import re

import pyarrow as pa
import pytest

from earmark.manifests import declarations
from earmark.manifests.families.stance import STANCE
from earmark.manifests.tables import Column, Side, Table

TABLES = {table.name: table for table in declarations.TABLES}
COLUMNS = [
    pytest.param(table, column, id=f"{table.name}.{column.name}")
    for table in STANCE.tables().values()
    for column in table.columns
]


def test_the_tables_of_the_format() -> None:
    public = {table.name for table in declarations.TABLES if table.side is Side.PUBLIC}
    assert public == {"items", "item_clips", "presentations", "prompts", "clips"}
    assert {table.name for table in declarations.TABLES} - public >= {"answers", "sources"}


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_a_column_is_wholly_declared(table: Table, column: Column) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9_]*", column.name)
    assert re.fullmatch(r"[A-Z].*\.", column.means)
    if column.refers_to:
        other, name = column.refers_to.split(".")
        assert TABLES[other].column(name).type == pa.string()
        assert table.side is Side.PRIVATE or TABLES[other].side is Side.PUBLIC, "a stranger could not follow it"
    if column.pattern:
        re.compile(column.pattern)
    if column.low is not None or column.high is not None:
        value = column.type.value_type if column.is_list else column.type
        assert pa.types.is_integer(value) or pa.types.is_floating(value)
    assert not (column.gold and table.side is Side.PUBLIC)


@pytest.mark.parametrize("table", declarations.TABLES, ids=lambda table: table.name)
def test_keys_are_never_null(table: Table) -> None:
    assert not any(table.column(name).nullable for name in table.key)


@pytest.mark.parametrize("name", ["S0", "Supportive friend", "a.b+c-d_e", "16PF"])
def test_names(name: str) -> None:
    assert re.fullmatch(declarations.NAME_PATTERN, name)


@pytest.mark.parametrize("name", ["", "../x", "a/b", "a\\b", ".hidden", "-rf", " a", "a\n", "é", "a:b"])
def test_names_that_are_unsafe_in_files(name: str) -> None:
    assert not re.fullmatch(declarations.NAME_PATTERN, name)
