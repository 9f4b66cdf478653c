"""The shards of a published copy: Parquet files of clips with their audio in a cell, read after the headers of their pages."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from earmark.manifests.copies.published import CLIP_SHARDS
from earmark.manifests.errors import ReleaseError
from earmark.manifests.parquet.bounds import MOST_BYTES
from earmark.manifests.parquet.pages import chunks, held
from earmark.manifests.parquet.stored import LIMITS

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

MOST_SHARDS = 1 << 16

"""Files that a copy may have of them."""

_CLIP, _AUDIO, _BYTES = "clip_id", "audio", "audio.bytes"
_BEGINNING, _NEAR = 64, 1 << 14
_looked_at: dict[tuple[str, int, int], None] = {}


@dataclass(frozen=True)
class Group:
    """A row group of a shard: what is read at a time.

    Args:
        shard: The shard's file.
        number: Which of its groups, from 0.
    """

    shard: Path
    number: int

    def audio(self) -> pa.ChunkedArray:
        """The cells of its audio, in order: bytes or null.

        Raises:
            ReleaseError: If they cannot be read.
        """
        import pyarrow as pa

        with _sound(self.shard) as file:
            column = file.read_row_group(self.number, columns=[_BYTES], use_threads=False).column(_AUDIO)
            return pa.chunked_array([chunk.field("bytes") for chunk in column.chunks], pa.binary())

    def places(self, audio: pa.ChunkedArray) -> list[Place | None]:
        """Where its cells stand in the file as they are, so that one of them can be read without the others.

        Args:
            audio: What `audio` gave.

        Returns:
            A place for each cell, None for what is packed or null.

        Raises:
            ReleaseError: If the file cannot be read.
        """
        import pyarrow as pa

        with _sound(self.shard) as file, self.shard.open("rb") as stream:
            leaves = [file.metadata.schema.column(n).path for n in range(len(file.metadata.schema))]
            begins, ends = chunks(stream)[self.number][leaves.index(_BYTES)]
            stream.seek(begins)
            column = pa.py_buffer(stream.read(ends - begins))
        changed, at = _changed(self.shard), 0
        places: list[Place | None] = []
        for cell in (scalar.as_buffer() for scalar in audio):
            found = -1 if cell is None else _found(column, cell, at)
            at = at if found < 0 or cell is None else found + cell.size
            places.append(None if found < 0 or cell is None else Place(self.shard, begins + found, cell.size, changed))
        return places


class Place(NamedTuple):
    """Where the bytes of a cell stand in a file that was last changed at some time."""

    shard: Path
    begins: int
    size: int
    changed: tuple[int, int]

    def read(self) -> bytes | None:
        """The bytes; None if the file has changed since.

        Raises:
            ReleaseError: If they cannot be read.
        """
        try:
            with self.shard.open("rb") as stream:
                if _changed(self.shard) != self.changed:
                    return None
                stream.seek(self.begins)
                content = stream.read(self.size)
        except OSError as error:
            raise ReleaseError(f"cannot read {self.shard}: {error.strerror}") from error
        return content if len(content) == self.size else None


@dataclass(frozen=True)
class ClipShard:
    """A shard.

    Args:
        path: Its file.
    """

    path: Path

    def groups(self, most_rows: int) -> Iterator[tuple[Group, list[str]]]:
        """Its row groups, and the ids of the clips in each.

        Args:
            most_rows: How many clips it may have.

        Raises:
            ReleaseError: If it cannot be read, or comes to more than any shard would.
        """
        with _sound(self.path, most_rows) as file:
            for number in range(file.num_row_groups):
                ids = file.read_row_group(number, columns=[_CLIP], use_threads=False).column(_CLIP).to_pylist()
                if None in ids:
                    raise ReleaseError(f"{self.path} has a clip without an id")
                yield Group(self.path, number), ids


def clip_shards(folder: Path) -> list[ClipShard]:
    """The shards of a copy by name; none where there are none.

    Args:
        folder: The copy.

    Raises:
        ReleaseError: If something among them is a link or no Parquet file.
    """
    place = folder / CLIP_SHARDS
    for path in (place.parent, place):
        if path.is_symlink():
            raise ReleaseError(f"{path} is a link; audio is taken from the release itself only")
    if not place.is_dir():
        return []
    try:
        found = {path: path.lstat().st_mode for path in sorted(place.iterdir())}
    except OSError as error:
        raise ReleaseError(f"cannot read {place}: {error.strerror}") from error
    if len(found) > MOST_SHARDS:
        raise ReleaseError(f"{place} holds {len(found)} files, and at most {MOST_SHARDS} are read")
    for path, mode in found.items():
        if not stat.S_ISREG(mode) or path.suffix != ".parquet":
            raise ReleaseError(f"{path} is no shard: only Parquet files stand there, and no links")
    return [ClipShard(path) for path in found]


@contextmanager
def _sound(path: Path, most_rows: int | None = None) -> Iterator[pq.ParquetFile]:
    """A shard, opened once its pages were looked at; whatever is wrong with it is a `ReleaseError`."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        _require_sane(path, most_rows)
        # Read and never mapped, as every table is: a mapped file that shrinks would end the process.
        with pq.ParquetFile(path, memory_map=False, pre_buffer=False, **LIMITS) as file:
            _require_columns(path, file)
            yield file
    except ReleaseError:
        raise
    except (pa.ArrowException, OSError, ValueError, LookupError) as error:  # all come of damage
        said = " ".join(str(error).split())[:300]
        raise ReleaseError(f"{path} is no readable shard: {said}") from error


def _require_sane(path: Path, most_rows: int | None) -> None:
    """Look at the headers of all pages, once as long as the file is not changed."""
    known = (str(path), *_changed(path))
    if known in _looked_at and most_rows is None:
        return
    with path.open("rb") as stream:
        holds = held(stream, MOST_BYTES)
    most = max((column.written_out for column in holds.columns), default=0)
    if max(holds.bytes, most) > MOST_BYTES:
        raise ReleaseError(f"{path} comes to more than {MOST_BYTES} bytes once it is read")
    values = max((column.values for column in holds.columns), default=0)
    if holds.rows != holds.group_rows or (most_rows is not None and values > most_rows):
        raise ReleaseError(f"{path} has {values} clips in {holds.rows} rows, where there should be at most {most_rows}")
    _looked_at[known] = None


def _require_columns(path: Path, file: pq.ParquetFile) -> None:
    import pyarrow as pa

    schema = file.schema_arrow
    ids = schema.field(_CLIP).type if schema.names.count(_CLIP) == 1 else None
    audio = schema.field(_AUDIO).type if schema.names.count(_AUDIO) == 1 else None
    cells = [] if audio is None or not pa.types.is_struct(audio) else [at.type for at in audio if at.name == "bytes"]
    if ids != pa.string() or cells != [pa.binary()]:
        raise ReleaseError(f"{path} has no columns clip_id, of text, and audio, of bytes and path")


def _changed(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_size, status.st_mtime_ns


def _found(column: pa.Buffer, cell: pa.Buffer, at: int) -> int:
    """Where in a column a cell stands behind its length, not far from a byte on; -1 where it does not.

    Between two cells there is nothing but the header of a page.
    """
    near, beginning = memoryview(column)[at : at + _NEAR], memoryview(cell)[:_BEGINNING]
    begins = at + bytes(near).find(cell.size.to_bytes(4, "little") + bytes(beginning)) + 4
    if begins < at + 4 or begins + cell.size > column.size:
        return -1
    return begins if column.slice(begins, cell.size).equals(cell) else -1
