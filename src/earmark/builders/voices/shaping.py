"""What the engine cannot do of a delivery, done on its samples: breath, tilt, tremor, emphasis, pauses and the exact level.

All but the level keep the energy of the speech, so that the level moves by what was asked for and by nothing else. Everything is
drawn by name from a seed; the same speech, delivery and seed give the same samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import pi
from typing import TYPE_CHECKING

import numpy as np

from earmark.builders.voices.pauses import clause_starts, paused, pauses_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from earmark.builders.miniatures.dice import Dice
    from earmark.builders.voices.delivery import Delivery
    from earmark.builders.voices.espeak import Speech, SpokenWord

VERSION = "shaping/1"
"""Another name whenever the same speech and delivery would give other samples."""

PEAK_DBFS = -1.5
"""Where a clip's highest peak is at most; what would be higher is turned down as a whole, so that nothing is clipped."""

MARGIN = 0.05
"""Silence before the first and after the last sound, s."""

_SOUND = 0.003  # of the greatest magnitude: 50 dB below it
_HINGE = 500.0  # Hz: the tilt turns round it
_TOP = 8000.0  # Hz: beyond, the tilt goes no further
_ASPIRATION = (1200.0, 5000.0)  # Hz: breath is noise between these
_BREATH = 0.4  # noise of a full breath, relative to the amplitude of the voice without
_SOFTER = -1.5  # dB per octave: what a full breath takes from the voice itself, whose folds close less
_BLOCK = 4096
_STRESS_DB = 5.0
_RAMP = 0.02
_WOBBLE = 0.035  # greatest share by which a full tremor moves the pitch
_SHAKE = 0.4  # greatest share by which it moves the amplitude


def shape(speech: Speech, text: str, delivery: Delivery, *, gain: float, dice: Dice) -> NDArray[np.int16] | None:
    """Speech as it is delivered.

    Args:
        speech: What the engine said.
        text: The text that it said.
        delivery: How; the engine has followed rate, pitch, range, gap and contour already.
        gain: dB that bring the voice to its ordinary level.
        dice: Draws the breath and the halts.

    Returns:
        16-bit samples, with a margin of silence; None where nothing sounds.
    """
    samples, rate = speech.samples / 32768.0, speech.rate
    if not samples.any():
        return None
    energy = _energy(samples)
    samples = emphasised(samples, rate, text, speech.words, delivery.emphasis)
    pauses = pauses_of(
        text, speech.words, at_stops=delivery.pause, hesitation=delivery.hesitation, dice=dice.within("pauses")
    )
    samples = paused(samples, rate, list(pauses))
    samples = coloured(samples, rate, tilt=delivery.tilt, breath=delivery.breath, dice=dice.within("breath"))
    samples = trembling(samples, rate, delivery.tremor, dice.within("tremor"))
    samples = trimmed(samples, rate) * np.sqrt(energy / max(1e-12, _energy(samples)))
    samples *= 10 ** ((gain + delivery.level) / 20)
    samples *= min(1.0, 10 ** (PEAK_DBFS / 20) / float(np.abs(samples).max()))
    shaped: NDArray[np.int16] = np.rint(samples * 32767).astype(np.int16)
    return shaped


def emphasised(
    samples: NDArray[np.float64], rate: int, text: str, words: Sequence[SpokenWord], emphasis: float
) -> NDArray[np.float64]:
    """Speech in which the longest word of each clause stands out.

    Args:
        samples: shape (n,).
        rate: Hz.
        text: What is said; its punctuation parts the clauses.
        words: Where each word begins, and how long it is.
        emphasis: 0 (none) to 1 (5 dB).
    """
    if not emphasis or not words:
        return samples
    raised = np.zeros(len(samples))
    starts = [0, *clause_starts(text, words), len(words)]
    for first, last in pairwise(starts):
        place = max(range(first, last), key=lambda place: words[place].length)
        end = words[place + 1].sample if place + 1 < len(words) else len(samples)
        raised[words[place].sample : end] = _STRESS_DB * emphasis
    return samples * 10 ** (_smoothed(raised, round(_RAMP * rate)) / 20)


