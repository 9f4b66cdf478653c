"""McNemar's exact test: do two judges of the same units differ in how many they get right?"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from earmark.statistics.significance import binomial
from earmark.statistics.statistic import as_flags

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class McNemar(NamedTuple):
    """How many units both, one alone or neither got right, and the exact two-sided p.

    Attributes:
        both: Right by both.
        first: Right by the first alone.
        second: Right by the second alone.
        neither: Right by neither.
        p: The chance of a split of the discordant units no likelier than this one, if each falls to either side with 1/2; 1
            where none is discordant.
    """

    both: int
    first: int
    second: int
    neither: int
    p: float


def mcnemar(first: ArrayLike, second: ArrayLike) -> McNemar:
    """McNemar's test (1947) in its exact form.

    Args:
        first: (n,) booleans, whether the first judge is right of each unit.
        second: (n,) booleans, the same of the second.

    Raises:
        ValueError: They are not booleans of one length.

    >>> mcnemar([True, True, True, False], [True, False, False, False])
    McNemar(both=1, first=2, second=0, neither=1, p=0.5)
    """
    one = as_flags(first, "first", np.size(first))
    other = as_flags(second, "second", one.size)
    alone, against = int(np.count_nonzero(one & ~other)), int(np.count_nonzero(~one & other))
    p = binomial(alone, alone + against) if alone + against else 1.0
    both = int(np.count_nonzero(one & other))
    return McNemar(both, alone, against, one.size - both - alone - against, p)
