"""Is an accuracy above chance, or below? And how small a difference from another judge could these dialogues show?

**p.** Two-sided, exact binomial over dialogues, against 1/2, and against 1/4 for trajectories. Holm's method adjusts over all
cells of a report: the three accuracies of every subscale. Composites are adjusted among themselves; overall figures stand alone.

**Detectable difference.** What a paired test over n dialogues finds with power 0.8 at level 0.05 (`statistics.power`). It depends
on how often exactly one of two judges is right. Of one judge alone that is not known: 2p(1 − p) is what two judges as accurate as
this one have whose errors are independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from earmark.manifests.report import ALL, OVERALL, MetricEntry
from earmark.scoring.dialogues.figures import COMPOSITE
from earmark.scoring.exact import exact_p
from earmark.statistics.power import detectable_difference
from earmark.statistics.significance import holm

CELLS = ("acc_traj", "acc_1", "acc_2")
"""What is tested of each subscale."""

DETECTABLE = "detectable_difference"

GLOSSARY = {
    DETECTABLE: "The least difference in acc_traj from another judge that a paired test over these dialogues finds with power "
    "0.8 at level 0.05, if both are as accurate as this one and err independently; errors in common make it smaller.",
}
"""What each metric means, for pages."""


def against_chance(entries: Sequence[MetricEntry]) -> list[MetricEntry]:
    """The entries with exact p in place of the bootstrap's, of the cells and of the overall accuracies alone."""
    subscales = [n for n, entry in enumerate(entries) if is_cell(entry) and entry.facet != OVERALL]
    composites = [n for n, entry in enumerate(entries) if is_cell(entry) and entry.slice.startswith(COMPOSITE)]
    found = [replace(entry, p=exact_p(entry) if is_cell(entry) else None, p_adjusted=None) for entry in entries]
    for family in (subscales, composites):
        for n, p in zip(family, holm([found[n].p for n in family]), strict=True):
            found[n] = replace(found[n], p_adjusted=p)
    return found


def detectable(entries: Sequence[MetricEntry]) -> list[MetricEntry]:
    """The detectable difference of every facet's trajectories."""
    return [_detectable(entry) for entry in entries if (entry.metric, entry.slice) == (CELLS[0], ALL)]


def is_cell(entry: MetricEntry) -> bool:
    """Whether an entry is tested: the accuracies of a subscale, of a composite, or of all."""
    return entry.metric in CELLS and (entry.slice == ALL or entry.slice.startswith(COMPOSITE))


def _detectable(entry: MetricEntry) -> MetricEntry:
    share = entry.value
    value = None if share is None or not entry.n else detectable_difference(entry.n, 2 * share * (1 - share))
    reason = None
    if share is None:
        reason = entry.reason
    elif value is None:
        alike = "two judges like this one are never told apart" if share in (0, 1) else "there are too few dialogues"
        reason = f"{alike}, whatever they answer" if share not in (0, 1) else alike
    return MetricEntry(metric=DETECTABLE, facet=entry.facet, value=value, n=entry.n, reason=reason)
