"""Few ranks: Spearman's coefficient with an exact p, and Kendall's coefficient of concordance.

Equal values share their average rank in both. Ranks are doubled and centred, so that all sums are whole numbers and what is level
is level exactly.
"""

from __future__ import annotations

from math import factorial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from earmark.statistics.agreement import Ranked, spearman
from earmark.statistics.statistic import as_values

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from earmark.statistics.statistic import Floats, Ints

MOST_EXACT = 9
"""Most rows whose orderings are all counted."""


class RankCorrelation(NamedTuple):
    """Spearman's coefficient of a few rows.

    Attributes:
        value: In [-1, 1]; None where undefined.
        p: Two-sided, over all orderings of one column; None where undefined or where there are more than `MOST_EXACT` rows.
        p_t: Two-sided, by Student's t with n - 2 degrees of freedom, which is what papers print; None where undefined or n < 3.
        reason: Why there is no coefficient; None where there is one.
    """

    value: float | None
    p: float | None
    p_t: float | None
    reason: str | None


class Concordance(NamedTuple):
    """How far raters rank items alike.

    Attributes:
        value: Kendall's W in [0, 1]; None where undefined.
        p: That it is not chance, by chi-square with items - 1 degrees of freedom; None where undefined.
        reason: Why it is undefined; None where it is not.
    """

    value: float | None
    p: float | None
    reason: str | None


def rank_correlation(first: ArrayLike, second: ArrayLike) -> RankCorrelation:
    """Spearman's coefficient of two columns, and its p.

    The exact p is the share of the n! orderings of one column whose coefficient is at least as far from 0. Equal values count as
    rows of their own, so that ties in the data make orderings alike and p coarser, never anything less than exact.

    Args:
        first: (n,) finite numbers.
        second: (n,) finite numbers.

    Raises:
        ValueError: A column is not of that kind.

    >>> rank_correlation([1, 2, 3, 4], [1, 2, 3, 4])
    RankCorrelation(value=1.0, p=0.08333333333333333, p_t=0.0, reason=None)
    """
    x = as_values(first, "first")
    y = as_values(second, "second", x.size)
    value = spearman(x, y)
    if value is None:
        return RankCorrelation(None, None, None, "fewer than two rows, or a constant column")
    p = _share_of_orderings(_centred(x), _centred(y)) if x.size <= MOST_EXACT else None
    return RankCorrelation(value, p, _p_by_t(value, x.size), None)


def kendall_w(ratings: ArrayLike) -> Concordance:
    """Kendall's coefficient of concordance, corrected for ties (Kendall and Babington Smith 1939).

    It is the variance of the items' sums of ranks, relative to what it would be if all raters ranked as each of them does: with
    ranks centred, W = sum over items of (sum over raters)² / (raters times the sum of squares). Without ties that is
    12 S / (m² (n³ - n)). A rater for whom all items are level says nothing and pulls W down by being counted.

    Args:
        ratings: (raters, items), finite; every rater rated every item, higher or lower alike for all.

    Raises:
        ValueError: `ratings` is not such a table.

    >>> kendall_w([[1, 2, 3], [1, 2, 3]]).value
    1.0
    """
    table = np.asarray(ratings, np.float64)
    if table.ndim != 2 or not np.isfinite(table).all():
        raise ValueError(f"ratings must be a (raters, items) table of finite numbers; its shape is {table.shape}")
    raters, items = table.shape
    if raters < 2 or items < 2:
        return Concordance(None, None, "fewer than two raters or two items")
    ranks = np.array([_centred(row) for row in table])
    squares = int((ranks**2).sum())
    if not squares:
        return Concordance(None, None, "for every rater all items are level")
    from scipy.special import chdtrc

    value = int((ranks.sum(axis=0) ** 2).sum()) / (raters * squares)
    return Concordance(value, float(chdtrc(items - 1, raters * (items - 1) * value)), None)


def _centred(values: Floats) -> Ints:
    """(n,) twice the average rank less twice its mean."""
    ranks: Ints = Ranked.of(values).centred(np.ones((1, values.size), np.int64))[0].astype(np.int64)
    return ranks


def _share_of_orderings(x: Ints, y: Ints) -> float:
    """How many of the n! orderings have a sum of products at least as far from 0, as a share.

    Orderings are not listed. `ways[mask]` counts, for the values of y that are used up, every sum of their products with the
    first so many values of x; 2^n tables of counts take the place of n! orderings.
    """
    n, reach = x.size, int(np.abs(x).sum() * np.abs(y).max())
    ways = np.zeros((1 << n, 2 * reach + 1), np.int64)
    ways[0, reach] = 1
    for mask in range(1, 1 << n):
        place = mask.bit_count() - 1
        for used in range(n):
            if mask >> used & 1:
                ways[mask] += np.roll(ways[mask ^ 1 << used], int(x[place] * y[used]))
    sums = np.abs(np.arange(-reach, reach + 1))
    return int(ways[-1][sums >= abs(int(x @ y))].sum()) / factorial(n)


def _p_by_t(value: float, n: int) -> float | None:
    if n < 3:
        return None
    if abs(value) >= 1:
        return 0.0
    from scipy.special import stdtr

    freedom = n - 2
    return float(2 * stdtr(freedom, -abs(value) * (freedom / (1 - value**2)) ** 0.5))