def coloured(samples: NDArray[np.float64], rate: int, *, tilt: float, breath: float, dice: Dice) -> NDArray[np.float64]:
    """Speech with its spectrum tilted, and with noise between 1.2 and 5 kHz that rises and falls with it.

    Args:
        samples: shape (n,), not all 0.
        rate: Hz.
        tilt: dB per octave above 500 Hz.
        breath: 0 (none) to 1 (about as much breath as voice).
        dice: Draws the noise.
    """
    if not tilt and not breath:
        return samples
    size = -(-len(samples) // _BLOCK) * _BLOCK  # of small factors, so that the transform is fast
    frequencies = np.fft.rfftfreq(size, 1 / rate)
    octaves = np.log2(np.clip(frequencies, _HINGE, _TOP) / _HINGE)
    spectrum = np.fft.rfft(samples, size) * 10 ** ((tilt + breath * _SOFTER) * octaves / 20)
    if breath:
        low, high = _ASPIRATION
        band = frequencies**2 / (frequencies**2 + low**2) / (1 + (frequencies / high) ** 4)
        drawn = np.frombuffer(dice.noise(2 * size), dtype="<i2") / 32768.0
        noise = np.fft.irfft(np.fft.rfft(drawn) * band, size)[: len(samples)]
        noise *= _smoothed(np.abs(samples), round(0.015 * rate))
        noise *= breath * _BREATH * np.sqrt(_energy(samples) / max(1e-12, _energy(noise)))
        voice = np.fft.irfft(spectrum, size)[: len(samples)]
        return (1 - 0.4 * breath) * voice + noise
    return np.fft.irfft(spectrum, size)[: len(samples)]


def trembling(samples: NDArray[np.float64], rate: int, tremor: float, dice: Dice) -> NDArray[np.float64]:
    """Speech whose pitch and level waver.

    Args:
        samples: shape (n,).
        rate: Hz.
        tremor: 0 (none) to 1 (full).
        dice: Draws how fast, 5 to 6.2 Hz, and where in its swing it begins.
    """
    if not tremor:
        return samples
    turning = 2 * pi * dice.between(5.0, 6.2, "rate") / rate
    phase = dice.between(0, 2 * pi, "phase")
    at = np.arange(len(samples), dtype=np.float64)
    wave = np.sin(turning * at + phase)
    return _between(samples, at + tremor * _WOBBLE / turning * wave) * (1 - tremor * _SHAKE * (0.5 + 0.5 * wave))


def trimmed(samples: NDArray[np.float64], rate: int) -> NDArray[np.float64]:
    """Speech from its first sound to its last, with `MARGIN` seconds of silence on both sides.

    Args:
        samples: shape (n,), not all 0.
        rate: Hz.
    """
    envelope = np.abs(samples)
    sounding = np.flatnonzero(envelope > _SOUND * envelope.max())
    return np.pad(samples[sounding[0] : sounding[-1] + 1], round(MARGIN * rate))


def _between(samples: NDArray[np.float64], at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values between samples, on cubics through four of them (Catmull and Rom)."""
    padded = np.pad(samples, 2)
    whole = np.clip(np.floor(at), 0, len(samples) - 1).astype(np.intp)
    part = np.clip(at - whole, 0.0, 1.0)
    a, b, c, d = (padded[whole + shift] for shift in (1, 2, 3, 4))
    return b + 0.5 * part * (c - a + part * (2 * a - 5 * b + 4 * c - d + part * (3 * (b - c) + d - a)))


def _smoothed(values: NDArray[np.float64], width: int) -> NDArray[np.float64]:
    """Running mean over an odd number of values near a width; 0 stands beyond the ends."""
    half = max(1, width // 2)
    sums = np.concatenate(([0.0], np.cumsum(np.pad(values, half))))
    width = 2 * half + 1
    return np.maximum((sums[width:] - sums[:-width]) / width, 0.0)


def _energy(values: NDArray[np.float64]) -> float:
    return float(np.square(values).sum())  # BLAS would wake a thread for every core
