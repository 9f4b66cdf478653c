"""Kendall's tau-b: do two metrics rank the same judges alike?"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from earmark.statistics.statistic import as_values

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def kendall_tau_b(first: ArrayLike, second: ArrayLike) -> float | None:
    """(concordant − discordant) / √((pairs − ties₁)(pairs − ties₂)), Kendall (1945).

    Args:
        first: (n,) finite numbers.
        second: (n,) finite numbers, of the same things.

    Returns:
        In [−1, 1]; None where all of one side are equal, or there are fewer than two.

    Raises:
        ValueError: They are not finite numbers of one length.

    >>> kendall_tau_b([1, 2, 3], [1, 3, 2])
    0.3333333333333333
    """
    x = as_values(first, "first")
    y = as_values(second, "second", x.size)
    one, other = (np.sign(values[:, None] - values[None, :]).astype(np.int64) for values in (x, y))
    told = int(np.count_nonzero(one)) * int(np.count_nonzero(other))
    return int((one * other).sum()) / math.sqrt(told) if told else None
