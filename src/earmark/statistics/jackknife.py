"""What leaving clusters out says of a statistic: how far it scatters, and how its scatter grows with its value.

Without cluster i the statistic is the replicate in which that cluster has weight 0 and every other one weight 1. Where there
are more than 128 clusters they are left out in 128 groups, so that the cost is that of 128 replicates however many rows there
are: the r-th (from 0) of n clusters that hold rows is in group ⌊128 r / n⌋ (a delete-a-group jackknife, Kott 2001).

With g groups, θ₍ᵢ₎ the statistic without group i and θ̄ their mean, let Uᵢ = (g − 1)(θ̄ − θ₍ᵢ₎). Then

- *standard error*: √(Σ U² / (g (g − 1))) (Tukey 1958; Efron and Tibshirani 1993, section 11.2);
- *acceleration*: Σ U³ / g³ / (6 (Σ U² / g²)^{3/2}), which is (1/6) Σ U³ / (Σ U²)^{3/2} (Efron 1987, section 6).

Where what is drawn are clusters of several kinds, such as speakers and prompts, each kind is left out by itself: variances
add up over kinds, and so do the two sums of the acceleration (as for several samples, Davison and Hinkley 1997, section 5.3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from earmark.statistics.blas import one_thread

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from earmark.statistics.statistic import Bools, Floats, Ints, Statistic

GROUPS = 128
"""At most so many replicates are made of each kind of clusters."""

FACTOR = 2.0
"""Two standard errors that differ by more than this factor are told of."""

FEWEST_REPLICATES = 200
"""With fewer, the bootstrap's standard error is not known well enough to be compared."""

_BLOCK_ENTRIES = 2**17  # 1 MiB of float64
_ROUNDING = 1e-12  # relative to the value, or to 1: sums of the same numbers in another order


class Jackknife(NamedTuple):
    """What the statistics without each group of clusters come to.

    Attributes:
        standard_error: Of the statistic; None where it is undefined without some group, or nothing can be left out.
        acceleration: Efron's a; None there too, and where the statistic is the same without any group.
        reason: Why either is None; None where neither is.
    """

    standard_error: float | None
    acceleration: float | None
    reason: str | None = None


def jackknives(statistics: Mapping[str, Statistic], factors: Sequence[Ints] | None = None) -> dict[str, Jackknife]:
    """Leave out clusters, group by group, from each of several statistics.

    Args:
        statistics: By name, all over the same C clusters.
        factors: For each kind of what is drawn independently, which of it each cluster belongs to: (C,), or (C, k) where a
            cluster belongs to several; −1 for what is never drawn. By default every cluster is one of a single kind.

    Returns:
        One for each statistic, in the order given.

    >>> from earmark.statistics.rates import Ratio
    >>> found = jackknives({"mean": Ratio.of_rows([1.0, 2.0, 6.0], [0, 1, 2], 3)})["mean"]
    >>> round(found.standard_error, 3), round(found.acceleration, 3)
    (1.528, 0.057)
    """
    alike: dict[bytes, list[str]] = {}
    for name, statistic in statistics.items():  # those that are over the same clusters share what they read
        alike.setdefault(statistic.support.tobytes(), []).append(name)
    found = {}
    with one_thread():
        for names in alike.values():
            support = statistics[names[0]].support
            kinds = [np.arange(len(support))] if factors is None else factors
            left: dict[str, list[Floats]] = {name: [] for name in names}
            for kind in kinds:
                parts: dict[str, list[Floats]] = {name: [np.zeros(0)] for name in names}
                for weights in _left_out(kind, support):
                    for name in names:
                        parts[name].append(statistics[name].replicates(weights))
                for name in names:
                    left[name].append(np.concatenate(parts[name]))
            found.update({name: _jackknife(left[name]) for name in names})
    return {name: found[name] for name in statistics}


def jackknife(statistic: Statistic, factors: Sequence[Ints] | None = None) -> Jackknife:
    """The same of one statistic."""
    return jackknives({"it": statistic}, factors)["it"]


def disagreement(found: Jackknife, draws: Floats) -> str | None:
    """Whether the bootstrap and the jackknife differ about a standard error: then neither is to be trusted.

    They do so where a statistic is not smooth, as a maximum over thresholds or a quantile of few distinct values, and where
    few clusters decide it.

    Args:
        found: The jackknife.
        draws: (B,) the defined replicates of the bootstrap.

    Returns:
        What differs by more than `FACTOR`; None where nothing does, or nothing can be compared.
    """
    if found.standard_error is None or len(draws) < FEWEST_REPLICATES:
        return None
    drawn = float(draws.std(ddof=1))
    slack = _ROUNDING * max(1.0, float(np.abs(draws).max()))
    low, high = sorted((drawn, found.standard_error))
    if high <= slack or high <= FACTOR * low:
        return None
    return f"the jackknife's standard error is {found.standard_error:.2g}, the bootstrap's {drawn:.2g}"


def _left_out(kind: Ints, support: Bools) -> Iterator[Floats]:
    """(b, C) weights that leave out one group each, block by block."""
    members = (kind if kind.ndim == 2 else kind[:, None])[support]
    units = np.unique(members[members >= 0])
    groups = min(len(units), GROUPS)
    if groups < 2:
        return
    group_of_unit = np.arange(len(units)) * groups // len(units)
    group = np.where(members < 0, -1, group_of_unit[np.searchsorted(units, members).clip(max=len(units) - 1)])
    place = np.flatnonzero(support)
    block = max(1, _BLOCK_ENTRIES // len(support))
    for first in range(0, groups, block):
        weights = np.ones((min(block, groups - first), len(support)))
        for row in range(len(weights)):
            weights[row, place[(group == first + row).any(axis=1)]] = 0
        yield weights


def _jackknife(left: Sequence[Floats]) -> Jackknife:
    left = [values for values in left if values.size]
    if not left:
        return Jackknife(None, None, "fewer than two clusters can be left out")
    if any(np.isnan(values).any() for values in left):
        return Jackknife(None, None, "without some clusters the figure is undefined")
    variance = squares = cubes = 0.0
    for values in left:
        groups = len(values)
        away = values.mean() - values
        away[np.abs(away) <= _ROUNDING * max(1.0, float(np.abs(values).max()))] = 0
        influence = (groups - 1) * away
        square, cube = float((influence**2).sum()), float((influence**3).sum())
        variance += square / (groups * (groups - 1))
        squares += square / groups**2
        cubes += cube / groups**3
    if squares == 0:
        return Jackknife(0.0, None, "the figure is the same without any of its clusters")
    return Jackknife(float(np.sqrt(variance)), cubes / (6 * squares**1.5))
