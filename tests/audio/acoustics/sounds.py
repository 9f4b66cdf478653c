"""Sounds whose measures are known because they were made so."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, lfilter, sosfiltfilt

Floats = NDArray[np.float64]

_FORMANTS = ((700.0, 90.0), (1200.0, 110.0), (2600.0, 160.0))


def tone(rate: int, hertz: float, seconds: float = 1.0, level: float = 0.0) -> Floats:
    """A sine whose peak is `level` dBFS."""
    return np.sin(2 * np.pi * hertz * np.arange(round(seconds * rate)) / rate) * 10 ** (level / 20)


def noise(rate: int, seconds: float, level: float, seed: int = 0) -> Floats:
    """White noise whose RMS is `level` dBFS."""
    return np.random.default_rng(seed).standard_normal(round(seconds * rate)) * 10 ** (level / 20)


def low_passed(rate: int, hertz: float, seconds: float = 1.0) -> Floats:
    """White noise with nothing above `hertz`."""
    filtered: Floats = sosfiltfilt(butter(12, hertz, fs=rate, output="sos"), noise(rate, seconds, -20.0))
    return filtered


def silence(rate: int, seconds: float) -> Floats:
    return np.zeros(round(seconds * rate))


def vowels(rate: int, *, f0: float = 120.0, syllables: int = 6, pace: float = 4.0) -> Floats:
    """Syllables of a buzz with formants, `pace` a second, each rising and falling; F0 falls by a fifth over all of them."""
    times = np.arange(round(syllables / pace * rate)) / rate
    phase = np.cumsum(f0 * (1 - 0.2 * times / times[-1])) / rate
    buzz = np.diff(np.floor(phase), prepend=0.0) + 0.02 * np.random.default_rng(1).standard_normal(len(times))
    for hertz, width in _FORMANTS:
        radius = np.exp(-np.pi * width / rate)
        buzz = lfilter([1 - radius], [1.0, -2 * radius * np.cos(2 * np.pi * hertz / rate), radius**2], buzz)
    envelope = np.sin(np.pi * pace * times) ** 2 + 0.003
    spoken: Floats = buzz * envelope
    return spoken * 0.5 / np.abs(spoken).max()


def clip(rate: int, *, lead: float = 0.3, trail: float = 0.6, f0: float = 120.0, syllables: int = 6) -> Floats:
    """Vowels between digital silences."""
    return np.concatenate([silence(rate, lead), vowels(rate, f0=f0, syllables=syllables), silence(rate, trail)])
