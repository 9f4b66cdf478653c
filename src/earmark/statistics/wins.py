"""The cluster-by-cluster win matrix: all that AUROC needs of the rows.

K[c, d] is the number of pairs of a positive in cluster c and a negative in cluster d that are ranked rightly, ties
one half. A replicate with weights w has AUROC w K w′ / (w·p)(w·n), where p and n are the numbers of positives and
negatives per cluster: whatever the number of rows, it costs clusters². (The sum over pairs is the Mann–Whitney U:
Hanley and McNeil 1982; its split by cluster is that of Obuchowski 1997.)
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Self

import numpy as np

from earmark.statistics.blas import one_thread
from earmark.statistics.statistic import divide, per_cluster

if TYPE_CHECKING:
    from earmark.statistics.roc import Roc
    from earmark.statistics.statistic import Floats, Ints

_PAIRS = 2**20  # compared at a time


@dataclass(frozen=True, eq=False)
class WinMatrix:
    """K, without the rows and columns of clusters that have no positive or no negative.

    Attributes:
        rows: (R,) the clusters with positives, ascending.
        columns: (Q,) the clusters with negatives, ascending.
        wins: (R, Q) multiples of one half.
        positives: (R,) number of positives in each of `rows`.
        negatives: (Q,) number of negatives in each of `columns`.
    """

    rows: Ints
    columns: Ints
    wins: Floats
    positives: Floats
    negatives: Floats

    @classmethod
    def of(cls, roc: Roc) -> Self:
        """Count the wins.

        The order is cut into windows of rows. A positive beats every negative of a later window; summed over windows
        that is one matrix product of counts per window and cluster. Within a window it is given one half of each
        negative, which is right for ties, and pairs of unequal score are put right one by one. A run of equal scores
        that crosses a window's edge has a window to itself, so that long runs of ties are never compared pair by
        pair.
        """
        rows, row = np.unique(roc.positives, return_inverse=True)
        columns, column = np.unique(roc.negatives, return_inverse=True)
        size = max(32, max(rows.size, columns.size) // 4)  # balances the product against the pairs

        starts = roc.positives_from + roc.negatives_from  # of each run, in rows
        first, last = starts[:-1] // size, (starts[1:] - 1) // size
        window = np.unique(first + last, return_inverse=True)[1]  # 2 k within window k, and between those on its edges
        run_of_positive = np.repeat(np.arange(first.size), np.diff(roc.positives_from))
        run_of_negative = np.repeat(np.arange(first.size), np.diff(roc.negatives_from))
        windows = first.size and int(window[-1]) + 1
        above = _table(window[run_of_positive], row, windows, rows.size)
        here = _table(window[run_of_negative], column, windows, columns.size)
        with one_thread():
            wins = (np.cumsum(above, axis=0) - above / 2).T @ here

        shared = first == last
        p, n = shared[run_of_positive], shared[run_of_negative]
        wins += _corrections(window, run_of_positive[p], row[p], run_of_negative[n], column[n], wins.shape)
        return cls(rows, columns, wins, per_cluster(row, rows.size), per_cluster(column, columns.size))

    def win_rate(self, weights: Floats) -> Floats:
        """(B,) AUROC under (B, C) weights; NaN where a class is not drawn."""
        by_row, by_column = weights.take(self.rows, axis=1), weights.take(self.columns, axis=1)
        won = np.einsum("br,br->b", by_row, by_column @ self.wins.T)
        return divide(won, (by_row @ self.positives) * (by_column @ self.negatives))


def _table(window: Ints, member: Ints, windows: int, members: int) -> Floats:
    """(windows, members) numbers of rows."""
    return per_cluster(window * members + member, windows * members).reshape(windows, members)


def _corrections(window: Ints, above: Ints, row: Ints, below: Ints, column: Ints, shape: tuple[int, int]) -> Floats:
    """Plus one half for each positive above a negative of its own window, minus one half for each below.

    Args:
        window: (T,) window of each run of equal scores, non-decreasing.
        above: (p,) run of each positive, non-decreasing.
        row: (p,) its row of K.
        below: (q,) run of each negative, non-decreasing.
        column: (q,) its column of K.
        shape: Shape of K.

    Returns:
        float64 of that shape.
    """
    begin = np.searchsorted(window[below], window[above], side="left")
    count = np.searchsorted(window[below], window[above], side="right") - begin
    corrections = np.zeros(shape[0] * shape[1])
    edges = np.searchsorted(np.cumsum(count), np.arange(0, count.sum() + _PAIRS, _PAIRS), side="right")
    for i, j in pairwise(edges):
        positive = np.repeat(np.arange(i, j), count[i:j])
        offset = np.cumsum(count[i:j]) - count[i:j]
        negative = np.arange(positive.size) - np.repeat(offset - begin[i:j], count[i:j])
        halves = np.sign(below[negative] - above[positive]) / 2
        corrections += np.bincount(row[positive] * shape[1] + column[negative], halves, corrections.size)
    return corrections.reshape(shape)
