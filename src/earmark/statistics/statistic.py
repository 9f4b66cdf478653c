"""What a statistic is to the bootstrap: a function of how often each cluster is drawn.

Whatever a metric needs of the rows is gathered once, cluster by cluster; a replicate is then a weighting of clusters,
and its value equals that of the metric on the explicitly repeated rows. Rows come as parallel arrays, `cluster`
holding the number of each row's cluster, 0 … C − 1; statistics that are resampled together share that numbering, and
a statistic may have no row in some clusters.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Counted = NDArray[np.int32] | NDArray[np.int64]

ArgumentT = TypeVar("ArgumentT")
ResultT = TypeVar("ResultT")

_NOT_COUNTS = "a weight is how often a cluster is drawn: a whole number of at least 0"

_MOST_INT32 = 2**29  # four times as much fits
_BLOCK_ENTRIES = 2**19  # 4 MiB per temporary: the working set of a block stays in the cache


class Statistic(Protocol):
    """A metric over clusters, as the bootstrap sees it."""

    @property
    def support(self) -> Bools:
        """(C,) bool: which clusters hold rows of this statistic."""
        ...

    def value(self) -> float | None:
        """The metric on the rows as they are; None where it is undefined."""
        ...

    def reason(self) -> str | None:
        """Why `value()` is None; None where it is not."""
        ...

    def replicates(self, weights: Floats) -> Floats:
        """The metric on rows repeated as often as their cluster is drawn.

        Args:
            weights: (B, C) float64, whole numbers of at least 0.

        Returns:
            (B,) float64; NaN where the metric is undefined.
        """
        ...


class Weighted(ABC):
    """A statistic whose value is the replicate in which every cluster is drawn once."""

    why_undefined: ClassVar[str]

    @property
    @abstractmethod
    def support(self) -> Bools:
        """(C,) bool: which clusters hold rows of this statistic."""

    @abstractmethod
    def replicates(self, weights: Floats) -> Floats:
        """(B,) values under (B, C) weights; NaN where undefined."""

    def value(self) -> float | None:
        """The metric on the rows as they are; None where it is undefined."""
        value = float(self.replicates(np.ones((1, self.support.size)))[0])
        return None if np.isnan(value) else value

    def reason(self) -> str | None:
        """Why `value()` is None; None where it is not."""
        return self.why_undefined if self.value() is None else None


@dataclass(frozen=True, eq=False)
class Difference(Weighted):
    """`first` − `second`, both under the same draw of clusters: a paired comparison."""

    first: Statistic
    second: Statistic

    def __post_init__(self) -> None:
        if self.first.support.size != self.second.support.size:
            raise ValueError(f"{self.first.support.size} clusters cannot be paired with {self.second.support.size}")

    @property
    def support(self) -> Bools:
        """(C,) bool: which clusters hold rows of either side."""
        return self.first.support | self.second.support

    def replicates(self, weights: Floats) -> Floats:
        """(B,) differences under (B, C) weights; NaN where either side is undefined."""
        return self.first.replicates(weights) - self.second.replicates(weights)

    def reason(self) -> str | None:
        """Why either side is undefined; None where both are defined."""
        return self.first.reason() or self.second.reason()


@dataclass(frozen=True, eq=False)
class Mean(Weighted):
    """The unweighted mean of several statistics under the same draw of clusters; undefined where one of them is.

    Attributes:
        parts: At least one statistic, all over the same clusters.
    """

    parts: tuple[Statistic, ...]

    def __post_init__(self) -> None:
        sizes = [part.support.size for part in self.parts]
        if len(set(sizes)) != 1:
            raise ValueError(
                f"a mean needs at least one statistic, and all over the same clusters; their numbers are {sizes}"
            )

    @property
    def support(self) -> Bools:
        """(C,) bool: which clusters hold rows of any part."""
        support: Bools = np.logical_or.reduce([part.support for part in self.parts])
        return support

    def replicates(self, weights: Floats) -> Floats:
        """(B,) means under (B, C) weights; NaN where a part is undefined."""
        total = np.zeros(len(weights))
        for part in self.parts:
            total += part.replicates(weights)
        return total / len(self.parts)

    def reason(self) -> str | None:
        """Why the first undefined part is undefined, and that it is of one part; None where all are defined."""
        # Beside the number of rows of all parts together, the bare reason would read as if it were of them all.
        return next((f"of one part: {why}" for part in self.parts if (why := part.reason()) is not None), None)


class Latest(Generic[ArgumentT, ResultT]):
    """A function of one object that knows its latest result: statistics that read the same thing make it once.

    An argument is the same if it is the same object, so none may be changed in place.
    """

    def __init__(self, function: Callable[[ArgumentT], ResultT]) -> None:
        self._function = function
        self._latest: tuple[ArgumentT, ResultT] | None = None

    def __call__(self, argument: ArgumentT) -> ResultT:
        """The function's result, made afresh only for another argument than the last."""
        latest = self._latest
        if latest is None or latest[0] is not argument:
            latest = self._latest = argument, self._function(argument)
        return latest[1]


