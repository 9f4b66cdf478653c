"""Quantiles under weights.

Convention: the q-quantile is the least value whose cumulative weight reaches q times the whole (Hyndman and Fan's
type 1, NumPy's `inverted_cdf`). It is always one of the values, and equals NumPy's on the explicitly repeated rows;
the median of an even number of rows is the lower of the middle two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from earmark.statistics.roc import cumulative
from earmark.statistics.statistic import Weighted, as_codes, as_values, in_blocks, present

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from earmark.statistics.statistic import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class Quantile(Weighted):
    """The q-quantile of a column.

    Attributes:
        values: (n,) ascending.
        members: (n,) cluster of each value.
        clusters: Number of clusters C.
        q: In [0, 1].
    """

    why_undefined: ClassVar[str] = "no rows"

    values: Floats
    members: Ints
    clusters: int
    q: float

    @classmethod
    def of_rows(cls, values: ArrayLike, cluster: ArrayLike, clusters: int, q: float = 0.5) -> Self:
        """Sort a column of values.

        Args:
            values: (n,) finite numbers.
            cluster: (n,) whole numbers in [0, clusters).
            clusters: Number of clusters C.
            q: In [0, 1]; by default the median.

        Raises:
            ValueError: A column is not of that kind, or q is out of range.

        >>> Quantile.of_rows([3.0, 1.0, 4.0, 1.5], [0, 1, 2, 2], 3).value()
        1.5
        """
        numbers = as_values(values, "values")
        members = as_codes(cluster, "cluster", clusters, numbers.size)
        if not 0 <= q <= 1:
            raise ValueError(f"q is {q}, not in [0, 1]")
        order = np.argsort(numbers, kind="stable")
        return cls(numbers[order], members[order], clusters, q)

    @property
    def support(self) -> Bools:
        """(C,) bool: which clusters hold rows."""
        return present(self.clusters, self.members)

    def replicates(self, weights: Floats) -> Floats:
        """(B,) quantiles under (B, C) weights; NaN where no row is drawn."""
        return in_blocks(weights, self.values.size + 1, self._block)

    def _block(self, weights: Floats) -> Floats:
        reached = cumulative(weights, self.members)
        # At q = 0 the quantile is the least value drawn: something must be reached.
        wanted = np.maximum(self.q * reached[:, -1:], np.finfo(np.float64).tiny)
        index = np.count_nonzero(
            reached < wanted, axis=1
        )  # the leading 0 always counts, and all do where nothing is drawn
        quantiles: Floats = np.concatenate([[np.nan], self.values, [np.nan]])[index]
        return quantiles
