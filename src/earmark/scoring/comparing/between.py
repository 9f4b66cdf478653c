"""A difference of two judges as a figure of its own: the one engine measures it like any other, under the same draws for both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from earmark.manifests.comparison import CellEntry
from earmark.manifests.report import ALL
from earmark.scoring.measuring import Codes, Figure, Numbering
from earmark.statistics.mcnemar import mcnemar
from earmark.statistics.shares import cluster_differences, outcomes
from earmark.statistics.statistic import Difference, Latest

if TYPE_CHECKING:
    from earmark.scoring.measuring.figured import Figured
    from earmark.statistics.statistic import Bools, Floats, Statistic


class Once:
    """A statistic that is evaluated once on each draw, however many differences it is in.

    Args:
        of: The statistic.
    """

    def __init__(self, of: Statistic) -> None:
        self._of = of
        self.support: Bools = of.support
        self._value = of.value()
        self._reason = of.reason()
        self._drawn = Latest(of.replicates)

    def value(self) -> float | None:
        """The metric on the rows as they are; None where it is undefined."""
        return self._value

    def reason(self) -> str | None:
        """Why `value()` is None; None where it is not."""
        return self._reason

    def replicates(self, weights: Floats) -> Floats:
        """(B,) values under (B, C) weights; NaN where undefined."""
        return self._drawn(weights)


class Side:
    """A figure of one judge, whose statistic is made once for all differences that it is in.

    Args:
        figure: The figure.
    """

    def __init__(self, figure: Figure) -> None:
        self.figure = figure
        self.value: float | None = None
        """What it came to when it was last made."""
        self.statistic = Latest(self._made)
        self._clusters: dict[str, Codes] = {}

    def clusters(self, level: str) -> Codes:
        """The clusters that its rows are in, ascending; found once for all differences."""
        if level not in self._clusters:
            self._clusters[level] = self.figure.clusters(level)
        return self._clusters[level]

    def _made(self, numbers: Numbering) -> Once:
        made = Once(self.figure.statistic(numbers))
        self.value = made.value()
        return made


@dataclass(frozen=True, eq=False, kw_only=True)
class Between(Figure):
    """First less second in one figure; its parts are those of both, so that its clusters are too.

    Args:
        first: The one judge's figure.
        second: The other's.
    """

    first: Side
    second: Side

    @classmethod
    def of(cls, first: Side, second: Side) -> Between:
        """The difference of two sides in one and the same figure; p is against none."""
        one, other = first.figure, second.figure
        return cls(
            metric=one.metric,
            facet=one.facet,
            parts=(*one.parts, *other.parts),
            slice=one.slice,
            chance=0.0,
            unit=one.unit,
            first=first,
            second=second,
        )

    @property
    def rows(self) -> int:
        """How many rows it is over: the more of the two sides."""
        return max(self.first.figure.rows, self.second.figure.rows)

    def clusters(self, level: str) -> Codes:
        """The clusters that a row of either side is in, ascending."""
        one, other = self.first.clusters(level), self.second.clusters(level)
        return one if np.array_equal(one, other) else np.union1d(one, other)

    @property
    def leads(self) -> bool:
        """Whether its standard error is checked: where that of either side is."""
        return self.first.figure.leads

    def statistic(self, numbers: Numbering) -> Statistic:
        """First less second, over the clusters of a numbering."""
        return Difference(self.first.statistic(numbers), self.second.statistic(numbers))


class Entered:
    """The figures of a judge that stands in comparisons, by metric and facet; slices of facets are left out.

    Args:
        figured: What the family makes of its submission.
        metrics: Those that are wanted; None for all.
    """

    def __init__(self, figured: Figured, metrics: frozenset[str] | None = None) -> None:
        self.figured = figured
        self.sides = {
            (figure.metric, figure.facet): Side(figure)
            for figure in figured.figures
            if figure.slice == ALL and (metrics is None or figure.metric in metrics)
        }
        self._by_facet: dict[str, list[Figure]] = {}
        for figure in figured.figures:
            self._by_facet.setdefault(figure.facet, []).append(figure)
        self._numbering: dict[tuple[str, str], Numbering] = {}
        self._statistic: dict[tuple[str, str, str], Statistic] = {}

    def drawn_by(self) -> Mapping[tuple[str, str], bytes]:
        """For each facet and unit the clusters of its rows: judges of whom they are the same can be drawn together."""
        levels = {facet: figures[0].parts[0].levels for facet, figures in self._by_facet.items()}
        return {
            (facet, level): self.numbering(facet, level).present.tobytes()
            for facet in levels
            for level in levels[facet]
        }

    def figures_of(self, facet: str) -> Sequence[Figure]:
        """All of its figures of one facet, slices too."""
        return self._by_facet.get(facet, ())

    def numbering(self, facet: str, level: str) -> Numbering:
        """The clusters of one facet, each by itself."""
        if (facet, level) not in self._numbering:
            self._numbering[facet, level] = Numbering(level, self._by_facet[facet])
        return self._numbering[facet, level]

    def by_cluster(self, metric: str, facet: str, level: str) -> Statistic | None:
        """A figure over the clusters of a level; None where a row is in several of them, so that they are not independent."""
        figure = self.sides[metric, facet].figure
        if any(level not in part.levels or part.levels[level].ndim != 1 for part in figure.parts):
            return None
        key = metric, facet, level
        if key not in self._statistic:
            self._statistic[key] = figure.statistic(self.numbering(facet, level))
        return self._statistic[key]


def unit_differences(first: Entered, second: Entered, metric: str, facet: str) -> Floats | None:
    """What each independent unit adds to the difference of two judges; None where the figure is no mean over units.

    Args:
        first: A judge.
        second: Another, who is drawn by the same clusters.
        metric: Name of the metric.
        facet: Facet id.

    Returns:
        (units,) one for each unit that has rows.
    """
    level = first.figured.ladders[0][0]
    one, other = (judge.by_cluster(metric, facet, level) for judge in (first, second))
    return None if one is None or other is None else cluster_differences(one, other)


def cell_of(first: Entered, second: Entered, metric: str, facet: str) -> CellEntry | None:
    """McNemar's table over the smallest units; None where one of them can be right in part, or the two are of other units."""
    level = first.figured.ladders[0][-1]
    one, other = (judge.by_cluster(metric, facet, level) for judge in (first, second))
    marks, others = (None if each is None else outcomes(each) for each in (one, other))
    if marks is None or others is None or not (marks[0] == others[0]).all() or not marks[0].any():
        return None
    table = mcnemar(marks[1][marks[0]], others[1][others[0]])
    return CellEntry(
        both=table.both, first_only=table.first, second_only=table.second, neither=table.neither, p=table.p
    )
