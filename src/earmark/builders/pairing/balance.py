"""Balance: how far the nuisances differ within pairs before and after the choice, and how often clips and speakers are used.

The *standardised mean difference* of a nuisance in a cell has the pooled standard deviation of its clips for a unit,
s = √((s₁² + s₂²) / 2), where s₁ and s₂ are those of the clips that may stand on either side. Where the sides differ (one
clip satisfies the target and the other does not) it is |mean over pairs of (left − right)| / s: the sides may be told
apart by it. Where they are the same there is no left and right, and it is the mean over pairs of |difference| / s: what a
judge hears of it within a pair. *Before* is over all admissible pairs, exactly and without listing them; *after* over the chosen.
Pairs in which a clip lacks the value are left out of both.

The *effective number* of clips or speakers is Kish's (Σ u)² / Σ u² over their uses u: as many, used equally often, would
weigh as much.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from earmark.builders.pairing.allocation import Allocation
from earmark.builders.pairing.candidates import combined, partner_counts, same_sides
from earmark.builders.pairing.cells import Cell, Selection
from earmark.builders.pairing.pool import Bools, Codes, Floats, Pool
from earmark.manifests.canonical import Json

GOAL = 0.1
"""A standardised mean difference up to this is taken for balance."""


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One nuisance in one cell.

    Args:
        nuisance: Its name.
        before: Standardised mean difference over admissible pairs; None where undefined.
        after: The same over the chosen pairs.
        pairs_before: Over how many pairs `before` is: all that are admissible and have it measured in both clips.
        directed: Whether it is of left less right; otherwise of the absolute difference.
        reason: Why one of them is None.
    """

    nuisance: str
    before: float | None
    after: float | None
    pairs_before: int
    directed: bool
    reason: str | None

    def as_json(self) -> dict[str, Json]:
        """The same for machines."""
        return {
            "nuisance": self.nuisance,
            "before": self.before,
            "after": self.after,
            "pairs_before": self.pairs_before,
            "directed": self.directed,
            "reason": self.reason,
        }


@dataclass(frozen=True, kw_only=True)
class Reuse:
    """How often things of one sort are used.

    Args:
        histogram: (uses, how many are used so often), ascending, without those never used.
        effective: Kish's effective number; None where nothing is used.
    """

    histogram: tuple[tuple[int, int], ...]
    effective: float | None

    def as_json(self) -> dict[str, Json]:
        """The same for machines."""
        return {"histogram": [list(bar) for bar in self.histogram], "effective": self.effective}


@dataclass(frozen=True, kw_only=True)
class CellBalance:
    """Balance of one cell.

    Args:
        key: The cell's key.
        pairs: Pairs chosen.
        differences: One per nuisance.
        clips: Uses of clips.
        speakers: Uses of speakers; a pair of one speaker's clips uses that speaker once.
    """

    key: tuple[str, ...]
    pairs: int
    differences: tuple[Difference, ...]
    clips: Reuse
    speakers: Reuse

    def as_json(self) -> dict[str, Json]:
        """The same for machines."""
        return {
            "key": list(self.key),
            "pairs": self.pairs,
            "differences": [difference.as_json() for difference in self.differences],
            "clips": self.clips.as_json(),
            "speakers": self.speakers.as_json(),
        }


@dataclass(frozen=True, kw_only=True)
class Balance:
    """Balance of every cell, and the reuse over all of them.

    Args:
        cells: One per cell, in the order of keys.
        clips: Uses of clips in all cells together.
        speakers: Uses of speakers.
    """

    cells: tuple[CellBalance, ...]
    clips: Reuse
    speakers: Reuse

    def as_json(self) -> dict[str, Json]:
        """The same for machines."""
        return {
            "goal": GOAL,
            "cells": [cell.as_json() for cell in self.cells],
            "clips": self.clips.as_json(),
            "speakers": self.speakers.as_json(),
        }


def balance(
    pool: Pool,
    cells: Sequence[Cell],
    allocation: Allocation,
    names: Sequence[str],
    *,
    measured: Floats | None = None,
) -> Balance:
    """Balance before and after a choice.

    Args:
        pool: The clips.
        cells: The cells that were asked for.
        allocation: What was chosen.
        names: Name of each nuisance.
        measured: (n, m) the values to compare; None for the pool's nuisances.
    """
    values = pool.nuisances if measured is None else measured
    if values.shape != (len(pool.ids), len(names)):
        raise ValueError(f"{len(names)} names for values of shape {values.shape}")
    pairs = allocation.pairs
    found = []
    for index, cell in enumerate(sorted(cells, key=lambda cell: cell.key)):
        here = np.flatnonzero(pairs.cell == index)
        left, right = pairs.left[here], pairs.right[here]
        found.append(
            CellBalance(
                key=cell.key,
                pairs=len(here),
                differences=_differences(pool, cell, values, names, left, right),
                clips=reuse(np.concatenate([left, right])),
                speakers=_speakers(pool, left, right),
            )
        )
    return Balance(
        cells=tuple(found),
        clips=reuse(np.concatenate([pairs.left, pairs.right])),
        speakers=_speakers(pool, pairs.left, pairs.right),
    )


