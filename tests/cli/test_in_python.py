"""The verbs in Python are the commands: the same findings, figures and files."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.conftest import Earmark
from tests.support.foreign_files import Known, inspect_log
from tests.support.golden import FOLDER
from tests.support.leaderboards import report, write
from tests.support.publishable import publishable

import earmark as package
from earmark.manifests.canonical import Json
from earmark.manifests.errors import EarmarkError, UnknownName
from earmark.manifests.release import Release
from earmark.scoring.decisions import owed_presentations


@pytest.fixture(scope="module")
def release() -> Release:
    return package.open_release(FOLDER / "stance" / "release")


def told(earmark: Earmark, *words: object) -> dict[str, Json]:
    found: dict[str, Json] = json.loads(earmark(*words, "--json").out)
    return found


def test_power(earmark: Earmark) -> None:
    folder = FOLDER / "pairs" / "release"
    found = package.power(package.open_release(folder), 0.1, icc=0.2)
    assert told(earmark, "power", "--release", folder, "--delta", 10, "--icc", 0.2) == found.as_json()


def test_leaderboard(earmark: Earmark, tmp_path: Path) -> None:
    paths = write(tmp_path, report("a", 0.9), report("b", None), report("a", 0.9))
    merged = package.leaderboard(paths)
    earmark("leaderboard", *paths, "--out", tmp_path / "board", "--quiet")
    merged.leaderboard.write(tmp_path / "ours.json")
    assert (tmp_path / "ours.json").read_bytes() == (tmp_path / "board" / "leaderboard.json").read_bytes()
    other = told(earmark, "leaderboard", *paths, "--out", tmp_path / "again")
    assert {name: other[name] for name in ("counts", "findings")} == {
        name: merged.findings.as_json()[name] for name in ("counts", "findings")
    }
    assert merged.findings.as_json()["counts"] == {"leaderboard.repeated": 1}
    with pytest.raises(EarmarkError, match="is not there"):
        package.leaderboard([tmp_path / "absent"])


def test_convert(earmark: Earmark, release: Release, tmp_path: Path) -> None:
    ids = owed_presentations(release, release.protocol()).ids
    log = tmp_path / "log.json"
    log.write_text(
        json.dumps(inspect_log([Known(id, 0, "P", 0.8) for id in ids[:5]], release.family)), encoding="utf-8"
    )
    converted = package.convert(release, [log], tmp_path / "ours.jsonl", form="inspect", judge="ann")
    words = ("convert", log, "--from", "inspect", "--release", release.path, "--judge", "ann")
    found = told(earmark, *words, "--out", tmp_path / "theirs.jsonl")
    assert (tmp_path / "ours.jsonl").read_bytes() == (tmp_path / "theirs.jsonl").read_bytes()
    assert [replace(converted.written, file="theirs.jsonl").as_json()] == found["written"]
    assert list(converted.losses) == found["losses"]
    assert converted.findings.as_json()["counts"] == found["counts"]
    with pytest.raises(EarmarkError, match="no such file"):
        package.convert(release, [tmp_path / "absent"], tmp_path / "more.jsonl", form="inspect")
    with pytest.raises(UnknownName, match="no format named 'html'"):
        package.convert(release, [log], tmp_path / "more.jsonl", form="html")


@pytest.mark.slow
def test_a_copy_is_published_and_verified(earmark: Earmark, tmp_path: Path) -> None:
    release = publishable(tmp_path / "release")
    copy = package.publish(release, tmp_path / "ours", baselines=False)
    assert earmark("publish", release.path, "--to", tmp_path / "theirs", "--no-baselines", "--quiet").code == 0
    files = [
        sorted(p.relative_to(at).as_posix() for p in at.rglob("*")) for at in (copy.published.path, tmp_path / "theirs")
    ]
    assert files[0] == files[1]
    assert (tmp_path / "ours" / "SHA256SUMS").read_bytes() == (tmp_path / "theirs" / "SHA256SUMS").read_bytes()
    (tmp_path / "ours" / "README.md").write_text("else", encoding="utf-8")
    found = package.verify(tmp_path / "ours")
    theirs = told(earmark, "verify", tmp_path / "ours")
    assert theirs["counts"] == found.findings.as_json()["counts"] == {"verify.changed": 1}
    assert theirs["files"] == found.verified.files


@pytest.mark.slow
def test_a_version_is_made_validated_and_compared(earmark: Earmark, release: Release, tmp_path: Path) -> None:
    shutil.copytree(release.path, tmp_path / "old")
    old = package.open_release(tmp_path / "old")
    (tmp_path / "ids.txt").write_text(old.table("items")["item_id"][0].as_py() + "\n", encoding="utf-8")
    reason = "A participant asked for it."
    made = package.withdraw(old, tmp_path / "ids.txt", tmp_path / "new", reason=reason)
    earmark("withdraw", old.path, "--ids", tmp_path / "ids.txt", "--reason", reason, "--out", tmp_path / "theirs")
    theirs = package.open_release(tmp_path / "theirs")
    assert made.release.manifest == theirs.manifest
    assert package.validate(theirs).as_json()["counts"] == told(earmark, "validate", theirs.path)["counts"]
    found = told(earmark, "diff", old.path, theirs.path)
    assert {**package.diff(old, theirs).as_json(), "proposed": found["proposed"]} == found


def test_materialize_takes_the_same_roads(release: Release, tmp_path: Path) -> None:
    with pytest.raises(EarmarkError):
        package.materialize(release, tmp_path / "whole", corpora={"elsewhere": tmp_path / "absent"})
    assert not (tmp_path / "whole").exists()
