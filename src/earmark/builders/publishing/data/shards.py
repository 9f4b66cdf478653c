"""Clips in Parquet shards: every FLAC file is read once, hashed and written as it is, and each shard is hashed as it is written.

What is read next is read and hashed by a second thread, so that no more than two row groups are in memory, however many clips
there are.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from earmark.builders.media import Progress
from earmark.builders.publishing.data.configs import AUDIO, AUDIO_COLUMN, SPLIT
from earmark.builders.publishing.data.features import with_features
from earmark.manifests.declarations import CLIPS
from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.rows import Row, text
from earmark.manifests.tables import Side

if TYPE_CHECKING:
    from earmark.manifests.release import Release

SHARD_BYTES = 500_000_000
"""About how many bytes of audio a shard holds."""

GROUP_ROWS, GROUP_BYTES = 100, 1 << 25
"""Clips of a row group, and bytes beyond which it has no further one."""

MOST_CLIP_BYTES = 1 << 26
"""The largest audio file that is put into a cell; half an hour of speech at 48 kHz is no more."""

_HASHED_AT_A_TIME = 1 << 20

_CHUNKING_SINCE = 21
"""Major version of pyarrow that knows content-defined chunking, by which a hub stores only what is new of a later version."""

NO_FILE = declare("publish.audio-missing", Severity.ERROR, "a clip that is to be shipped has no audio in the release")
NO_REGULAR_FILE = declare("publish.audio-no-file", Severity.ERROR, "a clip's audio is a link or no file")
TOO_LARGE = declare("publish.audio-too-large", Severity.ERROR, "a clip's audio is larger than a cell of a table may be")

COLUMNS = (CLIPS.column("clip_id"), AUDIO_COLUMN, *CLIPS.columns[1:])
"""The columns of a shard, in order."""


class FileChanged(EarmarkError):
    """A file is not what it was when it was looked at."""


@dataclass(frozen=True)
class ClipFile:
    """A clip's audio in the release.

    Args:
        row: The clip's public row.
        path: The FLAC file.
        size: Its bytes.
    """

    row: Row
    path: Path
    size: int


@dataclass(frozen=True)
class Shard:
    """A shard to be written.

    Args:
        name: Its file name.
        clips: What goes into it, in order.
    """

    name: str
    clips: tuple[ClipFile, ...]

    @property
    def groups(self) -> Sequence[Sequence[ClipFile]]:
        """Its row groups."""
        return _parted(self.clips, GROUP_ROWS, GROUP_BYTES)


@dataclass(frozen=True)
class WrittenShard:
    """A shard that was written.

    Args:
        name: Its file name.
        size: Its bytes.
        hash: Hash of them, as `earmark.manifests.hashes.file_hash` gives it.
        files: The same of each audio file that went into it, by the file's name.
    """

    name: str
    size: int
    hash: str
    files: Mapping[str, str]


def clip_files(release: Release, clips: frozenset[str], findings: Findings) -> list[ClipFile]:
    """Look at the audio of clips, without reading it.

    Args:
        release: The release.
        clips: Ids of clips; others are left out.
        findings: Where it goes what cannot be shipped.

    Returns:
        The files of those that can be, by clip id.
    """
    rows = sorted(release.table("clips").to_pylist(), key=lambda row: text(row, "clip_id"))
    folder = release.side(Side.PUBLIC) / "audio"
    there: dict[str, os.DirEntry[str]] = {}
    with suppress(FileNotFoundError), os.scandir(folder) as entries:
        there = {entry.name: entry for entry in entries}
    found = []
    for row in rows:
        clip = text(row, "clip_id")
        if clip not in clips:
            continue
        name = f"{clip}.flac"
        entry, named = there.get(name), f"public/audio/{name}"
        if entry is None:
            findings.add(NO_FILE, file=named, id=clip, expected="build the release with --media")
        elif not entry.is_file(follow_symlinks=False):
            findings.add(NO_REGULAR_FILE, file=named, id=clip, expected="a file of its own")
        elif (size := entry.stat(follow_symlinks=False).st_size) > MOST_CLIP_BYTES:
            expected = f"at most {MOST_CLIP_BYTES} bytes"
            findings.add(TOO_LARGE, file=named, id=clip, found=f"{size} bytes", expected=expected)
        else:
            found.append(ClipFile(row, folder / name, size))
    return found


def planned_shards(files: Sequence[ClipFile], shard_bytes: int = SHARD_BYTES) -> list[Shard]:
    """Which clips go into which shard.

    Args:
        files: The clips, in order.
        shard_bytes: Bytes of audio beyond which a shard has no further clip.
    """
    parts = _parted(files, len(files) or 1, shard_bytes)
    names = (f"{SPLIT}-{n:05d}-of-{len(parts):05d}.parquet" for n in range(len(parts)))
    return [Shard(name, tuple(part)) for name, part in zip(names, parts, strict=True)]


def write_shards(
    shards: Sequence[Shard], folder: Path, done: Callable[[WrittenShard], None], progress: Callable[[int], None]
) -> None:
    """Write shards, one after the other.

    Args:
        shards: What to write.
        folder: Where they go; must exist.
        done: Told of each shard that is whole and on disk.
        progress: Told how many clips were written since it was told last.

    Raises:
        FileChanged: If a file is no longer as it was looked at.
        OSError: If a file cannot be read or written.
    """
    groups = [group for shard in shards for group in shard.groups]
    with closing(_read_ahead(groups)) as read:
        for shard in shards:
            done(_write(shard, folder / shard.name, read, progress))


def hash_files(files: Sequence[ClipFile], progress: Progress) -> Mapping[str, str]:
    """The hash of each audio file that goes into no shard, by the file's name.

    Args:
        files: The files.
        progress: Told how far it is.

    Raises:
        FileChanged: As for `write_shards`.
        OSError: If a file cannot be read.
    """
    hashes: dict[str, str] = {}
    with closing(_read_ahead(_parted(files, GROUP_ROWS, GROUP_BYTES))) as read:
        for group in read:
            hashes |= group.hashes
            progress("hashing other clips", len(hashes), len(files))
    return hashes


def shard_schema() -> pa.Schema:
    """The schema of a shard, with what `datasets` wants to know of it."""
    fields = [pa.field(column.name, column.type, column.nullable, {"means": column.means}) for column in COLUMNS]
    return with_features(pa.schema(fields))


@dataclass(frozen=True)
class _Group:
    """Audio files one after the other in one buffer."""

    files: Sequence[ClipFile]
    data: pa.Buffer
    offsets: pa.Buffer
    hashes: Mapping[str, str]

    def as_table(self, schema: pa.Schema) -> pa.Table:
        """The rows of a row group; the audio is not copied."""
        audio = pa.Array.from_buffers(pa.binary(), len(self.files), [None, self.offsets, self.data])
        names = pa.array([file.path.name for file in self.files], pa.string())
        rows = {
            name: pa.array([file.row[name] for file in self.files], schema.field(name).type)
            for name in schema.names
            if name != AUDIO_COLUMN.name
        }
        rows[AUDIO_COLUMN.name] = pa.StructArray.from_arrays([audio, names], fields=list(AUDIO))
        return pa.table([rows[name] for name in schema.names], schema=schema)


def _read(files: Sequence[ClipFile]) -> _Group:
    ends = np.cumsum([0, *(file.size for file in files)], dtype=np.int32)
    data = pa.allocate_buffer(int(ends[-1]))
    room = memoryview(data).cast("B") if data.size else memoryview(bytearray())
    hashes = {}
    for file, start, end in zip(files, ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        cell = room[start:end]
        _fill(cell, file.path)
        hashes[file.path.name] = f"sha256:{hashlib.sha256(cell).hexdigest()}"
    return _Group(files, data, pa.py_buffer(ends), hashes)


def _fill(cell: memoryview, path: Path) -> None:
    """Read a file that has as many bytes as there is room for; a link that has taken its place is not followed."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
    with os.fdopen(os.open(path, flags), "rb", buffering=0) as stream:
        at = 0
        while at < len(cell) and (count := stream.readinto(cell[at:])):
            at += count
        if at < len(cell) or stream.read(1):
            raise FileChanged(f"{path} was changed while it was published")


