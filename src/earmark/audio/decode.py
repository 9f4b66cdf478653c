"""Reading one channel of an audio file, by spans of native samples.

Integer files come back as the integers they hold (8 and 16 bit as int16, more as int32 with the value in the upper
bits), float files as floats, lossy files as float32. Whatever is wrong with a file is one exception,
`UndecodableAudio`, so that callers can turn it into a finding.
"""

from __future__ import annotations

import io
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from earmark.manifests.errors import EarmarkError, MissingExtra

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

Samples: TypeAlias = NDArray[np.int16] | NDArray[np.int32] | NDArray[np.float32] | NDArray[np.float64]
"""Native samples: int16, int32 (left-justified), float32 or float64; the full scale of floats is 1.0."""

Span: TypeAlias = tuple[int, int]
"""Start and end in native samples, the end not included."""

_INT16 = frozenset({"PCM_S8", "PCM_U8", "PCM_16", "ALAC_16", "ULAW", "ALAW"})
_INT32 = frozenset({"PCM_24", "PCM_32", "ALAC_20", "ALAC_24", "ALAC_32"})
_FLOAT = frozenset({"FLOAT", "DOUBLE"})
_BLOCK = 1 << 18
_STREAMED = frozenset({0, 0xFFFFFFFF})  # what a writer to a pipe leaves in a size it never came back to fill


class UndecodableAudio(EarmarkError):
    """An audio file, or the part of it that is asked for, cannot be decoded."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path, self.reason = path, reason


class SpanBeyondEnd(UndecodableAudio):
    """A span runs past the end of its file."""

    def __init__(self, path: Path, span: Span, frames: int) -> None:
        super().__init__(path, f"the span {span[0]}..{span[1]} runs past the end; the file has {frames} samples")
        self.span, self.frames = span, frames


class AudioInfo(NamedTuple):
    """What a header says.

    Attributes:
        rate: sampling rate, Hz.
        frames: samples per channel.
        channels: number of channels.
        subtype: libsndfile's name of the encoding, such as "PCM_16".
        lossless: whether the file holds samples as they were written, so that they can be hashed.
    """

    rate: int
    frames: int
    channels: int
    subtype: str
    lossless: bool

    @property
    def seconds(self) -> float:
        """Duration, s."""
        return self.frames / self.rate

    @property
    def dtype(self) -> str:
        """NumPy's name of the type that native samples are read as."""
        if self.subtype in _INT16:
            return "int16"
        if self.subtype in _INT32:
            return "int32"
        return "float64" if self.subtype == "DOUBLE" else "float32"

    @property
    def bits(self) -> int:
        """Bits per sample of a FLAC copy, 16 or 24: 24 where the file is lossless and holds more than 16."""
        return 24 if self.lossless and self.dtype != "int16" else 16


def probe(path: Path) -> AudioInfo:
    """Read a file's header without decoding any sample.

    Raises:
        UndecodableAudio: no such file, no audio, no sample, or fewer samples than the header promises.
        MissingExtra: soundfile is not installed.
    """
    with _open(path) as (_, info):
        return info


def read_span(path: Path, start: int = 0, stop: int | None = None, *, channel: int = 0) -> Samples:
    """Read native samples of one channel.

    Args:
        path: the audio file.
        start: first sample, >= 0.
        stop: the sample after the last one, > start; None is the file's end.
        channel: which channel, counted from 0.

    Returns:
        Samples, shape (stop - start,).

    Raises:
        UndecodableAudio: as `probe`; also a channel that is not there, samples that are NaN or infinite, or a file
            that breaks off within the span.
        SpanBeyondEnd: the span runs past the file's end.
        ValueError: the span is empty, reversed or negative.
    """
    with _open(path) as (file, info):
        span = (start, info.frames if stop is None else stop)
        return _read(path, file, info, [span], channel)[0]


def read_spans(path: Path, spans: Sequence[Span], *, channel: int = 0) -> tuple[AudioInfo, list[Samples]]:
    """Read several spans of one channel, opening the file once; see `read_span`.

    Returns:
        What the header says, and one array of native samples for each span, in the order given.
    """
    with _open(path) as (file, info):
        return info, _read(path, file, info, spans, channel)


def read_content(content: bytes, named: Path, *, most_frames: int) -> tuple[AudioInfo, Samples]:
    """Read native samples of the first channel of a file that is in memory.

    Args:
        content: the whole file; one that tells how many samples it has, such as FLAC.
        named: what messages call it.
        most_frames: samples that it may have, so that few bytes do not become many.

    Raises:
        UndecodableAudio: as `read_span`; also more samples than it may have.
    """
    with _open(named, content) as (file, info):
        if info.frames > most_frames:
            raise UndecodableAudio(named, f"it has {info.frames} samples; at most {most_frames} are read")
        return info, _read(named, file, info, [(0, info.frames)], 0)[0]


