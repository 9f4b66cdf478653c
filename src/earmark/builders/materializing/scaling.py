"""The factor that integer samples were multiplied by, read off the steps that they leave out.

Samples that were multiplied by g > 1 and rounded take only the values round(g k). Quiet samples of real recordings take every
whole k, so the n-th smallest magnitude is round(g n): that bounds g, and each larger one bounds it more narrowly, until the
samples before are known to the last bit. Who guessed wrong sees it at the hash.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LEAST_STEPS = 8
"""Magnitudes in a row that make a guess."""

_MOST_ROUNDS = 20

_SLACK = 1e-3
"""How far off a product may be before it is rounded: single precision is by so much, and a half may go either way."""


class Scaling(NamedTuple):
    """What samples were multiplied by, and what they were.

    Attributes:
        factor: what each was multiplied by.
        samples: what they were, whole numbers.
    """

    factor: float
    samples: NDArray[np.int64]


def scaling(samples: NDArray[np.int64], *, truncated: bool) -> Scaling | None:
    """Find the factor; None where the samples leave out no step, or too few are there to tell.

    Args:
        samples: shape (n,), whole numbers, each in steps of 1.
        truncated: whether the products were cut off toward 0, not rounded.

    >>> was = np.array([0, *range(1, 400), -5, 3000])
    >>> scaling(np.rint(was * 1.37).astype(np.int64), truncated=False).samples.tolist() == was.tolist()
    True
    """
    levels = np.unique(np.abs(samples))
    levels = levels[levels > 0]
    if len(levels) < _LEAST_STEPS:
        return None
    below, above = (-_SLACK, 1.0 + _SLACK) if truncated else (-0.5 - _SLACK, 0.5 + _SLACK)
    steps = np.arange(1, len(levels) + 1)
    low = np.maximum.accumulate((levels + below) / steps)
    high = np.minimum.accumulate((levels + above) / steps)
    fits = int(np.argmax(low >= high)) if (low >= high).any() else len(levels)
    if fits < _LEAST_STEPS:
        return None
    bounds = (float(low[fits - 1]), float(high[fits - 1]))
    for _ in range(_MOST_ROUNDS):
        narrower = _narrowed(levels, below, above, bounds)
        if narrower is None or narrower == bounds:
            break
        bounds = narrower
    if narrower is None or bounds[0] <= 1.0 <= bounds[1]:
        return None
    factor = sum(bounds) / 2
    numbers = np.rint((np.abs(samples) + (below + above) / 2) / factor)
    return Scaling(factor, (np.sign(samples) * numbers).astype(np.int64))


def _narrowed(
    levels: NDArray[np.int64], below: float, above: float, bounds: tuple[float, float]
) -> tuple[float, float] | None:
    """Bounds of the factor by all magnitudes whose number is known within the bounds so far; None if one can have none."""
    least, most = bounds
    # A magnitude m is round(g k) of each whole k in between.
    first, last = np.ceil((levels + below) / most), np.floor((levels + above) / least)
    if (first > last).any():
        return None
    known = (first == last) & (first > 0)
    low = ((levels[known] + below) / first[known]).max(initial=least)
    high = ((levels[known] + above) / first[known]).min(initial=most)
    return (float(low), float(high)) if low < high else None
