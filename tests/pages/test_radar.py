"""Radars, their dots and profile bars: the table has every number, the drawing every name, and nothing rests on colour alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import hypot

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.pages.samples import entry, parsed

from earmark.manifests.report import IntervalEntry, MetricEntry
from earmark.pages.formats import number
from earmark.pages.profile_bars import Profile, profile_bars
from earmark.pages.radar import _CENTRE, _RADIUS, Spoke, _at, groups_of, radars
from earmark.pages.radar_dots import radar_dots
from earmark.pages.svg import SERIES, Figure

Shares = Sequence[float | None]
NAMES = ("Self-Regard", "Emotional Self-Awareness", "Empathy", "Stress Tolerance")
GROUPS = ("Self-Perception", "Self-Perception", "Interpersonal", "Stress Management")


def made(metric: str, value: float | None) -> MetricEntry:
    ends = (None, None) if value is None else (max(0.0, value - 0.1), min(1.0, value + 0.1))
    interval = IntervalEntry(by="dialogue", clusters=9, method="percentile", level=0.95, low=ends[0], high=ends[1])
    plain = entry(metric, "x", value, reason="" if value is not None else "no such dialogues")
    return replace(plain, chance={"acc_1": 0.5, "acc_traj": 0.25}[metric], intervals=(interval,))


def spokes(shares: Shares) -> list[Spoke]:
    each = zip(NAMES, GROUPS, shares, strict=False)
    return [Spoke(name, group, (made("acc_1", value), made("acc_traj", value))) for name, group, value in each]


def radar(shares: Shares) -> Figure:
    return radars(spokes(shares), title="Profile")


def dots(shares: Shares) -> Figure:
    return radar_dots(spokes(shares), title="Profile")


def bars(shares: Shares) -> Figure:
    each = zip(NAMES, shares, strict=False)
    profiles = [Profile(name, (made("acc_1", v), made("acc_traj", v)), ("turn 4", "both")) for name, v in each]
    return profile_bars(profiles, title="Profile")


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in parsed(svg).iter() if element.tag.endswith("}text")]


@settings(max_examples=2)
@given(st.lists(st.none() | st.floats(0, 1), min_size=1, max_size=4))
@pytest.mark.parametrize("draw", [radar, dots, bars])
def test_the_table_has_every_number(draw: Callable[[Shares], Figure], shares: Shares) -> None:
    figure = draw(shares)
    for name, share, row in zip(NAMES, shares, figure.table.rows, strict=False):
        assert row[0] == name
        assert len(row) == len(figure.table.head)
        assert row.count("— no such dialogues" if share is None else number(share)) >= 2
    assert draw(shares).svg == figure.svg


@pytest.mark.parametrize(("draw", "panels"), [(radar, 2), (dots, 2), (bars, 1)])
def test_every_name_is_drawn_and_the_colours_are_the_page_s(draw: Callable[[Shares], Figure], panels: int) -> None:
    figure = draw((0.2, 0.9, None, 0.4))
    assert len(figure.panels) == panels
    for panel in figure.panels:
        said = " ".join(texts(panel))
        for name in NAMES:
            words = name.split(" ")[: 1 if draw is bars else None]  # there is less room beside bars
            assert all(word in said for word in words), name
        assert "chance" in said
        title, described = (element.text or "" for element in list(parsed(panel))[:2])
        assert title.startswith("Profile")
        assert all(name in described for name in NAMES)
        assert "#" not in re.sub(r"var\([^)]*\)|url\(#[^)]*\)|href=\"#[^\"]*\"|id=\"[^\"]*\"", "", panel)
    if draw is not bars:
        assert all(group in " ".join(texts(figure.panels[0])) for group in GROUPS)
    if draw is not radar:
        assert "undefined" in texts(figure.panels[0])


@pytest.mark.parametrize("draw", [radar, dots, bars])
def test_nothing_to_show_is_said(draw: Callable[[Shares], Figure]) -> None:
    figure = draw(())
    assert "Nothing to show" in figure.svg
    assert figure.table.rows == ()


def test_a_share_lies_at_its_part_of_the_radius_and_an_undefined_one_breaks_the_line() -> None:
    for share in (0.0, 0.25, 1.0):
        x, y = _at(1.0, share)
        assert hypot(x - _CENTRE[0], y - _CENTRE[1]) == pytest.approx(share * _RADIUS)
    assert _at(0.0, 1.0) == (_CENTRE[0], _CENTRE[1] - _RADIUS)  # the first spoke points up

    def edges(shares: Shares) -> int:
        return radar(shares).panels[0].count("var(--accent")

    assert edges((0.2, 0.9, 0.3, 0.4)) == 4
    assert edges((0.2, 0.9, None, 0.4)) == 2
    assert edges((0.2, None, 0.3, None)) == 0


def test_spokes_of_one_group_share_a_colour_that_is_named() -> None:
    assert groups_of(spokes((0.1,) * 4)) == ["Self-Perception", "Interpersonal", "Stress Management"]
    panel = dots((0.1,) * 4).panels[0]
    used = [colour.name for colour in SERIES if f"var(--{colour.name}," in panel]
    assert used == ["series-0", "series-1", "series-2"]


def test_the_legend_says_what_the_lines_on_the_spokes_are_where_there_are_any() -> None:
    assert all("95 % by dialogue" in panel for panel in radar((0.5, 0.5, 0.5, 0.5)).panels)
    assert not any("95 % by" in panel for panel in radar((None,) * 4).panels)
