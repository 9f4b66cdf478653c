"""Percentile intervals of any number of statistics from one draw of clusters.

**Interval.** The (1 − level) / 2 and (1 + level) / 2 quantiles of the defined replicates, linearly interpolated
(Hyndman and Fan's type 7, NumPy's default); Efron and Tibshirani (1993), section 13.3.

**p.** Two-sided, by inverting that interval: with k the smaller of the numbers of replicates at or below and at or
above the null, and B defined replicates, p = min(1, 2 (k + 1) / (B + 1)). It is never 0, and replicates equal to the
null count on both sides.

**Undefined.** A statistic that is undefined, lives in fewer than two clusters, or is undefined in more than 1 % of
the replicates has no interval and no p, and says why. Up to 1 % are left out and counted.

**Biased.** Where the value lies outside its own percentile interval, by more than rounding, resampling moves the
statistic further than it scatters it (a histogram of few rows, a maximum over thresholds). What the percentiles enclose
is then not the value's uncertainty, so low, high and p are None, and the reason says so; the value stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from earmark.statistics.blas import one_thread
from earmark.statistics.statistic import Difference, Statistic
from earmark.statistics.weights import cluster_weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from earmark.statistics.statistic import Floats

__all__ = ["Difference", "Interval", "Statistic", "intervals"]

TOLERATED_UNDEFINED = 0.01
BIASED = "the value lies outside its percentile interval: resampling biases the statistic"
_ROUNDING = 1e-9  # relative to the value, or to 1: replicates equal to it are summed in another order


@dataclass(frozen=True)
class Interval:
    """A value with its interval.

    Attributes:
        value: The statistic on the rows as they are; None where undefined.
        low: Lower end; None where there is no interval.
        high: Upper end; None where there is no interval.
        level: Nominal coverage, in (0, 1).
        method: How the interval was made.
        clusters: Number of clusters that hold rows of the statistic.
        p: Two-sided bootstrap p against the null; None where no null was given or there is no interval.
        reason: Why `value` or the interval is None; None where neither is.
        undefined: Replicates in which the statistic was undefined.
    """

    value: float | None
    low: float | None
    high: float | None
    level: float
    method: str
    clusters: int
    p: float | None = None
    reason: str | None = None
    undefined: int = 0


def intervals(
    statistics: Mapping[str, Statistic],
    *,
    clusters: int,
    replicates: int,
    seed: int,
    level: float = 0.95,
    nulls: Mapping[str, float] | None = None,
    weights: Iterable[Floats] | None = None,
) -> dict[str, Interval]:
    """Resample clusters once and evaluate every statistic on each draw.

    A statistic's interval depends on nothing but itself and the other arguments: not on which statistics stand beside
    it.

    Args:
        statistics: By name, all over the same `clusters`.
        clusters: Number of clusters C.
        replicates: Number of replicates, at least 1.
        seed: Key of the stream of weights, in [0, 2⁶⁴).
        level: Nominal coverage, in (0, 1).
        nulls: By name, the value that p tests against, for those statistics that have one.
        weights: How often each cluster is drawn, (b, C) block by block, `replicates` rows in all; by default each draw is of as
            many clusters as there are, independently and with replacement.

    Returns:
        An interval for each statistic, in the order given.

    Raises:
        ValueError: An argument is out of range, a null names no statistic, or a statistic has another number of
            clusters.
    """
    nulls = nulls or {}
    if replicates < 1:
        raise ValueError(f"replicates is {replicates}, less than 1")
    if not 0 < level < 1:
        raise ValueError(f"level is {level}, not in (0, 1)")
    if unknown := sorted(set(nulls) - set(statistics)):
        raise ValueError(f"nulls name {unknown}, which are not among the statistics {sorted(statistics)}")
    for name, statistic in statistics.items():
        if statistic.support.size != clusters:
            raise ValueError(f"{name} is over {statistic.support.size} clusters, not {clusters}")

    draws = {name: np.empty(replicates) for name in statistics}
    done = 0
    with one_thread():
        for block in cluster_weights(clusters, replicates, seed) if weights is None else weights:
            for name, statistic in statistics.items():
                draws[name][done : done + len(block)] = statistic.replicates(block)
            done += len(block)
    return {name: _interval(statistics[name], draws[name], level, nulls.get(name)) for name in statistics}


def _interval(statistic: Statistic, draws: Floats, level: float, null: float | None) -> Interval:
    defined = draws[~np.isnan(draws)]
    undefined = draws.size - defined.size
    value, clusters = statistic.value(), int(statistic.support.sum())
    if value is None:
        reason = statistic.reason()
    elif clusters < 2:
        reason = "all rows are in one cluster: there is nothing to resample"
    elif undefined > TOLERATED_UNDEFINED * draws.size:
        reason = f"undefined in {undefined} of {draws.size} replicates"
    else:
        low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
        slack = _ROUNDING * max(1.0, abs(value))
        if low - slack <= value <= high + slack:
            p = None if null is None else _p(defined, null)
            return Interval(value, float(low), float(high), level, "percentile", clusters, p, undefined=undefined)
        reason = BIASED
    return Interval(value, None, None, level, "percentile", clusters, None, reason, undefined)


def _p(draws: Floats, null: float) -> float:
    beyond = min(np.count_nonzero(draws <= null), np.count_nonzero(draws >= null))
    return float(min(1.0, 2 * (beyond + 1) / (draws.size + 1)))
