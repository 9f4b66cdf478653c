"""Which statistics are means over clusters, and what each cluster adds to the difference of two of them.

A sum of ratios Σ f · (Σ x) / (Σ n) is a mean of what the clusters say, with weights fixed beforehand, as long as nobody's answers
move its denominators. Of two judges of the same rows a cluster then adds d = Σ f · (x₁ − x₂) / Σ n to the difference, and
changing the judges' places within one cluster changes the sign of its d and nothing else: what a sign-flip test needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from earmark.statistics.rates import MeanOfRatios, Ratio
from earmark.statistics.statistic import Mean
from earmark.statistics.sums import Quotients

if TYPE_CHECKING:
    from earmark.statistics.statistic import Bools, Floats, Statistic


class Share(NamedTuple):
    """One ratio of a sum of them.

    Attributes:
        factor: What it is multiplied by.
        numerator: (C,) what each cluster has above the line.
        denominator: (C,) what it has below, at least 0.
    """

    factor: float
    numerator: Floats
    denominator: Floats


def shares_of(statistic: Statistic) -> tuple[Share, ...] | None:
    """The ratios that a statistic is the sum of; None where it is no such sum, as an AUROC is not."""
    match statistic:
        case Ratio():
            return (Share(1.0, statistic.numerator, statistic.denominator),)
        case MeanOfRatios():
            factor = 1 / len(statistic.parts)
            return tuple(Share(factor, part.numerator, part.denominator) for part in statistic.parts)
        case Quotients():
            return tuple(
                Share(term.factor, _column(statistic, term.numerator), _column(statistic, term.denominator))
                for term in statistic.terms
            )
        case Mean():
            of_parts = [shares_of(part) for part in statistic.parts]
            known = [shares for shares in of_parts if shares is not None]
            if len(known) < len(of_parts):
                return None
            return tuple(share._replace(factor=share.factor / len(known)) for shares in known for share in shares)
    return None


def cluster_differences(first: Statistic, second: Statistic) -> Floats | None:
    """What each cluster adds to `first` − `second`.

    Args:
        first: A statistic.
        second: The same of another judge, over the same clusters.

    Returns:
        (c,) one for each cluster that has rows, in their order; None where the two are not means over clusters with the same
        weights, or are undefined.
    """
    ours, theirs = shares_of(first), shares_of(second)
    if ours is None or theirs is None or len(ours) != len(theirs) or not ours:
        return None
    held: Bools = np.zeros(ours[0].denominator.size, np.bool_)
    total: Floats = np.zeros(held.size)
    for one, other in zip(ours, theirs, strict=True):
        whole = one.denominator.sum()
        if one.factor != other.factor or not np.array_equal(one.denominator, other.denominator) or whole == 0:
            return None
        held |= one.denominator > 0
        total += one.factor * (one.numerator - other.numerator) / whole
    return total[held]


def outcomes(statistic: Statistic) -> tuple[Bools, Bools] | None:
    """Which clusters have rows, and of which of them all is right; None where a cluster can be right in part.

    Args:
        statistic: A statistic whose clusters are the units that are right or wrong.

    Returns:
        (C,) and (C,).
    """
    shares = shares_of(statistic)
    if shares is None or len(shares) != 1 or shares[0].factor != 1:
        return None
    _, numerator, denominator = shares[0]
    held, right = denominator > 0, numerator == denominator
    return (held, held & right) if (right | (numerator == 0)).all() else None


def _column(statistic: Quotients, name: str) -> Floats:
    sums = statistic.sums
    column = np.zeros(sums.clusters)
    column[sums.first : sums.first + len(sums.columns)] = sums.columns[:, sums.place[name]]
    return column
