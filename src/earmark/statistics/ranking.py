"""Statistics of scores that should rank one class above the other: AUROC, EER, oracle F1, overlap.

Conventions are those of `roc`: higher means positive, and a threshold t calls positive every row with score ≥ t. The
vertices of a replicate's curve are the distinct scores of the rows drawn. All is undefined where a class has no rows,
except oracle F1, which needs only positives, and overlap, which needs as many rows of each class as it has bins.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from earmark.statistics.roc import Roc
from earmark.statistics.statistic import Weighted, as_codes, as_flags, as_values, divide, in_blocks
from earmark.statistics.wins import WinMatrix

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from earmark.statistics.statistic import Bools, Floats, Ints

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
        twice: Ints = np.einsum("bt,bt->b", np.diff(alarms), hits[:, 1:] + hits[:, :-1])
        return twice / 2 / (hits[:, -1] * alarms[:, -1])


@dataclass(frozen=True, eq=False)
class EerInterpolated(_OfRoc):
    """Equal error rate: FPR = FNR where the polygon through the curve's vertices crosses that line."""

    def _block(self, weights: Floats) -> Floats:
        fpr, fnr = self.roc.errors(weights)
        gap = fnr - fpr  # falls from 1 to −1
        after = np.maximum(1, np.argmax(gap <= 0, axis=1))[:, None]  # 1 where all is NaN
        before_gap, after_gap = np.take_along_axis(gap, after - 1, 1), np.take_along_axis(gap, after, 1)
        before, later = np.take_along_axis(fpr, after - 1, 1), np.take_along_axis(fpr, after, 1)
        crossing: Floats = before + (later - before) * (before_gap / (before_gap - after_gap))
        return crossing[:, 0]


@dataclass(frozen=True, eq=False)
class EerNearest(_OfRoc):
    """Equal error rate at the nearest vertex: the mean of FPR and FNR where |FNR − FPR| is least.

    That is StanceBench's. The vertices are those of scikit-learn's `roc_curve` as it is called by default: of the
    distinct scores, those between two equal steps are left out; of equally near vertices the one of the highest
    threshold is taken. Unlike the interpolated rate it is not symmetric in the classes.
    """

    def _block(self, weights: Floats) -> Floats:
        hits, alarms = self.roc.counts(weights)
        fpr, fnr = self.roc.errors(weights)
        distance = np.where(_corners(np.diff(hits), np.diff(alarms)), np.abs(fnr - fpr), np.inf)
        nearest = np.argmin(distance, axis=1)[:, None]
        return (np.take_along_axis(fpr, nearest, 1) + np.take_along_axis(fnr, nearest, 1))[:, 0] / 2


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
class Overlap(Weighted):
    """Overlapping coefficient of the two classes' score distributions (Weitzman 1970).

    It is Σ min(share of positives, share of negatives) over equal bins: 1 where the histograms are the same, 0 where
    they are disjoint. A few rows in many bins hardly ever meet, whatever they were drawn from, so it is undefined where
    a class has fewer rows than there are bins, in a replicate as in the rows as they are.

    Attributes:
        positives: (C, bins) number of positive rows.
        negatives: (C, bins) number of negative rows.
    """

    positives: Floats
    negatives: Floats

    @classmethod
    def of_rows(cls, score: ArrayLike, label: ArrayLike, cluster: ArrayLike, clusters: int, bins: int = 20) -> Self:
        """Count scores in equal bins on [−1, 1], each closed below and open above but the last, which is closed.

        Args:
            score: (n,) numbers in [−1, 1].
            label: (n,) booleans, true for positive.
            cluster: (n,) whole numbers in [0, clusters).
            clusters: Number of clusters C.
            bins: Number of bins, at least 1.

        Raises:
            ValueError: A column is not of that kind.
        """
        scores = as_values(score, "score")
        labels = as_flags(label, "label", scores.size)
        members = as_codes(cluster, "cluster", clusters, scores.size)
        if bins < 1:
            raise ValueError(f"bins is {bins}, less than 1")
        if (outside := np.abs(scores) > 1).any():
            raise ValueError(f"score is {scores[outside][0]}, outside [-1, 1], in row {int(np.argmax(outside))}")
        # Rounded, so that a score written 0.3 lies on the edge that is meant to be there.
        inner = np.round(np.linspace(-1, 1, bins + 1)[1:-1], 12)
        cell = members * bins + np.searchsorted(inner, scores, side="right")
        tables = [np.bincount(cell[of], minlength=clusters * bins).reshape(clusters, bins) for of in (labels, ~labels)]
        return cls(tables[0].astype(np.float64), tables[1].astype(np.float64))

    @property
    def support(self) -> Bools:
        """(C,) bool: which clusters hold rows."""
        support: Bools = (self.positives + self.negatives).sum(axis=1) > 0
        return support

    def replicates(self, weights: Floats) -> Floats:
        """(B,) overlaps under (B, C) weights; NaN where fewer rows of a class are drawn than there are bins."""
        bins = self.positives.shape[1]
        shares = []
        for counts in (weights @ self.positives, weights @ self.negatives):
            rows = counts.sum(axis=1, keepdims=True)
            shares.append(divide(counts, np.where(rows < bins, 0.0, rows)))
        overlaps: Floats = np.minimum(*shares).sum(axis=1)
        return overlaps

    def reason(self) -> str | None:
        """Why `value()` is None; None where it is not."""
        bins = self.positives.shape[1]
        fewer = min(self.positives.sum(), self.negatives.sum()) < bins
        return f"a class has fewer rows than the histogram has bins ({bins})" if fewer else None


def _corners(hits: Ints, alarms: Ints) -> Bools:
    """Which vertices scikit-learn's `roc_curve` keeps, but for the last: (1, 1) is no nearer to equal errors than (0, 0).

    Args:
        hits: (b, T) positives at each threshold.
        alarms: (b, T) negatives at each threshold.

    Returns:
        (b, T + 1), from (0, 0) on: that, each row's first drawn score, and those drawn whose step is not the next one's.
    """
    kept = np.ones((len(hits), hits.shape[1] + 1), np.bool_)
    step = hits * (alarms.max() + 1) + alarms  # a number for each kind of step; 0 where nothing is drawn
    drawn = step > 0
    steps = step[drawn]
    corner = np.append(steps[1:] != steps[:-1], True)[: steps.size]
    first = np.cumsum(np.append(0, np.count_nonzero(drawn, axis=1)))  # of each row, and one past the end
    corner[first[first < steps.size]] = True
    kept[:, 1:] = drawn
    kept[:, 1:][drawn] = corner
    return kept
