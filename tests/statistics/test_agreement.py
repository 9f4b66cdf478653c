"""Rank correlation against SciPy's on the explicitly repeated rows; raters against a walk over pairs and items."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import spearmanr
from tests.statistics.rows import Rows, check_against_twin, rows

from earmark.statistics.agreement import MeanAgreement, Spearman, mean_agreement, pairwise_agreement, spearman

if TYPE_CHECKING:
    from earmark.statistics.statistic import Floats, Ints

RATINGS = arrays(
    np.float64,
    st.tuples(st.integers(0, 4), st.integers(0, 6)),
    elements=st.sampled_from([-2.0, -1.0, 0.0, 0.5, 2.0, math.nan]),
)


def by_scipy(x: Floats, y: Floats) -> float | None:
    return None if len(set(x)) < 2 or len(set(y)) < 2 else float(spearmanr(x, y).statistic)


@given(rows(), st.data())
def test_spearman_is_scipy_s(given: Rows, data: st.DataObject) -> None:
    n = given.score.size
    other = np.array(data.draw(st.lists(st.integers(-3, 3), min_size=n, max_size=n)), np.float64)

    def of_sample(sample: Ints) -> float | None:
        return by_scipy(given.score[sample], other[sample])

    statistic = Spearman.of_rows(given.score, other, given.cluster, given.clusters)
    check_against_twin(statistic, of_sample, given)
    assert statistic.support.tolist() == [c in given.cluster for c in range(given.clusters)]
    assert spearman(given.score, other) == statistic.value()
    mirrored = Spearman.of_rows(other, -given.score, given.cluster, given.clusters)
    np.testing.assert_array_equal(mirrored.replicates(given.weights), -statistic.replicates(given.weights))


def test_perfect_correlation_is_one_exactly() -> None:
    rng = np.random.default_rng(0)
    values = np.round(rng.normal(size=5000), 2)
    assert spearman(values, np.exp(values)) == 1
    assert spearman(values, -values) == -1


@pytest.mark.parametrize("columns", [([], []), ([1.0], [2.0]), ([1.0, 1.0], [1.0, 2.0])])
def test_undefined_with_a_reason(columns: tuple[list[float], list[float]]) -> None:
    statistic = Spearman.of_rows(*columns, [0] * len(columns[0]), 1)
    assert statistic.value() is None
    assert statistic.reason() == "fewer than two rows, or a constant column"


def test_columns_of_unequal_length() -> None:
    with pytest.raises(ValueError, match=r"second has shape \(1,\), not \(2,\)"):
        spearman([1, 2], [1])


@given(RATINGS)
def test_pairs_of_raters(ratings: Floats) -> None:
    pairs = pairwise_agreement(ratings)
    raters = len(ratings)
    assert [(pair.first, pair.second) for pair in pairs] == [
        (a, b) for a in range(raters) for b in range(a + 1, raters)
    ]
    for pair in pairs:
        rated = [(x, y) for x, y in zip(ratings[pair.first], ratings[pair.second], strict=True) if x == x and y == y]
        assert pair.overlap == len(rated)
        if not rated:
            assert (pair.spearman, pair.exact, pair.sign) == (None, None, None)
            continue
        assert pair.exact == pytest.approx(sum(x == y for x, y in rated) / len(rated))
        assert pair.sign == pytest.approx(sum((x > 0) == (y > 0) and (x < 0) == (y < 0) for x, y in rated) / len(rated))
        assert pair.spearman == pytest.approx(by_scipy(*np.array(rated).T))


def test_means_over_pairs() -> None:
    nan = math.nan
    pairs = pairwise_agreement([[1, 2, 3, 4], [1, 2, 3, -4], [nan, nan, 3, nan], [1, 1, nan, nan]])
    assert [pair.overlap for pair in pairs] == [4, 1, 2, 1, 2, 0]
    exact = [3 / 4, 1, 1 / 2, 1, 1 / 2]
    weighted = (3 + 1 + 1 + 1 + 1) / 10
    assert mean_agreement(pairs, "exact") == MeanAgreement(
        pytest.approx(sum(exact) / 5), pytest.approx(weighted), 5, None
    )
    # Only the first two raters rated enough, and unlike, items to rank.
    assert mean_agreement(pairs, "spearman") == MeanAgreement(pytest.approx(-0.2), pytest.approx(-0.2), 1, None)
    assert mean_agreement(pairs, "sign").plain == pytest.approx((3 / 4 + 4) / 5)


def test_nobody_to_compare() -> None:
    expected = MeanAgreement(None, None, 0, "spearman is undefined for every pair of raters")
    assert mean_agreement(pairwise_agreement([[1.0, 2.0]]), "spearman") == expected
    assert mean_agreement(pairwise_agreement([[1.0, 1.0], [1.0, 2.0]]), "spearman") == expected


@pytest.mark.parametrize("ratings", [[1.0, 2.0], [[1.0, math.inf]]])
def test_no_table_of_ratings(ratings: list[object]) -> None:
    with pytest.raises(ValueError, match="ratings must be"):
        pairwise_agreement(ratings)  # type: ignore[arg-type]  # wrong on purpose
