"""McNemar's exact test against SciPy's binomial, and statsmodels among the slow tests."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from earmark.statistics.mcnemar import mcnemar

MARKS = st.lists(st.tuples(st.booleans(), st.booleans()), max_size=40)


@settings(max_examples=25)
@given(MARKS)
def test_it_is_the_binomial_of_the_discordant(marks: list[tuple[bool, bool]]) -> None:
    first, second = (np.array([pair[side] for pair in marks], np.bool_) for side in (0, 1))
    found = mcnemar(first, second)
    counted = [marks.count(pair) for pair in ((True, True), (True, False), (False, True), (False, False))]
    assert list(found[:4]) == counted
    discordant = counted[1] + counted[2]
    assert found.p == pytest.approx(binomtest(counted[1], discordant).pvalue if discordant else 1.0)
    back = mcnemar(second, first)
    assert (back.first, back.second, back.p) == (found.second, found.first, found.p)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(MARKS)
def test_it_is_statsmodels_s(marks: list[tuple[bool, bool]]) -> None:
    from statsmodels.stats.contingency_tables import mcnemar as outside

    found = mcnemar(*(np.array([pair[side] for pair in marks], np.bool_) for side in (0, 1)))
    table = [[found.both, found.first], [found.second, found.neither]]
    assert found.p == pytest.approx(outside(table, exact=True).pvalue)


def test_what_are_no_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="second is bool of shape"):
        mcnemar([True], [True, False])
    with pytest.raises(ValueError, match="first is int64"):
        mcnemar([1, 0], [True, False])
