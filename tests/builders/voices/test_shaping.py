"""What is done to samples: each effect does its own, keeps the level, and gives the same samples again."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import log10

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.builders.miniatures.dice import Dice
from earmark.builders.voices.delivery import NEUTRAL, Delivery
from earmark.builders.voices.espeak import Speech, SpokenWord
from earmark.builders.voices.shaping import MARGIN, PEAK_DBFS, coloured, emphasised, shape, trembling, trimmed

RATE = 22_050
TEXT = "I did, certainly not."
TICKS = np.arange(RATE)
VOICED = np.sum([np.sin(2 * np.pi * 120 * n * TICKS / RATE) / n for n in range(1, 30)], axis=0) * 0.1
SPEECH = Speech(
    np.rint(np.concatenate([VOICED, np.zeros(4000), VOICED]) * 32767).astype(np.int16),
    RATE,
    (SpokenWord(0, 1, 0), SpokenWord(2, 3, 9000), SpokenWord(7, 9, RATE + 4000), SpokenWord(17, 3, 40_000)),
    "toy",
)
deliveries = st.builds(
    Delivery,
    level=st.floats(-9, 6),
    breath=st.floats(0, 1),
    tilt=st.floats(-3, 3),
    pause=st.floats(-0.12, 0.5),
    hesitation=st.floats(0, 0.5),
    tremor=st.floats(0, 1),
    emphasis=st.floats(0, 1),
)


def db(samples: np.ndarray) -> float:
    """Energy, dB."""
    return 10 * log10(float(np.square(samples.astype(float)).sum()))


def shaped(delivery: Delivery, *, gain: float = 0.0, seed: int = 1) -> np.ndarray:
    samples = shape(SPEECH, TEXT, delivery, gain=gain, dice=Dice(seed))
    assert samples is not None
    assert samples.dtype == np.int16
    return samples


def centroid(samples: np.ndarray) -> float:
    power = np.abs(np.fft.rfft(samples.astype(float))) ** 2
    return float((power * np.fft.rfftfreq(len(samples), 1 / RATE)).sum() / power.sum())


def test_a_neutral_delivery_only_sets_the_level_and_the_margins() -> None:
    samples, margin = shaped(NEUTRAL, gain=-6.0), round(MARGIN * RATE)
    assert not samples[:margin].any()
    assert not samples[-margin:].any()
    assert db(samples) - db(SPEECH.samples) == pytest.approx(-6.0, abs=0.01)
    sounding = np.trim_zeros(SPEECH.samples)
    np.testing.assert_allclose(
        samples[margin:-margin][: len(sounding)] / 10 ** (-6 / 20), sounding[: len(samples) - 2 * margin], atol=2
    )


@given(deliveries, st.floats(-12, 30))
@settings(max_examples=25)
def test_the_level_is_what_was_asked_for_unless_it_would_be_clipped(delivery: Delivery, gain: float) -> None:
    samples = shaped(delivery, gain=gain)
    asked = gain + delivery.level
    peak = 20 * log10(np.abs(samples.astype(float)).max() / 32767)
    assert peak <= PEAK_DBFS + 0.01
    assert db(samples) - db(SPEECH.samples) <= asked + 0.02
    if peak < PEAK_DBFS - 0.01:
        assert db(samples) - db(SPEECH.samples) == pytest.approx(asked, abs=0.02)


@given(deliveries)
@settings(max_examples=10)
def test_the_same_seed_gives_the_same_samples_and_another_one_other_breath(delivery: Delivery) -> None:
    breathy = replace(delivery, breath=0.5)
    np.testing.assert_array_equal(shaped(breathy), shaped(breathy))
    one, other = shaped(breathy), shaped(breathy, seed=2)
    assert len(one) != len(other) or (one != other).any()


def test_breath_is_noise_between_1_and_5_khz_that_is_silent_where_the_voice_is() -> None:
    samples = SPEECH.samples / 32768
    breathy = coloured(samples, RATE, tilt=0.0, breath=1.0, dice=Dice(1))
    plain = coloured(samples, RATE, tilt=-1.5, breath=0.0, dice=Dice(1))
    noise = breathy - 0.6 * plain
    assert 1500 < centroid(noise) < 5000
    assert np.abs(noise[RATE + 400 : RATE + 3600]).max() < 0.01 * np.abs(noise).max()
    assert np.sqrt(np.mean(noise**2) / np.mean(samples**2)) == pytest.approx(0.4, rel=0.01)


@pytest.mark.parametrize("tilt", [-2.0, 1.5])
def test_tilt_is_decibels_per_octave_above_500_hz(tilt: float) -> None:
    for frequency, octaves in ((200, 0), (500, 0), (1000, 1), (2000, 2), (4000, 3), (10_000, 4)):
        tone = np.sin(2 * np.pi * frequency * TICKS / RATE)
        tilted = coloured(tone, RATE, tilt=tilt, breath=0.0, dice=Dice(1))
        assert db(tilted[2000:-2000]) - db(tone[2000:-2000]) == pytest.approx(tilt * octaves, abs=0.3)


@pytest.mark.parametrize("tremor", [0.4, 1.0])
def test_a_tremor_wavers_five_to_six_times_a_second(tremor: float) -> None:
    tone = np.sin(2 * np.pi * 500 * np.arange(4 * RATE) / RATE)
    wavering = trembling(tone, RATE, tremor, Dice(1))
    envelope = np.abs(wavering).reshape(-1, 441).max(axis=1)  # 50 a second
    spectrum = np.abs(np.fft.rfft(envelope - envelope.mean()))
    assert 4.9 <= spectrum.argmax() / 4 <= 6.3
    assert envelope.min() == pytest.approx(1 - 0.4 * tremor, abs=0.03)
    crossings = np.flatnonzero(np.diff(np.signbit(wavering[2000:-2000])))
    lengths = np.convolve(np.diff(crossings), np.ones(20) / 20, mode="valid")  # 20 ms each
    assert lengths.max() / lengths.min() == pytest.approx(1 + 2 * 0.035 * tremor, abs=0.025)
    assert np.abs(wavering).max() <= 1.01


def test_no_tremor_no_tilt_and_no_emphasis_change_nothing() -> None:
    samples = SPEECH.samples / 32768
    for found in (
        trembling(samples, RATE, 0.0, Dice(1)),
        coloured(samples, RATE, tilt=0.0, breath=0.0, dice=Dice(1)),
        emphasised(samples, RATE, TEXT, SPEECH.words, 0.0),
        emphasised(samples, RATE, TEXT, (), 1.0),
    ):
        np.testing.assert_array_equal(found, samples)


def test_the_longest_word_of_each_clause_stands_out() -> None:
    samples = np.ones(60_000)
    raised = 20 * np.log10(emphasised(samples, RATE, TEXT, SPEECH.words, 0.5))
    words = [word.sample for word in SPEECH.words] + [len(samples)]
    middles = [raised[(start + end) // 2] for start, end in pairwise(words)]
    assert middles == pytest.approx([0, 2.5, 2.5, 0], abs=1e-6)  # "did" of "I did", "certainly" of "certainly not"
    assert np.abs(np.diff(raised)).max() < 0.05


def test_silence_is_trimmed_to_the_margin() -> None:
    samples = np.concatenate([np.zeros(9000), VOICED, np.full(9000, 1e-5)])
    found, margin = trimmed(samples, RATE), round(MARGIN * RATE)
    assert len(found) <= len(VOICED) + 2 * margin
    assert np.flatnonzero(found)[0] in (margin, margin + 1)


def test_silence_says_nothing() -> None:
    assert shape(SPEECH._replace(samples=np.zeros(100, np.int16)), TEXT, NEUTRAL, gain=0.0, dice=Dice(1)) is None
    assert shape(SPEECH._replace(samples=np.zeros(0, np.int16)), TEXT, NEUTRAL, gain=0.0, dice=Dice(1)) is None
