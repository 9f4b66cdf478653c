"""Statistics of scores that should rank one class above the other: AUROC, EER, oracle F1, overlap.

Conventions are those of `roc`: higher means positive, and a threshold t calls positive every row with score ≥ t. The
vertices of a replicate's curve are the distinct scores of the rows drawn. All is undefined where a class has no rows,
except oracle F1, which needs only positives, and overlap, which needs as many rows of each class as it has bins.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from earmark.statistics.roc import Roc, error_rates
from earmark.statistics.statistic import Weighted, divide, in_blocks, wide_enough
from earmark.statistics.wins import WinMatrix

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from earmark.statistics.statistic import Bools, Counted, Floats, Ints

_MATRIX_ENTRIES = 2**22  # 32 MiB
_MATRIX_ENTRIES_PER_ROW = 128  # measured: about where a thousand replicates cost the same either way


@dataclass(frozen=True, eq=False)
class _OfRoc(Weighted):
    """A statistic computed from a curve, a block of replicates at a time."""

    why_undefined: ClassVar[str] = "a class has no rows"

    roc: Roc

    @classmethod
    def of_rows(cls, score: ArrayLike, label: ArrayLike, cluster: ArrayLike, clusters: int) -> Self:
        """The statistic of finite scores (n,) for boolean labels (n,), in clusters (n,) numbered 0 … `clusters` − 1."""
        return cls(Roc.of_rows(score, label, cluster, clusters))

    @property
    def support(self) -> Bools:
        """(C,) bool: which clusters hold rows."""
        return self.roc.support

    def replicates(self, weights: Floats) -> Floats:
        """(B,) values under (B, C) weights; NaN where undefined."""
        if not self.roc.rows:
            return np.full(len(weights), np.nan)
        with np.errstate(invalid="ignore"):  # a class without weight: 0 / 0 is the NaN that is promised
            return in_blocks(weights, self.roc.rows + 1, self._block)

    @abstractmethod
    def _block(self, weights: Floats) -> Floats:
        """(b,) values under (b, C) weights; NaN where undefined."""


@dataclass(frozen=True, eq=False)
class Auroc(_OfRoc):
    """Area under the curve: the chance that a positive outranks a negative, ties one half.

    Exact, by one of two ways that agree to the last bit: through the win matrix a replicate costs clusters², without
    it a replicate is the trapezoidal area of its own curve and costs n.

    Attributes:
        roc: The rows.
        wins: Their win matrix; None to do without.
    """

    wins: WinMatrix | None = None

    @classmethod
    def of(cls, roc: Roc) -> Self:
        """With the win matrix where that is the faster way, and small enough."""
        entries = np.unique(roc.positives).size * np.unique(roc.negatives).size
        pays = entries <= min(_MATRIX_ENTRIES, _MATRIX_ENTRIES_PER_ROW * roc.rows)
        return cls(roc, WinMatrix.of(roc) if pays else None)

    @classmethod
    def of_rows(cls, score: ArrayLike, label: ArrayLike, cluster: ArrayLike, clusters: int) -> Self:
        """The AUROC of finite scores (n,) for boolean labels (n,), in clusters (n,) numbered 0 … `clusters` − 1.

        >>> Auroc.of_rows([0.9, -0.2, 0.4, -0.8], [True, True, False, False], [0, 1, 1, 2], 3).value()
        0.75
        """
        return cls.of(Roc.of_rows(score, label, cluster, clusters))

    def replicates(self, weights: Floats) -> Floats:
        """(B,) areas under (B, C) weights; NaN where a class is not drawn."""
        return super().replicates(weights) if self.wins is None else self.wins.win_rate(weights)

    def _block(self, weights: Floats) -> Floats:
        hits, alarms = self.roc.counts(weights)
        twice: Ints = np.einsum("bt,bt->b", np.diff(alarms), hits[:, 1:] + hits[:, :-1], dtype=np.int64)
        return twice / 2 / (hits[:, -1].astype(np.int64) * alarms[:, -1])


@dataclass(frozen=True, eq=False)
class EerInterpolated(_OfRoc):
    """Equal error rate: FPR = FNR where the polygon through the curve's vertices crosses that line."""

    def _block(self, weights: Floats) -> Floats:
        hits, alarms = self.roc.counts(weights)
        after = self.roc.crossing(weights)
        before, missed_before = error_rates(hits, alarms, after - 1)
        later, missed_later = error_rates(hits, alarms, after)
        gap_before, gap_later = missed_before - before, missed_later - later
        crossing: Floats = before + (later - before) * (gap_before / (gap_before - gap_later))
        return crossing


@dataclass(frozen=True, eq=False)
class EerNearest(_OfRoc):
    """Equal error rate at the nearest vertex: the mean of FPR and FNR where |FNR − FPR| is least.

    That is StanceBench's. The vertices are those of scikit-learn's `roc_curve` as it is called by default: of the
    distinct scores, those between two equal steps are left out; of equally near vertices the one of the highest
    threshold is taken. Unlike the interpolated rate it is not symmetric in the classes.
    """

    def _block(self, weights: Floats) -> Floats:
        hits, alarms = self.roc.counts(weights)
        # FNR − FPR falls from 1 to −1, so that the nearest vertex is one of the two about its change of sign.
        rates = [error_rates(hits, alarms, at) for at in _corners(hits, alarms, self.roc.crossing(weights))]
        before, later = (np.abs(fnr - fpr) for fpr, fnr in rates)
        nearest: Floats = np.where(before <= later, *(fpr + fnr for fpr, fnr in rates)) / 2
        return nearest


