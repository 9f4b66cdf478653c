"""Scaling: what was multiplied and rounded is found to the last bit, or nothing is said."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.materializing.toy import noise

from earmark.builders.materializing.scaling import scaling

SAMPLES = (noise(30_000)[:, 0] >> 16).astype(np.int64)


@settings(max_examples=40)
@given(st.floats(1.01, 500.0), st.booleans(), st.booleans())
def test_the_samples_come_back(factor: float, truncated: bool, single: bool) -> None:
    """Whether they were multiplied in single precision or double."""
    products = SAMPLES * (np.float32(factor) if single else np.float64(factor))
    scaled = (np.trunc(products) if truncated else np.rint(products)).astype(np.int64)
    found = scaling(scaled, truncated=truncated)
    assert found is not None
    assert found.factor == pytest.approx(factor, rel=1e-4)
    np.testing.assert_array_equal(found.samples, SAMPLES)


@pytest.mark.parametrize("factor", [0.3, 0.9])
def test_what_was_made_softer_is_lost(factor: float) -> None:
    """A guess may come of it, which the hash of the clip will deny."""
    found = scaling(np.rint(SAMPLES * factor).astype(np.int64), truncated=False)
    assert found is None or not np.array_equal(found.samples, SAMPLES)


@given(st.lists(st.integers(-(1 << 23), 1 << 23), max_size=40))
def test_any_samples_may_be_asked_about(samples: list[int]) -> None:
    for truncated in (False, True):
        found = scaling(np.array(samples, np.int64), truncated=truncated)
        assert found is None or found.samples.shape == (len(samples),)
