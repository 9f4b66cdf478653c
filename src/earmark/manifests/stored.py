"""Tables as they are stored, read after their footers: what a few bytes could blow up to is known before memory is taken.

Files are read and never mapped: one that shrinks meanwhile is an error, where a mapped one would end the process.
"""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

MOST_BYTES = 1 << 30
"""Bytes that a table may come to once it is read."""

SPARE_ROWS = 1 << 20
"""Rows that a table may have beyond twice what its manifest says."""

_METADATA = 1 << 26
_BATCH = 1 << 16
_measured: dict[tuple[str, int, int], None] = {}


class TooLarge(ValueError):
    """A table that would come to more than is read."""


def read_stored(path: Path, *, rows: int) -> pa.Table:
    """A Parquet file, whatever its columns are.

    Args:
        path: The file.
        rows: How many rows it should have.

    Raises:
        TooLarge: If it would come to far more rows, or to more than 1 GiB.
        pa.ArrowException: If it is no Parquet.
        OSError: The same, or it cannot be opened.
        ValueError: The same.
    """
    import pyarrow.parquet as pq

    options = {"thrift_string_size_limit": _METADATA, "thrift_container_size_limit": _METADATA}
    with pq.ParquetFile(path, memory_map=False, **options) as file:
        _require_sane(file.metadata, rows)
        texts = _that_may_expand(file)
    if texts:
        _measure(path, texts, options)
    return pq.read_table(path, memory_map=False, partitioning=None, **options)


def _require_sane(metadata: pa.parquet.FileMetaData, rows: int) -> None:
    groups = [metadata.row_group(n) for n in range(metadata.num_row_groups)]
    held = sum(group.num_rows for group in groups)
    if metadata.num_rows != held or any(group.num_rows < 0 for group in groups):
        raise TooLarge(f"{metadata.num_rows} rows by its own account, {held} by that of its parts")
    if held > 2 * rows + SPARE_ROWS:
        raise TooLarge(f"{held} rows, where there should be {rows}")
    size = sum(group.total_byte_size for group in groups)
    if not 0 <= size <= MOST_BYTES:
        raise TooLarge(f"{size} bytes, and at most {MOST_BYTES} are read")


def _that_may_expand(file: pa.parquet.ParquetFile) -> list[str]:
    """Paths of columns of text in which a cell that is written once and repeated could come to more than is read."""
    metadata, schema = file.metadata, file.schema_arrow
    found = []
    for n in range(metadata.num_columns):
        path = metadata.schema.column(n).path
        name = path.split(".")[0]
        at = schema.get_all_field_indices(name)
        if not at or pa.types.is_primitive(schema.field(at[0]).type):
            continue
        for group in map(metadata.row_group, range(metadata.num_row_groups)):
            chunk = group.column(n)
            if chunk.total_uncompressed_size * max(group.num_rows, chunk.num_values) > MOST_BYTES:
                found.append(path)
                break
    return found


def _measure(path: Path, texts: list[str], options: dict[str, int]) -> None:
    """Add up what columns of text come to, without writing them out."""
    import pyarrow.parquet as pq

    status = path.stat()
    known = (str(path), status.st_size, status.st_mtime_ns)
    if known in _measured:
        return
    size = 0
    with pq.ParquetFile(path, memory_map=False, read_dictionary=texts, **options) as file:
        for batch in file.iter_batches(batch_size=_BATCH, columns=sorted({path.split(".")[0] for path in texts})):
            size += sum(map(_written_out, batch.columns))
            if size > MOST_BYTES:
                raise TooLarge(f"more than {MOST_BYTES} bytes once it is read")
    _measured[known] = None


def _written_out(column: pa.Array) -> int:
    if pa.types.is_dictionary(column.type):
        lengths = pc.binary_length(column.dictionary)
        return pc.sum(lengths.take(column.indices)).as_py() or 0
    if pa.types.is_list(column.type):
        return int(column.offsets.nbytes) + _written_out(column.flatten())
    return int(column.nbytes)
