"""Figures with intervals: every metric of every family is measured here, by one bootstrap.

A figure says how its statistic is made from the cluster of each of its rows; `measure` chooses the clusters. For each way of
resampling there is a ladder of units, such as speaker, then speaker in a conversation: with fewer than 20 clusters a figure is
conditional on them, and the next unit down is resampled. So it is where a mean of several parts would be undefined in more than
1 % of the replicates because one part's few rows are often not drawn; if no unit further down helps, it has no interval.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from earmark.manifests.report import OVERALL, IntervalEntry, MetricEntry
from earmark.scoring.measuring.figure import Figure, Make, Part, Shared
from earmark.scoring.measuring.numbering import Codes, Numbering, drawn_units, numbering
from earmark.scoring.measuring.options import Options
from earmark.statistics.intervals import TOLERATED_UNDEFINED, intervals
from earmark.statistics.significance import holm

if TYPE_CHECKING:
    from earmark.statistics.intervals import Interval

__all__ = ["FEWEST_CLUSTERS", "Codes", "Figure", "Ladder", "Make", "Numbering", "Options", "Part", "Shared", "measure"]

FEWEST_CLUSTERS = 20
"""With fewer clusters than this a percentile interval is too narrow to be believed."""

Ladder: TypeAlias = tuple[str, ...]


def measure(
    figures: Sequence[Figure],
    ladders: Sequence[Ladder],
    options: Options,
    *,
    number: Callable[[str, Iterable[Figure]], Numbering] = numbering,
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
    chosen = [[_rung(figure, ladder) for ladder in ladders] for figure in figures]
    drawn = _Drawn(figures, options, number)
    drawn.draw((n, rung) for n, rungs in enumerate(chosen) for rung in rungs)
    entries = []
    for n, rungs in enumerate(_stepped_down(drawn, figures, ladders, chosen)):
        made = [
            _interval_entry(drawn, n, ladder, first, rung)
            for ladder, first, rung in zip(ladders, chosen[n], rungs, strict=True)
        ]
        entries.append(_entry(figures[n], drawn.found[n, rungs[0]], made))
    return _adjusted(entries)


class _Drawn:
    """What was found of figures, each by the rungs that it was resampled by."""

    def __init__(
        self,
        figures: Sequence[Figure],
        options: Options,
        number: Callable[[str, Iterable[Figure]], Numbering],
    ) -> None:
        self.figures, self.options = figures, options
        self.found: dict[tuple[int, str], Interval] = {}
        self._number = number
        self._numberings: dict[tuple[str, str], Numbering] = {}

    def draw(self, wanted: Iterable[tuple[int, str]]) -> None:
        """Resample some figures, by number, each by a rung."""
        waiting: dict[tuple[str, str], list[int]] = defaultdict(list)
        for n, rung in dict.fromkeys(wanted):
            waiting[self.figures[n].facet, rung].append(n)
        for (facet, rung), concerned in sorted(waiting.items()):
            numbering, chosen = self.numbering(facet, rung), [self.figures[n] for n in concerned]
            made = intervals(
                {str(n): figure.statistic(numbering) for n, figure in zip(concerned, chosen, strict=True)},
                clusters=numbering.clusters,
                replicates=self.options.resamples,
                seed=self.options.seed,
                level=self.options.level,
                nulls={str(n): chance for n in concerned if (chance := self.figures[n].chance) is not None},
                weights=numbering.weights(self.options),
                method=self.options.method,
                factors=numbering.factors,
                checked=[str(n) for n in concerned if self.figures[n].leads],
            )
            self.found.update({(n, rung): made[str(n)] for n in concerned})

    def numbering(self, facet: str, rung: str) -> Numbering:
        """The clusters of a facet.

        They are numbered within it and over all its rows: its intervals depend neither on other facets' rows nor on which of its
        figures are resampled by this unit.
        """
        if (facet, rung) not in self._numberings:
            here = (figure for figure in self.figures if figure.facet == facet)
            self._numberings[facet, rung] = self._number(rung, here)
        return self._numberings[facet, rung]

    def lost(self, n: int, rung: str) -> bool:
        """Whether a mean of several parts has no interval since a part is undefined in too many replicates."""
        found, many = self.found[n, rung], TOLERATED_UNDEFINED * self.options.resamples
        return len(self.figures[n].parts) > 1 and found.value is not None and found.undefined > many


def _stepped_down(
    drawn: _Drawn, figures: Sequence[Figure], ladders: Sequence[Ladder], chosen: Sequence[Sequence[str]]
) -> list[list[str]]:
    """The rung that each figure has its interval from, by ladder: one further down where the chosen one has none."""
    settled = [list(rungs) for rungs in chosen]
    places = [(n, place) for n in range(len(figures)) for place in range(len(ladders))]
    lost = {(n, place): chosen[n][place] for n, place in places if drawn.lost(n, chosen[n][place])}
    while lost:
        next_down = {at: _below(ladders[at[1]], rung) for at, rung in lost.items()}
        lost = {at: rung for at, rung in next_down.items() if rung is not None}
        drawn.draw((n, rung) for (n, _), rung in lost.items())
        for n, place in [at for at, rung in lost.items() if not drawn.lost(at[0], rung)]:
            settled[n][place] = lost.pop((n, place))
    return settled


def _rung(figure: Figure, ladder: Ladder) -> str:
    """The unit of a ladder that is resampled: the first with enough clusters, else the last."""
    for rung in ladder:
        if figure.count(rung) >= FEWEST_CLUSTERS:
            return rung
    return ladder[-1]


def _below(ladder: Ladder, rung: str) -> str | None:
    """The next rung down, if there is one."""
    return next(iter(ladder[ladder.index(rung) + 1 :]), None)


def _interval_entry(drawn: _Drawn, n: int, ladder: Ladder, first: str, rung: str) -> IntervalEntry:
    """The interval of a figure by a rung, which is not the first choice where that had none."""
    figure, found = drawn.figures[n], drawn.found[n, rung]
    numbering = drawn.numbering(figure.facet, rung)
    reason = found.reason
    if reason is None and rung != ladder[0]:
        unit = drawn_units(ladder[0])[0]
        reason = f"conditional on {_counted(len(figure.clusters(unit)), unit)}"
        if rung != first:
            undefined = drawn.found[n, first].undefined
            reason += f": by {first} undefined in {undefined} of {drawn.options.resamples} replicates"
    if reason is None and numbering.condition is not None:
        reason = f"conditional on {numbering.condition}"
    if reason is None and found.low == found.high:
        reason = "every replicate gives the same value"
    return IntervalEntry(
        by=rung,
        clusters=found.clusters if numbering.numbers_level else figure.count(rung),
        method=found.method,
        level=found.level,
        low=found.low,
        high=found.high,
        reason="; ".join(filter(None, (reason, found.note))) or None,
    )


def _entry(figure: Figure, first: Interval, made: Sequence[IntervalEntry]) -> MetricEntry:
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
        intervals=tuple(made),
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
