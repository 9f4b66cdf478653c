"""What a difference is worth: for each of six dimensions a measure, thresholds and points, as a frozen record from TOML.

SpeechEQ gives at most 2 points for pitch, 2 for speaking rate and 1 each for brightness, level, timbre and duration, and passes
at 4 of 8. Its thresholds are not public, nor whether points come in steps, nor whether gaps are relative. So all of that is
stated here: `default` is calibrated on data (see its file), `paper` keeps the paper's features with thresholds that are a guess.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Literal

import msgspec

from earmark.builders.contrast.features import EARMARK, PRAAT, TRACKERS
from earmark.builders.recipes import SECTION, check_recipe, read_toml
from earmark.manifests.canonical import Json
from earmark.manifests.errors import UnknownName
from earmark.manifests.findings import Findings

MAXIMA: Mapping[str, float] = {"pitch": 2, "rate": 2, "brightness": 1, "level": 1, "timbre": 1, "duration": 1}
"""Dimensions in the paper's order, and the most points of each."""

PASS_AT = 4.0
"""Points at which a pair passes."""

MEASURES: Mapping[str, Mapping[str, str]] = {
    "pitch": {"f0": "Hz"},
    "rate": {"syllables_per_second": "1/s", "words_per_second": "1/s", "zero_crossing_rate": "share"},
    "brightness": {"centroid": "Hz"},
    "level": {"level": "dB"},
    "timbre": {"mfcc": "distance"},
    "duration": {"seconds": "s"},
}
"""What each dimension may read, and the unit of an absolute difference."""

SHARE = "share"
"""Unit of a relative difference: |a − b| over the greater of a and b. Of F0, 0.1 is 1.8 semitones."""

NAMES = ("default", "paper")

_NO_RATIO = ("level", "mfcc")  # decibels have no ratio, and a distance is one already


