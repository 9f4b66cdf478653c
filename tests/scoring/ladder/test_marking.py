"""Marking with hidden answers: one number comes back, and nothing else that the answers have a part in."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scoring.ladder.releases import write_file, write_release

from earmark.manifests.errors import EarmarkError, PrivateSideMissing
from earmark.manifests.release import Release, open_release
from earmark.scoring.face import check, score
from earmark.scoring.ladder.marking import MOST_NAME, score_laddered, submitter_name
from earmark.scoring.ladder.state import LadderError
from earmark.scoring.measuring import Options

N = 60
GOLD = np.arange(N) % 2 == 0


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return write_release(tmp_path_factory.mktemp("hidden") / "release", GOLD.tolist())


def but(wrong: int) -> list[bool]:
    """The answers with the first ones turned."""
    return (GOLD ^ (np.arange(N) < wrong)).tolist()


def test_the_number_is_the_headline_of_the_best_file(release: Release, tmp_path: Path) -> None:
    state = tmp_path / "state.sqlite"
    for wrong, told in ((30, None), (16, 44 / 60), (14, 44 / 60), (0, 1.0)):
        path = write_file(tmp_path / f"{wrong}.jsonl", release, but(wrong))
        found = score_laddered(release, path, state=state, submitter="ann")
        plain = score(release, path, options=Options(resamples=100)).report.find("balanced_accuracy")
        assert plain is not None
        assert plain.value == pytest.approx(1 - wrong / N)
        assert found.score == (None if told is None else pytest.approx(told))
        assert (found.as_json()["reason"] is None) == (told is not None)
        assert found.outcomes == {**found.outcomes, "owed": 2 * N, "ok": 2 * N, "missing": 0}


def test_a_file_that_is_spelt_in_another_way_is_the_same_file(release: Release, tmp_path: Path) -> None:
    state = tmp_path / "state.sqlite"
    path = write_file(tmp_path / "one.jsonl", release, but(10))
    first = score_laddered(release, path, state=state, submitter="ann")
    lines = [json.dumps({**json.loads(line), "latency_s": 1}) for line in path.read_text(encoding="utf-8").splitlines()]
    path.write_text("\n".join(reversed(lines)), encoding="utf-8")
    again = score_laddered(release, path, state=state, submitter="ann")
    assert (again.score, again.outcomes) == (first.score, first.outcomes)
    assert submitters(state) == [("ann", 1)]


def submitters(state: Path) -> list[tuple[str, int]]:
    import sqlite3

    database = sqlite3.connect(state)
    rows = database.execute("SELECT name, files FROM submitters ORDER BY name").fetchall()
    database.close()
    return rows


def test_findings_are_those_of_the_check(release: Release, tmp_path: Path) -> None:
    path = write_file(tmp_path / "bad.jsonl", release, but(10))
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[0] = json.dumps({"presentation_id": "p" + "a" * 26, "choice": "P"})
    lines[1] = json.dumps({**json.loads(lines[1]), "choice": "Q"})
    path.write_text("\n".join(lines), encoding="utf-8")
    found = score_laddered(release, path, state=tmp_path / "state.sqlite", submitter="ann")
    assert found.findings.as_json() == check(release, path).as_json()
    assert found.findings.failed


def test_a_file_has_no_say_in_the_protocol_of_a_state(tmp_path: Path) -> None:
    """Or whoever sends the first file would shut out all others."""
    release = write_release(tmp_path / "two", GOLD.tolist(), transcripts=True)
    first, *others = (entry.name for entry in release.manifest.protocols)
    path = write_file(tmp_path / "one.jsonl", release, but(0))
    named = json.dumps({"earmark": {"protocol": others[0]}})
    path.write_text(f"{named}\n{path.read_text(encoding='utf-8')}", encoding="utf-8", newline="\n")
    found = score_laddered(release, path, state=tmp_path / "state.sqlite", submitter="ann")
    assert found.protocol == first
    assert check(release, path).as_json() != found.findings.as_json()  # which goes by what the file names


@pytest.mark.parametrize("gold", ["open", "derivable"])
def test_answers_that_are_known_cannot_be_hidden(gold: str, tmp_path: Path) -> None:
    known = write_release(tmp_path / "known", GOLD.tolist(), gold=gold)  # type: ignore[arg-type]  # a Literal
    path = write_file(tmp_path / "one.jsonl", known, but(0))
    with pytest.raises(LadderError, match="cannot be hidden"):
        score_laddered(known, path, state=tmp_path / "state.sqlite", submitter="ann")
    assert not (tmp_path / "state.sqlite").exists()


def test_what_cannot_be_marked_leaves_no_state(release: Release, tmp_path: Path) -> None:
    path = write_file(tmp_path / "one.jsonl", release, but(0))
    public = tmp_path / "public"
    shutil.copytree(release.path, public, ignore=shutil.ignore_patterns("private"))
    state = tmp_path / "state.sqlite"
    with pytest.raises(PrivateSideMissing):
        score_laddered(open_release(public), path, state=state, submitter="ann")
    with pytest.raises(LadderError, match="no such file"):
        score_laddered(release, tmp_path / "absent.jsonl", state=state, submitter="ann")
    with pytest.raises(LadderError, match="that folder is published"):
        score_laddered(release, path, state=release.path / "public" / "state.sqlite", submitter="ann")
    with pytest.raises(EarmarkError, match="no protocol named"):
        score_laddered(release, path, state=state, submitter="ann", protocol="absent")
    one_pole = write_release(tmp_path / "one", [True] * N)
    with pytest.raises(LadderError, match="is undefined"):
        score_laddered(one_pole, path, state=state, submitter="ann")
    assert not state.exists()


@pytest.mark.parametrize(
    "name",
    ["", " ann", "ann\n", "a\0b", "a\u202eb", "a\u200bb", "a\ud800", "x" * (MOST_NAME + 1), "\x1b[2J", "\ufeffann"],
)
def test_what_is_no_name(name: str, release: Release, tmp_path: Path) -> None:
    path = write_file(tmp_path / "one.jsonl", release, but(0))
    with pytest.raises(LadderError, match="name of a submitter"):
        score_laddered(release, path, state=tmp_path / "state.sqlite", submitter=name)
    assert not (tmp_path / "state.sqlite").exists()


@pytest.mark.parametrize("unseen", "\u034f\u115f\u1160\u2800\u3164\ufe0f\uffa0\U000e0100")
def test_no_name_looks_like_another_for_what_cannot_be_seen(unseen: str) -> None:
    assert unseen.isprintable()
    for name in (f"ann{unseen}", f"a{unseen}nn"):
        with pytest.raises(LadderError, match="cannot be seen"):
            submitter_name(name)


@settings(max_examples=50)
@given(st.text(max_size=90))
def test_a_name_has_one_spelling(given: str) -> None:
    try:
        name = submitter_name(given)
    except LadderError:
        return
    assert submitter_name(name) == name
    assert 1 <= len(name) <= MOST_NAME
    assert name.isprintable()


def attack(release: Release, folder: Path, files: int) -> float:
    """Random files for a release, and what the vote of those that were told a new score really gets."""
    random, votes, told = np.random.default_rng(5), np.zeros(len(release.table("items"))), None
    for _ in range(files):
        says = random.integers(0, 2, len(votes)).astype(bool)
        path = write_file(folder / "guess.jsonl", release, says.tolist())
        found = score_laddered(release, path, state=folder / "state.sqlite", submitter="ann").score
        if found is not None and found != told:
            told, votes = found, votes + (2 * says - 1)
    final = np.where(votes == 0, random.integers(0, 2, len(votes)), votes > 0).astype(bool)
    report = score(
        release, write_file(folder / "vote.jsonl", release, final.tolist()), options=Options(resamples=100)
    ).report
    entry = report.find("balanced_accuracy")
    assert entry is not None
    assert entry.value is not None
    return entry.value


def test_a_dozen_random_files_are_told_nothing(release: Release, tmp_path: Path) -> None:
    assert attack(release, tmp_path, 12) < 0.5 + 4.3 * 0.5 / np.sqrt(N)
    assert submitters(tmp_path / "state.sqlite") == [("ann", 12)]


@pytest.mark.slow
def test_a_thousand_random_files_stay_within_the_noise_of_chance(tmp_path: Path) -> None:
    gold = np.random.default_rng(11).integers(0, 2, 300).astype(bool)
    release = write_release(tmp_path / "release", gold.tolist())
    # One guess in 120,000 gets as much as this by luck.
    assert attack(release, tmp_path, 1000) < 0.5 + 4.3 * 0.5 / np.sqrt(300)
    assert submitters(tmp_path / "state.sqlite") == [("ann", 1000)]
