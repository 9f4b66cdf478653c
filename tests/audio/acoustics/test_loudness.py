"""Loudness against pyloudnorm, against the standard's own figures, and against its filters written out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.signal import lfilter
from tests.audio.acoustics.sounds import Floats, noise, silence, tone, vowels

from earmark.audio.acoustics.loudness import integrated

pyloudnorm = pytest.importorskip("pyloudnorm")

# The two filters of K-weighting at 48 kHz: tables 1 and 2 of ITU-R BS.1770-4.
SHELF = ([1.53512485958697, -2.69169618940638, 1.19839281085285], [1.0, -1.69065929318241, 0.73248077421585])
HIGH_PASS = ([1.0, -2.0, 1.0], [1.0, -1.99004745483398, 0.99007225036621])


def standard(samples: Floats) -> float:
    """BS.1770-4 at 48 kHz, mono, written out."""
    weighted = lfilter(*HIGH_PASS, lfilter(*SHELF, samples))
    powers = [np.mean(weighted[at : at + 19_200] ** 2) for at in range(0, len(samples) - 19_200 + 1, 4800)]
    loud = [power for power in powers if -0.691 + 10 * np.log10(max(power, 1e-30)) > -70]
    gate = 0.1 * np.mean(loud)
    return float(-0.691 + 10 * np.log10(np.mean([power for power in loud if power > gate])))


@pytest.mark.parametrize(
    ("rate", "within"), [(8000, 0.05), (16_000, 0.05), (24_000, 0.05), (44_100, 0.02), (48_000, 0.02), (96_000, 0.02)]
)
def test_a_full_scale_tone_of_1_khz_is_at_minus_3_01(rate: int, within: float) -> None:
    assert integrated(tone(rate, 1000.0, 2.0), rate) == pytest.approx(-3.01, abs=within)


@pytest.mark.parametrize("rate", [16_000, 24_000, 48_000])
def test_it_is_pyloudnorms(rate: int) -> None:
    spoken = vowels(rate)
    assert integrated(spoken, rate) == pyloudnorm.Meter(rate, filter_class="DeMan").integrated_loudness(spoken)
    assert integrated(spoken, rate) == pytest.approx(pyloudnorm.Meter(rate).integrated_loudness(spoken), abs=0.15)


@settings(max_examples=25)
@given(lead=st.integers(0, 8), seed=st.integers(0, 99), level=st.floats(-60.0, -10.0))
def test_it_is_the_standards(lead: int, seed: int, level: float) -> None:
    spoken = np.concatenate([silence(48_000, lead / 10), noise(48_000, 1.0, level, seed), silence(48_000, 0.5)])
    assert integrated(spoken, 48_000) == pytest.approx(standard(spoken), abs=1e-6)


def test_pauses_are_gated_away() -> None:
    loud = tone(16_000, 1000.0, 3.0, -20.0)
    paused = np.concatenate([loud, silence(16_000, 3.0)])
    assert integrated(paused, 16_000) == pytest.approx(-23.01, abs=0.5)


@pytest.mark.parametrize("samples", [1, 100, 6399])
def test_less_than_a_gating_block_has_no_loudness(samples: int) -> None:
    assert integrated(tone(16_000, 1000.0)[:samples], 16_000) is None


def test_one_gating_block_is_enough() -> None:
    assert integrated(tone(16_000, 1000.0)[:6400], 16_000) == pytest.approx(-3.01, abs=0.2)


@pytest.mark.parametrize("level", [-71.0, -100.0])
def test_what_is_too_quiet_has_none(level: float) -> None:
    assert integrated(tone(16_000, 1000.0, 1.0, level), 16_000) is None
    assert integrated(np.zeros(16_000), 16_000) is None
