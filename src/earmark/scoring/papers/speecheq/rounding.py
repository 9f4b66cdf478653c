"""Printed digits and exact fractions: what a paper prints of a share, halves upwards, and which counts it can be of."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

HALF = Fraction(1, 2)


def places_of(digits: str) -> int:
    """How many decimals are printed.

    >>> places_of("100.00"), places_of("0.785"), places_of("7")
    (2, 3, 0)
    """
    return len(digits.partition(".")[2])


def rounded(value: Fraction, places: int) -> str:
    """A value of at least 0 as it is printed, halves upwards.

    >>> rounded(Fraction(1777, 2264), 3), rounded(Fraction(1, 8), 2), rounded(Fraction(100), 2)
    ('0.785', '0.13', '100.00')
    """
    whole, rest = divmod(floor(value * 10**places + HALF), 10**places)
    return f"{whole}.{rest:0{places}d}" if places else str(whole)


def prints(value: Fraction, digits: str) -> bool:
    """Whether a value is printed with these digits."""
    return rounded(value, places_of(digits)) == digits


def reaching(digits: str, total: int, *, unit: int = 1) -> range:
    """The counts out of a total whose share is printed so.

    Args:
        digits: As printed.
        total: At least 1.
        unit: 100 where percent are printed.

    >>> list(reaching("0.572", 453)), list(reaching("0.94", 150)), list(reaching("100.00", 2265, unit=100))
    ([259], [141], [2265])
    """
    step = 10 ** places_of(digits)
    low, high = (total * (Fraction(digits) + sign * HALF / step) / unit for sign in (-1, 1))
    return range(max(0, ceil(low)), max(0, min(total + 1, ceil(high))))
