"""Exact one-sided upper limits of how often something happens, from a sample in which it was counted.

*Finite population*: of N units n were looked at, drawn without replacement, and k failed. The limit is the largest number K of
failing units in all N for which so few as k in the sample would not have been surprising, P(X ≤ k) > 1 - level under the
hypergeometric distribution (Wright 1991). It is the one for a population that is there, such as the dialogues of a release.

*No end of units*: the same under the binomial (Clopper and Pearson 1934), for what the same process would go on to make.
"""

from __future__ import annotations


def failing_at_most(failed: int, drawn: int, population: int, level: float = 0.95) -> int:
    """The upper limit of the number of failing units in a finite population, those that were found included.

    Args:
        failed: Units of the sample that failed, in [0, drawn].
        drawn: Units of the sample, in [1, population].
        population: Number of units.
        level: Coverage aimed at, in (0, 1); the limit has at least that.

    Returns:
        In [failed, population - drawn + failed].

    Raises:
        ValueError: An argument is out of range.

    >>> failing_at_most(0, 75, 2265), failing_at_most(0, 10, 10)
    (87, 0)
    """
    _check(failed, drawn, level)
    if drawn > population:
        raise ValueError(f"{drawn} units were drawn of {population}")
    from scipy.stats import hypergeom

    low, high = failed, population - drawn + failed
    while low < high:  # P(X ≤ failed) falls as more units fail
        middle = (low + high + 1) // 2
        if hypergeom.cdf(failed, population, middle, drawn) > 1 - level:
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


def _check(failed: int, drawn: int, level: float) -> None:
    if not (drawn >= 1 and 0 <= failed <= drawn):
        raise ValueError(f"{failed} of {drawn} units failed; it must be 0 to all of 1 or more")
    if not 0 < level < 1:
        raise ValueError(f"level is {level}, not in (0, 1)")
