"""Scaling: what was multiplied and rounded is found to the last bit, or nothing is said."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.builders.materializing.toy import noise

from earmark.builders.materializing.scaling import Rounding, scalings

SAMPLES = {bits: (noise(30_000, bits=bits)[:, 0] >> (32 - bits)).astype(np.int64) for bits in (16, 24)}

ROUNDED: dict[Rounding, Callable[[NDArray[np.floating]], NDArray[np.floating]]] = {
    "nearest": np.rint,
    "zero": np.trunc,
    "down": np.floor,
}


@settings(max_examples=25)
@given(st.floats(1.2, 300.0), st.sampled_from([16, 24]), st.sampled_from(sorted(ROUNDED)), st.booleans())
@example(2.0, 24, "nearest", False)
@example(256.0, 16, "zero", True)
@example(2.0, 16, "down", False)
@example(1.875, 16, "down", False)  # of 15 values each side has 8, and the two together have all
@example(2.00001, 24, "down", False)  # the same values fit 2 of other samples
@example(2.0125, 16, "down", False)  # the two sides together fit many factors near 1
@example(1.5001167789847067, 16, "nearest", True)  # bounds that leave some number in doubt are no answer
def test_the_samples_come_back(factor: float, bits: int, rounding: Rounding, single: bool) -> None:
    """Whether they were multiplied in single precision or double; of 24 bits in 32, or it would have clipped."""
    single = single and bits == 16  # of 24 bits single precision keeps not all
    products = SAMPLES[bits] * (np.float32(factor) if single else np.float64(factor))
    scaled = ROUNDED[rounding](products).astype(np.int64)
    found = next(found for found in scalings(scaled, rounding) if np.array_equal(found.samples, SAMPLES[bits]))
    assert found.factor == pytest.approx(factor, rel=1e-4)


@pytest.mark.parametrize("factor", [0.3, 0.9])
def test_what_was_made_softer_is_lost(factor: float) -> None:
    """A guess may come of it, which the hash of the clip will deny."""
    guesses = scalings(np.rint(SAMPLES[16] * factor).astype(np.int64), "nearest")
    assert not any(np.array_equal(found.samples, SAMPLES[16]) for found in guesses)


@given(st.lists(st.integers(-(1 << 23), 1 << 23), max_size=60))
@settings(max_examples=25)
@example(list(range(0, 9_000, 7)))
def test_any_samples_may_be_asked_about(samples: list[int]) -> None:
    for rounding in ROUNDED:
        for found in scalings(np.array(samples, np.int64), rounding):
            assert found.samples.shape == (len(samples),)
