"""Pace: words over the length of the speech, and syllable nuclei as peaks of intensity (after de Jong & Wempe 2009)."""

from __future__ import annotations

from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from earmark.audio.acoustics.silence import mean_squares

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from earmark.audio.acoustics.pitch import Pitch
    from earmark.audio.acoustics.settings import Settings

_BETA = 2 * np.pi**2 + 0.5  # of Praat's Kaiser window
_NOTHING = 1e-12  # of the greatest power: digital silence as a level


class Intensity(NamedTuple):
    """A contour of intensity.

    Attributes:
        decibels: smoothed level, dB; −120 below the loudest stands for silence. Shape (m,).
        start: time of the first value, s.
        step: time between two values, s.
    """

    decibels: NDArray[np.float64]
    start: float
    step: float


def nuclei(
    samples: NDArray[np.float64], rate: int, pitch: Pitch | None, settings: Settings
) -> NDArray[np.float64] | None:
    """Find syllable nuclei: voiced peaks of intensity, each behind a dip.

    The intensity is smoothed as Praat does for a lowest pitch of 50 Hz. A peak counts that is voiced, not more than
    `nucleus_range` below the highest, and the top of its syllable (see `tops`). The reference is the loudest peak and not the
    median, so that pauses do not move it. A nucleus is in the middle of what lies less than `nucleus_dip` below its top: where
    that is flat, the top itself is wherever the voice happens to be a little louder.

    Args:
        samples: the speech, shape (n,), not all 0.
        rate: sampling rate, Hz.
        pitch: F0 of the same speech.
        settings: the figures above.

    Returns:
        Their times, s; None where nothing is voiced, as in a whisper, whose syllables this cannot tell.
    """
    if pitch is None or not len(pitch.voiced):
        return None
    from scipy.signal import find_peaks

    level, start, step = intensity(samples, rate, settings)
    # Padded, so that speech that begins or ends at its loudest has its peak.
    padded = np.pad(level, 1, constant_values=-np.inf)
    peaks = find_peaks(padded, height=level.max() - settings.nucleus_range)[0] - 1
    peaks = peaks[pitch.voiced_near(start + peaks * step)]
    return start + middles(level, tops(level, peaks, settings), settings) * step


def intensity(samples: NDArray[np.float64], rate: int, settings: Settings) -> Intensity:
    """Level in a Kaiser window, every `nucleus_step`.

    The window is laid over short blocks and not over those of `nucleus_step`: a sum over 5 ms holds now one and now two
    periods of a voice, by turns that pass any smoothing where they are slow (0.7 dB for clicks near 67, 100 or 200 Hz).
    """
    from scipy.special import i0

    block = max(1, round(settings.nucleus_block * rate))
    every = max(1, round(settings.nucleus_step * rate / block))
    half = settings.nucleus_window / 2 * rate / block
    reach = int(half)
    window = i0(_BETA * np.sqrt(1 - (np.arange(-reach, reach + 1) / half) ** 2))
    padded = np.pad(mean_squares(samples, block), reach)
    around = np.lib.stride_tricks.sliding_window_view(padded, len(window))[::every]
    smooth = np.einsum("ij,j->i", around, window / window.sum())
    decibels = 10 * np.log10(np.maximum(smooth, smooth.max() * _NOTHING))
    return Intensity(decibels, block / rate / 2, every * block / rate)


def tops(decibels: NDArray[np.float64], peaks: NDArray[np.intp], settings: Settings) -> NDArray[np.intp]:
    """The peaks that are the tops of syllables.

    A peak begins a syllable that rises at least `nucleus_dip` above the lowest point since the top before it (or since the
    start), if that top in turn is at least `nucleus_fall` above that point. Another peak that is higher than the top before
    it takes its place.

    Args:
        decibels: intensity, shape (m,).
        peaks: indices of peaks, ascending, shape (k,).
        settings: `nucleus_dip`, `nucleus_fall`.
    """
    if not len(peaks):
        return peaks
    dips = np.minimum.reduceat(decibels[: peaks[-1] + 1], np.r_[0, peaks[:-1]])
    found: list[int] = []
    top, lowest = inf, inf
    for peak, height, dip in zip(peaks.tolist(), decibels[peaks].tolist(), dips.tolist(), strict=True):
        lowest = min(lowest, dip)
        if height - lowest >= settings.nucleus_dip and top - lowest >= settings.nucleus_fall:
            found.append(peak)
        elif found and height > top:
            found[-1] = peak
        else:
            continue
        top, lowest = height, inf
    return np.array(found, dtype=np.intp)


def middles(decibels: NDArray[np.float64], tops: NDArray[np.intp], settings: Settings) -> NDArray[np.float64]:
    """Where the middle is of what lies less than `nucleus_dip` below each top, between the lowest points around it.

    Args:
        decibels: intensity, shape (m,).
        tops: indices of tops, ascending, shape (k,).
        settings: `nucleus_dip`.

    Returns:
        Fractional indices, shape (k,).
    """
    if not len(tops):
        return np.empty(0)
    from scipy.signal import peak_widths

    lowest = [a + int(np.argmin(decibels[a:b])) for a, b in pairwise(tops)]
    bounds = np.array([0, *lowest, len(decibels) - 1], dtype=np.intp)
    dips = np.full(len(tops), settings.nucleus_dip, dtype=np.float64)
    _, _, left, right = peak_widths(decibels, tops, 1.0, (dips, bounds[:-1], bounds[1:]))
    centres: NDArray[np.float64] = (left + right) / 2
    return centres
