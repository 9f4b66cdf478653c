"""The whole record: what changes when a clip does, and what must not."""

from __future__ import annotations

import math
import sys
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from numpy.typing import NDArray
from tests.audio.acoustics.sounds import Floats, clip, noise, silence, tone, vowels

from earmark.audio.acoustics import loudness
from earmark.audio.acoustics.measures import Acoustics, measure, mfcc_distance
from earmark.audio.acoustics.settings import DEFAULTS
from earmark.manifests.acoustics import MEASURES
from earmark.manifests.errors import MissingExtra

pytest.importorskip("parselmouth")
pytest.importorskip("pyloudnorm")

RATE = 16_000
LEVELS = ("loudness", "level", "peak", "noise_floor")
SPEECH = ("speech", "lead", "trail", "f0_median", "f0_mean", "f0_range", "words_per_second", "syllables_per_second")


@pytest.fixture(scope="module")
def spoken() -> Acoustics:
    return measure(clip(RATE), RATE, words=3)


def numbers(found: Acoustics) -> dict[str, float]:
    """Every figure by name, those of a list with their place."""
    flat: dict[str, float] = {}
    for field in fields(found):
        value = getattr(found, field.name)
        if isinstance(value, tuple):
            flat.update({f"{field.name}{place}": entry for place, entry in enumerate(value)})
        elif value is not None:
            flat[field.name] = value
    return flat


def assert_same(found: Acoustics, expected: Acoustics, *but: str) -> None:
    ours, theirs = numbers(found), numbers(expected)
    assert ours.keys() == theirs.keys()
    assert {name: ours[name] for name in ours if name not in but} == {
        name: pytest.approx(theirs[name], rel=1e-5, abs=1e-5) for name in theirs if name not in but
    }


def test_the_figures_are_those_that_the_clip_was_made_with(spoken: Acoustics) -> None:
    assert spoken.seconds == pytest.approx(2.4)
    assert spoken.lead == pytest.approx(0.3, abs=0.03)
    assert spoken.trail == pytest.approx(0.6, abs=0.03)
    assert spoken.speech == pytest.approx(spoken.seconds - (spoken.lead or 0) - (spoken.trail or 0))
    assert spoken.f0_median == pytest.approx(108.0, rel=0.02)
    assert spoken.f0_range == pytest.approx(12 * math.log2(1 / 0.8) * 0.9, abs=0.4)
    assert spoken.syllables_per_second == pytest.approx(6 / (spoken.speech or 0))
    assert spoken.words_per_second == pytest.approx(3 / (spoken.speech or 0))
    assert spoken.peak == pytest.approx(20 * math.log10(0.5))
    assert spoken.level == pytest.approx(10 * math.log10(np.mean(clip(RATE) ** 2)))


@settings(max_examples=25)
@given(gain=st.floats(-30.0, 6.0))
def test_gain_moves_levels_by_itself_and_nothing_else(spoken: Acoustics, gain: float) -> None:
    found = measure(clip(RATE) * 10 ** (gain / 20), RATE, words=3)
    assert_same(found, spoken, *LEVELS, "mfcc0", "clipped")
    for name in LEVELS:
        assert getattr(found, name) == pytest.approx(getattr(spoken, name) + gain, abs=1e-4)


@settings(max_examples=25)
@given(more=st.integers(1, RATE))
def test_appended_silence_moves_the_trail_only(spoken: Acoustics, more: int) -> None:
    found = measure(np.concatenate([clip(RATE), np.zeros(more)]), RATE, words=3)
    assert_same(found, spoken, "seconds", "trail", "level")
    assert found.trail == pytest.approx((spoken.trail or 0) + more / RATE)


def test_loudness_moves_a_little_where_silence_is_appended_to_what_had_none() -> None:
    """Gating blocks that straddle the end hold less: that is the standard, and it ends at one block of silence."""
    bare = vowels(RATE)
    loud = [measure(np.concatenate([bare, silence(RATE, s)]), RATE).loudness or 0.0 for s in (0.0, 0.4, 0.8, 2.0)]
    assert loud[0] - 1.0 < loud[1] < loud[0] + 1.0
    assert loud[1] == pytest.approx(loud[2], abs=1e-6)
    assert loud[1] == pytest.approx(loud[3], abs=1e-6)


