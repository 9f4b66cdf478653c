"""Pace: words over the length of the speech, and syllable nuclei as peaks of intensity (de Jong & Wempe 2009)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from earmark.audio.acoustics.pitch import Pitch
    from earmark.audio.acoustics.settings import Settings

_BETA = 2 * np.pi**2 + 0.5  # of Praat's Kaiser window
_NOTHING = 1e-12  # of the greatest power: digital silence as a level


def nuclei(
    blocks: NDArray[np.float64], hop: float, pitch: Pitch | None, settings: Settings
) -> NDArray[np.float64] | None:
    """Find syllable nuclei: voiced peaks of intensity, each behind a dip.

    The intensity is smoothed as Praat does for a lowest pitch of 50 Hz. A peak counts that is not more than `nucleus_range`
    below the highest, rises at least `nucleus_dip` above the lowest point since the peak before it (or since the start),
    and is voiced. The reference is the loudest peak and not the median, so that pauses do not move it.

    Args:
        blocks: mean square of consecutive blocks of the speech, shape (m,).
        hop: length of a block, s.
        pitch: F0 of the same speech.
        settings: the figures above.

    Returns:
        Their times, s; None where nothing is voiced, as in a whisper, whose syllables this cannot tell.
    """
    if pitch is None or not len(pitch.voiced):
        return None
    peaks, dips = peaks_and_dips(intensity(blocks, hop, settings), settings)
    times = np.asarray((peaks[dips >= settings.nucleus_dip] + 0.5) * hop, dtype=np.float64)
    return times[pitch.voiced_at(times)]


def intensity(blocks: NDArray[np.float64], hop: float, settings: Settings) -> NDArray[np.float64]:
    """Smoothed level of each block, dB; −120 below the loudest stands for silence. Shape (m,)."""
    half = settings.nucleus_window / 2
    reach = int(half / hop)
    window = np.i0(_BETA * np.sqrt(1 - (np.arange(-reach, reach + 1) * hop / half) ** 2))
    smooth = np.convolve(blocks, window / window.sum())[reach : reach + len(blocks)]
    decibels: NDArray[np.float64] = 10 * np.log10(np.maximum(smooth, smooth.max() * _NOTHING))
    return decibels


def peaks_and_dips(decibels: NDArray[np.float64], settings: Settings) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Peaks near enough to the highest, and how far each rises above the lowest point since the one before.

    Args:
        decibels: intensity, shape (m,).
        settings: `nucleus_range`.

    Returns:
        Indices and rises (dB), shape (k,) each.
    """
    from scipy.signal import find_peaks

    # Padded, so that speech that begins or ends at its loudest has its peak.
    padded = np.pad(decibels, 1, constant_values=-np.inf)
    peaks = find_peaks(padded, height=decibels.max() - settings.nucleus_range)[0] - 1
    lowest = np.minimum.reduceat(decibels[: peaks[-1] + 1], np.r_[0, peaks[:-1]])
    return peaks, decibels[peaks] - lowest
