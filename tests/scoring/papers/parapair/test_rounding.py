"""Rounding in whole numbers against decimal arithmetic, and its inverse against trying every count."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from hypothesis import example, given, settings
from hypothesis import strategies as st

from earmark.scoring.papers.parapair.rounding import nearest, percent_text, reaching, rounded

TOTALS = st.integers(1, 400)


@settings(max_examples=50)
@given(st.data(), TOTALS)
def test_halves_go_upwards(data: st.DataObject, total: int) -> None:
    correct = data.draw(st.integers(0, total))
    exact = Decimal(1000 * correct) / Decimal(total)
    assert rounded(correct, total) == int(exact.quantize(Decimal(1), ROUND_HALF_UP))


def test_exact_halves() -> None:
    assert [rounded(count, 2000) for count in (1, 3, 5, 1999)] == [1, 2, 3, 1000]
    assert (rounded(0, 7), rounded(7, 7)) == (0, 1000)


@settings(max_examples=50)
@given(st.integers(0, 1000), TOTALS)
@example(0, 1)
@example(1000, 1)
@example(1000, 2000)
def test_reaching_is_every_count_that_rounds_so(tenths: int, total: int) -> None:
    assert list(reaching(tenths, total)) == [count for count in range(total + 1) if rounded(count, total) == tenths]


@settings(max_examples=50)
@given(st.integers(0, 1000), TOTALS)
def test_nearest_is_the_nearest(tenths: int, total: int) -> None:
    def away(count: int) -> Fraction:
        return abs(Fraction(count, total) - Fraction(tenths, 1000))

    assert away(nearest(tenths, total)) == min(away(count) for count in range(total + 1))


def test_text() -> None:
    assert [percent_text(tenths) for tenths in (0, 9, 10, 1000, -56)] == ["0.0", "0.9", "1.0", "100.0", "-5.6"]