def reuse(used: Codes) -> Reuse:
    """How often each thing is used; (u,) one code per use.

    >>> reuse(np.array([4, 4, 7, 9]))
    Reuse(histogram=((1, 2), (2, 1)), effective=2.6666666666666665)
    """
    _, uses = np.unique(used, return_counts=True)
    times, things = np.unique(uses, return_counts=True)
    histogram = tuple((int(t), int(n)) for t, n in zip(times, things, strict=True))
    total = int(uses.sum())
    return Reuse(histogram=histogram, effective=total**2 / int((uses**2).sum()) if total else None)


def _speakers(pool: Pool, left: Codes, right: Codes) -> Reuse:
    one, other = pool.speaker[left], pool.speaker[right]
    return reuse(np.concatenate([one, other[one != other]]))


def _differences(
    pool: Pool, cell: Cell, values: Floats, names: Sequence[str], left: Codes, right: Codes
) -> tuple[Difference, ...]:
    directed = bool(cell.selections) and not any(same_sides(selection) for selection in cell.selections)
    one_side, other_side = np.zeros(len(pool.ids), np.bool_), np.zeros(len(pool.ids), np.bool_)
    for selection in cell.selections:
        one_side |= selection.left
        other_side |= selection.right
    found = []
    for m, name in enumerate(names):
        unit = pooled_deviation(values[one_side, m], values[other_side, m])
        sums = [difference_sum(pool, selection, values[:, m], directed=directed) for selection in cell.selections]
        pairs = sum(count for count, _ in sums)
        was = abs(sum(total for _, total in sums)) / pairs if pairs else None
        now = _mean(values[left, m] - values[right, m], directed)
        reason = None
        if unit is None:
            reason = "the nuisance does not vary among the clips"
        elif was is None:
            reason = "no admissible pair has it measured in both clips"
        elif now is None:
            reason = "no chosen pair has it measured in both clips"
        found.append(
            Difference(
                nuisance=name,
                before=None if unit is None or was is None else was / unit,
                after=None if unit is None or now is None else now / unit,
                pairs_before=pairs,
                directed=directed,
                reason=reason,
            )
        )
    return tuple(found)


def difference_sum(pool: Pool, selection: Selection, value: Floats, *, directed: bool) -> tuple[int, float]:
    """Over the admissible pairs whose clips both have a value: how many they are, and the sum of their differences.

    Args:
        pool: The clips.
        selection: Which pairs are admissible.
        value: (n,) one number per clip, NaN where there is none.
        directed: Whether to sum left less right; otherwise the absolute differences, by sorting within combinations of codes.
    """
    known = ~np.isnan(value)
    symmetric = same_sides(selection)
    left = selection.left & known
    measured = replace(selection, left=left, right=left if symmetric else selection.right & known)
    partners = partner_counts(pool, measured)
    count = int(partners.sum()) // 2
    centred = np.where(known, value - (value[known].mean() if known.any() else 0.0), 0.0)
    if directed:
        return count, float((centred * partners)[measured.left].sum() - (centred * partners)[measured.right].sum())
    total = _spread(measured, measured.left | measured.right, centred)
    if not symmetric:
        total -= _spread(measured, measured.left, centred) + _spread(measured, measured.right, centred)
    return count, total


def _spread(selection: Selection, side: Bools, value: Floats) -> float:
    """Sum of absolute differences over the pairs within one set of clips that agree and differ where a selection says."""
    for column in (*selection.equal, *selection.differ):
        side = side & (column >= 0)
    members = np.flatnonzero(side)
    total = 0.0
    for size in range(len(selection.differ) + 1):
        for chosen in combinations(selection.differ, size):
            code = combined([column[members] for column in (*selection.equal, *chosen)], len(members))
            order = np.lexsort((value[members], code))
            sizes = np.bincount(code)
            starts = np.cumsum(sizes) - sizes
            place = np.arange(len(members)) - starts[code[order]]
            weight = 2 * place - (sizes[code[order]] - 1)  # above how many less below how many, of its combination
            total += (-1) ** size * float((weight * value[members][order]).sum())
    return total


def pooled_deviation(one: Floats, other: Floats) -> float | None:
    """Pooled standard deviation of both sides; None where either has fewer than two values or nothing varies."""
    one, other = one[~np.isnan(one)], other[~np.isnan(other)]
    if len(one) < 2 or len(other) < 2:
        return None
    unit = float(np.sqrt((np.var(one, ddof=1) + np.var(other, ddof=1)) / 2.0))
    return unit if unit > 0 else None


def _mean(difference: Floats, directed: bool) -> float | None:
    """|mean| of the differences, or the mean of their sizes; None where there is none."""
    known = difference[~np.isnan(difference)]
    if not len(known):
        return None
    return abs(float(known.mean())) if directed else float(np.abs(known).mean())
