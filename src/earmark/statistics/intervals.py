"""Intervals of any number of statistics from one draw of clusters: by percentiles, or bias-corrected and accelerated.

**Percentile.** The (1 − level) / 2 and (1 + level) / 2 quantiles of the defined replicates, linearly interpolated
(Hyndman and Fan's type 7, NumPy's default); Efron and Tibshirani (1993), section 13.3.

**BCa.** The same at levels moved for bias and acceleration, as `bca` says. Where it is undefined the percentile interval stands
in, is named so, and the note says why.

**p.** Two-sided, by inverting the interval: with k the smaller of the numbers of replicates at or below and at or
above the null, and B defined replicates, p = min(1, 2 (k + 1) / (B + 1)). It is never 0, and replicates equal to the
null, but for rounding, count on both sides. For BCa it is twice the smaller of the nominal levels that (k + 1) / (B + 1) and
its counterpart stand for, and no less than 2 / (B + 1).

**Undefined.** A statistic that is undefined, lives in fewer than two clusters, or is undefined in more than 1 % of
the replicates has no interval and no p, and says why. Up to 1 % are left out and counted.

**Biased.** Where the value lies outside its own interval, by more than rounding, resampling moves the
statistic further than it scatters it (a histogram of few rows, a maximum over thresholds). What the percentiles enclose
is then not the value's uncertainty, so low, high and p are None, and the reason says so; the value stays.

**Jackknife check.** Where the jackknife's standard error and the bootstrap's differ by more than a factor of 2, the note says so.
BCa has the jackknife of every statistic at hand; for percentiles it is made of those that are asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np

from earmark.statistics.bca import Correction
from earmark.statistics.blas import one_thread
from earmark.statistics.jackknife import disagreement, jackknives
from earmark.statistics.statistic import Difference, Statistic
from earmark.statistics.weights import cluster_weights

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from earmark.statistics.jackknife import Jackknife
    from earmark.statistics.statistic import Floats, Ints

__all__ = ["Difference", "Interval", "Method", "Statistic", "intervals"]

Method: TypeAlias = Literal["percentile", "bca"]
"""How an interval is made of replicates."""

TOLERATED_UNDEFINED = 0.01
BIASED = "the value lies outside its percentile interval: resampling biases the statistic"
BIASED_BCA = "the value lies outside its BCa interval: resampling biases the statistic"
_ROUNDING = 1e-9  # relative to the value, or to 1: replicates equal to it are summed in another order


@dataclass(frozen=True)
class Interval:
    """A value with its interval.

    Attributes:
        value: The statistic on the rows as they are; None where undefined.
        low: Lower end; None where there is no interval.
        high: Upper end; None where there is no interval.
        level: Nominal coverage, in (0, 1).
        method: How the interval was made: "percentile" or "bca".
        clusters: Number of clusters that hold rows of the statistic.
        p: Two-sided bootstrap p against the null; None where no null was given or there is no interval.
        reason: Why `value` or the interval is None; None where neither is.
        undefined: Replicates in which the statistic was undefined.
        note: What is to be said of an interval that is there: why it is not of the method asked for, or that the jackknife
            differs; None where nothing is.
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
    note: str | None = None


def intervals(
    statistics: Mapping[str, Statistic],
    *,
    clusters: int,
    replicates: int,
    seed: int,
    level: float = 0.95,
    nulls: Mapping[str, float] | None = None,
    weights: Iterable[Floats] | None = None,
    method: Method = "percentile",
    factors: Sequence[Ints] | None = None,
    checked: Collection[str] = (),
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
        method: How intervals are made of the replicates.
        factors: For each kind of what is drawn independently, which of it each cluster belongs to, as `jackknives` wants it; by
            default each cluster is one. Weights that are given need them for BCa, and for a check.
        checked: Names of those whose jackknife is made for the check alone; for BCa all are checked.

    Returns:
        An interval for each statistic, in the order given.

    Raises:
        ValueError: An argument is out of range, a null names no statistic, or a statistic has another number of
            clusters, or weights are given without factors where the jackknife is needed.
    """
    nulls = nulls or {}
    if replicates < 1:
        raise ValueError(f"replicates is {replicates}, less than 1")
    if not 0 < level < 1:
        raise ValueError(f"level is {level}, not in (0, 1)")
    if unknown := sorted(set(nulls) - set(statistics)):
        raise ValueError(f"nulls name {unknown}, which are not among the statistics {sorted(statistics)}")
    if method not in ("percentile", "bca"):
        raise ValueError(f'method is {method!r}, not "percentile" or "bca"')
    left_out = [name for name in statistics if method == "bca" or name in checked]
    if left_out and weights is not None and factors is None:
        raise ValueError("weights are given, and no factors to leave out")
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
    jackknifed = jackknives({name: statistics[name] for name in left_out}, factors)
    return {
        name: _interval(statistic, draws[name], level, nulls.get(name), method, jackknifed.get(name))
        for name, statistic in statistics.items()
    }


def _interval(
    statistic: Statistic, draws: Floats, level: float, null: float | None, method: Method, jackknife: Jackknife | None
) -> Interval:
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
        slack = _ROUNDING * max(1.0, abs(value))
        low, high, made, correction, why = _ends(defined, value, slack, level, method, jackknife)
        if low - slack <= value <= high + slack:
            p = None if null is None else _p(defined, null, slack, correction)
            differs = None if jackknife is None else disagreement(jackknife, defined)
            note = "; ".join(filter(None, (why, differs))) or None
            return Interval(value, low, high, level, made, clusters, p, undefined=undefined, note=note)
        reason = "; ".join(filter(None, (BIASED if made == "percentile" else BIASED_BCA, why)))
        return Interval(value, None, None, level, made, clusters, None, reason, undefined)
    return Interval(value, None, None, level, method, clusters, None, reason, undefined)


class _Ends(NamedTuple):
    """The ends of an interval, and how they came about."""

    low: float
    high: float
    method: Method
    correction: Correction | None = None
    why: str | None = None


def _ends(
    draws: Floats, value: float, slack: float, level: float, method: Method, jackknife: Jackknife | None
) -> _Ends:
    """By the method, or by percentiles with the reason why not."""
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    percentiles = _Ends(float(low), float(high), "percentile")
    if method == "percentile" or jackknife is None:
        return percentiles
    correction = Correction.of(draws, value, slack, jackknife)
    ends = correction if isinstance(correction, str) else correction.ends(draws, level)
    if isinstance(correction, str) or isinstance(ends, str):
        return percentiles._replace(why=f"BCa is undefined: {ends}")
    return _Ends(*ends, "bca", correction)


def _p(draws: Floats, null: float, slack: float, correction: Correction | None) -> float:
    beyond = np.count_nonzero(draws <= null + slack), np.count_nonzero(draws >= null - slack)
    if correction is None:
        return float(min(1.0, 2 * (min(beyond) + 1) / (draws.size + 1)))
    below, above = ((count + 1) / (draws.size + 1) for count in beyond)
    least = min(correction.nominal(below), 1 - correction.nominal(1 - above))
    return float(min(1.0, max(2 * least, 2 / (draws.size + 1))))
