"""The sign-flip test without drawing anything: all 2^n ways in which the places of two judges can be changed, unit by unit.

p is the share of ways in which |Σ ± d| is at least the |Σ d| seen. Up to 24 units that are not 0 it is counted, the two halves
of the units being enumerated each by itself. Of more units it is read off the distribution of Σ ± k, k being the differences as
whole multiples of a step: of their own step where they have one, as accuracies do, else of 1/16384 of Σ |d|, which is the exact
test of differences rounded to that. The distribution is made by letting in one unit after the other.

So p has no floor but 2^(1 − n): p of random flips has one at 1 / (flips + 1), which Holm's method multiplies until nothing is
left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from earmark.statistics.statistic import as_values

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from earmark.statistics.statistic import Floats, Ints

MOST_COUNTED = 24
"""Units that are enumerated in two halves of 2¹² sums."""

_STEPS = 1 << 14
_MULTIPLES = 24  # in how many parts the smallest difference is cut to find a step of all of them
_CLOSE = 1e-7  # how near to a whole number of steps a difference must be, in steps
_ROUNDING = 1e-12  # relative to Σ |d|: sums that are equal but for the order of adding


def sign_flip_p(differences: ArrayLike) -> float | None:
    """Two-sided p that the differences are symmetric about 0.

    Args:
        differences: (n,) finite, one for each independent unit.

    Returns:
        p in (0, 1]; None where there are no differences.

    Raises:
        ValueError: They are not finite numbers.

    >>> sign_flip_p([1.0, 2.0, 3.0]), sign_flip_p([0.0]), sign_flip_p([])
    (0.25, 1.0, None)
    """
    units = as_values(differences, "differences")
    if not units.size:
        return None
    moving = units[units != 0]
    if not moving.size:
        return 1.0
    if moving.size <= MOST_COUNTED:
        return _counted(moving)
    return _spread(in_steps(moving))


def in_steps(differences: Floats) -> Ints:
    """Differences as whole numbers of steps, at most 16,384 in all but for rounding.

    Args:
        differences: (n,), none of them 0.
    """
    size = np.abs(differences)
    found: Ints = np.rint(differences * (_STEPS / size.sum())).astype(np.int64)
    for parts in range(1, _MULTIPLES + 1):
        steps = differences * parts / size.min()
        whole = np.rint(steps)
        if np.abs(whole).sum() > _STEPS:
            break
        if (np.abs(steps - whole) <= _CLOSE * np.abs(whole)).all():
            found = whole.astype(np.int64)
            break
    return found


def _counted(units: Floats) -> float:
    least = abs(units.sum()) - _ROUNDING * np.abs(units).sum()
    # p is the same for a flip and its opposite, so the first unit keeps its sign.
    first, second = _sums(units[1 : (len(units) + 1) // 2]) + units[0], np.sort(_sums(units[(len(units) + 1) // 2 :]))
    above = len(second) - np.searchsorted(second, least - first, side="left")
    below = np.searchsorted(second, -least - first, side="right")
    total = len(first) * len(second)
    return float(min(1.0, (above.sum() + below.sum()) / total)) if least > 0 else 1.0


def _sums(units: Floats) -> Floats:
    """(2^n,) Σ ± units, for all signs."""
    sums: Floats = np.zeros(1)
    for unit in units.tolist():
        sums = np.concatenate([sums + unit, sums - unit])
    return sums


def _spread(steps: Ints) -> float:
    """The same from the distribution of what the units with a plus have in all; Σ ± k is twice that less Σ |k|."""
    sizes, seen = np.abs(steps).tolist(), abs(int(steps.sum()))
    if seen == 0:
        return 1.0
    share: Floats = np.zeros(sum(sizes) + 1)
    share[0], most = 1.0, 0
    for size in sizes:
        most += size
        here = share[: most + 1] / 2
        here[size:] += share[: most - size + 1] / 2
        share[: most + 1] = here
    return float(min(1.0, max(2 * share[(most + seen) // 2 :].sum(), np.finfo(np.float64).tiny)))
