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
from earmark.scoring.measuring.exact import exact_p
from earmark.statistics.power import detectable_difference
from earmark.statistics.significance import holm

CELLS = ("acc_traj", "acc_1", "acc_2")
"""What is tested of each subscale."""

DETECTABLE = "detectable_difference"

NEVER_APART = "no dialogue would have one of them right alone"
TOO_FEW = "these are too few dialogues for any difference to be found"

GLOSSARY = {
    DETECTABLE: "The least difference in acc_traj from another judge that a paired test over these dialogues finds with power "
    "0.8 at level 0.05, if both are as accurate as this one and err independently; errors in common make it smaller. "
    "In a slice against another submission, that from it, by how often exactly one of the two was right.",
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


def detectable_entry(entry: MetricEntry, discordance: float | None) -> MetricEntry:
    """The detectable difference of a figure.

    Args:
        entry: A share, or a difference of two.
        discordance: How often exactly one of two judges is right; None where that is not defined.
    """
    value = reason = None
    if discordance is None or not entry.n:
        reason = entry.reason or "no such dialogues"
    else:
        value = detectable_difference(entry.n, min(discordance, 1.0))
        if value is None:
            reason = NEVER_APART if discordance == 0 else TOO_FEW
    return MetricEntry(metric=DETECTABLE, facet=entry.facet, slice=entry.slice, value=value, n=entry.n, reason=reason)


def _detectable(entry: MetricEntry) -> MetricEntry:
    return detectable_entry(entry, None if entry.value is None else 2 * entry.value * (1 - entry.value))
