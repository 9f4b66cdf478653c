"""Rows out of gzip and zstd, a piece at a time: every byte is counted, and damage ends the text where it stands.

Several gzip members or zstd frames in a row are one text. A frame that asks for a large window is refused by its header.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from earmark.manifests.errors import EarmarkError
from earmark.scoring.submissions.collecting import TOO_LARGE, Collector
from earmark.scoring.submissions.containers import BAD_COMPRESSION, EXPANDS_TOO_MUCH, Packing
from earmark.scoring.submissions.zstd_frames import Frames

if TYPE_CHECKING:
    from earmark.manifests.findings import Code

MOST_EXPANSION = 200
"""How many times as large as in the file rows may be once they are unpacked; predictions come to 5 to 50."""

MOST_MEMBERS = 1 << 16
"""How many gzip members may stand in one file."""

_FREE = 1 << 24
_CHUNK = 1 << 16
_PIECE = 1 << 18


class Damaged(EarmarkError):
    """Compressed data that cannot be read on."""


class Piece(NamedTuple):
    """Some bytes, and how many packed ones were used up to their end."""

    data: bytes
    used: int


class Unpacking(io.RawIOBase):
    """The unpacked bytes of a file; what is wrong with them is a finding, and then they end.

    Args:
        packed: The file, from its beginning.
        packing: How it is packed.
        collector: Takes findings, and says how many bytes may come of it.
    """

    def __init__(self, packed: BinaryIO, packing: Packing, collector: Collector) -> None:
        super().__init__()
        self._pieces = gunzipped(packed) if packing is Packing.GZIP else unframed(packed)
        self._collector = collector
        self._packing = packing
        self._rest = memoryview(b"")
        self._out = 0

    def readable(self) -> bool:
        """Whether it can be read: always."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # of bytes
        """Fill a buffer as far as one piece goes; 0 at the end."""
        while not self._rest:
            piece = self._next()
            if piece is None:
                return 0
            self._rest = memoryview(piece)
        count = min(len(buffer), len(self._rest))
        buffer[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count

    def _next(self) -> bytes | None:
        if self._collector.cut:
            return None
        try:
            piece = next(self._pieces, None)
        except Damaged as error:
            self._stop(BAD_COMPRESSION, str(error), f"a whole {self._packing} file")
            return None
        if piece is None:
            return None
        self._out += len(piece.data)
        most, expanded = self._collector.rules.limits.bytes, self._out > MOST_EXPANSION * piece.used
        if expanded and self._out > min(_FREE, most):
            found = f"{self._out} bytes or more out of {piece.used}"
            self._stop(EXPANDS_TOO_MUCH, found, f"at most {MOST_EXPANSION} times as many, or the file not compressed")
            return None
        if self._out > most:
            self._stop(TOO_LARGE, f"{self._out} bytes or more once unpacked", f"at most {most}")
            return None
        return piece.data

    def _stop(self, code: Code, found: str, expected: str) -> None:
        self._collector.cut = True
        self._collector.add(code, found=found, expected=expected)


def gunzipped(packed: BinaryIO) -> Iterator[Piece]:
    """The members of a gzip file, one after the other; zeros may stand behind them.

    Raises:
        Damaged: Where it cannot be read on; all before it has been given.
    """
    read, members, data = 0, 0, b""
    while True:
        if not data:
            data = packed.read(_CHUNK)
            read += len(data)
        if members:
            ended, data = not data, data.lstrip(b"\0")
            if ended:
                return
            if not data:
                continue
        if members == MOST_MEMBERS:
            raise Damaged(f"more than {MOST_MEMBERS} gzip members")
        members += 1
        inflater = zlib.decompressobj(wbits=31)
        while not inflater.eof:
            if not data:
                data = packed.read(_CHUNK)
                read += len(data)
            if not data:
                yield Piece(inflater.decompress(b"", _PIECE), read)
                raise Damaged(f"cut off after {read} bytes")
            before = inflater.copy()
            try:
                piece = inflater.decompress(data, _PIECE)
            except zlib.error as error:
                for good in _before_damage(before, data):
                    yield Piece(good, read)
                said = str(error).rpartition(": ")[2]
                behind = members > 1 and "header" in said
                raise Damaged("bytes that are no gzip stand behind it" if behind else said) from None
            data = inflater.unused_data or inflater.unconsumed_tail
            yield Piece(piece, read - len(data))


def _before_damage(inflater: zlib._Decompress, data: bytes) -> Iterator[bytes]:
    """What comes before the byte at which data cannot be read on."""
    for at in range(len(data)):
        try:
            yield inflater.decompress(data[at : at + 1])
        except zlib.error:
            return


def unframed(packed: BinaryIO) -> Iterator[Piece]:
    """The frames of a zstd file, one after the other.

    Raises:
        Damaged: Where it cannot be read on; all before it has been given.
    """
    given = 0
    frames = Frames(packed)
    try:
        for data in _decoded(frames, _CHUNK):
            given += len(data)
            yield Piece(data, frames.used)
    except OSError as error:
        # A piece that fails takes what it began with along, so the last one is asked for again byte by byte.
        trouble = frames.trouble or _words(error)
        packed.seek(0)
        frames = Frames(packed)
        try:
            for data in _decoded(frames, _CHUNK, whole=given):
                yield Piece(data, frames.used)
        except OSError:
            raise Damaged(trouble) from None
    if frames.trouble is not None:
        raise Damaged(frames.trouble)


def _decoded(frames: Frames, size: int, *, whole: int | None = None) -> Iterator[bytes]:
    """Pieces of what frames stand for: if `whole` is given, only what comes behind so many bytes, one byte at a time."""
    import pyarrow as pa

    with pa.CompressedInputStream(pa.PythonFile(frames, mode="r"), "zstd") as stream:
        left = whole or 0
        while left and (skipped := stream.read(min(size, left))):
            left -= len(skipped)
        while data := stream.read(size if whole is None else 1):
            yield data


def _words(error: OSError) -> str:
    said = str(error)
    return "cut off" if "Truncated" in said else said.rpartition("failed: ")[2].strip() or "damaged"
