"""Paired dots, nested bars and slopes: the table has every number, the drawing every row, and nothing rests on colour alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.pages.samples import entry, parsed

from earmark.manifests.report import MetricEntry
from earmark.pages.nested_bars import BarPair, nested_bars
from earmark.pages.paired_dots import DotPair, paired_dots
from earmark.pages.paper_tables import Accuracy
from earmark.pages.rows import across
from earmark.pages.slopes import Slope, slopes, spaced
from earmark.pages.svg import Figure
from earmark.pages.verdicts import VerdictCell, VerdictRow, verdicts

Rows = Sequence[tuple[str, float | None, float | None]]
SHOWN: Rows = [("Style", 0.75, 0.25), ("Rate", 0.5, None), ("Age", 0.5, 0.5)]


def made(value: float | None, name: str = "accuracy_a") -> MetricEntry:
    return entry(name, "style", value, reason="" if value is not None else "no such pairs")


def dots(rows: Rows) -> Figure:
    return paired_dots([DotPair(n, made(a), made(b)) for n, a, b in rows], first="@A", second="@B", title="Positions")


def bars(rows: Rows) -> Figure:
    return nested_bars([BarPair(n, made(a), made(b)) for n, a, b in rows], outer="alike", inner="right", title="Alike")


def lines(rows: Rows) -> Figure:
    return slopes([Slope(n, made(a), made(b)) for n, a, b in rows], left="no tie", right="tie", title="Ties")


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in parsed(svg).iter() if element.tag.endswith("}text")]


@pytest.mark.parametrize("draw", [dots, bars, lines])
def test_the_table_has_every_number_and_the_drawing_a_title(draw: Callable[[Rows], Figure]) -> None:
    figure = draw(SHOWN)
    for (name, one, other), row in zip(SHOWN, figure.table.rows, strict=True):
        assert row[0] == name
        assert f"{one:.3f}" in row
        assert (f"{other:.3f}" if other is not None else "— no such pairs") in row
        assert len(row) == len(figure.table.head)
    [panel] = figure.panels
    title, described = (element.text or "" for element in list(parsed(panel))[:2])
    assert title in ("Positions", "Alike", "Ties")
    assert all(f"{name}: " in described for name, *_ in SHOWN)
    assert any("Style" in text for text in texts(panel))
    assert draw(SHOWN).svg == figure.svg
    assert "#" not in re.sub(
        r"var\([^)]*\)|url\(#[^)]*\)|href=\"#[^\"]*\"|id=\"[^\"]*\"", "", panel
    )  # the page's own colours


@pytest.mark.parametrize("draw", [dots, bars, lines])
def test_nothing_to_show_is_said(draw: Callable[[Rows], Figure]) -> None:
    assert "Nothing to show" in draw([]).svg
    assert draw([("Rate", None, None)]).table.rows[0][1] == "— no such pairs"


def test_an_undefined_row_says_so_and_is_not_drawn() -> None:
    assert "undefined" in texts(dots(SHOWN).svg)
    assert "undefined" in texts(bars(SHOWN).svg)
    assert dots(SHOWN[:1]).svg.count("<use") == dots(SHOWN[:2]).svg.count("<use")
    drawn = [text for text in texts(lines(SHOWN).svg) if text.startswith("Rate")]
    assert drawn == ["Rate 0.500"]  # a mark at the left, where it has a share


def test_dots_lie_where_the_shares_are_and_have_two_shapes() -> None:
    figure = dots(SHOWN[:1])
    places = sorted(float(x) for x in re.findall(r'<use [^>]*x="([\d.]+)"', figure.svg))
    assert places[-2:] == pytest.approx([across(0.25), across(0.75)], abs=0.02)
    assert len(set(re.findall(r'<path id="([^"]+)"', figure.svg))) == 2
    assert figure.table.rows[0][5] == "+0.500"


def test_the_part_never_reaches_beyond_the_whole() -> None:
    svg = bars([("Style", 0.8, 0.4)]).svg
    ends = [float(x) for x in re.findall(r"L ([\d.]+) [\d.]+", svg)]
    assert any(abs(end - across(0.8)) < 0.02 for end in ends)
    assert any(abs(end - across(0.4)) < 0.02 for end in ends)
    assert "pattern" in svg  # the whole is hatched, so that it is not told by its colour


def test_slopes_are_told_apart_without_colour() -> None:
    rows: Rows = [(f"facet {n}", 0.1 * n, 0.9 - 0.1 * n) for n in range(7)]
    svg = lines(rows).svg
    dashes = set(re.findall(r"stroke-dasharray:([^;\"]+)", svg))
    assert len(dashes) >= 6  # and one that is solid
    assert len(set(re.findall(r'<path id="([^"]+)"', svg))) == 7


@settings(max_examples=30)
@given(st.lists(st.floats(-20, 120), max_size=8), st.sampled_from([5.0, 13.0]))
def test_labels_keep_their_order_and_distance(levels: list[float], apart: float) -> None:
    placed = spaced(levels, apart, 0.0, 120.0)
    ordered = sorted(placed)
    assert all(after - before >= apart - 1e-6 for before, after in pairwise(ordered))
    assert all(-1e-6 <= level <= 120 + 1e-6 for level in placed)
    for (one, at), (other, there) in pairwise(sorted(zip(levels, placed, strict=True))):
        assert one == other or at < there
    if len(levels) == 1:
        assert placed == [min(max(levels[0], 0.0), 120.0)]


@pytest.mark.parametrize(
    ("value", "p", "adjusted", "words"),
    [
        (0.6, 0.001, 0.01, "0.600, above chance"),
        (0.6, 0.01, 0.2, "0.600, above chance, not after Holm"),
        (0.1, 0.001, 0.01, "0.100, below chance"),
        (0.4, 0.3, 0.9, "0.400"),
        (None, None, None, "—"),
    ],
)
def test_verdicts_are_told_in_words_and_by_shape(
    value: float | None, p: float | None, adjusted: float | None, words: str
) -> None:
    def drawn(people: float | None) -> Figure:
        cell = VerdictCell(Accuracy(value, 40, 1 / 3, p, adjusted), people)
        return verdicts(("all",), (VerdictRow("Age", (cell,)),), title="Verdicts")

    figure = drawn(None)
    assert figure.table.rows == (("Age", words),)
    marks = figure.svg.count("<use")
    assert marks == drawn(0.99).svg.count("<use") == 4 + (", " in words)  # four in the legend
    assert ("above people" in drawn(0.05).table.rows[0][1]) == (value is not None)
    assert "Underlined" in drawn(0.05).note
    assert "Underlined" not in figure.note


def test_a_grid_keeps_empty_cells() -> None:
    figure = verdicts(
        ("all", "tie"), (VerdictRow("Rate", (VerdictCell(None), VerdictCell(None, 0.5))),), title="Verdicts"
    )
    assert figure.table.rows == (("Rate", "—", "—"),)
    assert "Nothing to show" in verdicts((), (), title="Verdicts").svg


@pytest.mark.parametrize("draw", [dots, bars])
def test_the_longest_names_of_subscales_and_failures_are_not_cut(draw: Callable[[Rows], Figure]) -> None:
    names = ("Interpersonal Relationships", "Defensive/Snappy Reactor")
    [panel] = draw([(name, 0.0, 1.0) for name in names]).panels
    assert set(names) <= set(texts(panel))
