"""How long the longest text of a Parquet dictionary is: it bounds what the pages that repeat its texts could come to."""

from __future__ import annotations

from struct import Struct
from typing import BinaryIO, NamedTuple

import pyarrow as pa

MOST_DICTIONARY = 1 << 21
"""Bytes of the largest dictionary that is looked at, packed or not; writers give up at one megabyte."""

MOST_ENTRIES = 1 << 22
"""How many entries are looked at in all dictionaries of a file together."""

_CODECS = {0: None, 1: "snappy", 2: "gzip", 4: "brotli", 6: "zstd", 7: "lz4_raw"}
_LENGTH = Struct("<i")


class Dictionary(NamedTuple):
    """The page of a dictionary, as headers have it.

    Args:
        begins: Byte of the file.
        packed: Bytes in the file.
        unpacked: Bytes once it is unpacked.
        entries: How many values it holds.
        codec: How it is packed, by Parquet's number.
    """

    begins: int
    packed: int
    unpacked: int
    entries: int
    codec: int


class Dictionaries:
    """Looks into the dictionaries of a file, as far as that is cheap.

    Args:
        stream: The file.
        most_entries: How many entries are looked at.
    """

    def __init__(self, stream: BinaryIO, most_entries: int = MOST_ENTRIES) -> None:
        self._stream = stream
        self._left = most_entries

    def longest(self, page: Dictionary) -> int:
        """Bytes of the longest text of a dictionary of texts, or of the whole page where that is not known.

        It is not where the page is large, nor where it is damaged, so that Arrow will not read it either.
        """
        if max(page.packed, page.unpacked) > MOST_DICTIONARY or page.entries > self._left:
            return page.unpacked
        self._left -= page.entries
        self._stream.seek(page.begins)
        texts = _unpacked(self._stream.read(page.packed), page)
        at, longest = 0, 0
        for _ in range(page.entries):
            if at + _LENGTH.size > len(texts):
                return page.unpacked
            (length,) = _LENGTH.unpack_from(texts, at)
            at += _LENGTH.size + length
            if length < 0 or at > len(texts):
                return page.unpacked
            longest = max(longest, length)
        return longest


def _unpacked(data: bytes, page: Dictionary) -> bytes:
    """The content of a page; none where it is damaged, or packed in a way not known here."""
    codec = _CODECS.get(page.codec, "")
    if codec is None:
        return data if len(data) == page.unpacked else b""
    try:
        # Where it is shorter than its header says something is added, but then Arrow will not read it either.
        return bytes(pa.Codec(codec).decompress(data, page.unpacked, asbytes=True))
    except (pa.ArrowException, OSError, ValueError):
        return b""
