"""Rows of two classes sorted by score, and the receiver operating characteristic of any weighting of their clusters.

Conventions: a higher score means positive; a threshold t calls positive every row with score ≥ t; rows with equal
scores are never told apart. Scores are sorted once; a replicate's curve is a cumulative sum of weights over that
order, from (0, 0), nothing called positive, to (1, 1), everything.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from earmark.statistics.statistic import Latest, as_codes, as_flags, as_values, draws_of_rows, present, wide_enough

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from earmark.statistics.statistic import Bools, Counted, Floats, Ints


@dataclass(frozen=True, eq=False)
class Roc:
    """Rows of two classes by descending score.

    Attributes:
        clusters: Number of clusters C.
        thresholds: (T,) the distinct scores, descending.
        positives: (P,) cluster of each positive row, by descending score.
        negatives: (N,) cluster of each negative row, by descending score.
        positives_from: (T + 1,) number of positive rows with score ≥ threshold, after a leading 0.
        negatives_from: (T + 1,) the same of negative rows.
    """

    clusters: int
    thresholds: Floats
    positives: Ints
    negatives: Ints
    positives_from: Ints
    negatives_from: Ints

    @classmethod
    def of_rows(cls, score: ArrayLike, label: ArrayLike, cluster: ArrayLike, clusters: int) -> Self:
        """Sort the rows.

        Args:
            score: (n,) finite numbers.
            label: (n,) booleans, true for positive.
            cluster: (n,) whole numbers in [0, clusters).
            clusters: Number of clusters C.

        Raises:
            ValueError: A column is not of that kind.
        """
        scores = as_values(score, "score")
        labels = as_flags(label, "label", scores.size)
        members = as_codes(cluster, "cluster", clusters, scores.size)
        order = np.argsort(-scores, kind="stable")
        scores, labels, members = scores[order], labels[order], members[order]
        last = run_ends(scores)
        hits = np.cumsum(labels)[last]
        return cls(
            clusters,
            scores[last],
            members[labels],
            members[~labels],
            np.append(0, hits),
            np.append(0, last + 1 - hits),
        )

    @property
    def support(self) -> Bools:
        """(C,) bool: which clusters hold rows."""
        return present(self.clusters, self.positives, self.negatives)

    @property
    def rows(self) -> int:
        """Number of rows of either class."""
        return self.positives.size + self.negatives.size

    @cached_property
    def counts(self) -> Latest[Floats, tuple[Counted, Counted]]:
        """True and false positives at each threshold, from none called positive to all.

        A function of weights, (b, C) float64, whole numbers of at least 0. It gives two (b, T + 1) arrays of whole
        numbers, int32 where that holds four times as much, non-decreasing along rows, which every statistic of this curve reads
        and none may change.
        """
        return Latest(self._counts)

    @cached_property
    def crossing(self) -> Latest[Floats, Ints]:
        """The first of those thresholds, from 1 on, at which FNR is not above FPR, (b,); 1 where a class is not drawn.

        A function of the same weights.
        """
        return Latest(self._crossing)

    @cached_property
    def f1(self) -> Latest[Floats, Floats]:
        """F1 of the positives at the same thresholds, (b, T + 1); the first is NaN where no positive is drawn."""
        return Latest(self._f1)

    def _counts(self, weights: Floats) -> tuple[Counted, Counted]:
        hits = cumulative(weights, self.positives).take(self.positives_from, axis=1)
        alarms = cumulative(weights, self.negatives).take(self.negatives_from, axis=1)
        return hits, alarms

    def _crossing(self, weights: Floats) -> Ints:
        hits, alarms = self.counts(weights)
        # 1 − hits / P ≤ alarms / N, in whole numbers
        most = 2 * int(hits[:, -1].max()) * int(alarms[:, -1].max())
        positives, negatives = wide_enough(hits[:, -1:], most), wide_enough(alarms[:, -1:], most)
        crossed = hits * negatives + alarms * positives >= positives * negatives
        first: Ints = np.maximum(1, np.argmax(crossed, axis=1))
        return first

    def _f1(self, weights: Floats) -> Floats:
        hits, alarms = self.counts(weights)
        with np.errstate(invalid="ignore"):
            f1: Floats = 2 * hits / (hits + alarms + hits[:, -1:])
        return f1


def error_rates(hits: Counted, alarms: Counted, at: Ints) -> tuple[Floats, Floats]:
    """FPR and FNR of each replicate at one vertex of its curve, (b,) each; NaN without the class.

    Args:
        hits: (b, T + 1) as `Roc.counts` has them.
        alarms: (b, T + 1) the same.
        at: (b,) the vertices.
    """
    row = np.arange(len(at))
    with np.errstate(invalid="ignore"):  # a class without weight: 0 / 0 is the NaN that is promised
        fpr: Floats = alarms[row, at] / alarms[:, -1]
        fnr: Floats = 1 - hits[row, at] / hits[:, -1]
    return fpr, fnr


def run_ends(values: Floats) -> Ints:
    """(T,) index of the last entry of each run of equal values of a sorted (n,) array."""
    return np.flatnonzero(np.append(values[1:] != values[:-1], np.ones(min(1, values.size), np.bool_)))


def cumulative(weights: Floats, members: Ints) -> Counted:
    """(b, n + 1) sums of the (b, C) weights over the first 0 … n rows, whose clusters are `members` (n,)."""
    drawn = draws_of_rows(weights, members)
    sums = np.zeros((len(weights), members.size + 1), drawn.dtype)
    np.cumsum(drawn, axis=1, out=sums[:, 1:])
    return sums
