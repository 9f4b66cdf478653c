"""How often each cell is drawn where rows are in clusters of two kinds: crossed, or one nested in the other.

**Crossed** (each speaker answers many prompts, each prompt has many speakers). Both kinds are drawn, independently, and a
cell, which is the rows of one speaker and one prompt, comes as often as the product of the two says (Owen 2007, “The
pigeonhole bootstrap”). It errs on the wide side: what a cell has to itself is counted up to three times, once for each kind
and once for both.

**Nested** (each speaker has conversations of their own). Outer clusters are drawn, and for every time that one is drawn as
many of its inner ones as it has, with replacement, anew each time (Davison and Hinkley 1997, section 3.8). It errs on the
wide side too: how inner clusters differ is already seen in how outer ones do, and is counted twice. Where outer clusters are
many, drawing them alone is enough.

**Streams and maps.** Clusters of the first kind and outer ones are drawn as `cluster_weights` draws clusters, from the words
of (seed, 0), those of the second kind likewise from (seed, 2). Inner clusters are drawn from the words of (seed, 3), used up
one after another: replicate by replicate, and within it outer cluster by outer cluster in their order, w · m words for one
that is drawn w times and has m inner ones, numbered from b on. A word u draws inner cluster b + ⌊⌊u / 2³²⌋ · m / 2³²⌋.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from earmark.statistics.statistic import as_codes
from earmark.statistics.weights import cluster_weights, philox

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike

    from earmark.statistics.statistic import Floats, Ints

_BLOCK_ENTRIES = 2**17  # 1 MiB of float64, as for clusters of one kind
_HALF = np.uint64(32)
_SECOND = 2  # which stream of a seed the second kind of a crossed design is drawn from
_INNER = 3  # and which inner clusters are


@dataclass(frozen=True, eq=False)
class Crossed:
    """Cells of two kinds of clusters, in the order of their numbers.

    Attributes:
        first: (C,) number of each cell's cluster of the first kind, in [0, F).
        second: (C,) the same of the second kind, in [0, S).
    """

    first: Ints
    second: Ints

    @classmethod
    def of_rows(cls, first: ArrayLike, second: ArrayLike) -> tuple[Self, Ints]:
        """The cells that rows are in.

        Args:
            first: (n,) whole numbers or names of the clusters of the first kind.
            second: (n,) the same of the second kind.

        Returns:
            The design, its clusters numbered in the order of their names, and the cell of each row, (n,).

        Raises:
            ValueError: The two are not (n,) both.

        >>> design, cell = Crossed.of_rows(["ann", "bob", "bob", "ann"], ["p", "p", "q", "p"])
        >>> design.first.tolist(), design.second.tolist(), cell.tolist()
        ([0, 1, 1], [0, 0, 1], [0, 1, 2, 0])
        """
        cells, cell = _cells(first, second)
        return cls(cells[:, 0].copy(), cells[:, 1].copy()), cell

    @property
    def cells(self) -> int:
        """Number of cells C."""
        return len(self.first)

    @property
    def factors(self) -> tuple[Ints, ...]:
        """What is drawn independently: for each kind the cluster of each cell."""
        return self.first, self.second

    def weights(self, replicates: int, seed: int, block: int | None = None) -> Iterator[Floats]:
        """Draw clusters of both kinds.

        Args:
            replicates: Number of replicates, at least 0.
            seed: Key of the streams, in [0, 2⁶⁴).
            block: Replicates per block; the weights do not depend on it.

        Yields:
            (at most block, C) float64, whole numbers: how often each cell is drawn.
        """
        size = block or _at_once(self.cells)
        kinds = (int(self.first.max(initial=0)) + 1, 0), (int(self.second.max(initial=0)) + 1, _SECOND)
        drawn = [cluster_weights(many, replicates, seed, size, stream=stream) for many, stream in kinds]
        for first, second in zip(*drawn, strict=True):
            weights: Floats = first.take(self.first, axis=1)
            weights *= second.take(self.second, axis=1)
            yield weights


@dataclass(frozen=True, eq=False)
class Nested:
    """Inner clusters, in the order of the outer ones that they are in.

    Attributes:
        outer: (C,) number of each inner cluster's outer one, in [0, O), ascending and without gaps.
    """

    outer: Ints

    @classmethod
    def of_rows(cls, outer: ArrayLike, inner: ArrayLike) -> tuple[Self, Ints]:
        """The inner clusters that rows are in; of one name in two outer clusters they are two.

        Args:
            outer: (n,) whole numbers or names of the outer clusters.
            inner: (n,) the same of the inner ones.

        Returns:
            The design, and the inner cluster of each row, (n,).

        Raises:
            ValueError: The two are not (n,) both.

        >>> design, cluster = Nested.of_rows(["bob", "ann", "ann"], [1, 1, 2])
        >>> design.outer.tolist(), cluster.tolist()
        ([0, 0, 1], [2, 0, 1])
        """
        cells, cell = _cells(outer, inner)
        return cls(cells[:, 0].copy()), cell

    def __post_init__(self) -> None:
        as_codes(self.outer, "outer", self.cells, self.cells)
        if self.cells and (self.outer[0] != 0 or not np.isin(np.diff(self.outer), (0, 1)).all()):
            raise ValueError("outer clusters are not numbered 0, 1, … in the order of the inner ones")

    @property
    def cells(self) -> int:
        """Number of inner clusters C."""
        return len(self.outer)

    @property
    def factors(self) -> tuple[Ints, ...]:
        """What is drawn independently: the outer clusters."""
        return (self.outer,)

    def weights(self, replicates: int, seed: int, block: int | None = None) -> Iterator[Floats]:
        """Draw outer clusters, and inner ones within each.

        Args:
            replicates: Number of replicates, at least 0.
            seed: Key of the streams, in [0, 2⁶⁴).
            block: Replicates per block; the weights do not depend on it.

        Yields:
            (at most block, C) float64, whole numbers: how often each inner cluster is drawn.
        """
        cells, many = self.cells, np.bincount(self.outer, minlength=1)
        begins = np.cumsum(many) - many
        raw = philox(seed, _INNER)
        for drawn in cluster_weights(len(many), replicates, seed, block or _at_once(cells)):
            times = (drawn.astype(np.int64) * many).reshape(-1)
            outer = np.repeat(np.tile(np.arange(len(many)), len(drawn)), times)
            replicate = np.repeat(np.arange(len(drawn)), times.reshape(drawn.shape).sum(axis=1))
            words = raw.random_raw(len(outer)) >> _HALF
            place = (words * many[outer].astype(np.uint64) >> _HALF).astype(np.int64)
            place += begins[outer] + cells * replicate  # one histogram for the whole block
            yield np.bincount(place, minlength=len(drawn) * cells).reshape(len(drawn), cells).astype(np.float64)


def _cells(first: ArrayLike, second: ArrayLike) -> tuple[Ints, Ints]:
    """The distinct pairs of numbers of two columns, (C, 2) ascending, and the pair of each row, (n,)."""
    one, other = np.asarray(first), np.asarray(second)
    if one.ndim != 1 or one.shape != other.shape:
        raise ValueError(f"the columns have shapes {one.shape} and {other.shape}, not (n,) both")
    numbers = [np.unique(column, return_inverse=True)[1].reshape(-1).astype(np.int64) for column in (one, other)]
    width = int(numbers[1].max(initial=0)) + 1
    pairs, cell = np.unique(numbers[0] * width + numbers[1], return_inverse=True)
    return np.column_stack([pairs // width, pairs % width]).astype(np.int64), cell.reshape(-1).astype(np.int64)


def _at_once(cells: int) -> int:
    return max(1, _BLOCK_ENTRIES // max(1, cells))
