"""Hashes: of files as they lie, and of tables and other values by what they say."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.compute as pc

from earmark.manifests.canonical import canonical_cell, canonical_json

if TYPE_CHECKING:
    import pyarrow as pa

    from earmark.manifests.canonical import Json
    from earmark.manifests.tables import Table

CONTENT_PREFIX = "blake2b-256:"


def file_hash(path: Path) -> str:
    """`sha256:` and the hash of a file's bytes, read in blocks."""
    with path.open("rb") as stream:
        return f"sha256:{hashlib.file_digest(stream, 'sha256').hexdigest()}"


def bytes_hash(content: bytes) -> str:
    """The same of a file that is in memory."""
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def folder_hash(folder: Path) -> str:
    """`sha256:` and one hash over the names and bytes of all files in a folder, whatever order they are listed in."""
    return files_hash({path.name: file_hash(path) for path in folder.iterdir()})


def files_hash(hashes: Mapping[str, str]) -> str:
    """The same of files that were hashed already.

    Args:
        hashes: The hash of each file by its name, as `file_hash` gives it.
    """
    digest = hashlib.sha256()
    for name in sorted(hashes):
        digest.update(f"{name} {hashes[name]}\n".encode())
    return f"sha256:{digest.hexdigest()}"


def json_hash(value: Json) -> str:
    """Hash of a plain value: "blake2b-256:" and 64 hex digits over its canonical JSON.

    Raises:
        ValueError: As of `earmark.manifests.canonical.canonical_json`.

    >>> json_hash({"b": 1, "a": 2}) == json_hash({"a": 2, "b": 1})
    True
    """
    return CONTENT_PREFIX + hashlib.blake2b(canonical_json(value), digest_size=32).hexdigest()


def content_hash(table: Table, rows: pa.Table, *, salt: bytes = b"") -> str:
    """Hash of the rows themselves, whatever their order, chunking or file format.

    Measured columns stand outside it, since a new version of a measuring library may move them.

    Args:
        table: The declaration.
        rows: Arrow rows of it.
        salt: The release key for a private table, so that nobody can guess answers and compare.

    Returns:
        "blake2b-256:" and 64 hex digits over the column names and types, then every row in key order.

    Raises:
        ValueError: If a float is NaN.
    """
    columns = [column for column in table.columns if column.step is None]
    order = pc.sort_indices(rows, sort_keys=[(name, "ascending") for name in table.key])
    digest = hashlib.blake2b(digest_size=32, key=salt)
    digest.update("".join(f"{column.name} {column.type}\n" for column in columns).encode())
    for batch in rows.take(order).select([column.name for column in columns]).to_batches(max_chunksize=8192):
        if batch.num_rows:
            digest.update(_spelt(batch))
    return CONTENT_PREFIX + digest.hexdigest()


def _spelt(batch: pa.RecordBatch) -> memoryview:
    """The canonical cells of some rows, row after row."""
    import pyarrow as pa

    spelt = pc.binary_join_element_wise(*map(_cells, batch.columns), pa.scalar(b"", pa.binary()))
    _, offsets, data = spelt.buffers()
    ends = memoryview(offsets).cast("i")
    return memoryview(data)[ends[spelt.offset] : ends[spelt.offset + len(spelt)]]


def _cells(column: pa.Array) -> pa.Array:
    """The canonical cells of a column, as `canonical_cell` spells each; by Arrow where it spells them the same."""
    import pyarrow as pa

    kind = column.type
    if pa.types.is_string(kind) and pc.all(pc.string_is_ascii(column), min_count=0).as_py() is not False:
        spelt = _counted(b"s", column.cast(pa.binary()))
    elif pa.types.is_integer(kind):
        spelt = _counted(b"i", column.cast(pa.string()).cast(pa.binary()))
    elif pa.types.is_list(kind):
        lengths = pc.list_value_length(column)
        ends = pc.cumulative_sum(pc.fill_null(lengths, 0)).cast(pa.int32())
        starts = pa.concat_arrays([pa.array([0], pa.int32()), ends])
        joined = pc.binary_join(pa.ListArray.from_arrays(starts, _cells(column.flatten())), b"")
        spelt = _joined(b"[", lengths.cast(pa.string()).cast(pa.binary()), b":", joined)
    else:
        return pa.array(map(canonical_cell, column.to_pylist()), pa.binary())
    return pc.fill_null(spelt, b"-")


def _counted(tag: bytes, cells: pa.Array) -> pa.Array:
    import pyarrow as pa

    return _joined(tag, pc.binary_length(cells).cast(pa.string()).cast(pa.binary()), b":", cells)


def _joined(*parts: pa.Array | bytes) -> pa.Array:
    import pyarrow as pa

    cells = [pa.scalar(part, pa.binary()) if isinstance(part, bytes) else part for part in parts]
    return pc.binary_join_element_wise(*cells, pa.scalar(b"", pa.binary()))
