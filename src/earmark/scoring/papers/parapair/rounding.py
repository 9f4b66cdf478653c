"""Shares in tenths of a percent, halves upwards, in whole numbers alone: what a paper prints of a count, and back."""

from __future__ import annotations


def rounded(correct: int, total: int) -> int:
    """A share in tenths of a percent, halves upwards.

    Args:
        correct: In [0, total].
        total: At least 1.

    >>> rounded(565, 1720), rounded(1, 2000), rounded(2, 3)
    (328, 1, 667)
    """
    return (2000 * correct + total) // (2 * total)


def reaching(tenths: int, total: int) -> range:
    """The counts out of a total whose share is printed so.

    Args:
        tenths: Tenths of a percent.
        total: At least 1.

    >>> list(reaching(889, 750)), list(reaching(38, 1440)), list(reaching(5, 10))
    ([667], [54, 55], [])
    """
    least = -(-total * (2 * tenths - 1) // 2000)
    below = -(-total * (2 * tenths + 1) // 2000)
    return range(max(0, least), max(0, min(total + 1, below)))


def nearest(tenths: int, total: int) -> int:
    """The count out of a total whose share comes nearest to a printed one."""
    return min(total, (2 * tenths * total + 1000) // 2000)


def percent_text(tenths: int) -> str:
    """Tenths of a percent as a percentage.

    >>> percent_text(485), percent_text(1000), percent_text(-4)
    ('48.5', '100.0', '-0.4')
    """
    whole, tenth = divmod(abs(tenths), 10)
    return f"{'-' if tenths < 0 else ''}{whole}.{tenth}"
