"""What makes a stored table unfit for use, found in Arrow before any of it is turned into Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

    from earmark.manifests.tables import Column, Table


def damage_of(column: Column, rows: pa.Table) -> str | None:
    """What is wrong with a column of a table, if it cannot be used at all."""
    count = rows.column_names.count(column.name)
    if count != 1:
        return f"it has {count if count else 'no'} column{'s' if count > 1 else ''} {column.name}"
    found = rows.schema.field(column.name).type
    if found != column.type:
        return f"its column {column.name} is of type {found}, not {column.type}"
    if not column.nullable and rows[column.name].null_count:
        return f"its column {column.name} is null in {rows[column.name].null_count} of {rows.num_rows} rows"
    if column.most_entries is not None and (longest := longest_list(rows[column.name])) > column.most_entries:
        return f"its column {column.name} has a list of {longest}, and there are {column.most_entries} to name"
    return None


def longest_list(lists: pa.ChunkedArray | pa.ListArray) -> int:
    """Entries of the longest list of a column."""
    import pyarrow.compute as pc

    return int(pc.max(pc.list_value_length(lists)).as_py() or 0)


def repeats_of(table: Table, rows: pa.Table) -> str | None:
    """How many rows have how many keys, where a key stands twice."""
    import pyarrow.compute as pc

    if len(table.key) == 1:
        different = pc.count_distinct(rows[table.key[0]], mode="all").as_py()
    else:
        different = rows.select(table.key).group_by(list(table.key)).aggregate([]).num_rows
    if different == rows.num_rows:
        return None
    return f"a key of {' and '.join(table.key)} stands twice: {rows.num_rows} rows have {different} different ones"
