"""Settings: the issue's numbers, from TOML, and what they refuse."""

from __future__ import annotations

import math
import tomllib
from dataclasses import asdict, replace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders.segments.conversations import SOME

from earmark.builders.segments import Settings
from earmark.builders.segments.settings import Limits, samples


def test_every_length_comes_from_toml() -> None:
    lines = "\n".join(f"{name} = {str(value).lower()}" for name, value in asdict(Settings()).items())
    assert msgspec.convert(tomllib.loads(lines), Settings) == Settings()
    assert msgspec.convert({"single_close_s": 20, "context_after": True}, Settings) == Settings(
        single_close_s=20.0, context_after=True
    )


def test_toml_that_makes_no_sense_is_refused_by_name() -> None:
    with pytest.raises(msgspec.ValidationError, match="single_close_s is more than 0 s and at most single_most_s"):
        msgspec.convert({"single_close_s": 50.0}, Settings)


@pytest.mark.parametrize("name", [name for name in asdict(Settings()) if name.endswith("_s")])
@pytest.mark.parametrize("value", [-0.01, math.nan, math.inf])
def test_a_length_is_finite_and_not_negative(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"{name} is a finite length"):
        replace(Settings(), **{name: value})


@pytest.mark.parametrize(
    ("least", "most"),
    [
        ("single_close_s", "single_most_s"),
        ("single_tail_s", "single_close_s"),
        ("context_least_s", "context_most_s"),
        ("target_least_s", "target_most_s"),
    ],
)
def test_a_least_length_is_positive_and_not_beyond_its_limit(least: str, most: str) -> None:
    with pytest.raises(ValueError, match=f"{least} is more than 0 s and at most {most}"):
        replace(Settings(), **{least: 0.0})
    with pytest.raises(ValueError, match=f"at most {most}"):
        replace(Settings(), **{least: getattr(Settings(), most) + 0.01})


@pytest.mark.parametrize("name", ["context_least_s", "target_least_s"])
def test_an_overlap_is_shorter_than_what_it_may_overlap(name: str) -> None:
    assert replace(Settings(), **{name: 0.51}).switch_overlap_s == 0.5
    with pytest.raises(ValueError, match="switch_overlap_s is less than context_least_s and target_least_s"):
        replace(Settings(), **{name: 0.5})


def test_the_defaults_in_samples() -> None:
    assert Settings().at(48_000) == Limits(
        merge_gap=14_400,
        backchannel=9_600,
        joining_silence=12_000,
        single_close=1_440_000,
        single_most=2_160_000,
        single_tail=720_000,
        context_least=48_000,
        context_most=480_000,
        target_least=96_000,
        target_most=720_000,
    )


@SOME
@given(st.integers(0, 10**7), st.sampled_from([100, 8_000, 11_025, 44_100, 48_000]))
def test_a_sample_read_as_seconds_is_that_sample(sample: int, rate: int) -> None:
    assert samples(sample / rate, rate) == sample


def test_halves_are_rounded_up() -> None:
    assert [samples(half, 1) for half in (0.0, 0.49, 0.5, 1.5, 2.5)] == [0, 0, 1, 2, 3]
