"""Differences of every two judges in every metric, over what both owe.

**Interval.** The bootstrap of the family's own ladders, both judges under the same draws. Judges are measured together only where
they are drawn by the same clusters, so that no difference depends on who else is compared.

**p.** Where the metric is a mean over units whose weights no answer moves, that of changing the two judges' places within each
independent unit, over all 2^units ways (`statistics.flips`). Of other metrics, such as an AUROC, and of units that share members,
such as pairs of speakers, the bootstrap's, which is never below 2 / (replicates + 1).

**McNemar.** Of a metric that ranks and whose units are right or wrong as a whole, exact, beside it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from earmark.manifests.comparison import BOOTSTRAP, SIGN_FLIP, DifferenceEntry, PairEntry
from earmark.manifests.report import OVERALL
from earmark.scoring.comparing.between import Between, Entered, cell_of, unit_differences
from earmark.scoring.comparing.entrants import Entrant, coverage_of
from earmark.scoring.comparing.narrowing import narrowed
from earmark.scoring.decisions.counts import counts
from earmark.scoring.families import figured_marks
from earmark.scoring.measuring import measure
from earmark.statistics.flips import sign_flip_p
from earmark.statistics.significance import holm

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.manifests.report import MetricEntry
    from earmark.scoring.measuring import Figure, Numbering, Options
    from earmark.scoring.measuring.figured import Figured

_BLOCK = (
    8  # judges on each side that are drawn together: what they make of a draw is kept until all have been set apart
)

Names = tuple[str, str]


def pairs_of(entrants: Sequence[Entrant]) -> tuple[PairEntry, ...]:
    """Every two judges, and what they have in common."""
    return tuple(
        PairEntry(
            first=one.name,
            second=other.name,
            items=len(one.items & other.items),
            ranked=one.entry.modality == other.entry.modality,
        )
        for one, other in combinations(entrants, 2)
    )


def differences(
    release: Release,
    entrants: Sequence[Entrant],
    options: Options,
    *,
    metrics: frozenset[str] | None = None,
    known: Mapping[str, Figured] | None = None,
) -> tuple[DifferenceEntry, ...]:
    """Every difference of every two judges, pair by pair in their order; p is adjusted over all of them, metric by metric.

    Args:
        release: A release with its private side.
        entrants: The judges.
        options: How intervals are made.
        metrics: Those that are wanted; None for all.
        known: Name of a judge → what the family makes of its submission, where that is known already.
    """
    together: dict[frozenset[str], list[tuple[Entrant, Entrant]]] = defaultdict(list)
    for one, other in combinations(entrants, 2):
        together[one.items & other.items].append((one, other))
    found: dict[Names, list[DifferenceEntry]] = {}
    for items, pairs in together.items():
        if items:
            found.update(_over(release, items, pairs, options, metrics, known or {}))
    ordered = [entry for one, other in combinations(entrants, 2) for entry in found.get((one.name, other.name), ())]
    return adjusted(ordered)


def adjusted(entries: Sequence[DifferenceEntry]) -> tuple[DifferenceEntry, ...]:
    """The same with p by Holm's method over all comparisons of each metric: over facets and pairs, overall ones by themselves."""
    families: dict[tuple[str, bool], list[int]] = defaultdict(list)
    for n, entry in enumerate(entries):
        families[entry.metric, entry.facet == OVERALL].append(n)
    found = list(entries)
    for places in families.values():
        for n, p in zip(places, holm([entries[n].p for n in places]), strict=True):
            found[n] = replace(entries[n], p_adjusted=p)
    return tuple(found)


