"""What is measured: a figure of a report, and how its statistic is made from the cluster of each of its rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from earmark.manifests.report import ALL, OVERALL
from earmark.scoring.measuring.numbering import Codes, Numbering, drawn_units
from earmark.statistics.statistic import Mean

if TYPE_CHECKING:
    from earmark.statistics.statistic import Statistic

Make: TypeAlias = "Callable[[Codes, int], Statistic]"
"""Makes a statistic from the cluster of each row and the number of clusters."""

MadeT = TypeVar("MadeT")


class Shared(Generic[MadeT]):
    """What several statistics of the same rows read, such as their curve: made once for all that are measured together.

    Args:
        make: Makes it from the cluster of each row and the number of clusters.
    """

    def __init__(self, make: Callable[[Codes, int], MadeT]) -> None:
        self._make = make
        self._latest: tuple[Codes, MadeT] | None = None

    def into(self, statistic: Callable[[MadeT], Statistic]) -> Make:
        """How a statistic is made of it."""

        def made(codes: Codes, clusters: int) -> Statistic:
            # `measure` numbers the same rows by one and the same array, so another one is another numbering.
            if self._latest is None or self._latest[0] is not codes:
                self._latest = codes, self._make(codes, clusters)
            return statistic(self._latest[1])

        return made


@dataclass(frozen=True, eq=False)
class Part:
    """Rows and what is made of them.

    Args:
        levels: For each unit that can be resampled, the number of each row's cluster, (n,) each, or (n, k) where a row is in
            several; the same numbers mean the same cluster in every part.
        make: The statistic, from the cluster of each row and the number of clusters.
        chosen: (n,) which rows the statistic is over, where it picks them itself, since it shares what it reads with statistics
            over others; None for all of them.
    """

    levels: Mapping[str, Codes]
    make: Make
    chosen: NDArray[np.bool_] | None = None

    @property
    def rows(self) -> int:
        """How many rows it is over."""
        return len(next(iter(self.levels.values()))) if self.chosen is None else int(self.chosen.sum())

    def members(self, level: str) -> Codes:
        """The clusters that its rows are in; a row may be in several."""
        codes = self.levels[level]
        return (codes if self.chosen is None else codes[self.chosen]).reshape(-1)


@dataclass(frozen=True, eq=False)
class Figure:
    """One figure to be measured: a statistic, or the unweighted mean of several such as those of the facets.

    Args:
        metric: Its name.
        facet: Facet id, or "overall".
        parts: One, or those that the mean is over.
        slice: Part of the facet.
        chance: Chance level, where there is one; p is against it.
        unit: Its unit.
    """

    metric: str
    facet: str
    parts: tuple[Part, ...]
    slice: str = ALL
    chance: float | None = None
    unit: str = "1"

    @property
    def rows(self) -> int:
        """How many rows it is over."""
        return sum(part.rows for part in self.parts)

    def clusters(self, level: str) -> Codes:
        """The clusters that its rows are in, ascending."""
        return np.unique(np.concatenate([part.members(level) for part in self.parts]))

    def count(self, rung: str) -> int:
        """How many clusters a rung resamples; of two kinds that are crossed the fewer."""
        return min(len(self.clusters(unit)) for unit in drawn_units(rung))

    @property
    def leads(self) -> bool:
        """Whether it is among the figures over everything that have a chance level, whose standard errors are checked."""
        return self.facet == OVERALL and self.slice == ALL and self.chance is not None

    def statistic(self, numbers: Numbering) -> Statistic:
        """The statistic over the clusters of a numbering."""
        made = tuple(part.make(numbers.of(part.levels), numbers.clusters) for part in self.parts)
        return made[0] if len(made) == 1 else Mean(made)
