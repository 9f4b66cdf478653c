"""An offset goes, digital silence and everything else stay."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.audio.acoustics.sounds import clip

from earmark.audio.acoustics.offset import without_offset

RATE = 16_000


@settings(max_examples=25)
@given(offset=st.floats(0.01, 0.4), negative=st.booleans())
def test_an_offset_goes_wherever_there_is_sound(offset: float, negative: bool) -> None:
    plain = clip(RATE)
    sounding = plain != 0
    shifted = np.where(sounding, plain + (-offset if negative else offset), 0.0)
    found = without_offset(shifted)
    assert not found[~sounding].any()
    assert np.allclose(found[sounding], plain[sounding] - plain[sounding].mean(), atol=1e-12)


def test_samples_without_one_are_the_same_array() -> None:
    plain = clip(RATE)
    plain -= np.where(plain != 0, plain[plain != 0].mean(), 0.0)
    assert without_offset(plain) is plain


@given(st.floats(-1.0, 1.0), st.integers(1, 5000))
def test_a_constant_is_silence(value: float, samples: int) -> None:
    assert not without_offset(np.full(samples, value)).any()


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 60)), min_size=1, max_size=6))
def test_zeros_are_silence_in_runs_and_else_a_wave_that_crosses(runs: list[tuple[bool, int]]) -> None:
    text = "".join(("x" if sounds else "0") * length for sounds, length in runs)
    samples = np.array([0.5 if letter == "x" else 0.0 for letter in text])
    silent = np.zeros(len(text), dtype=np.bool_)
    for run in re.finditer("0{32,}", text):
        silent[run.start() : run.end()] = True
    expected = np.where(silent, 0.0, samples - (samples[~silent].mean() if (~silent).any() else 0.0))
    assert np.allclose(without_offset(samples), expected)
