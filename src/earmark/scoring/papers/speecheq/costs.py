"""What 100 questions cost on one rented GPU, from the seconds that one takes.

The paper states no price. All eight rows that ran locally have the cost of their latency at 0.80 dollars an hour; a printed
latency stands for any that is rounded to its tenth of a second.
"""

from __future__ import annotations

from fractions import Fraction

from earmark.scoring.papers.speecheq.rounding import HALF, places_of, rounded

PRICE = Fraction("0.80")
"""Dollars an hour."""

QUESTIONS = 100


def cost(seconds: Fraction) -> Fraction:
    """Dollars for 100 questions that take so many seconds each, one after the other.

    >>> float(cost(Fraction(45)))
    1.0
    """
    return seconds * QUESTIONS * PRICE / 3600


def cost_between(latency: str) -> tuple[Fraction, Fraction]:
    """The least cost of a latency that is printed so, and the one that is just not reached."""
    step = HALF / 10 ** places_of(latency)
    return cost(Fraction(latency) - step), cost(Fraction(latency) + step)


def cost_printed(latency: str, printed: str) -> Fraction:
    """The cost of a printed latency: of all that its digits allow, the one nearest to the printed cost, to as many decimals.

    Args:
        latency: Seconds, as printed.
        printed: Dollars, as printed.

    >>> float(cost_printed("20.9", "0.47")), float(cost_printed("20.9", "0.48"))
    (0.47, 0.47)
    """
    places = places_of(printed)
    low, high = cost_between(latency)
    least, most = Fraction(rounded(low, places)), Fraction(rounded(high, places))
    if most - HALF / 10**places == high:  # the upper end itself is no longer printed so
        most -= Fraction(1, 10**places)
    return min(max(Fraction(printed), least), max(least, most))
