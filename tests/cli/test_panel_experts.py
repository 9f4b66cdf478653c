"""`earmark panel` with a form: from a release of dialogues to a withdrawal list, in two rounds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Earmark
from tests.support.dialogue_panels import fill, right_choices, write_release

from earmark.builders.panels.recipe import preset
from earmark.cli.console import COULD_NOT_RUN, FINE
from earmark.manifests.panel_forms import RIGHT_CHOICES
from earmark.manifests.panels import Asked, Panel, read_panel
from earmark.manifests.release import Release


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return write_release(tmp_path_factory.mktemp("experts") / "release", 30, audio=True)


def test_from_release_to_withdrawals(earmark: Earmark, release: Release, tmp_path: Path) -> None:
    at = release.path
    (tmp_path / "one.toml").write_text(preset("speecheq-experts").replace("groups = 5", "groups = 1"), encoding="utf-8")
    said = earmark("panel", "draw", at, "--recipe", tmp_path / "one.toml", "--out", tmp_path / "panel")
    assert (said.code, said.err) == (FINE, "")
    assert "speecheq-experts, 30 items of hand@1.0.0 for 2 raters" in said.out
    panel = read_panel(tmp_path / "panel")
    said = earmark("panel", "sheet", tmp_path / "panel", "--release", at, "--out", tmp_path / "sheets", "--json")
    written = {"items": 90, "clips": 120, "withdrawn": 0, "embedded": True}
    assert json.loads(said.out) == {"raters": list(panel.raters), **written}

    right, unit = right_choices(release), sorted(panel.units)[0]

    def answer(asked: Asked, rater: str) -> str:
        if asked.entry is not None:
            return right[asked.entry.presentation]
        doubts = asked.unit == unit and asked.topic == "audio_quality" and rater == panel.raters[1]
        return "fail" if doubts else "pass"

    back = [fill(tmp_path / f"{rater}.csv", panel, rater, lambda a, r=rater: answer(a, r)) for rater in panel.raters]  # type: ignore[misc]
    words = ("--panel", tmp_path / "panel", "--release", at, "--resamples", 100)
    said = earmark("panel", "read", *back, *words, "--out", tmp_path / "read")
    assert (said.code, said.err) == (FINE, "")
    assert "audio quality" in said.out
    files = ["agreement.json", "criteria.json", "ratings.csv", "withdraw.csv", "withdraw.txt"]
    assert sorted(path.name for path in (tmp_path / "read").iterdir()) == files
    value = json.loads((tmp_path / "read" / "criteria.json").read_text(encoding="utf-8"))
    limits = {limit["criterion"]: limit for limit in value["limits"]}
    names = [criterion.slug for criterion in panel.criteria]
    assert list(limits) == [*names, RIGHT_CHOICES, "any"]
    assert (limits["any"]["failed"], limits["any"]["looked_at"], limits["any"]["unseen"]) == (1, 15, 15)
    assert 0 < limits["any"]["rate"] < 1
    shares = {entry["slice"]: entry["value"] for entry in value["metrics"] if entry["metric"] == "passed"}
    assert shares["criterion:audio_quality"] == pytest.approx(29 / 30, abs=1e-6)
    assert shares[f"criterion:{RIGHT_CHOICES}"] == 1
    items = sorted(entry.item for entry in panel.units[unit])
    assert (tmp_path / "read" / "withdraw.txt").read_text(encoding="utf-8").split() == items

    # The second round asks both of them what they disagreed on, and nothing else.
    disputed = [word for path in back for word in ("--disputed", path)]
    words_of_sheet = ("--release", at, "--out", tmp_path / "again", "--json")
    said = earmark("panel", "sheet", tmp_path / "panel", *disputed, *words_of_sheet)
    assert json.loads(said.out)["items"] == 1
    again = []
    for rater in panel.raters:
        head, line = (tmp_path / "again" / f"{rater}.csv").read_text(encoding="utf-8").split()
        (tmp_path / f"{rater}-again.csv").write_text(f"{head}\n{line}pass\n", encoding="utf-8")
        again += ["--reconciled", tmp_path / f"{rater}-again.csv"]
    said = earmark("panel", "read", *back, *again, *words, "--out", tmp_path / "read-again", "--json")
    assert said.code == FINE
    criteria = json.loads(said.out)["criteria"]
    assert criteria["failures"] == []
    later = {entry["slice"]: entry for entry in criteria["metrics"] if entry["metric"] == "passed_reconciled"}
    assert later["criterion:audio_quality"]["value"] == 1
    assert (tmp_path / "read-again" / "withdraw.txt").read_text(encoding="utf-8") == ""


def test_no_second_round(earmark: Earmark, release: Release, tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text(preset("speecheq-experts").replace("groups = 5", "groups = 1"), encoding="utf-8")
    words = ("--recipe", tmp_path / "one.toml", "--out", tmp_path / "panel", "--quiet")
    assert earmark("panel", "draw", release.path, *words).code == FINE
    panel: Panel = read_panel(tmp_path / "panel")
    back = fill(tmp_path / "one.csv", panel, panel.raters[0], lambda asked: "1" if asked.entry is not None else "pass")
    said = earmark(
        "panel", "sheet", tmp_path / "panel", "--release", release.path, "--out", tmp_path / "again", "--disputed", back
    )
    assert (said.code, said.err.count("\n")) == (COULD_NOT_RUN, 1)
    assert "the raters disagree on nothing" in said.err
    assert not (tmp_path / "again").exists()


@pytest.mark.parametrize("name", ["speecheq-experts", "speecheq-ranking"])
def test_recipes_are_printed(earmark: Earmark, name: str) -> None:
    assert preset(name).isascii()
    assert earmark("panel", "draw", "--preset", name, "--print-recipe") == (FINE, preset(name), "")
