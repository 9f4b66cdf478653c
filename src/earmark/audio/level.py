"""How loud samples are, each figure with its definition.

Levels are in dBFS where 0 dBFS is the level of a full-scale square wave, so that a full-scale sine is at -3.01 dBFS
(not AES17, which puts that sine at 0). Nothing is weighted or gated: for loudness as it is heard, use LUFS.
"""

from __future__ import annotations

from math import log10
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from earmark.audio.decode import as_float

if TYPE_CHECKING:
    from earmark.audio.decode import Samples

SILENCE_PEAK = 2.0**-15
"""A channel whose samples never exceed this (one step of 16 bits, -90.3 dBFS) is fully silent: dither gets no further."""


class Level(NamedTuple):
    """Levels of some samples.

    Attributes:
        rms_dbfs: 20 log10 of the root mean square on a full scale of 1, dBFS, <= 0 for integers; None where all samples
            are 0.
        peak_dbfs: 20 log10 of the greatest magnitude, dBFS; None where all samples are 0. Sample peak, not true peak.
        clipped: fraction of samples at full scale or beyond, 0 to 1.
        silent: whether no magnitude exceeds `SILENCE_PEAK`.
    """

    rms_dbfs: float | None
    peak_dbfs: float | None
    clipped: float
    silent: bool


def measure(samples: Samples) -> Level:
    """Measure native samples.

    Args:
        samples: any shape, at least one sample, finite.

    Raises:
        ValueError: there is no sample.

    >>> level = measure(np.array([16384, -16384], dtype=np.int16))
    >>> round(level.rms_dbfs, 2), round(level.peak_dbfs, 2), level.clipped, level.silent
    (-6.02, -6.02, 0.0, False)
    """
    if not samples.size:
        raise ValueError("no sample has no level")
    floats = as_float(samples)
    peak = float(np.abs(floats).max())
    # The last step of 24 bits stands for full scale in int32, which holds 24-bit samples left-justified.
    full = 1.0 - {"int16": 2.0**-15, "int32": 2.0**-23}.get(samples.dtype.name, 0.0)
    return Level(
        rms_dbfs=_dbfs(float(np.sqrt(np.mean(np.square(floats))))),
        peak_dbfs=_dbfs(peak),
        clipped=float(np.count_nonzero((floats >= full) | (floats <= -1.0))) / samples.size,
        silent=peak <= SILENCE_PEAK,
    )


def is_silent(samples: Samples) -> bool:
    """Whether the samples are fully silent: no magnitude exceeds `SILENCE_PEAK` (one step of 16 bits). No sample is silence.

    >>> is_silent(np.array([0, 1, -1], dtype=np.int16)), is_silent(np.array([0, 2], dtype=np.int16))
    (True, False)
    """
    if not samples.size:
        return True
    step = SILENCE_PEAK * (1.0 if samples.dtype.kind == "f" else 1 << (8 * samples.dtype.itemsize - 1))
    return -step <= float(samples.min()) and float(samples.max()) <= step


def _dbfs(magnitude: float) -> float | None:
    return 20 * log10(magnitude) if magnitude > 0 else None
