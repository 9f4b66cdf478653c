"""F0 against Praat called plainly, and against sounds whose F0 is known."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.audio.acoustics.sounds import Floats, noise, vowels

from earmark.audio.acoustics.pitch import Pitch, summarise, track
from earmark.audio.acoustics.settings import DEFAULTS

parselmouth = pytest.importorskip("parselmouth")


def praat(samples: Floats, rate: int) -> Floats:
    contour = parselmouth.Sound(samples, rate).to_pitch_ac(time_step=0.01, pitch_floor=75.0, pitch_ceiling=600.0)
    return np.asarray(contour.selected_array["frequency"])


@pytest.mark.parametrize("rate", [8000, 16_000, 24_000])
def test_the_contour_is_praats(rate: int) -> None:
    spoken = vowels(rate)
    found = track(spoken, rate, DEFAULTS)
    assert found is not None
    assert np.array_equal(found.f0, praat(spoken, rate))
    assert len(found.voiced) > 50


@pytest.mark.parametrize("rate", [44_100, 48_000, 96_000])
@pytest.mark.parametrize("f0", [95.0, 240.0])
def test_above_24_khz_it_is_praats_to_within_a_part_in_500(rate: int, f0: float) -> None:
    spoken = vowels(rate, f0=f0)
    found = track(spoken, rate, DEFAULTS)
    assert found is not None
    ours, plain = summarise(found, DEFAULTS), praat(spoken, rate)
    assert ours is not None
    assert ours.median == pytest.approx(np.median(plain[plain > 0]), rel=0.002)
    assert ours.mean == pytest.approx(np.mean(plain[plain > 0]), rel=0.002)


@settings(max_examples=25)
@given(f0=st.floats(80.0, 500.0))
def test_a_buzz_has_the_pitch_that_it_was_given(f0: float) -> None:
    times = np.arange(8000) / 16_000
    buzz = sum(np.sin(2 * np.pi * f0 * k * times) / k for k in range(1, 6))
    found = track(np.asarray(buzz) * 0.2, 16_000, DEFAULTS)
    assert found is not None
    summary = summarise(found, DEFAULTS)
    assert summary is not None
    assert summary.median == pytest.approx(f0, rel=0.002)
    assert summary.range == pytest.approx(0.0, abs=0.05)


def test_floor_and_ceiling_are_those_of_the_settings() -> None:
    spoken = vowels(16_000, f0=120.0)
    found = track(spoken, 16_000, replace(DEFAULTS, pitch_floor=150.0))
    assert found is not None
    assert (found.voiced >= 150.0).all()


@pytest.mark.parametrize("rate", [8000, 11_025, 24_000])
@pytest.mark.parametrize("floor", [60.0, 75.0])
def test_what_praat_refuses_is_too_short(rate: int, floor: float) -> None:
    """Three periods of the lowest pitch, to the sample; which side that very length is on is a matter of rounding."""
    settings = replace(DEFAULTS, pitch_floor=floor)
    least = math.ceil(3 / floor * rate - 1e-6)
    for samples in range(least - 3, least + 4):
        found = track(np.ones(samples) * 0.1, rate, settings)
        if samples < least:
            assert found is None
            with pytest.raises(parselmouth.PraatError):
                parselmouth.Sound(np.ones(samples) * 0.1, rate).to_pitch_ac(pitch_floor=floor)
        elif samples > least + 1:
            assert found is not None
            assert len(found.f0) == 1


@pytest.mark.parametrize("samples", [1, 100, 1763])
def test_too_short_at_a_high_rate_is_too_short_too(samples: int) -> None:
    assert track(np.ones(samples) * 0.1, 44_100, DEFAULTS) is None


def test_noise_and_silence_have_no_pitch() -> None:
    for samples in (noise(16_000, 1.0, -20.0), np.zeros(16_000)):
        found = track(samples, 16_000, DEFAULTS)
        assert found is not None
        assert summarise(found, DEFAULTS) is None


@given(st.lists(st.sampled_from([0.0, 110.0, 220.0]), min_size=1, max_size=12), st.lists(st.floats(-0.1, 0.3)))
def test_voicing_near_a_time_is_that_of_three_frames(f0: list[float], times: list[float]) -> None:
    contour = Pitch(np.array(f0), 0.03, 0.01)
    for time, voiced in zip(times, contour.voiced_near(np.array(times)), strict=True):
        distances = [abs(time - (0.03 + 0.01 * frame)) for frame, hertz in enumerate(f0) if hertz]
        nearest = min(distances, default=1.0)
        if abs(nearest - 0.015) > 0.0001:
            assert voiced == (nearest < 0.015)


def test_a_few_voiced_frames_may_be_chance() -> None:
    f0 = np.zeros(100)
    f0[:3] = 550.0
    assert summarise(Pitch(f0, 0.0, 0.01), DEFAULTS) is not None
    assert summarise(Pitch(np.r_[f0, 0.0], 0.0, 0.01), DEFAULTS) is None


def test_the_range_is_in_semitones_between_percentiles() -> None:
    contour = Pitch(np.array([0.0, *np.geomspace(100.0, 200.0, 101)]), 0.0, 0.01)
    summary = summarise(contour, DEFAULTS)
    assert summary is not None
    assert summary.range == pytest.approx(12 * 0.9)
    assert summary.median == pytest.approx(100 * 2**0.5)