class Dimension(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a difference in one dimension is worth.

    Args:
        measure: The feature that is compared; of `mfcc` the Euclidean distance of the means without c0.
        scale: absolute, |a − b|; or relative, |a − b| / max(a, b).
        unit: Unit of the thresholds, to be read by people: that of the measure, or "share" where relative.
        shape: step, the points of the greatest threshold that is reached; or linear, on straight lines from (0, 0)
            through each (threshold, points), and flat beyond the last.
        thresholds: In `unit`, above 0, ascending.
        points: One for each threshold, ascending; the last at most the dimension's maximum.

    Raises:
        ValueError: They do not fit together.
    """

    measure: str
    scale: Literal["absolute", "relative"]
    unit: str
    shape: Literal["step", "linear"] = "step"
    thresholds: tuple[float, ...]
    points: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.thresholds or len(self.thresholds) != len(self.points):
            raise ValueError(f"{len(self.thresholds)} thresholds and {len(self.points)} points; as many, at least one")
        for name, values in (("thresholds", self.thresholds), ("points", self.points)):
            if not (values[0] > 0 and all(a < b for a, b in pairwise(values)) and math.isfinite(values[-1])):
                raise ValueError(f"{name} are {list(values)}; they must be above 0, finite and ascending")
        if self.scale == "relative" and self.measure in _NO_RATIO:
            raise ValueError(f"a difference of {self.measure!r} is absolute")

    def worth(self, difference: float) -> float:
        """Points of a difference >= 0, in `unit`; never fewer for a greater one.

        >>> f0 = Dimension(measure="f0", scale="absolute", unit="Hz", thresholds=(10.0, 20.0), points=(1.0, 2.0), shape="linear")
        >>> f0.worth(5), f0.worth(15), f0.worth(99)
        (0.5, 1.5, 2.0)
        """
        before, earned = 0.0, 0.0
        for threshold, points in zip(self.thresholds, self.points, strict=True):
            if difference < threshold:
                if self.shape == "step":
                    return earned
                # A quotient just below 1 may round to 1 and the sum beyond what the threshold itself earns.
                return min(points, earned + (points - earned) * ((difference - before) / (threshold - before)))
            before, earned = threshold, points
        return earned


class _Parts(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of a profile, each checked by itself, so that all that is wrong is said at once."""

    name: str
    front: Literal["earmark", "librosa"] = EARMARK
    tracker: str = PRAAT
    pass_at: float = PASS_AT
    pitch: Dimension
    rate: Dimension
    brightness: Dimension
    level: Dimension
    timbre: Dimension
    duration: Dimension


class Profile(_Parts, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The six dimensions, and who measures them.

    Args:
        name: What decisions and tables call it.
        front: Front end: `earmark.builders.contrast.features.FRONTS`.
        tracker: F0 tracker: `earmark.builders.contrast.features.TRACKERS`.
        pass_at: Points at which a pair passes, above 0, at most 8.
        pitch: Mean F0; at most 2 points.
        rate: Speaking rate or its proxy; at most 2 points.
        brightness: Spectral centroid; at most 1 point.
        level: RMS level; at most 1 point.
        timbre: MFCC without c0; at most 1 point.
        duration: Length; at most 1 point.

    Raises:
        ValueError: A dimension reads a measure that is not its own or not of this front end, gives more than its most, or
            misnames its unit; or the pass mark cannot be reached.
    """

    def __post_init__(self) -> None:
        if self.tracker not in TRACKERS or (self.front == EARMARK and self.tracker != PRAAT):
            trackers = (PRAAT,) if self.front == EARMARK else TRACKERS
            raise ValueError(f"tracker is {self.tracker!r}; with front {self.front!r} there is {', '.join(trackers)}")
        most = math.fsum(dimension.points[-1] for dimension in self.dimensions().values())
        if not 0 < self.pass_at <= most:
            raise ValueError(
                f"pass_at is {self.pass_at:g}; it must be above 0 and at most the {most:g} points there are"
            )
        for name, dimension in self.dimensions().items():
            valid = tuple(measure for measure in MEASURES[name] if self._has(measure))
            if dimension.measure not in valid:
                raise ValueError(
                    f"{name}: measure is {dimension.measure!r}; front {self.front!r} has {', '.join(valid)}"
                )
            unit = SHARE if dimension.scale == "relative" else MEASURES[name][dimension.measure]
            if dimension.unit != unit:
                raise ValueError(
                    f"{name}: unit is {dimension.unit!r}; a difference that is {dimension.scale} is in {unit!r}"
                )
            if dimension.points[-1] > MAXIMA[name]:
                raise ValueError(f"{name}: {dimension.points[-1]:g} points; there are at most {MAXIMA[name]:g}")

    def dimensions(self) -> Mapping[str, Dimension]:
        """The six dimensions by name, in the paper's order."""
        return {name: getattr(self, name) for name in MAXIMA}

    def _has(self, measure: str) -> bool:
        return measure != ("zero_crossing_rate" if self.front == EARMARK else "syllables_per_second")


def shipped(name: str) -> Profile:
    """A profile that comes with the package: `default` or `paper`.

    Raises:
        UnknownName: There is none of this name.
    """
    if name not in NAMES:
        raise UnknownName("contrast profile", name, NAMES)
    return check_profile(tomllib.loads(source(name)), file=f"{name}.toml")


def source(name: str) -> str:
    """The text of a shipped profile, comments included: what one's own begins with."""
    return files(__package__).joinpath("profiles", f"{name}.toml").read_text(encoding="utf-8")


def read_profile(path: Path) -> Profile:
    """A profile of one's own, from a TOML file.

    Raises:
        Refused: It cannot be read, or something in it is wrong; all of it is said.
        EarmarkError: There is no such file.
    """
    return check_profile(read_toml(path), file=str(path))


def check_profile(value: Mapping[str, Json], *, file: str | None = None) -> Profile:
    """Plain values as a profile, every dimension checked.

    Raises:
        Refused: Something is wrong; all of it is said.
    """
    fields = {**value, "name": value.get("name", Path(file).stem if file else "own")}
    parts = check_recipe(fields, _Parts, file=file)
    findings = Findings()
    try:
        return Profile(**{field: getattr(parts, field) for field in Profile.__struct_fields__})
    except ValueError as error:
        findings.add(SECTION, file=file, id=parts.name, found=error)
    findings.require_none()
    raise AssertionError("a finding refuses")
