"""`diff` and `withdraw`: what they print, how they end, and that other verbs take what they make."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.cli.conftest import Earmark
from tests.support.editions import next_version, rewritten, set_cell, without_private
from tests.support.golden import GOLDENS

from earmark.manifests.release import open_release
from earmark.manifests.revisions import read_withdrawn

GOLDEN = GOLDENS["stance"].path / "release"
FILE = GOLDENS["stance"].path / "predictions.jsonl"


@pytest.fixture
def later(tmp_path: Path) -> Path:
    """The golden release with another prompt."""
    release = rewritten(open_release(GOLDEN), tmp_path / "later", {"prompts": set_cell("user", 0, "Which?")}, "1.0.1")
    return release.path


@pytest.fixture
def fewer() -> Path:
    """The golden release without some items; no test changes it."""
    return next_version("stance").path


def test_diff_tells_people_what_changed_and_what_is_owed(earmark: Earmark, later: Path) -> None:
    said = earmark("diff", GOLDEN, later)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("mini 1.0.0 and 1.0.1\n")
    assert "prompts        user of 1 changed" in said.out
    assert "major step: 2.0.0 or later, since prompts.user of 1 row changed" in said.out


def test_diff_ends_as_asked(earmark: Earmark, later: Path) -> None:
    assert earmark("diff", GOLDEN, later, "--exit-code", "--quiet") == (1, "", "")
    assert earmark("diff", GOLDEN, later, "--quiet") == (0, "", "")
    same = earmark("diff", GOLDEN, GOLDEN, "--exit-code")
    assert same.code == 0
    assert "nothing differs" in same.out


def test_diff_tells_machines_all_of_it(earmark: Earmark, later: Path) -> None:
    told = json.loads(earmark("diff", GOLDEN, later, "--json").out)
    assert told["proposed"]["version"] == "2.0.0"
    assert told["proposed"]["step"] == "major"
    assert set(told["items"]["changed_in"]) == {"prompts.user"}
    assert {"old", "new", "items", "tables", "audio", "cells", "metadata", "withdrawn"} <= told.keys()


def test_diff_says_what_it_cannot_know(earmark: Earmark, tmp_path: Path, fewer: Path) -> None:
    public = [
        without_private(open_release(path), tmp_path / f"public{n}").path for n, path in enumerate((GOLDEN, fewer))
    ]
    said = earmark("diff", *public)
    assert "answers        not known: neither version's private side is at hand" in said.out
    assert "major step: 2.0.0 or later, since 5 items removed" in said.out
    assert "5 of them withdrawn" in said.out


def test_diff_refuses_what_is_no_version_of_it(earmark: Earmark, tmp_path: Path) -> None:
    said = earmark("diff", GOLDEN, GOLDENS["pairs"].path / "release")
    assert said.code == 2
    assert "no versions of one release" in said.err
    assert earmark("diff", GOLDEN, tmp_path).code == 2


def test_withdraw_makes_a_release_that_other_verbs_take(earmark: Earmark, tmp_path: Path) -> None:
    (tmp_path / "ids.txt").write_text("# who asked\nV00_P0002A\n", encoding="utf-8")
    words = ("--ids", tmp_path / "ids.txt", "--reason", "Asked for.", "--out", tmp_path / "next")
    said = earmark("withdraw", GOLDEN, *words, "--json")
    assert said.code == 0, said.err
    told = json.loads(said.out)
    assert (told["version"], told["left"], told["withdrawn"]["count"]) == ("2.0.0", 15, 6)
    assert earmark("info", tmp_path / "next").code == 0
    checked = earmark("check", FILE, "--release", tmp_path / "next")
    assert checked.code == 0
    assert "30 presentations owed: 30 ok; besides, 12 withdrawn rows" in checked.out
    assert len(read_withdrawn(open_release(tmp_path / "next")).withdrawn) == 6


@pytest.mark.slow
def test_marks_on_what_two_versions_hold_stand_on_one_leaderboard(
    earmark: Earmark, fewer: Path, tmp_path: Path
) -> None:
    for name, release, other in (("a", GOLDEN, fewer), ("b", fewer, GOLDEN)):
        file = tmp_path / f"{name}.jsonl"
        file.write_text(FILE.read_text(encoding="utf-8").replace("uniform", name), encoding="utf-8")
        assert earmark("check", file, "--release", release, "--common", other).code == 0
        marked = earmark(
            "score", file, "--release", release, "--common", other, "--out", tmp_path / name, "--resamples", 100
        )
        assert marked.code == 0, marked.err
        assert "mini 1.0.0&2.0.0" in marked.out
    board = earmark("leaderboard", tmp_path / "a", tmp_path / "b", "--out", tmp_path / "board")
    assert board.code == 0, board.err


def test_withdraw_says_all_that_is_wrong_and_leaves_nothing(earmark: Earmark, tmp_path: Path) -> None:
    (tmp_path / "ids.txt").write_text("nobody\nnothing\n", encoding="utf-8")
    said = earmark(
        *("withdraw", GOLDEN, "--ids", tmp_path / "ids.txt", "--reason", "", "--out", tmp_path / "next"),
    )
    assert said.code == 1
    assert "withdraw.unknown-id, 2 times" in said.err
    assert "withdraw.reason" in said.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ids.txt"]


def test_a_ladder_marks_no_common_subset(earmark: Earmark, fewer: Path, tmp_path: Path) -> None:
    said = earmark(
        *("score", FILE, "--release", GOLDEN, "--common", fewer, "--out", tmp_path / "out"),
        *("--ladder", tmp_path / "state.sqlite", "--submitter", "x"),
    )
    assert said.code == 2
    assert "--common" in said.err


@pytest.mark.parametrize("table", ["items", "presentations", "answers"])
@pytest.mark.parametrize("damage", [b"", b"PAR1", b"PAR1" + bytes(100) + b"PAR1"])
def test_damaged_tables_end_in_one_line(earmark: Earmark, tmp_path: Path, table: str, damage: bytes) -> None:
    shutil.copytree(GOLDEN, tmp_path / "damaged")
    next((tmp_path / "damaged").glob(f"*/{table}.parquet")).write_bytes(damage)
    (tmp_path / "ids.txt").write_text("V00_P0002A\n", encoding="utf-8")
    for words in (
        ("diff", GOLDEN, tmp_path / "damaged"),
        ("diff", tmp_path / "damaged", GOLDEN),
    ):
        said = earmark(*words)
        assert said.code == 2, words
        assert said.out == ""
        assert said.err.count("\n") == 1
        assert "earmark validate" in said.err
    asked = ("--ids", tmp_path / "ids.txt", "--reason", "Asked for.", "--out", tmp_path / "next")
    said = earmark("withdraw", tmp_path / "damaged", *asked)
    assert said.code in (1, 2)
    assert "Traceback" not in said.err
    assert not (tmp_path / "next").exists()
    assert not (tmp_path / "next.partial").exists()