def _read_ahead(groups: Sequence[Sequence[ClipFile]]) -> Generator[_Group]:
    """Groups in order, the next one being read meanwhile."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        ahead = pool.submit(_read, groups[0]) if groups else None
        for following in (*groups[1:], None) if groups else ():
            assert ahead is not None  # noqa: S101 — as many are asked for as are yielded
            group = ahead.result()
            ahead = None if following is None else pool.submit(_read, following)
            yield group


class _Following:
    """A file that is hashed by another thread while it is written, as far as it has come."""

    def __init__(self, path: Path, pool: ThreadPoolExecutor) -> None:
        self._path, self._pool = path, pool
        self._digest = hashlib.sha256()
        self.size = 0
        self._pending: Future[None] | None = None

    def reached(self, size: int) -> None:
        """Hash up to there, in its turn."""
        start, self.size = self.size, size
        if self._pending is not None:
            self._pending.result()  # one part at a time, so that none of them wait in memory or in vain
        self._pending = self._pool.submit(self._hash, start, size)

    def hash(self) -> str:
        """The hash, once everything was reached."""
        if self._pending is not None:
            self._pending.result()
        return f"sha256:{self._digest.hexdigest()}"

    def _hash(self, start: int, end: int) -> None:
        block = bytearray(_HASHED_AT_A_TIME)
        with self._path.open("rb", buffering=0) as stream:
            stream.seek(start)
            while start < end:
                count = stream.readinto(memoryview(block)[: min(len(block), end - start)])
                if not count:
                    raise FileChanged(f"{self._path} became shorter while it was written")
                self._digest.update(memoryview(block)[:count])
                start += count


class _Sink:
    """A file whose errors are kept from Arrow: one that comes while chunks are defined by content would end the process."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb", buffering=0)
        self._error: OSError | None = None
        self._size = 0

    @property
    def closed(self) -> bool:
        """Whether it is closed."""
        return self._file.closed

    def write(self, data: bytes | memoryview) -> int:
        """Write all of it, or from the first error on nothing."""
        left = memoryview(data)
        try:
            while self._error is None and len(left):
                left = left[self._file.write(left) :]
        except OSError as error:
            self._error = error
        self._size += len(data)
        return len(data)

    def reached(self) -> int:
        """How many bytes are on disk.

        Raises:
            OSError: If some could not be written.
        """
        if self._error is not None:
            raise self._error
        return self._size

    def tell(self) -> int:
        """How many bytes it was given."""
        return self._size

    def flush(self) -> None:
        """Nothing, since nothing waits."""

    def close(self) -> None:
        """Close it."""
        self._file.close()


