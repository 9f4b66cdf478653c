"""Baselines that any family may have, and the files they are written to."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from tests.support.tiny import write_tiny_release

from earmark.manifests.findings import Findings
from earmark.manifests.release import Release
from earmark.scoring.baselines import UNIFORM, Baseline, Guess, always, uniform, write_predictions
from earmark.scoring.decisions import Owed, owed_presentations
from earmark.scoring.face import check, read


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return write_tiny_release(tmp_path_factory.mktemp("releases") / "tiny", items=4)


@pytest.fixture(scope="module")
def owed(release: Release) -> Owed:
    return owed_presentations(release, release.protocol())


def test_uniform_is_drawn_by_hash_and_about_even(release: Release) -> None:
    ids = tuple(f"p{n}" for n in range(4000))
    guesses = uniform(release, Owed("both-orders", ids, ids, ids))
    counts = Counter(guess.choice for guess in guesses.values())
    assert set(counts) == {"P", "N"}
    assert abs(counts["P"] - 2000) < 4 * (4000 / 4) ** 0.5
    fewer = uniform(release, Owed("both-orders", ids[:7], ids[:7], ids[:7]))
    assert {id: guesses[id] for id in fewer} == fewer
    sure = [guess.probability for guess in guesses.values() if guess.probability is not None]
    assert len(sure) == 4000
    assert 0.5 <= min(sure) < 0.51 < 0.99 < max(sure) <= 1
    assert abs(sum(sure) / 4000 - 0.75) < 4 * (1 / 48 / 4000) ** 0.5
    both = [guesses[id].probability for id in ids if guesses[id].choice == "P"]
    assert abs(sum(p or 0 for p in both) / len(both) - 0.75) < 4 * (1 / 48 / 2000) ** 0.5  # of P as of N


def test_always_is_named_for_what_it_says() -> None:
    assert (always("Tie").name, always("Tie").means) == ("always Tie", "Says Tie to everything.")


def test_a_file_of_guesses_is_in_order_and_says_what_it_is(release: Release, owed: Owed, tmp_path: Path) -> None:
    sure = Baseline("half sure", "…", lambda _, owed: {id: Guess("N", 0.75) for id in owed.ids})
    for rule in (UNIFORM, sure):
        path = tmp_path / f"{rule.name}.jsonl"
        assert write_predictions(rule, release, owed, path) is None
        assert check(release, path).counts == {}
        head, *rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        assert head["earmark"] == {
            "release": "tiny@1.0.0",
            "content_hash": release.manifest.content_hash,
            "protocol": "both-orders",
            "judge": {"name": rule.name, "architecture": "rule"},
        }
        assert [row["presentation_id"] for row in rows] == list(owed.ids)
    assert rows[0] == {"presentation_id": owed.ids[0], "choice": "N", "probability": 0.75}
    _, decisions = read(release, tmp_path / "half sure.jsonl", None, Findings())
    assert decisions.probability.tolist() == [0.75] * len(owed.ids)
    assert b"\r" not in path.read_bytes()


def test_a_file_that_is_published_carries_the_canary_and_is_marked_alike(
    release: Release, owed: Owed, tmp_path: Path
) -> None:
    for name, canary in (("without", None), ("with", release.manifest.canary)):
        assert write_predictions(UNIFORM, release, owed, tmp_path / f"{name}.jsonl", canary=canary) is None
        assert check(release, tmp_path / f"{name}.jsonl").counts == {}
    without, carrying = ((tmp_path / f"{name}.jsonl").read_text(encoding="utf-8") for name in ("without", "with"))
    assert release.manifest.canary not in without
    assert json.loads(carrying.splitlines()[0])["earmark"]["canary"] == release.manifest.canary
    assert carrying.splitlines()[1:] == without.splitlines()[1:]


def test_a_rule_that_cannot_answer_writes_nothing(release: Release, owed: Owed, tmp_path: Path) -> None:
    silent = Baseline("silent", "…", lambda *_: "it has no ears")
    assert write_predictions(silent, release, owed, tmp_path / "silent.jsonl") == "it has no ears"
    assert list(tmp_path.iterdir()) == []
