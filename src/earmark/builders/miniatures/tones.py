"""Speech-like sounds for miniature corpora: no words, but syllables, a pitch, formants, a level, and quiet before and after.

Everything depends on the arguments alone. The figures are made up to be measured (duration, F0, level, syllables per second
come out as they were asked for), not to be taken for a voice.
"""

from __future__ import annotations

import wave
from typing import TYPE_CHECKING

import numpy as np

from earmark.builders.miniatures.dice import Dice

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

FLOOR_DBFS = -78.0
"""Level of the room, dB re a full-scale square wave, as everywhere in `earmark.audio.level`."""

_LEAD, _TAIL = (0.06, 0.10), (0.08, 0.14)  # s of quiet, drawn between these, and never more than a tenth of the whole
_VOWELS = ((730.0, 1090.0, 2440.0), (270.0, 2290.0, 3010.0), (530.0, 1840.0, 2480.0), (440.0, 1020.0, 2240.0))  # Hz
_TOP = 6000.0  # Hz; the highest harmonic lies below
_TABLE = 4096  # points of one period
_BETWEEN = 0.08  # amplitude between two syllables, relative to their peaks


def utterance(
    *,
    seconds: float,
    f0: float,
    rate: int,
    seed: int,
    level_dbfs: float = -26.0,
    syllables_per_second: float = 4.0,
    noise: bool = False,
) -> NDArray[np.float64]:
    """Make one utterance.

    Args:
        seconds: length of the whole, quiet included, s, > 0.
        f0: mean fundamental frequency, Hz, 50 to 1000; it falls by a tenth from the first syllable to the last.
        rate: sampling rate, Hz, >= 8000.
        seed: any integer; other seeds give other samples.
        level_dbfs: RMS between the quiet before and after, dB re a full-scale square wave.
        syllables_per_second: between the quiet before and after, > 0.
        noise: excite with noise instead of pulses, as in whispering; `f0` then says nothing.

    Returns:
        (n,) samples in (-1, 1), n = seconds * rate, rounded.

    Raises:
        ValueError: A figure is out of its range, or the level lets samples reach full scale.

    >>> made = utterance(seconds=0.5, f0=120, rate=16000, seed=1)
    >>> made.shape, bool((made == utterance(seconds=0.5, f0=120, rate=16000, seed=1)).all())
    ((8000,), True)
    """
    n = round(seconds * rate)
    if rate < 8000 or not 50 <= f0 <= 1000 or syllables_per_second <= 0 or n < rate // 20:
        raise ValueError(
            f"{seconds:g} s at {rate} Hz with F0 {f0:g} Hz and {syllables_per_second:g} syllables a second: at least 0.05 s, "
            "8000 Hz, F0 from 50 to 1000 Hz and some syllables are needed"
        )
    dice = Dice(seed, ("utterance",))
    lead, tail = (round(min(dice.between(*span, name) * rate, n / 10)) for span, name in ((_LEAD, 0), (_TAIL, 1)))
    spoken = n - lead - tail
    syllable, within = np.divmod(np.arange(spoken) * max(1, round(spoken / rate * syllables_per_second)) / spoken, 1.0)
    index = syllable.astype(np.int64)
    envelope = _envelope(dice, index, within)
    source = _whispered(dice, spoken, rate) if noise else _voiced(dice, index, f0, rate)
    voice = source * envelope
    voice *= 10 ** (level_dbfs / 20) / np.sqrt(np.mean(voice**2))
    made = _white(dice, n, "room") * 10 ** (FLOOR_DBFS / 20)
    made[lead : lead + spoken] += voice
    if np.abs(made).max() >= 1:
        raise ValueError(f"at {level_dbfs:g} dBFS samples reach full scale")
    return made


def write_wav(path: Path, samples: NDArray[np.float64], rate: int, bits: int) -> None:
    """Write a WAV file that names no writer and no time.

    Args:
        path: the file; its folder exists.
        samples: (n,) for one channel or (n, channels); what lies outside -1 to 1 is clipped.
        rate: sampling rate, Hz.
        bits: 16 or 24, as integers.

    Raises:
        ValueError: There is no such number of bits.
    """
    if bits not in {16, 24}:
        raise ValueError(f"{bits} bits; 16 or 24 can be written")
    full = 1 << (bits - 1)
    steps = np.clip(np.rint(samples * full), -full, full - 1).astype("<i4")
    with path.open("wb") as target, wave.Wave_write(target) as file:
        file.setnchannels(1 if samples.ndim == 1 else samples.shape[1])
        file.setsampwidth(bits // 8)
        file.setframerate(rate)
        file.writeframes(np.ascontiguousarray(steps).view(np.uint8).reshape(-1, 4)[:, : bits // 8].tobytes())


def _envelope(dice: Dice, index: NDArray[np.int64], within: NDArray[np.float64]) -> NDArray[np.float64]:
    stress = np.array([dice.between(0.6, 1.0, "stress", n) for n in range(int(index[-1]) + 1)])
    return stress[index] * (_BETWEEN + (1 - _BETWEEN) * np.sin(np.pi * within) ** 2)


def _voiced(dice: Dice, index: NDArray[np.int64], f0: float, rate: int) -> NDArray[np.float64]:
    """Pulses through formants, a vowel for each syllable, read from one period of each."""
    harmonics = np.arange(1, int(min(_TOP, 0.45 * rate) // f0) + 1)
    angles = 2 * np.pi * np.outer(np.arange(_TABLE) / _TABLE, harmonics)
    start = np.array([2 * np.pi * dice.unit("phase", int(k)) for k in harmonics])
    waves = np.sin(angles + start)
    heights = harmonics.astype(np.float64) * f0
    periods = np.stack([waves @ (_gain(heights, vowel) / harmonics) for vowel in _VOWELS])
    periods /= np.sqrt(np.mean(periods**2, axis=1, keepdims=True))
    contour = f0 * np.linspace(1.05, 0.95, len(index))
    phase = dice.unit("start") + np.cumsum(contour) / rate
    vowel = np.array([dice.whole(0, len(_VOWELS) - 1, "vowel", n) for n in range(int(index[-1]) + 1)])
    made: NDArray[np.float64] = periods[vowel[index], (phase % 1.0 * _TABLE).astype(np.int64) % _TABLE]
    return made


def _whispered(dice: Dice, n: int, rate: int) -> NDArray[np.float64]:
    """Noise through the formants of all vowels at once."""
    frequencies = np.arange(n // 2 + 1).astype(np.float64) * rate / n
    gain = np.sum([_gain(frequencies, vowel) for vowel in _VOWELS], axis=0) * (frequencies < 0.45 * rate)
    made: NDArray[np.float64] = np.fft.irfft(np.fft.rfft(_white(dice, n, "breath")) * gain, n)
    return made


def _gain(frequencies: NDArray[np.float64], formants: tuple[float, ...]) -> NDArray[np.float64]:
    """Amplitude at some frequencies, of resonances a twelfth as wide as they are high, each weaker than the one below."""
    gain = np.full(frequencies.shape, 0.02)
    for order, formant in enumerate(formants):
        gain += 0.5**order / (1 + ((frequencies - formant) / (formant / 12 + 40)) ** 2)
    return gain


def _white(dice: Dice, n: int, name: str) -> NDArray[np.float64]:
    """Uniform white noise with an RMS of 1."""
    steps = np.frombuffer(dice.noise(2 * n, name), "<u2").astype(np.float64)
    made: NDArray[np.float64] = ((steps + 0.5) / 32768 - 1) * np.sqrt(3.0)
    return made
