"""The least difference that shows, against the sample size it solves and the power of the test by enumeration."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multinomial
from statsmodels.stats.contingency_tables import mcnemar

from earmark.statistics.power import detectable_difference, pairs_needed

SHARES = st.floats(0.05, 1)


@given(st.integers(20, 5000), SHARES, st.floats(0.01, 0.2), st.floats(0.5, 0.95))
def test_that_many_pairs_are_needed_for_it(n: int, discordance: float, alpha: float, power: float) -> None:
    found = detectable_difference(n, discordance, alpha=alpha, power=power)
    if found is None:
        assert pairs_needed(discordance, discordance, alpha=alpha, power=power) > n - 1
    else:
        assert pairs_needed(found, discordance, alpha=alpha, power=power) in (n, n + 1)


@given(st.integers(50, 5000), SHARES)
def test_more_pairs_and_fewer_discordant_ones_show_less(n: int, discordance: float) -> None:
    found, more = detectable_difference(n, discordance), detectable_difference(2 * n, discordance)
    if found is not None:
        assert more is not None
        assert more < found <= discordance
        assert (detectable_difference(n, 1.0) or 0) >= found
        assert (detectable_difference(n, discordance, power=0.9) or 2) > found


def test_the_test_has_that_power_by_enumeration() -> None:
    """Every table of 151 answers with its probability, tested as statsmodels tests it."""
    n, discordance = 151, 0.4
    difference = detectable_difference(n, discordance)
    assert difference is not None
    first, second = (discordance + difference) / 2, (discordance - difference) / 2
    tables = [(b, c) for b in range(n + 1) for c in range(n + 1 - b) if 20 <= b + c <= 110]
    b, c = np.array(tables).T
    chances = multinomial.pmf(np.array([b, c, n - b - c]).T, n, [first, second, 1 - discordance])
    assert chances.sum() == pytest.approx(1, abs=1e-6)
    found = (b - c) ** 2 / (b + c) > 1.959963984540054**2
    assert float(chances[found].sum()) == pytest.approx(0.8, abs=0.02)
    one = mcnemar([[0, 60], [37, 0]], exact=False, correction=False)
    assert (one.pvalue < 0.05) == bool((60 - 37) ** 2 / 97 > 1.959963984540054**2)


def test_too_few_pairs_show_nothing() -> None:
    assert detectable_difference(3, 0.1) is None
    assert detectable_difference(1, 1.0) is None
    assert detectable_difference(1000, 0.0) is None


@pytest.mark.parametrize(
    ("pairs", "discordance", "alpha", "power", "says"),
    [
        (0, 0.5, 0.05, 0.8, "pairs is 0"),
        (9, 1.5, 0.05, 0.8, r"discordance is 1\.5"),
        (9, 0.5, 0.0, 0.8, r"alpha is 0\.0"),
        (9, 0.5, 0.05, 0.4, r"power is 0\.4"),
    ],
)
def test_arguments_out_of_range_are_refused(
    pairs: int, discordance: float, alpha: float, power: float, says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        detectable_difference(pairs, discordance, alpha=alpha, power=power)
    with pytest.raises(ValueError, match=r"not in \(0"):
        pairs_needed(0.6, 0.5)
    with pytest.raises(ValueError, match="alpha"):
        pairs_needed(0.1, 0.5, alpha=2)
    with pytest.raises(ValueError, match="power"):
        pairs_needed(0.1, 0.5, power=1)
