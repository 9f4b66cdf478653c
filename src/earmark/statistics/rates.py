"""Rates and means, as ratios of sums over clusters.

Accuracy, failure rate and disagreement are one `Ratio`; balanced accuracy, macro accuracy and pole shift (the mean of
the two poles' mean scores) are a `MeanOfRatios`, whose parts weigh the same whatever their sizes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from earmark.statistics.statistic import Weighted, as_codes, as_flags, as_values, divide, per_cluster

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from earmark.statistics.statistic import Bools, Floats


@dataclass(frozen=True, eq=False)
class Ratio(Weighted):
    """Σ numerator / Σ denominator over the clusters drawn.

    Attributes:
        numerator: (C,) finite.
        denominator: (C,) finite, at least 0.
    """

    why_undefined: ClassVar[str] = "no rows"

    numerator: Floats
    denominator: Floats

    def __post_init__(self) -> None:
        numerator = as_values(self.numerator, "numerator")
        denominator = as_values(self.denominator, "denominator", numerator.size)
        if (denominator < 0).any():
            raise ValueError(f"denominator is negative in cluster {int(np.argmax(denominator < 0))}")
        object.__setattr__(self, "numerator", numerator)
        object.__setattr__(self, "denominator", denominator)

    @classmethod
    def of_rows(cls, values: ArrayLike, cluster: ArrayLike, clusters: int) -> Self:
        """The mean of `values`.

        Args:
            values: (n,) finite numbers or booleans.
            cluster: (n,) whole numbers in [0, clusters).
            clusters: Number of clusters C.

        >>> Ratio.of_rows([True, False, True, True], [0, 0, 1, 2], 3).value()
        0.75
        """
        numbers = as_values(values, "values")
        members = as_codes(cluster, "cluster", clusters, numbers.size)
        return cls(per_cluster(members, clusters, numbers), per_cluster(members, clusters))

    @property
    def support(self) -> Bools:
        """(C,) bool: which clusters hold rows."""
        support: Bools = (self.denominator > 0) | (self.numerator != 0)
        return support

    @cached_property
    def _columns(self) -> Floats:
        return np.column_stack([self.numerator, self.denominator])

    def replicates(self, weights: Floats) -> Floats:
        """(B,) ratios under (B, C) weights; NaN where the denominator is 0."""
        numerator, denominator = (weights @ self._columns).T
        return divide(numerator, denominator)


@dataclass(frozen=True, eq=False)
class MeanOfRatios(Weighted):
    """The unweighted mean of several ratios; undefined where one of them is.

    Attributes:
        parts: At least one ratio, all over the same clusters.
    """

    why_undefined: ClassVar[str] = "a group has no rows"

    parts: tuple[Ratio, ...]

    def __post_init__(self) -> None:
        if len({part.denominator.size for part in self.parts}) != 1:
            sizes = [part.denominator.size for part in self.parts]
            raise ValueError(
                f"a mean needs at least one ratio, and all over the same clusters; their numbers are {sizes}"
            )

    @classmethod
    def of_rows(cls, values: ArrayLike, group: ArrayLike, cluster: ArrayLike, clusters: int, groups: int = 2) -> Self:
        """The mean over groups of each group's mean of `values`.

        With `values` saying whether a row was judged rightly and `group` its class this is balanced accuracy; with
        `values` the signed scores and `group` their pole it is pole shift.

        Args:
            values: (n,) finite numbers or booleans.
            group: (n,) booleans, or whole numbers in [0, groups).
            cluster: (n,) whole numbers in [0, clusters).
            clusters: Number of clusters C.
            groups: Number of groups; one without rows leaves the mean undefined.

        >>> MeanOfRatios.of_rows([1, 1, 1, 0], [True, True, True, False], [0, 1, 2, 3], 4).value()
        0.5
        """
        numbers = as_values(values, "values")
        members = as_codes(cluster, "cluster", clusters, numbers.size)
        which = np.asarray(group)
        which = as_codes(which.astype(np.int64) if which.dtype == np.bool_ else which, "group", groups, numbers.size)
        return cls(tuple(Ratio.of_rows(numbers[which == g], members[which == g], clusters) for g in range(groups)))

    @property
    def support(self) -> Bools:
        """(C,) bool: which clusters hold rows of any part."""
        support: Bools = np.logical_or.reduce([part.support for part in self.parts])
        return support

    @cached_property
    def _columns(self) -> Floats:
        return np.column_stack([*(part.numerator for part in self.parts), *(part.denominator for part in self.parts)])

    def replicates(self, weights: Floats) -> Floats:
        """(B,) means under (B, C) weights; NaN where a part is undefined."""
        sums = weights @ self._columns
        numerators, denominators = sums[:, : len(self.parts)], sums[:, len(self.parts) :]
        means: Floats = divide(numerators, denominators).mean(axis=1)
        return means


def f1(predicted: ArrayLike, label: ArrayLike, cluster: ArrayLike, clusters: int) -> Ratio:
    """F1 of the positive class, 2 TP / (2 TP + FP + FN), of decisions already made.

    It is undefined where nothing is positive or called so.

    Args:
        predicted: (n,) booleans.
        label: (n,) booleans.
        cluster: (n,) whole numbers in [0, clusters).
        clusters: Number of clusters C.
    """
    labels = as_flags(label, "label", np.size(label))
    calls = as_flags(predicted, "predicted", labels.size)
    members = as_codes(cluster, "cluster", clusters, labels.size)
    twice_hits = per_cluster(members[labels & calls], clusters) * 2
    return Ratio(twice_hits, per_cluster(members[labels], clusters) + per_cluster(members[calls], clusters))
