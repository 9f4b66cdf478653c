"""The frames of a zstd file, walked block by block (RFC 8878), so that what a decoder would take memory for is known before."""

from __future__ import annotations

from typing import BinaryIO

MOST_WINDOW = 1 << 23
"""Bytes of the largest window: RFC 8878 asks every decoder for this much, and levels up to 19 need no more."""

MOST_BLOCKS = 1 << 18
"""How many blocks a file may have; one holds 128 KiB unless its writer was in no hurry."""

MOST_FRAMES = 1 << 16
"""How many frames may stand in one file."""

_MAGIC = b"\x28\xb5\x2f\xfd"
_SKIPPED = b"\x2a\x4d\x18"
_RLE, _RESERVED = 1, 3


class Frames:
    """A file that is read one header, block or checksum at a time, and ends where it would be wrong to read on.

    Args:
        packed: The file, from its beginning.
    """

    def __init__(self, packed: BinaryIO) -> None:
        self._packed = packed
        self._frames = 0
        self._blocks = 0
        self._within = False
        self._last = False
        self._checksum = False
        self._rest = b""
        self.used = 0
        """Bytes that were read of the file."""
        self.trouble: str | None = None
        """Why it ends before the file does."""
        self.closed = False

    def read(self, size: int) -> bytes:
        """At most `size` bytes, none of them of two parts; nothing at the end."""
        if not self._rest and self.trouble is None:
            self._rest = self._part()
        data, self._rest = self._rest[:size], self._rest[size:]
        return data

    def close(self) -> None:
        """Close this, and leave the file open."""
        self.closed = True

    def _part(self) -> bytes:
        if not self._within:
            return self._header()
        if self._last:
            self._within = False
            return self._take(4) if self._checksum else self._part()
        return self._block()

    def _header(self) -> bytes:
        while (magic := self._packed.read(4)) and magic[1:] == _SKIPPED and 0x50 <= magic[0] <= 0x5F:
            self.used += 4
            length, at = int.from_bytes(self._take(4), "little"), self._packed.tell()
            if at + length > self._packed.seek(0, 2):
                return self._refused(f"cut off in a skipped frame of {length} bytes")
            self._packed.seek(at + length)
            if not self._counted():
                return b""
        self.used += len(magic)
        if not magic or not self._counted():
            return b""
        if magic != _MAGIC:
            return self._refused("cut off" if _MAGIC.startswith(magic) else "bytes that are no zstd stand behind it")
        descriptor = self._take(1)
        if not descriptor:
            return b""
        flags = descriptor[0]
        single = bool(flags & 0x20)
        sizes = (0 if single else 1, (0, 1, 2, 4)[flags & 3], (int(single), 2, 4, 8)[flags >> 6])
        fields = self._take(sum(sizes))
        if flags & 8:
            return self._refused("a frame of a later format")
        if self.trouble is None and any(fields[sizes[0] : sizes[0] + sizes[1]]):
            return self._refused("a frame that needs a dictionary")
        if self.trouble is None and (window := _window(fields, sizes, single)) > MOST_WINDOW:
            return self._refused(
                f"a frame that asks for a window of {window} bytes, of which {MOST_WINDOW} are given: "
                "compress with level 19 or lower and without --long"
            )
        self._within, self._last, self._checksum = True, False, bool(flags & 4)
        return b"" if self.trouble else magic + descriptor + fields

    def _block(self) -> bytes:
        head = self._take(3)
        if self.trouble is not None:
            return head
        value = int.from_bytes(head, "little")
        self._last, kind, size = bool(value & 1), value >> 1 & 3, value >> 3
        self._blocks += 1
        if kind == _RESERVED or size > (1 << 17):
            return self._refused("a block that cannot be")
        if self._blocks > MOST_BLOCKS:
            return self._refused(f"more than {MOST_BLOCKS} blocks")
        return head + self._take(1 if kind == _RLE else size)

    def _take(self, size: int) -> bytes:
        data = self._packed.read(size)
        self.used += len(data)
        if len(data) < size:
            self._refused(f"cut off after {self.used} bytes")
        return data

    def _counted(self) -> bool:
        self._frames += 1
        if self._frames > MOST_FRAMES:
            self._refused(f"more than {MOST_FRAMES} frames")
        return self.trouble is None

    def _refused(self, why: str) -> bytes:
        self.trouble = self.trouble or why
        return b""


def _window(fields: bytes, sizes: tuple[int, int, int], single: bool) -> int:
    """Bytes of a frame's window; those of its content where it is one segment."""
    if single:
        content = int.from_bytes(fields[-sizes[2] :], "little")
        return content + 256 if sizes[2] == 2 else content
    base = 1 << (10 + (fields[0] >> 3))
    return base + base // 8 * (fields[0] & 7)
