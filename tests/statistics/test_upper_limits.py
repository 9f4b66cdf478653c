"""Upper limits against a walk over all populations, fractions, and scipy's own intervals."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from earmark.statistics.upper_limits import failing_at_most, rate_at_most


@st.composite
def samples(draw: st.DrawFn) -> tuple[int, int, int]:
    """Failed, drawn and population."""
    population = draw(st.integers(1, 60))
    drawn = draw(st.integers(1, population))
    return draw(st.integers(0, drawn)), drawn, population


def so_few(failed: int, drawn: int, population: int, failing: int) -> Fraction:
    """Chance of so few failures, by counting samples."""
    ways = sum(comb(failing, k) * comb(population - failing, drawn - k) for k in range(failed + 1))
    return Fraction(ways, comb(population, drawn))


@settings(max_examples=60)
@given(samples(), st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_the_largest_number_that_would_not_surprise(sample: tuple[int, int, int], level: float) -> None:
    failed, drawn, population = sample
    possible = range(failed, population - drawn + failed + 1)
    surprise = Fraction(1) - Fraction(level)
    fits = [failing for failing in possible if so_few(failed, drawn, population, failing) > surprise]
    found = failing_at_most(failed, [drawn], [population], level)
    assert found in possible
    # At the very edge a float may fall either way.
    edge = any(abs(so_few(failed, drawn, population, failing) - surprise) < 1e-12 for failing in possible)
    assert found == max(fits) or edge


@settings(max_examples=25)
@given(st.integers(1, 14), st.integers(1, 14), st.sampled_from([0.8, 0.95]))
def test_the_limit_holds_as_often_as_it_says(population: int, drawn: int, level: float) -> None:
    drawn = min(drawn, population)
    for failing in range(population + 1):
        possible = range(max(0, drawn - population + failing), min(drawn, failing) + 1)
        chances = {
            k: so_few(k, drawn, population, failing) - (so_few(k - 1, drawn, population, failing) if k else 0)
            for k in possible
        }
        held = sum(
            chance for k, chance in chances.items() if failing_at_most(k, [drawn], [population], level) >= failing
        )
        assert held >= Fraction(level) - Fraction(1, 10**9)


@settings(max_examples=40)
@given(st.integers(1, 400), st.data(), st.sampled_from([0.8, 0.95, 0.99]))
def test_clopper_and_pearson_as_scipy_has_it(drawn: int, data: st.DataObject, level: float) -> None:
    failed = data.draw(st.integers(0, drawn))
    right = binomtest(failed, drawn, alternative="less").proportion_ci(level, method="exact").high
    assert rate_at_most(failed, drawn, level) == pytest.approx(right, abs=1e-10)


def of_strata(failing: tuple[int, ...], drawn: int, size: int) -> dict[int, Fraction]:
    """Chance of each number of failures in a sample of as many of every stratum."""
    chances = {0: Fraction(1)}
    for bad in failing:
        ways = {k: Fraction(comb(bad, k) * comb(size - bad, drawn - k), comb(size, drawn)) for k in range(drawn + 1)}
        merged: dict[int, Fraction] = {}
        for before, k in product(chances, ways):
            merged[before + k] = merged.get(before + k, Fraction(0)) + chances[before] * ways[k]
        chances = merged
    return chances


@pytest.mark.parametrize(("size", "drawn", "strata"), [(4, 2, 3), (6, 2, 3), (5, 1, 4), (7, 3, 3)])
def test_as_many_of_every_stratum(size: int, drawn: int, strata: int) -> None:
    """Whichever units fail, the limit holds as often as it says."""
    most = [failing_at_most(k, [drawn] * strata, [size] * strata, 0.9) for k in range(strata * drawn + 1)]
    assert most == sorted(most)
    for failing in combinations_with_replacement(range(size + 1), strata):
        held = sum(chance for k, chance in of_strata(failing, drawn, size).items() if most[k] >= sum(failing))
        assert held >= Fraction(9, 10) - Fraction(1, 10**9)


def test_a_finite_population_leaves_less_open() -> None:
    for population in (100, 1000, 10_000):
        assert failing_at_most(2, [75], [population]) / population < rate_at_most(2, 75)
    assert failing_at_most(2, [75], [10**6]) / 10**6 == pytest.approx(rate_at_most(2, 75), rel=1e-3)
    assert failing_at_most(3, [75], [75]) == 3


@pytest.mark.parametrize(
    ("failed", "drawn", "population", "level"),
    [(1, 0, 5, 0.9), (3, 2, 5, 0.9), (-1, 2, 5, 0.9), (0, 6, 5, 0.9), (0, 2, 5, 1.0)],
)
def test_what_is_out_of_range(failed: int, drawn: int, population: int, level: float) -> None:
    with pytest.raises(ValueError, match=r"failed; it|were drawn|not in \(0, 1\)"):
        failing_at_most(failed, [drawn], [population], level)
