"""`earmark panel`: from a release to ratings, and what each verb says when it cannot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Earmark
from tests.support.editions import next_version
from tests.support.golden import GOLDEN
from tests.support.panel_releases import write_pairs_release

from earmark.builders.panels.recipe import DEFAULT_RECIPE, preset
from earmark.cli.console import COULD_NOT_RUN, FINE, FOUND
from earmark.manifests.panels import read_panel
from earmark.manifests.release import Release

STANCE = GOLDEN / "release"
RECIPE = '[panel]\nname = "mine"\nraters = ["ann", "ben"]\n[quotas]\nitems = 2\n[balance]\ncolumns = ["gold"]\n'


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    (tmp_path / "panel.toml").write_text(RECIPE, encoding="utf-8")
    return tmp_path / "panel.toml"


def fill(sheet: Path, back: Path, choice: str) -> Path:
    head, *lines = sheet.read_text(encoding="utf-8").splitlines()
    back.write_text("\n".join([head, *(line + choice for line in lines)]) + "\n", encoding="utf-8")
    return back


def test_from_release_to_ratings(earmark: Earmark, miniature_release: Release, recipe: Path, tmp_path: Path) -> None:
    at = miniature_release.path
    panel, sheets, rated = tmp_path / "panel", tmp_path / "sheets", tmp_path / "rated"
    said = earmark("panel", "draw", at, "--recipe", recipe, "--out", panel)
    assert (said.code, said.err) == (FINE, "")
    assert said.out.startswith(f"{panel}: mine, 18 items of mini@1.0.0 for 2 raters\n")
    assert sorted(path.name for path in panel.iterdir()) == ["panel.json", "report.json"]

    said = earmark("panel", "sheet", panel, "--release", at, "--out", sheets, "--json")
    written = json.loads(said.out)
    assert (written["raters"], written["items"], written["embedded"]) == (["ann", "ben"], 18, True)

    files = [fill(sheets / f"{rater}.csv", tmp_path / f"{rater}.csv", "P") for rater in ("ann", "ben")]
    words = ("--panel", panel, "--release", at, "--resamples", 100)
    said = earmark("panel", "read", *files, *words, "--out", rated)
    assert (said.code, said.err) == (FINE, "")
    assert "mine: 2 of 2 raters" in said.out
    figures = json.loads((rated / "agreement.json").read_text(encoding="utf-8"))
    found = {entry["metric"]: entry for entry in figures["metrics"] if entry["facet"] == "overall"}
    assert found["observed_agreement"]["value"] == 1
    assert found["human_accuracy"]["value"] == 0.5
    assert found["fleiss_kappa"]["value"] is None
    assert found["fleiss_kappa"]["reason"] == "no item has two labels, or all labels are one"
    lines = (rated / "ratings.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "item_id,rater,rating"
    assert {line.rsplit(",", 1)[1] for line in lines[1:]} == {"1"}

    said = earmark("panel", "read", *files, *words, "--out", tmp_path / "again", "--json")
    assert json.loads(said.out)["agreement"] == figures
    assert (tmp_path / "again" / "ratings.csv").read_bytes() == (rated / "ratings.csv").read_bytes()


def test_a_panel_from_before_a_withdrawal(earmark: Earmark, recipe: Path, tmp_path: Path) -> None:
    new, panel, rated = next_version("stance"), tmp_path / "panel", tmp_path / "rated"
    recipe.write_text(RECIPE.replace("items = 2", "items = 1"), encoding="utf-8")
    assert earmark("panel", "draw", STANCE, "--recipe", recipe, "--out", panel).code == FINE
    drawn = read_panel(panel)
    left = drawn.left_in(new)
    assert left.entries != drawn.entries
    sheet = "".join(f"{asked.id},P\n" for asked in drawn.questions("ann"))
    (tmp_path / "ann.csv").write_text(f"presentation_id,choice\n{sheet}", encoding="utf-8")
    words = ("--panel", panel, "--release", new.path, "--resamples", 100, "--out", rated, "--json")
    said = earmark("panel", "read", tmp_path / "ann.csv", *words)
    gone = len(drawn.entries) - len(left.entries)
    assert (said.code, json.loads(said.out)["counts"]) == (
        FINE,
        {"panel.earlier-release": 1, "panel.no-sheet": 1, "submission.withdrawn": gone},
    )
    lines = (rated / "ratings.csv").read_text(encoding="utf-8").splitlines()
    assert {line.split(",")[0] for line in lines[1:]} == {entry.item for entry in left.entries}


def test_recipes_are_printed(earmark: Earmark) -> None:
    assert earmark("panel", "draw", "--print-recipe") == (FINE, DEFAULT_RECIPE, "")
    assert (DEFAULT_RECIPE + preset("parapair-human")).isascii()  # whatever console it is redirected from
    said = earmark("panel", "draw", "--preset", "parapair-human", "--print-recipe", "--json")
    assert json.loads(said.out) == {"recipe": preset("parapair-human")}


def test_the_preset_draws_from_pairs(earmark: Earmark, tmp_path: Path) -> None:
    write_pairs_release(tmp_path / "pairs")
    words = ("--preset", "parapair-human", "--out", tmp_path / "panel", "--json")
    said = earmark("panel", "draw", tmp_path / "pairs", *words)
    value = json.loads(said.out)
    assert (said.code, value["report"]["items"], value["summary"]["error"]) == (FINE, 250, 0)


def test_impossible_quotas_write_nothing(earmark: Earmark, recipe: Path, tmp_path: Path) -> None:
    recipe.write_text(RECIPE.replace("items = 2", "items = 4"), encoding="utf-8")
    said = earmark("panel", "draw", STANCE, "--recipe", recipe, "--out", tmp_path / "panel", "--json")
    value = json.loads(said.out)
    assert said.code == FOUND
    assert value["counts"] == {"panel.too-few": 8}
    assert value["findings"][0]["found"] == "2 items"
    assert value["findings"][0]["expected"] == "4 or more"
    assert [path.name for path in tmp_path.iterdir()] == ["panel.toml"]


def test_wrong_sheets_are_findings_and_the_rest_is_used(earmark: Earmark, recipe: Path, tmp_path: Path) -> None:
    panel = tmp_path / "panel"
    earmark("panel", "draw", STANCE, "--recipe", recipe, "--out", panel, "--quiet")
    own, other = (read_panel(panel).sheet(rater) for rater in ("ann", "ben"))
    rows = [f"{own[0][0]},P", f"{own[1][0]},N", f"{own[1][0]},P", f"{other[0][0]},P", "pnobody,P", f"{own[2][0]},X"]
    (tmp_path / "ann.csv").write_text("\n".join(["presentation_id,choice", *rows]), encoding="utf-8")
    words = ("--panel", panel, "--release", STANCE, "--out", tmp_path / "rated", "--json", "--resamples", 100)
    said = earmark("panel", "read", tmp_path / "ann.csv", *words)
    value = json.loads(said.out)
    assert said.code == FOUND
    assert value["counts"] == {
        "panel.no-sheet": 1,
        "panel.other-rater": 1,
        "submission.conflicting": 1,
        "submission.missing": 15,
        "submission.unknown-id": 1,
        "submission.unknown-value": 1,
    }
    assert (tmp_path / "rated" / "ratings.csv").read_text(encoding="utf-8").splitlines()[1:] == [
        f"{own[0][1].item},ann,1"
    ]
    words = ("--panel", panel, "--release", STANCE, "--out", tmp_path / "again", "--resamples", 100)
    lines = earmark("panel", "read", tmp_path / "ann.csv", *words).out.splitlines()
    head, row = (next(line.split() for line in lines if line.startswith(start)) for start in ("rater ", "ann "))
    assert head == ["rater", "counted", "not", "counted", "missing", "owed", "checks"]
    assert row[:5] == ["ann", "1", "2", "15", "18"]


def test_what_cannot_run_is_said_in_a_line(earmark: Earmark, recipe: Path, tmp_path: Path) -> None:
    draw = ("panel", "draw", STANCE, "--out", tmp_path / "panel")
    for words, says in (
        (draw, "either --recipe or --preset are needed"),
        ((*draw, "--recipe", recipe, "--preset", "parapair-human"), "either --recipe or --preset are needed"),
        ((*draw, "--preset", "mine"), "no panel preset named 'mine'; there is parapair-human"),
        ((*draw, "--recipe", tmp_path / "nowhere.toml"), "cannot read"),
        (("panel", "draw", tmp_path, "--recipe", recipe, "--out", tmp_path / "p"), "is no release"),
        (("panel", "draw", STANCE, "--recipe", recipe, "--out", tmp_path), "exists; choose another folder"),
        (("panel", "sheet", tmp_path, "--release", STANCE, "--out", tmp_path / "s"), "is no panel"),
        (("panel", "read", recipe, "--panel", tmp_path, "--release", STANCE, "--out", tmp_path / "s"), "is no panel"),
        (("panel", "read", recipe, "--panel", tmp_path, "--release", STANCE, "--out", tmp_path), "exists; choose"),
    ):
        said = earmark(*words)
        assert (said.code, said.out) == (COULD_NOT_RUN, ""), words
        assert says in said.err
        assert said.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["panel.toml"]


def test_audio_is_cut_from_the_corpus_where_it_must(earmark: Earmark, recipe: Path, tmp_path: Path) -> None:
    earmark("panel", "draw", STANCE, "--recipe", recipe, "--out", tmp_path / "panel", "--quiet")
    words = ("panel", "sheet", tmp_path / "panel", "--release", STANCE, "--out", tmp_path / "sheets")
    assert "holds no audio; say where the corpora lie" in earmark(*words).err
    assert "is not NAME=DIR" in earmark(*words, "--corpus", "nowhere").err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["panel", "panel.toml"]
