"""What raters said of whole units: how many meet each criterion, and how raters agree on it; `failures` has what follows from it.

- `passed`: of all ratings of a criterion the share that says it is met. `cohen_kappa` and `observed_agreement` are those of
  `agreement`, on whether it is met; those over all criteria pool their ratings, each rater and unit counting once for each.
- The criterion `paralinguistic_accuracy` is asked of nobody: a rater's own choices in a unit meet it if all are right, and fail
  it as soon as one is wrong.
- `_reconciled`: the same after a second round, in which raters who discussed what they disagreed on answered that again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from earmark.manifests.panel_forms import RIGHT_CHOICES
from earmark.manifests.report import ALL, OVERALL, MetricEntry, rounded_floats
from earmark.manifests.rows import text
from earmark.scoring.measuring import Figure, Part, measure
from earmark.scoring.panels.agreement import mean_cohen
from earmark.scoring.panels.failures import FAILED, MET, Failure, Limit, failures, limits, unit_level
from earmark.statistics.kappa import MISSING, label_counts, observed_agreement
from earmark.statistics.rates import Ratio

if TYPE_CHECKING:
    from earmark.manifests.canonical import Json
    from earmark.manifests.panels import Panel
    from earmark.manifests.release import Release
    from earmark.scoring.measuring import Options
    from earmark.scoring.panels.sheets import Labels, Rated

RECONCILED = "_reconciled"
"""How the name of a figure ends that is after a second round."""

CRITERION = "criterion:"
"""How the name of a slice begins that is of one criterion."""

NO_ROUND_2 = "no second round of sheets was read"
NO_GOLD = "this copy of the release has no answers, so no choice is known to be right"

GLOSSARY: Mapping[str, str] = {
    "passed": "Share of all ratings of a criterion that say it is met.",
    "observed_agreement": "Share of pairs of raters of a unit that say the same, mean over units with two raters or more.",
    "cohen_kappa": "Cohen's kappa of two raters on whether the criterion is met, mean over pairs for whom it is defined.",
    "passed_reconciled": "The same share after the second round.",
    "observed_agreement_reconciled": "The same agreement after the second round.",
    "cohen_kappa_reconciled": "The same kappa after the second round.",
}
"""What each figure means."""


@dataclass(frozen=True)
class Criteria:
    """Everything computed from what raters said of whole units.

    Args:
        metrics: Every figure, before and after reconciliation.
        limits: For each criterion and for all together.
        failures: By unit, then in the order of the criteria.
        reason: Why a criterion is left out; None where none is.
    """

    metrics: tuple[MetricEntry, ...]
    limits: tuple[Limit, ...]
    failures: tuple[Failure, ...]
    reason: str | None = None

    def find(self, metric: str, criterion: str | None = None) -> MetricEntry | None:
        """One figure, of a criterion or of all together, or None if there is none."""
        slice = ALL if criterion is None else f"{CRITERION}{criterion}"
        return next((entry for entry in self.metrics if (entry.metric, entry.slice) == (metric, slice)), None)

    def as_json(self) -> Mapping[str, Json]:
        """The same as plain JSON values, floats to six significant digits."""
        value: dict[str, Json] = {**msgspec.to_builtins(self), "glossary": dict(GLOSSARY)}
        return {name: rounded_floats(entry) for name, entry in value.items()}


def measure_criteria(release: Release, panel: Panel, first: Rated, last: Rated | None, options: Options) -> Criteria:
    """What the raters of a panel with criteria said.

    Args:
        release: The release that it was drawn from.
        panel: The panel.
        first: What they said in the first round.
        last: What they said in the end; None where there was one round.
        options: How intervals are made; its level is that of the limits too.
    """
    gold = golds_of(release) if panel.chooses else None
    names = [criterion.slug for criterion in panel.criteria]
    if gold is not None:
        names.append(RIGHT_CHOICES)
    before = met(panel, first, gold)
    figures = _figures(before, names, panel, "")
    after = before if last is None else met(panel, last, gold)
    figures += _figures(after, names, panel, RECONCILED) if last is not None else []
    entries = measure(figures, ((unit_level(panel),),), options)
    if last is None:
        entries += [_undefined(figure) for figure in figures]
    return Criteria(
        tuple(entries),
        tuple(limits(release, panel, after, names, first.units, options.level)),
        tuple(failures(panel, first.raters, first.units, after, names)),
        NO_GOLD if panel.chooses and gold is None else None,
    )


def met(panel: Panel, rated: Rated, gold: Mapping[str, int] | None) -> Labels:
    """Whether each rater says that each unit meets each criterion.

    Args:
        panel: The panel.
        rated: What they said.
        gold: Index of the right answer of each item; None leaves out the criterion that it decides.

    Returns:
        (raters, units, criteria) `MET`, `FAILED` or `MISSING`; criteria in the panel's order, what choices say last.
    """
    asked = rated.answers[:, :, : len(panel.criteria)]
    said = np.where(asked == MISSING, MISSING, np.where(asked == 0, MET, FAILED))
    if gold is None:
        return said
    chosen = np.full((*said.shape[:2], 1), MISSING)
    place, entries = {entry.item: n for n, entry in enumerate(rated.entries)}, panel.units
    for n, unit in enumerate(rated.units):
        items = [entry.item for entry in entries[unit]]
        labels = rated.labels[:, [place[item] for item in items]]
        right = labels == np.array([gold[item] for item in items])
        chosen[:, n, 0] = np.where(right.all(axis=1), MET, MISSING)
        chosen[((labels != MISSING) & ~right).any(axis=1), n, 0] = FAILED
    return np.concatenate([said, chosen], axis=2)


def golds_of(release: Release) -> Mapping[str, int] | None:
    """Index of the right answer of each item among the family's golds; None where this copy has no answers."""
    if not release.has_private_side:
        return None
    golds = release.family.golds
    return {text(row, "item_id"): golds.index(text(row, "gold")) for row in release.table("answers").to_pylist()}


def _figures(said: Labels, names: Sequence[str], panel: Panel, suffix: str) -> list[Figure]:
    level, (raters, units, _) = unit_level(panel), said.shape
    made = []
    for n, name in enumerate([None, *names]):
        labels = said.reshape(raters, units * said.shape[2]) if name is None else said[:, :, n - 1]
        unit = np.repeat(np.arange(units), labels.shape[1] // max(units, 1))
        slice = ALL if name is None else f"{CRITERION}{name}"
        given = labels != MISSING
        passed = partial(Ratio.of_rows, labels[given] == MET)
        rows = np.broadcast_to(unit, labels.shape)[given]
        agreement = partial(observed_agreement, label_counts(labels, 2))
        kappa = partial(mean_cohen, labels, 2)
        made += [
            Figure(f"passed{suffix}", OVERALL, (Part({level: rows}, passed),), slice=slice),
            Figure(f"observed_agreement{suffix}", OVERALL, (Part({level: unit}, agreement),), slice=slice),
            Figure(f"cohen_kappa{suffix}", OVERALL, (Part({level: unit}, kappa),), slice=slice),
        ]
    return made


def _undefined(figure: Figure) -> MetricEntry:
    metric = f"{figure.metric}{RECONCILED}"
    return MetricEntry(metric=metric, facet=figure.facet, slice=figure.slice, value=None, n=0, reason=NO_ROUND_2)
