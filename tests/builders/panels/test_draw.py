"""Draws from a pairs release with known cells and from the golden stance release."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tests.support.golden import GOLDEN
from tests.support.panel_releases import CROSSED, write_pairs_release

from earmark.builders.panels.draw import Draw, draw_panel
from earmark.builders.panels.recipe import PRESETS, PanelRecipe, panel_recipe, preset
from earmark.manifests.canonical import Json
from earmark.manifests.errors import PrivateSideMissing, Refused, ReleaseError, UnknownName
from earmark.manifests.findings import Findings
from earmark.manifests.panels import read_panel
from earmark.manifests.release import Release, open_release


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return write_pairs_release(tmp_path_factory.mktemp("panel") / "release")


@pytest.fixture(scope="module")
def human(release: Release) -> Draw:
    """The panel of the preset."""
    return draw_panel(release, panel_recipe(tomllib.loads(preset("parapair-human"))), Findings())


def recipe(**sections: Json) -> PanelRecipe:
    return panel_recipe({"panel": {"name": "p"}, **sections})


def truth(release: Release, draw: Draw) -> list[dict[str, str]]:
    """The answer, order and facet of every entry, read from the tables."""
    answers = {row["item_id"]: row for row in release.table("answers").to_pylist()}
    facets = {row["item_id"]: row["facet"] for row in release.table("items").to_pylist()}
    shown = {row["presentation_id"]: row for row in release.table("presentations").to_pylist()}
    rows = []
    for entry in draw.panel.entries:
        assert shown[entry.presentation]["item_id"] == entry.item
        order = shown[entry.presentation]["order"]
        rows.append({**answers[entry.item], "facet": facets[entry.item], "order": order})
    return rows


def test_the_paper_s_panel(release: Release, human: Draw) -> None:
    assert PRESETS == ("parapair-human", "speecheq-experts", "speecheq-ranking")
    assert len(human.panel.raters) == 6
    rows = truth(release, human)
    assert Counter(row["facet"] for row in rows) == dict.fromkeys(("style", "rate", "emphasis", "age", "gender"), 50)
    for facet in ("style", "emphasis", "age", "gender"):
        here = [row for row in rows if row["facet"] == facet]
        assert sum(row["gold"] == "tie" for row in here) == 25
        kinds = Counter(row["kind"] for row in here)
        assert facet == "emphasis" or abs(kinds["both_good"] - kinds["both_bad"]) == 1
        assert sum(row["transcript"] == "same" for row in here) == 25
        for kind in kinds:
            for transcript in ("same", "cross"):
                cell = [row for row in here if (row["kind"], row["transcript"]) == (kind, transcript)]
                if kind == "non_tie":  # position is where the preferred clip stands
                    places = Counter((row["gold"] == "first") == (row["order"] == "12") for row in cell)
                else:
                    places = Counter(row["order"] == "12" for row in cell)
                assert abs(places[True] - places[False]) <= 1
    rate = [row for row in rows if row["facet"] == "rate"]
    assert sum((row["gold"] == "first") == (row["order"] == "12") for row in rate) == 25


def test_the_report_counts_what_was_drawn(release: Release, human: Draw) -> None:
    rows = Counter((row["facet"], (row["kind"], row["transcript"])) for row in truth(release, human))
    assert {(cell.facet, cell.cell[1:]): cell.drawn for cell in human.cells} == rows
    for cell in human.cells:
        assert cell.available == CROSSED[cell.facet, cell.cell[1], cell.cell[2]]
        assert sum(cell.positions.values()) == cell.drawn
    value = human.as_json()
    assert (value["items"], value["checks"]) == (250, 0)
    assert "gold" not in str(value["columns"])


def test_drawn_again_it_is_the_same_and_another_seed_draws_others(release: Release, human: Draw) -> None:
    toml = tomllib.loads(preset("parapair-human"))
    assert draw_panel(release, panel_recipe(toml), Findings()).panel == human.panel
    toml["panel"]["seed"] = 2
    other = draw_panel(release, panel_recipe(toml), Findings()).panel
    assert {entry.item for entry in other.entries} != {entry.item for entry in human.panel.entries}
    assert other.secret != human.panel.secret


def test_further_items_only_push_out_by_outranking(human: Draw, release: Release, tmp_path: Path) -> None:
    grown = ("style", "both_good", "cross")
    larger = write_pairs_release(tmp_path / "larger", {**CROSSED, grown: 40})
    after = draw_panel(larger, panel_recipe(tomllib.loads(preset("parapair-human"))), Findings())
    old = {entry.item for entry in human.panel.entries}
    new = {entry.item for entry in after.panel.entries}
    known = {row["item_id"] for row in release.table("items").to_pylist()}
    answers = {row["item_id"]: row for row in release.table("answers").to_pylist()}
    assert new & known <= old
    assert {(answers[item]["kind"], answers[item]["transcript"]) for item in old - new} <= {grown[1:]}
    assert {e for e in human.panel.entries if e.item in new} <= set(after.panel.entries) or old - new


def test_raters_have_orders_and_ids_of_their_own(human: Draw) -> None:
    first, second = (human.panel.sheet(rater) for rater in human.panel.raters[:2])
    assert [entry for _, entry in first] != [entry for _, entry in second]
    assert {entry for _, entry in first} == {entry for _, entry in second} == set(human.panel.entries)
    assert not {id for id, _ in first} & {id for id, _ in second}
    # Nobody gets an item twice, so nobody its swapped twin.
    assert len({entry.item for entry in human.panel.entries}) == len(human.panel.entries)


def test_controls_are_checks(release: Release) -> None:
    draw = draw_panel(release, recipe(quotas={"facets": {"age": 4}}, checks={"controls": 3}), Findings())
    checks = [row for row, entry in zip(truth(release, draw), draw.panel.entries, strict=True) if entry.check]
    assert [row["facet"] for row in checks] == ["control"] * 3
    assert len(draw.panel.entries) == 7


def test_stance_orders_do_not_go_with_the_gold() -> None:
    golden = open_release(GOLDEN / "release")
    draw = draw_panel(golden, recipe(quotas={"items": 2}, balance={"columns": ["gold"]}), Findings())
    rows = truth(golden, draw)
    assert Counter(row["gold"] for row in rows) == {"P": 9, "N": 9}
    places = Counter((row["gold"], row["order"]) for row in rows)
    assert max(places.values()) - min(places.values()) <= 1


def test_a_written_panel_is_read_back(human: Draw, tmp_path: Path) -> None:
    (tmp_path / "panel.json").write_text(human.panel.text(), encoding="utf-8")
    assert read_panel(tmp_path) == human.panel
    said = (tmp_path / "panel.json").read_text(encoding="utf-8")
    assert not [word for word in ("non_tie", "both_", "same", "cross", "gold") if word in said]


def test_uneven_cells_are_said(tmp_path: Path) -> None:
    cells = {("style", "non_tie", "same"): 9, ("style", "non_tie", "cross"): 1, ("style", "both_good", "cross"): 9}
    cells |= {("style", "both_bad", "cross"): 9, ("style", "both_bad", "same"): 9}
    findings = Findings()
    columns = ["tie", "kind", "transcript"]
    draw_panel(
        write_pairs_release(tmp_path / "r", cells), recipe(quotas={"items": 16}, balance={"columns": columns}), findings
    )
    assert [(f.code.name, f.id, f.found, f.expected) for f in findings] == [
        ("panel.absent-cell", "style tie both_good same", "0 items", "as many as its siblings"),
        ("panel.short-cell", "style decided non_tie cross", "1 items", "4 for an even share"),
    ]


def refused(release: Release, recipe: PanelRecipe) -> list[tuple[str, str | None, str | None, str | None]]:
    with pytest.raises(Refused) as caught:
        draw_panel(release, recipe, Findings())
    return [(f.code.name, f.id, f.found, f.expected) for f in caught.value.findings]


def test_impossible_quotas_are_said_all_at_once(release: Release) -> None:
    wanted = {"items": 61, "facets": {"style": 500, "gender": 0, "smell": 1}}
    assert refused(release, recipe(quotas=wanted, checks={"controls": 9})) == [
        ("panel.too-few", "control", "8 items", "9 or more"),
        ("panel.too-few", "rate", "60 items", "61 or more"),
        ("panel.too-few", "style", "120 items", "500 or more"),
        ("panel.unknown-facet", "smell", None, "one of age, emphasis, gender, rate, style"),
    ]
    assert refused(release, recipe(quotas={})) == [("panel.nothing", "[quotas]", None, "items or facets of 1 or more")]


def test_an_item_without_an_answer(tmp_path: Path) -> None:
    damaged = write_pairs_release(tmp_path / "r", {("style", "non_tie", "same"): 3})
    pq.write_table(damaged.table("answers").slice(1), damaged.file("answers"))
    with pytest.raises(ReleaseError, match="has no answer; `earmark validate` says what else is wrong"):
        draw_panel(damaged, recipe(quotas={"items": 1}), Findings())


def test_what_a_release_cannot_be_asked(release: Release) -> None:
    wrong = recipe(quotas={"items": 1}, balance={"columns": ["transcripts"]})
    assert refused(release, wrong) == [("panel.unknown-column", "[balance]", "transcripts", "did you mean transcript?")]
    golden = open_release(GOLDEN / "release")
    words = panel_recipe({"panel": {"name": "p", "protocol": "both-orders-transcript"}, "quotas": {"items": 1}})
    assert refused(golden, words) == [("panel.not-audio", "both-orders-transcript", "transcript", "audio")]
    with pytest.raises(UnknownName, match="no protocol named 'x'"):
        draw_panel(golden, panel_recipe({"panel": {"name": "p", "protocol": "x"}, "quotas": {}}), Findings())
    with pytest.raises(PrivateSideMissing):
        draw_panel(Release(golden.path, golden.manifest, Path("nowhere")), recipe(quotas={"items": 1}), Findings())
