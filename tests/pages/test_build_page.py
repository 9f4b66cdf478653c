"""The page of a build: every cell and figure stands in it, it needs nothing else, and strangers' names do no harm."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from tests.pages.samples import parsed
from tests.pages.whole_pages import check_headings_and_links, check_needs_nothing_else, rows_of, section, words

from earmark.pages.build_page import (
    BINDINGS,
    OPEN_UP_TO,
    BuildCell,
    BuildCriterion,
    BuildRecord,
    BuildSolve,
    build_html,
    directed_cells,
)
from earmark.pages.love_plot import CellDifference, LoveRow
from earmark.pages.reuse_bars import ReuseRow, Uses

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)> &amp; {{ 7*7 }} \u202e\x00\ud800"


def cell(name: str, kind: str = "non_tie", transcript: str = "same", **further: object) -> BuildCell:
    plain: dict[str, object] = {"demand": 10, "candidates": 80, "feasible": 12, "exact": True, "filled": 10}
    return BuildCell(name=name, kind=kind, transcript=transcript, **({"binding": None} | plain | further))  # type: ignore[arg-type]  # plain keywords


SHORT = cell("sad · non-tie", filled=4, feasible=4, exact=False, binding="clip cap")
CELLS = (
    cell("happy · both bad", "both_bad"),
    cell("happy · both good", "both_good", "cross", demand=None, filled=3, binding="candidates"),
    cell("happy · non-tie"),
    SHORT,
)
NONE = "no chosen pair has it measured in both clips"
DIFFERENCES = (
    LoveRow(
        "Style",
        "noise_floor",
        True,
        (CellDifference("happy · non-tie", 0.4, 0.0567), CellDifference("sad · non-tie", 0.8, 0.25)),
    ),
    LoveRow(
        "Style",
        "noise_floor",
        False,
        (CellDifference("happy · both bad", 1.25, 0.75), CellDifference("happy · both good", 1.125, None, NONE)),
    ),
)
STYLE = BuildCriterion(
    name="Style",
    caps=(("clip", 9), ("clip pair", 1)),
    cells=CELLS,
    differences=DIFFERENCES,
    absent=(("loudness", "not known of any clip"),),
    shares=(("same words", "1/3 (33 %)"),),
    reuse=ReuseRow("Style", 99, Uses(((1, 4), (2, 20)), 22.5), Uses(((11, 2),), 2.0)),
    solves=(
        BuildSolve(
            edges=4321,
            nearest=64,
            complete=False,
            filled=27,
            most=27,
            gap=0.0123,
            blocks=1,
            ended="optimal",
            exchanged=12,
            dearer=0.035,
        ),
    ),
)
RECORD = BuildRecord(
    name="demo-pairs",
    version="2.1.0",
    goal=0.1,
    corpora={"expresso": 588},
    criteria=(STYLE,),
    nuisances={"noise_floor": "Level of the quietest frames."},
)


@pytest.fixture(scope="module")
def whole() -> str:
    return build_html(RECORD)


@pytest.fixture(scope="module")
def root(whole: str) -> ET.Element:
    return parsed(whole)


def test_it_needs_nothing_else_and_is_the_same_each_time(whole: str) -> None:
    check_needs_nothing_else(whole)
    assert whole == build_html(RECORD)


def test_headings_and_links(root: ET.Element) -> None:
    check_headings_and_links(root)


def test_the_head_adds_up(root: ET.Element) -> None:
    text = words(section(root, "release"))
    assert text.startswith("demo-pairs 2.1.0 27pairs chosen")
    assert "24 of the 30 pairs wanted by number were chosen, over 4 cells; some cells want every pair there is." in text
    assert "1 cell is short, by 6 pairs together" in text
    assert "588 utterances of expresso" in text
    assert "Style1 of 2worst difference 0.250" in text


def test_what_was_asked_adds_up_to_its_totals(root: ET.Element) -> None:
    asked = rows_of(section(root, "asked"))
    assert asked == [
        ["Style", "4", "30 and all", "27", "6", "1"],
        ["non-tie, same words", "2", "20", "14", "6", "1"],
        ["both good, other words", "1", "all", "3", "0", "0"],
        ["both bad, same words", "1", "10", "10", "0", "0"],
    ]
    assert "Style: 1/3 (33 %) of those with same words" in words(section(root, "asked"))


def test_shortfalls_say_the_feasible_maximum_and_what_binds(root: ET.Element) -> None:
    part = section(root, "short")
    assert rows_of(part) == [["sad · non-tie", "10", "4", "≤ 4", "80", "clip cap"]]
    assert BINDINGS["clip cap"] in words(part)
    assert BINDINGS["shared"] not in words(part)
    none = replace(RECORD, criteria=(replace(STYLE, cells=CELLS[:3]),))
    assert "None: every cell" in words(section(parsed(build_html(none)), "short"))


def test_many_shortfalls_are_folded_and_none_is_left_out() -> None:
    many = tuple(replace(SHORT, name=f"word {place}") for place in range(OPEN_UP_TO + 1))
    for cells in (many, many[1:]):
        part = section(parsed(build_html(replace(RECORD, criteria=(replace(STYLE, cells=cells),)))), "short")
        [details] = part.iter("details")
        assert (details.get("open") is None) is (len(cells) > OPEN_UP_TO)
        assert [row[0] for row in rows_of(part)] == [one.name for one in cells]


def test_every_cell_stands_in_both_tables(root: ET.Element) -> None:
    assert [row[0] for row in rows_of(section(root, "cells"))] == [one.name for one in CELLS]
    balance = section(root, "balance").findall("details")[-1]
    assert rows_of(balance) == [
        ["happy · both bad", "10", "1.250 → 0.750 ◇"],
        ["happy · both good", "3", f"1.125 → — ◇ {NONE}"],
        ["happy · non-tie", "10", "0.400 → 0.057"],
        ["sad · non-tie", "4", "0.800 → 0.250 ▲"],
    ]
    assert "loudness (not known of any clip)" in words(section(root, "balance"))


def test_a_cell_without_pairs_says_so_once() -> None:
    nothing = tuple(
        LoveRow("Style", name, True, (CellDifference("happy · non-tie", None, None, "the rules admit no pair"),))
        for name in ("lead", "trail")
    )
    part = section(parsed(build_html(replace(RECORD, criteria=(replace(STYLE, differences=nothing),)))), "balance")
    rows = {row[0]: row[1:] for row in rows_of(part.findall("details")[-1])}
    assert rows["happy · non-tie"] == ["10", "— the rules admit no pair"]
    assert rows["sad · non-tie"] == ["4", "— not compared", "— not compared"]


def test_how_it_was_solved_and_what_the_words_mean(root: ET.Element) -> None:
    assert rows_of(section(root, "solved")) == [
        ["Style", "4,321", "64", "no", "27", "27", "1.2 %", "1", "optimal", "12", "3.5 %", "clip 9, clip pair 1"]
    ]
    assert "noise floor Level of the quietest frames." in re.sub(
        "(floor)(Level)", r"\1 \2", words(section(root, "words"))
    )
    tiny = replace(STYLE, solves=(replace(STYLE.solves[0], gap=1e-15),))
    assert rows_of(section(parsed(build_html(replace(RECORD, criteria=(tiny,)))), "solved"))[0][6] == "0 %"


def test_the_worst_of_each_directed_cell() -> None:
    assert directed_cells(STYLE) == {"happy · non-tie": 0.0567, "sad · non-tie": 0.25}
    none = tuple(replace(row, cells=tuple(replace(one, after=None) for one in row.cells)) for row in DIFFERENCES)
    assert set(directed_cells(replace(STYLE, differences=none)).values()) == {None}
    text = words(section(parsed(build_html(replace(RECORD, criteria=(replace(STYLE, differences=none),)))), "release"))
    assert "no chosen pair has a directed difference" in text


def test_hostile_names_are_shown_and_do_nothing() -> None:
    bad = replace(
        STYLE,
        name=HOSTILE,
        cells=tuple(replace(one, name=HOSTILE + one.name, binding=HOSTILE) for one in CELLS),
        differences=(LoveRow(HOSTILE, HOSTILE, True, (CellDifference(HOSTILE, None, None, HOSTILE),)),),
        absent=((HOSTILE, HOSTILE),),
        shares=((HOSTILE, HOSTILE),),
        reuse=replace(STYLE.reuse, label=HOSTILE),
        caps=((HOSTILE, 3),),
        solves=(replace(STYLE.solves[0], ended=HOSTILE),),
    )
    page = build_html(
        BuildRecord(
            name=HOSTILE, version=HOSTILE, goal=0.1, corpora={HOSTILE: 1}, criteria=(bad,), nuisances={HOSTILE: HOSTILE}
        )
    )
    root = parsed(page)
    assert "49" not in re.findall(r"\d+", words(section(root, "release")).replace("7*7", ""))
    assert not {"script", "img"} & {element.tag.rpartition("}")[2] for element in root.iter()}
    assert "\u202e" not in page
    assert "\x00" not in page
    assert page.encode("utf-8")
    assert r"\u202e" in page


def test_a_build_of_nothing_has_a_page() -> None:
    root = parsed(build_html(replace(RECORD, criteria=(), corpora={})))
    assert "0pairs chosen" in words(section(root, "release"))
    assert "Nothing was compared" in words(section(root, "balance"))
