"""Tables as they are stored, read after the headers of their pages: what a few bytes could blow up to is known beforehand.

Files are read and never mapped: one that shrinks meanwhile is an error, where a mapped one would end the process.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from earmark.manifests.parquet.bounds import most_bytes, most_rows
from earmark.manifests.parquet.pages import Held, held

if TYPE_CHECKING:
    import pyarrow.parquet as pq

    from earmark.manifests.tables import Table

SPARE_ROWS = 1 << 20
"""Rows that a table may have beyond twice what its manifest says."""

_METADATA = 1 << 26
LIMITS = {"thrift_string_size_limit": _METADATA, "thrift_container_size_limit": _METADATA}
"""What a footer may make Arrow take in memory."""

_SURELY = 1 << 24
"""Bytes of texts that need no measuring: they are taken to be as many as they could be."""

_LEVELS, _LIST_LEVELS = 2, 12
"""Bytes of an entry of a column besides its own while it is read, and of one of a list."""

_BATCH = 1 << 16
_FEW, _FEW_BYTES, _POINTER = 1 << 10, 1 << 26, 8
"""Rows that are read at a time where a table is gone through, bytes that they may come to, and those of a value's place."""

_measured: dict[tuple[str, int, int], None] = {}


class TooLarge(ValueError):
    """A table that would come to more than is read."""


def read_stored(path: Path, *, rows: int, table: Table | None = None, columns: Sequence[str] | None = None) -> pa.Table:
    """A Parquet file, whatever its columns are.

    Args:
        path: The file.
        rows: How many rows it should have.
        table: What it should be, where that is known; rows are then bounded by the bytes of the file too.
        columns: Those that are read, as far as they are there; all of them without, or where there is one that the table does
            not declare, of which nothing is known. The whole file is bounded in any case.

    Raises:
        TooLarge: If it would come to far more rows, to more bytes than such a file would, or to more than 1 GiB.
        pa.ArrowException: If it is no Parquet.
        OSError: The same, or it cannot be opened.
        ValueError: The same.
    """
    import pyarrow.parquet as pq

    with path.open("rb") as stream:
        size_of_file = stream.seek(0, 2)
        room = most_bytes(size_of_file)
        holds = held(stream, room)
    _require_sane(holds, rows, size_of_file, table)
    # Arrow is asked for no metadata but the schema: it ends the process where those of a column are damaged.
    with pq.ParquetFile(path, memory_map=False, **LIMITS) as file:
        size, texts = _expected(file, holds)
        stored = file.schema_arrow.names
    known = table is not None and set(stored) <= {column.name for column in table.columns}
    there = None if columns is None or not known else [name for name in columns if name in stored]
    _require_room(size, room)
    if texts:
        _measure(path, size, texts, room)
    return pq.read_table(path, columns=there, memory_map=False, partitioning=None, **LIMITS)


def stream_stored(
    path: Path, columns: Sequence[pa.Field], *, rows: int, table: Table | None = None
) -> Iterator[list[dict[str, object]]]:
    """Some columns of a Parquet file, a few rows at a time: no more of it is in memory, however long it is.

    Args:
        path: The file.
        columns: The columns, of plain types or lists of texts, nullable or not.
        rows: How many rows it should have.
        table: What it should be, as for `read_stored`.

    Yields:
        Rows as Python values.

    Raises:
        TooLarge: If it has far more rows, or a few of them come to more than they ever would.
        pa.ArrowException: If it is no Parquet.
        OSError: The same, or it cannot be opened.
        ValueError: The same, or a column is absent, of another type, or null where none may be.
    """
    import pyarrow.parquet as pq

    with path.open("rb") as stream:
        # Texts stay in their dictionaries until a few rows of them are counted, so none is looked into beforehand.
        size_of_file = stream.seek(0, 2)
        room = most_bytes(size_of_file)
        holds = held(stream, room, most_entries=0)
    _require_sane(holds, rows, size_of_file, table)
    with pq.ParquetFile(path, memory_map=False, **LIMITS) as file:
        size, texts = _expected(file, holds)
        _require_columns(file.schema_arrow, columns)
    _require_room(size, room)
    names = [column.name for column in columns]
    with pq.ParquetFile(path, memory_map=False, read_dictionary=texts, **LIMITS) as file:
        for batch in _batches(file, _FEW, names):
            if sum(_written_out(cells) + _POINTER * _entries(cells) for cells in batch.columns) > _FEW_BYTES:
                raise TooLarge(f"more than {_FEW_BYTES} bytes in {batch.num_rows} rows")
            for column, cells in zip(columns, batch.columns, strict=True):
                if not column.nullable and cells.null_count:
                    raise ValueError(f"its column {column.name} is null in {cells.null_count} rows")
            yield batch.to_pylist()


