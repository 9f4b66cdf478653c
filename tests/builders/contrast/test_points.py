"""Points of a pair: symmetric, monotone, bounded, and undefined where a feature is."""

from __future__ import annotations

from dataclasses import replace
from math import nextafter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.contrast.strategies import PLAIN, dimensions, features, profiles

from earmark.builders.contrast.features import Features
from earmark.builders.contrast.points import contrast
from earmark.builders.contrast.profile import MAXIMA, Dimension, Profile, shipped


@settings(max_examples=50)
@given(one=features, other=features, profile=profiles())
def test_a_pair_is_symmetric_bounded_and_the_sum_of_its_points(
    one: Features, other: Features, profile: Profile
) -> None:
    there = contrast(one, other, profile)
    assert there == contrast(other, one, profile)
    assert tuple(difference.dimension for difference in there.differences) == tuple(MAXIMA)
    assert all(0 <= difference.points <= MAXIMA[difference.dimension] for difference in there.differences)
    assert there.total == pytest.approx(sum(difference.points for difference in there.differences))
    assert 0 <= there.total <= 8
    assert there.passed == (there.total >= profile.pass_at)
    for difference in there.differences:
        measure = profile.dimensions()[difference.dimension].measure
        absent = getattr(one, measure) is None or getattr(other, measure) is None
        assert absent == (difference.value is None) == (difference.reason is not None)
        assert difference.points == 0 or not absent
    assert contrast(one, one, profile).total == 0


@settings(max_examples=50)
@given(
    dimension=st.sampled_from(["pitch", "rate", "timbre"]).flatmap(lambda name: dimensions(name, "earmark")),
    values=st.lists(st.floats(0, 2000), min_size=2, max_size=2).map(sorted),
)
def test_a_greater_difference_never_earns_less(dimension: Dimension, values: list[float]) -> None:
    assert dimension.worth(values[0]) <= dimension.worth(values[1]) <= dimension.points[-1]


@settings(max_examples=50)
@given(dimension=dimensions("pitch", "earmark"))
def test_points_at_each_threshold_and_just_below(dimension: Dimension) -> None:
    before = 0.0
    for threshold, points in zip(dimension.thresholds, dimension.points, strict=True):
        assert dimension.worth(threshold) == points
        below = dimension.worth(nextafter(threshold, 0))
        assert below == (before if dimension.shape == "step" else pytest.approx(points))
        before = points


def test_an_example_by_hand() -> None:
    profile = shipped("default")
    # F0 10 % apart (1 of 2), rate 20 % (2), centroid 3.2 % (1), level 1.5 dB (half), MFCC 5 (1), duration 5 % (none).
    other = Features(
        f0=220.0 / 1.1 * 0.9,
        syllables_per_second=5.0,
        centroid=1550.0,
        level=-18.5,
        mfcc=(0.0, 3.0, 4.0, *[0.0] * 10),
        seconds=2.85,
    )
    found = contrast(PLAIN, other, profile)
    assert [difference.points for difference in found.differences] == [1, 2, 1, 0.5, 1, 0]
    values = [difference.value for difference in found.differences]
    assert values == pytest.approx([0.1, 0.2, 50 / 1550, 1.5, 5.0, 0.05])
    assert (found.total, found.passed) == (5.5, True)
    assert found.as_row()["timbre_points"] == 1.0


def test_exactly_four_passes_and_c0_is_not_timbre() -> None:
    profile = shipped("default")
    louder = replace(PLAIN, mfcc=(0.0, *PLAIN.mfcc[1:]) if PLAIN.mfcc else None)
    assert contrast(PLAIN, louder, profile).total == 0
    four = replace(PLAIN, f0=300.0, syllables_per_second=6.0)
    assert contrast(PLAIN, four, profile).total == 4
    assert contrast(PLAIN, four, profile).passed
    assert not contrast(PLAIN, four, msgspec.structs.replace(profile, pass_at=4.5)).passed


def test_silence_earns_nothing_and_says_why() -> None:
    found = contrast(PLAIN, Features(), shipped("default"))
    assert (found.total, found.passed, len(found.undefined)) == (0, False, 6)
    assert found.differences[0].reason == "f0 is undefined of one clip"
    assert (
        contrast(Features(), Features(), shipped("default")).differences[5].reason
        == "seconds is undefined of both clips"
    )
