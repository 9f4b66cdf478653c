"""The clusters that are resampled together, numbered from 0, and how they are drawn.

A rung of a ladder names a unit, such as `speaker`; two units that are crossed, as `speaker x prompt`, which draws either and
multiplies; or one that is nested in another, as `speaker > conversation`, which draws speakers and conversations within each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from earmark.statistics.designs import Crossed, Nested
from earmark.statistics.weights import cluster_weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from earmark.scoring.measuring.options import Options
    from earmark.statistics.statistic import Floats

Codes: TypeAlias = NDArray[np.int64]

CROSSED = " x "
NESTED = " > "


def drawn_units(rung: str) -> tuple[str, ...]:
    """The units that there must be enough of for a rung to be resampled: both of crossed ones, the outer of nested ones.

    >>> drawn_units("speaker"), drawn_units("speaker x prompt"), drawn_units("speaker > conversation")
    (('speaker',), ('speaker', 'prompt'), ('speaker',))
    """
    return tuple(rung.split(CROSSED)) if CROSSED in rung else (rung.split(NESTED)[0],)


class Rows(Protocol):
    """Rows that are in clusters."""

    @property
    def levels(self) -> Mapping[str, Codes]:
        """For each unit the cluster of each row, numbered alike in all that is measured together."""
        ...

    @property
    def chosen(self) -> NDArray[np.bool_] | None:
        """Which of them count; None for all."""
        ...


class Clustered(Protocol):
    """What is measured over rows in clusters."""

    @property
    def parts(self) -> Sequence[Rows]:
        """Its rows, which may be of several kinds."""
        ...

    def clusters(self, level: str) -> Codes:
        """The clusters of a level that its rows are in, ascending."""
        ...


class Numbering:
    """The clusters of one level that are resampled together, numbered from 0.

    Args:
        level: The unit that they are.
        figures: What is measured over all the rows concerned.
    """

    numbers_level = True
    """Whether what is numbered are the clusters of the level; else they are made up of such."""

    condition: str | None = None
    """What intervals are conditional on though there are enough clusters of the level."""

    def __init__(self, level: str, figures: Iterable[Clustered]) -> None:
        self.level = level
        self.present = np.unique(np.concatenate([figure.clusters(level) for figure in figures]))
        self._known: dict[int, tuple[Codes, Codes]] = {}

    @property
    def clusters(self) -> int:
        """How many there are; where no figure has a row, one without rows, which nothing is drawn from."""
        return max(1, len(self.present))

    @property
    def factors(self) -> Sequence[Codes]:
        """What is drawn independently: for each kind of it, which one each cluster belongs to; −1 for none."""
        return (np.arange(self.clusters, dtype=np.int64),)

    def of(self, levels: Mapping[str, Codes]) -> Codes:
        """The number of each row's cluster; for the same rows the same array."""
        given = levels[self.level]
        if id(given) not in self._known:  # kept with what it was made of, whose id nothing else can then have
            self._known[id(given)] = given, np.searchsorted(self.present, given).astype(np.int64)
        return self._known[id(given)][1]

    def weights(self, options: Options) -> Iterable[Floats]:
        """How often each cluster is drawn, block by block."""
        return cluster_weights(self.clusters, options.resamples, options.seed)


class CellNumbering(Numbering):
    """The cells of two units that are crossed or nested.

    Args:
        level: The two, as a rung names them; each row is in one cluster of either.
        figures: What is measured over all the rows concerned.
    """

    numbers_level = False

    def __init__(self, level: str, figures: Iterable[Clustered]) -> None:
        self.level = level
        crossed = CROSSED in level
        first, second = level.split(CROSSED if crossed else NESTED)
        self._units = first, second
        parts = [part for figure in figures for part in figure.parts]
        self._width = 1 + max(int(part.levels[second].max(initial=0)) for part in parts)
        cells = [self._cell(part.levels) for part in parts]
        chosen = [cell if part.chosen is None else cell[part.chosen] for part, cell in zip(parts, cells, strict=True)]
        self.present = np.unique(np.concatenate(chosen))
        ends = self.present // self._width, self.present % self._width
        self._design: Crossed | Nested = Crossed.of_rows(*ends)[0] if crossed else Nested.of_rows(*ends)[0]
        self._cells: dict[tuple[int, int], tuple[Mapping[str, Codes], Codes]] = {}

    @property
    def factors(self) -> Sequence[Codes]:
        """The clusters of each kind that is drawn by itself."""
        return self._design.factors if len(self.present) else super().factors

    def of(self, levels: Mapping[str, Codes]) -> Codes:
        """The number of each row's cell; for the same rows the same array."""
        first, second = self._units
        key = id(levels[first]), id(levels[second])
        if key not in self._cells:  # as above
            self._cells[key] = levels, np.searchsorted(self.present, self._cell(levels)).astype(np.int64)
        return self._cells[key][1]

    def weights(self, options: Options) -> Iterable[Floats]:
        """How often each cell is drawn, block by block."""
        if not len(self.present):
            return super().weights(options)
        return self._design.weights(options.resamples, options.seed)

    def _cell(self, levels: Mapping[str, Codes]) -> Codes:
        first, second = self._units
        return levels[first] * self._width + levels[second]


def numbering(level: str, figures: Iterable[Clustered]) -> Numbering:
    """The clusters of a rung over some figures."""
    return (CellNumbering if CROSSED in level or NESTED in level else Numbering)(level, figures)
