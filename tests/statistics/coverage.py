"""How often intervals hold the figure of the population, in simulated studies of which that figure is known.

Rows of a cluster share an effect: a score is d·label + √ICC · effect of the cluster + √(1 − ICC) · noise, both standard
normal, and labels take turns. So over the population AUROC is Φ(d / √2), EER Φ(−d / 2), and the share of rows on the right
side of d / 2 is Φ(d / 2). `python -m benchmarks.coverage` prints the tables of `benchmarks/README.md`.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from earmark.statistics.intervals import Method, intervals
from earmark.statistics.ranking import Auroc, EerInterpolated
from earmark.statistics.rates import Ratio
from earmark.statistics.roc import Roc

if TYPE_CHECKING:
    from collections.abc import Mapping

    from earmark.statistics.statistic import Statistic

APART = 1.2
"""d, which makes an AUROC of 0.80."""

TRUTH: Mapping[str, float] = {
    "share": NormalDist().cdf(APART / 2),
    "AUROC": NormalDist().cdf(APART / 2**0.5),
    "EER": NormalDist().cdf(-APART / 2),
}

SIZES: Mapping[str, tuple[int, ...]] = {"balanced": (10,), "unbalanced": (2, 4, 10, 24)}
"""Rows of a cluster, which take turns: ten on average."""

METHODS: tuple[Method, ...] = ("percentile", "bca")


@dataclass(frozen=True)
class Setting:
    """What is simulated.

    Attributes:
        clusters: Number of clusters.
        sizes: One of `SIZES`.
        icc: Share of a score's variance within a class that is its cluster's.
    """

    clusters: int
    sizes: str
    icc: float


class Covered(NamedTuple):
    """What came of the studies.

    Attributes:
        share: Of the studies whose interval holds the truth; one without an interval does not.
        width: Mean width of the intervals.
        none: Share of the studies without an interval.
    """

    share: float
    width: float
    none: float


def study(setting: Setting, rng: np.random.Generator) -> dict[str, Statistic]:
    """The figures of one study."""
    sizes = np.resize(SIZES[setting.sizes], setting.clusters)
    cluster = np.repeat(np.arange(setting.clusters), sizes)
    label = np.arange(cluster.size) % 2 == 0
    effect = rng.normal(size=setting.clusters)[cluster]
    score = APART * label + setting.icc**0.5 * effect + (1 - setting.icc) ** 0.5 * rng.normal(size=cluster.size)
    roc = Roc.of_rows(score, label, cluster, setting.clusters)
    right = (score > APART / 2) == label
    return {
        "share": Ratio.of_rows(right, cluster, setting.clusters),
        "AUROC": Auroc.of(roc),
        "EER": EerInterpolated(roc),
    }


def coverage(setting: Setting, *, studies: int, replicates: int, seed: int) -> dict[tuple[str, Method], Covered]:
    """Simulate studies and their intervals of 95 %, by figure and method."""
    rng = np.random.default_rng(seed)
    held: dict[tuple[str, Method], list[tuple[bool, float]]] = {(name, m): [] for name in TRUTH for m in METHODS}
    for number in range(studies):
        statistics = study(setting, rng)
        for method in METHODS:
            found = intervals(
                statistics, clusters=setting.clusters, replicates=replicates, seed=seed + number, method=method
            )
            for name, interval in found.items():
                if interval.low is not None and interval.high is not None:
                    holds = interval.low <= TRUTH[name] <= interval.high
                    held[name, method].append((holds, interval.high - interval.low))
    return {
        key: Covered(
            sum(holds for holds, _ in those) / studies,
            float(np.mean([width for _, width in those])) if those else float("nan"),
            1 - len(those) / studies,
        )
        for key, those in held.items()
    }
