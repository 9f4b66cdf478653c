"""Is it speech that came back? A body must be audio of the form asked for, whole, long enough, audible and not clipped."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from earmark.audio import level
from earmark.audio.decode import UndecodableAudio, probe, read_span

_MOST_SAID = 200


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
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"answer.{form}"
        path.write_bytes(data)
        try:
            info = probe(path)
            samples = read_span(path)
        except UndecodableAudio as error:
            flaw = SpeechFlaw.EMPTY if "no sample" in error.reason else SpeechFlaw.BROKEN
            return Unheard(flaw, error.reason)
    measured = level.measure(samples)
    peak = measured.peak_dbfs
    if info.seconds < checks.least_s:
        return Unheard(SpeechFlaw.SHORT, f"{info.seconds:.3f} s; at least {checks.least_s:g} s", info.seconds)
    if peak is None or peak < checks.silent_dbfs:
        said = "all samples are 0" if peak is None else f"its highest peak is {peak:.1f} dBFS"
        return Unheard(SpeechFlaw.SILENT, f"{said}; at least {checks.silent_dbfs:g} dBFS", info.seconds)
    if measured.clipped > checks.most_clipped:
        share = f"{measured.clipped:.2%} of its samples are at full scale; at most {checks.most_clipped:.2%}"
        return Unheard(SpeechFlaw.CLIPPED, share, info.seconds)
    return Heard(info.rate, info.seconds, peak, measured.clipped)


def form_of(data: bytes) -> Form | None:
    """The form that a body's first bytes tell; None for another.

    >>> form_of(b"fLaC...."), form_of(b"<html>")
    (<Form.FLAC: 'flac'>, None)
    """
    if data[:4] in {b"RIFF", b"RF64"} and data[8:12] == b"WAVE":
        return Form.WAV
    if data[:4] == b"fLaC":
        return Form.FLAC
    if data[:3] == b"ID3" or (len(data) > 1 and data[0] == 0xFF and data[1] & 0xE0 == 0xE0):
        return Form.MP3
    return None


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
