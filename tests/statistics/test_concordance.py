"""Few ranks against SciPy, against every ordering written out, and against the textbook's formula."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import friedmanchisquare, permutation_test, rankdata, spearmanr

from earmark.statistics.agreement import spearman
from earmark.statistics.concordance import MOST_EXACT, kendall_w, rank_correlation

COLUMN = st.lists(st.integers(0, 4), min_size=2, max_size=6)
TABLE = st.integers(3, 6).flatmap(
    lambda items: st.lists(st.lists(st.integers(0, 3), min_size=items, max_size=items), min_size=2, max_size=5)
)


def written_out(x: list[int], y: list[int]) -> Fraction:
    """Every ordering in turn, with ranks in exact fractions."""

    def ranks(values: list[int]) -> list[Fraction]:
        whole = [Fraction(2 * sum(w < v for w in values) + sum(w == v for w in values) + 1, 2) for v in values]
        return [rank - Fraction(len(values) + 1, 2) for rank in whole]

    a, b = ranks(x), ranks(y)
    seen = abs(sum(map(Fraction.__mul__, a, b), Fraction()))
    sums = [abs(sum(map(Fraction.__mul__, a, other), Fraction())) for other in permutations(b)]
    return Fraction(sum(one >= seen for one in sums), len(sums))


@settings(max_examples=40)
@given(st.data())
def test_exact_p_is_that_of_every_ordering_written_out(data: st.DataObject) -> None:
    x = data.draw(COLUMN)
    y = data.draw(st.lists(st.integers(0, 4), min_size=len(x), max_size=len(x)))
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    found = rank_correlation(x, y)
    assert found.value == spearman(x, y)
    assert found.p == float(written_out(x, y))
    assert found == rank_correlation(y, x)
    if len(x) > 2 and abs(found.value or 0) < 1:
        assert found.p_t == pytest.approx(spearmanr(x, y).pvalue, abs=1e-9)


def test_the_largest_exact_p_is_scipy_s() -> None:
    """Without ties orderings are as often far above as far below 0, so that SciPy's doubled tail is the same."""
    rng = np.random.default_rng(3)
    x, y = rng.permutation(6), rng.permutation(6)
    scipy_s = permutation_test(
        (x,), lambda one: spearmanr(one, y).statistic, permutation_type="pairings", n_resamples=np.inf, vectorized=False
    )
    assert rank_correlation(x, y).p == pytest.approx(scipy_s.pvalue)


def test_nine_rows_are_exact_and_ten_are_not_tried() -> None:
    rows = np.arange(MOST_EXACT)
    assert rank_correlation(rows, rows).p == 2 / 362880
    more = rank_correlation(np.arange(MOST_EXACT + 1), [1, 0, *range(2, MOST_EXACT + 1)])
    assert more.value is not None
    assert more.p is None
    assert more.p_t is not None


@pytest.mark.parametrize("columns", [([], []), ([1], [2]), ([1, 1, 1], [1, 2, 3])])
def test_no_correlation_has_a_reason(columns: tuple[list[int], list[int]]) -> None:
    assert rank_correlation(*columns) == (None, None, None, "fewer than two rows, or a constant column")


def test_columns_of_two_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="second has shape"):
        rank_correlation([1, 2, 3], [1, 2])


@settings(max_examples=40)
@given(TABLE)
def test_w_is_the_textbook_s_and_friedman_s(table: list[list[int]]) -> None:
    found = kendall_w(table)
    m, n = len(table), len(table[0])
    ties = sum(row.count(value) ** 3 - row.count(value) for row in table for value in set(row))
    ranks = np.array([rankdata(row) for row in table])
    spread = ((ranks.sum(axis=0) - ranks.sum() / n) ** 2).sum()
    below = m**2 * (n**3 - n) - m * ties
    if not below:
        assert (found.value, found.reason) == (None, "for every rater all items are level")
        return
    assert found.value == pytest.approx(12 * spread / below)
    chi_square, p = friedmanchisquare(*np.array(table).T)
    assert m * (n - 1) * (found.value or 0) == pytest.approx(chi_square)
    assert found.p == pytest.approx(p)


@settings(max_examples=30)
@given(st.lists(st.permutations(range(5)), min_size=2, max_size=4))
def test_without_ties_w_is_the_mean_correlation_rescaled(raters: list[list[int]]) -> None:
    m = len(raters)
    rhos = [spearman(raters[i], raters[j]) or 0.0 for i in range(m) for j in range(i)]
    found = kendall_w(raters).value
    assert found is not None
    assert (m * found - 1) / (m - 1) == pytest.approx(np.mean(rhos))


@settings(max_examples=30)
@given(TABLE)
def test_w_does_not_know_who_stands_first(table: list[list[int]]) -> None:
    columns = np.random.default_rng(len(table)).permutation(len(table[0]))
    found = kendall_w(table)
    assert kendall_w(np.array(table)[::-1, columns]) == found
    assert kendall_w(-np.array(table)).value == found.value
    assert found.value is None or 0 <= found.value <= 1


def test_raters_who_contradict_each_other_agree_on_nothing() -> None:
    assert kendall_w([[1, 2, 3], [3, 2, 1]]).value == 0
    assert kendall_w([[1, 2, 3]]).reason == "fewer than two raters or two items"
    with pytest.raises(ValueError, match="table of finite numbers"):
        kendall_w([[1.0, float("nan")], [1.0, 2.0]])