def per_cluster(cluster: Ints, clusters: int, values: Floats | None = None) -> Floats:
    """(C,) sums of `values` (n,) over the rows of each cluster; numbers of rows where `values` is None."""
    return np.bincount(cluster, weights=values, minlength=clusters).astype(np.float64)


def present(clusters: int, *members: Ints) -> Bools:
    """(C,) bool: which clusters are among the clusters (n,) of some rows."""
    support = np.zeros(clusters, np.bool_)
    for numbers in members:
        support[numbers] = True
    return support


def as_codes(codes: ArrayLike, name: str, count: int, rows: int) -> Ints:
    """Check a column that numbers the cluster or group of each row.

    Raises:
        ValueError: It is not (rows,) whole numbers in [0, count).
    """
    numbers = np.asarray(codes)
    if numbers.shape != (rows,):
        raise ValueError(f"{name} has shape {numbers.shape}, not ({rows},)")
    if rows and numbers.dtype.kind not in "iu":
        raise ValueError(f"{name} is {numbers.dtype}, not whole numbers")
    if rows and (numbers.min() < 0 or numbers.max() >= count):
        raise ValueError(f"{name} runs from {numbers.min()} to {numbers.max()}, outside 0 … {count - 1}")
    return numbers.astype(np.int64)


def as_values(values: ArrayLike, name: str, rows: int | None = None) -> Floats:
    """Check a column of numbers.

    Raises:
        ValueError: It is not (n,) finite numbers, or n is not `rows`.
    """
    numbers = np.asarray(values, np.float64)
    if numbers.ndim != 1 or (rows is not None and numbers.size != rows):
        raise ValueError(f"{name} has shape {numbers.shape}, not ({'n' if rows is None else rows},)")
    if not np.isfinite(numbers).all():
        raise ValueError(f"{name} is not finite in row {int(np.flatnonzero(~np.isfinite(numbers))[0])}")
    return numbers


def as_flags(flags: ArrayLike, name: str, rows: int) -> Bools:
    """Check a column of booleans.

    Raises:
        ValueError: It is not (rows,) booleans.
    """
    booleans = np.asarray(flags)
    if booleans.shape != (rows,) or (rows and booleans.dtype != np.bool_):
        raise ValueError(f"{name} is {booleans.dtype} of shape {booleans.shape}, not bool of shape ({rows},)")
    return booleans.astype(np.bool_)


def in_blocks(weights: Floats, width: int, replicates: Callable[[Floats], Floats]) -> Floats:
    """Evaluate replicates a few at a time, so that (block, width) temporaries stay small whatever B is.

    Args:
        weights: (B, C) float64.
        width: Entries per replicate of the largest temporary.
        replicates: Maps (b, C) weights to (b,) values.

    Returns:
        (B,) float64.
    """
    block = max(1, _BLOCK_ENTRIES // max(1, width))
    if len(weights) <= block:
        return replicates(weights)  # as it is: what statistics share is known by it
    return np.concatenate([np.zeros(0), *(replicates(weights[i : i + block]) for i in range(0, len(weights), block))])


class Counts(NamedTuple):
    """Weights as whole numbers, whose sums are exact, and which NumPy adds up ten times as fast.

    Attributes:
        numbers: (b, C) int32, int64 where one is too large for that.
        most: The largest of them; 0 where there are none.
    """

    numbers: Counted
    most: int


def _counts(weights: Floats) -> Counts:
    most = float(weights.max(initial=0))
    if not (most < 2**62 and weights.min(initial=0) >= 0):
        raise ValueError(_NOT_COUNTS)
    numbers: Counted = weights.astype(np.int32) if most < _MOST_INT32 else weights.astype(np.int64)
    if (numbers != weights).any():
        raise ValueError(_NOT_COUNTS)
    return Counts(numbers, int(most))


# Every statistic of a block reads these: they are made once for all of them.
_latest_counts = Latest(_counts)


def draws_of_rows(weights: Floats, members: Ints) -> Counted:
    """How often each row is drawn, as whole numbers.

    Args:
        weights: (b, C) float64, whole numbers of at least 0, not to be changed afterwards.
        members: (n,) cluster of each row.

    Returns:
        (b, n) int32, so small that twice their sum over a row fits into it too; else int64.

    Raises:
        ValueError: A weight is not a whole number of at least 0.
    """
    numbers, most = _latest_counts(weights)
    drawn = numbers.take(members, axis=1)
    return drawn if most * members.size < _MOST_INT32 else drawn.astype(np.int64)


def wide_enough(numbers: Counted, most: int) -> Counted:
    """The same numbers in a type that holds `most`, below 2⁶³, which is what is made of them."""
    return numbers if most < 2**31 else numbers.astype(np.int64)


def divide(numerator: Floats, denominator: Floats) -> Floats:
    """Element by element, broadcast; NaN where the denominator is 0."""
    quotient: Floats = np.full(np.broadcast_shapes(numerator.shape, denominator.shape), np.nan)
    np.divide(numerator, denominator, out=quotient, where=denominator != 0)
    return quotient
