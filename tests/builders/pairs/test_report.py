"""The manifest's section and the summary: they count the very pairs that were chosen, and say only rules that hold."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.builders.pairs.small_build import RECIPE, Build, small_build

from earmark.builders.pairs.report import followed, pairing_section, stored_cells


@pytest.fixture(scope="module")
def build() -> Build:
    return small_build()


def test_the_summary_counts_the_pairs(build: Build) -> None:
    [group] = build.chosen
    pairs = group.allocation.pairs
    cells = [group.cells[number] for number in pairs.cell.tolist()]
    assert build.report["pairs"] == {
        "style": {f"{cell.kind} {cell.transcript}": 0 for cell in group.cells}
        | Counter(f"{cell.kind} {cell.transcript}" for cell in cells)
    }
    short = [report for report in group.allocation.cells if report.filled < (report.demand or 0)]
    assert build.report["cells"] == {"all": len(group.cells), "short": len(short)}
    assert short
    assert build.report["utterances"] == {"expresso": 64}


def test_the_summary_says_the_graph_and_the_gap(build: Build) -> None:
    [group] = build.chosen
    [solve] = group.allocation.solves
    assert build.report["solved"] == {
        "style": {"pairs considered": solve.edges, "nearest": solve.nearest, "gap": solve.gap},
    }
    shares = build.report["share of one-speaker pairs"]
    assert isinstance(shares, dict)
    assert set(shares) == {"style", "more"}


def test_the_shares_are_those_of_the_pairs(build: Build) -> None:
    """Of every kind of a filled quota, the very part that was said is spoken by one speaker."""
    [group] = build.chosen
    pairs, speaker = group.allocation.pairs, group.pool.speaker
    for number, (cell, report) in enumerate(zip(group.cells, group.allocation.cells, strict=True)):
        here = pairs.cell == number
        same = speaker[pairs.left[here]] == speaker[pairs.right[here]]
        assert same.all() if cell.stratum.speakers == "same" else not same.any()
        assert len(same) == report.filled


def test_stored_cells_differ_and_have_every_pair(build: Build) -> None:
    """Cells that differ in the foil alone are one."""
    [group] = build.chosen
    stored = stored_cells(group)
    assert (
        len({cell.name for cell in stored})
        == len(stored)
        <= len({cell.sort for cell in group.cells})
        < len(group.cells)
    )
    assert sum(cell.filled for cell in stored) == len(group.allocation.pairs)
    assert any(cell.binding for cell in stored)
    for cell in stored:
        assert cell.filled <= cell.feasible <= cell.candidates


def test_only_rules_that_every_pair_follows_are_stored(build: Build) -> None:
    """Some pairs are of one speaker and some are not, so that style has no rule of who speaks."""
    [group] = build.chosen
    kinds = {cell.stratum.speakers for cell in group.cells}
    rules = followed(RECIPE.rules, build.chosen)
    assert ("style" in rules.same_speaker) is (kinds == {"same"})
    assert "rate" in rules.same_speaker
    section = pairing_section(RECIPE, build.chosen)
    assert set(section) == {"cells", "caps", "rules"}
    assert set(section["caps"]) == {"style"}  # type: ignore[arg-type]  # a mapping
