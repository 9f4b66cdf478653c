"""A constant offset (DC) of the samples: what it is, and the samples without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SMALL = 1e-3
_ROUNDING = 1e-12


def without_offset(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    """Take the mean of the samples that are not zero from them; zeros, digital silence, stay zeros.

    An offset below a thousandth of the RMS (60 dB down) moves no measure and is left, so that most clips come back as they are.

    Args:
        samples: shape (n,), n >= 1, finite.

    Returns:
        The same array, or a new one; shape (n,).

    >>> without_offset(np.array([0.0, 0.5, 0.25, 0.0])).tolist()
    [0.0, 0.125, -0.125, 0.0]
    """
    sounding = int(np.count_nonzero(samples))
    if not sounding:
        return samples
    offset = float(samples.sum()) / sounding
    if abs(offset) <= _SMALL * float(np.sqrt(np.einsum("i,i->", samples, samples) / sounding)):
        return samples
    moved = np.where(samples == 0, 0.0, samples - offset)
    moved[np.abs(moved) <= _ROUNDING * abs(offset)] = 0.0  # what rounding leaves of a constant is no sound
    return moved
