"""Loudness as it is heard: integrated, K-weighted and gated, ITU-R BS.1770-4, by pyloudnorm."""

from __future__ import annotations

from functools import lru_cache
from math import isfinite
from typing import TYPE_CHECKING, Any

from earmark.manifests.errors import MissingExtra

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BLOCK = 0.4


def integrated(samples: NDArray[np.float64], rate: int) -> float | None:
    """Integrated loudness of one channel, LUFS.

    Args:
        samples: shape (n,), on a full scale of 1.
        rate: sampling rate, Hz.

    Returns:
        The loudness; None where the samples are shorter than one gating block (400 ms), or all are gated away.

    Raises:
        MissingExtra: pyloudnorm is not installed.
    """
    if len(samples) < _BLOCK * rate:
        return None
    loudness = float(_meter(rate).integrated_loudness(samples))
    return loudness if isfinite(loudness) else None


@lru_cache(maxsize=8)
def _meter(rate: int) -> Any:
    try:
        from pyloudnorm import Meter
    except ImportError as error:
        raise MissingExtra("build", "pyloudnorm") from error
    return Meter(rate, block_size=_BLOCK)
