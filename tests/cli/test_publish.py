"""`earmark publish`: what was written is said, and so is all that speaks against it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Earmark
from tests.support.golden import GOLDENS
from tests.support.publishable import publishable

from earmark.cli.console import COULD_NOT_RUN, FINE, FOUND
from earmark.manifests.licences import SVC_TERMS
from earmark.manifests.release import Release, open_release

LICENCES = {"svc": SVC_TERMS, "ears": "CC-BY-NC-4.0", "expresso": "CC-BY-NC-4.0"}


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return publishable(tmp_path_factory.mktemp("publish") / "release", "pairs", licences=LICENCES)


def test_what_was_written_is_said(earmark: Earmark, release: Release, tmp_path: Path) -> None:
    out, answers = tmp_path / "below" / "copy", tmp_path / "answers"
    said = earmark("publish", release.path, "--to", out, "--recipes", "--answers-to", answers, "--no-baselines")
    assert (said.code, said.err) == (FINE, "")
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    assert said.out.splitlines()[:7] == [
        f"{out}: mini-pairs 1.0.0",
        "  audio    41 clips",
        "  recipes  20 clips, to be cut by whoever has their corpora",
        "  gold     not published, but can be derived from how clips are cut",
        f"  answers  {answers}: for a repository that only the host reads",
        f"  bytes    {size:,}",
        f"  check    earmark verify {out}",
    ]
    assert earmark("verify", out, "--quiet") == (FINE, "", "")
    assert earmark("verify", answers).out.startswith("answers of mini-pairs 1.0.0: 4 files, ")
    assert earmark("validate", out, "--quiet") == (FINE, "", "")


@pytest.mark.slow
def test_hidden_answers_mark_what_was_published(earmark: Earmark, release: Release, tmp_path: Path) -> None:
    out, answers = tmp_path / "copy", tmp_path / "answers"
    assert earmark("publish", release.path, "--to", out, "--recipes", "--answers-to", answers, "--quiet").code == FINE
    words = ("--release", out, "--answers", answers / "private", "--out", tmp_path / "report", "--resamples", 100)
    assert earmark("score", GOLDENS["pairs"].path / "predictions.jsonl", *words, "--quiet").code == FINE
    assert (tmp_path / "report" / "report.json").is_file()
    assert (out / "baselines").is_dir()


def test_machines_are_told_the_same(earmark: Earmark, release: Release, tmp_path: Path) -> None:
    words = ("--recipes", "--gold", "open", "--no-baselines", "--json")
    said = earmark("publish", release.path, "--to", tmp_path / "copy", *words)
    assert said.code == FINE
    told = json.loads(said.out)
    published = told["published"]
    assert published["gold"] == open_release(tmp_path / "copy").manifest.gold == "open"
    assert not (tmp_path / "copy" / "baselines").exists()
    assert (published["clips_with_audio"], published["clips_described"], published["answers"]) == (41, 20, None)
    assert published["content_hash"] == release.manifest.content_hash
    assert told["summary"]["error"] == 0


def test_all_that_speaks_against_it_is_said_and_nothing_is_written(
    earmark: Earmark, release: Release, tmp_path: Path
) -> None:
    said = earmark("publish", release.path, "--to", tmp_path / "copy")
    assert (said.code, said.out) == (FOUND, "")
    assert "publish.licence-unmodified, 20 times" in said.err
    bare = earmark("publish", GOLDENS["stance"].path / "release", "--to", tmp_path / "copy", "--json")
    assert bare.code == FOUND
    wanted = {"publish.date", "publish.creators", "publish.url", "publish.licence", "publish.no-audio"}
    assert wanted <= set(json.loads(bare.out)["counts"])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--to", "{here}"], "exists"),
        (["--to", "{here}/copy", "--gold", "open", "--answers-to", "{here}/answers"], "part of the copy"),
        (["--to", "{here}/copy", "--previous", "{here}"], "is no release"),
        (["--to", "{release}/copy"], "in the release itself"),
        (["--to", "{here}/copy", "--as-stated", "svcc"], "no corpus named 'svcc'"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    earmark: Earmark, release: Release, tmp_path: Path, words: list[str], why: str
) -> None:
    said = earmark("publish", release.path, *(word.format(here=tmp_path, release=release.path) for word in words))
    assert (said.code, said.out) == (COULD_NOT_RUN, "")
    assert why in said.err
    assert len(said.err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []
