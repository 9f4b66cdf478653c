"""Tones come out as long, as high, as loud and with as many syllables as was asked for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile as sf
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.signal import find_peaks

from earmark.builders.corpora.wav_header import PCM, read_wav_header
from earmark.builders.miniatures.tones import FLOOR_DBFS, utterance, write_wav

RATE = 16_000


def dbfs(samples: np.ndarray) -> float:
    return float(10 * np.log10(np.mean(samples**2)))


def envelope(samples: np.ndarray, rate: int) -> np.ndarray:
    """Level of every 10 ms, smoothed over 50 ms."""
    frames = samples[: len(samples) // (rate // 100) * (rate // 100)].reshape(-1, rate // 100)
    return np.convolve(np.sqrt(np.mean(frames**2, axis=1)), np.hanning(7) / np.hanning(7).sum(), mode="same")


@settings(max_examples=30)
@example(0.1, 60.0, 8000, 11_400_714_819_323_198_485, -52.0, False)
@given(
    st.floats(0.1, 2.0),
    st.floats(60, 400),
    st.sampled_from((8000, 16_000, 24_000, 48_000)),
    st.integers(),
    st.floats(-58, -24),
    st.booleans(),
)
def test_length_and_level_are_as_asked_for(
    seconds: float, f0: float, rate: int, seed: int, level: float, noise: bool
) -> None:
    made = utterance(seconds=seconds, f0=f0, rate=rate, seed=seed, level_dbfs=level, noise=noise)
    again = utterance(seconds=seconds, f0=f0, rate=rate, seed=seed, level_dbfs=level, noise=noise)
    other = utterance(seconds=seconds, f0=f0, rate=rate, seed=seed + 1, level_dbfs=level, noise=noise)
    np.testing.assert_array_equal(made, again)
    assert not np.array_equal(np.rint(made * 32768), np.rint(other * 32768))
    assert made.shape == (round(seconds * rate),)
    assert np.abs(made).max() < 1
    # The same at another level has the same room, so that the difference is voice alone, whatever the room does by chance.
    softer = utterance(seconds=seconds, f0=f0, rate=rate, seed=seed, level_dbfs=level - 6, noise=noise)
    voice = (made - softer) / (1 - 10 ** (-6 / 20))
    heard = np.flatnonzero(np.abs(voice) > 1e-9)
    # At most a tenth at either end is quiet, and what is between is as loud as asked for.
    assert len(made) - (heard[-1] - heard[0] + 1) <= 2 * round(len(made) / 10)
    assert dbfs(voice[heard[0] : heard[-1] + 1]) == pytest.approx(level, abs=1e-6)


@pytest.mark.parametrize("f0", [85.0, 140.0, 230.0])
@pytest.mark.parametrize("rate", [16_000, 48_000])
def test_pitch_is_as_praat_hears_it(f0: float, rate: int) -> None:
    parselmouth = pytest.importorskip("parselmouth")
    made = utterance(seconds=1.0, f0=f0, rate=rate, seed=3)
    heard = parselmouth.Sound(made, rate).to_pitch_ac(pitch_floor=60, pitch_ceiling=500).selected_array["frequency"]
    assert np.mean(heard > 0) > 0.6
    assert np.median(heard[heard > 0]) == pytest.approx(f0, rel=0.02)
    whispered = utterance(seconds=1.0, f0=f0, rate=rate, seed=3, noise=True)
    heard = (
        parselmouth.Sound(whispered, rate).to_pitch_ac(pitch_floor=60, pitch_ceiling=500).selected_array["frequency"]
    )
    assert np.mean(heard > 0) < 0.2


@pytest.mark.parametrize("noise", [False, True])
@pytest.mark.parametrize("per_second", [3.0, 4.0, 6.0])
def test_syllables_can_be_counted(per_second: float, noise: bool) -> None:
    made = utterance(seconds=2.0, f0=200, rate=RATE, seed=5, syllables_per_second=per_second, noise=noise)
    heard = envelope(made, RATE)
    peaks, _ = find_peaks(heard, prominence=0.25 * heard.max())
    assert len(peaks) == pytest.approx(per_second * 1.8, abs=1)


def test_quiet_stands_before_and_after() -> None:
    made = utterance(seconds=1.0, f0=120, rate=RATE, seed=2)
    for quiet in (made[: int(0.05 * RATE)], made[-int(0.07 * RATE) :]):
        assert dbfs(quiet) == pytest.approx(FLOOR_DBFS, abs=0.5)


@pytest.mark.parametrize(
    ("seconds", "f0", "rate", "syllables", "level", "match"),
    [
        (0.0, 120, RATE, 4, -26, "0.05 s"),
        (0.5, 20, RATE, 4, -26, "F0"),
        (0.5, 2000, RATE, 4, -26, "F0"),
        (0.5, 120, 4000, 4, -26, "8000 Hz"),
        (0.5, 120, RATE, 0, -26, "syllables"),
        (0.5, 120, RATE, 4, 0, "full scale"),
    ],
)
def test_what_cannot_be_made(seconds: float, f0: float, rate: int, syllables: float, level: float, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        utterance(seconds=seconds, f0=f0, rate=rate, seed=1, level_dbfs=level, syllables_per_second=syllables)


@pytest.mark.parametrize("bits", [16, 24])
@pytest.mark.parametrize("channels", [1, 2])
def test_written_files_are_what_others_read(tmp_path: Path, bits: int, channels: int) -> None:
    made = np.stack([utterance(seconds=0.3, f0=120, rate=RATE, seed=n) for n in range(channels)], axis=1)
    samples = made[:, 0] if channels == 1 else made
    write_wav(tmp_path / "a.wav", samples, RATE, bits)
    read, rate = sf.read(tmp_path / "a.wav", dtype="float64")
    assert rate == RATE
    np.testing.assert_allclose(read, samples, rtol=0, atol=0.5 / (1 << (bits - 1)))
    header = read_wav_header(tmp_path / "a.wav")
    assert header == (RATE, channels, bits, PCM, len(made), len(made))
    assert sf.info(tmp_path / "a.wav").subtype == f"PCM_{bits}"


def test_full_scale_is_clipped_not_wrapped(tmp_path: Path) -> None:
    write_wav(tmp_path / "a.wav", np.array([2.0, -2.0, 0.0]), RATE, 24)
    assert sf.read(tmp_path / "a.wav", dtype="int32")[0].tolist() == [((1 << 23) - 1) << 8, -(1 << 31), 0]
    with pytest.raises(ValueError, match="16 or 24"):
        write_wav(tmp_path / "b.wav", np.zeros(3), RATE, 32)
