"""What pairs are made of: clips as columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from operator import ge

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Codes = NDArray[np.int64]
Floats = NDArray[np.float64]
Ranks = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Pool:
    """Clips, ordered by id, so that nothing depends on the order they came in.

    Args:
        ids: (n,) unique ids, ascending.
        speaker: (n,) code of each clip's speaker.
        nuisances: (n, m) what should not differ within a pair, standardised and weighted, so that the cost of a pair is the sum
            of the absolute differences; NaN where it was not measured, which then costs what the mean difference costs.
        rank: (n,) a hash of each id with seed and key: equal costs are told apart by it and by nothing else.
    """

    ids: tuple[str, ...]
    speaker: Codes
    nuisances: Floats
    rank: Ranks

    def __post_init__(self) -> None:
        n = len(self.ids)
        shapes = (self.speaker.shape, self.nuisances.shape[:1], self.rank.shape)
        if any(shape != (n,) for shape in shapes) or self.nuisances.ndim != 2:
            raise ValueError(f"{n} ids with columns of shapes {shapes}")
        if any(map(ge, self.ids, islice(self.ids, 1, None))):
            raise ValueError("ids must be unique and ascending")

    @cached_property
    def mean_differences(self) -> Floats:
        """(m,) mean absolute difference of two different clips in each nuisance; 0 where fewer than two are measured."""
        means = np.zeros(self.nuisances.shape[1])
        for c in range(self.nuisances.shape[1]):
            column = np.sort(self.nuisances[:, c])
            column = column[: len(column) - int(np.count_nonzero(np.isnan(column)))]
            n = len(column)
            if n > 1:
                means[c] = 2.0 * float(np.dot(2.0 * np.arange(n) - (n - 1), column)) / (n * (n - 1.0))
        return means
