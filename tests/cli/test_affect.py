"""`earmark affect`, its model put in place of a checkpoint; what a checkpoint says is tested where it is loaded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Earmark

from earmark.audio import affect
from earmark.audio.affect import AffectModel
from earmark.builders.affect.table import read_affect
from earmark.manifests.release import Release


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> AffectModel:
    made = AffectModel(
        name="toy 1234",
        hash="sha256:1234",
        rate=16_000,
        least=10,
        normalize=True,
        labels=("arousal", "dominance", "valence"),
        hear=lambda samples: [0.25, 0.5, 0.75],
    )
    monkeypatch.setattr(affect, "load_affect_model", lambda folder, threads: made)
    return made


def test_a_release_is_heard(earmark: Earmark, toy_dialogues: Release, model: AffectModel, tmp_path: Path) -> None:
    out = tmp_path / "affect.parquet"
    said = earmark("affect", toy_dialogues.path, "--model", tmp_path, "--out", out, "--json")
    found = json.loads(said.out)
    assert (said.code, found["model"], found["affect"]["clips"]) == (
        0,
        "toy 1234",
        toy_dialogues.table("clips").num_rows,
    )
    assert set(read_affect(out).heard.values()) == {affect.Affect(valence=0.75, arousal=0.25, dominance=0.5)}
    again = earmark("affect", toy_dialogues.path, "--model", tmp_path, "--out", out)
    assert again.code == 2
    assert "exists" in again.err


def test_what_is_no_checkpoint_ends_in_one_line(earmark: Earmark, toy_dialogues: Release, tmp_path: Path) -> None:
    said = earmark("affect", toy_dialogues.path, "--model", tmp_path, "--out", tmp_path / "a.parquet")
    assert said.code == 2
    assert said.err.count("\n") == 1
    assert "config.json" in said.err
    assert not list(tmp_path.iterdir())