@dataclass(frozen=True, eq=False)
class OracleF1(_OfRoc):
    """The largest F1 of the positive class, 2 TP / (2 TP + FP + FN), that any threshold gives.

    Calling everything positive is one of the thresholds. It is chosen on the rows it is measured on, and so an upper
    bound, not an estimate.
    """

    why_undefined: ClassVar[str] = "no positive rows"

    def _block(self, weights: Floats) -> Floats:
        best: Floats = self.roc.f1(weights).max(axis=1)
        return best


@dataclass(frozen=True, eq=False)
class OracleThreshold(OracleF1):
    """The threshold that gives the largest F1: of equally good ones the highest, a score of the rows."""

    def _block(self, weights: Floats) -> Floats:
        f1 = self.roc.f1(weights)
        # Nothing called positive is best only where there are no positives, and there F1 is undefined.
        best: Floats = self.roc.thresholds[np.maximum(np.argmax(f1, axis=1) - 1, 0)]
        return np.where(np.isnan(f1[:, 0]), np.nan, best)


@dataclass(frozen=True, eq=False)
class Overlap(_OfRoc):
    """Overlapping coefficient of the two classes' score distributions (Weitzman 1970).

    It is Σ min(share of positives, share of negatives) over equal bins: 1 where the histograms are the same, 0 where
    they are disjoint. A few rows in many bins hardly ever meet, whatever they were drawn from, so it is undefined where
    a class has fewer rows than there are bins, in a replicate as in the rows as they are.

    Attributes:
        roc: The rows, whose scores are in [−1, 1].
        bins: Number of equal bins on [−1, 1], each closed below and open above but the last, which is closed.
    """

    bins: int = 20

    def __post_init__(self) -> None:
        if self.bins < 1:
            raise ValueError(f"bins is {self.bins}, less than 1")
        if (np.abs(self.roc.thresholds) > 1).any():
            raise ValueError(
                f"scores reach from {self.roc.thresholds[-1]} to {self.roc.thresholds[0]}, outside [-1, 1]"
            )

    @classmethod
    def of_rows(cls, score: ArrayLike, label: ArrayLike, cluster: ArrayLike, clusters: int, bins: int = 20) -> Self:
        """The overlap of scores in [−1, 1], (n,), for boolean labels (n,), in clusters (n,) numbered 0 … `clusters` − 1."""
        return cls(Roc.of_rows(score, label, cluster, clusters), bins)

    @cached_property
    def _edges(self) -> Ints:
        """(bins + 1,) number of thresholds at or above each edge, from the lowest edge to the highest, which has none above."""
        # Rounded, so that a score written 0.3 lies on the edge that is meant to be there.
        inner = np.round(np.linspace(-1, 1, self.bins + 1)[1:-1], 12)
        above = np.searchsorted(-self.roc.thresholds, -inner, side="right")
        return np.concatenate([[self.roc.thresholds.size], above, [0]]).astype(np.int64)

    def _block(self, weights: Floats) -> Floats:
        shares = []
        for reached in self.roc.counts(weights):
            rows = reached[:, -1:].astype(np.float64)
            counts = -np.diff(reached.take(self._edges, axis=1), axis=1)
            shares.append(divide(counts.astype(np.float64), np.where(rows < self.bins, 0.0, rows)))
        overlaps: Floats = np.minimum(*shares).sum(axis=1)
        return overlaps

    def reason(self) -> str | None:
        """Why `value()` is None; None where it is not."""
        fewer = min(self.roc.positives.size, self.roc.negatives.size) < self.bins
        return f"a class has fewer rows than the histogram has bins ({self.bins})" if fewer else None


def _corners(hits: Counted, alarms: Counted, after: Ints) -> tuple[Ints, Ints]:
    """The last vertex before a drawn one, and the first from it on, that scikit-learn's `roc_curve` keeps.

    It keeps (0, 0), the first score drawn, and of the others those whose step is not the next one's.

    Args:
        hits: (b, T + 1) positives at each threshold.
        alarms: (b, T + 1) negatives at each threshold.
        after: (b,) the vertex, from 1 on.

    Returns:
        (b,) and (b,): numbers of vertices, or of such as have the same place on the curve.
    """
    # A number for each kind of step; 0 where nothing is drawn.
    kinds = int(alarms.max()) + 1
    number = wide_enough(hits, (int(hits.max()) + 1) * kinds) * kinds
    number += alarms
    step = number[:, 1:] - number[:, :-1]
    vertex = np.arange(1, hits.shape[1])
    row = np.arange(len(hits))
    drawn = step != 0
    first = np.argmax(drawn, axis=1) + 1
    # Within the run of equal steps that the vertex is in, what is not drawn counting for nothing, none but the last is kept.
    other = drawn & (step != step[row, after - 1][:, None])
    before = np.where(other & (vertex < after[:, None]), vertex, 0).max(axis=1)
    beyond = other & (vertex > after[:, None])
    end = np.argmax(beyond, axis=1)
    end[~beyond[row, end]] = hits.shape[1] - 1
    return np.where(first < after, np.maximum(before, first), 0), np.where(first == after, after, end)