def blocks(path: Path) -> Iterator[Samples]:
    """Read a whole file, all channels, in blocks of bounded size.

    Yields:
        Native samples, shape (frames, channels).

    Raises:
        UndecodableAudio: as `read_span`.
    """
    with _open(path) as (file, info):
        left = info.frames
        while left:
            block = _decode(path, file, info, min(left, _BLOCK))
            left -= len(block)
            yield block


def as_float(samples: Samples) -> NDArray[np.float64]:
    """Scale native samples to [-1, 1): int16 by 2**-15, int32 by 2**-31; floats as they are.

    >>> as_float(np.array([-32768, 16384], dtype=np.int16)).tolist()
    [-1.0, 0.5]
    """
    if samples.dtype.kind == "f":
        return samples.astype(np.float64)
    return samples / np.float64(1 << (8 * samples.dtype.itemsize - 1))


def soundfile() -> Any:
    """Import soundfile, or say which extra brings it.

    Raises:
        MissingExtra: it is not installed.
    """
    try:
        import soundfile as package
    except ImportError as error:
        raise MissingExtra("build", "soundfile") from error
    return package


@contextmanager
def _open(path: Path, content: bytes | None = None) -> Iterator[tuple[Any, AudioInfo]]:
    sf = soundfile()
    if content is None and not path.is_file():
        raise UndecodableAudio(path, "no such file")
    try:
        file = sf.SoundFile(path if content is None else io.BytesIO(content))
    except (sf.SoundFileError, OSError, TypeError, ValueError) as error:
        raise UndecodableAudio(path, f"not readable as audio ({_said(error)})") from error
    with file:
        subtype = str(file.subtype)
        lossless = subtype in _FLOAT or subtype.startswith(("PCM_", "ALAC_"))
        info = AudioInfo(int(file.samplerate), int(file.frames), int(file.channels), subtype, lossless)
        promised = None if content is not None else _promised_frames(path)
        if promised is not None and promised > info.frames:
            raise UndecodableAudio(
                path, f"truncated: the header promises {promised} samples, the file holds {info.frames}"
            )
        if info.frames == 0:
            raise UndecodableAudio(path, "it holds no sample")
        yield file, info


def _read(path: Path, file: Any, info: AudioInfo, spans: Sequence[Span], channel: int) -> list[Samples]:
    if not 0 <= channel < info.channels:
        raise UndecodableAudio(path, f"it has no channel {channel}; it has {info.channels}, counted from 0")
    for start, stop in spans:
        if not 0 <= start < stop:
            raise ValueError(f"a span needs 0 <= start < end, not {start}..{stop}")
        if stop > info.frames:
            raise SpanBeyondEnd(path, (start, stop), info.frames)
    read: list[Samples] = []
    for start, stop in spans:
        try:
            file.seek(start)
        except (soundfile().SoundFileError, OSError) as error:
            raise UndecodableAudio(path, f"it breaks off before sample {start} ({_said(error)})") from error
        read.append(cast("Samples", np.ascontiguousarray(_decode(path, file, info, stop - start)[:, channel])))
    return read


def _decode(path: Path, file: Any, info: AudioInfo, frames: int) -> Samples:
    at = file.tell()
    try:
        samples: Samples = file.read(frames, dtype=info.dtype, always_2d=True)
    except (soundfile().SoundFileError, OSError) as error:
        raise UndecodableAudio(path, f"it breaks off after sample {at} ({_said(error)})") from error
    if len(samples) < frames:
        raise UndecodableAudio(
            path, f"truncated: {info.frames} samples are promised and it breaks off at {at + len(samples)}"
        )
    if samples.dtype.kind == "f" and not np.isfinite(samples).all():
        bad = int(np.argmin(np.isfinite(samples).all(axis=1)))
        raise UndecodableAudio(path, f"sample {at + bad} is NaN or infinite")
    return samples


def _said(error: Exception) -> str:
    return str(getattr(error, "error_string", "") or error).strip().rstrip(".") or type(error).__name__


def _promised_frames(path: Path) -> int | None:
    """Samples per channel that a WAV header promises; None for another format or where it does not say.

    libsndfile quietly shortens a WAV file to what is there, so that a truncated one would pass for a whole one.
    """
    with path.open("rb") as file:
        head = file.read(12)
        if head[:4] not in {b"RIFF", b"RF64"} or head[8:12] != b"WAVE":
            return None
        return _promised_by_chunks(file)


def _promised_by_chunks(file: IO[bytes]) -> int | None:
    block, wide = 0, 0
    while len(chunk := file.read(8)) == 8:
        name, size = chunk[:4], int.from_bytes(chunk[4:], "little")
        if name == b"data":
            size = wide or size
            return None if size in _STREAMED or not block else size // block
        body = file.read(size) if name in {b"fmt ", b"ds64"} else b""
        if name == b"fmt ":
            block = int.from_bytes(body[12:14], "little")
        elif name == b"ds64":
            wide = int.from_bytes(body[8:16], "little")
        file.seek(size - len(body) + size % 2, 1)  # chunks begin at even offsets
    return None
