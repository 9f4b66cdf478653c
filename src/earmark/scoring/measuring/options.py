"""How intervals are made: how many replicates, from which seed, to which level and by which method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from earmark.statistics.intervals import Method


@dataclass(frozen=True)
class Options:
    """How intervals are made.

    Args:
        resamples: Number of bootstrap replicates.
        seed: Seed of the weights.
        level: Coverage aimed at.
        method: How intervals are made of the replicates.
    """

    resamples: int = 2000
    seed: int = 0
    level: float = 0.95
    method: Method = "percentile"
