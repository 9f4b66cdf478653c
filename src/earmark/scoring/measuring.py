"""Figures with intervals: every metric of every family is measured here, by one bootstrap.

A figure says how its statistic is made from the cluster of each of its rows; `measure` chooses the clusters. For each way of
resampling there is a ladder of units, such as speaker, then speaker in a conversation: with fewer than 20 clusters a figure is
conditional on them, and the next unit down is resampled.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from earmark.manifests.report import ALL, OVERALL, IntervalEntry, MetricEntry
from earmark.statistics.intervals import intervals
from earmark.statistics.significance import holm
from earmark.statistics.statistic import Mean
from earmark.statistics.weights import cluster_weights

if TYPE_CHECKING:
    from earmark.statistics.intervals import Interval
    from earmark.statistics.statistic import Floats, Statistic

FEWEST_CLUSTERS = 20
"""With fewer clusters than this a percentile interval is too narrow to be believed."""

Codes: TypeAlias = NDArray[np.int64]
Ladder: TypeAlias = tuple[str, ...]
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


@dataclass(frozen=True)
class Options:
    """How intervals are made.

    Args:
        resamples: Number of bootstrap replicates.
        seed: Seed of the weights.
        level: Coverage aimed at.
    """

    resamples: int = 2000
    seed: int = 0
    level: float = 0.95


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

    def statistic(self, numbers: Numbering) -> Statistic:
        """The statistic over the clusters of a numbering."""
        made = tuple(part.make(numbers.of(part.levels), numbers.clusters) for part in self.parts)
        return made[0] if len(made) == 1 else Mean(made)


class Numbering:
    """The clusters of one level that are resampled together, numbered from 0.

    Args:
        level: The unit that they are.
        figures: Figures over all the rows concerned.
    """

    numbers_level = True
    """Whether what is numbered are the clusters of the level; else they are made up of such."""

    condition: str | None = None
    """What intervals are conditional on though there are enough clusters of the level."""

    def __init__(self, level: str, figures: Iterable[Figure]) -> None:
        self.level = level
        self.present = np.unique(np.concatenate([figure.clusters(level) for figure in figures]))
        self._known: dict[int, tuple[Codes, Codes]] = {}

    @property
    def clusters(self) -> int:
        """How many there are; where no figure has a row, one without rows, which nothing is drawn from."""
        return max(1, len(self.present))

    def of(self, levels: Mapping[str, Codes]) -> Codes:
        """The number of each row's cluster; for the same rows the same array."""
        given = levels[self.level]
        if id(given) not in self._known:  # kept with what it was made of, whose id nothing else can then have
            self._known[id(given)] = given, np.searchsorted(self.present, given).astype(np.int64)
        return self._known[id(given)][1]

    def weights(self, options: Options) -> Iterable[Floats]:
        """How often each cluster is drawn, block by block."""
        return cluster_weights(self.clusters, options.resamples, options.seed)


def measure(
    figures: Sequence[Figure],
    ladders: Sequence[Ladder],
    options: Options,
    *,
    number: Callable[[str, Iterable[Figure]], Numbering] = Numbering,
) -> list[MetricEntry]:
    """Measure figures, all that share clusters under the same draws.

    Args:
        figures: What to measure.
        ladders: For each interval wanted, the units to resample from the largest down. The first gives p.
        options: How.
        number: Numbers the clusters of a level over some figures, and draws them.

    Returns:
        One entry per figure, in their order; p is adjusted over the facets of a metric and slice by Holm's method.
    """
    rungs = [[_rung(figure, ladder) for ladder in ladders] for figure in figures]
    drawn: dict[tuple[str, str], tuple[Numbering, dict[str, Interval]]] = {}
    waiting: dict[tuple[str, str], list[int]] = defaultdict(list)
    for n, (figure, chosen) in enumerate(zip(figures, rungs, strict=True)):
        for rung in set(chosen):
            waiting[figure.facet, rung].append(n)
    for (facet, rung), concerned in sorted(waiting.items()):
        # Clusters are numbered within a facet and over all its rows: its intervals depend neither on other facets' rows nor on
        # which of its figures are resampled by this unit.
        numbering = number(rung, (figure for figure in figures if figure.facet == facet))
        statistics = {str(n): figures[n].statistic(numbering) for n in concerned}
        nulls = {str(n): chance for n in concerned if (chance := figures[n].chance) is not None}
        made = intervals(
            statistics,
            clusters=numbering.clusters,
            replicates=options.resamples,
            seed=options.seed,
            level=options.level,
            nulls=nulls,
            weights=numbering.weights(options),
        )
        drawn[facet, rung] = numbering, made
    entries = []
    for n, (figure, chosen) in enumerate(zip(figures, rungs, strict=True)):
        drawings = [drawn[figure.facet, rung] for rung in chosen]
        counted = [
            found[str(n)].clusters if numbering.numbers_level else len(figure.clusters(rung))
            for rung, (numbering, found) in zip(chosen, drawings, strict=True)
        ]
        conditions = [numbering.condition for numbering, _ in drawings]
        found = [drawn_there[str(n)] for _, drawn_there in drawings]
        entries.append(_entry(figure, ladders, chosen, found, counted, conditions))
    return _adjusted(entries)


def _rung(figure: Figure, ladder: Ladder) -> str:
    """The unit of a ladder that is resampled: the first with enough clusters, else the last."""
    for unit in ladder:
        if len(figure.clusters(unit)) >= FEWEST_CLUSTERS:
            return unit
    return ladder[-1]


def _entry(
    figure: Figure,
    ladders: Sequence[Ladder],
    chosen: Sequence[str],
    found: Sequence[Interval],
    counted: Sequence[int],
    conditions: Sequence[str | None],
) -> MetricEntry:
    entries = []
    for ladder, rung, interval, clusters, condition in zip(ladders, chosen, found, counted, conditions, strict=True):
        reason = interval.reason
        if reason is None and rung != ladder[0]:
            reason = f"conditional on {_counted(len(figure.clusters(ladder[0])), ladder[0])}"
        if reason is None and condition is not None:
            reason = f"conditional on {condition}"
        if reason is None and interval.low == interval.high:
            reason = "every replicate gives the same value"
        entries.append(
            IntervalEntry(
                by=rung,
                clusters=clusters,
                method=interval.method,
                level=interval.level,
                low=interval.low,
                high=interval.high,
                reason=reason,
            )
        )
    first = found[0]
    return MetricEntry(
        metric=figure.metric,
        facet=figure.facet,
        slice=figure.slice,
        value=first.value,
        unit=figure.unit,
        n=figure.rows,
        chance=figure.chance,
        p=first.p,
        reason=first.reason if first.value is None else None,
        intervals=tuple(entries),
    )


def _adjusted(entries: list[MetricEntry]) -> list[MetricEntry]:
    """Holm's adjustment over the facets of each metric and slice; the overall figure is not one of them."""
    families: dict[tuple[str, str], list[int]] = defaultdict(list)
    for n, entry in enumerate(entries):
        if entry.p is not None and entry.facet != OVERALL:
            families[entry.metric, entry.slice].append(n)
    for numbers in families.values():
        raw = [p for n in numbers if (p := entries[n].p) is not None]
        for n, p in zip(numbers, holm(raw), strict=True):
            entries[n] = replace(entries[n], p_adjusted=p)
    return entries


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"
