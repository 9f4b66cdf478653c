"""What is built and marked today is what was built and marked when the golden files were written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support.golden import GOLDENS, OPTIONS, Golden

from earmark.manifests.release import Release, open_release
from earmark.scoring.face import score
from earmark.validation.invariants import validate


@pytest.fixture(scope="module", params=GOLDENS.values(), ids=list(GOLDENS))
def golden(request: pytest.FixtureRequest) -> Golden:
    found: Golden = request.param
    return found


@pytest.fixture(scope="module")
def kept(golden: Golden) -> Release:
    return open_release(golden.path / "release")


def test_a_release_of_an_earlier_day_is_read_and_sound(kept: Release) -> None:
    assert [finding.text() for finding in validate(kept)] == []


def test_the_same_recipe_corpus_and_key_give_the_same_release(golden: Golden, kept: Release, tmp_path: Path) -> None:
    built = golden.build(tmp_path)
    for name in kept.family.tables():
        assert built.table(name).equals(kept.table(name)), name
    # The bytes of a Parquet file are those of the installed pyarrow; what it says is not.
    now, then = ({**release.manifest.as_json()} for release in (built, kept))
    for manifest in (now, then):
        tables = json.loads(json.dumps(manifest["tables"]))
        manifest["tables"] = {name: {**entry, "file_hash": None} for name, entry in tables.items()}
        del manifest["builder"]
    assert now == then


def test_the_same_submission_gets_the_same_report(golden: Golden, kept: Release, tmp_path: Path) -> None:
    predictions = tmp_path / "predictions.jsonl"
    golden.predict(kept, predictions)
    assert predictions.read_bytes() == (golden.path / "predictions.jsonl").read_bytes()
    score(kept, predictions, options=OPTIONS).report.write(tmp_path / "report.json")
    assert (tmp_path / "report.json").read_bytes() == (golden.path / "report.json").read_bytes()
