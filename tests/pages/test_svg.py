"""Drawings: deterministic, self-contained, accessible, coloured by the page."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import matplotlib as mpl
import pytest
from tests.pages.samples import parsed, stance_figures, stance_page, stance_report

from earmark.pages.svg import COLOURS, INK, axes_over, render, write


def plain(text: str = "words") -> str:
    def draw(drawing: object) -> None:
        write(axes_over(drawing), 50, 20, text, INK)  # type: ignore[arg-type]  # tests need no matplotlib types

    return render(100, 40, draw, title="A <title>", description='with "quotes" & more')


def figures() -> list[str]:
    return [panel for _, figure in stance_figures(stance_report()) for panel in figure.panels]


@pytest.fixture(scope="module")
def panels() -> list[str]:
    return figures()


def test_a_drawing_says_what_it_shows() -> None:
    root = parsed(plain())
    names = [child.tag.rpartition("}")[2] for child in root][:2]
    assert names == ["title", "desc"]
    assert root[0].text == "A <title>"
    assert root[1].text == 'with "quotes" & more'
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"] == 'A <title>. with "quotes" & more'


def test_one_unit_is_one_pixel() -> None:
    root = parsed(plain())
    assert (root.attrib["viewBox"], root.attrib["width"], root.attrib["height"]) == ("0 0 100 40", "100", "40")
    (text,) = [element for element in root.iter() if element.tag.endswith("}text")]
    assert float(text.attrib["x"]) == 50
    assert 20 < float(text.attrib["y"]) < 26  # the baseline of a line centred on 20


@pytest.mark.parametrize(
    "text", ["$x^2$", "<script>alert(1)</script>", "漢字 🙂", "#010101", "'DejaVu Sans'", 'id="x" url(#y)']
)
def test_text_stays_as_it_is(text: str) -> None:
    root = parsed(plain(text))
    assert [element.text for element in root.iter() if element.tag.endswith("}text")] == [text]


def test_nothing_of_the_making_is_left(panels: list[str]) -> None:
    for panel in panels:
        for trace in ("<metadata", "Matplotlib", "DejaVu", "<style", "<?xml", "<!DOCTYPE", "<script", "xlink", "http"):
            assert trace not in panel.replace('xmlns="http://www.w3.org/2000/svg"', ""), trace
        assert not any(colour.placeholder in panel for colour in COLOURS)
        assert not re.search(r"(?:fill|stroke)(?::|=\")#", panel), "a colour that no page can change"


def test_ids_are_unique_on_a_page_and_resolve(panels: list[str]) -> None:
    roots = [parsed(panel) for panel in panels]
    ids = [element.attrib["id"] for root in roots for element in root.iter() if "id" in element.attrib]
    references = {name for panel in panels for name in re.findall(r'(?:href="#|url\(#)([^")]+)', panel)}
    assert len(ids) == len(set(ids))
    assert references == set(ids)


def test_coordinates_are_rounded(panels: list[str]) -> None:
    for panel in panels:
        paths = " ".join(re.findall(r' (?:d|x|y)="([^"]*)"', panel))
        assert not re.search(r"\.\d{3}", paths)
        assert " -0 " not in paths


def test_the_users_settings_change_nothing_and_are_left_alone() -> None:
    before = plain()
    with mpl.rc_context({"font.size": 30, "svg.fonttype": "path", "text.usetex": True, "axes.facecolor": "red"}):
        assert plain() == before
        assert mpl.rcParams["font.size"] == 30


def test_equal_drawings_are_equal_bytes_in_every_process(panels: list[str]) -> None:
    root = Path(__file__).resolve().parents[2]
    program = (
        "import hashlib; from tests.pages.samples import stance_page; "
        "print(hashlib.sha256(stance_page().encode()).hexdigest())"
    )
    # Nobody's own clock is set like that, so this process and the other one differ in all that could tell.
    settings = {"PYTHONHASHSEED": "4242", "TZ": "Pacific/Chatham", "SOURCE_DATE_EPOCH": "1700000000"}
    other = subprocess.run(
        [sys.executable, "-c", program],
        cwd=root,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert other.strip() == hashlib.sha256(stance_page().encode()).hexdigest()
    assert figures() == panels
