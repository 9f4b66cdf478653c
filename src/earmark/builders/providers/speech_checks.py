"""Is it speech that came back? A body must be audio of the form asked for, whole, long enough, audible and not clipped."""

from __future__ import annotations

import io
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite, log10
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import msgspec
import numpy as np

from earmark.audio.decode import soundfile
from earmark.builders.corpora.wav_header import NotWav, begins_as_wav, wav_header_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Samples: TypeAlias = NDArray[np.int16] | NDArray[np.float32]

_MOST_SAID = 200
_INT16 = frozenset({"PCM_16", "PCM_S8", "PCM_U8"})
_FULL_SCALE = {"int16": 1.0 - 2.0**-15, "float32": 1.0 - 2.0**-23}  # the last step of 16 bits, and of 24


class Form(StrEnum):
    """Forms of audio that can be asked for."""

    WAV = "wav"
    MP3 = "mp3"
    FLAC = "flac"


class SpeechFlaw(StrEnum):
    """Why a body cannot be used as speech."""

    EMPTY = "empty"
    """No byte, or no sample."""

    PAGE = "a page"
    """HTML or XML, as a proxy sends it."""

    MESSAGE = "a message"
    """JSON or text."""

    OTHER_FORM = "another form"
    """Audio, and not of the form asked for; or bytes of no known form."""

    BROKEN = "broken"
    """It cannot be decoded, or breaks off."""

    SHORT = "short"
    """Too short to say anything."""

    SILENT = "silent"
    """Nothing can be heard."""

    CLIPPED = "clipped"
    """Too many samples stand at full scale."""


