"""Costs against every latency that is printed so, to a thousandth of a second."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.scoring.papers.speecheq.cells import LOCAL
from earmark.scoring.papers.speecheq.costs import PRICE, cost, cost_between, cost_printed
from earmark.scoring.papers.speecheq.rounding import rounded
from earmark.scoring.papers.speecheq.tables import read_tables


@given(st.integers(1, 600), st.integers(0, 150))
def test_the_nearest_cost_of_all_latencies_that_are_printed_so(tenths: int, cents: int) -> None:
    latency, printed = f"{tenths / 10:.1f}", f"{cents / 100:.2f}"
    seconds = [Fraction(thousandths, 1000) for thousandths in range(100 * tenths - 50, 100 * tenths + 50)]
    possible = [Fraction(rounded(cost(one), 2)) for one in (seconds[0], seconds[-1])]
    assert {Fraction(rounded(cost(one), 2)) for one in seconds} == set(possible)
    assert cost_printed(latency, printed) == min(possible, key=lambda one: abs(one - Fraction(printed)))


def test_the_price_is_in_whole_cents_an_hour() -> None:
    assert float(cost(Fraction(36))) == pytest.approx(float(PRICE))


@pytest.mark.parametrize(("price", "fits"), [(79, False), (80, True), (81, False)])
def test_no_neighbouring_price_gives_all_eight(price: int, fits: bool) -> None:
    half = Fraction(1, 200)
    possible = []
    for name in LOCAL:
        row = read_tables().table_3[name]
        low, high = (end * Fraction(price, 100) / PRICE for end in cost_between(row.latency))
        possible.append(low < Fraction(row.cost) + half and high > Fraction(row.cost) - half)
    assert all(possible) == fits
