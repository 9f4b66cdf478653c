"""Who stands where: groups of judges that nothing tells apart, ranges over facets, and whether two metrics rank alike.

Only judges of one modality stand together: what one reads another hears. Two of them differ in a figure if the adjusted p of
their difference is below 0.05; where there is no p, nothing shows that they differ.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from earmark.manifests.comparison import (
    AgreementEntry,
    DifferenceEntry,
    FigureEntry,
    GatheredEntry,
    GroupsEntry,
    JudgeEntry,
    StandingEntry,
)
from earmark.manifests.report import OVERALL
from earmark.statistics.kendall import kendall_tau_b
from earmark.statistics.letters import MOST_GROUPS, letters, maximal_groups

if TYPE_CHECKING:
    from earmark.scoring.measuring.figured import Better

LEVEL = 0.05
"""What an adjusted p is below where two judges differ."""

FEWEST_RANKED = 3
"""With fewer judges two rankings can only be the same or opposite."""

UNSAID = "not said"

_PLACES = (
    9  # of a figure that tell judges apart: in the last ones equal figures differ that were added up in another order
)


@dataclass(frozen=True, eq=False)
class Standings:
    """Judges, what each gets, and which of them differ.

    Args:
        judges: The judges.
        better: Which way each metric is better that ranks.
        value: (metric, facet, judge) → value, where there is one; equal ones to the last bit.
        apart: (metric, facet) → pairs of judges that differ.
    """

    judges: Sequence[JudgeEntry]
    better: Mapping[str, Better]
    value: Mapping[tuple[str, str, str], float]
    apart: Mapping[tuple[str, str], frozenset[frozenset[str]]]

    @classmethod
    def of(
        cls,
        judges: Sequence[JudgeEntry],
        better: Mapping[str, Better],
        figures: Sequence[FigureEntry],
        differences: Sequence[DifferenceEntry],
    ) -> Standings:
        """What figures and differences come to."""
        apart: dict[tuple[str, str], set[frozenset[str]]] = defaultdict(set)
        for entry in differences:
            if entry.p_adjusted is not None and entry.p_adjusted < LEVEL:
                apart[entry.metric, entry.facet].add(frozenset((entry.first, entry.second)))
        places = dict.fromkeys((entry.metric, entry.facet) for entry in figures if entry.metric in better)
        return cls(
            judges,
            better,
            {(one.metric, one.facet, one.judge): _told(one.value) for one in figures if one.value is not None},
            {place: frozenset(apart.get(place, ())) for place in places},
        )

    @property
    def modalities(self) -> Mapping[str, tuple[str, ...]]:
        """Modality → names of its judges."""
        found: dict[str, list[str]] = {}
        for judge in self.judges:
            found.setdefault(judge.modality, []).append(judge.name)
        return {modality: tuple(names) for modality, names in found.items()}

    def ordered(self, names: Sequence[str], metric: str, facet: str) -> list[str]:
        """The judges that have a figure, the best first, equal ones as they came."""
        known = [name for name in names if (metric, facet, name) in self.value]
        return sorted(known, key=lambda name: -self.better[metric] * self.value[metric, facet, name])

    def groups(self) -> tuple[GroupsEntry, ...]:
        """Who cannot be told from whom, for every metric that ranks, in every facet and overall."""
        return tuple(
            self._groups(modality, names, metric, facet)
            for modality, names in self.modalities.items()
            if len(names) > 1
            for metric, facet in self.apart
        )

    def _groups(self, modality: str, names: Sequence[str], metric: str, facet: str) -> GroupsEntry:
        ordered = self.ordered(names, metric, facet)
        place = {name: n for n, name in enumerate(ordered)}
        pairs = [
            tuple(sorted(place[name] for name in pair)) for pair in self.apart[metric, facet] if pair <= set(place)
        ]
        found = maximal_groups(len(ordered), sorted((first, second) for first, second in pairs))
        reason = None if ordered else "nobody has the figure"
        if found is None:
            reason = f"more than {MOST_GROUPS} groups"
        return GroupsEntry(
            modality=modality,
            metric=metric,
            facet=facet,
            judges=tuple(ordered),
            letters=() if found is None else letters(len(ordered), found),
            groups=None if found is None else tuple(tuple(ordered[n] for n in group) for group in found),
            reason=reason,
        )

    def over_facets(self) -> tuple[StandingEntry, ...]:
        """Of every judge and metric the range over facets, and in how many the judge is among the best."""
        facets = {
            metric: [facet for name, facet in self.apart if name == metric and facet != OVERALL]
            for metric in self.better
        }
        return tuple(
            self._standing(modality, names, name, metric, facets[metric])
            for modality, names in self.modalities.items()
            for metric in self.better
            if facets[metric]
            for name in names
        )

    def _standing(
        self, modality: str, names: Sequence[str], name: str, metric: str, facets: Sequence[str]
    ) -> StandingEntry:
        here = [facet for facet in facets if (metric, facet, name) in self.value]
        values = {facet: self.value[metric, facet, name] for facet in here}
        low, high = (min(here, key=values.__getitem__), max(here, key=values.__getitem__)) if here else (None, None)
        return StandingEntry(
            judge=name,
            modality=modality,
            metric=metric,
            facets=len(here),
            low=None if low is None else values[low],
            low_facet=low,
            high=None if high is None else values[high],
            high_facet=high,
            best=sum(self._among_best(names, name, metric, facet) for facet in here),
        )

    def _among_best(self, names: Sequence[str], name: str, metric: str, facet: str) -> bool:
        ordered = self.ordered(names, metric, facet)
        best = [one for one in ordered if self.value[metric, facet, one] == self.value[metric, facet, ordered[0]]]
        return name in best or any(frozenset((name, one)) not in self.apart[metric, facet] for one in best)

    def agreements(self) -> tuple[AgreementEntry, ...]:
        """For every two metrics that rank, whether they rank the judges of a modality alike, overall."""
        return tuple(
            self._agreement(modality, names, first, second)
            for modality, names in self.modalities.items()
            for first, second in combinations([metric for metric in self.better if (metric, OVERALL) in self.apart], 2)
        )

    def _agreement(self, modality: str, names: Sequence[str], first: str, second: str) -> AgreementEntry:
        both = [name for name in names if all((metric, OVERALL, name) in self.value for metric in (first, second))]
        one, other = (
            [self.better[metric] * self.value[metric, OVERALL, name] for name in both] for metric in (first, second)
        )
        enough = len(both) >= FEWEST_RANKED
        tau = kendall_tau_b(one, other) if enough else None
        reason = "all are level in one of them" if enough else f"fewer than {FEWEST_RANKED} judges have both"
        return AgreementEntry(
            modality=modality,
            first=first,
            second=second,
            judges=len(both),
            tau=tau,
            reason=reason if tau is None else None,
        )

    def gathered(self, metrics: Sequence[str]) -> tuple[GatheredEntry, ...]:
        """What judges of one access, and of one architecture, reach overall.

        Args:
            metrics: Of those the ones that rank are gathered.
        """
        return tuple(
            self._gathered(by, kind, modality, metric, names)
            for modality in self.modalities
            for by in ("access", "architecture")
            for kind, names in self._kinds(modality, by)
            for metric in metrics
            if (metric, OVERALL) in self.apart
        )

    def _kinds(self, modality: str, by: str) -> list[tuple[str, list[str]]]:
        """The names of a modality's judges by what they say of themselves; those that say nothing come last."""
        kinds: dict[str, list[str]] = defaultdict(list)
        for judge in self.judges:
            if judge.modality == modality:
                kinds[(judge.access if by == "access" else judge.architecture) or UNSAID].append(judge.name)
        return sorted(kinds.items(), key=lambda pair: (pair[0] == UNSAID, pair[0]))

    def _gathered(self, by: str, kind: str, modality: str, metric: str, names: Sequence[str]) -> GatheredEntry:
        ordered = self.ordered(names, metric, OVERALL)
        values = [self.value[metric, OVERALL, name] for name in ordered]
        return GatheredEntry(
            by=by,
            kind=kind,
            modality=modality,
            metric=metric,
            judges=len(ordered),
            mean=float(np.mean(values)) if values else None,
            best=values[0] if values else None,
            best_judge=ordered[0] if values else None,
        )


def _told(value: float) -> float:
    return round(value, _PLACES) + 0.0
