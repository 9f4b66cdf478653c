"""Centroid and MFCC against librosa, bandwidth against noise that was filtered."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.audio.acoustics.sounds import Floats, clip, low_passed, noise, tone, vowels

from earmark.audio.acoustics import spectrum
from earmark.audio.acoustics.settings import DEFAULTS
from earmark.audio.acoustics.spectrum import Spectrum, analyse, mel_bank, shape

librosa = pytest.importorskip("librosa")

RATES = [8000, 16_000, 22_050, 24_000, 48_000, 96_000]


def by_librosa(samples: Floats, rate: int) -> tuple[float, Floats]:
    """Mean centroid and MFCC of the frames within 40 dB of the most powerful, by librosa in double precision."""
    window, fft, hop = shape(rate, DEFAULTS)
    magnitudes = np.abs(librosa.stft(samples, n_fft=fft, hop_length=hop, win_length=window))
    power = (magnitudes**2).sum(axis=0)
    sounding = power > power.max() * 1e-4
    centroid = librosa.feature.spectral_centroid(S=magnitudes, sr=rate, n_fft=fft)[0]
    mels = librosa.feature.melspectrogram(S=magnitudes**2, sr=rate, n_fft=fft, n_mels=40, fmax=min(8000.0, rate / 2))
    mfcc = librosa.feature.mfcc(S=librosa.power_to_db(mels, amin=1e-30, top_db=80.0), n_mfcc=13)
    return float(centroid[sounding].mean()), mfcc[:, sounding].mean(axis=1)


@pytest.mark.parametrize("rate", RATES)
def test_centroid_and_mfcc_are_librosas(rate: int) -> None:
    for samples in (vowels(rate), clip(rate), noise(rate, 0.5, -30.0)):
        found = analyse(samples, rate, DEFAULTS)
        assert found is not None
        centroid, mfcc = by_librosa(samples, rate)
        assert found.centroid == pytest.approx(centroid, rel=1e-5)
        assert np.allclose(found.mfcc, mfcc, atol=1e-3)


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize(("mels", "highest"), [(40, 8000.0), (8, 900.0)])
def test_the_mel_bank_is_librosas(rate: int, mels: int, highest: float) -> None:
    fft, top = shape(rate, DEFAULTS).fft, min(highest, rate / 2)
    expected = librosa.filters.mel(sr=rate, n_fft=fft, n_mels=mels, fmax=top)
    assert np.allclose(mel_bank(rate, fft, mels, top).toarray(), expected, rtol=1e-5, atol=1e-9)


@settings(max_examples=20)
@given(st.integers(1, 4000), st.integers(1, 9))
def test_it_does_not_matter_how_many_frames_are_transformed_at_a_time(samples: int, frames: int) -> None:
    sound = noise(16_000, 1.0, -20.0)[:samples]
    whole = analyse(sound, 16_000, DEFAULTS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spectrum, "_FRAMES", frames)
        parts = analyse(sound, 16_000, DEFAULTS)
    assert whole is not None
    assert parts is not None
    assert parts.centroid == pytest.approx(whole.centroid, rel=1e-6)
    assert np.allclose(parts.mfcc, whole.mfcc, atol=1e-4)
    assert parts.bandwidth == whole.bandwidth


@pytest.mark.parametrize("level", [0.0, -60.0, -180.0])
def test_single_precision_is_enough_however_quiet(level: float) -> None:
    loud, quiet = (analyse(vowels(16_000) * gain, 16_000, DEFAULTS) for gain in (1.0, 10 ** (level / 20)))
    assert loud is not None
    assert quiet is not None
    assert quiet.centroid == pytest.approx(loud.centroid, rel=1e-6)
    # The sum of 40 orthonormal first cosines is √40.
    assert np.allclose(np.subtract(quiet.mfcc, loud.mfcc), [level * 40**0.5, *[0.0] * 12], atol=1e-3)


@pytest.mark.parametrize(("rate", "edge"), [(16_000, 3400), (24_000, 8000), (48_000, 8000), (96_000, 20_000)])
def test_bandwidth_ends_where_the_filter_does(rate: int, edge: int) -> None:
    found = analyse(low_passed(rate, edge), rate, DEFAULTS)
    assert found is not None
    assert edge < found.bandwidth < 1.5 * edge


@pytest.mark.parametrize("rate", RATES)
def test_bandwidth_of_white_noise_is_half_the_rate(rate: int) -> None:
    found = analyse(noise(rate, 0.3, -20.0), rate, DEFAULTS)
    assert found is not None
    assert found.bandwidth == rate / 2


def test_a_click_and_a_break_do_not_widen_the_band() -> None:
    clicked = low_passed(48_000, 8000)
    clicked[20_000] += 0.5
    found = analyse(np.concatenate([np.zeros(480), clicked, np.zeros(480)]), 48_000, DEFAULTS)
    assert found is not None
    assert found.bandwidth < 14_000


def test_the_rounding_of_16_bits_is_no_content() -> None:
    rounded = np.rint(low_passed(48_000, 8000) * 0.2 * 32_768) / 32_768
    found = analyse(rounded, 48_000, DEFAULTS)
    assert found is not None
    assert found.bandwidth < 14_000


@pytest.mark.parametrize("hertz", [500.0, 3000.0, 7000.0])
def test_the_centroid_of_a_tone_is_its_frequency(hertz: float) -> None:
    found = analyse(tone(24_000, hertz), 24_000, replace(DEFAULTS, sounding_range=1.0))
    assert found is not None
    assert found.centroid == pytest.approx(hertz, rel=0.01)


def test_pauses_weigh_nothing() -> None:
    spoken = vowels(16_000)
    with_pause = np.concatenate([spoken, np.zeros(16_000), spoken])
    one, two = analyse(spoken, 16_000, DEFAULTS), analyse(with_pause, 16_000, DEFAULTS)
    assert one is not None
    assert two is not None
    assert two.centroid == pytest.approx(one.centroid, rel=0.01)
    assert np.allclose(one.mfcc, two.mfcc, atol=1.0)


def test_digital_silence_has_no_spectrum_and_one_sample_has() -> None:
    assert analyse(np.zeros(1000), 16_000, DEFAULTS) is None
    assert isinstance(analyse(np.array([0.5]), 16_000, DEFAULTS), Spectrum)
