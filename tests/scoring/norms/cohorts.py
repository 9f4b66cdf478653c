"""Cohorts for tests, and SEQ worked out once more in floats with NumPy."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from earmark.scoring.norms import Norm, System, freeze

SHARES = st.integers(1, 300).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total)))


def cohort(shares: list[tuple[int, int]]) -> Norm:
    return freeze("made-up", "1.0.0", [System(f"s{n}", *share) for n, share in enumerate(shares)])


def cohorts(fewest: int = 0) -> st.SearchStrategy[Norm]:
    return st.lists(SHARES, min_size=fewest, max_size=9).map(cohort)


def by_numpy(norm: Norm, share: Fraction) -> float:
    shares = np.array([system.correct / system.total for system in norm.systems])
    middle = np.median(shares)
    mad = np.median(np.abs(shares - middle))
    return float(np.clip(100 + 15 * (float(share) - middle) / (1.4826 * mad), 40, 160))