def test_polarity_changes_nothing(spoken: Acoustics) -> None:
    assert_same(measure(-clip(RATE), RATE, words=3), spoken)


def test_an_offset_changes_only_the_levels_of_samples(spoken: Acoustics) -> None:
    plain = clip(RATE)
    shifted = np.where(plain != 0, plain + 0.2, 0.0)
    found = measure(shifted, RATE, words=3)
    same = {"loudness", "noise_floor", "f0_median", "spectral_centroid", "lead", "trail"}
    assert_same(
        found, measure(np.where(plain != 0, plain - plain[plain != 0].mean(), 0.0), RATE, words=3), "peak", "level"
    )
    assert {name: getattr(found, name) for name in same} == {
        name: pytest.approx(getattr(spoken, name), rel=0.02) for name in same
    }


def test_twice_as_slow_is_twice_as_long_and_half_as_fast() -> None:
    """The same samples at half the rate, with every time of the settings doubled and every frequency halved."""
    times = ("pitch_step", "frame", "hop", "level_hop", "level_frame", "speech_least", "nucleus_window")
    halves = ("pitch_floor", "pitch_ceiling", "mel_top")
    slow = replace(
        DEFAULTS,
        **{name: getattr(DEFAULTS, name) * 2 for name in times},
        **{name: getattr(DEFAULTS, name) / 2 for name in halves},
    )
    samples = clip(RATE, f0=220.0)
    fast, found = measure(samples, RATE, words=3), measure(samples, RATE // 2, words=3, settings=slow)
    for name in ("seconds", "speech", "lead", "trail"):
        assert getattr(found, name) == pytest.approx(2 * getattr(fast, name))
    for name in ("f0_median", "f0_mean", "words_per_second", "syllables_per_second", "spectral_centroid", "bandwidth"):
        assert getattr(found, name) == pytest.approx(getattr(fast, name) / 2, rel=1e-4)
    for name in ("f0_range", "peak", "level", "clipped", "noise_floor"):
        assert getattr(found, name) == pytest.approx(getattr(fast, name), rel=1e-3)


@pytest.mark.parametrize("rate", [8000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000])
def test_every_rate_hears_the_same_speech(rate: int, spoken: Acoustics) -> None:
    found = measure(clip(rate), rate, words=3)
    assert {name: getattr(found, name) for name in SPEECH} == {
        name: pytest.approx(getattr(spoken, name), rel=0.04, abs=0.02) for name in SPEECH
    }


@pytest.mark.parametrize("dtype", [np.int16, np.int32])
def test_integers_are_measured_as_the_floats_they_stand_for(dtype: type, spoken: Acoustics) -> None:
    full = 1 << (8 * np.dtype(dtype).itemsize - 1)
    samples = np.rint(clip(RATE) * full).astype(dtype)
    assert_same(measure(samples, RATE, words=3), measure(samples / full, RATE, words=3))


def test_clipping_is_the_share_of_samples_at_full_scale() -> None:
    driven = np.clip(np.rint(tone(RATE, 100.0, 1.0, 6.0) * 32_768), -32_768, 32_767).astype(np.int16)
    expected = np.mean(np.abs(tone(RATE, 100.0, 1.0, 6.0)) >= 32_766.5 / 32_768)
    assert measure(driven, RATE).clipped == pytest.approx(expected, abs=0.01)
    assert measure(driven // 2, RATE).clipped == 0.0


@pytest.mark.parametrize(
    "samples", [np.zeros(RATE), np.full(RATE, 0.3), np.array([0.5])], ids=["zeros", "DC", "one sample"]
)
def test_what_is_no_speech_has_none_of_its_measures(samples: Floats) -> None:
    found = measure(samples, RATE, words=2)
    assert found == Acoustics(seconds=len(samples) / RATE, level=found.level, peak=found.peak, clipped=0.0)
    assert (found.peak is None) == (not samples.any())


def test_white_noise_is_all_there_is_of_itself() -> None:
    found = measure(noise(RATE, 1.0, -20.0), RATE, words=0)
    assert (found.lead, found.trail, found.f0_median, found.syllables_per_second) == (0.0, 0.0, None, None)
    assert (found.bandwidth, found.words_per_second) == (RATE / 2, 0.0)


def test_a_little_voicing_by_chance_is_no_pitch_and_no_pace() -> None:
    whisper = noise(RATE, 4.0, -30.0)
    whisper[RATE : RATE + RATE // 12] += tone(RATE, 500.0, 1.0, -6.0)[: RATE // 12]
    found = measure(whisper, RATE, words=3)
    assert (found.f0_median, found.f0_mean, found.f0_range, found.syllables_per_second) == (None,) * 4
    assert found.words_per_second == pytest.approx(0.75)


ODD = st.one_of(
    npst.arrays(np.int16, st.integers(1, 3000), elements=st.sampled_from([0, 1, -1, 32_767, -32_768, 100])),
    npst.arrays(np.float64, st.integers(1, 3000), elements=st.floats(-1.0, 1.0), fill=st.just(0.0)),
    npst.arrays(
        np.float64, st.integers(1, 3000), elements=st.sampled_from([1e-300, -1e-160, 1e-9, 0.0]), fill=st.just(0.0)
    ),
)


@settings(max_examples=60)
@given(samples=ODD, rate=st.sampled_from([4000, 8000, 44_100, 96_000]), words=st.none() | st.integers(0, 5))
def test_whatever_the_samples_no_figure_is_nan_or_out_of_range(
    samples: NDArray[np.int16] | Floats, rate: int, words: int | None
) -> None:
    found = measure(samples, rate, words=words)
    assert all(math.isfinite(value) for value in numbers(found).values())
    row = found.as_row()
    for column in MEASURES:
        value = row[column.name]
        if isinstance(value, float):
            assert column.low is None or value >= column.low
            assert column.high is None or value <= column.high


def test_a_row_has_the_declared_columns_rounded_to_their_steps(spoken: Acoustics) -> None:
    row = spoken.as_row()
    assert list(row) == [column.name for column in MEASURES]
    for column in MEASURES:
        exact, cell = getattr(spoken, column.name), row[column.name]
        pairs = zip(exact, cell, strict=True) if isinstance(cell, list) else [(exact, cell)]
        for value, rounded in pairs:
            assert column.step is not None
            assert abs(value - rounded) <= column.step / 2 * (1 + 1e-9)
            assert rounded / column.step == pytest.approx(round(rounded / column.step), abs=1e-6)
    assert set(measure(np.zeros(10), RATE).as_row().values()) == {None, 0.0}


def test_words_may_be_given_later(spoken: Acoustics) -> None:
    unknown = measure(clip(RATE), RATE)
    assert unknown.words_per_second is None
    assert unknown.with_words(3) == spoken
    assert spoken.with_words(None) == unknown
    assert measure(np.zeros(RATE), RATE, words=3).words_per_second is None


def test_what_cannot_be_measured_is_said() -> None:
    with pytest.raises(ValueError, match=r"shape \(0,\)"):
        measure(np.array([]), RATE)
    with pytest.raises(ValueError, match=r"shape \(10, 2\)"):
        measure(np.ones((10, 2)), RATE)
    with pytest.raises(ValueError, match="3999 Hz is too low"):
        measure(np.ones(10), 3999)
    with pytest.raises(ValueError, match="not -1"):
        measure(np.ones(10), RATE, words=-1)


@pytest.mark.parametrize("package", ["parselmouth", "pyloudnorm"])
def test_what_is_not_installed_is_said(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    loudness._meter.cache_clear()
    with pytest.raises(MissingExtra, match=r"earmark\[build\]"):
        measure(clip(RATE), RATE)


def test_the_distance_of_spectra_is_blind_to_level_only(spoken: Acoustics) -> None:
    quiet, higher = measure(clip(RATE) * 0.1, RATE), measure(clip(RATE, f0=240.0), RATE)
    assert spoken.mfcc is not None
    assert quiet.mfcc is not None
    assert higher.mfcc is not None
    assert mfcc_distance(spoken.mfcc, quiet.mfcc) == pytest.approx(0.0, abs=1e-3)
    assert mfcc_distance(spoken.mfcc, higher.mfcc) == mfcc_distance(higher.mfcc, spoken.mfcc) > 1.0
    with pytest.raises(ValueError, match="13 and 2"):
        mfcc_distance(spoken.mfcc, (1.0, 2.0))


def test_loudness_can_be_left_out_and_nothing_else_changes(spoken: Acoustics) -> None:
    assert spoken.loudness is not None
    assert measure(clip(RATE), RATE, words=3, loud=False) == replace(spoken, loudness=None)
