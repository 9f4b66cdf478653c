"""Resampling: band limited, level kept, clipping counted; soxr against SciPy and librosa."""

from __future__ import annotations

import sys
from math import gcd

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.signal import resample_poly

from earmark.audio.resample import quantise, resample
from earmark.manifests.errors import MissingExtra

RATES = [8000, 16000, 22050, 24000, 44100, 48000]


def tone(hertz: float, rate: int, seconds: float = 1.0, peak: float = 0.5) -> np.ndarray:
    return peak * np.sin(2 * np.pi * hertz * np.arange(int(rate * seconds)) / rate)


def middle(samples: np.ndarray) -> np.ndarray:
    """Without the tenth at either end, where filters see an edge."""
    return samples[len(samples) // 10 : -len(samples) // 10]


def rms(samples: np.ndarray) -> float:
    return float(np.sqrt(np.mean(samples**2)))


@settings(deadline=None, max_examples=60)
@given(n=st.integers(1, 3000), rate=st.sampled_from(RATES), to=st.sampled_from(RATES))
def test_the_length_follows_the_rates(n: int, rate: int, to: int) -> None:
    assert abs(len(resample(np.zeros(n, dtype=np.int16), rate, to)) - n * to / rate) <= 1


@given(samples=hnp.arrays(np.int16, st.integers(1, 100)))
def test_the_same_rate_changes_nothing(samples: np.ndarray) -> None:
    there = quantise(resample(samples, 8000, 8000), 16)
    np.testing.assert_array_equal(there.samples, samples)
    assert there.clipped == 0


@pytest.mark.parametrize(("rate", "to"), [(48000, 16000), (48000, 24000), (22050, 48000), (44100, 16000)])
def test_a_tone_keeps_level_and_place(rate: int, to: int) -> None:
    got = resample(tone(1000, rate), rate, to)
    np.testing.assert_allclose(middle(got), middle(tone(1000, to)), atol=1e-4)


@pytest.mark.parametrize(
    ("rate", "to", "hertz"), [(48000, 16000, 9000), (48000, 16000, 15000), (48000, 24000, 13000), (44100, 16000, 8800)]
)
def test_a_tone_above_the_new_nyquist_does_not_come_back_as_an_alias(rate: int, to: int, hertz: float) -> None:
    high = tone(hertz, rate)
    bare = rms(high[:: rate // to])  # what decimation without a filter leaves: all of it
    assert bare > 0.3
    assert rms(middle(resample(high, rate, to))) < 1e-4 * bare


@pytest.mark.parametrize(("rate", "to"), [(48000, 16000), (48000, 24000), (44100, 22050)])
def test_inside_the_band_scipy_agrees(rate: int, to: int) -> None:
    # Band-limited noise: nothing near either Nyquist frequency, where two filters may differ.
    rng = np.random.default_rng(3)
    spectrum = np.fft.rfft(rng.standard_normal(rate))
    spectrum[int(0.3 * min(rate, to)) :] = 0
    noise = np.fft.irfft(spectrum)
    common = gcd(rate, to)
    theirs = resample_poly(noise, to // common, rate // common, window=("kaiser", 12.0))
    ours = resample(noise, rate, to)
    assert rms(middle(ours - theirs)) < 0.003 * rms(theirs)


def test_librosa_agrees() -> None:
    import librosa

    noise = np.random.default_rng(5).standard_normal(48000) * 0.1
    theirs = librosa.resample(noise, orig_sr=48000, target_sr=16000, res_type="soxr_hq")
    np.testing.assert_allclose(resample(noise, 48000, 16000), theirs, atol=1e-6)


def test_overshoot_is_held_at_full_scale_and_counted() -> None:
    square = np.where(np.arange(4800) % 96 < 48, 32767, -32768).astype(np.int16)
    floats = resample(square, 48000, 44100)
    assert np.abs(floats).max() > 1.0
    samples, clipped = quantise(floats, 16)
    assert (
        clipped
        == np.count_nonzero(np.rint(floats * 32768) > 32767) + np.count_nonzero(np.rint(floats * 32768) < -32768)
        > 0
    )
    assert (samples.max(), samples.min()) == (32767, -32768)  # held, not wrapped round


@given(levels=hnp.arrays(np.int32, st.integers(1, 50), elements=st.integers(-(1 << 23), (1 << 23) - 1)))
def test_24_bits_come_back_from_floats(levels: np.ndarray) -> None:
    samples, clipped = quantise(levels / 2.0**23, 24)
    np.testing.assert_array_equal(samples, levels << 8)
    assert clipped == 0


@given(floats=hnp.arrays(np.float64, st.integers(1, 50), elements=st.floats(-1, 0.999)), bits=st.sampled_from([16, 24]))
def test_rounding_is_within_half_a_step(floats: np.ndarray, bits: int) -> None:
    samples = quantise(floats, bits).samples
    scale = 2.0**15 if bits == 16 else 2.0**31
    assert np.abs(samples / scale - floats).max() <= 2.0**-bits


def test_bits_and_rates_are_checked() -> None:
    with pytest.raises(ValueError, match="16 or 24, not 8"):
        quantise(np.zeros(1), 8)
    with pytest.raises(ValueError, match="positive, not 0 and 8000"):
        resample(np.zeros(1), 0, 8000)


def test_without_soxr_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "soxr", None)
    assert len(resample(np.zeros(8), 8000, 8000)) == 8  # not needed here
    with pytest.raises(MissingExtra, match=r"'soxr'.*earmark\[build\]"):
        resample(np.zeros(8), 8000, 16000)
