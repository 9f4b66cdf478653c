"""p-values against statsmodels, SciPy and plain enumeration."""

from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import permutation_test
from statsmodels.stats.multitest import multipletests

from earmark.statistics.significance import binomial, holm, sign_flip

P_VALUES = st.floats(0, 1) | st.sampled_from([0.0, 0.01, 0.05, 1.0])


@settings(max_examples=4, deadline=None)  # statsmodels takes 50 ms a call, and a second where cores are shared
@given(st.lists(P_VALUES, min_size=1, max_size=12))
def test_holm_is_statsmodels_s(p: list[float]) -> None:
    np.testing.assert_allclose(holm(p), multipletests(p, method="holm")[1], rtol=1e-12)


@given(st.lists(st.none() | P_VALUES, max_size=12))
def test_tests_not_made_do_not_count(p: list[float | None]) -> None:
    adjusted = holm(p)
    assert [value is None for value in adjusted] == [value is None for value in p]
    assert [value for value in adjusted if value is not None] == holm([value for value in p if value is not None])


@given(st.lists(P_VALUES, min_size=1, max_size=12))
def test_adjusting_keeps_the_order_and_never_lowers(p: list[float]) -> None:
    adjusted = [value for value in holm(p) if value is not None]
    assert all(after >= before for before, after in zip(p, adjusted, strict=True))
    ranked = [after for _, after in sorted(zip(p, adjusted, strict=True))]
    assert ranked == sorted(ranked)


@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan")])
def test_holm_refuses_what_is_no_p(wrong: float) -> None:
    with pytest.raises(ValueError, match=r"not in \[0, 1\]"):
        holm([0.5, wrong])


@given(st.integers(1, 40), st.data())
def test_binomial_sums_the_likelihoods(trials: int, data: st.DataObject) -> None:
    successes = data.draw(st.integers(0, trials))
    likelihoods = [comb(trials, k) for k in range(trials + 1)]
    exact = sum(each for each in likelihoods if each <= likelihoods[successes]) / 2**trials
    assert binomial(successes, trials) == pytest.approx(exact, rel=1e-9)


def test_binomial_by_hand() -> None:
    assert binomial(0, 4, 0.25) == pytest.approx((81 + 54 + 12 + 1) / 256)
    with pytest.raises(ValueError, match="k"):
        binomial(4, 3)


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=8))
def test_few_flips_are_enumerated(differences: list[int]) -> None:
    sums = [abs(sum(flipped)) for flipped in product(*((d, -d) for d in differences))]
    exact = sum(each >= abs(sum(differences)) for each in sums) / len(sums)
    assert sign_flip(differences, 256, seed=0) == exact


def test_enumeration_is_scipy_s() -> None:
    differences = np.random.default_rng(4).normal(0.4, 1, 9)
    scipy_s = permutation_test((differences,), np.sum, permutation_type="samples", n_resamples=np.inf)
    assert sign_flip(differences, 512, seed=0) == pytest.approx(scipy_s.pvalue)


def test_random_flips_come_near_the_enumerated_ones() -> None:
    differences = np.random.default_rng(5).normal(0.5, 1, 12)
    exact, drawn = sign_flip(differences, 4096, seed=0), sign_flip(differences, 4095, seed=0)
    assert exact is not None
    assert drawn is not None
    assert exact != drawn
    assert drawn == pytest.approx(exact, abs=4 * (exact / 4095) ** 0.5)


def test_random_flips_are_the_top_bits_of_the_words() -> None:
    rng = np.random.default_rng(6)
    differences = rng.normal(0.2, 1, 60_000)
    signs = np.where(np.random.Philox(key=9).random_raw(60_000 * 30).reshape(30, -1) >= 2**63, 1.0, -1.0)
    extreme = np.count_nonzero(np.abs(signs @ differences) >= abs(differences.sum()))
    assert sign_flip(differences, 30, seed=9) == (extreme + 1) / 31
    assert sign_flip(differences * 0 + 1, 30, seed=9) == 1 / 31


def test_nothing_to_flip() -> None:
    assert sign_flip([], 10, seed=0) is None
    assert sign_flip([0.0, 0.0], 3, seed=0) == 1
    with pytest.raises(ValueError, match="replicates is 0"):
        sign_flip([1.0], 0, seed=0)
