"""Many shares of the same rows: sums of their columns are drawn once for all figures that are made of them.

A figure such as a rate, a difference of two rates, F1 or a macro-averaged recall is a sum of quotients, each of one column's sum
over another's. With a hundred of them, drawing the sums of all columns at once costs what a few alone would.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from earmark.statistics.statistic import Latest, Weighted, as_codes, as_values, divide, per_cluster

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from earmark.statistics.statistic import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class Sums:
    """Columns of numbers, summed up by cluster.

    Attributes:
        columns: (c, K) sums of each column over the rows of clusters `first` … `first` + c − 1; no other cluster has rows.
        place: Number of each column by its name; columns that are equal row by row are one.
        first: The first cluster that has rows.
        clusters: Number of clusters C.
    """

    columns: Floats
    place: Mapping[str, int]
    first: int
    clusters: int

    @classmethod
    def of_rows(cls, columns: Mapping[str, ArrayLike], cluster: ArrayLike, clusters: int) -> Self:
        """Sum up columns.

        Args:
            columns: By name, (n,) finite numbers or booleans each.
            cluster: (n,) whole numbers in [0, clusters).
            clusters: Number of clusters C.

        Raises:
            ValueError: A column is not of that kind.
        """
        members = as_codes(cluster, "cluster", clusters, np.size(cluster))
        first, last = (int(members.min()), int(members.max())) if members.size else (0, -1)
        place: dict[str, int] = {}
        summed: list[Floats] = []
        known: dict[bytes, int] = {}
        for name, values in columns.items():
            numbers = as_values(values, name, members.size) + 0.0
            place[name] = known.setdefault(numbers.tobytes(), len(summed))
            if place[name] == len(summed):
                summed.append(per_cluster(members - first, last - first + 1, numbers))
        return cls(np.column_stack(summed) if summed else np.zeros((last - first + 1, 0)), place, first, clusters)

    @cached_property
    def drawn(self) -> Latest[Floats, Floats]:
        """A function of (b, C) weights: the sums of the columns over the rows drawn, (b, K)."""
        return Latest(self._drawn)

    @cached_property
    def whole(self) -> Floats:
        """(1, K) sums over all rows."""
        whole: Floats = self.columns.sum(axis=0, keepdims=True)
        return whole

    def _drawn(self, weights: Floats) -> Floats:
        if self._held is not None:
            sums: Floats = weights.take(self.first + self._held, axis=1) @ self.columns[self._held]
            return sums
        return np.asarray(weights[:, self.first : self.first + len(self.columns)] @ self.columns)

    @cached_property
    def _held(self) -> Ints | None:
        """Which clusters have anything, from `first` on; None where most of them have."""
        held = np.flatnonzero(self.columns.any(axis=1))
        return held if 2 * held.size < len(self.columns) else None


class Term(NamedTuple):
    """`factor` times the sum of one column over that of another, which counts rows and is never negative."""

    numerator: str
    denominator: str
    factor: float = 1.0


@dataclass(frozen=True, eq=False)
class Quotients(Weighted):
    """A sum of quotients of sums; undefined where one of their denominators is 0.

    Attributes:
        sums: The columns.
        terms: What is summed up.
        why: Why it is undefined, if it is.
    """

    sums: Sums
    terms: tuple[Term, ...]
    why: str = "no rows"

    @property
    def support(self) -> Bools:
        """(C,) bool: which clusters count in a denominator."""
        support = np.zeros(self.sums.clusters, np.bool_)
        here = self.sums.columns[:, [self.sums.place[term.denominator] for term in self.terms]]
        support[self.sums.first : self.sums.first + len(here)] = (here != 0).any(axis=1)
        return support

    def replicates(self, weights: Floats) -> Floats:
        """(B,) values under (B, C) weights; NaN where a denominator is 0."""
        return self._of(self.sums.drawn(weights))

    def value(self) -> float | None:
        """The value on the rows as they are; None where it is undefined."""
        value = float(self._of(self.sums.whole)[0])
        return None if np.isnan(value) else value

    def reason(self) -> str | None:
        """Why `value()` is None; None where it is not."""
        return self.why if self.value() is None else None

    def _of(self, sums: Floats) -> Floats:
        total = np.zeros(len(sums))
        for numerator, denominator, factor in self.terms:
            place = self.sums.place
            total += factor * divide(sums[:, place[numerator]], sums[:, place[denominator]])
        return total
