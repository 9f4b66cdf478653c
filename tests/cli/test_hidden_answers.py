"""`earmark score --ladder`: what a submitter can see is the same whatever the answers are, but for one number."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.cli.conftest import Earmark
from tests.scoring.ladder.releases import write_file, write_release
from tests.support.miniature import files_of

from earmark.cli.console import COULD_NOT_RUN, FINE, FOUND
from earmark.manifests.release import Release

N = 40
GOLD = np.arange(N) % 2 == 0


@pytest.fixture(scope="module")
def hidden(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return write_release(tmp_path_factory.mktemp("hidden") / "release", GOLD.tolist())


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """The same questions with other answers."""
    return write_release(tmp_path_factory.mktemp("other") / "release", np.roll(GOLD, 1).tolist())


def test_the_headline_alone_is_said_and_written(earmark: Earmark, hidden: Release, tmp_path: Path) -> None:
    file = write_file(tmp_path / "one.jsonl", hidden, GOLD.tolist())
    words = ("score", file, "--release", hidden.path, "--ladder", tmp_path / "state.sqlite", "--submitter", "ann")
    said = earmark(*words, "--out", tmp_path / "told")
    assert said == (
        FINE,
        "tiny@1.0.0, protocol both-orders, hidden answers\n"
        "80 presentations owed: 80 ok\n"
        "ann: best balanced accuracy 1.000, of this file or an earlier one\n\n"
        f"{file}: no findings\n",
        "",
    )
    assert list(files_of(tmp_path / "told")) == ["headline.json"]
    written = json.loads((tmp_path / "told" / "headline.json").read_text(encoding="utf-8"))
    assert written == {
        "headline": "balanced_accuracy",
        "outcomes": written["outcomes"],
        "protocol": "both-orders",
        "reason": None,
        "release": "tiny@1.0.0",
        "score": 1.0,
        "submitter": "ann",
    }
    as_json = earmark(*words, "--out", tmp_path / "more", "--json")
    value = json.loads(as_json.out)
    assert value["headline"] == written
    assert value["findings"] == []
    assert earmark(*words, "--out", tmp_path / "quiet", "--quiet") == (FINE, "", "")
    assert "exists" in earmark(*words, "--out", tmp_path / "told").err
    assert earmark(*words, "--out", tmp_path / "told", "--force", "--quiet").code == FINE


def seen(earmark: Earmark, release: Release, folder: Path) -> list[object]:
    """All that a submitter sees of a few files, without the score and what is said for one."""
    folder.mkdir()
    told: list[object] = []
    for wrong, spoilt in ((20, False), (0, False), (40, True)):
        file = write_file(folder / "file.jsonl", release, (GOLD ^ (np.arange(N) < wrong)).tolist())
        if spoilt:
            lines = file.read_text(encoding="utf-8").splitlines()
            file.write_text("\n".join([lines[1].replace('": "', '": "x'), *lines[2:]]), encoding="utf-8")
        words = (
            "score",
            file,
            "--release",
            release.path,
            "--ladder",
            folder / "state",
            "--submitter",
            "ann",
            "--force",
        )
        for more in ((), ("--json",)):
            said = earmark(*words, "--out", folder / "told", *more)
            written = (folder / "told" / "headline.json").read_text(encoding="utf-8")
            whole = f"{said.code}\n{said.out}\n{said.err}\n{written}".replace(str(folder), "HERE")
            told.append(
                [line for line in whole.splitlines() if not line.strip().startswith(("ann: ", '"score"', '"reason"'))]
            )
        told.append((sorted(files_of(folder)), (folder / "state").stat().st_size))
    return told


def test_nothing_else_depends_on_the_answers(earmark: Earmark, hidden: Release, other: Release, tmp_path: Path) -> None:
    ours, theirs = seen(earmark, hidden, tmp_path / "ours"), seen(earmark, other, tmp_path / "theirs")
    assert ours == theirs
    assert [str(entry[0]) for entry in ours if isinstance(entry, list)] == [str(FINE)] * 4 + [str(FOUND)] * 2


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--submitter", "ann", "--items"], "--items does not go with --ladder"),
        (["--submitter", "ann", "--paper", "stancebench"], "--paper does not go with --ladder"),
        (["--submitter", "ann", "--human", "FILE"], "--human does not go with --ladder"),
        (["--submitter", "ann", "--against", "FILE"], "--against does not go with --ladder"),
        (["--submitter", "ann", "--with", "FILE"], "--with does not go with --ladder"),
        (["--submitter", "ann", "--norm", "FILE"], "--norm does not go with --ladder"),
        (["--submitter", "ann", "--resamples", "500"], "--resamples does not go with --ladder"),
        (["--submitter", "ann", "--interval", "bca"], "--interval does not go with --ladder"),
        ([], "--ladder needs --submitter NAME"),
        (["--submitter", "a\tb"], "no name of a submitter"),
        (["--submitter", "ann", "--most-files", "0"], "--most-files"),
    ],
)
def test_what_would_tell_more_is_refused(
    earmark: Earmark, hidden: Release, tmp_path: Path, words: list[str], says: str
) -> None:
    file = write_file(tmp_path / "one.jsonl", hidden, GOLD.tolist())
    line = ["score", file, "--release", hidden.path, "--ladder", tmp_path / "state", "--out", tmp_path / "told"]
    said = earmark(*line, *(str(file) if word == "FILE" else word for word in words))
    assert (said.code, said.out) == (COULD_NOT_RUN, "")
    assert says in " ".join(said.err.split())
    assert not (tmp_path / "state").exists()
    assert not (tmp_path / "told").exists()


def test_options_of_the_ladder_go_with_it_alone(earmark: Earmark, hidden: Release, tmp_path: Path) -> None:
    file = write_file(tmp_path / "one.jsonl", hidden, GOLD.tolist())
    words = ("score", file, "--release", hidden.path, "--out", tmp_path / "told")
    for option in ("--submitter", "--most-files", "--most-scores"):
        said = earmark(*words, option, 3)
        assert said == (COULD_NOT_RUN, "", f"earmark: {option} goes with --ladder alone\n")
    inside = earmark(*words, "--ladder", tmp_path / "told" / "state", "--submitter", "ann")
    assert "is what is handed out" in inside.err
    assert not (tmp_path / "told").exists()


def test_a_release_whose_answers_are_known_is_refused(earmark: Earmark, tmp_path: Path) -> None:
    known = write_release(tmp_path / "known", GOLD.tolist(), gold="derivable")
    file = write_file(tmp_path / "one.jsonl", known, GOLD.tolist())
    words = ("score", file, "--release", known.path, "--out", tmp_path / "told")
    said = earmark(*words, "--ladder", tmp_path / "state", "--submitter", "ann")
    assert (said.code, said.out) == (COULD_NOT_RUN, "")
    assert "the answers of tiny@1.0.0 can be derived from" in said.err
    assert said.err.count("\n") == 1
    assert not (tmp_path / "state").exists()


def test_the_hosts_limits_hold(earmark: Earmark, hidden: Release, tmp_path: Path) -> None:
    words = ("--release", hidden.path, "--ladder", tmp_path / "state", "--out", tmp_path / "told", "--force", "--quiet")
    files = [write_file(tmp_path / f"{n}.jsonl", hidden, (GOLD ^ (np.arange(N) < n)).tolist()) for n in (5, 0)]
    assert earmark("score", files[0], *words, "--submitter", "ann", "--most-files", 1).code == FINE
    said = earmark("score", files[1], *words, "--submitter", "ann", "--most-files", 1)
    assert (said.code, said.err) == (
        COULD_NOT_RUN,
        "earmark: ann has had 1 file marked, which is all that the host allows\n",
    )
    said = earmark("score", files[1], *words, "--submitter", "bob", "--most-scores", 1)
    assert (said.code, "1 score of this release was given out" in said.err) == (COULD_NOT_RUN, True)
