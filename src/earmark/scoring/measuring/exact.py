"""Exact p against chance of an accuracy over units that are right, wrong, or right in part.

Two-sided, binomial over the units and never over their presentations, which are no independent observations. Where a unit is
right in part, the number of successes may not be whole; it is rounded towards what chance expects, so that p errs on the large
side.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeGuard

from earmark.statistics.significance import binomial

if TYPE_CHECKING:
    from earmark.manifests.report import MetricEntry


def exact_p(entry: MetricEntry) -> float | None:
    """Exact two-sided binomial p of an accuracy over units; None where it or its chance is undefined, or chance is 0 or 1."""
    if entry.value is None or not between_0_and_1(entry.chance):
        return None
    return binomial(whole_successes(entry.value * entry.n, entry.n * entry.chance), entry.n, entry.chance)


def whole_successes(successes: float, expected: float) -> int:
    """A number of successes, rounded towards what is expected.

    >>> whole_successes(10.5, 7.0), whole_successes(3.5, 7.0), whole_successes(5.0, 7.0), whole_successes(7.5, 7.2)
    (10, 4, 5, 7)
    """
    nearest = round(successes)
    if math.isclose(successes, nearest, abs_tol=1e-6):
        return nearest
    return math.floor(successes) if successes > expected else math.ceil(successes)


def between_0_and_1(chance: float | None) -> TypeGuard[float]:
    """Whether there is a chance level, and something can differ from it both ways."""
    return chance is not None and 0 < chance < 1
