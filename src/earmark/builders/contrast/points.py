"""The contrast of two clips: six differences, their points, and whether the pair passes."""

from __future__ import annotations

import math
from dataclasses import dataclass

from earmark.audio.acoustics.measures import mfcc_distance
from earmark.builders.contrast.features import Features
from earmark.builders.contrast.profile import Dimension, Profile


@dataclass(frozen=True)
class Difference:
    """How far two clips are apart in one dimension.

    Attributes:
        dimension: pitch, rate, brightness, level, timbre or duration.
        value: The difference, >= 0, in the profile's unit; None where it is undefined.
        points: What it earns; 0 where it is undefined.
        reason: Why it is undefined; None where it is not.
    """

    dimension: str
    value: float | None
    points: float
    reason: str | None = None


@dataclass(frozen=True)
class Contrast:
    """How far two clips are apart.

    Attributes:
        differences: Six, in the paper's order.
        total: Sum of the points, 0 to 8, rounded to nine decimals, so that 0.1 + 0.2 is 0.3.
        passed: Whether the total reaches the profile's pass mark.
    """

    differences: tuple[Difference, ...]
    total: float
    passed: bool

    @property
    def undefined(self) -> tuple[Difference, ...]:
        """The differences that are undefined."""
        return tuple(difference for difference in self.differences if difference.reason is not None)

    def as_row(self) -> dict[str, float | bool | None]:
        """Differences, points, total and verdict as columns."""
        row: dict[str, float | bool | None] = {}
        for difference in self.differences:
            row[f"{difference.dimension}_difference"] = difference.value
            row[f"{difference.dimension}_points"] = difference.points
        return {**row, "points": self.total, "passed": self.passed}


def contrast(one: Features, other: Features, profile: Profile) -> Contrast:
    """Compare two clips; which comes first makes no difference.

    Args:
        one: a clip's features.
        other: the other's, by the same front end and tracker: those that the profile names.
        profile: what a difference is worth.
    """
    differences = tuple(_difference(name, dimension, one, other) for name, dimension in profile.dimensions().items())
    total = round(math.fsum(difference.points for difference in differences), 9)
    return Contrast(differences, total, total >= profile.pass_at)


def _difference(name: str, dimension: Dimension, one: Features, other: Features) -> Difference:
    a, b = getattr(one, dimension.measure), getattr(other, dimension.measure)
    if a is None or b is None:
        which = "both clips" if a is None and b is None else "one clip"
        return Difference(name, None, 0.0, f"{dimension.measure} is undefined of {which}")
    if dimension.measure == "mfcc":
        value = mfcc_distance(a, b)
    elif dimension.scale == "absolute":
        value = abs(a - b)
    elif max(a, b) > 0:
        value = abs(a - b) / max(a, b)
    else:
        return Difference(name, None, 0.0, f"{dimension.measure} is 0 of both clips: no share of it can be taken")
    return Difference(name, value, float(dimension.worth(value)))
