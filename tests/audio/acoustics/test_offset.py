"""An offset goes, digital silence and everything else stay."""

from __future__ import annotations

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