def _write(shard: Shard, path: Path, read: Iterator[_Group], progress: Callable[[int], None]) -> WrittenShard:
    import pyarrow.parquet as pq

    schema, hashes = shard_schema(), dict[str, str]()
    plain = [column.name for column in COLUMNS if column.name != AUDIO_COLUMN.name]
    # Audio is compressed already, each cell is another one, and its least and greatest value say nothing.
    options: dict[str, object] = {
        "compression": {**dict.fromkeys(plain, "zstd"), "audio.bytes": "none", "audio.path": "zstd"},
        "use_dictionary": plain,
        "write_statistics": plain,
        "version": "2.6",
    }
    if int(pa.__version__.split(".")[0]) >= _CHUNKING_SINCE:
        options["use_content_defined_chunking"] = True
    with ThreadPoolExecutor(max_workers=1) as pool, closing(_Sink(path)) as file:
        hashed = _Following(path, pool)
        with pq.ParquetWriter(file, schema, **options) as writer:
            for _ in shard.groups:
                group = next(read)
                writer.write_table(group.as_table(schema), row_group_size=len(group.files))
                hashed.reached(file.reached())
                hashes |= group.hashes
                progress(len(group.files))
                del group  # before the one after the next is read
        hashed.reached(file.reached())
        return WrittenShard(shard.name, hashed.size, hashed.hash(), hashes)


def _parted(files: Sequence[ClipFile], rows: int, size: int) -> list[list[ClipFile]]:
    """Files in order, cut before each that would make a part too long or too large."""
    parts: list[list[ClipFile]] = []
    held = 0
    for file in files:
        if not parts or len(parts[-1]) == rows or held + file.size > size:
            parts.append([])
            held = 0
        parts[-1].append(file)
        held += file.size
    return parts
