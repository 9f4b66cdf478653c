"""Adjusted and exact p-values."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from earmark.statistics.statistic import as_values
from earmark.statistics.weights import philox

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike


def holm(p: Sequence[float | None]) -> list[float | None]:
    """Adjust p-values of one family of tests (Holm 1979).

    Args:
        p: Each in [0, 1]; None for a test that could not be made, which stays None and does not count.

    Returns:
        The adjusted p-values, in the order given.

    Raises:
        ValueError: A p is out of range.

    >>> holm([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    made = [(value, place) for place, value in enumerate(p) if value is not None]
    if wrong := [value for value, _ in made if not 0 <= value <= 1]:
        raise ValueError(f"p-values {wrong} are not in [0, 1]")
    adjusted: list[float | None] = [None] * len(p)
    so_far = 0.0
    for rank, (value, place) in enumerate(sorted(made)):
        so_far = max(so_far, min(1.0, value * (len(made) - rank)))
        adjusted[place] = so_far
    return adjusted


def binomial(successes: int, trials: int, chance: float = 0.5) -> float:
    """Exact two-sided binomial p: the chance of a count no likelier than the one seen (`scipy.stats.binomtest`).

    Args:
        successes: In [0, trials].
        trials: At least 1.
        chance: Probability of a success under the null, in [0, 1].

    Raises:
        ValueError: An argument is out of range.
    """
    from scipy.stats import binomtest

    return float(binomtest(successes, trials, chance).pvalue)


def sign_flip(differences: ArrayLike, replicates: int, seed: int) -> float | None:
    """Two-sided permutation p that the differences are symmetric about 0, by flipping the sign of each.

    The statistic is |Σ difference|. Where all 2^C flips are no more than `replicates`, they are enumerated and p is
    exact; else p = (k + 1) / (replicates + 1) with k of the random flips at least as extreme, whose signs are the top
    bits of the raw Philox words of `seed`, C for each replicate.

    Args:
        differences: (C,) finite, one for each independent unit.
        replicates: Number of flips, at least 1.
        seed: In [0, 2⁶⁴).

    Returns:
        p in (0, 1]; None where there are no differences.

    Raises:
        ValueError: An argument is out of range.
    """
    units = as_values(differences, "differences")
    if replicates < 1:
        raise ValueError(f"replicates is {replicates}, less than 1")
    if not units.size:
        return None
    rounding = 1e-12 * np.abs(units).sum()
    least = abs(units.sum()) - rounding
    if units.size < replicates.bit_length():  # 2**C <= replicates
        flips = np.array(list(product((-1.0, 1.0), repeat=units.size)))
        return float(np.mean(np.abs(flips @ units) >= least))
    stream = philox(seed)
    extreme = 0
    block = max(1, 2**18 // units.size)
    for first in range(0, replicates, block):
        rows = min(block, replicates - first)
        up = (stream.random_raw(rows * units.size) >> np.uint64(63)).reshape(rows, units.size)
        extreme += int(np.count_nonzero(np.abs((2.0 * up - 1.0) @ units) >= least))
    return float((extreme + 1) / (replicates + 1))
