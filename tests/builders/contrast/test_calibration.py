"""Calibration: thresholds at quantiles of what means nothing, and the default profile made again from its data."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.builders.contrast.strategies import PLAIN

from earmark.builders.contrast.calibration import FULL, HALF, NotCalibrated, calibrate
from earmark.builders.contrast.features import Features
from earmark.builders.contrast.profile import MAXIMA, shipped
from earmark.builders.contrast.renderings import TEXTS, VOICES, pairs_of, render

DEFAULT = shipped("default")


def scattered(seed: int, count: int = 41) -> list[tuple[Features, Features]]:
    """Pairs of one clip and the same with every feature moved by a share of its own."""
    rng = np.random.default_rng(seed)
    made = []
    for share in rng.uniform(0.01, 0.2, count).tolist():
        mfcc = (0.0, 50 * share, *[0.0] * 11)
        parts = {
            name: getattr(PLAIN, name) * (1 - share) for name in ("f0", "syllables_per_second", "centroid", "seconds")
        }
        made.append((PLAIN, replace(PLAIN, level=-20 - 10 * share, mfcc=mfcc, **parts)))
    return made


def test_thresholds_are_the_quantiles_of_what_means_nothing() -> None:
    same = scattered(1)
    found = calibrate(same, scattered(2, 5), DEFAULT, name="mine")
    shares = sorted(1 - other.f0 / 200 for _, other in same if other.f0)
    # 41 values: the 0.75 quantile is the 31st, the 0.95 quantile the 39th.
    half, full = shares[30], shares[38]
    assert (HALF, FULL) == (0.75, 0.95)
    assert found.profile.pitch.thresholds == pytest.approx((half, full), rel=5e-3)
    assert found.profile.level.thresholds == pytest.approx((10 * half, 10 * full), rel=5e-3)
    assert found.profile.timbre.thresholds == pytest.approx((50 * half, 50 * full), rel=5e-3)
    assert {name: worth.points for name, worth in found.profile.dimensions().items()} == {
        name: (most / 2, most) for name, most in MAXIMA.items()
    }
    assert (found.same, found.different, found.profile.name) == (41, 5, "mine")
    # All dimensions move together: above the half thresholds a pair has four points. Ten are, and by rounding the eleventh.
    assert round(41 * found.same_passed) in {10, 11}
    assert calibrate(same[::-1], [], DEFAULT, name="mine").profile == found.profile
    assert calibrate(same, [], DEFAULT, name="mine").different_passed is None


def test_a_voice_that_repeats_itself_tells_no_threshold() -> None:
    with pytest.raises(NotCalibrated, match="quantiles of f0 are 0 and 0"):
        calibrate([(PLAIN, PLAIN)] * 30, [], DEFAULT, name="mine")
    with pytest.raises(NotCalibrated, match="pitch: 19 of 19 pairs"):
        calibrate(scattered(1, 19), [], DEFAULT, name="mine")
    mute = [(one, replace(other, syllables_per_second=None)) for one, other in scattered(1)]
    with pytest.raises(NotCalibrated, match="rate: 0 of 41 pairs"):
        calibrate(mute, [], DEFAULT, name="mine")
    with pytest.raises(ValueError, match="the first below the second"):
        calibrate(scattered(1), [], DEFAULT, name="mine", half=0.95, full=0.75)


@pytest.mark.slow
def test_the_default_profile_is_what_its_data_say() -> None:
    pytest.importorskip("espeakng_loader")
    made = render()
    assert len(made) == len(TEXTS) * len(VOICES) * 18 * 2 == 864
    found = pairs_of(made)
    calibrated = calibrate(found.same, found.different, DEFAULT, name="default")
    assert (calibrated.same, calibrated.different) == (432, 3672)
    for name, worth in calibrated.profile.dimensions().items():  # the voice repeats itself per platform
        assert worth.thresholds == pytest.approx(DEFAULT.dimensions()[name].thresholds, rel=0.02), name
    assert calibrated.same_passed == pytest.approx(0.069, abs=0.01)
    assert calibrated.different_passed == pytest.approx(0.667, abs=0.02)
