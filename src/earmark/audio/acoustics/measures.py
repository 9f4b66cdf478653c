"""Everything that is measured of a clip, in one record.

Levels are of the whole clip; pitch, spectrum and pace are of its speech, from the first sound to the last. What a clip does not
have is None: silence has no pitch, a click no loudness.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log10
from typing import TYPE_CHECKING

import numpy as np

from earmark.audio import level
from earmark.audio.acoustics import loudness, pitch, silence, spectrum
from earmark.audio.acoustics import rate as pace
from earmark.audio.acoustics.offset import without_offset
from earmark.audio.acoustics.settings import DEFAULTS
from earmark.audio.decode import as_float
from earmark.manifests.acoustics import MEASURES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from earmark.audio.acoustics.settings import Settings
    from earmark.audio.decode import Samples

LOWEST_RATE = 4000
"""Below this rate, Hz, the highest pitch and the first formants have no place."""


@dataclass(frozen=True, kw_only=True)
class Acoustics:
    """What was measured of a clip; None where it is undefined.

    Args:
        seconds: Length of the clip, s.
        speech: Length from the first sound to the last, s.
        lead: Silence before the speech, s.
        trail: Silence after it, s.
        loudness: Integrated loudness, LUFS.
        level: RMS level of all samples, dBFS where a full-scale square wave is at 0.
        peak: Largest magnitude of a sample, dBFS.
        clipped: Share of samples at full scale, 0 to 1.
        noise_floor: Level of the quiet frames, dBFS.
        bandwidth: Frequency above which nothing is, Hz.
        f0_median: Median F0 of voiced frames, Hz.
        f0_mean: Mean F0 of voiced frames, Hz.
        f0_range: F0 from the 5th to the 95th percentile, semitones.
        words_per_second: Words over the length of the speech, 1/s.
        syllables_per_second: Syllable nuclei over the length of the speech, 1/s.
        spectral_centroid: Mean centroid of the speech, Hz.
        mfcc: Means of MFCC 0 … 12 over the speech.
    """

    seconds: float
    speech: float | None = None
    lead: float | None = None
    trail: float | None = None
    loudness: float | None = None
    level: float | None = None
    peak: float | None = None
    clipped: float
    noise_floor: float | None = None
    bandwidth: float | None = None
    f0_median: float | None = None
    f0_mean: float | None = None
    f0_range: float | None = None
    words_per_second: float | None = None
    syllables_per_second: float | None = None
    spectral_centroid: float | None = None
    mfcc: tuple[float, ...] | None = None

    def with_words(self, words: int | None) -> Acoustics:
        """The same clip with so many words in it; None where they are not known."""
        return replace(self, words_per_second=words / self.speech if words is not None and self.speech else None)

    def as_row(self) -> dict[str, object]:
        """The declared columns of `earmark.manifests.acoustics.MEASURES`, each rounded to its step."""
        row: dict[str, object] = {}
        for column in MEASURES:
            value: float | tuple[float, ...] | None = getattr(self, column.name)
            decimals = -round(log10(column.step)) if column.step else 17
            if isinstance(value, tuple):
                row[column.name] = [_rounded(entry, decimals) for entry in value]
            else:
                row[column.name] = None if value is None else _rounded(value, decimals)
        return row


def measure(
    samples: Samples, rate: int, *, words: int | None = None, settings: Settings = DEFAULTS, loud: bool = True
) -> Acoustics:
    """Measure a clip.

    Args:
        samples: native samples of one channel, shape (n,), n >= 1, finite; integers tell what their full scale is,
            floats have it at 1.0.
        rate: sampling rate, Hz, >= `LOWEST_RATE`.
        words: words spoken, >= 0; None where they are not known.
        settings: how.
        loud: whether loudness is measured, a tenth of the cost; else it is None.

    Raises:
        ValueError: no sample, more than one channel, a rate that is too low, or a negative number of words.
        MissingExtra: parselmouth or pyloudnorm is not installed.
    """
    if samples.ndim != 1 or not samples.size:
        raise ValueError(f"a clip is a filled array of one dimension, not of the shape {samples.shape}")
    if rate < LOWEST_RATE:
        raise ValueError(f"a rate of {rate} Hz is too low to measure speech; it must be at least {LOWEST_RATE}")
    if words is not None and words < 0:
        raise ValueError(f"a clip has 0 or more words, not {words}")
    raw = level.measure(samples)
    whole = Acoustics(seconds=len(samples) / rate, level=raw.rms_dbfs, peak=raw.peak_dbfs, clipped=raw.clipped)
    if raw.silent:
        return whole
    floats = without_offset(as_float(samples))
    levels = silence.levels(floats, rate, settings)
    whole = replace(
        whole,
        loudness=loudness.integrated(floats, rate) if loud else None,
        noise_floor=None if levels.floor is None else 10 * log10(levels.floor),
    )
    span = silence.speech_span(levels, len(floats), settings)
    if span is None:
        return whole
    speech = floats[span.start : span.end]
    contour = pitch.track(speech, rate, settings)
    f0 = None if contour is None else pitch.summarise(contour, settings)
    nuclei = pace.nuclei(speech, rate, contour if f0 else None, settings)
    spectra = spectrum.analyse(speech, rate, settings)
    seconds = len(speech) / rate
    return replace(
        whole,
        speech=seconds,
        lead=span.start / rate,
        trail=(len(floats) - span.end) / rate,
        f0_median=f0.median if f0 else None,
        f0_mean=f0.mean if f0 else None,
        f0_range=f0.range if f0 else None,
        syllables_per_second=None if nuclei is None else len(nuclei) / seconds,
        bandwidth=spectra.bandwidth if spectra else None,
        spectral_centroid=spectra.centroid if spectra else None,
        mfcc=spectra.mfcc if spectra else None,
    ).with_words(words)


def mfcc_distance(a: Sequence[float], b: Sequence[float]) -> float:
    """How different two mean spectra are in shape: Euclidean distance of MFCC 1 and up. c0, the level, is left out.

    Args:
        a: mean MFCC, c0 first.
        b: as many.

    Raises:
        ValueError: they are not of one length.

    >>> mfcc_distance((0.0, 3.0, 0.0), (9.0, 0.0, 4.0))
    5.0
    """
    if len(a) != len(b):
        raise ValueError(f"MFCC of one length are compared, not {len(a)} and {len(b)}")
    return float(np.linalg.norm(np.subtract(a[1:], b[1:])))


def _rounded(value: float, decimals: int) -> float:
    return round(value, decimals) + 0.0  # −0.0 and 0.0 are one number
