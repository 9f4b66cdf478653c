"""Bias-corrected and accelerated intervals: percentiles at levels that are moved for bias and for growing scatter.

Efron (1987), “Better bootstrap confidence intervals”, section 4, with Φ the normal distribution and z its quantile:

- *bias* z₀ = Φ⁻¹(share of the replicates below the value, those equal to it counted half);
- *acceleration* a, from the jackknife;
- the ends are the quantiles of the replicates at Φ(z₀ + (z₀ + z) / (1 − a (z₀ + z))), z being that of (1 − level) / 2 and of
  (1 + level) / 2.

With z₀ = a = 0 that is the percentile interval. It is undefined where the replicates lie all on one side of the value, where
the acceleration is undefined, and where 1 − a (z₀ + z) is not above 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Self

import numpy as np

if TYPE_CHECKING:
    from earmark.statistics.jackknife import Jackknife
    from earmark.statistics.statistic import Floats

_NORMAL = NormalDist()


@dataclass(frozen=True)
class Correction:
    """How the levels of an interval are moved.

    Attributes:
        bias: z₀, in standard deviations.
        acceleration: a.
    """

    bias: float
    acceleration: float

    @classmethod
    def of(cls, draws: Floats, value: float, slack: float, jackknife: Jackknife) -> Self | str:
        """From replicates and jackknife.

        Args:
            draws: (B,) defined replicates, at least one.
            value: The statistic on the rows as they are.
            slack: What may lie between two numbers that are taken as equal.
            jackknife: The statistic without each group of clusters.

        Returns:
            The correction, or why there is none.
        """
        below, above = np.count_nonzero(draws < value - slack), np.count_nonzero(draws > value + slack)
        share = (below + (draws.size - below - above) / 2) / draws.size
        if not 0 < share < 1:
            return "every replicate lies on one side of the value"
        if jackknife.acceleration is None:
            return jackknife.reason or "there is no acceleration"
        return cls(_NORMAL.inv_cdf(share), jackknife.acceleration)

    def level(self, nominal: float) -> float | None:
        """The level in (0, 1) that stands for a nominal one; None where it is undefined."""
        moved = self.bias + _NORMAL.inv_cdf(nominal)
        room = 1 - self.acceleration * moved
        return _NORMAL.cdf(self.bias + moved / room) if room > 0 else None

    def nominal(self, level: float) -> float:
        """The nominal level that a level in (0, 1) stands for: the inverse of `level`, its limit where there is none."""
        moved = _NORMAL.inv_cdf(level) - self.bias if 0 < level < 1 else np.inf if level >= 1 else -np.inf
        room = 1 + self.acceleration * moved
        if room <= 0 or np.isinf(moved):
            return 1.0 if moved > 0 else 0.0
        return _NORMAL.cdf(moved / room - self.bias)

    def ends(self, draws: Floats, level: float) -> tuple[float, float] | str:
        """The interval of a nominal coverage in (0, 1), or why there is none."""
        levels = [self.level((1 - level) / 2), self.level((1 + level) / 2)]
        if levels[0] is None or levels[1] is None:
            return "its acceleration is too large"
        low, high = np.quantile(draws, [levels[0], levels[1]])
        return float(low), float(high)
