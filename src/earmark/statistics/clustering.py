"""How much less units that share a speaker say than as many that do not: intraclass correlation and design effect.

Units share a member, such as a speaker, or are by themselves; a unit has one member, or two as a pair of clips has. With e the
units' values less their mean, the intraclass correlation is the mean of eᵢ eⱼ over all ordered pairs of units that share one,
over the mean of e² (Fisher's pairwise one). The design effect is 1 + s · ICC, s the mean number of others that a unit shares a
member with: by how much a mean varies more than that of as many units apart (Kish 1965, section 5.4). For clusters of sizes m,
s is Σ m² / Σ m − 1. Of a weighted mean, of weights w that sum to 1, it is n (Σ w² + ICC · Σ wᵢ wⱼ over those pairs), which for
equal weights is the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from earmark.statistics.statistic import as_values

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from earmark.statistics.statistic import Floats, Ints


def sharing(members: Ints) -> float:
    """How many others a unit shares a member with, on average.

    Args:
        members: (n, k) whole numbers of at least 0, k one or two: the members of each unit, the same one twice where it has one.

    Raises:
        ValueError: The members are not of that kind.

    >>> sharing(np.array([[0], [0], [0], [1]]))
    1.5
    """
    return float(_over_sharers(np.ones(len(members)), members).mean() - 1) if len(members) else 0.0


def intraclass(values: ArrayLike, members: Ints) -> float | None:
    """The intraclass correlation of values whose mean has been taken off, such as that of each facet.

    Args:
        values: (n,) finite numbers.
        members: (n, k) as `sharing` wants them.

    Returns:
        At most 1; None where no unit shares a member with another, or no value differs from 0.

    Raises:
        ValueError: An argument is not of that kind.
    """
    away = as_values(values, "values", len(members))
    squares, shared = float((away**2).sum()), sharing(members)
    if squares == 0 or shared == 0:
        return None
    return float((away * (_over_sharers(away, members) - away)).sum() / squares / shared)


def design_effect(members: Ints, icc: float, weights: ArrayLike | None = None) -> float:
    """By how much the variance of a mean is larger than of as many units of equal weight that share nothing; at least 1.

    A correlation below 0 counts as none: it is mostly noise, and to plan by it would promise too much.

    Args:
        members: (n, k) as `sharing` wants them.
        icc: Intraclass correlation, at most 1.
        weights: (n,) of at least 0, not all of them 0; equal ones without.

    >>> design_effect(np.array([[0], [1], [2]]), 0.0, [2, 1, 1])
    1.125
    """
    alike = max(0.0, icc)
    if weights is None or not len(members):
        return 1 + sharing(members) * alike
    heavy = as_values(weights, "weights", len(members))
    if (heavy == heavy[0]).all():  # exactly what there is without
        return 1 + sharing(members) * alike
    together = heavy @ (_over_sharers(heavy, members) - heavy)
    return float(len(heavy) * (heavy @ heavy + alike * together) / heavy.sum() ** 2)


def _over_sharers(values: Floats, members: Ints) -> Floats:
    """(n,) sums of values (n,) over the units that share a member with each, itself among them."""
    if members.ndim != 2 or members.shape[1] not in (1, 2) or members.min(initial=0) < 0:
        raise ValueError(f"members have shape {members.shape}, not (n, 1) or (n, 2) of at least 0")
    first, second = members.min(axis=1), members.max(axis=1)
    two = first != second
    count = int(members.max(initial=0)) + 1
    of_member = np.bincount(first, values, count) + np.bincount(second[two], values[two], count)
    sums: Floats = of_member[first]
    if two.any():
        # Who shares both members has been counted with either.
        _, both = np.unique(first[two] * count + second[two], return_inverse=True)
        sums[two] += of_member[second[two]] - np.bincount(both.reshape(-1), values[two])[both.reshape(-1)]
    return sums
