"""What must hold of how often intervals cover; how often they do is printed in `benchmarks/README.md`."""

from __future__ import annotations

import numpy as np
import pytest
from tests.statistics.coverage import METHODS, SIZES, TRUTH, Setting, coverage, study

STUDIES = 400
TOLERANCE = 0.025
"""How far coverage may be below its nominal 0.95 with 50 clusters or more, beside three simulation errors."""


def test_the_truth_is_that_of_a_large_study() -> None:
    """The population's figures, which coverage is measured against, are those of very many rows."""
    rng = np.random.default_rng(0)
    found = study(Setting(4000, "balanced", 0.3), rng)
    for name, truth in TRUTH.items():
        assert found[name].value() == pytest.approx(truth, abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("icc", [0.0, 0.3])
@pytest.mark.parametrize("sizes", list(SIZES))
def test_from_fifty_clusters_on_intervals_cover(sizes: str, icc: float) -> None:
    found = coverage(Setting(50, sizes, icc), studies=STUDIES, replicates=399, seed=1)
    error = (0.95 * 0.05 / STUDIES) ** 0.5
    for (name, method), covered in found.items():
        assert 0.95 - TOLERANCE - 3 * error <= covered.share <= 0.95 + TOLERANCE + 3 * error, (name, method)


@pytest.mark.slow
def test_with_four_clusters_they_do_not() -> None:
    """Which is why a figure over fewer than twenty is called conditional on them."""
    found = coverage(Setting(4, "balanced", 0.3), studies=STUDIES, replicates=399, seed=2)
    error = (0.95 * 0.05 / STUDIES) ** 0.5
    for name in TRUTH:
        for method in METHODS:
            assert found[name, method].share < 0.95 - 3 * error
