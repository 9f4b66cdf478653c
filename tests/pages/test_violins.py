"""Split violins: a density that is one, dots that can be counted, and no picture of what is not there."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from tests.pages.samples import parsed

from earmark.pages.violins import BANDWIDTH, DENSITY_FROM, DOTS_UP_TO, ViolinGroup, density, split_violins

scores = st.lists(st.floats(-1, 1), min_size=1, max_size=60)


def group(**roles: tuple[str, list[float]]) -> ViolinGroup:
    return ViolinGroup("S0", "Interpersonal Warmth", "Warmth", "Coldness", roles)


def shapes(svg: str, colour: str) -> list[str]:
    return [path for path in re.findall(r"<path [^>]*>", svg) if f"--{colour}" in path]


@given(scores)
def test_a_density_has_area_one(values: list[float]) -> None:
    grid = np.linspace(-1, 1, 4001)
    found = density(np.array(values), grid)
    assert np.all(found >= 0)
    assert np.trapezoid(found, grid) == pytest.approx(1, abs=2e-3)


def test_far_from_the_ends_it_is_a_plain_kernel_density() -> None:
    values, grid = np.array([-0.1, 0.05, 0.3]), np.linspace(-0.4, 0.4, 33)
    expected = norm.pdf(grid[:, None], values[None, :], BANDWIDTH).mean(axis=1)
    assert density(values, grid) == pytest.approx(expected, rel=1e-9)


@given(scores)
def test_mirrored_scores_have_the_mirrored_density(values: list[float]) -> None:
    grid = np.linspace(-1, 1, 41)
    assert density(-np.array(values), grid) == pytest.approx(density(np.array(values), grid)[::-1], abs=1e-9)


@settings(max_examples=15, deadline=None)
@given(
    st.dictionaries(
        st.text(max_size=12),
        st.tuples(st.sampled_from("PN"), st.lists(st.floats(-1, 1), max_size=40)),
        max_size=5,
    )
)
def test_any_roles_and_scores_are_drawn(roles: dict[str, tuple[str, list[float]]]) -> None:
    figure = split_violins([group(**roles)])
    root = parsed(figure.svg)
    assert root.tag.endswith("svg")
    assert len(figure.table.rows) == len(roles) + 2
    assert all(len(row) == len(figure.table.head) for row in figure.table.rows)


def test_few_scores_have_no_density() -> None:
    few = split_violins([group(Warm=("P", [0.1] * (DENSITY_FROM - 1)))]).svg
    enough = split_violins([group(Warm=("P", [0.1] * DENSITY_FROM))]).svg
    assert few.count("no density") == 1
    assert few.count("no scores") == 1
    assert "no density" not in enough
    outlines = [
        [path for path in shapes(svg, "positive") if "stroke-linecap:round" not in path] for svg in (few, enough)
    ]
    assert max(map(len, outlines[1])) > 3 * max(map(len, outlines[0]))


def test_poles_differ_by_more_than_colour() -> None:
    svg = split_violins([group(Warm=("P", [0.1] * DENSITY_FROM), Cold=("N", [-0.1] * DENSITY_FROM))]).svg
    assert svg.count("<pattern") == 1
    assert len([path for path in shapes(svg, "negative") if "fill:url(#" in path]) == 1
    assert ">P Warmth<" in svg
    assert ">N Coldness<" in svg
    assert any("stroke-linecap:round" in path for path in shapes(svg, "positive"))
    assert any("stroke-linecap:square" in path for path in shapes(svg, "negative"))


@pytest.mark.parametrize("count", [1, 2, DOTS_UP_TO, DOTS_UP_TO + 1])
def test_each_score_is_a_dot_up_to_a_limit(count: int) -> None:
    values = [round(-0.9 + 1.8 * place / count, 3) for place in range(count)]
    svg = split_violins([group(Cold=("N", values))]).svg
    dots = [path for path in shapes(svg, "negative") if "stroke-linecap:square" in path and "stroke-width:3" in path]
    assert sum(path.count("M ") for path in dots) == (count if count <= DOTS_UP_TO else 0)


def test_tied_scores_lie_over_each_other_not_on_each_other() -> None:
    svg = split_violins([group(Cold=("N", [0.5, 0.5, 0.5]))]).svg
    (dots,) = [path for path in shapes(svg, "negative") if "stroke-linecap:square" in path and "stroke-width:3" in path]
    starts = re.findall(r"M ([-\d.]+) ([-\d.]+)", dots)
    assert len({x for x, _ in starts}) == 1
    assert len({y for _, y in starts}) == 3


def test_scores_stand_where_the_axis_says() -> None:
    svg = split_violins([group(Cold=("N", [-1.0]), Warm=("P", [1.0]))]).svg
    ends = {text: float(x) for x, text in re.findall(r'<text [^>]*middle[^>]*x="([\d.]+)"[^>]*>(−1|0|1)<', svg)}
    (left,) = re.findall(r"M ([\d.]+) ", next(path for path in shapes(svg, "negative") if "square" in path))
    (right,) = re.findall(r"M ([\d.]+) ", next(path for path in shapes(svg, "positive") if "round" in path))
    assert ends["0"] == pytest.approx((ends["−1"] + ends["1"]) / 2)
    assert float(left) == ends["−1"]
    assert float(right) == ends["1"]


def test_the_table_holds_the_quantiles() -> None:
    values = [-0.5, 0.0, 0.25, 1.0]
    figure = split_violins([group(Warm=("P", values), Aloof=("N", []))])
    rows = {row[0]: row for row in figure.table.rows}
    assert figure.table.head == ("role", "pole", "n", "5 %", "25 %", "median", "75 %", "95 %")
    expected = [
        f"{value:.3f}".replace("-", "−")
        for value in np.quantile(values, [0.05, 0.25, 0.5, 0.75, 0.95], method="inverted_cdf")
    ]
    assert expected[2] == "0.000"  # a score that was given, not 0.125 between two
    assert rows["S0 Warm"] == ("S0 Warm", "P Warmth", "4", *expected)
    assert rows["S0 Aloof"] == ("S0 Aloof", "N Coldness", "0", *"—————")
    assert f"bandwidth of {BANDWIDTH:g}" in figure.note


@pytest.mark.parametrize("roles", [{"Warm": ("Q", [0.1])}, {"Warm": ("P", [1.5])}, {"Warm": ("P", [float("nan")])}])
def test_what_is_no_score_is_refused(roles: dict[str, tuple[str, list[float]]]) -> None:
    with pytest.raises(ValueError, match="Warm"):
        group(**roles)


def test_no_groups_are_no_panels() -> None:
    assert split_violins([]).svg == ""
