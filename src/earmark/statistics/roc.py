"""Rows of two classes sorted by score, and the receiver operating characteristic of any weighting of their clusters.

Conventions: a higher score means positive; a threshold t calls positive every row with score ≥ t; rows with equal
scores are never told apart. Scores are sorted once; a replicate's curve is a cumulative sum of weights over that
order, from (0, 0), nothing called positive, to (1, 1), everything.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from earmark.statistics.statistic import Latest, as_codes, as_flags, as_values, draws_of_rows, present

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from earmark.statistics.statistic import Bools, Counted, Floats, Ints


class Errors(NamedTuple):
    """Error rates at each threshold of a curve; NaN where a class is not drawn.

    Attributes:
        fpr: (b, T + 1) false-positive rates, from 0 up to 1.
        fnr: (b, T + 1) false-negative rates, from 1 down to 0.
        gap: (b, T + 1) `fnr` − `fpr`, from 1 down to −1.
        after: (b,) the first threshold, from 1 on, at which the gap is not above 0; 1 where it is NaN.
    """

    fpr: Floats
    fnr: Floats
    gap: Floats
    after: Ints


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
    def errors(self) -> Latest[Floats, Errors]:
        """The two error rates at the same thresholds, and where they cross."""
        return Latest(self._errors)

    @cached_property
    def f1(self) -> Latest[Floats, Floats]:
        """F1 of the positives at the same thresholds, (b, T + 1); the first is NaN where no positive is drawn."""
        return Latest(self._f1)

    def _counts(self, weights: Floats) -> tuple[Counted, Counted]:
        hits = cumulative(weights, self.positives).take(self.positives_from, axis=1)
        alarms = cumulative(weights, self.negatives).take(self.negatives_from, axis=1)
        return hits, alarms

    def _errors(self, weights: Floats) -> Errors:
        hits, alarms = self.counts(weights)
        with np.errstate(invalid="ignore"):  # a class without weight: 0 / 0 is the NaN that is promised
            fpr, fnr = alarms / alarms[:, -1:], 1 - hits / hits[:, -1:]
            gap = fnr - fpr
            return Errors(fpr, fnr, gap, np.maximum(1, np.argmax(gap <= 0, axis=1)))

    def _f1(self, weights: Floats) -> Floats:
        hits, alarms = self.counts(weights)
        with np.errstate(invalid="ignore"):
            f1: Floats = 2 * hits / (hits + alarms + hits[:, -1:])
        return f1


def run_ends(values: Floats) -> Ints:
    """(T,) index of the last entry of each run of equal values of a sorted (n,) array."""
    return np.flatnonzero(np.append(values[1:] != values[:-1], np.ones(min(1, values.size), np.bool_)))


def cumulative(weights: Floats, members: Ints) -> Counted:
    """(b, n + 1) sums of the (b, C) weights over the first 0 … n rows, whose clusters are `members` (n,)."""
    drawn = draws_of_rows(weights, members)
    sums = np.zeros((len(weights), members.size + 1), drawn.dtype)
    np.cumsum(drawn, axis=1, out=sums[:, 1:])
    return sums
