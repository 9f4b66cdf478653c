"""The whole record: what changes when a clip does, and what must not."""

from __future__ import annotations

import numpy as np
import pytest

from earmark.audio.acoustics.measures import Acoustics, measure
from earmark.manifests.acoustics import MEASURES

RATE = 16_000


def test_a_row_has_the_declared_columns_in_their_order() -> None:
    row = measure(np.sin(np.arange(RATE) * 0.08) * 0.5, RATE, words=3).as_row()
    assert list(row) == [column.name for column in MEASURES]
    assert None not in row.values()


@pytest.mark.parametrize(
    "samples", [np.zeros(RATE), np.full(RATE, 0.3), np.array([0.5])], ids=["zeros", "DC", "one sample"]
)
def test_what_is_no_speech_has_none_of_its_measures(samples: np.ndarray) -> None:
    found = measure(samples, RATE, words=2)
    assert found == Acoustics(seconds=len(samples) / RATE, level=found.level, peak=found.peak, clipped=0.0)
