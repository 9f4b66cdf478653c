"""Figures with intervals: every metric of every family is measured here, by one bootstrap.

A figure says how its statistic is made from the cluster of each of its rows; `measure` chooses the clusters. For each way of
resampling there is a ladder of units, such as speaker, then speaker in a conversation: with fewer than 20 clusters a figure is
conditional on them, and the next unit down is resampled.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from earmark.manifests.report import ALL, OVERALL, IntervalEntry, MetricEntry
from earmark.statistics.intervals import intervals
from earmark.statistics.significance import holm
from earmark.statistics.statistic import Mean

if TYPE_CHECKING:
    from earmark.statistics.intervals import Interval
    from earmark.statistics.statistic import Statistic

FEWEST_CLUSTERS = 20
"""With fewer clusters than this a percentile interval is too narrow to be believed."""

Codes: TypeAlias = NDArray[np.int64]
Make: TypeAlias = "Callable[[Codes, int], Statistic]"
Ladder: TypeAlias = tuple[str, ...]


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
        levels: For each unit that can be resampled, the number of each row's cluster, (n,) each; the same numbers mean the same
            cluster in every part.
        make: The statistic, from the cluster of each row and the number of clusters.
    """

    levels: Mapping[str, Codes]
    make: Make

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(next(iter(self.levels.values())))


@dataclass(frozen=True, eq=False)
class Figure:
    """One figure to be measured: a statistic, or the unweighted mean of several such as those of the facets.

    Args:
        metric: Its name.
        facet: Facet id, or "overall".
        parts: One, or those that the mean is over.
        slice: Part of the facet.
        chance: What guessing would give, where known; p is against it.
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
        return np.unique(np.concatenate([part.levels[level] for part in self.parts]))

    def statistic(self, level: str, present: Codes) -> Statistic:
        """The statistic over the clusters `present`, ascending, of one level."""
        made = tuple(
            part.make(np.searchsorted(present, part.levels[level]).astype(np.int64), len(present))
            for part in self.parts
        )
        return made[0] if len(made) == 1 else Mean(made)


def measure(figures: Sequence[Figure], ladders: Sequence[Ladder], options: Options) -> list[MetricEntry]:
    """Measure figures, all that share clusters under the same draws.

    Args:
        figures: What to measure.
        ladders: For each interval wanted, the units to resample from the largest down. The first gives p.
        options: How.

    Returns:
        One entry per figure, in their order; p is adjusted over the facets of a metric and slice by Holm's method.
    """
    rungs = [[_rung(figure, ladder) for ladder in ladders] for figure in figures]
    drawn: dict[tuple[str, str], dict[str, Interval]] = {}
    waiting: dict[tuple[str, str], list[int]] = defaultdict(list)
    for n, (figure, chosen) in enumerate(zip(figures, rungs, strict=True)):
        for rung in set(chosen):
            waiting[figure.facet, rung].append(n)
    for (facet, rung), numbers in sorted(waiting.items()):
        # Clusters are numbered afresh within a facet, so that its intervals do not depend on other facets' rows.
        present = np.unique(np.concatenate([figures[n].clusters(rung) for n in numbers]))
        statistics = {str(n): figures[n].statistic(rung, present) for n in numbers}
        nulls = {str(n): chance for n in numbers if (chance := figures[n].chance) is not None}
        drawn[facet, rung] = intervals(
            statistics,
            clusters=len(present),
            replicates=options.resamples,
            seed=options.seed,
            level=options.level,
            nulls=nulls,
        )
    entries = []
    for n, (figure, chosen) in enumerate(zip(figures, rungs, strict=True)):
        found = [drawn[figure.facet, rung][str(n)] for rung in chosen]
        entries.append(_entry(figure, ladders, chosen, found))
    return _adjusted(entries)


def _rung(figure: Figure, ladder: Ladder) -> str:
    """The unit of a ladder that is resampled: the first with enough clusters, else the last."""
    for unit in ladder:
        if len(figure.clusters(unit)) >= FEWEST_CLUSTERS:
            return unit
    return ladder[-1]


def _entry(figure: Figure, ladders: Sequence[Ladder], chosen: Sequence[str], found: Sequence[Interval]) -> MetricEntry:
    entries = []
    for ladder, rung, interval in zip(ladders, chosen, found, strict=True):
        reason = interval.reason
        if reason is None and rung != ladder[0]:
            reason = f"conditional on {len(figure.clusters(ladder[0]))} {_plural(ladder[0])}"
        entries.append(
            IntervalEntry(
                by=rung,
                clusters=interval.clusters,
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


def _plural(unit: str) -> str:
    head, _, tail = unit.partition(" ")
    return f"{head}s {tail}".strip()