def _over(
    release: Release,
    items: frozenset[str],
    pairs: Sequence[tuple[Entrant, Entrant]],
    options: Options,
    metrics: frozenset[str] | None,
    known: Mapping[str, Figured],
) -> dict[Names, list[DifferenceEntry]]:
    """The differences of some pairs that have the same items in common."""
    judges = {judge.name: judge for pair in pairs for judge in pair}
    decided = {name: narrowed(judge.decisions, items) for name, judge in judges.items()}
    marks = figured_marks(release)
    entered = {}
    for name, decisions in decided.items():
        whole = known.get(name) if decisions is judges[name].decisions else None
        entered[name] = Entered(whole or marks.figured(release, decisions), metrics)
    coverage = {
        name: {facet: coverage_of(dict(of)) for facet, of in counts(release, decisions).items()}
        for name, decisions in decided.items()
    }
    drawn_by = {name: one.drawn_by() for name, one in entered.items()}
    blocks: dict[tuple[int, ...], list[Names]] = defaultdict(list)
    place = {name: n for n, name in enumerate(entered)}
    kinds: list[Mapping[tuple[str, str], bytes]] = []
    for n, (one, other) in enumerate(pairs):
        alike = drawn_by[one.name] == drawn_by[other.name]
        if alike and drawn_by[one.name] not in kinds:
            kinds.append(drawn_by[one.name])
        kind: tuple[int, ...] = (-1, n)
        if alike:
            blocks_of = place[one.name] // _BLOCK, place[other.name] // _BLOCK
            kind = (kinds.index(drawn_by[one.name]), *blocks_of)
        blocks[kind].append((one.name, other.name))
    found: dict[Names, list[DifferenceEntry]] = {}
    for kind, names in blocks.items():
        found.update(_block(entered, coverage, names, options, paired=kind[0] >= 0))
    return found


def _block(
    entered: Mapping[str, Entered],
    coverage: Mapping[str, Mapping[str, float | None]],
    names: Sequence[Names],
    options: Options,
    *,
    paired: bool,
) -> dict[Names, list[DifferenceEntry]]:
    """The differences of some pairs, measured at once.

    Args:
        entered: The judges.
        coverage: Of each, by facet.
        names: The pairs.
        options: How intervals are made.
        paired: Whether their judges are drawn by the same clusters, so that units can be set side by side.
    """
    places = [(pair, key) for pair in names for key in entered[pair[0]].sides if key in entered[pair[1]].sides]
    figures = [Between.of(entered[one].sides[key], entered[other].sides[key]) for (one, other), key in places]
    one, other = (entered[name] for name in names[0])

    def number(rung: str, some: Iterable[Figure]) -> Numbering:
        """The clusters of all figures of a facet: of one judge where they are the same for all, else of both."""
        facet = next(iter(some)).facet
        both = one.figures_of(facet) if paired else (*one.figures_of(facet), *other.figures_of(facet))
        return one.figured.number(rung, both)

    measured = measure(figures, one.figured.ladders, options, number=number)
    found: dict[Names, list[DifferenceEntry]] = {pair: [] for pair in names}
    for (pair, _), figure, entry in zip(places, figures, measured, strict=True):
        first, second = pair
        made = _entry(pair, figure, entry, (coverage[first].get(entry.facet), coverage[second].get(entry.facet)))
        found[pair].append(_tested(made, entered[first], entered[second]) if paired else made)
    return found


def _entry(
    pair: Names, figure: Between, entry: MetricEntry, coverage: tuple[float | None, float | None]
) -> DifferenceEntry:
    first, second = figure.first, figure.second
    return DifferenceEntry(
        first=pair[0],
        second=pair[1],
        metric=entry.metric,
        facet=entry.facet,
        value=entry.value,
        unit=entry.unit,
        first_value=first.value,
        second_value=second.value,
        first_n=first.figure.rows,
        second_n=second.figure.rows,
        first_coverage=coverage[0],
        second_coverage=coverage[1],
        p=entry.p,
        test=None if entry.p is None else BOOTSTRAP,
        reason=entry.reason,
        intervals=entry.intervals,
    )


def _tested(entry: DifferenceEntry, first: Entered, second: Entered) -> DifferenceEntry:
    """The entry with the p of changed places where its figure has one, and with McNemar's table."""
    units = unit_differences(first, second, entry.metric, entry.facet)
    ranks = entry.metric in first.figured.better
    cell = cell_of(first, second, entry.metric, entry.facet) if ranks else None
    if units is None or entry.value is None:
        return replace(entry, cell=cell)
    return replace(entry, p=sign_flip_p(units), test=SIGN_FLIP, units=len(units), cell=cell)
