"""One short-time Fourier transform, and what is read from it: spectral centroid, MFCC and bandwidth.

Conventions are librosa's (centred frames, zeros beyond the ends, periodic Hann window, Slaney's mel scale and area
normalisation, orthonormal DCT-II), so that its functions are the oracle. The transform is of single precision.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from earmark.audio.acoustics.settings import Settings

_FRAMES = 256  # transformed at a time: they stay in the processor's cache, and an hour of audio needs no more memory
_TINY = 1e-30


class Shape(NamedTuple):
    """What the transform's sizes are at a rate: window, FFT and hop, samples."""

    window: int
    fft: int
    hop: int


class Spectrum(NamedTuple):
    """What the spectra of some samples come to.

    Attributes:
        centroid: mean centroid of the sounding frames, Hz.
        mfcc: mean of each coefficient over the sounding frames, c0 first.
        bandwidth: upper edge of what there is, Hz; 0 where no bin is filled.
    """

    centroid: float
    mfcc: tuple[float, ...]
    bandwidth: float


def shape(rate: int, settings: Settings) -> Shape:
    """Sizes of the transform.

    >>> from earmark.audio.acoustics.settings import DEFAULTS
    >>> shape(24_000, DEFAULTS)
    Shape(window=600, fft=1024, hop=240)
    """
    window = max(2, round(settings.frame * rate))
    return Shape(window, 1 << (window - 1).bit_length(), max(1, round(settings.hop * rate)))


def analyse(samples: NDArray[np.float64], rate: int, settings: Settings) -> Spectrum | None:
    """Transform samples once and read everything from it.

    Args:
        samples: shape (n,), n >= 1.
        rate: sampling rate, Hz.
        settings: `frame`, `hop`, `mels`, `mel_top`, `mfccs`, `mel_range`, `sounding_range`, `bandwidth_depth`, `bandwidth_share`.

    Returns:
        The figures; None of digital silence.
    """
    form = shape(rate, settings)
    frequencies = np.arange(form.fft // 2 + 1, dtype=np.float32) * np.float32(rate / form.fft)
    bank = mel_bank(rate, form.fft, settings.mels, min(settings.mel_top, rate / 2))
    powers, centroids, bands = [], [], []
    # Scaled to a peak of 1: single precision would lose what is very quiet.
    peak = float(np.abs(samples).max())
    if not peak > 0:
        return None
    # A sine of magnitude 1 has half the window's sum in its bin, and the sum of a Hann window is half its length.
    least = np.float32((form.window / 4) ** 2 * 10 ** (-settings.bandwidth_depth / 10))
    filled = np.zeros(len(frequencies), dtype=np.intp)
    for magnitudes in _magnitudes(samples / peak, form):
        sums = magnitudes.sum(axis=1, dtype=np.float64)
        centroids.append(np.einsum("ij,j->i", magnitudes, frequencies) / np.maximum(sums, _TINY))
        squares = np.square(magnitudes, out=magnitudes)
        powers.append(squares.sum(axis=1, dtype=np.float64))
        filled += np.count_nonzero(squares > least, axis=0)
        bands.append(np.asarray(bank @ squares.T, dtype=np.float64))
    power = np.concatenate(powers)
    sounding = power > power.max() * 10 ** (-settings.sounding_range / 10)
    mels = 10 * np.log10(np.maximum(np.concatenate(bands, axis=1), _TINY))
    mels = np.maximum(mels, mels.max() - settings.mel_range)
    mean = mels[:, sounding].mean(axis=1) + 20 * np.log10(peak)
    return Spectrum(
        centroid=float(np.concatenate(centroids)[sounding].mean()),
        mfcc=cepstrum(mean, settings.mfccs),
        bandwidth=_bandwidth(filled, len(power), rate, form, settings),
    )


def cepstrum(decibels: NDArray[np.float64], keep: int) -> tuple[float, ...]:
    """The first coefficients of the orthonormal DCT-II of mel levels (dB); of a mean, the mean of the coefficients."""
    from scipy.fft import dct

    return tuple(float(value) for value in dct(decibels, type=2, norm="ortho")[:keep])


@lru_cache(maxsize=16)
def mel_bank(rate: int, fft: int, mels: int, top: float) -> csr_array:
    """Triangular filters on Slaney's mel scale from 0 to `top` Hz, each of the area 2 / its width in Hz.

    Returns:
        Weights of power spectra, shape (mels, fft // 2 + 1), float32.
    """
    from scipy.sparse import csr_array

    edges = _hertz(np.linspace(0.0, _mel(top), mels + 2))
    bins = np.arange(fft // 2 + 1) * (rate / fft)
    rise = (bins - edges[:-2, None]) / np.diff(edges)[:-1, None]
    fall = (edges[2:, None] - bins) / np.diff(edges)[1:, None]
    weights = np.maximum(0.0, np.minimum(rise, fall)) * (2.0 / (edges[2:] - edges[:-2]))[:, None]
    return csr_array(weights.astype(np.float32))


def _magnitudes(samples: NDArray[np.float64], form: Shape) -> Iterator[NDArray[np.float32]]:
    """Magnitude spectra, some frames at a time, shape (frames, fft // 2 + 1) each."""
    from scipy.fft import rfft
    from scipy.signal.windows import hann

    # Frame t is centred on sample t * hop. Only the window's own samples are gathered; the FFT's zeros come behind
    # them and not on both sides, which turns phases and no magnitude.
    before = form.fft // 2 - (form.fft - form.window) // 2
    padded = np.zeros(len(samples) + form.fft, dtype=np.float32)
    padded[before : before + len(samples)] = samples
    count = 1 + len(samples) // form.hop
    frames = np.lib.stride_tricks.sliding_window_view(padded, form.window)[:: form.hop][:count]
    window = hann(form.window, sym=False).astype(np.float32)
    for at in range(0, count, _FRAMES):
        yield np.abs(cast("NDArray[np.complex64]", rfft(frames[at : at + _FRAMES] * window, n=form.fft, axis=1)))


def _bandwidth(filled: NDArray[np.intp], frames: int, rate: int, form: Shape, settings: Settings) -> float:
    """Upper edge of the highest bin that is filled in enough frames, at most half the rate.

    A click, or samples that break off, have a spectrum of their own up to the top, in each frame that they reach.
    """
    reached = -(-form.window // form.hop)
    bins = np.flatnonzero(filled > max(settings.bandwidth_share * frames, min(reached, frames - 1)))
    return float(min((bins[-1] + 0.5) * rate / form.fft, rate / 2)) if len(bins) else 0.0


# Slaney's scale: linear below 1 kHz (200/3 Hz a mel), logarithmic above, 27 mels to the factor 6.4.
_LINEAR = 200.0 / 3
_KNEE = 1000.0
_LOG = np.log(6.4) / 27


def _mel(hertz: float) -> float:
    if hertz < _KNEE:
        return hertz / _LINEAR
    return _KNEE / _LINEAR + float(np.log(hertz / _KNEE)) / float(_LOG)


def _hertz(mels: NDArray[np.float64]) -> NDArray[np.float64]:
    knee = _KNEE / _LINEAR
    return np.where(mels < knee, mels * _LINEAR, _KNEE * np.exp(_LOG * (np.maximum(mels, knee) - knee)))
