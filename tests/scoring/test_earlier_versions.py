"""Prediction files of earlier versions: marked on what is left of them as a fresh file with the same answers would be."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from tests.support.editions import next_version
from tests.support.golden import GOLDENS

from earmark.manifests.errors import ReleaseError
from earmark.manifests.findings import Findings
from earmark.manifests.release import Release, open_release
from earmark.manifests.report import OVERALL, Report
from earmark.manifests.revisions.common import common_subset
from earmark.manifests.revisions.withdrawn import read_withdrawn, withdrawn_file
from earmark.scoring.decisions import owed_presentations
from earmark.scoring.face import check, score
from earmark.scoring.measuring import Options

QUICK = Options(resamples=100)
FAMILIES = pytest.mark.parametrize(
    "versions",
    [pytest.param(family, marks=[] if family == "stance" else pytest.mark.slow) for family in GOLDENS],
    indirect=True,
)


@dataclass(frozen=True)
class Versions:
    """A release and the next version, without some of its items."""

    old: Release
    new: Release


@pytest.fixture
def versions(request: pytest.FixtureRequest) -> Versions:
    family = getattr(request, "param", "stance")
    return Versions(open_release(GOLDENS[family].path / "release"), next_version(family))


def rows_for(release: Release, seed: int = 0) -> list[dict[str, object]]:
    """Answers to most of what the first protocol owes, some twice, some failed, with figures of what they took."""
    dice, rows = np.random.default_rng(seed), list[dict[str, object]]()
    for id in owed_presentations(release, release.protocol()).ids:
        for run in range(int(dice.integers(0, 3))):
            row: dict[str, object] = {"presentation_id": id, "run": run, "latency_s": float(dice.integers(1, 9))}
            choice = release.family.choices[int(dice.integers(len(release.family.choices)))]
            rows.append({**row, "status": "failed"} if dice.random() < 0.1 else {**row, "choice": choice})
    return rows


def write(path: Path, rows: Sequence[dict[str, object]], release: Release | None = None) -> Path:
    said = (
        []
        if release is None
        else [
            {
                "earmark": {
                    "release": f"{release.manifest.name}@{release.manifest.version}",
                    "content_hash": release.manifest.content_hash,
                }
            }
        ]
    )
    path.write_text("".join(json.dumps(row) + "\n" for row in [*said, *rows]), encoding="utf-8")
    return path


def left_of(rows: Sequence[dict[str, object]], release: Release) -> list[dict[str, object]]:
    sent = set(release.table("presentations")["presentation_id"].to_pylist())
    return [row for row in rows if row["presentation_id"] in sent]


def figures(report: Report) -> dict[str, object]:
    """What a report says but for the counts of rows that are not marked."""
    said = report.as_json()
    counts = said["counts"]
    assert isinstance(counts, dict)
    overall = {name: count for name, count in counts[OVERALL].items() if not name.endswith("_rows")}
    return {**said, "counts": {**counts, OVERALL: overall}}


@FAMILIES
def test_an_old_file_gets_what_a_fresh_one_with_the_same_answers_gets(versions: Versions, tmp_path: Path) -> None:
    rows = rows_for(versions.old)
    kept = left_of(rows, versions.new)
    assert len(kept) < len(rows)
    old = score(versions.new, write(tmp_path / "old.jsonl", rows, versions.old), options=QUICK)
    fresh = score(versions.new, write(tmp_path / "new.jsonl", kept, versions.new), options=QUICK)
    assert figures(old.report) == figures(fresh.report)
    assert old.report.signature == fresh.report.signature
    assert old.report.counts[OVERALL]["withdrawn_rows"] == len(rows) - len(kept)
    assert fresh.report.counts[OVERALL]["withdrawn_rows"] == old.report.counts[OVERALL]["unknown_rows"] == 0
    assert old.findings.counts["submission.withdrawn"] == len(rows) - len(kept)
    assert old.findings.counts["submission.earlier-release"] == 2
    assert not old.findings.failed
    assert "submission.withdrawn" not in fresh.findings.counts


@pytest.mark.slow
@FAMILIES
def test_what_two_versions_hold_is_marked_alike_on_either(versions: Versions, tmp_path: Path) -> None:
    file = write(tmp_path / "old.jsonl", rows_for(versions.old, 3), versions.old)
    reports = [
        score(common_subset(*pair, Findings()), file, options=QUICK).report
        for pair in ((versions.old, versions.new), (versions.new, versions.old))
    ]
    assert reports[0].as_json() == reports[1].as_json()
    on_new = score(versions.new, file, options=QUICK).report
    assert [entry.value for entry in reports[0].metrics] == [entry.value for entry in on_new.metrics]
    common = reports[0].signature["common"]
    assert isinstance(common, dict)
    assert common["items"] == versions.new.table("items").num_rows
    assert [entry["version"] for entry in common["versions"]] == ["1.0.0", "2.0.0"]
    assert reports[0].signature["content_hash"] not in {
        versions.old.manifest.content_hash,
        versions.new.manifest.content_hash,
    }


def test_the_checker_needs_no_private_side(versions: Versions, tmp_path: Path) -> None:
    import shutil

    public = tmp_path / "public"
    shutil.copytree(versions.new.path, public)
    shutil.rmtree(public / "private")
    rows = rows_for(versions.old)
    findings = check(open_release(public), write(tmp_path / "f.jsonl", rows, versions.old))
    assert not findings.failed
    assert findings.counts["submission.withdrawn"] == len(rows) - len(left_of(rows, versions.new))


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"release": "mini@1.0.0"}, "submission.earlier-release"),
        ({"release": "mini@2.0.0"}, None),
        ({"release": "mini"}, None),
        ({"release": "mini@3.0.0"}, "submission.other-release"),
        ({"release": "maxi@1.0.0"}, "submission.other-release"),
        ({"content_hash": f"blake2b-256:{'0' * 64}"}, "submission.other-release"),
    ],
)
def test_only_versions_that_came_before_are_accepted(
    versions: Versions, tmp_path: Path, said: dict[str, str], code: str | None
) -> None:
    rows = left_of(rows_for(versions.old), versions.new)
    findings = check(versions.new, write(tmp_path / "f.jsonl", [{"earmark": said}, *rows]))
    found = findings.counts.keys() & {"submission.earlier-release", "submission.other-release"}
    assert found == ({code} if code else set())


def test_a_later_file_is_none_for_an_earlier_version(versions: Versions, tmp_path: Path) -> None:
    rows = left_of(rows_for(versions.old), versions.new)
    assert check(versions.old, write(tmp_path / "f.jsonl", rows, versions.new)).failed


def test_ids_that_were_never_any_stay_unknown(versions: Versions, tmp_path: Path) -> None:
    gone = next(read_withdrawn(versions.new).presentations())
    rows: list[dict[str, object]] = [{"presentation_id": id, "choice": "P"} for id in (gone, f"{gone[:-1]}0", "p" * 27)]
    findings = check(versions.new, write(tmp_path / "f.jsonl", rows))
    assert findings.counts["submission.withdrawn"] == 1
    assert findings.counts["submission.unknown-id"] + findings.counts.get("submission.homoglyph-id", 0) == 2


def test_files_without_a_header_are_read_too(versions: Versions, tmp_path: Path) -> None:
    rows = rows_for(versions.old)
    lines = [f"{row['presentation_id']},{row.get('choice', 'P')},{row['run']}\n" for row in rows]
    (tmp_path / "f.csv").write_text("".join(["presentation_id,choice,run\n", *lines]), encoding="utf-8")
    findings = check(versions.new, tmp_path / "f.csv")
    assert findings.counts["submission.withdrawn"] == len(rows) - len(left_of(rows, versions.new))
    assert not findings.failed


@pytest.mark.slow
def test_ratings_of_withdrawn_items_are_left_out(versions: Versions, tmp_path: Path) -> None:
    file = write(tmp_path / "f.jsonl", left_of(rows_for(versions.old), versions.new))
    items = sorted(versions.old.table("items")["item_id"].to_pylist())
    rated = "".join(f"{item},{rater},{n % 5}\n" for n, item in enumerate(items) for rater in ("ann", "bob"))
    (tmp_path / "human.csv").write_text(f"item_id,rater,rating\n{rated}", encoding="utf-8")
    findings = score(versions.new, file, human=tmp_path / "human.csv", options=QUICK).findings
    assert findings.counts["ratings.withdrawn"] == 2 * len(read_withdrawn(versions.new).withdrawn)
    assert "ratings.unknown-item" not in findings.counts


def test_another_list_of_withdrawals_is_not_believed(versions: Versions, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(versions.new.path, tmp_path / "tampered")
    tampered = open_release(tmp_path / "tampered")
    file = withdrawn_file(tampered)
    file.write_text(file.read_text(encoding="utf-8").replace("Asked for.", "Nobody asked."), encoding="utf-8")
    with pytest.raises(ReleaseError, match="is not the list"):
        check(tampered, write(tmp_path / "f.jsonl", rows_for(versions.new)))
