"""Rows of a table as Python values, equal texts one object, and typed access to their cells once a schema has checked them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, pairwise
from typing import TYPE_CHECKING, TypeAlias, cast

if TYPE_CHECKING:
    import pyarrow as pa

Row: TypeAlias = "Mapping[str, object]"
"""A row of a table, by column name."""


def rows_of(table: pa.Table) -> list[dict[str, object]]:
    """A table as rows, as `to_pylist` has them, but that texts which recur are one object each.

    Args:
        table: Columns of names of their own.
    """
    columns = [_cells(column) for column in table.columns]
    if not columns:
        return [{} for _ in range(table.num_rows)]
    names = table.column_names
    return [dict(zip(names, cells, strict=True)) for cells in zip(*columns, strict=True)]


def _cells(column: pa.ChunkedArray) -> list[object]:
    import pyarrow as pa

    if pa.types.is_string(column.type):
        return _shared(column) or list(column.to_pylist())
    if pa.types.is_list(column.type) and pa.types.is_string(column.type.value_type):
        cells = [_shared_lists(chunk) or list(chunk.to_pylist()) for chunk in column.chunks]
        return list(chain.from_iterable(cells))
    return list(column.to_pylist())


def _shared_lists(lists: pa.ListArray) -> list[object] | None:
    """The same of lists of texts."""
    import pyarrow as pa

    if not len(lists):
        return None
    # `flatten` would leave out what stands behind a null, and places would be others.
    places = lists.offsets.to_pylist()
    values = _shared(pa.chunked_array([lists.values.slice(places[0], places[-1] - places[0])]))
    if values is None:
        return None
    edges = pairwise(place - places[0] for place in places)
    there = lists.is_valid().to_pylist()
    return [values[begin:end] if is_one else None for (begin, end), is_one in zip(edges, there, strict=True)]


def _shared(column: pa.ChunkedArray) -> list[object] | None:
    """The cells of a column of texts, equal ones one object; None where most stand there once."""
    import pyarrow.compute as pc

    encoded = column.dictionary_encode().unify_dictionaries()
    if not encoded.num_chunks or 2 * len(encoded.chunk(0).dictionary) > len(column):
        return None
    words = [*encoded.chunk(0).dictionary.to_pylist(), None]
    places = (pc.fill_null(chunk.indices, len(words) - 1).to_pylist() for chunk in encoded.chunks)
    return [words[place] for place in chain.from_iterable(places)]


def text(row: Row, name: str) -> str:
    """A string that is never absent."""
    return cast("str", row[name])


def optional_text(row: Row, name: str) -> str | None:
    """A string that may be absent."""
    return cast("str | None", row[name])


def texts(row: Row, name: str) -> list[str]:
    """A list of strings."""
    return cast("list[str]", row[name])


def whole(row: Row, name: str) -> int:
    """An integer."""
    return cast("int", row[name])


def wholes(row: Row, name: str) -> list[int]:
    """A list of integers."""
    return cast("list[int]", row[name])


def real(row: Row, name: str) -> float:
    """A number."""
    return cast("float", row[name])


def optional_real(row: Row, name: str) -> float | None:
    """A number that may be absent, or whose column a family may not have."""
    return cast("float | None", row.get(name))


def truth(row: Row, name: str) -> bool:
    """A truth value."""
    return cast("bool", row[name])
