"""Cutting clips: spans of one channel joined by digital silence, level untouched, written as FLAC.

A clip is a recipe (`spans` in native samples and `joining_silence`, also in native samples); cutting it is a copy of
samples, so that the same recipe gives the same bytes. Only where another rate is asked for does a sample change.
"""

from __future__ import annotations

import io
import os
import threading
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from earmark.audio.decode import UndecodableAudio, read_spans, soundfile
from earmark.audio.resample import quantise, resample

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from earmark.audio.decode import AudioInfo, Samples, Span

Integers: TypeAlias = NDArray[np.int16] | NDArray[np.int32]
"""Samples as they are written: int16, or int32 with 24 bits in the upper ones."""


class Cut(NamedTuple):
    """A clip's samples.

    Attributes:
        samples: one channel, shape (n,); int16, or int32 with 24 bits in the upper ones.
        rate: sampling rate, Hz.
        clipped: samples that resampling, or a float file, had carried beyond full scale and that are held at it.
    """

    samples: Integers
    rate: int
    clipped: int


def cut(
    path: Path,
    spans: Sequence[Span],
    *,
    channel: int = 0,
    joining_silence: int = 0,
    gain: float | None = None,
    rate: int | None = None,
) -> Cut:
    """Cut a clip from one channel of a file.

    Args:
        path: the audio file.
        spans: one or more (start, end) in native samples, the end not included, in the order in which they are joined.
        channel: which channel, counted from 0.
        joining_silence: digital silence between two spans, native samples, >= 0.
        gain: change of level, dB, <= 0, so that nothing clips; None leaves every sample as it is.
        rate: the clip's sampling rate, Hz; None keeps the file's own.

    Returns:
        The clip, 16 bit, or 24 where the file is lossless and holds more.

    Raises:
        UndecodableAudio: the file cannot be read; see `earmark.audio.decode.read_span`.
        SpanBeyondEnd: a span runs past the file's end.
        ValueError: no span, a span that is empty or reversed, or a negative silence.
    """
    if not spans:
        raise ValueError("a clip needs at least one span")
    info, pieces = read_spans(path, spans, channel=channel)
    return assemble(info, pieces, joining_silence=joining_silence, gain=gain, rate=rate)


def assemble(
    info: AudioInfo,
    pieces: Sequence[Samples],
    *,
    joining_silence: int = 0,
    gain: float | None = None,
    rate: int | None = None,
) -> Cut:
    """Make a clip of samples that were read; see `cut`.

    Args:
        info: what the header of their file says.
        pieces: one or more arrays of native samples, shape (n,) each.
        joining_silence: as of `cut`.
        gain: as of `cut`.
        rate: as of `cut`.

    Raises:
        ValueError: a negative silence, or a gain that could clip.
    """
    whole = join(pieces, joining_silence)
    if gain is not None:
        whole = attenuate(whole, gain)
    to = info.rate if rate is None else rate
    if to == info.rate and whole.dtype.kind == "i":
        return Cut(cast("Integers", whole), to, 0)
    samples, clipped = quantise(resample(whole, info.rate, to), info.bits)
    return Cut(samples, to, clipped)


def attenuate(samples: Samples, gain: float) -> Samples:
    """Lower the level of samples, each rounded to the nearest step of its depth where they are integers.

    Args:
        samples: shape (n,); int32 has 24 bits in the upper ones.
        gain: dB, <= 0; −200 leaves nothing of 24 bit.

    Raises:
        ValueError: if the gain is positive: what it raised could clip.

    >>> attenuate(np.array([1000, -1000], np.int16), -20.0).tolist()
    [100, -100]
    """
    if not gain <= 0:
        raise ValueError(f"a gain of {gain} dB could clip; it must be at most 0")
    scaled = samples * 10.0 ** (gain / 20)
    if samples.dtype.kind == "i":
        step = 256 if samples.dtype.itemsize == 4 else 1
        scaled = np.rint(scaled / step) * step
    return cast("Samples", scaled.astype(samples.dtype))


def join(pieces: Sequence[Samples], silence: int) -> Samples:
    """Join arrays of samples with digital silence between them.

    Args:
        pieces: one or more arrays of one dtype, shape (n,) each.
        silence: samples of zero between two pieces, >= 0.

    Returns:
        Shape (sum of n + (pieces - 1) * silence,).

    Raises:
        ValueError: the silence is negative.

    >>> join([np.array([1, 2], dtype=np.int16), np.array([3], dtype=np.int16)], 2).tolist()
    [1, 2, 0, 0, 3]
    """
    if silence < 0:
        raise ValueError(f"the silence between spans is >= 0 samples, not {silence}")
    if len(pieces) == 1:
        return pieces[0]
    whole = np.zeros(sum(map(len, pieces)) + (len(pieces) - 1) * silence, dtype=pieces[0].dtype)
    at = 0
    for piece in pieces:
        whole[at : at + len(piece)] = piece
        at += len(piece) + silence
    return whole


def write_flac(path: Path, samples: Integers, rate: int) -> None:
    """Write one channel as FLAC, 16 bit from int16 and 24 bit from int32; the same samples give the same bytes.

    The file appears under its name only when it is whole; one that is there already is replaced.

    Args:
        path: where to; the folder must exist.
        samples: shape (n,), n >= 1; of int32 the upper 24 bits are kept.
        rate: sampling rate, Hz, up to 655,350.

    Raises:
        ValueError: no sample, another dtype, or another shape.
        UndecodableAudio: libsndfile refuses, for a rate that FLAC has not.
        OSError: the file cannot be written, for a full disk.
        MissingExtra: soundfile is not installed.
    """
    if samples.ndim != 1 or not samples.size or samples.dtype not in (np.int16, np.int32):
        raise ValueError(
            f"a clip is a filled one-dimensional array of int16 or int32, not {samples.dtype} {samples.shape}"
        )
    sf = soundfile()
    partial = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.partial")
    subtype = "PCM_16" if samples.dtype == np.int16 else "PCM_24"
    # Encoded in memory, so that a full disk is the system's own error and no fault of the audio's.
    encoded = io.BytesIO()
    try:
        sf.write(encoded, samples, rate, subtype=subtype, format="FLAC")
    except sf.SoundFileError as error:
        raise UndecodableAudio(path, f"cannot be written as FLAC at {rate} Hz ({error})") from error
    try:
        partial.write_bytes(encoded.getbuffer())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
