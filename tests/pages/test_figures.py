"""Forest, plane and bars: everything in the drawing stands in the table, and what is undefined is said, not drawn."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.pages.samples import DIMENSIONS, NAMES, entry, parsed, stance_report

from earmark.manifests.report import BaselineEntry, IntervalEntry, MetricEntry
from earmark.pages.counts import OUTCOMES, CountsRow, counts_bar
from earmark.pages.forest import ForestRow, forest, spread
from earmark.pages.plane import Box, PlanePoint, disagreement_against_auroc, label_box

finite = st.floats(-1e6, 1e6, allow_nan=False)
UNDEFINED = entry("auroc", "S0", None, reason="only one pole")


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in parsed(svg).iter() if element.tag.endswith("}text")]


def bar(low: float | None, high: float | None, by: str = "speaker") -> IntervalEntry:
    return IntervalEntry(by=by, clusters=9, method="percentile", level=0.95, low=low, high=high)


@settings(deadline=None)
@given(st.lists(st.one_of(st.none(), finite), max_size=6))
def test_an_axis_holds_every_value_in_a_few_steps(values: list[float | None]) -> None:
    low, high, step = spread([entry("other", "S0", None)], values)
    known = [value for value in values if value is not None]
    margin = 1e-6 * max(1.0, *map(abs, known), 1.0)
    assert all(low - margin <= value <= high + margin for value in known)
    assert 1 <= round((high - low) / step) <= 7
    assert high > low


def test_the_forest_shows_each_interval_and_each_rule() -> None:
    figure = forest(
        [ForestRow("S0", entry("auroc", "S0", 0.7)), ForestRow("S1", UNDEFINED)],
        [BaselineEntry(name="random", value=0.5), BaselineEntry(name="deaf", value=None, reason="none")],
    )
    assert figure.table.head == ("facet", "value", "interval by speaker", "interval by prompt", "n")
    names = [row[0] for row in figure.table.rows]
    assert names == ["S0", "S1", "rule: random", "rule: deaf"]
    assert figure.table.rows[1][1] == "— only one pole"
    drawn = texts(figure.svg)
    assert {"95 % by speaker", "95 % by prompt", "chance", "undefined", "rule: random", "0.700"} <= set(drawn)
    assert figure.svg.count("--accent") == 2 * 3  # the bar by speaker and its two ends, in the legend and on the row


def test_where_chance_differs_each_row_has_its_own() -> None:
    whole = entry("auroc", "S0", 0.7)
    other = replace(whole, chance=0.25)
    drawn = texts(forest([ForestRow("S0", whole), ForestRow("S1", other)]).svg)
    assert ("chance of each row" in drawn, "chance" in drawn) == (True, False)
    assert "chance of each row" not in texts(forest([ForestRow("S0", other), ForestRow("S1", other)]).svg)


def test_an_interval_without_ends_is_not_drawn() -> None:
    whole = entry("auroc", "S0", 0.7)
    without = replace(whole, intervals=(bar(None, None), *whole.intervals[1:]))
    assert forest([ForestRow("S0", without)]).svg.count("--accent") == 3
    assert forest([ForestRow("S0", without)]).table.rows[0][2] == "—"


def test_a_forest_reads_from_left_to_right() -> None:
    figure = forest([ForestRow(str(value), entry("auroc", "S0", value)) for value in (0.6, 0.7, 0.9)])
    marks = [float(x) for x in re.findall(r'<use [^>]*x="([\d.]+)"', figure.svg)]
    assert marks == sorted(marks)
    assert (marks[2] - marks[1]) == pytest.approx(2 * (marks[1] - marks[0]), abs=0.05)


def test_two_intervals_of_a_row_do_not_lie_on_each_other() -> None:
    svg = forest([ForestRow("S0", entry("auroc", "S0", 0.7))]).svg
    levels = {
        colour: float(level)
        for level, colour in re.findall(
            r'd="M [\d.]+ ([\d.]+) L [^"]*" style="[^"]*--(accent|ink)[^"]*width:(?:2.4|1.2)', svg
        )
    }
    assert abs(levels["accent"] - levels["ink"]) >= 4


@pytest.mark.parametrize("rows", [[], [ForestRow("S0", UNDEFINED)]])
def test_an_empty_forest_is_still_a_drawing(rows: list[ForestRow]) -> None:
    assert parsed(forest(rows).svg).tag.endswith("svg")


def points() -> list[PlanePoint]:
    report = stance_report(slices=False)
    found = {(one.metric, one.facet): one for one in report.metrics}
    return [
        PlanePoint(facet, NAMES[facet], found["auroc", facet], found["order_disagreement", facet])
        for facet in DIMENSIONS
    ]


def test_every_point_of_the_plane_is_labelled_and_tabled() -> None:
    figure = disagreement_against_auroc(points())
    assert set(DIMENSIONS) <= set(texts(figure.svg))
    assert len(figure.table.rows) == len(DIMENSIONS)
    assert figure.table.head[:4] == ("facet", "AUROC", "AUROC by speaker", "AUROC by prompt")
    assert figure.note == "95 % intervals both ways: thick lines by speaker, thin dotted lines by prompt."


def test_labels_do_not_cover_each_other() -> None:
    svg = disagreement_against_auroc(points()).svg
    found = re.findall(r'<text [^>]*font-weight:700[^>]*x="([\d.]+)" y="([\d.]+)"', svg)
    boxes = [Box(float(x) - 7, float(y) - 8, float(x) + 7, float(y)) for x, y in found]
    assert len(boxes) == len(DIMENSIONS)
    assert all(one.overlap(other) == 0 for place, one in enumerate(boxes) for other in boxes[:place])


def test_coinciding_points_get_labels_apart() -> None:
    same = replace(points()[0].x, intervals=()), replace(points()[0].y, intervals=())
    svg = disagreement_against_auroc([PlanePoint(f"S{place}", "", *same) for place in range(6)]).svg
    found = re.findall(r'<text [^>]*font-weight:700[^>]*x="([\d.]+)" y="([\d.]+)"', svg)
    assert len(set(found)) == 6


def test_an_undefined_point_is_told_not_drawn() -> None:
    figure = disagreement_against_auroc([*points()[:2], PlanePoint("S9", "Nothing", UNDEFINED, points()[0].y)])
    assert "S9" not in texts(figure.svg)
    assert "1 of 3" in figure.note
    assert "— only one pole" in figure.table.rows[2]


def test_a_plane_without_points_is_still_a_drawing() -> None:
    assert parsed(disagreement_against_auroc([]).svg).tag.endswith("svg")


@given(st.tuples(st.floats(50, 400), st.floats(50, 300)), st.lists(st.tuples(st.floats(0, 440), st.floats(0, 340))))
def test_a_label_goes_where_it_covers_least(centre: tuple[float, float], others: list[tuple[float, float]]) -> None:
    inside = Box(0, 0, 460, 360)
    taken = [Box(x, y, x + 20, y + 12) for x, y in others]
    box = label_box(centre, 20, taken, inside)
    assert box.right - box.left == pytest.approx(20)
    free = label_box(centre, 20, [], inside)
    cost = sum(box.overlap(other) for other in taken)
    assert cost <= sum(free.overlap(other) for other in taken) + 1e-6
    assert box.overlap(inside) >= free.overlap(inside) - cost - 1e-6


def test_where_no_place_is_free_a_label_takes_the_one_that_costs_least() -> None:
    everywhere, inside = Box(0, 0, 460, 360), Box(0, 0, 460, 360)
    twice_on_the_left = Box(0, 0, 200, 360)
    box = label_box((200, 180), 20, [everywhere, twice_on_the_left], inside)
    assert box.left >= 200


def test_bars_are_shares_of_what_is_owed() -> None:
    figure = counts_bar([CountsRow("S0", {"ok": 3, "missing": 1, "repeated": 7}), CountsRow("S1", {})])
    assert figure.table.rows == (("S0", "4", "3", "1", "0", "0", "0", "0"), ("S1", "0", *"000000"))
    assert "nothing owed" in texts(figure.svg)
    blocks = re.findall(r'<path d="M ([\d.]+) ([\d.]+) L ([\d.]+) [^"]*z" style="[^"]*--series-(\d)', figure.svg)
    bars = [block for block in blocks if float(block[1]) > 20]  # the legend stands higher
    widths = {series: float(right) - float(left) for left, _, right, series in bars}
    assert widths["0"] == pytest.approx(3 * widths["1"], abs=0.05)
    assert set(widths) == {"0", "1"}
    starts = {text: float(x) for x, text in re.findall(r'<text [^>]*x="([\d.]+)"[^>]*>(0%|100%)<', figure.svg)}
    assert sum(widths.values()) == pytest.approx(starts["100%"] - starts["0%"], abs=0.05)


def test_outcomes_differ_by_more_than_colour() -> None:
    svg = counts_bar([CountsRow("S0", dict.fromkeys(OUTCOMES, 1))]).svg
    hatched = [path for path in re.findall(r"<path [^>]*>", svg) if "fill:url(#" in path]
    assert len(re.findall(r"<pattern ", svg)) == 4  # ok is plain and missing is empty
    assert len(hatched) == 2 * 4  # in the legend and in the bar
    assert not [path for path in hatched if "opacity" in path]
    assert set(OUTCOMES) <= set(texts(svg))


def test_more_outcomes_than_hatches_are_refused() -> None:
    with pytest.raises(ValueError, match="8 outcomes"):
        counts_bar([], [f"outcome {place}" for place in range(8)])


def test_hostile_labels_stay_text() -> None:
    label = '"><script>alert(1)</script>\u202e'
    entry_ = MetricEntry(metric=label, facet=label, value=0.5, n=1, intervals=(bar(0.4, 0.6, by=label),))
    for figure in (
        forest([ForestRow(label, entry_)], [BaselineEntry(name=label, value=0.5)]),
        disagreement_against_auroc([PlanePoint(label, label, entry_, entry_)]),
        counts_bar([CountsRow(label, {"ok": 1})]),
    ):
        assert not [one for one in parsed(figure.svg).iter() if one.tag.endswith("script")]
        assert "\u202e" not in figure.svg
        assert any(text.startswith('"><script>') or "<script>" in text for text in texts(figure.svg))
