"""Cells and rows of any declared table, derived from the declaration as its Arrow and pandera schemas are."""

from __future__ import annotations

from typing import cast

import pyarrow as pa
from hypothesis import strategies as st

from earmark.manifests.declarations import NAME_PATTERN
from earmark.manifests.tables import Column, Table

Row = dict[str, object]

_MOST_WHOLE = (1 << 63) - 1


def names(*, most: int = 20) -> st.SearchStrategy[str]:
    """Names that people read and that are safe in a file name everywhere."""
    return st.from_regex(NAME_PATTERN, fullmatch=True).map(lambda name: name[:most])


def cells(column: Column) -> st.SearchStrategy[object]:
    """Every value that may stand in a column, null where it may be absent; `refers_to` is for whole releases to satisfy."""
    type = column.type.value_type if column.is_list else column.type
    values = _values(column, type)
    if column.is_list:
        values = st.lists(values, max_size=3, unique=column.choices is not None).map(list)
    return st.none() | values if column.nullable else values


def rows(table: Table) -> st.SearchStrategy[Row]:
    """One row of a table."""
    return st.fixed_dictionaries({column.name: cells(column) for column in table.columns})


def tables(table: Table, *, least: int = 0, most: int = 5) -> st.SearchStrategy[list[Row]]:
    """Rows of a table, no two of one key, in any order.

    Args:
        table: Any declaration, such as those of `STANCE.tables()`.
        least: Fewest rows.
        most: Most rows.

    Example:
        >>> from earmark.manifests.declarations import CLIPS
        >>> @given(tables(CLIPS))                                   # doctest: +SKIP
        ... def test_durations_add_up(rows): ...
    """
    return st.lists(
        rows(table), min_size=least, max_size=most, unique_by=lambda row: tuple(str(row[name]) for name in table.key)
    )


def _values(column: Column, type: pa.DataType) -> st.SearchStrategy[object]:
    if column.choices is not None:
        return st.sampled_from(column.choices)
    if pa.types.is_boolean(type):
        return st.booleans()
    if pa.types.is_integer(type):
        low = -_MOST_WHOLE - 1 if column.low is None else int(column.low)
        return st.integers(low, _MOST_WHOLE if column.high is None else int(column.high))
    if pa.types.is_floating(type):
        return st.floats(column.low, column.high, allow_nan=False, allow_infinity=False)
    if column.pattern is not None:
        return st.from_regex(column.pattern, fullmatch=True).filter(_is_text)
    return st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def _is_text(value: object) -> bool:
    """Whether a string can be written: regular expressions match lone surrogates too."""
    return not any("\ud800" <= character <= "\udfff" for character in cast("str", value))
