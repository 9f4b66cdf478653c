"""Exact one-sided upper limits of how often something happens, from a sample in which it was counted.

*Finite population*: units were looked at, drawn without replacement, so many of each stratum, and k failed. The limit is the
largest number K of failing units in the whole population for which so few as k in the sample would not have been surprising,
P(X ≤ k) > 1 - level, X being a sum of hypergeometric counts (Wright 1991). K is spread over strata in proportion to their sizes:
where they are of one size and as many were drawn of each, no other spread makes so few more likely. It is the one for a
population that is there, such as the dialogues of a release.

*No end of units*: the same under the binomial (Clopper and Pearson 1934), for what the same process would go on to make.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from earmark.statistics.statistic import Floats, Ints


def failing_at_most(failed: int, drawn: Sequence[int], population: Sequence[int], level: float = 0.95) -> int:
    """The upper limit of the number of failing units in a finite population, those that were found included.

    Args:
        failed: Units of the sample that failed, in [0, sum of drawn].
        drawn: Units of the sample by stratum; 1 or more in all.
        population: Units by stratum, each at least as many as were drawn of it.
        level: Coverage aimed at, in (0, 1).

    Returns:
        In [failed, failed + units that were not drawn].

    Raises:
        ValueError: An argument is out of range.

    >>> failing_at_most(0, [75], [2265]), failing_at_most(0, [5] * 15, [151] * 15), failing_at_most(0, [10], [10])
    (87, 87, 0)
    """
    _check(failed, sum(drawn), level)
    if len(drawn) != len(population) or any(n > whole or n < 0 for n, whole in zip(drawn, population, strict=True)):
        raise ValueError(f"{list(drawn)} units were drawn of {list(population)}")
    # Which stratum each further failing unit is of: one more never takes one away from another stratum.
    strata = np.repeat(np.arange(len(population)), population)
    place = np.concatenate([(np.arange(whole) + 0.5) / whole for whole in population])
    order = strata[np.lexsort((strata, place))]
    low, high = failed, sum(population) - sum(drawn) + failed
    while low < high:  # P(X ≤ failed) falls as more units fail
        middle = (low + high + 1) // 2
        failing = np.bincount(order[:middle], minlength=len(population))
        if _so_few(failed, drawn, population, failing) > 1 - level:
            low = middle
        else:
            high = middle - 1
    return low


def rate_at_most(failed: int, drawn: int, level: float = 0.95) -> float:
    """The upper limit of the rate of failure of a process, by Clopper and Pearson.

    Args:
        failed: Units of the sample that failed, in [0, drawn].
        drawn: Units of the sample, at least 1.
        level: Coverage aimed at, in (0, 1); the limit has at least that.

    Raises:
        ValueError: An argument is out of range.

    >>> round(rate_at_most(0, 75), 4)
    0.0392
    """
    _check(failed, drawn, level)
    if failed == drawn:
        return 1.0
    from scipy.special import betaincinv

    return float(betaincinv(failed + 1, drawn - failed, level))


def _so_few(failed: int, drawn: Sequence[int], population: Sequence[int], failing: Ints) -> float:
    """Chance that no more than so many units of the sample fail, given how many fail in each stratum."""
    from scipy.stats import hypergeom

    counts = np.arange(failed + 1)
    chances: Floats = (counts == 0).astype(np.float64)
    for n, whole, bad in zip(drawn, population, failing.tolist(), strict=True):
        chances = np.convolve(chances, hypergeom.pmf(counts, whole, bad, n))[: failed + 1]
    return float(chances.sum())


def _check(failed: int, drawn: int, level: float) -> None:
    if not (drawn >= 1 and 0 <= failed <= drawn):
        raise ValueError(f"{failed} of {drawn} units failed; it must be 0 to all of 1 or more")
    if not 0 < level < 1:
        raise ValueError(f"level is {level}, not in (0, 1)")