class SpeechChecks(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[speech.checks]`: what is refused.

    Args:
        least_s: Shortest clip, s.
        silent_dbfs: A clip whose highest peak is below is silent, dB of full scale.
        most_clipped: Largest share of samples at full scale, 0 to 1.

    Raises:
        ValueError: If a value is out of its range.
    """

    least_s: float = 0.1
    silent_dbfs: float = -50.0
    most_clipped: float = 0.001

    def __post_init__(self) -> None:
        if not (self.least_s >= 0 and self.silent_dbfs <= 0 and 0 <= self.most_clipped <= 1):
            raise ValueError("least_s must be 0 or more, silent_dbfs 0 or less, and most_clipped in 0 … 1")


@dataclass(frozen=True)
class Heard:
    """Speech that passed.

    Args:
        rate: Sampling rate, Hz.
        seconds: Duration, s.
        peak_dbfs: Highest peak, dB of full scale.
        clipped: Share of samples at full scale.
    """

    rate: int
    seconds: float
    peak_dbfs: float
    clipped: float


@dataclass(frozen=True)
class Unheard:
    """A body that did not pass.

    Args:
        flaw: What kind of thing is wrong.
        detail: What exactly.
        seconds: Duration, s; None where it is no audio.
    """

    flaw: SpeechFlaw
    detail: str
    seconds: float | None = None


def check_speech(data: bytes, form: Form, checks: SpeechChecks = SpeechChecks()) -> Heard | Unheard:  # noqa: B008 (frozen)
    """Check a body.

    Args:
        data: The body.
        form: What was asked for.
        checks: What is refused.

    Raises:
        MissingExtra: If soundfile is not installed.
    """
    if not data:
        return Unheard(SpeechFlaw.EMPTY, "the body has no byte")
    if (found := form_of(data)) is not form:
        return _no_audio(data, form, found)
    decoded = _decode(data, form)
    if isinstance(decoded, Unheard):
        return decoded
    samples, rate = decoded
    seconds = len(samples) / rate
    peak, clipped = _level(samples)
    if not isfinite(peak):
        return Unheard(SpeechFlaw.BROKEN, "a sample is NaN or infinite", seconds)
    if seconds < checks.least_s:
        return Unheard(SpeechFlaw.SHORT, f"{seconds:.3f} s; at least {checks.least_s:g} s", seconds)
    dbfs = 20 * log10(peak) if peak else None
    if dbfs is None or dbfs < checks.silent_dbfs:
        said = "all samples are 0" if dbfs is None else f"its highest peak is {dbfs:.1f} dBFS"
        return Unheard(SpeechFlaw.SILENT, f"{said}; at least {checks.silent_dbfs:g} dBFS", seconds)
    if clipped > checks.most_clipped:
        share = f"{clipped:.2%} of its samples are at full scale; at most {checks.most_clipped:.2%}"
        return Unheard(SpeechFlaw.CLIPPED, share, seconds)
    return Heard(rate, seconds, dbfs, clipped)


def form_of(data: bytes) -> Form | None:
    """The form that a body's first bytes tell; None for another.

    >>> form_of(b"fLaC...."), form_of(b"<html>")
    (<Form.FLAC: 'flac'>, None)
    """
    if begins_as_wav(data[:12]):
        return Form.WAV
    if data[:4] == b"fLaC":
        return Form.FLAC
    if data[:3] == b"ID3" or (len(data) > 1 and data[0] == 0xFF and data[1] & 0xE0 == 0xE0):
        return Form.MP3
    return None


class _Decoded(NamedTuple):
    samples: Samples
    rate: int


def _decode(data: bytes, form: Form) -> _Decoded | Unheard:
    """All samples in memory: an answer is seconds long, and a file for each would cost more than the rest."""
    if form is Form.WAV:
        try:
            header = wav_header_of(data)
        except NotWav as error:
            return Unheard(SpeechFlaw.BROKEN, str(error))
        if header.frames < header.promised:  # libsndfile would quietly shorten it
            return Unheard(SpeechFlaw.BROKEN, f"it breaks off after {header.frames} of {header.promised} samples")
    sf = soundfile()
    try:
        with sf.SoundFile(io.BytesIO(data)) as file:
            frames, rate = int(file.frames), int(file.samplerate)
            samples = file.read(dtype="int16" if str(file.subtype) in _INT16 else "float32", always_2d=True)
    except (sf.SoundFileError, OSError, TypeError, ValueError) as error:
        said = str(getattr(error, "error_string", "") or error).strip().rstrip(".")
        return Unheard(SpeechFlaw.BROKEN, f"not readable as {form} ({said or type(error).__name__})")
    if len(samples) < frames:
        return Unheard(SpeechFlaw.BROKEN, f"it breaks off after {len(samples)} of {frames} samples")
    if not len(samples):
        return Unheard(SpeechFlaw.EMPTY, "it holds no sample")
    return _Decoded(samples, rate)


def _level(samples: Samples) -> tuple[float, float]:
    """Greatest magnitude on a full scale of 1, and the share of samples at full scale.

    As `earmark.audio.level` defines them, without a copy of the samples as floats: this runs between other calls.
    """
    scale = 2.0**15 if samples.dtype.kind == "i" else 1.0
    peak = max(float(samples.max()), -float(samples.min())) / scale
    full = _FULL_SCALE[samples.dtype.name]
    if not peak >= full:
        return peak, 0.0
    at_full = np.count_nonzero(samples >= full * scale) + np.count_nonzero(samples <= -scale)
    return peak, float(at_full) / samples.size


def _no_audio(data: bytes, form: Form, found: Form | None) -> Unheard:
    if found is not None:
        return Unheard(SpeechFlaw.OTHER_FORM, f"{found} where {form} was asked for")
    head = data[: 4 * _MOST_SAID].lstrip(b"\xef\xbb\xbf \t\r\n")
    said = " ".join(head.decode(errors="replace").split())[:_MOST_SAID]
    if head.startswith(b"<"):
        return Unheard(SpeechFlaw.PAGE, f"a page where {form} audio was asked for: {said}")
    if head.startswith((b"{", b"[")) or head.isascii():
        return Unheard(SpeechFlaw.MESSAGE, f"text where {form} audio was asked for: {said}")
    return Unheard(SpeechFlaw.OTHER_FORM, f"bytes of no known form where {form} was asked for: {head[:12].hex(' ')} …")