def _require_columns(schema: pa.Schema, columns: Sequence[pa.Field]) -> None:
    for column in columns:
        if schema.names.count(column.name) != 1:
            raise ValueError(f"it has not one column {column.name}")
        if (found := schema.field(column.name).type) != column.type:
            raise ValueError(f"its column {column.name} is of type {found}, not {column.type}")


def _require_sane(holds: Held, rows: int, size: int, table: Table | None) -> None:
    """Refuse what is too much by the headers of its pages alone."""
    if holds.rows != holds.group_rows:
        raise TooLarge(f"{holds.rows} rows by its own account, {holds.group_rows} by that of its parts")
    if holds.rows > 2 * rows + SPARE_ROWS:
        raise TooLarge(f"{holds.rows} rows, where there should be {rows}")
    if table is not None and holds.rows > (most := most_rows(table, size)):
        raise TooLarge(
            f"{holds.rows} rows in {size} bytes, and no such file has more than {most} with keys of their own"
        )
    _require_room(holds.bytes, most_bytes(size))


def _require_room(size: int, room: int) -> None:
    if size > room:
        raise TooLarge(f"more than {room} bytes once it is read")


def _expected(file: pa.parquet.ParquetFile, holds: Held) -> tuple[int, list[str]]:
    """The bytes that a table comes to without some of its texts, and the paths of those, which could be much repeated."""
    fields, size, texts = list(file.schema_arrow), 0, []
    widths = [_width(field) for field in fields]
    if len(fields) != len(holds.columns):  # of such types each field has one column
        raise TooLarge(f"{len(holds.columns)} columns for {len(fields)} fields")
    for n, (field, width, column) in enumerate(zip(fields, widths, holds.columns, strict=True)):
        size += column.values * width
        if not _holds_text(field.type):
            continue
        if column.written_out > _SURELY:
            texts.append(file.metadata.schema.column(n).path)
        else:
            size += column.written_out
    return size, texts


def _width(field: pa.Field) -> int:
    """Bytes of each entry of a column, null or not, but for its text."""
    flat, levels = field.type, _LEVELS
    if pa.types.is_list(flat) or pa.types.is_large_list(flat):
        flat, levels = flat.value_type, _LIST_LEVELS
    if pa.types.is_dictionary(flat):
        flat = flat.value_type
    if pa.types.is_null(flat) or _is_text(flat):
        return levels + (16 if _is_view(flat) else 8 if flat in (pa.large_string(), pa.large_binary()) else 4)
    if pa.types.is_nested(flat) or isinstance(flat, pa.BaseExtensionType):
        raise TooLarge(f"its column {field.name} is of type {field.type}, which no table has")
    return levels + max(1, int(flat.bit_width) // 8)


def _is_view(of: pa.DataType) -> bool:
    return bool(pa.types.is_string_view(of) or pa.types.is_binary_view(of))


def _is_text(of: pa.DataType) -> bool:
    types = pa.types
    plain = types.is_string(of) or types.is_large_string(of) or types.is_binary(of) or types.is_large_binary(of)
    return bool(plain or _is_view(of))


def _holds_text(of: pa.DataType) -> bool:
    inner = of.value_type if pa.types.is_list(of) or pa.types.is_large_list(of) else of
    return _is_text(inner)


def _measure(path: Path, size: int, texts: list[str], room: int) -> None:
    """Add up what columns of text come to, without writing them out."""
    import pyarrow.parquet as pq

    status = path.stat()
    known = (str(path), status.st_size, status.st_mtime_ns)
    if known in _measured:
        return
    with pq.ParquetFile(path, memory_map=False, read_dictionary=texts, **LIMITS) as file:
        for batch in _batches(file, _BATCH, texts):
            size += sum(map(_written_out, batch.columns))
            _require_room(size, room)
    _measured[known] = None


def _entries(column: pa.Array) -> int:
    of_lists = pa.types.is_list(column.type) or pa.types.is_large_list(column.type)
    return len(column.flatten()) if of_lists else len(column)


def _batches(file: pq.ParquetFile, rows: int, columns: list[str]) -> Iterator[pa.RecordBatch]:
    """Parts of a file, each of one row group: Arrow cannot join two dictionaries in a list."""
    for group in range(file.num_row_groups):
        yield from file.iter_batches(batch_size=rows, row_groups=[group], columns=columns, use_threads=False)


def _written_out(column: pa.Array) -> int:
    if pa.types.is_dictionary(column.type):
        lengths = pc.binary_length(column.dictionary)
        return pc.sum(lengths.take(column.indices)).as_py() or 0
    if pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
        return _written_out(column.flatten())
    return int(column.nbytes)
