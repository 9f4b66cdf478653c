"""Thresholds from data: a difference earns points where two renderings of the same instruction rarely differ as much.

**Procedure.** For each dimension take the differences of all pairs of clips that say the same words in the same voice under the
same instruction. Their 0.75 quantile (linearly interpolated, Hyndman and Fan's type 7) earns half of the dimension's points,
their 0.95 quantile all of them. So three in four differences that mean nothing earn nothing, and one in twenty earns everything.
Thresholds are rounded to three significant digits. Pairs under different instructions set nothing: they say what the profile
is good for, by the share of them that pass beside the share of the first kind that does.

What is noise is a voice's own: a profile that was calibrated on one voice gives another too many points or too few.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from earmark.builders.contrast.features import Features
from earmark.builders.contrast.points import contrast
from earmark.builders.contrast.profile import MAXIMA, Profile
from earmark.manifests.errors import EarmarkError

HALF, FULL = 0.75, 0.95
LEAST_PAIRS = 20
"""Fewer pairs have no 0.95 quantile to speak of."""

_DIGITS = 3

Pairs = Sequence[tuple[Features, Features]]


class NotCalibrated(EarmarkError):
    """The pairs do not tell where a threshold should be."""


@dataclass(frozen=True)
class Calibration:
    """A calibrated profile, and what it does to the pairs that it was calibrated on.

    Attributes:
        profile: The profile.
        same: Number of pairs under the same instruction.
        different: Number of pairs under different instructions.
        same_passed: Share of the former that passes, 0 to 1.
        different_passed: Share of the latter that passes; None where there is none.
    """

    profile: Profile
    same: int
    different: int
    same_passed: float
    different_passed: float | None


def calibrate(
    same: Pairs, different: Pairs, base: Profile, *, name: str, half: float = HALF, full: float = FULL
) -> Calibration:
    """Set the thresholds of a profile; its measures, scales, shapes, front end and pass mark stay.

    Args:
        same: pairs of clips of the same words, voice and instruction; at least `LEAST_PAIRS` with every measure.
        different: pairs of clips of the same words and voice under two instructions; they are only counted.
        base: what is measured, and how.
        name: of the new profile.
        half: quantile of `same` that earns half of a dimension's points, in (0, 1).
        full: quantile that earns all of them, in (half, 1).

    Raises:
        NotCalibrated: a dimension has too few pairs, or its two thresholds are not above 0 and apart.
        ValueError: the quantiles are out of range.
    """
    if not 0 < half < full < 1:
        raise ValueError(f"half and full are {half} and {full}; they must be in (0, 1), the first below the second")
    found: dict[str, list[float]] = {dimension: [] for dimension in MAXIMA}
    for one, other in same:
        for difference in contrast(one, other, base).differences:
            if difference.value is not None:
                found[difference.dimension].append(difference.value)
    changed = {}
    for dimension, values in found.items():
        measure = base.dimensions()[dimension].measure
        if len(values) < LEAST_PAIRS:
            raise NotCalibrated(
                f"{dimension}: {len(values)} of {len(same)} pairs have {measure}; there must be {LEAST_PAIRS}"
            )
        low, high = (_rounded(float(value)) for value in np.quantile(values, [half, full]))
        if not 0 < low < high:
            raise NotCalibrated(
                f"{dimension}: the {half} and {full} quantiles of {measure} are {low:g} and {high:g}; they must be above 0"
                " and apart: the voice repeats itself, and says nothing of how others scatter"
            )
        most = float(MAXIMA[dimension])
        changed[dimension] = msgspec.structs.replace(
            base.dimensions()[dimension], thresholds=(low, high), points=(most / 2, most)
        )
    profile = msgspec.structs.replace(base, name=name, **changed)
    apart = _passed(different, profile) if different else None
    return Calibration(profile, len(same), len(different), _passed(same, profile), apart)


def as_toml(profile: Profile) -> str:
    """A profile as `earmark.builders.contrast.profile.read_profile` reads it."""
    lines = [f"{name} = {_value(getattr(profile, name))}" for name in ("name", "front", "tracker", "pass_at")]
    for dimension, worth in profile.dimensions().items():
        fields = [f"{name} = {_value(getattr(worth, name))}" for name in worth.__struct_fields__]
        lines += ["", f"[{dimension}]", *fields]
    return "\n".join(lines) + "\n"


def _passed(pairs: Pairs, profile: Profile) -> float:
    return float(np.mean([contrast(one, other, profile).passed for one, other in pairs]))


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")


def _value(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(_value(entry) for entry in value)}]"
    # A string of JSON is one of TOML, but for DEL, which TOML wants escaped.
    return msgspec.json.encode(value).decode().replace("\x7f", "\\u007f")
