"""SEQ: NumPy's and SciPy's figures, and what must hold of it whatever the cohort."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import median_abs_deviation
from tests.scoring.norms.cohorts import SHARES, by_numpy, cohort, cohorts

from earmark.scoring.norms import CEILING, FLOOR, Norm, System, freeze, shipped_norm
from earmark.scoring.norms.norm import SCALE

SHARE = SHARES.map(lambda counts: Fraction(*counts))


@settings(max_examples=40)
@given(cohorts(2), SHARE)
def test_scores_are_numpy_s(norm: Norm, share: Fraction) -> None:
    assume(norm.reason is None)
    score = norm.score(share)
    assert score.value is not None
    assert score.reason is None
    assert float(score.value) == pytest.approx(by_numpy(norm, share), abs=1e-6)


@settings(max_examples=40)
@given(cohorts(1))
def test_median_and_mad_are_scipy_s(norm: Norm) -> None:
    shares = [float(system.share) for system in norm.systems]
    assert float(norm.median or 0) == pytest.approx(np.median(shares))
    assert float(norm.mad or 0) == pytest.approx(median_abs_deviation(shares), abs=1e-12)


def test_the_scale_is_that_of_the_normal_distribution() -> None:
    assert float(SCALE) == pytest.approx(1 / NormalDist().inv_cdf(0.75), abs=5e-5)


@settings(max_examples=40)
@given(cohorts(2), SHARE, SHARE)
def test_more_right_answers_never_lower_a_score(norm: Norm, first: Fraction, second: Fraction) -> None:
    assume(norm.reason is None)
    low, high = sorted((first, second))
    below, above = norm.score(low), norm.score(high)
    assert below.value is not None
    assert above.value is not None
    assert FLOOR <= below.value <= above.value <= CEILING
    if low < high and not below.held and not above.held:
        assert below.value < above.value


@settings(max_examples=40)
@given(cohorts(2), SHARE)
def test_what_is_held_says_so_and_lies_beyond_the_limit(norm: Norm, share: Fraction) -> None:
    assume(norm.limits is not None)
    limits, score = norm.limits, norm.score(share)
    assert limits is not None
    expected = "floor" if share < limits.floor_at else "ceiling" if share > limits.ceiling_at else ""
    assert score.held == expected
    assert (score.value == FLOOR) == (share <= limits.floor_at)
    assert (score.value == CEILING) == (share >= limits.ceiling_at)
    assert (limits.least, limits.most) == (norm.score(Fraction(0)).value, norm.score(Fraction(1)).value)


@settings(max_examples=30)
@given(st.lists(SHARES, min_size=2, max_size=7), SHARES, SHARE)
def test_another_system_is_another_norm_and_changes_no_score(
    shares: list[tuple[int, int]], more: tuple[int, int], share: Fraction
) -> None:
    frozen = cohort(shares)
    before, id = frozen.score(share), frozen.id
    other = cohort([*shares, more])
    other.score(share)
    assert (frozen.score(share), frozen.id) == (before, id)
    assert other.hash != frozen.hash


@given(st.permutations(range(5)))
def test_the_order_of_systems_does_not_matter(order: list[int]) -> None:
    systems = [System(f"s{n}", n * n, 40) for n in range(5)]
    norm, other = freeze("n", "1.0.0", systems), freeze("n", "1.0.0", [systems[at] for at in order])
    assert norm.id == other.id
    assert norm.score(Fraction(1, 3)) == other.score(Fraction(1, 3))


def test_the_hash_is_of_all_that_a_score_depends_on() -> None:
    norm = shipped_norm()
    changed = [
        replace(norm, name="another"),
        replace(norm, version="1.0.1"),
        replace(norm, metric="acc_1"),
        replace(norm, facet="interpersonal_empathy"),
        replace(norm, systems=(replace(norm.systems[0], correct=571), *norm.systems[1:])),
    ]
    assert len({norm.hash, *(other.hash for other in changed)}) == 6
    assert replace(norm, note="another").hash == norm.hash


@pytest.mark.parametrize(
    ("shares", "reason"),
    [
        ([], "fewer than 2 systems (0)"),
        ([(1, 2)], "fewer than 2 systems (1)"),
        ([(1, 2), (2, 4), (3, 4)], "MAD is 0"),
    ],
)
def test_no_score_has_a_reason(shares: list[tuple[int, int]], reason: str) -> None:
    norm = cohort(shares)
    score = norm.score(Fraction(1, 2))
    assert (score.value, norm.limits) == (None, None)
    assert score.reason == norm.reason
    assert norm.reason is not None
    assert reason in norm.reason


@pytest.mark.parametrize("share", [Fraction(-1, 9), Fraction(10, 9)])
def test_what_is_no_share_is_refused(share: Fraction) -> None:
    with pytest.raises(ValueError, match="is no share"):
        shipped_norm().score(share)


def test_the_shipped_norm_is_that_of_the_paper() -> None:
    norm = shipped_norm()
    assert (norm.median, norm.mad) == (Fraction(718, 2265), Fraction(129, 2265))
    assert len(norm.systems) == 11
    assert any(system.name == "Random Baseline" for system in norm.systems)
    without = replace(norm, systems=tuple(s for s in norm.systems if s.name != "Random Baseline"))
    best = Fraction(1320, 2264)
    assert by_numpy(norm, best) - by_numpy(without, best) == pytest.approx(9.7, abs=0.1)
    assert float(without.score(best).value or 0) == pytest.approx(by_numpy(without, best))


def test_limits_are_said_where_they_are_and_where_they_are_out_of_reach() -> None:
    limits = shipped_norm().limits
    assert limits is not None
    assert limits.floor_at < 0
    assert limits.text == ("40 is out of reach, a share of 0 having 43.69; 160 is reached at a share of 0.6548")
    narrow = cohort([(50, 100), (51, 100), (52, 100)]).limits
    wide = cohort([(0, 100), (50, 100), (100, 100)]).limits
    assert narrow is not None
    assert wide is not None
    assert narrow.text.startswith("40 is reached at a share of 0.4507; 160 is reached at a share of 0.569")
    assert "160 is out of reach, a share of 1 having" in wide.text
