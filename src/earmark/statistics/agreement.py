"""Rank correlation, and agreement between raters who each rated some of the items.

Spearman's coefficient is Pearson's of average ranks. It is undefined for fewer than two rows and where either column
is constant.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, Self

import numpy as np

from earmark.statistics.roc import run_ends
from earmark.statistics.statistic import Weighted, as_codes, as_values, divide, draws_of_rows, in_blocks, present

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from earmark.statistics.statistic import Bools, Floats, Ints


class Ranked(NamedTuple):
    """A column of n values with T distinct ones."""

    order: Ints  # (n,) rows by ascending value
    ends: Ints  # (T,) last place of each run of equal values in that order
    run: Ints  # (n,) run of each row

    @classmethod
    def of(cls, values: Floats) -> Self:
        """Rank a column (n,) of finite numbers."""
        order = np.argsort(values, kind="stable")
        ends = run_ends(values[order])
        run = np.empty(values.size, np.int64)
        run[order] = np.repeat(np.arange(ends.size), np.diff(ends, prepend=-1))
        return cls(order, ends, run)

    def centred(self, drawn: Ints) -> Floats:
        """Twice the average rank less twice its mean, (b, n): whole numbers, with the rows drawn (b, n) times."""
        upto = np.cumsum(drawn.take(self.order, axis=1), axis=1).take(self.ends, axis=1)
        before = np.pad(upto[:, :-1], ((0, 0), (1, 0)))
        return (before + upto - upto[:, -1:]).take(self.run, axis=1).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Spearman(Weighted):
    """Spearman's rank correlation of two columns.

    Attributes:
        first: Ranks of the one column.
        second: Ranks of the other.
        members: (n,) cluster of each row.
        clusters: Number of clusters C.
    """

    why_undefined: ClassVar[str] = "fewer than two rows, or a constant column"

    first: Ranked
    second: Ranked
    members: Ints
    clusters: int

    @classmethod
    def of_rows(cls, first: ArrayLike, second: ArrayLike, cluster: ArrayLike, clusters: int) -> Self:
        """Rank two columns.

        Args:
            first: (n,) finite numbers.
            second: (n,) finite numbers.
            cluster: (n,) whole numbers in [0, clusters).
            clusters: Number of clusters C.

        Raises:
            ValueError: A column is not of that kind.
        """
        x = as_values(first, "first")
        y = as_values(second, "second", x.size)
        return cls(Ranked.of(x), Ranked.of(y), as_codes(cluster, "cluster", clusters, x.size), clusters)

    @property
    def support(self) -> Bools:
        """(C,) bool: which clusters hold rows."""
        return present(self.clusters, self.members)

    def replicates(self, weights: Floats) -> Floats:
        """(B,) coefficients under (B, C) weights; NaN where undefined."""
        if not self.members.size:
            return np.full(len(weights), np.nan)
        return in_blocks(weights, self.members.size, self._block)

    def _block(self, weights: Floats) -> Floats:
        counts = draws_of_rows(weights, self.members).astype(np.int64)
        x, y = self.first.centred(counts), self.second.centred(counts)
        of_rows = counts.astype(np.float64)
        covariance, x_variance, y_variance = (
            np.einsum("bn,bn,bn->b", of_rows, u, v) for u, v in ((x, y), (x, x), (y, y))
        )
        return np.clip(divide(covariance, np.sqrt(x_variance * y_variance)), -1, 1)


def spearman(first: ArrayLike, second: ArrayLike) -> float | None:
    """Spearman's rank correlation of two columns (n,) of finite numbers; None where undefined.

    >>> spearman([1, 2, 3, 4], [1, 3, 2, 4])
    0.8
    """
    n = np.size(first)
    return Spearman.of_rows(first, second, np.arange(n), n).value()


class PairAgreement(NamedTuple):
    """How two raters agree on the items that both rated; each figure None where undefined."""

    first: int
    second: int
    overlap: int
    spearman: float | None
    exact: float | None
    sign: float | None


class MeanAgreement(NamedTuple):
    """A figure averaged over the pairs of raters for whom it is defined.

    Attributes:
        plain: Every pair weighs the same; None where no pair has the figure.
        weighted: A pair weighs as many items as both rated.
        pairs: Number of pairs averaged.
        reason: Why there is no mean; None where there is one.
    """

    plain: float | None
    weighted: float | None
    pairs: int
    reason: str | None


def pairwise_agreement(ratings: ArrayLike) -> list[PairAgreement]:
    """Compare every two raters on the items that both rated.

    `exact` is the share of items with equal ratings, `sign` that with ratings of equal sign (0 agrees only with 0).

    Args:
        ratings: (raters, items) float64; NaN where a rater did not rate an item.

    Returns:
        One record for each pair of raters, in order.

    Raises:
        ValueError: `ratings` is not a table, or holds infinities.
    """
    table = np.asarray(ratings, np.float64)
    if table.ndim != 2 or np.isinf(table).any():
        raise ValueError(
            f"ratings must be a (raters, items) table of finite numbers or NaN; its shape is {table.shape}"
        )
    pairs = []
    for first, second in combinations(range(len(table)), 2):
        both = ~np.isnan(table[first]) & ~np.isnan(table[second])
        x, y = table[first, both], table[second, both]
        if not x.size:
            pairs.append(PairAgreement(first, second, 0, None, None, None))
            continue
        exact, sign = float(np.mean(x == y)), float(np.mean(np.sign(x) == np.sign(y)))
        pairs.append(PairAgreement(first, second, x.size, spearman(x, y), exact, sign))
    return pairs


def mean_agreement(pairs: Sequence[PairAgreement], figure: Literal["spearman", "exact", "sign"]) -> MeanAgreement:
    """Average one figure over pairs of raters, leaving out those for whom it is undefined."""
    defined = [(value, pair.overlap) for pair in pairs if (value := getattr(pair, figure)) is not None]
    if not defined:
        return MeanAgreement(None, None, 0, f"{figure} is undefined for every pair of raters")
    values, overlaps = np.array(defined, np.float64).T
    return MeanAgreement(float(values.mean()), float(values @ overlaps / overlaps.sum()), len(defined), None)
