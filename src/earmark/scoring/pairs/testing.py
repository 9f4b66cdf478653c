"""Is a cell of the tables above chance, or below? Exact binomial tests over pairs, and z as the paper has it.

**p.** Two-sided, exact: n is the number of pairs and never of presentations, since the two orders of a pair are one observation.
Where a pair is right in one order alone the number of successes may not be whole; it is rounded towards what chance expects, so
that p errs on the large side. **z** = (p − p₀) / √(p₀(1 − p₀) / n) (reference: section 3 of the paper's protocol; |z| > 1.96).

Holm's method adjusts over all cells of a report: every criterion as a whole, its two kinds, and its two transcript conditions.
A part that is the whole of its criterion is not tested again, and has that one's p. The macro figures have the bootstrap's p.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from earmark.manifests.families.pairs import CONTROL
from earmark.manifests.report import ALL, OVERALL, MetricEntry
from earmark.scoring.measuring.exact import between_0_and_1, exact_p
from earmark.statistics.significance import holm

CELLS = ("accuracy", "accuracy_non_tie", "accuracy_tie", "accuracy_same", "accuracy_cross")
"""What is tested of each criterion."""

GLOSSARY = {
    f"{cell}_z": f"{cell} against chance in standard errors under chance, over pairs; |z| > 1.96 is the paper's mark."
    for cell in CELLS
}
"""What each metric means, for pages."""


def against_chance(entries: Sequence[MetricEntry]) -> list[MetricEntry]:
    """The entries with exact p in place of the bootstrap's, and a z for each cell behind them."""
    whole = {entry.facet: entry.n for entry in entries if (entry.metric, entry.slice) == ("accuracy", ALL)}
    cells = [entry for entry in entries if _is_cell(entry)]
    raw = {_place(entry): exact_p(entry) for entry in cells}
    distinct = [
        place for entry in cells if (place := _place(entry))[0] == CELLS[0] or entry.n not in (0, whole[entry.facet])
    ]
    adjusted = dict(zip(distinct, holm([raw[place] for place in distinct]), strict=True))
    found = []
    for entry in entries:
        if _is_cell(entry):
            place = _place(entry) if _place(entry) in adjusted else (CELLS[0], entry.facet)
            empty = entry.n == 0
            entry = replace(entry, p=None if empty else raw[place], p_adjusted=None if empty else adjusted[place])
        elif entry.facet != OVERALL:
            entry = replace(entry, p=None, p_adjusted=None)
        found.append(entry)
    return [*found, *(_z_entry(entry) for entry in cells)]


def z_score(value: float, chance: float, pairs: int) -> float:
    """(p − p₀) / √(p₀(1 − p₀) / n).

    >>> round(z_score(0.5, 1 / 3, 25), 2)
    1.77
    """
    return (value - chance) / math.sqrt(chance * (1 - chance) / pairs)


def _z_entry(entry: MetricEntry) -> MetricEntry:
    z = None
    if entry.value is not None and between_0_and_1(entry.chance):
        z = z_score(entry.value, entry.chance, entry.n)
    reason = entry.reason if entry.value is None else None if z is not None else "its chance level is 0 or 1"
    return MetricEntry(metric=f"{entry.metric}_z", facet=entry.facet, value=z, n=entry.n, reason=reason)


def _is_cell(entry: MetricEntry) -> bool:
    return entry.metric in CELLS and entry.slice == ALL and entry.facet not in (OVERALL, CONTROL)


def _place(entry: MetricEntry) -> tuple[str, str]:
    return entry.metric, entry.facet
