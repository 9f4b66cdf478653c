"""What came of a build: the worst differences are those of the pairs themselves, and file and page leave out no cell."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from tests.builders.pairs.small_build import RECIPE, Build, small_build
from tests.pages.samples import parsed
from tests.support.speech_miniatures import planned

from earmark.builders.pairing.balance import GOAL, Balance
from earmark.builders.pairs.balance_report import balances, cell_names, pages, record, worst_differences
from earmark.builders.pairs.choosing import Chosen
from earmark.builders.pairs.report import stored_cells
from earmark.manifests.canonical import Json
from earmark.pages.build_page import build_html, directed_cells


@pytest.fixture(scope="module")
def build() -> Build:
    return small_build()


@pytest.fixture(scope="module")
def root(build: Build) -> ET.Element:
    return parsed(build.files["build.html"])


def words(element: ET.Element) -> str:
    return " ".join("".join(element.itertext()).split())


def names_in(root: ET.Element, section: str) -> list[str]:
    part = next(one for one in root.iter("section") if one.get("aria-labelledby") == section)
    return [words(one) for one in part.findall("details/div//tbody/tr/th")]


def directed(group: Chosen) -> dict[int, dict[str, float]]:
    """By cell and nuisance, worked out from the pairs: |mean of fitting less other| over the pooled standard deviation."""
    pairs, values, found = group.allocation.pairs, group.pool.nuisances, {}
    for number, cell in enumerate(group.cells):
        here = pairs.cell == number
        if cell.kind != "non_tie" or not here.any():
            continue
        [selection] = {(s.left.tobytes(), s.right.tobytes()): s for s in group.engine_cells[number].selections}.values()
        units = [
            np.sqrt((values[selection.left, m].var(ddof=1) + values[selection.right, m].var(ddof=1)) / 2)
            for m in (0, 1)
        ]
        means = np.abs((values[pairs.left[here]] - values[pairs.right[here]]).mean(axis=0))
        found[number] = {
            name: float(mean / unit) for name, mean, unit in zip(group.nuisances, means, units, strict=True)
        }
    return found


def test_the_worst_difference_is_that_of_the_pairs(build: Build) -> None:
    [group] = build.chosen
    found = directed(group)
    worst, nuisance = max((value, name) for cell in found.values() for name, value in cell.items())
    said = build.report["balance"]
    assert isinstance(said, dict)
    of_style = said["style"]
    assert isinstance(of_style, dict)
    assert of_style["worst difference, SD"] == pytest.approx(worst)
    assert of_style["nuisance"] == nuisance
    assert of_style["cells"] == len(found)
    assert of_style["cells above 0.1"] == sum(max(cell.values()) > GOAL for cell in found.values())
    assert of_style["cells above 0.1"] > 0


def test_nothing_chosen_is_undefined_not_nought(build: Build) -> None:
    assert worst_differences([], []) == {}
    [balance] = build.found
    bare = Balance(cells=(), clips=balance.clips, speakers=balance.speakers)
    assert worst_differences(build.chosen, [bare]) == {
        "style": {"worst difference, SD": None, "nuisance": None, "cells above 0.1": 0, "cells": 0}
    }


def test_the_file_has_every_cell_and_the_shares(build: Build) -> None:
    machine = json.loads(build.files["build.json"])
    assert machine["summary"] == json.loads(json.dumps(build.report))
    [group] = build.chosen
    style = machine["criteria"]["style"]
    assert [cell["key"] for cell in style["cells"]] == [list(cell.key) for cell in group.cells]
    assert [cell["key"] for cell in style["balance"]["cells"]] == [list(cell.key) for cell in group.cells]
    assert style["nuisances"] == ["seconds", "words"]
    assert style["not compared"] == {"loudness": "not known of any clip"}
    assert style["clips"] == len(group.pool.ids)
    assert style["caps"] == {"clip": group.caps.clip, "clip pair": group.caps.clip_pair}
    assert set(style["shares"]) == {"style", "more"}


def test_cells_have_names_of_their_own(build: Build) -> None:
    [group] = build.chosen
    names = cell_names(group)
    assert len(set(names)) == len(names) == len(group.cells)
    assert "more · sad · both good · same words · two speakers" in names
    assert any(name.endswith("default foil") for name in names)


def test_every_cell_stands_in_the_page(build: Build, root: ET.Element) -> None:
    [group] = build.chosen
    names = cell_names(group)
    assert names_in(root, "cells") == names
    assert names_in(root, "balance")[-len(names) :] == names
    short = {name for name, cell in zip(names, group.allocation.cells, strict=True) if cell.filled < (cell.demand or 0)}
    assert set(names_in(root, "short")) == short != set()
    assert "loudness (not known of any clip)" in words(root)


def test_the_page_adds_up_to_the_plan(build: Build) -> None:
    [group] = build.chosen
    [criterion] = record(RECIPE, build.chosen, build.found, build.report).criteria
    stored = stored_cells(group)
    assert sum(cell.filled for cell in criterion.cells) == len(group.allocation.pairs) == sum(c.filled for c in stored)
    assert (
        sum(cell.demand or 0 for cell in criterion.cells)
        == sum(cell.demand or 0 for cell in stored)
        == 3 * (12 + 12 + 6 + 6 + 90)
    )
    uses = criterion.reuse.clips.histogram
    assert sum(times * clips for times, clips in uses) == 2 * len(group.allocation.pairs)
    names = cell_names(group)
    worst = {names[number]: max(cell.values()) for number, cell in directed(group).items()}
    assert {name: value for name, value in directed_cells(criterion).items() if value is not None} == pytest.approx(
        worst
    )


def test_what_is_undefined_says_the_plainest_reason(build: Build) -> None:
    """Nobody laughs, so that no pair asks for it; that its non-ties would have had two sides is known all the same."""
    [criterion] = record(RECIPE, build.chosen, build.found, build.report).criteria
    cells = {cell.name: cell for cell in criterion.cells}
    assert {cell.candidates for name, cell in cells.items() if "laughing" in name} == {0}
    for row in criterion.differences:
        for found in row.cells:
            cell = cells[found.cell]
            reason = "" if cell.filled else "no pair was chosen" if cell.candidates else "the rules admit no pair"
            assert found.reason == reason
            assert (found.before is None, found.after is None) == (cell.candidates == 0, cell.filled == 0)
            assert row.directed is (cell.kind == "non_tie")


def test_an_equal_build_gives_the_same_bytes(build: Build) -> None:
    assert pages(RECIPE, build.chosen, balances(build.chosen), build.report) == build.files


def test_a_hostile_name_is_escaped(build: Build) -> None:
    hostile = '<script>alert("x")</script>'
    made = record(RECIPE, build.chosen, build.found, {"utterances": {hostile: 3}})
    page = build_html(made)
    assert "<script" not in page
    assert "3 utterances of &lt;script&gt;" in page


def test_a_plan_of_the_miniatures_has_both_files(clean_corpora: Path) -> None:
    pairing: dict[str, Json] = {"allow_shortfall": True, "blocks": ["rate", "emphasis"]}
    plan, _ = planned(clean_corpora, pairing=pairing)
    assert set(plan.pages) == {"build.json", "build.html"}
    text = words(parsed(plan.pages["build.html"]))
    section = plan.recipe["pairing"]
    assert isinstance(section, dict)
    cells = section["cells"]
    assert isinstance(cells, list | tuple)
    assert f"{sum(int(cell['filled']) for cell in cells if isinstance(cell, dict)):,}pairs chosen" in text
    # Length is what rate is about, and nothing else is known without measuring.
    assert "in Rate lead (not known of any clip)" in text
    assert "Rate— no cell has directed differences" in text.replace("Rate—no", "Rate— no")
