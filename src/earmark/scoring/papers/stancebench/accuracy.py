"""StanceBench's measures of how well scores tell the poles apart, on the speakers that its filters leave.

- *pole consistency*: share of speakers whose score has the role's sign, 0 being P; over all speakers, so the larger pole weighs
  more. `pole_consistency_nonzero` is over the speakers whose score is not exactly 0, which the notebook's summary of a single
  question calls uncertain.
- *AUROC*: as everywhere, ties one half.
- *EER*: (FPR + FNR) / 2 at the vertex of scikit-learn's `roc_curve` where the two are nearest, not interpolated.
- *oracle F1*: the largest F1 of P over thresholds half-way between neighbouring distinct scores. Calling everyone P is none of
  them, so this is no upper bound: with four P and one N it can be 0.75 where all-P gives 0.89.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from earmark.statistics.ranking import Auroc, EerNearest
from earmark.statistics.rates import Ratio
from earmark.statistics.roc import Roc
from earmark.statistics.statistic import Weighted, in_blocks

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from earmark.scoring.measuring import Codes
    from earmark.scoring.papers.stancebench.judged import Bools, Floats
    from earmark.statistics.statistic import Statistic


@dataclass(frozen=True, eq=False)
class MidpointF1(Weighted):
    """The largest F1 of P over thresholds between two scores that occur.

    Attributes:
        roc: The rows.
    """

    why_undefined: ClassVar[str] = "no P, or no two different scores to put a threshold between"

    roc: Roc

    @classmethod
    def of_rows(cls, score: ArrayLike, label: ArrayLike, cluster: ArrayLike, clusters: int) -> Self:
        """Of finite scores (n,) for boolean labels (n,), in clusters (n,) numbered 0 … `clusters` − 1.

        >>> MidpointF1.of_rows([0.5, 0.4, 0.3, 0.1, 0.2], [True] * 4 + [False], range(5), 5).value()
        0.8571428571428571
        """
        return cls(Roc.of_rows(score, label, cluster, clusters))

    @property
    def support(self) -> Bools:
        """(C,) bool: which clusters hold rows."""
        return self.roc.support

    def replicates(self, weights: Floats) -> Floats:
        """(B,) values under (B, C) weights; NaN where undefined."""
        return in_blocks(weights, self.roc.rows + 1, self._block)

    def _block(self, weights: Floats) -> Floats:
        hits, alarms = self.roc.counts(weights)
        called, positives = hits + alarms, hits[:, -1:]
        # A threshold between two scores that were drawn calls some rows P and some N, and every such division is one.
        between = (called > 0) & (called < called[:, -1:]) & (positives > 0)
        f1 = np.divide(2 * hits, called + positives, out=np.full(hits.shape, -np.inf), where=between)
        best: Floats = f1.max(axis=1)
        return np.where(np.isneginf(best), np.nan, best)


def consistent(score: Floats, positive: Bools) -> Bools:
    """(u,) whether each score has the sign of the pole; 0 is P's."""
    right: Bools = (score >= 0) == positive
    return right


def pole_consistency(score: Floats, positive: Bools, cluster: Codes, clusters: int) -> Statistic:
    """Share of scores (u,) with the sign of the pole, 0 being P's."""
    return Ratio.of_rows(consistent(score, positive), cluster, clusters)


ACCURACIES: dict[str, tuple[Callable[[Floats, Bools, Codes, int], Statistic], float | None]] = {
    "pole_consistency": (pole_consistency, None),
    "eer_nearest_vertex": (EerNearest.of_rows, None),
    "auroc": (Auroc.of_rows, 0.5),
    "oracle_f1": (MidpointF1.of_rows, None),
}
"""Metric → how it is made of scores, poles and clusters; and what guessing would give, where that is known."""


def accuracy(metric: str, score: Floats, positive: Bools) -> float | None:
    """One of them as a plain number.

    Args:
        metric: A key of `ACCURACIES`.
        score: (u,) finite.
        positive: (u,) whether the pole is P.

    >>> accuracy("pole_consistency", np.array([0.4, 0.0, -0.2]), np.array([True, False, False]))
    0.6666666666666666
    """
    make, _ = ACCURACIES[metric]
    return make(score, positive, np.arange(len(score)), len(score)).value()
