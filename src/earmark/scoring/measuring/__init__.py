"""Figures with intervals: what a family hands out to be measured, the units that are resampled, and the one engine for all."""

from earmark.scoring.measuring.measure import (
    FEWEST_CLUSTERS,
    Codes,
    Figure,
    Ladder,
    Make,
    Numbering,
    Options,
    Part,
    Shared,
    measure,
)

__all__ = ["FEWEST_CLUSTERS", "Codes", "Figure", "Ladder", "Make", "Numbering", "Options", "Part", "Shared", "measure"]
