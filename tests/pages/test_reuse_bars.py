"""Reuse: every use is in one bar, the numbers stand in the table, and nothing used is said to be so."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.pages.samples import parsed

from earmark.pages.reuse_bars import MOST_BARS, ReuseRow, Uses, binned, reuse_bars

histograms = st.dictionaries(st.integers(1, 200), st.integers(1, 50), max_size=15).map(
    lambda of: tuple(sorted(of.items()))
)


@settings(max_examples=50)
@given(histograms)
def test_every_use_is_in_one_bar_of_one_width(histogram: tuple[tuple[int, int], ...]) -> None:
    bars = binned(histogram)
    assert len(bars) <= MOST_BARS
    assert [times for low, high, _ in bars for times in range(low, high + 1)] == list(
        range(1, (bars[-1][1] if bars else 0) + 1)
    )
    assert len({high - low for low, high, _ in bars}) <= 1
    for low, high, count in bars:
        assert count == sum(n for times, n in histogram if low <= times <= high)
    assert sum(count for *_, count in bars) == sum(count for _, count in histogram)


def test_the_table_and_the_panel_have_the_numbers() -> None:
    clips, speakers = Uses(((1, 5), (3, 2)), 5.26), Uses(((4, 2),), 2.0)
    figure = reuse_bars([ReuseRow("Style", 1234, clips, speakers)])
    assert figure.table.rows == (("Style", "1,234", "7", "5.3", "3", "2", "2.0", "4"),)
    assert len(figure.table.head) == len(figure.table.rows[0])
    [panel] = figure.panels
    texts = [element.text for element in parsed(panel).iter() if element.tag.endswith("}text")]
    assert "7 of 1,234 clips used; they weigh like 5.3" in texts
    assert [text for text in texts if text in {"5", "2"}][-2:] != []
    assert figure == reuse_bars([ReuseRow("Style", 1234, clips, speakers)])


def test_nothing_used_is_said() -> None:
    nothing = Uses((), None)
    figure = reuse_bars([ReuseRow("Style", 3, nothing, nothing)])
    assert "no clip is used" in figure.svg
    assert figure.table.rows[0][3] == "—"
    assert nothing.most == nothing.used == 0
