"""Quantiles against NumPy's on the explicitly repeated rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.statistics.rows import Rows, check_against_twin, rows

from earmark.statistics.quantiles import Quantile

if TYPE_CHECKING:
    from earmark.statistics.statistic import Ints


@given(rows(), st.sampled_from([0, 0.05, 0.1, 0.25, 0.3, 0.5, 0.7, 0.75, 0.9, 1]) | st.floats(0, 1))
def test_quantile_is_numpy_s(given: Rows, q: float) -> None:
    def of_sample(sample: Ints) -> float | None:
        return float(np.quantile(given.score[sample], q, method="inverted_cdf")) if sample.size else None

    quantile = Quantile.of_rows(given.score, given.cluster, given.clusters, q)
    check_against_twin(quantile, of_sample, given, tolerance=0)
    assert quantile.support.tolist() == [c in given.cluster for c in range(given.clusters)]


@given(rows(), st.floats(0, 1))
def test_quantile_commutes_with_a_monotone_map(given: Rows, q: float) -> None:
    plain = Quantile.of_rows(given.score, given.cluster, given.clusters, q).replicates(given.weights)
    stretched = Quantile.of_rows(np.exp(3 * given.score), given.cluster, given.clusters, q).replicates(given.weights)
    np.testing.assert_array_equal(np.exp(3 * plain), stretched)


def test_median_of_an_even_number_is_the_lower() -> None:
    assert Quantile.of_rows([4.0, 1.0, 3.0, 2.0], [0, 0, 1, 1], 2).value() == 2.0


def test_no_rows() -> None:
    nothing = Quantile.of_rows([], [], 3)
    assert (nothing.value(), nothing.reason()) == (None, "no rows")


@pytest.mark.parametrize("q", [-0.01, 1.01, float("nan")])
def test_q_out_of_range(q: float) -> None:
    with pytest.raises(ValueError, match=r"q is .*, not in \[0, 1\]"):
        Quantile.of_rows([1.0], [0], 1, q)
