"""What the header of a WAV file promises and what the file holds, without decoding a sample or needing an audio package.

A corpus is thousands of files, and planning clips needs four numbers of each: one short read tells them. It also tells a
truncated file, which libsndfile quietly shortens, from a whole one, and names what else is wrong instead of raising.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import IO, NamedTuple

PCM, FLOAT, EXTENSIBLE = 0x0001, 0x0003, 0xFFFE
"""Format tags."""

_NAMES = {PCM: "PCM", FLOAT: "IEEE float", 0x0006: "A-law", 0x0007: "µ-law", 0x0011: "IMA ADPCM", 0x0055: "MP3"}
_STREAMED = frozenset({0, 0xFFFFFFFF})  # what a writer to a pipe leaves in a size it never came back to fill
_MOST_CHUNKS = 1024
_GUID_TAIL = bytes.fromhex("000000001000800000aa00389b71")


class NotWav(ValueError):
    """The bytes are no WAV file whose samples can be counted."""


class WavHeader(NamedTuple):
    """A WAV header beside the size of its file.

    Attributes:
        rate: sampling rate, Hz, > 0.
        channels: number of channels, > 0.
        bits: bits per sample and channel.
        format: format tag, that within an extensible header.
        frames: samples per channel that the file holds.
        promised: samples per channel that the header promises; `frames` where it leaves that open.
    """

    rate: int
    channels: int
    bits: int
    format: int
    frames: int
    promised: int

    @property
    def format_name(self) -> str:
        """What people call the format."""
        return _NAMES.get(self.format, f"format {self.format:#06x}")


def read_wav_header(path: Path) -> WavHeader:
    """Read the header of a RIFF, RF64 or BW64 file.

    Raises:
        NotWav: If the file is no WAV file, or its header contradicts itself.
        OSError: If it cannot be read.
    """
    with path.open("rb", buffering=1024) as stream:
        return _read_stream(stream, os.fstat(stream.fileno()).st_size)


def wav_header_of(data: bytes) -> WavHeader:
    """The header of a RIFF, RF64 or BW64 file that is in memory.

    Raises:
        NotWav: If the bytes are no WAV file, or its header contradicts itself.
    """
    return _read_stream(io.BytesIO(data), len(data))


def begins_as_wav(head: bytes) -> bool:
    """Whether a file's first 12 bytes are those of a WAV file."""
    return head[:4] in {b"RIFF", b"RF64", b"BW64"} and head[8:12] == b"WAVE"


def _read_stream(stream: IO[bytes], size: int) -> WavHeader:
    if not begins_as_wav(stream.read(12)):
        raise NotWav("it does not begin as a WAV file does")
    return _read_chunks(stream, size)


def _read_chunks(stream: IO[bytes], size: int) -> WavHeader:
    fmt, wide = b"", 0
    for _ in range(_MOST_CHUNKS):
        head = stream.read(8)
        if len(head) < 8:
            break
        name, length = head[:4], int.from_bytes(head[4:], "little")
        if name == b"data":
            return _header(fmt, wide or length, max(0, size - stream.tell()))
        body = stream.read(min(length, 64)) if name in {b"fmt ", b"ds64"} else b""
        if name == b"fmt ":
            fmt = body
        elif name == b"ds64":
            wide = int.from_bytes(body[8:16], "little")
        stream.seek(length - len(body) + length % 2, os.SEEK_CUR)  # chunks begin at even offsets
    raise NotWav("it has no data chunk")


def _header(fmt: bytes, promised_bytes: int, held_bytes: int) -> WavHeader:
    if len(fmt) < 16:
        raise NotWav("no whole fmt chunk stands before its data chunk")
    tag, channels, rate, _, block, bits = (
        int.from_bytes(fmt[start:stop], "little")
        for start, stop in ((0, 2), (2, 4), (4, 8), (8, 12), (12, 14), (14, 16))
    )
    if tag == EXTENSIBLE and fmt[26:40] == _GUID_TAIL:
        tag = int.from_bytes(fmt[24:26], "little")
    if not rate or not channels or not block or (tag in {PCM, FLOAT} and block != channels * ((bits + 7) // 8)):
        raise NotWav(f"its header has {channels} channels, {rate} Hz, {bits} bits and {block} bytes a frame")
    held = held_bytes // block
    if promised_bytes in _STREAMED:
        return WavHeader(rate, channels, bits, tag, held, held)
    promised = promised_bytes // block
    # Further chunks may follow the samples, so a file may hold more bytes than its data chunk has.
    return WavHeader(rate, channels, bits, tag, min(held, promised), promised)
