"""Digits against the decimal module, and counts against trying every one."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from earmark.scoring.papers.speecheq.rounding import places_of, prints, reaching, rounded


@given(st.integers(0, 10**6), st.sampled_from([1, 2, 4, 5, 8, 125, 1000]), st.integers(0, 4))
def test_digits_are_the_decimal_module_s(above: int, below: int, places: int) -> None:
    digits = str((Decimal(above) / Decimal(below)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP))
    assert rounded(Fraction(above, below), places) == digits
    assert places_of(digits) == places
    assert prints(Fraction(above, below), digits)


@given(st.integers(1, 300), st.integers(0, 1000), st.sampled_from([1, 100]))
def test_counts_are_those_whose_digits_are_printed(total: int, thousandths: int, unit: int) -> None:
    digits = f"{thousandths / 1000:.3f}" if unit == 1 else f"{thousandths / 10:.1f}"
    tried = [count for count in range(total + 1) if prints(Fraction(unit * count, total), digits)]
    assert list(reaching(digits, total, unit=unit)) == tried
