"""`earmark compare`: differences, groups and tables written whole, and an exit code that says whether the files were good."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from tests.cli.conftest import Earmark
from tests.scoring.comparing.judges import judge
from tests.support.tiny import write_tiny_release

from earmark.cli.console import COULD_NOT_RUN, FINE, FOUND
from earmark.manifests.families.stance import STANCE
from earmark.manifests.release import Release

QUICK = ("--resamples", "100", "--metric", "balanced_accuracy", "--metric", "failure_rate")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return write_tiny_release(tmp_path_factory.mktemp("tiny") / "release", items=24, transcripts=True)


@pytest.fixture(scope="module")
def files(tiny: Release, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("judges")
    heard = [judge(tiny, folder, name, skill=skill) for name, skill in (("owl", 1.0), ("=wren", 0.2))]
    return [*heard, judge(tiny, folder, "reader", skill=0.8, fails=0.1, protocol="both-orders-transcript")]


def test_it_says_who_differs_and_writes_everything(
    earmark: Earmark, tiny: Release, files: list[Path], tmp_path: Path
) -> None:
    out, tables = tmp_path / "deep" / "out", tmp_path / "tables"
    words = ("compare", *files, "--release", tiny.path, "--out", out, "--tables", tables, "--matched", *QUICK)
    said = earmark(*words)
    assert (said.code, said.err) == (FINE, "")
    assert "tiny 1.0.0, 3 judges" in said.out
    assert "audio  balanced accuracy" in said.out
    assert "transcript" in said.out
    assert "items that all owe are kept. Without a valid answer by reader" in said.out
    assert {path.name for path in out.iterdir()} == {"comparison.html", "comparison.json", "lost.csv"}
    kinds = {path.suffix for path in tables.iterdir()}
    assert kinds == {".csv", ".md", ".tex"}
    assert len(list(tables.iterdir())) == 36
    with (tables / "judges.csv").open(encoding="utf-8", newline="") as file:
        names = [row["judge"] for row in csv.DictReader(file)]
    assert names == ["owl", "'=wren", "reader, both-orders-transcript"]
    value = json.loads((out / "comparison.json").read_text(encoding="utf-8"))
    assert value["use"] == {"intended": STANCE.intended_use, "out_of_scope": STANCE.out_of_scope}
    (not_for,) = (line for line in said.out.splitlines() if line.startswith("Out of scope: "))
    assert STANCE.out_of_scope.startswith(not_for.removeprefix("Out of scope: "))
    assert not_for.endswith("no surveillance.")
    assert value["signature"]["matched"] is True
    assert [one["letters"] for one in value["groups"] if one["metric"] == "balanced_accuracy"][-1] == ["a", "b"]
    again = earmark(*words)
    assert again.code == COULD_NOT_RUN
    assert "exists; choose another folder" in again.err
    before = (out / "comparison.json").read_bytes(), (out / "comparison.html").read_bytes()
    assert earmark(*words, "--force", "--quiet") == (FINE, "", "")
    assert ((out / "comparison.json").read_bytes(), (out / "comparison.html").read_bytes()) == before


def test_machines_get_one_document(earmark: Earmark, tiny: Release, files: list[Path], tmp_path: Path) -> None:
    said = earmark("compare", *files[:2], "--release", tiny.path, "--out", tmp_path / "out", *QUICK, "--json")
    value = json.loads(said.out)
    assert value["comparison"] == json.loads((tmp_path / "out" / "comparison.json").read_text(encoding="utf-8"))
    assert [Path(name).name for name in value["written"]] == ["comparison.json", "comparison.html"]


def test_a_bad_file_is_compared_and_said(earmark: Earmark, tiny: Release, files: list[Path], tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text(files[0].read_text(encoding="utf-8") + '{"presentation_id": "nobody", "choice": "P"}\n', "utf-8")
    said = earmark("compare", files[1], bad, "--release", tiny.path, "--out", tmp_path / "out", *QUICK)
    assert said.code == FOUND
    assert "submission.unknown-id" in said.err
    assert (tmp_path / "out" / "comparison.json").is_file()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda files: files[:1], "a comparison is of 2 to 50 submissions, not of 1"),
        (lambda files: files * 20, "a comparison is of 2 to 50 submissions, not of 60"),
        (lambda files: [*files[:2], "--metric", "accurcy"], "accurcy"),
        (lambda files: [files[0], Path("gone.jsonl")], "gone.jsonl is not there"),
        (lambda files: [*files[:2], "--protocol", "none"], "none"),
    ],
)
def test_what_cannot_be_compared_is_one_line(
    earmark: Earmark, tiny: Release, files: list[Path], tmp_path: Path, change: object, why: str
) -> None:
    assert callable(change)
    said = earmark("compare", *change(files), "--release", tiny.path, "--out", tmp_path / "out", "--resamples", "100")
    assert said.code == COULD_NOT_RUN
    assert why in said.err
    assert not (tmp_path / "out").exists()
