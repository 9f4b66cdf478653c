"""Histograms: every value is in one bar, the first mark lies between two, and the drawing says what it shows."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.pages.histograms import BARS, Histogram, Mark, binned, histograms

VALUES = st.lists(st.floats(0, 1000, allow_subnormal=False).map(lambda value: round(value, 3)), max_size=40).map(tuple)


@settings(max_examples=60)
@given(values=VALUES, at=st.none() | st.floats(0.01, 50).map(lambda value: round(value, 3)))
def test_every_value_is_in_the_bar_whose_ends_enclose_it(values: tuple[float, ...], at: float | None) -> None:
    marks = () if at is None else (Mark(at, "a point"),)
    bars = binned(Histogram("", values, "", marks))
    assert sum(count for *_, count in bars) == len(values)
    assert bars[0][0] == 0
    for (low, high, count), after in zip(bars, (*bars[1:], None), strict=True):
        within = [value for value in values if low - 1e-6 <= value < high + 1e-6]
        assert count <= len(within)
        if after is not None:
            assert high == pytest.approx(after[0])
            sure = [value for value in values if low + 1e-6 < value < high - 1e-6]
            assert count >= len(sure)
    assert bars[-1][1] >= max((*values, at or 0)) - 1e-6
    assert len(bars) <= 2 * BARS + 1


def test_the_first_mark_lies_between_two_bars_unless_they_would_be_narrow() -> None:
    values = tuple(n / 10 for n in range(40))
    ends = [high for _, high, _ in binned(Histogram("", values, "", (Mark(1.3, "a point"), Mark(2.1, "more"))))]
    assert min(abs(end - 1.3) for end in ends) < 1e-9
    narrow = binned(Histogram("", (80.0,), "", (Mark(0.2, "a point"),)))
    assert len(narrow) <= BARS


def test_drawing_and_table_say_the_same() -> None:
    panel = Histogram("Pitch", (0.1, 0.1, 0.9), "share", (Mark(0.5, "1 point"),), absent=2, step=0.5)
    figure = histograms([panel, Histogram("Empty", (), "dB")], of="turns")
    assert figure.table.rows[:3] == (
        ("Pitch: 0 to 0.5 share", "2"),
        ("Pitch: 0.5 to 1 share", "1"),
        ("Empty: 0 to 1 dB", "0"),
    )
    assert figure.table.rows[3] == ("Pitch: undefined", "2")
    drawn = [ET.fromstring(svg) for svg in figure.panels]  # noqa: S314 - our own drawing
    label = drawn[0].get("aria-label") or ""
    assert label.startswith("Pitch. 1 of 5 turns reach 0.5; 2 undefined; 1 point from 0.5; 2 in 0 to 0.5 share")
    text = "".join(drawn[0].itertext())
    assert "1 point" in text
    assert "Nothing to show" in (drawn[1].get("aria-label") or "")
    assert histograms([panel], of="turns") == histograms([panel], of="turns")
