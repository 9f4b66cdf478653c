"""A drawn release on disk, a rule's prediction file, and the report that comes of them."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from earmark.manifests.release import Release
from earmark.scoring.baselines import write_predictions
from earmark.scoring.decisions import owed_presentations
from earmark.scoring.face import score, write_report
from earmark.scoring.measuring import Options
from earmark.scoring.pairs import BASELINES
from earmark.validation.strategies.releases import Drawn, releases, write_release

OPTIONS = Options(resamples=30)


def rated(release: Release, file: Path) -> Path:
    """Two raters who are right about everything."""
    rating = {"first": 1, "second": -1, "tie": 0}
    rows = [
        {"item_id": row["item_id"], "rater": rater, "rating": rating[row["gold"]]}
        for row in release.table("answers").to_pylist()
        for rater in ("ann", "bo")
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


@settings(
    max_examples=1, phases=[Phase.generate], suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(releases("pairs"))
def test_a_drawn_release_is_marked_from_file_to_page(drawn: Drawn) -> None:
    with TemporaryDirectory() as folder:
        release = write_release(drawn, Path(folder) / "release")
        owed = owed_presentations(release, release.protocol())
        ratings = rated(release, Path(folder) / "ratings.jsonl")
        values = {}
        file = Path(folder) / "predictions.jsonl"
        for rule in (BASELINES[0], BASELINES[-1]):
            assert write_predictions(rule, release, owed, file) is None
            scored = score(release, file, options=OPTIONS, human=ratings)
            entry = scored.report.find("accuracy")
            assert entry is not None
            values[rule.name] = entry.value
        beside = {baseline.name: baseline.value for baseline in scored.report.baselines}
        assert values == pytest.approx({name: beside[name] for name in values})
        assert beside.keys() == {rule.name for rule in BASELINES}
        assert scored.report.counts["overall"]["ok"] == len(owed.ids)
        ceiling = scored.report.find("human_accuracy")
        assert ceiling is not None
        assert ceiling.value == 1
        page = write_report(release, scored, Path(folder) / "out").read_text(encoding="utf-8")
        assert "Does it matter which clip is heard first?" in page
        assert " in 0 conversations" not in page
