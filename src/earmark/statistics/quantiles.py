"""Quantiles under weights.

Convention: the q-quantile is the least value whose cumulative weight reaches q times the whole (Hyndman and Fan's
type 1, NumPy's `inverted_cdf`). It is always one of the values, and equals NumPy's on the explicitly repeated rows;
the median of an even number of rows is the lower of the middle two.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from earmark.statistics.roc import cumulative, run_ends
from earmark.statistics.statistic import Latest, Weighted, as_codes, as_values, in_blocks, present

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from earmark.statistics.statistic import Bools, Counted, Floats, Ints


@dataclass(frozen=True, eq=False)
class Column:
    """Values in ascending order, and how many rows are drawn up to each: what all quantiles of a column read.

    Attributes:
        values: (T,) the distinct values, ascending.
        upto: (T + 1,) number of rows with at most that value, after a leading 0.
        members: (n,) cluster of each row, by ascending value.
        clusters: Number of clusters C.
    """

    values: Floats
    upto: Ints
    members: Ints
    clusters: int

    @classmethod
    def of_rows(cls, values: ArrayLike, cluster: ArrayLike, clusters: int) -> Self:
        """Sort a column of values.

        Args:
            values: (n,) finite numbers.
            cluster: (n,) whole numbers in [0, clusters).
            clusters: Number of clusters C.

        Raises:
            ValueError: A column is not of that kind.
        """
        numbers = as_values(values, "values")
        members = as_codes(cluster, "cluster", clusters, numbers.size)
        order = np.argsort(numbers, kind="stable")
        numbers = numbers[order]
        last = run_ends(numbers)
        return cls(numbers[last], np.append(0, last + 1), members[order], clusters)

    @cached_property
    def reached(self) -> Latest[Floats, Counted]:
        """A function of (b, C) weights: how many rows are drawn of the first 0 … T values, (b, T + 1)."""
        return Latest(lambda weights: cumulative(weights, self.members).take(self.upto, axis=1))

    @cached_property
    def said(self) -> Floats:
        """(T + 1,) the values after a leading NaN, which is the quantile where no row is drawn."""
        return np.append(np.nan, self.values)


@dataclass(frozen=True, eq=False)
class Quantile(Weighted):
    """The q-quantile of a column.

    Attributes:
        column: The values.
        q: In [0, 1].
    """

    why_undefined: ClassVar[str] = "no rows"

    column: Column
    q: float

    def __post_init__(self) -> None:
        if not 0 <= self.q <= 1:
            raise ValueError(f"q is {self.q}, not in [0, 1]")

    @classmethod
    def of_rows(cls, values: ArrayLike, cluster: ArrayLike, clusters: int, q: float = 0.5) -> Self:
        """The quantile of finite values (n,) in clusters (n,) numbered 0 … `clusters` − 1; by default the median.

        >>> Quantile.of_rows([3.0, 1.0, 4.0, 1.5], [0, 1, 2, 2], 3).value()
        1.5
        """
        return cls(Column.of_rows(values, cluster, clusters), q)

    @property
    def support(self) -> Bools:
        """(C,) bool: which clusters hold rows."""
        return present(self.column.clusters, self.column.members)

    def replicates(self, weights: Floats) -> Floats:
        """(B,) quantiles under (B, C) weights; NaN where no row is drawn."""
        return in_blocks(weights, self.column.members.size + 1, self._block)

    def _block(self, weights: Floats) -> Floats:
        reached = self.column.reached(weights)
        # At q = 0 the quantile is the least value drawn: something must be reached.
        wanted = np.maximum(np.ceil(self.q * reached[:, -1:]), 1).astype(reached.dtype)
        first = np.argmax(reached >= wanted, axis=1)  # never the leading 0, but where nothing is drawn
        quantiles: Floats = self.column.said[first]
        return quantiles
