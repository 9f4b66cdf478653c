"""A constant offset (DC) of the samples: what it is, and the samples without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SMALL = 1e-3
_ROUNDING = 1e-12
_RUN = 32  # zeros in a row are digital silence; fewer are a wave that crosses zero


def without_offset(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    """Take the mean of the samples from them, but neither count nor move digital silence (32 zeros in a row, or more).

    An offset below a thousandth of the RMS (60 dB down) moves no measure and is left, so that most clips come back as they are.

    Args:
        samples: shape (n,), n >= 1, finite.

    Returns:
        The same array, or a new one; shape (n,).

    >>> without_offset(np.array([0.0, 0.5, 0.25])).tolist()
    [-0.25, 0.25, 0.0]
    """
    nonzero = int(np.count_nonzero(samples))
    if not nonzero:
        return samples
    level = float(np.sqrt(np.einsum("i,i->", samples, samples) / nonzero))
    if abs(float(samples.sum())) / nonzero <= _SMALL * level:
        return samples
    sounding = ~_silent(samples)
    offset = float(samples[sounding].mean())
    moved = np.where(sounding, samples - offset, 0.0)
    moved[np.abs(moved) <= _ROUNDING * abs(offset)] = 0.0  # what rounding leaves of a constant is no sound
    return moved


def _silent(samples: NDArray[np.float64]) -> NDArray[np.bool_]:
    zeros = np.concatenate([[False], samples == 0, [False]])
    edges = np.flatnonzero(zeros[1:] != zeros[:-1])
    starts, ends = edges[::2], edges[1::2]
    long = ends - starts >= _RUN
    marks = np.zeros(len(samples) + 1, dtype=np.intp)
    marks[starts[long]] += 1
    marks[ends[long]] -= 1
    return np.cumsum(marks[:-1]) > 0
