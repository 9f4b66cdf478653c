"""Signed differences: opposite when swapped, undefined where a feature is."""

from __future__ import annotations

from math import log

import pytest
from hypothesis import given, settings
from tests.builders.contrast.strategies import features

from earmark.builders.contrast.features import Features
from earmark.builders.contrast.signs import SIGNED, measures_of, signed, signs_of


@settings(max_examples=30)
@given(one=features, other=features)
def test_swapping_the_options_swaps_the_signs(one: Features, other: Features) -> None:
    for front in ("earmark", "librosa"):
        there, back = signed(one, other, front=front), signed(other, one, front=front)
        assert signs_of(there) == tuple(-sign for sign in signs_of(back))
        for name, value in zip(SIGNED, there, strict=True):
            measure = measures_of(front)[name]
            a, b = getattr(one, measure), getattr(other, measure)
            assert (value is None) == (a is None or b is None)
            if value is not None and abs(value) > 1e-12:
                assert (value > 0) == (a > b)


def test_units() -> None:
    one = Features(level=-10.0, f0=220.0, seconds=1.0, syllables_per_second=6.0, words_per_second=2.0, centroid=900.0)
    other = Features(level=-16.0, f0=110.0, seconds=2.0, syllables_per_second=3.0, words_per_second=4.0, centroid=900.0)
    assert signed(one, other) == pytest.approx((6.0, log(2), -log(2), log(2), 0.0))
    assert signed(one, other, front="librosa")[3] == pytest.approx(-log(2))
