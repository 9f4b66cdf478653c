"""Parquet, read in batches; sizes are looked at before memory is taken.

A few bytes of Parquet can stand for a text repeated a million times. Where a file's pages leave that possible, texts are read as
dictionaries and measured before they are written out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from earmark.manifests.findings import Severity, declare
from earmark.manifests.grammars import MOST_EVIDENCE
from earmark.manifests.parquet.pages import Held, held
from earmark.scoring.submissions.collecting import TOO_LARGE, Collector
from earmark.scoring.submissions.columns import COLUMNS
from earmark.scoring.submissions.containers import opened
from earmark.scoring.submissions.csv_file import check_columns
from earmark.scoring.submissions.parquet_columns import sound_rows
from earmark.scoring.submissions.rows import TOO_LONG

NOT_PARQUET = declare("submission.not-parquet", Severity.ERROR, "the file is no Parquet that can be read")
COLUMN_TYPE = declare("submission.column-type", Severity.ERROR, "the column cannot be read as the type of its field")

_REPEATED = 1 << 26
"""Bytes that a column of texts may come to beyond those of its pages, and still be read without dictionaries."""

_BATCH = 1 << 14
_BUFFER = 1 << 20
_METADATA = 1 << 24


def read_parquet(path: Path, collector: Collector, *, fast: bool = True) -> None:
    """Read a Parquet file into a collector.

    Args:
        path: The file.
        collector: Takes rows and findings.
        fast: Whether good rows are taken as columns; the outcome is the same.

    Raises:
        OSError: If the file cannot be opened.
    """
    try:
        with opened(path) as stream:
            holds = held(stream, collector.rules.limits.bytes)
        with _opened(path, []) as file:
            if not _acceptable(file, holds, collector):
                return
            texts = _repeated_texts(file, holds)
        with _opened(path, texts) as file:
            _read(file, collector, fast)
    except (pa.ArrowException, OSError, ValueError, LookupError) as error:  # all of these come of damaged metadata
        if isinstance(error, OSError) and error.errno is not None:
            raise  # of the system's, not of the file's content
        collector.flush()
        collector.add(NOT_PARQUET, row=collector.rows + 1, found=str(error))


def _opened(path: Path, dictionaries: list[str]) -> pa.parquet.ParquetFile:
    import pyarrow.parquet as pq

    # Not mapped: a file that shrinks while it is read would end the process. Nor is a whole row group read beforehand.
    return pq.ParquetFile(
        path,
        buffer_size=_BUFFER,
        pre_buffer=False,
        read_dictionary=dictionaries,
        thrift_string_size_limit=_METADATA,
        thrift_container_size_limit=_METADATA,
    )


def _repeated_texts(file: pa.parquet.ParquetFile, holds: Held) -> list[str]:
    """Paths of the columns of text, those in lists among them, that could come to far more than their pages."""
    paths = [file.metadata.schema.column(n).path for n in range(len(holds.columns))]
    return [
        path
        for path, field, column in zip(paths, file.schema_arrow, holds.columns, strict=True)
        if _holds_text(field.type) and column.written_out > column.bytes + _REPEATED
    ]


def _holds_text(given: pa.DataType) -> bool:
    types = pa.types
    if types.is_list(given) or types.is_large_list(given):
        return _holds_text(given.value_type)
    return bool(types.is_string(given) or types.is_large_string(given))


def _acceptable(file: pa.parquet.ParquetFile, holds: Held, collector: Collector) -> bool:
    """Whether the file has the right columns and a bounded size. Arrow is asked for no metadata but the schema.

    It ends the process where those of a column are damaged.
    """
    if not check_columns(list(file.schema_arrow.names), collector):
        return False
    limits = collector.rules.limits
    if holds.rows != holds.group_rows:
        collector.add(NOT_PARQUET, found=f"{holds.rows} rows by its own account", expected=f"{holds.group_rows}")
        return False
    if holds.bytes > limits.bytes:
        collector.add(TOO_LARGE, found=f"{holds.bytes} bytes or more", expected=f"at most {limits.bytes}")
        return False
    sound = True
    for field in file.schema_arrow:
        if not _suits(field.type, COLUMNS.field(field.name).type):
            wanted = COLUMNS.field(field.name).type
            collector.findings.add(
                COLUMN_TYPE, file=collector.name, column=field.name, found=field.type, expected=f"{wanted}"
            )
            sound = False
    # Of such types each field has one column, whatever name a row group gives it.
    lists = [(n, field.name) for n, field in enumerate(file.schema_arrow) if pa.types.is_nested(field.type)]
    return sound and _short_lists(lists, holds, collector)


def _short_lists(lists: Sequence[tuple[int, str]], holds: Held, collector: Collector) -> bool:
    """Whether no list can be long: one of many nulls takes next to nothing in the file and 4 bytes each in memory."""
    most = (MOST_EVIDENCE + 1) * min(holds.group_rows, collector.rules.limits.rows)
    for at, name in lists:
        if (values := holds.columns[at].values) > most:
            collector.findings.add(
                TOO_LONG, file=collector.name, column=name, found=f"{values} entries", expected=f"at most {most}"
            )
            return False
    return True


def _suits(given: pa.DataType, wanted: pa.DataType) -> bool:
    """Whether values of one type can stand for those of another without a guess."""
    types = pa.types
    if types.is_dictionary(given):
        return _suits(given.value_type, wanted)
    if types.is_null(given):
        return True
    if types.is_list(wanted):
        return (types.is_list(given) or types.is_large_list(given)) and _suits(given.value_type, wanted.value_type)
    if types.is_floating(wanted) or types.is_integer(wanted):
        # Where some are absent, data frames turn whole numbers into floating ones.
        return bool(types.is_integer(given) or types.is_floating(given))
    return bool(types.is_string(given) or types.is_large_string(given) or types.is_integer(given))


def _read(file: pa.parquet.ParquetFile, collector: Collector, fast: bool) -> None:
    limits, row, size = collector.rules.limits, 1, 0
    for batch in _batches(file):
        size += _written_out(batch)
        if size > limits.bytes:
            collector.add(TOO_LARGE, row=row, expected=f"at most {limits.bytes} bytes")
            return
        taken = batch.slice(0, max(0, collector.room()))
        values = pa.table(
            {
                name: _plain(column, COLUMNS.field(name).type)
                for name, column in zip(taken.schema.names, taken.columns, strict=True)
            }
        )
        values.validate(full=True)
        if fast:
            table, good = sound_rows(collector.rules, values, row)
            collector.take_table(table)
            others = np.flatnonzero(~good)
        else:
            others = np.arange(len(values))
        cells = values.take(pa.array(others)).to_pylist()
        for name in _fractional(values):
            for cell in cells:
                if isinstance(cell[name], float) and cell[name].is_integer():
                    cell[name] = int(cell[name])
        collector.take_values(cells, (others + row).tolist())
        row += taken.num_rows
        if taken.num_rows < batch.num_rows:
            collector.full(row)
            return


def _batches(file: pa.parquet.ParquetFile) -> Iterator[pa.RecordBatch]:
    """Rows in their order, none of two row groups: Arrow joins no lists of texts whose dictionaries differ."""
    for group in range(file.num_row_groups):
        # Each thread would keep memory of its own for what it decoded.
        yield from file.iter_batches(batch_size=_BATCH, row_groups=[group], use_threads=False)


def _written_out(batch: pa.RecordBatch) -> int:
    """Bytes of a batch once its dictionaries are written out."""
    size = 0
    for column in batch.columns:
        if pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
            size += int(column.nbytes)
            column = column.flatten()
        if pa.types.is_dictionary(column.type):
            lengths = pc.binary_length(column.dictionary)
            size += pc.sum(lengths.take(column.indices)).as_py() or 0
        else:
            size += column.nbytes
    return size


def _fractional(values: pa.Table) -> list[str]:
    """The columns of whole numbers in which some are not."""
    return [
        field.name
        for field in values.schema
        if pa.types.is_floating(field.type) and pa.types.is_integer(COLUMNS.field(field.name).type)
    ]


def _plain(column: pa.Array, wanted: pa.DataType) -> pa.Array:
    """The cells as they would stand in JSON, whole numbers whole again; where some are not, their rows will say so."""
    if pa.types.is_dictionary(column.type):
        return column.dictionary_decode()
    if pa.types.is_nested(column.type) and pa.types.is_dictionary(column.type.value_type):
        return column.cast(pa.list_(pa.string()))
    if pa.types.is_floating(column.type) and pa.types.is_integer(wanted):
        try:
            return column.cast(wanted)
        except pa.ArrowInvalid:
            return column
    return column
