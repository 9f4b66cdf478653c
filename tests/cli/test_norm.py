"""`earmark norm freeze`, and `score` with a norm of one's own and against another submission."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Earmark
from tests.support.dialogue_releases import some_dialogues, write_dialogue_release

from earmark.cli.console import COULD_NOT_RUN, FINE, FOUND
from earmark.manifests.release import Release
from earmark.manifests.report import MetricEntry, Report
from earmark.scoring.baselines import write_predictions
from earmark.scoring.decisions import owed_presentations
from earmark.scoring.dialogues import BASELINES
from earmark.scoring.norms import read_norm


def report(path: Path, judge: str | None, value: float | None) -> Path:
    entry = MetricEntry(metric="acc_traj", facet="overall", value=value, n=8, reason=None if value else "no rows")
    Report(
        signature={"family": "dialogues"},
        submission={"judge": {"name": judge} if judge else {}},
        label_source="tones",
        headline="acc_traj",
        counts={},
        metrics=(entry,),
    ).write(path)
    return path


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return write_dialogue_release(tmp_path_factory.mktemp("norms") / "release", some_dialogues(15))


@pytest.fixture(scope="module")
def files(release: Release, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("files")
    owed = owed_presentations(release, release.protocol())
    for rule in BASELINES[1:3]:
        assert write_predictions(rule, release, owed, folder / f"{rule.stem}.jsonl") is None
    return sorted(folder.iterdir())


def test_a_norm_is_frozen_and_reports_are_held_against_it(
    earmark: Earmark, release: Release, files: list[Path], tmp_path: Path
) -> None:
    reports = [report(tmp_path / f"{n}.json", ("Owl", "Owl", None)[n], (2 + n) / 8) for n in range(3)]
    out = tmp_path / "ours.norm.json"
    said = earmark("norm", "freeze", *reports, "--name", "ours", "--out", out)
    assert (said.code, said.err) == (FINE, "")
    norm = read_norm(out)
    assert [system.name for system in norm.systems] == ["2", "Owl", "Owl (2)"]
    assert norm.id in said.out
    assert "median 0.3750, MAD 0.1250" in said.out
    assert "40 is out of reach" in said.out
    again = earmark("norm", "freeze", *reports, "--name", "ours", "--out", out)
    assert again.code == COULD_NOT_RUN
    assert "a frozen norm is not written over" in again.err
    as_json = json.loads(earmark("norm", "freeze", *reports, "--name", "more", "--out", tmp_path / "m", "--json").out)
    assert (as_json["systems"], as_json["written"]) == (3, str(tmp_path / "m"))
    words = ("score", files[0], "--release", release.path, "--resamples", 100, "--norm", out)
    marked = earmark(*words, "--out", tmp_path / "marks", "--against", files[1])
    assert (marked.code, marked.err) == (FINE, "")
    assert f"SEQ of all facets is relative to the norm {norm.id}" in marked.out
    metrics = json.loads((tmp_path / "marks" / "report.json").read_bytes())["metrics"]
    slices = {metric["slice"] for metric in metrics if metric["metric"] == "difference_acc_traj"}
    assert slices == {"against:quieter"}


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["--name", "Ours"], FOUND, "norm.name"),
        (["--name", "ours", "--facet", "interpersonal_empathy"], FOUND, "norm.no-figure"),
        (["--name", "ours", "--facet", "empathy"], FOUND, "a share: acc_traj of one of overall"),
        (["--name", "ours", "--metric", "acctraj"], FOUND, "a share: one of acc_traj"),
        (["--name", "ours", "--version", "1"], FOUND, "three numbers"),
    ],
)
def test_what_is_no_norm_is_refused(earmark: Earmark, tmp_path: Path, words: list[str], code: int, says: str) -> None:
    reports = [report(tmp_path / f"{n}.json", f"j{n}", 0.5) for n in range(2)]
    said = earmark("norm", "freeze", *reports, "--out", tmp_path / "norm.json", *words)
    assert said.code == code
    assert says in said.err
    assert not (tmp_path / "norm.json").exists()


def test_files_that_are_none_are_said(earmark: Earmark, release: Release, files: list[Path], tmp_path: Path) -> None:
    words = ("score", files[0], "--release", release.path, "--out", tmp_path / "marks")
    for option, file, code, says in (
        ("--against", tmp_path / "none.jsonl", COULD_NOT_RUN, "is not there"),
        ("--norm", tmp_path / "none.json", COULD_NOT_RUN, "is not there"),
        ("--norm", files[1], FOUND, "norm.unreadable"),
    ):
        said = earmark(*words, option, file)
        assert said.code == code
        assert says in said.err
    assert not (tmp_path / "marks").exists()
    said = earmark("norm", "freeze", files[0], "--name", "ours", "--out", tmp_path / "norm.json")
    assert said.code == COULD_NOT_RUN
    assert "is no report" in said.err
    said = earmark("norm", "freeze", tmp_path, "--name", "ours", "--out", tmp_path / "norm.json")
    assert said.code == COULD_NOT_RUN
    assert "is a folder; a report is the report.json in one" in said.err


def test_a_family_without_them_says_so(
    earmark: Earmark, miniature_release: Release, predictions: Path, tmp_path: Path
) -> None:
    words = ("score", predictions, "--release", miniature_release.path, "--out", tmp_path / "marks")
    said = earmark(*words, "--against", predictions)
    assert said.code == COULD_NOT_RUN
    assert "the family stance does not set one submission against another" in said.err
    reports = [report(tmp_path / f"{n}.json", f"j{n}", (1 + n) / 8) for n in range(2)]
    assert earmark("norm", "freeze", *reports, "--name", "ours", "--out", tmp_path / "norm.json").code == FINE
    said = earmark(*words, "--norm", tmp_path / "norm.json")
    assert said.code == COULD_NOT_RUN
    assert "has no score that is relative to a norm" in said.err


def test_what_was_got_of_each_dialogue_is_written_where_it_is_asked_for(
    earmark: Earmark, release: Release, miniature_release: Release, predictions: Path, files: list[Path], tmp_path: Path
) -> None:
    words = ("score", files[0], "--release", release.path, "--resamples", 100)
    assert earmark(*words, "--out", tmp_path / "plain").code == FINE
    assert {path.name for path in (tmp_path / "plain").iterdir()} == {"report.json", "report.html"}
    marked = earmark(*words, "--out", tmp_path / "marks", "--items")
    assert (marked.code, marked.err) == (FINE, "")
    table = tmp_path / "marks" / "items.csv"
    assert f"items   {table}" in marked.out
    head, *rows = table.read_text(encoding="utf-8").splitlines()
    assert (head.split(",")[:3], len(rows)) == (["group", "item_1", "item_2"], 15)
    as_json = json.loads(earmark(*words, "--out", tmp_path / "json", "--items", "--json").out)
    assert as_json["written"][-1] == str(tmp_path / "json" / "items.csv")
    of_stance = ("score", predictions, "--release", miniature_release.path, "--out", tmp_path / "stance", "--items")
    refused = earmark(*of_stance)
    assert (refused.code, (tmp_path / "stance").exists()) == (COULD_NOT_RUN, False)
    assert "stance does not list" in refused.err
