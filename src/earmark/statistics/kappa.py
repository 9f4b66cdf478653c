"""Agreement between raters on unordered labels, less what chance would give.

All are of items, each labelled by some of the raters, none twice by one rater; an item in a bootstrap is repeated with all its
labels. With n_ij the number of raters who gave item i label j, m_i their sum and P_i = Σ_j n_ij (n_ij − 1) / (m_i (m_i − 1)):

- *observed agreement*: the mean of P_i over items with two labels or more.
- *Cohen's κ* of two raters (1960): over the items that both labelled, (p_o − p_e) / (1 − p_e), p_e by each rater's own shares.
- *Fleiss' κ* (1971): (mean P_i − Σ_j p_j²) / (1 − Σ_j p_j²). Where items have unequal numbers of labels, p_j is the mean over the
  items with two labels or more of n_ij / m_i (Gwet 2014, section 2.4): every item weighs the same, and it is Fleiss' own where
  the numbers are equal.
- *Krippendorff's α*, nominal (2011): 1 − D_o / D_e over the same items, every label weighing the same: D_o is the share of
  disagreeing pairs with an item's pairs weighing 1 / (m_i − 1) each, D_e that of two labels drawn from all without replacement.

κ and α are undefined, not 0 or 1, where chance alone would agree always: where all labels are one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from earmark.statistics.rates import Ratio
from earmark.statistics.statistic import Weighted, as_codes, divide, present

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from earmark.statistics.statistic import Bools, Floats, Ints

MISSING = -1
"""Code of a label that was not given."""


def label_counts(labels: ArrayLike, categories: int) -> Ints:
    """How many raters gave each item each label.

    Args:
        labels: (raters, items) whole numbers in [0, categories), or `MISSING`.
        categories: Number of labels K.

    Returns:
        (items, K) int64.

    Raises:
        ValueError: `labels` is not such a table.

    >>> label_counts([[0, 1], [0, -1]], categories=2).tolist()
    [[2, 0], [0, 1]]
    """
    table = np.asarray(labels)
    if table.ndim != 2:
        raise ValueError(f"labels has shape {table.shape}, not (raters, items)")
    raters, items = table.shape
    codes = as_codes(table.ravel() + 1, "labels, counted from MISSING,", categories + 1, table.size)
    place = np.tile(np.arange(items), raters) * (categories + 1) + codes
    counts: Ints = np.bincount(place, minlength=items * (categories + 1)).reshape(items, categories + 1)[:, 1:]
    return counts


def observed_agreement(counts: ArrayLike, cluster: ArrayLike, clusters: int) -> Ratio:
    """The mean over items of the share of pairs of raters that agree; undefined where no item has two labels.

    Args:
        counts: (n, K) whole numbers: raters who gave each item each label.
        cluster: (n,) whole numbers in [0, clusters).
        clusters: Number of clusters C.

    Raises:
        ValueError: An argument is not of that kind.
    """
    table, members = _several(counts, cluster, clusters)
    return Ratio.of_rows(1 - _disagreement(table), members, clusters)


@dataclass(frozen=True, eq=False)
class CohenKappa(Weighted):
    """Cohen's κ of two raters.

    Attributes:
        members: (c,) the clusters that hold items which both labelled: of a crowd every two share few.
        confusion: (c, K²) items of each of them with each two labels.
        clusters: Number of clusters C.
    """

    why_undefined: ClassVar[str] = "the two raters share no item, or gave all shared items one label"

    members: Ints
    confusion: Floats
    clusters: int

    @classmethod
    def of_rows(cls, first: ArrayLike, second: ArrayLike, cluster: ArrayLike, clusters: int, categories: int) -> Self:
        """Compare the labels of two raters.

        Args:
            first: (n,) whole numbers in [0, categories), or `MISSING`.
            second: (n,) the same of the other.
            cluster: (n,) whole numbers in [0, clusters).
            clusters: Number of clusters C.
            categories: Number of labels K.

        Raises:
            ValueError: An argument is not of that kind.
        """
        size = np.size(first)
        one, other = (
            as_codes(np.asarray(labels) + 1, f"{name}, counted from MISSING,", categories + 1, size) - 1
            for labels, name in ((first, "first"), (second, "second"))
        )
        both = (one != MISSING) & (other != MISSING)
        members, row = np.unique(as_codes(cluster, "cluster", clusters, size)[both], return_inverse=True)
        place = row * categories**2 + one[both] * categories + other[both]
        confusion = np.bincount(place, minlength=members.size * categories**2).reshape(-1, categories**2)
        return cls(members, confusion.astype(np.float64), clusters)

    @property
    def support(self) -> Bools:
        """(C,) bool: which clusters hold items that both labelled."""
        return present(self.clusters, self.members)

    def replicates(self, weights: Floats) -> Floats:
        """(B,) coefficients under (B, C) weights; NaN where undefined."""
        categories = round(self.confusion.shape[1] ** 0.5)
        # Whole numbers throughout, so that "chance agrees always" is found exactly.
        table = (weights.take(self.members, axis=1) @ self.confusion).reshape(-1, categories, categories)
        items = table.sum(axis=(1, 2))
        by_chance = (table.sum(axis=1) * table.sum(axis=2)).sum(axis=1)
        return divide(items * np.einsum("bkk->b", table) - by_chance, items**2 - by_chance)


@dataclass(frozen=True, eq=False)
class FleissKappa(Weighted):
    """Fleiss' κ, generalised to unequal numbers of labels.

    Attributes:
        sums: (C, K + 2) over the items of each cluster: shares of each label, items, and shares of disagreeing pairs.
    """

    why_undefined: ClassVar[str] = "no item has two labels, or all labels are one"

    sums: Floats

    @classmethod
    def of_counts(cls, counts: ArrayLike, cluster: ArrayLike, clusters: int) -> Self:
        """Sum up items.

        Args:
            counts: (n, K) whole numbers: raters who gave each item each label.
            cluster: (n,) whole numbers in [0, clusters).
            clusters: Number of clusters C.

        Raises:
            ValueError: An argument is not of that kind.
        """
        table, members = _several(counts, cluster, clusters)
        shares = table / table.sum(axis=1, keepdims=True)
        return cls(_by_cluster(np.column_stack([shares, np.ones(len(table)), _disagreement(table)]), members, clusters))

    @property
    def support(self) -> Bools:
        """(C,) bool: which clusters hold items with two labels or more."""
        support: Bools = self.sums[:, -2] > 0
        return support

    def replicates(self, weights: Floats) -> Floats:
        """(B,) coefficients under (B, C) weights; NaN where undefined."""
        sums = weights @ self.sums
        shares, items, disagreement = sums[:, :-2], sums[:, -2], sums[:, -1]
        # Σ p (1 − p) is exactly 0 where all labels are one; 1 − Σ p² need not be.
        by_chance = (shares * (items[:, None] - shares)).sum(axis=1)
        return 1 - divide(items * disagreement, by_chance)


@dataclass(frozen=True, eq=False)
class KrippendorffAlpha(Weighted):
    """Krippendorff's α of unordered labels, some of which may be missing.

    Attributes:
        sums: (C, K + 1) over the items of each cluster: labels of each kind, and weights of disagreeing pairs.
    """

    why_undefined: ClassVar[str] = "no item has two labels, or all labels are one"

    sums: Floats

    @classmethod
    def of_counts(cls, counts: ArrayLike, cluster: ArrayLike, clusters: int) -> Self:
        """Sum up items.

        Args:
            counts: (n, K) whole numbers: raters who gave each item each label.
            cluster: (n,) whole numbers in [0, clusters).
            clusters: Number of clusters C.

        Raises:
            ValueError: An argument is not of that kind.
        """
        table, members = _several(counts, cluster, clusters)
        weight = table.sum(axis=1) * _disagreement(
            table
        )  # an item of m labels has m (m − 1) pairs of weight 1 / (m − 1)
        return cls(_by_cluster(np.column_stack([table, weight]), members, clusters))

    @property
    def support(self) -> Bools:
        """(C,) bool: which clusters hold items with two labels or more."""
        support: Bools = self.sums[:, :-1].sum(axis=1) > 0
        return support

    def replicates(self, weights: Floats) -> Floats:
        """(B,) coefficients under (B, C) weights; NaN where undefined."""
        sums = weights @ self.sums
        labels, disagreement = sums[:, :-1], sums[:, -1]
        total = labels.sum(axis=1)
        by_chance = (labels * (total[:, None] - labels)).sum(axis=1)
        return 1 - divide((total - 1) * disagreement, by_chance)


def cohen_kappa(first: ArrayLike, second: ArrayLike, categories: int) -> float | None:
    """Cohen's κ of two raters' labels (n,), whole numbers in [0, categories) or `MISSING`; None where undefined.

    >>> cohen_kappa([0, 0, 1, 1], [0, 0, 1, 0], categories=2)
    0.5
    """
    n = np.size(first)
    return CohenKappa.of_rows(first, second, np.arange(n), n, categories).value()


def fleiss_kappa(counts: ArrayLike) -> float | None:
    """Fleiss' κ of (n, K) numbers of raters who gave each item each label; None where undefined.

    >>> fleiss_kappa([[2, 0], [0, 2], [1, 1], [1, 1]])
    0.0
    """
    n = len(np.asarray(counts))
    return FleissKappa.of_counts(counts, np.arange(n), n).value()


def krippendorff_alpha(counts: ArrayLike) -> float | None:
    """Krippendorff's nominal α of (n, K) numbers of raters who gave each item each label; None where undefined.

    >>> krippendorff_alpha([[2, 0], [0, 2], [1, 0]])
    1.0
    """
    n = len(np.asarray(counts))
    return KrippendorffAlpha.of_counts(counts, np.arange(n), n).value()


def _several(counts: ArrayLike, cluster: ArrayLike, clusters: int) -> tuple[Floats, Ints]:
    """The rows (n', K) with two labels or more, and their clusters.

    Raises:
        ValueError: `counts` is no table of whole numbers of at least 0.
    """
    table = np.asarray(counts)
    if table.ndim != 2 or (table.size and table.dtype.kind not in "iu"):
        raise ValueError(f"counts is {table.dtype} of shape {table.shape}, not whole numbers of shape (items, labels)")
    if table.min(initial=0) < 0:
        raise ValueError(f"counts is negative in row {int(np.argmax((table < 0).any(axis=1)))}")
    members = as_codes(cluster, "cluster", clusters, len(table))
    chosen = table.sum(axis=1) > 1
    return table[chosen].astype(np.float64), members[chosen]


def _disagreement(table: Floats) -> Floats:
    """(n,) share of an item's pairs of raters that disagree; exactly 0 where all its labels are one."""
    total = table.sum(axis=1, keepdims=True)
    shares: Floats = (table * (total - table)).sum(axis=1) / (total * (total - 1))[:, 0]
    return shares


def _by_cluster(rows: Floats, members: Ints, clusters: int) -> Floats:
    """(C, k) sums of (n, k) rows over each cluster."""
    sums = np.zeros((clusters, rows.shape[1]))
    np.add.at(sums, members, rows)
    return sums
