"""Above chance, below it, or neither: the z test that colours the paper's cells, and what is left of it after Holm's method.

z = (p − p₀) / √(p₀ (1 − p₀) / n) with n the number of pairs, since the two answers to a pair depend on each other; significant
beyond 1.96 either way. p₀ is one third where Tie may be answered and one half where it may not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from earmark.manifests.report import ALL, OVERALL
from earmark.statistics.significance import holm

if TYPE_CHECKING:
    from earmark.scoring.papers.parapair.tables import PrintedCell, Sizes

CRITICAL, ALPHA = 1.96, 0.05
ABOVE, BELOW, NEITHER = "above", "below", "not significant"


@dataclass(frozen=True)
class Verdict:
    """A printed accuracy held against chance.

    Args:
        cell: The accuracy.
        n: Pairs that it is over.
        chance: What a uniform guesser would get, as a share.
        z: Standard errors above chance.
        p: Two-sided.
        p_adjusted: The same after Holm's method over the cells of all judges that are models; None for people.
    """

    cell: PrintedCell
    n: int
    chance: Fraction
    z: float
    p: float
    p_adjusted: float | None = None

    @property
    def verdict(self) -> str:
        """Above, below, or not significant, unadjusted as in the paper."""
        if abs(self.z) <= CRITICAL:
            return NEITHER
        return ABOVE if self.z > 0 else BELOW

    @property
    def fragile(self) -> bool:
        """Whether the verdict is lost once the number of cells is taken into account."""
        return self.verdict != NEITHER and self.p_adjusted is not None and self.p_adjusted > ALPHA


def chance_of(sizes: Sizes, criterion: str) -> Fraction:
    """Chance of a uniform guesser: one third, or one half for a criterion without ties."""
    return Fraction(1, 3) if sizes.tables.tie[criterion] else Fraction(1, 2)


def z_score(share: Fraction, chance: Fraction, n: int) -> float:
    """Standard errors by which a share over n trials lies above chance.

    >>> round(z_score(Fraction(485, 1000), Fraction(1, 3), 1440), 2)
    12.21
    """
    return float(share - chance) / math.sqrt(float(chance * (1 - chance)) / n)


def verdicts(sizes: Sizes) -> tuple[Verdict, ...]:
    """A verdict on every cell that is of one criterion, in the order of the tables."""
    found = [_verdict(sizes, cell) for cell in sizes.tables.cells if cell.criterion != OVERALL]
    models = [one.cell.judge != sizes.tables.humans for one in found]
    adjusted = holm([one.p if model else None for one, model in zip(found, models, strict=True)])
    return tuple(Verdict(one.cell, one.n, one.chance, one.z, one.p, p) for one, p in zip(found, adjusted, strict=True))


def constant_answers(sizes: Sizes, criteria: Sequence[str]) -> dict[str, tuple[Fraction, ...]]:
    """Accuracies that need no ears, by criterion, and last their mean.

    Args:
        sizes: How many pairs there are of each kind.
        criteria: The criteria, in order.
    """
    judge, half = sizes.tables.models[0], Fraction(1, 2)
    ties = {c: Fraction(sizes.tables.tie[c], sizes.tables.pairs(judge, c, ALL)) for c in criteria}
    rows = {
        "uniform over the answers offered": [chance_of(sizes, c) for c in criteria],
        "always Tie": [ties[c] for c in criteria],
        "always A, always B, or a coin": [half * (1 - ties[c]) for c in criteria],
        "Tie, and a coin where there are no ties": [ties[c] or half for c in criteria],
        "perfect, but never Tie": [1 - ties[c] for c in criteria],
    }
    return {name: (*row, sum(row, Fraction()) / len(row)) for name, row in rows.items()}


def _verdict(sizes: Sizes, cell: PrintedCell) -> Verdict:
    n, chance = sizes.pairs(*cell.place), chance_of(sizes, cell.criterion)
    z = z_score(Fraction(cell.tenths, 1000), chance, n)
    return Verdict(cell, n, chance, z, math.erfc(abs(z) / math.sqrt(2)))
