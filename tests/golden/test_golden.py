"""What is built and marked today is what was built and marked when the golden files were written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support.golden import GOLDEN, OPTIONS, build_golden

from earmark.manifests.release import Release, open_release
from earmark.scoring.baselines import UNIFORM, write_predictions
from earmark.scoring.decisions import owed_presentations
from earmark.scoring.face import score
from earmark.validation.invariants import validate


@pytest.fixture(scope="module")
def golden() -> Release:
    return open_release(GOLDEN / "release")


def test_a_release_of_an_earlier_day_is_read_and_sound(golden: Release) -> None:
    assert [finding.text() for finding in validate(golden)] == []


def test_the_same_recipe_corpus_and_key_give_the_same_release(golden: Release, tmp_path: Path) -> None:
    built = build_golden(tmp_path)
    for name in golden.family.tables():
        assert built.table(name).equals(golden.table(name)), name
    # The bytes of a Parquet file are those of the installed pyarrow; what it says is not.
    now, then = ({**release.manifest.as_json()} for release in (built, golden))
    for manifest in (now, then):
        tables = json.loads(json.dumps(manifest["tables"]))
        manifest["tables"] = {name: {**entry, "file_hash": None} for name, entry in tables.items()}
        del manifest["builder"]
    assert now == then


def test_the_same_submission_gets_the_same_report(golden: Release, tmp_path: Path) -> None:
    predictions = tmp_path / "predictions.jsonl"
    write_predictions(UNIFORM, golden, owed_presentations(golden, golden.protocol()), predictions)
    assert predictions.read_bytes() == (GOLDEN / "predictions.jsonl").read_bytes()
    score(golden, predictions, options=OPTIONS).report.write(tmp_path / "report.json")
    assert (tmp_path / "report.json").read_bytes() == (GOLDEN / "report.json").read_bytes()
