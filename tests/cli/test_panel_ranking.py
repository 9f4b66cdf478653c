"""`earmark panel` with a ranking: from prediction files to how far metrics go with people."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Earmark
from tests.support.dialogue_panels import fill, write_release, write_submission

from earmark.cli.console import COULD_NOT_RUN, FINE, FOUND
from earmark.manifests.panels import Asked, read_panel
from earmark.manifests.release import Release


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return write_release(tmp_path_factory.mktemp("ranking") / "release", 15, audio=True)


@pytest.fixture(scope="module")
def submissions(release: Release, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three systems, the first the best and the last the worst."""
    folder = tmp_path_factory.mktemp("submissions")
    groups = sorted({str(row["group"]) for row in release.table("items").to_pylist()})
    return [
        write_submission(
            folder / f"{n}.jsonl", release, {g: (k >= n, k >= 4 * n) for k, g in enumerate(groups)}, judge=f"maker {n}"
        )
        for n in range(3)
    ]


def test_from_prediction_files_to_correlations(
    earmark: Earmark, release: Release, submissions: list[Path], tmp_path: Path
) -> None:
    given = [word for file in submissions for word in ("--submission", file)]
    at = ("--release", release.path)
    said = earmark("panel", "draw", release.path, "--preset", "speecheq-ranking", *given, "--out", tmp_path / "panel")
    assert (said.code, said.err) == (FINE, "")
    panel = read_panel(tmp_path / "panel")
    assert [system.name for system in panel.systems] == ["maker 0", "maker 1", "maker 2"]
    said = earmark("panel", "sheet", tmp_path / "panel", *at, "--out", tmp_path / "sheets", "--json")
    assert json.loads(said.out)["items"] == 45
    assert "maker" not in (tmp_path / "sheets" / "rater-1.html").read_text(encoding="utf-8")

    def places(asked: Asked) -> str:
        assert asked.system is not None
        return {"maker 0": "1", "maker 1": "2", "maker 2": "2"}[asked.system.name]

    back = [fill(tmp_path / f"{rater}.csv", panel, rater, places) for rater in panel.raters]
    words = ("--panel", tmp_path / "panel", *at, "--resamples", 100)
    said = earmark("panel", "read", *back, *words, *given, "--out", tmp_path / "read")
    assert (said.code, said.err) == (FINE, "")
    assert "Kendall's W: 1.000" in said.out
    assert sorted(path.name for path in (tmp_path / "read").iterdir()) == ["agreement.json", "ranking.json"]
    value = json.loads((tmp_path / "read" / "ranking.json").read_text(encoding="utf-8"))
    ranks = {entry["slice"]: entry["value"] for entry in value["metrics"] if entry["metric"] == "mean_rank"}
    assert ranks == {"system:maker 0": 1, "system:maker 1": 2.5, "system:maker 2": 2.5}
    correlations = {entry["metric"]: entry for entry in value["correlations"]}
    assert correlations["acc_1"]["values"] == pytest.approx([1, 14 / 15, 13 / 15], abs=1e-5)
    assert correlations["acc_traj"]["rho"] == pytest.approx(0.75**0.5, abs=1e-5)

    said = earmark("panel", "read", *back, *words, "--out", tmp_path / "alone")
    assert said.code == FINE
    assert "Metrics are set beside people where the prediction files of all systems are given." in said.out
    stranger = tmp_path / "stranger.jsonl"
    stranger.write_text("{}\n", encoding="utf-8")
    said = earmark("panel", "read", *back, *words, "--submission", stranger, "--out", tmp_path / "odd", "--json")
    assert (said.code, json.loads(said.out)["counts"]) == (FOUND, {"panel.other-submission": 1})


def test_what_cannot_run(earmark: Earmark, release: Release, submissions: list[Path], tmp_path: Path) -> None:
    draw = ("panel", "draw", release.path, "--preset", "speecheq-ranking", "--out", tmp_path / "panel")
    said = earmark(*draw, "--submission", submissions[0], "--json")
    assert (said.code, json.loads(said.out)["counts"]) == (FOUND, {"panel.systems": 1})
    said = earmark(*draw, "--submission", tmp_path / "nowhere.jsonl")
    assert (said.code, said.out, said.err.count("\n")) == (COULD_NOT_RUN, "", 1)
    assert list(tmp_path.iterdir()) == []
