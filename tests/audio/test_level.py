"""Levels against NumPy and against sines whose level is known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from earmark.audio.level import is_silent, measure

SAMPLES = hnp.arrays(np.int16, st.integers(1, 200))


@given(samples=SAMPLES)
def test_numpy_agrees(samples: np.ndarray) -> None:
    level = measure(samples)
    floats = samples.astype(np.longdouble) / 32768
    if not samples.any():
        assert (level.rms_dbfs, level.peak_dbfs) == (None, None)
        return
    assert level.rms_dbfs == pytest.approx(float(10 * np.log10(np.mean(floats**2))), abs=1e-9)
    assert level.peak_dbfs == pytest.approx(float(20 * np.log10(np.max(np.abs(floats)))), abs=1e-9)
    assert level.rms_dbfs <= level.peak_dbfs + 1e-9 <= 2e-9
    assert level.clipped == np.mean((samples == 32767) | (samples == -32768))


@given(samples=SAMPLES)
def test_every_width_measures_the_same(samples: np.ndarray) -> None:
    widths = [samples, samples.astype(np.int32) << 16, samples.astype(np.float32) / np.float32(32768)]
    assert (
        len(
            {
                (measure(wide).rms_dbfs, measure(wide).peak_dbfs, measure(wide).silent, is_silent(wide))
                for wide in widths
            }
        )
        == 1
    )


@given(samples=SAMPLES)
def test_silence_is_one_definition(samples: np.ndarray) -> None:
    assert measure(samples).silent == is_silent(samples) == bool((np.abs(samples.astype(int)) <= 1).all())


def test_a_full_scale_sine_and_half_of_it() -> None:
    sine = np.sin(2 * np.pi * np.arange(48000) / 48)
    assert measure(sine).rms_dbfs == pytest.approx(-3.0103, abs=1e-4)
    assert measure(sine / 2).rms_dbfs == pytest.approx(-9.0309, abs=1e-4)
    assert measure(sine / 2).peak_dbfs == pytest.approx(-6.0206, abs=1e-4)


def test_clipping_by_width() -> None:
    assert measure(np.array([32767, -32768, 32766, 0], dtype=np.int16)).clipped == 0.5
    assert measure(np.array([0x7FFFFF00, -(1 << 31), 0x7FFFFE00, 0], dtype=np.int32)).clipped == 0.5
    assert measure(np.array([1.0, -1.2, 0.999, 0.0])).clipped == 0.5


def test_nothing_has_no_level_and_is_silent() -> None:
    nothing = np.zeros(0, dtype=np.int16)
    assert is_silent(nothing)
    with pytest.raises(ValueError, match="no sample"):
        measure(nothing)
