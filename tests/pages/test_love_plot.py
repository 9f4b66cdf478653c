"""Love plots: the worst and the median cell of every nuisance, shapes that need no colour, the undefined with its reason."""

from __future__ import annotations

import re
from itertools import pairwise
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.pages.samples import parsed

from earmark.pages.formats import NOTHING, metric_label, number
from earmark.pages.love_plot import CellDifference, LoveRow, after_of, before_of, love_plot, love_table
from earmark.pages.svg import Figure

GOAL = 0.1
NUISANCES = ("seconds", "words", "lead", "trail", "loudness", "noise_floor", "f0_median")

values = st.none() | st.floats(0, 4)
cells = st.builds(CellDifference, st.sampled_from("abcd"), values, values, st.just("nothing was chosen"))
love_rows = st.builds(
    LoveRow,
    st.sampled_from(("Style", "Rate")),
    st.sampled_from(NUISANCES),
    st.booleans(),
    st.lists(cells, min_size=1, max_size=5).map(tuple),
)


def row(*differences: tuple[float | None, float | None], directed: bool = True, reason: str = "") -> LoveRow:
    found = tuple(CellDifference(f"cell {place}", *both, reason) for place, both in enumerate(differences))
    return LoveRow("Style", "seconds", directed, found)


def texts(panel: str) -> list[str]:
    return [element.text or "" for element in parsed(panel).iter() if element.tag.endswith("}text")]


def marks(figure: Figure) -> list[tuple[str, bool]]:
    """Of every mark its outline, without numbers, and whether it is filled, in the order in which they are drawn."""
    drawing = parsed(figure.svg)
    outlines = {
        element.get("id"): re.sub(r"[^A-Za-z]", "", element.get("d") or "")
        for element in drawing.iter()
        if element.get("id")
    }
    return [
        (outlines[(element.get("href") or "#").removeprefix("#")], "fill:var(--paper" not in element.get("style", ""))
        for element in drawing.iter()
        if element.tag.endswith("}use")
    ]


@settings(max_examples=50)
@given(st.lists(love_rows, max_size=6))
def test_the_table_says_what_the_cells_say(rows: list[LoveRow]) -> None:
    expected = []
    for one in rows:
        before = [cell.before for cell in one.cells if cell.before is not None]
        after = [cell.after for cell in one.cells if cell.after is not None]
        expected.append(
            (
                f"{one.group}: {metric_label(one.nuisance)}",
                "directed" if one.directed else "undirected",
                f"{len(one.cells)}",
                f"{sum(None in (cell.before, cell.after) for cell in one.cells)}",
                number(median(before)) if before else NOTHING,
                number(median(after)) if after else NOTHING,
                number(max(before)) if before else NOTHING,
                number(max(after)) if after else NOTHING,
                f"{sum(value > GOAL for value in after)}" if one.directed else NOTHING,
            )
        )
    table = love_table(rows, goal=GOAL)
    assert sorted(cells[:-1] for cells in table.rows) == sorted(expected)
    assert all(len(cells) == len(table.head) for cells in table.rows)


def test_a_panel_a_group_and_equal_rows_are_equal_drawings() -> None:
    rows = [row((0.5, 0.05)), row((0.5, 0.25), directed=False), LoveRow("Rate", "lead", True, row((0.1, 0.2)).cells)]
    figure = love_plot(rows, goal=GOAL)
    assert [texts(panel)[0] for panel in figure.panels] == ["Style", "Rate"]
    assert figure.table == love_table(rows, goal=GOAL)
    assert figure == love_plot(rows, goal=GOAL)


def test_the_worst_cell_is_named() -> None:
    [cells] = love_plot([row((0.5, 0.02), (0.4, 0.3), (0.9, None), reason="no pair")], goal=GOAL).table.rows
    assert cells == ("Style: seconds", "directed", "3", "1", "0.500", "0.160", "0.900", "0.300", "1", "cell 1")


def test_shape_not_colour_tells_before_from_after_and_directed_from_undirected() -> None:
    kinds = [marks(love_plot([row((0.5, 0.05), directed=directed)], goal=GOAL)) for directed in (True, False)]
    (legend, rows), (_, others) = [(found[:2], found[2:]) for found in kinds]
    assert [filled for _, filled in legend] == [filled for _, filled in rows] == [False, True]
    assert [filled for _, filled in others] == [False, True]
    assert {outline for outline, _ in rows}.isdisjoint(outline for outline, _ in others)


def test_the_goal_is_a_dashed_line_for_directed_rows_alone() -> None:
    directed, undirected = (love_plot([row((0.5, 0.05), directed=way)], goal=GOAL).svg for way in (True, False))
    assert "stroke-dasharray" in directed
    assert "stroke-dasharray" not in undirected
    assert texts(directed).count("0.1") == 1


def test_what_is_beyond_the_goal_is_bold() -> None:
    def bold(after: float, *, directed: bool) -> bool:
        [panel] = love_plot([row((0.5, after), directed=directed)], goal=GOAL).panels
        found = [e for e in parsed(panel).iter() if e.tag.endswith("}text") and e.text == number(after)]
        return any("bold" in (element.get("style") or "") or "700" in (element.get("style") or "") for element in found)

    assert bold(0.101, directed=True)
    assert not bold(0.099, directed=True)
    assert not bold(0.101, directed=False)


@pytest.mark.parametrize("both", [(None, None), (0.5, None), (None, 0.5)])
def test_the_undefined_is_said_with_its_reason(both: tuple[float | None, float | None]) -> None:
    figure = love_plot([row(both, reason="no <pair> was chosen")], goal=GOAL)
    assert "undefined: no <pair> was chosen" in texts(figure.panels[0])
    assert figure.table.rows[0][3] == "1"
    assert len(marks(figure)) == 2 + sum(value is not None for value in both)
    assert "nan" not in figure.svg.lower()


def test_several_reasons_are_not_passed_off_as_one() -> None:
    one = LoveRow("A", "lead", True, (CellDifference("x", None, None, "one"), CellDifference("y", None, None, "two")))
    assert "undefined: one; in other cells for other reasons" in texts(love_plot([one], goal=GOAL).panels[0])


def test_five_criteria_with_seven_nuisances_do_not_run_into_one_another() -> None:
    groups = ("Style", "Rate", "Emphasis", "Age", "Gender")
    rows = [
        LoveRow(group, name, directed, tuple(CellDifference(f"{c}", 0.1 * c, 0.01 * c) for c in range(30)))
        for group in groups
        for name in NUISANCES
        for directed in (True, False)
    ]
    figure = love_plot(rows, goal=GOAL)
    assert len(figure.panels) == len(groups)
    for group, panel in zip(groups, figure.panels, strict=True):
        said = texts(panel)
        assert said[0] == group
        assert all(said.count(metric_label(name)) == 2 for name in NUISANCES)
        levels = sorted(
            _level(element)
            for element in parsed(panel).iter()
            if element.text in {metric_label(name) for name in NUISANCES}
        )
        assert min(high - low for low, high in pairwise(levels)) >= 20
    assert before_of(rows[0]).worst == pytest.approx(2.9)
    assert after_of(rows[0]).middle == pytest.approx(0.145)


def _level(element: object) -> float:
    text = element.get("transform") or ""  # type: ignore[attr-defined]  # an element
    place = re.search(r"translate\(\S+ (\S+)\)", text)
    return float(place.group(1)) if place else float(element.get("y"))  # type: ignore[attr-defined]  # an element
