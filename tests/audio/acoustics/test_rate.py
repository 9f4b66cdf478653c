"""Pace against syllables that were made, Praat's intensity, and the rule of nuclei written out."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.audio.acoustics.sounds import Floats, noise, vowels

from earmark.audio.acoustics.pitch import Pitch, track
from earmark.audio.acoustics.rate import intensity, middles, nuclei, tops
from earmark.audio.acoustics.settings import DEFAULTS

parselmouth = pytest.importorskip("parselmouth")
RATE = 16_000
VOICED = Pitch(np.full(2000, 120.0), 0.0, 0.01)

# Steps about as large as the dips that decide.
levels = st.lists(st.floats(-4.0, 4.0).filter(bool), min_size=1, max_size=40).map(
    lambda steps: np.cumsum(steps).tolist()
)


def heard(samples: Floats) -> Floats | None:
    return nuclei(samples, RATE, track(samples, RATE, DEFAULTS), DEFAULTS)


# F0 falls by a fifth, and Praat is asked for nothing below 75 Hz.
@settings(max_examples=25)
@given(syllables=st.integers(2, 12), pace=st.sampled_from([2.5, 4.0, 6.0]), f0=st.floats(94.0, 400.0))
@example(9, 2.5, 101.0)
def test_as_many_nuclei_as_syllables_each_in_the_middle(syllables: int, pace: float, f0: float) -> None:
    found = heard(vowels(RATE, f0=f0, syllables=syllables, pace=pace))
    assert found is not None
    assert np.allclose(found, (np.arange(syllables) + 0.5) / pace, atol=0.1 / pace)


@settings(max_examples=25)
@given(syllables=st.integers(2, 12), pace=st.sampled_from([2.5, 4.0, 6.0]), f0=st.floats(60.0, 400.0))
@example(2, 2.5, 71.87)
@example(12, 2.5, 64.0)
def test_the_voice_moves_no_nucleus_however_low_it_is(syllables: int, pace: float, f0: float) -> None:
    found = nuclei(vowels(RATE, f0=f0, syllables=syllables, pace=pace), RATE, VOICED, DEFAULTS)
    assert found is not None
    assert np.allclose(found, (np.arange(syllables) + 0.5) / pace, atol=0.1 / pace)


@settings(max_examples=25)
@given(rate=st.sampled_from([8000, 11_025, 24_000, 44_100]), f0=st.floats(60.0, 400.0))
@example(16_000, 66.5)
@example(16_000, 99.0)
@example(16_000, 199.0)
def test_a_steady_voice_has_a_steady_intensity(rate: int, f0: float) -> None:
    clicks = np.diff(np.floor(np.arange(2 * rate) / rate * f0), prepend=0.0)
    decibels, start, step = intensity(clicks, rate, DEFAULTS)
    times = start + np.arange(len(decibels)) * step
    assert np.ptp(decibels[(times > 0.2) & (times < 1.8)]) < 0.2


def test_the_intensity_is_praats() -> None:
    spoken = vowels(RATE)
    plain = parselmouth.Sound(spoken, RATE).to_intensity(minimum_pitch=50.0, time_step=0.01, subtract_mean=False)
    decibels, start, step = intensity(spoken, RATE, DEFAULTS)
    theirs = plain.values[0]
    # Praat's reference is 2e-5 Pa where full scale is 1 Pa.
    at = np.interp(plain.xs(), start + np.arange(len(decibels)) * step, decibels) - 20 * np.log10(2e-5)
    for below, within in ((10, 0.03), (25, 0.05)):
        loud = theirs > theirs.max() - below
        assert loud.sum() > 50
        assert np.abs(at - theirs)[loud].max() < within


@given(samples=st.integers(1, 3000), rate=st.sampled_from([4000, 8000, 11_025]))
def test_the_intensity_is_that_of_a_plain_convolution(samples: int, rate: int) -> None:
    sound = noise(rate, samples / rate, -20.0, seed=samples)
    block = round(rate * 0.001)
    squares = (np.pad(sound, (0, -len(sound) % block)) ** 2).reshape(-1, block).mean(axis=1)
    reach = int(0.064 * rate / block)
    window = np.i0((2 * np.pi**2 + 0.5) * np.sqrt(1 - (np.arange(-reach, reach + 1) * block / rate / 0.064) ** 2))
    smooth = np.convolve(squares, window / window.sum())[reach : reach + len(squares) : 5]
    found = intensity(sound, rate, DEFAULTS)
    assert np.allclose(found.decibels, 10 * np.log10(np.maximum(smooth, smooth.max() * 1e-12)), atol=1e-6)
    assert (found.start, found.step) == pytest.approx((block / rate / 2, 5 * block / rate))


def peaks_of(decibels: list[float]) -> list[int]:
    padded = [-np.inf, *decibels, -np.inf]
    return [at for at in range(len(decibels)) if padded[at] < decibels[at] > padded[at + 2]]


def walked(decibels: list[float]) -> list[int]:
    """Value by value: up from a low to a top, down from it, and up again."""
    found: list[int] = []
    low, fallen = decibels[0], True
    for at, level in enumerate(decibels):
        if found and low <= decibels[found[-1]] - 0.5:
            fallen = True
        if at in peaks_of(decibels):
            if fallen and level - low >= 2:
                found, low, fallen = [*found, at], level, False
            elif found and level > decibels[found[-1]]:
                found, low, fallen = [*found[:-1], at], level, False
        low = min(low, level)
    return found


@given(levels)
def test_the_tops_are_those_of_a_walk(decibels: list[float]) -> None:
    found = tops(np.array(decibels), np.array(peaks_of(decibels), dtype=np.intp), DEFAULTS)
    assert found.tolist() == walked(decibels)


@given(levels)
def test_a_nucleus_is_inside_its_syllable(decibels: list[float]) -> None:
    level = np.array(decibels)
    found = tops(level, np.array(peaks_of(decibels), dtype=np.intp), DEFAULTS)
    centres = middles(level, found, DEFAULTS)
    lows = [at + int(np.argmin(level[at:end])) for at, end in pairwise(found)]
    edges = [-1, *lows, len(level)]
    assert len(centres) == len(found)
    assert all(edges[n] < centre < edges[n + 1] for n, centre in enumerate(centres))


@pytest.mark.parametrize(
    ("decibels", "expected"),
    [
        ([-20, -5, -6, -4.5, -20], [3]),  # a shoulder, then the top
        ([-20, -5, -5.4, -1, -20], [3]),  # a high rise, but from next to nothing
        ([-20, -4, -6, -5, -20], [1]),  # the top, then a shoulder
        ([-20, -5, -6, -3, -20], [1, 3]),
        ([-20, -5, -20, -19, -19.5, -17.9, -20], [1, 5]),  # a rise in two steps
        ([-1, -3], []),  # it does not rise
        ([-3, -1], [1]),
    ],
    ids=["shoulder-first", "step", "shoulder-last", "two", "in-steps", "falling", "rising"],
)
def test_what_is_a_syllable(decibels: list[float], expected: list[int]) -> None:
    peaks = np.array(peaks_of(decibels), dtype=np.intp)
    assert tops(np.array(decibels, dtype=np.float64), peaks, DEFAULTS).tolist() == expected


def test_a_flat_top_has_its_nucleus_in_the_middle() -> None:
    level = np.r_[np.linspace(-30, 0, 31), np.linspace(0, -1, 41)[1:], np.linspace(-1, -30, 30)[1:]]
    assert middles(level, np.array([30]), DEFAULTS).tolist() == pytest.approx([(28 + 71) / 2])


def test_a_nucleus_is_where_its_sound_is() -> None:
    clicks = np.full(RATE, 1e-3)
    clicks[[4000, 9600]] = 1.0
    found = nuclei(clicks, RATE, VOICED, DEFAULTS)
    assert found is not None
    assert found.tolist() == pytest.approx([0.25, 0.6], abs=0.001)


def test_a_whisper_has_no_nuclei_to_count() -> None:
    assert heard(noise(RATE, 1.0, -20.0)) is None
    assert nuclei(np.ones(10), RATE, None, DEFAULTS) is None


def test_peaks_where_nothing_is_voiced_do_not_count() -> None:
    half = Pitch(np.r_[np.full(50, 120.0), np.zeros(50)], 0.0, 0.01)
    kept = nuclei(vowels(RATE, syllables=4, pace=4.0), RATE, half, DEFAULTS)
    assert kept is not None
    assert np.allclose(kept, [0.125, 0.375], atol=0.02)


def test_a_hiss_before_a_vowel_does_not_take_its_place() -> None:
    spoken = vowels(RATE, syllables=2, pace=4.0)
    hissed = spoken + noise(RATE, len(spoken) / RATE, -8.0) * (np.abs(np.arange(len(spoken)) / RATE - 0.29) < 0.03)
    contour = Pitch(np.where(np.abs(np.arange(51) * 0.01 - 0.29) < 0.04, 0.0, 120.0), 0.0, 0.01)
    found = nuclei(hissed, RATE, contour, DEFAULTS)
    assert found is not None
    assert len(found) == 2
