"""From one sampling rate to another, and from floats to integers, without a change of level.

Resampling is band limited (soxr, quality "HQ": flat to 0.91 of the lower Nyquist frequency, the rest rejected by
about 120 dB). A filter can overshoot: samples beyond full scale are held at it and counted, never scaled down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from earmark.audio.decode import as_float
from earmark.manifests.errors import MissingExtra

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from earmark.audio.decode import Samples


class Quantised(NamedTuple):
    """Integer samples and how many of them had to be held at full scale.

    Attributes:
        samples: int16 for 16 bits; int32 for 24, with the value in the upper bits.
        clipped: samples that were beyond full scale.
    """

    samples: NDArray[np.int16] | NDArray[np.int32]
    clipped: int


def resample(samples: Samples, rate: int, to: int) -> NDArray[np.float64]:
    """Resample one channel, band limited.

    Args:
        samples: native samples, shape (n,).
        rate: their sampling rate, Hz, > 0.
        to: the rate that is wanted, Hz, > 0.

    Returns:
        Samples at the new rate on a full scale of 1.0, shape (m,) where m is n * to / rate
        to within one sample; float64, may go beyond 1.0.

    Raises:
        ValueError: a rate is not positive.
        MissingExtra: soxr is not installed.
    """
    if rate <= 0 or to <= 0:
        raise ValueError(f"sampling rates are positive, not {rate} and {to}")
    floats = as_float(samples)
    if rate == to:
        return floats
    try:
        import soxr
    except ImportError as error:
        raise MissingExtra("build", "soxr") from error
    resampled: NDArray[np.float64] = soxr.resample(floats, rate, to, quality="HQ")
    return resampled


def quantise(samples: NDArray[np.float64] | NDArray[np.float32], bits: int) -> Quantised:
    """Round floats to integers of 16 or 24 bits, half to even, without dither.

    Args:
        samples: samples on a full scale of 1.0, finite, any shape.
        bits: 16 or 24.

    Raises:
        ValueError: another number of bits.

    >>> quantise(np.array([0.5, 1.0, -1.0]), 16)
    Quantised(samples=array([ 16384,  32767, -32768], dtype=int16), clipped=1)
    """
    if bits not in {16, 24}:
        raise ValueError(f"bits are 16 or 24, not {bits}")
    full = 1 << (bits - 1)
    levels = np.rint(np.multiply(samples, full, dtype=np.float64))
    beyond = int(np.count_nonzero((levels > full - 1) | (levels < -full)))
    if beyond:
        np.clip(levels, -full, full - 1, out=levels)
    if bits == 16:
        return Quantised(levels.astype(np.int16), beyond)
    return Quantised(levels.astype(np.int32) << 8, beyond)
