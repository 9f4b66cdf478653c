"""The rule of the ladder: when a new score is released, and which.

Blum and Hardt, *The Ladder*, arXiv 1502.04585, the mechanism without parameters: a score is released only if it beats the best
one so far by more than the standard error of the difference, taken unit by unit; it is rounded to a step of 1/n. Two things are
added. The error is never taken to be less than that of a coin, 1 / (2 √n): theirs is small between files that differ in a few
units, so that whoever turns a few at a time climbs with every fourth file. And the first score must beat chance by three of them,
or every new name would be told the score of a guess; by more where many files were sent before it, so that all of them together
have little chance of a lucky one.

Headlines are weighted sums: with weights w that sum to 1 and paired differences d the error is √Σ w² (d − Σ w d)², and that of a
coin ½ √Σ w²; where all weights are 1/n these are theirs.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from earmark.scoring.ladder.credit import Credits, Floats

MOST_SPREAD = 0.5
"""Largest standard deviation that a credit in [0, 1] can have: that of a fair coin."""

FIRST = 3.0
"""Fewest standard errors by which a first score beats chance: one guess in 740 does."""

LUCK = 0.05
"""Chance at most that a submitter who only guesses is ever told a score, however many files are sent."""


@dataclass(frozen=True, eq=False)
class Standing:
    """Where a submitter stands.

    Args:
        score: The best score that was released, a multiple of 1/n; None before the first.
        credit: (n,) credits of the file that it is of; before the first those of a guesser.
    """

    score: float | None
    credit: Floats


def start(credits: Credits) -> Standing:
    """Where everybody begins: at chance, with nothing released."""
    return Standing(None, credits.chance)


def advanced(before: Standing, file: Credits, tries: int = 1) -> Standing:
    """Where a submitter stands with one more file: further up if it is better by more than noise, else where they were.

    Args:
        before: Where they stood.
        file: What the file gets.
        tries: How many files they have sent, this one included.

    >>> units = tuple("abcdefghijkl")
    >>> right, half = (Credits(units, np.full(12, 1 / 12), (np.arange(12) < n) * 1.0, np.full(12, 0.5)) for n in (12, 6))
    >>> [advanced(start(file), file).score for file in (right, half)]
    [1.0, None]
    """
    units = len(file.units)
    base = float(file.weight @ file.chance) if before.score is None else before.score
    least = step(file.weight, file.credit - before.credit) * (first_errors(tries) if before.score is None else 1.0)
    if round(file.headline - base - least, 12) > 0:  # no more is not decided by the last bits of a sum
        return Standing(round(file.headline * units) / units, file.credit)
    return before


def first_errors(tries: int) -> float:
    """By how many standard errors a first score beats chance, if it is that of the file number `tries`.

    File k is given the share 1 / (k (k + 1)) of `LUCK`; all shares together are 1.

    Args:
        tries: How many files were sent, at least 1.

    >>> [round(first_errors(tries), 1) for tries in (1, 10, 100, 1000)]
    [3.0, 3.3, 4.4, 5.3]
    """
    return max(FIRST, NormalDist().inv_cdf(1 - LUCK / (tries * (tries + 1))))


def step(weight: Floats, difference: Floats) -> float:
    """By how much a file must be better: one standard error of the difference, and no less than a coin's.

    Args:
        weight: (n,) weights that sum to 1.
        difference: (n,) credits of the file less those of the best one.

    >>> step(np.full(4, 0.25), np.zeros(4)), round(step(np.full(4, 0.25), np.array([1.0, -1.0, 1.0, -1.0])), 3)
    (0.25, 0.5)
    """
    squares = weight**2
    paired = squares @ (difference - weight @ difference) ** 2
    return float(np.sqrt(max(paired, MOST_SPREAD**2 * squares.sum())))
