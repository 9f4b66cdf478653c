"""How people rank systems, how far they agree on it, and how far each metric orders the systems as people do.

- A ranking is what one rater says of all systems on one dialogue. Ties are allowed, and systems that share a place share the
  average of the ranks they take up, so that 1, 1, 3 and 1, 1, 2 are the same. Rankings that leave a system out do not count.
- `mean_rank`: the mean of a system's ranks over all rankings; 1 is the best. Its interval resamples dialogues.
- Kendall's W, corrected for ties: of the raters of one dialogue, the mean of those, and of the raters' own mean ranks over all
  dialogues. 1 is that all rank alike, 0 that they rank as if by lot.
- A metric is taken over the same dialogues alone, and by the protocol that the system's file follows. Its Spearman coefficient
  with the mean ranks, average ranks for ties, is above 0 where systems that are better by the metric are better in people's eyes;
  p is over all orderings of the systems.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.hashes import file_hash
from earmark.manifests.report import ALL, OVERALL, rounded_floats
from earmark.scoring.decisions import Owed
from earmark.scoring.face import read
from earmark.scoring.families import family_marks
from earmark.scoring.measuring import Figure, Options, Part, measure
from earmark.scoring.panels.failures import unit_level
from earmark.statistics.concordance import kendall_w, rank_correlation
from earmark.statistics.kappa import MISSING
from earmark.statistics.rates import Ratio

if TYPE_CHECKING:
    from collections.abc import Collection

    from earmark.manifests.canonical import Json
    from earmark.manifests.panels import Panel
    from earmark.manifests.release import Release
    from earmark.manifests.report import MetricEntry
    from earmark.scoring.decisions import Decisions
    from earmark.scoring.measuring import Codes
    from earmark.scoring.panels.sheets import Rated
    from earmark.statistics.concordance import Concordance
    from earmark.statistics.statistic import Floats

OTHER_FILE = declare("panel.other-submission", Severity.ERROR, "the file is none of those whose answers were ranked")

SYSTEM = "system:"
"""How the name of a slice begins that is of one system."""

NO_RANKING = "nobody ranked all systems"
UNDEFINED = "the metric is undefined for a system"

_DIGITS = 12  # accuracies that are equal but for rounding are equal


@dataclass(frozen=True, kw_only=True)
class Correlation:
    """How far a metric orders the systems as people do.

    Args:
        metric: The metric.
        values: What it gives each system, on the ranked dialogues alone, in the panel's order.
        rho: Spearman's coefficient, above 0 where it goes with people; None where undefined.
        p: Exact and two-sided, over all orderings; None where undefined.
        p_t: By Student's t, as papers print it; None where undefined.
        reason: Why there is no coefficient; None where there is one.
    """

    metric: str
    values: tuple[float | None, ...]
    rho: float | None
    p: float | None
    p_t: float | None
    reason: str | None


@dataclass(frozen=True, kw_only=True)
class UnitRanking:
    """How the raters of one dialogue agree.

    Args:
        unit: Its id.
        raters: How many ranked all systems.
        w: Kendall's W; None where undefined.
        reason: Why it is.
    """

    unit: str
    raters: int
    w: float | None
    reason: str | None


@dataclass(frozen=True)
class Ranking:
    """Everything computed from rankings.

    Args:
        systems: Names of the systems.
        metrics: The mean rank of each system and the mean of W over dialogues, with intervals over dialogues.
        overall: W of the raters' own mean ranks, its p by chi-square, and why it is undefined.
        units: W of each dialogue.
        correlations: Each metric beside people.
    """

    systems: tuple[str, ...]
    metrics: tuple[MetricEntry, ...]
    overall: Concordance
    units: tuple[UnitRanking, ...]
    correlations: tuple[Correlation, ...]

    def mean_rank(self, system: str) -> MetricEntry | None:
        """The mean rank of a system."""
        return next((entry for entry in self.metrics if entry.slice == f"{SYSTEM}{system}"), None)

    def as_json(self) -> Mapping[str, Json]:
        """The same as plain JSON values, floats to six significant digits."""
        value: dict[str, Json] = {**msgspec.to_builtins(self), "overall": dict(self.overall._asdict())}
        return {name: rounded_floats(entry) for name, entry in value.items()}


def measure_ranking(
    release: Release, panel: Panel, rated: Rated, files: Sequence[Path], findings: Findings, options: Options
) -> Ranking:
    """What the raters of a panel that ranks said.

    Args:
        release: The release that it was drawn from.
        panel: The panel.
        rated: What they said.
        files: The prediction files of the systems, in any order; without them no metric is held against people.
        findings: Told of a file that is of no system, and of what is wrong with the others.
        options: How intervals are made.

    Raises:
        EarmarkError: If a file is not there.
    """
    names = tuple(system.name for system in panel.systems)
    first = len(panel.criteria)
    said = rated.answers[:, :, first : first + len(names)]
    rater, unit = np.nonzero((said != MISSING).all(axis=2))
    ranks = average_ranks(said[rater, unit])
    units = []
    for n, id in enumerate(rated.units):
        w = kendall_w(ranks[unit == n].reshape(-1, len(names)))
        units.append(UnitRanking(unit=id, raters=int((unit == n).sum()), w=w.value, reason=w.reason))
    own = [ranks[rater == n].mean(axis=0) for n in np.unique(rater)]
    overall = kendall_w(np.reshape(own, (-1, len(names))))
    mean = ranks.mean(axis=0) if len(ranks) else None
    values = _values(release, panel, files, findings)
    return Ranking(
        names,
        tuple(measure(_figures(panel, ranks, unit, units), ((unit_level(panel),),), options)),
        overall,
        tuple(units),
        tuple(_correlation(metric, values[metric], mean) for metric in values),
    )


def average_ranks(places: object) -> Floats:
    """(n, k) ranks of (n, k) places, those that share a place sharing the average of their ranks.

    >>> average_ranks([[1, 1, 3], [2, 2, 9]]).tolist()
    [[1.5, 1.5, 3.0], [1.5, 1.5, 3.0]]
    """
    table = np.asarray(places)
    if not table.size:
        return np.zeros(table.shape)
    from scipy.stats import rankdata

    ranks: Floats = np.asarray(rankdata(table, axis=1), np.float64)
    return ranks


def _figures(panel: Panel, ranks: Floats, unit: Codes, units: Sequence[UnitRanking]) -> list[Figure]:
    level = unit_level(panel)
    figures = [
        Figure(
            "mean_rank", OVERALL, (Part({level: unit}, partial(Ratio.of_rows, ranks[:, n])),), f"{SYSTEM}{system.name}"
        )
        for n, system in enumerate(panel.systems)
    ]
    defined = [(n, entry.w) for n, entry in enumerate(units) if entry.w is not None]
    rows, w = np.array([n for n, _ in defined], np.int64), np.array([value for _, value in defined], np.float64)
    return [*figures, Figure("kendall_w_mean", OVERALL, (Part({level: rows}, partial(Ratio.of_rows, w)),))]


def _correlation(metric: str, values: tuple[float | None, ...], mean: Floats | None) -> Correlation:
    known = [value for value in values if value is not None]
    if mean is None or len(known) < len(values):
        reason = NO_RANKING if mean is None else UNDEFINED
        return Correlation(metric=metric, values=values, rho=None, p=None, p_t=None, reason=reason)
    found = rank_correlation(-np.round(known, _DIGITS), np.round(mean, _DIGITS))
    return Correlation(metric=metric, values=values, rho=found.value, p=found.p, p_t=found.p_t, reason=found.reason)


def _values(
    release: Release, panel: Panel, files: Sequence[Path], findings: Findings
) -> Mapping[str, tuple[float | None, ...]]:
    """What each metric that has a chance level gives each system, on the panel's items alone; none without all files."""
    given: dict[str, Path] = {}
    for file in files:
        if not file.is_file():
            raise EarmarkError(f"cannot read {file}: no such file")
        hash = file_hash(file)
        given[hash] = file
        if hash not in {system.file for system in panel.systems}:
            findings.add(OTHER_FILE, file=file.name, found=hash, expected="a file that the panel was drawn with")
    if any(system.file not in given for system in panel.systems) or not release.has_private_side:
        return {}
    items = frozenset(entry.item for entry in panel.entries)
    of_system: list[Mapping[str, float | None]] = []
    for system in panel.systems:
        _, decisions = read(release, given[system.file], None, findings, unnamed=panel.protocol)
        # Values alone are wanted here: with so few systems it is their order that counts.
        entries = family_marks(release).evaluate(release, narrowed(decisions, items), Options(resamples=1))
        of_system.append(
            {
                entry.metric: entry.value
                for entry in entries
                if (entry.facet, entry.slice) == (OVERALL, ALL) and entry.chance is not None
            }
        )
    return {
        metric: tuple(values.get(metric) for values in of_system)
        for metric in dict.fromkeys(metric for values in of_system for metric in values)
    }


def narrowed(decisions: Decisions, items: Collection[str]) -> Decisions:
    """The same decisions on some items alone."""
    owed = decisions.owed
    kept = np.flatnonzero([item in items for item in owed.item])
    rows = np.isin(decisions.presentation, kept)
    few = Owed(
        owed.protocol,
        *(tuple(column[n] for n in kept.tolist()) for column in (owed.ids, owed.item, owed.order)),
    )
    return replace(
        decisions,
        owed=few,
        presentation=np.searchsorted(kept, decisions.presentation[rows]),
        run=decisions.run[rows],
        outcome=decisions.outcome[rows],
        choice=decisions.choice[rows],
        probability=decisions.probability[rows],
    )
