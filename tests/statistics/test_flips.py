"""The sign-flip test against plain enumeration, a binomial, and as many random flips as it takes."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from earmark.statistics.flips import MOST_COUNTED, in_steps, sign_flip_p
from earmark.statistics.significance import sign_flip

UNITS = st.lists(st.sampled_from([0.0, 0.1, -0.1, 0.2, -0.3, 0.25]) | st.floats(-3, 3), min_size=1, max_size=9)


@settings(max_examples=25)
@given(UNITS)
def test_few_units_are_counted(units: list[float]) -> None:
    seen, rounding = abs(sum(units)), 1e-12 * sum(map(abs, units))
    ways = [abs(sum(s * u for s, u in zip(signs, units, strict=True))) for signs in product((1, -1), repeat=len(units))]
    assert sign_flip_p(units) == pytest.approx(np.mean([way >= seen - rounding for way in ways]), abs=1e-12)


@settings(max_examples=25)
@given(UNITS, st.randoms(use_true_random=False))
def test_neither_sign_nor_order_nor_scale_matters(units: list[float], random: object) -> None:
    shuffled = list(units)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    p = sign_flip_p(units)
    assert sign_flip_p([-unit for unit in units]) == p
    assert sign_flip_p(shuffled) == pytest.approx(p, abs=1e-9)
    assert sign_flip_p([4 * unit for unit in units]) == p
    assert sign_flip_p([*units, 0.0]) == p


@pytest.mark.parametrize(("ups", "downs"), [(20, 12), (40, 20), (31, 30), (300, 240), (45, 0)])
def test_many_equal_units_are_a_binomial(ups: int, downs: int) -> None:
    units = np.r_[np.full(ups, 1 / 77), np.full(downs, -1 / 77)]
    assert sign_flip_p(units) == pytest.approx(binomtest(ups, ups + downs).pvalue, rel=1e-9)


def test_both_ways_agree_where_both_can_be_gone() -> None:
    """The same lattice just under and just over the most units that are counted: one more unit that hardly weighs."""
    random = np.random.default_rng(5)
    units = random.integers(1, 6, MOST_COUNTED) * random.choice([-1, 1], MOST_COUNTED, p=[0.3, 0.7]) / 60
    many = np.r_[units, units[:1]]
    assert sign_flip_p(many) == pytest.approx(_all_ways(np.rint(many * 60).astype(int)), rel=1e-9)


def _all_ways(steps: np.ndarray) -> float:
    """The whole distribution of Σ ± k, whose characteristic function is Π cos(k t)."""
    most, seen = int(np.abs(steps).sum()), abs(int(steps.sum()))
    points = 2 * most + 1
    transform = np.prod(np.cos(np.outer(2 * np.pi / points * np.arange(points), steps)), axis=1)
    share = np.fft.ifft(transform).real
    return float(share[seen : most + 1].sum() + share[points - most : points - seen + 1].sum())


@pytest.mark.parametrize("units", [30, 120])
def test_uneven_units_are_as_random_flips_have_them(units: int) -> None:
    differences = np.random.default_rng(units).normal(0.15, 1, units)
    drawn = sign_flip(differences, 40_000, 3)
    assert drawn is not None
    error = 4 * np.sqrt(drawn * (1 - drawn) / 40_000)
    assert sign_flip_p(differences) == pytest.approx(drawn, abs=error + 0.002)
    assert np.abs(in_steps(differences)).sum() == pytest.approx(1 << 14, abs=units)


def test_it_has_no_floor_of_draws_and_none_below_its_ways() -> None:
    assert sign_flip_p(np.ones(40)) == pytest.approx(2.0**-39)
    assert 0 < (sign_flip_p(np.random.default_rng(1).uniform(1, 2, 2000)) or 0) < 1e-300
    assert sign_flip_p([]) is None
    assert sign_flip_p([0.0, 0.0]) == 1
    with pytest.raises(ValueError, match="not finite"):
        sign_flip_p([float("nan")])
