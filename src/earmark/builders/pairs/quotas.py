"""Quotas in whole pairs: how many of a number go to each part, so that nothing is lost and the sexes are treated alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import gcd

EITHER = "either"
"""Two speakers of one sex, whichever: what is left of an odd quota."""


def apportion(count: int, parts: Mapping[str, int]) -> dict[str, int]:
    """Split a number by parts, largest remainders first, the earlier of two equal ones first.

    >>> apportion(7, {"default": 1, "other": 1})
    {'default': 4, 'other': 3}
    """
    whole = sum(parts.values())
    shares = {name: Fraction(count * part, whole) for name, part in parts.items()}
    split = {name: int(share) for name, share in shares.items()}
    order = sorted(shares, key=lambda name: split[name] - shares[name])  # stable, so the earlier stays first
    for name in order[: count - sum(split.values())]:
        split[name] += 1
    return split


def over_sexes(count: int, *, mixed: int | None) -> Iterator[tuple[str, int]]:
    """Split a number of pairs over the sexes of their speakers: as many of women as of men, whatever the number.

    Args:
        count: How many pairs.
        mixed: How many pairs of a woman and a man go on one pair of women; None where speakers must be of one sex.

    Yields:
        Sexes and a number above 0. What is left goes to mixed pairs where they are allowed, else to either sex.

    >>> list(over_sexes(60, mixed=4)), list(over_sexes(75, mixed=None))
    ([('female', 10), ('male', 10), ('mixed', 40)], [('female', 37), ('male', 37), ('either', 1)])
    """
    each = count // 2 if mixed is None else count // (2 + mixed)
    rest = count - 2 * each
    for name, n in (("female", each), ("male", each), (EITHER if mixed is None else "mixed", rest)):
        if n:
            yield name, n


def whole_share(share: Fraction, quotas: list[int]) -> Fraction:
    """The largest share up to a given one of which every quota has a whole number of pairs.

    >>> whole_share(Fraction(1, 2), [60, 30, 25])
    Fraction(2, 5)
    """
    step = gcd(*quotas)
    return Fraction(share * step // 1, step) if step else Fraction(0)
