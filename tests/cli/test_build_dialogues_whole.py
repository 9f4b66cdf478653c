"""Dialogues from a recipe to a report, offline, by nobody's hand: made, validated, presented, judged by rule and marked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Earmark
from tests.support.miniature import files_of

from earmark.cli.console import FINE
from earmark.manifests.declarations import MODALITIES
from earmark.manifests.release import open_release

RECIPE = """
[release]
name = "whole"
version = "1.0.0"
[dialogues]
subscales = ["interpersonal_empathy", "stress_management_optimism"]
per_subscale = 2
"""


@pytest.mark.slow
def test_dialogues_from_a_recipe_to_a_report(earmark: Earmark, tmp_path: Path) -> None:
    pytest.importorskip("espeakng_loader", reason="the extra `voice` is not installed")
    pytest.importorskip("parselmouth", reason="the extra `build` is not installed")
    (tmp_path / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    words = ("build", "dialogues", "--recipe", tmp_path / "recipe.toml", "--out")
    said = earmark(*words, tmp_path / "out", "--quiet")
    assert (said.code, said.out) == (FINE, ""), said.err
    assert earmark("validate", tmp_path / "out", "--quiet") == (FINE, "", "")
    release = open_release(tmp_path / "out")
    assert {facet.id: facet.items for facet in release.manifest.facets} == {
        "interpersonal_empathy": 4,
        "stress_management_optimism": 4,
    }
    assert {entry.modality for entry in release.manifest.protocols} == set(MODALITIES)
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "out.work" / "clips").rglob("*.wav")}
    assert kept

    again = earmark(*words, tmp_path / "out", "--quiet", "--force")
    assert again.code == FINE
    assert files_of(tmp_path / "out") == files_of(tmp_path / "out.old")
    assert {path: path.stat().st_mtime_ns for path in kept} == kept, "nothing was rendered again"

    for protocol in ("sequential-2", "sequential-4-transcript", "direct-oracle"):
        folder = tmp_path / protocol
        assert earmark("present", release.path, "--protocol", protocol, "--out", folder, "--quiet").code == FINE
        head, *_ = (folder / "sample_submission.jsonl").read_text(encoding="utf-8").splitlines()
        requests = [json.loads(line) for line in (folder / "requests.jsonl").read_text(encoding="utf-8").splitlines()]
        lines = [json.dumps({"presentation_id": request["presentation_id"], "choice": "1"}) for request in requests]
        (folder / "always.jsonl").write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
        scored = earmark(
            "score", folder / "always.jsonl", "--release", release.path, "--out", folder / "marks", "--resamples", 100
        )
        assert scored.code == FINE, scored.err
        report = json.loads((folder / "marks" / "report.json").read_text(encoding="utf-8"))
        assert report["counts"]["overall"]["ok"] == len(requests)
        at_turn_4 = {row["value"] for row in report["metrics"] if row["metric"] == "acc_1"}
        assert at_turn_4 == {0.5}, "whoever always takes the first is right in one of the two orders"
