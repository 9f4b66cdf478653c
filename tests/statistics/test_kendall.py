"""Kendall's tau-b against SciPy's."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau

from earmark.statistics.kendall import kendall_tau_b

VALUES = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=12)


@settings(max_examples=25)
@given(VALUES)
def test_it_is_scipy_s(values: list[tuple[int, int]]) -> None:
    first, second = [one for one, _ in values], [other for _, other in values]
    found = kendall_tau_b(first, second)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(kendalltau(first, second).statistic)
    assert kendall_tau_b(second, first) == found


def test_lengths_must_be_one() -> None:
    with pytest.raises(ValueError, match="second has shape"):
        kendall_tau_b([1, 2], [1])
