"""What went wrong elsewhere with versions of data and code, each under its public thread, and does not here."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tests.scoring.complaints.marking import QUICK, hearing, marked, saved
from tests.support.tiny import write_tiny_release

import earmark
from earmark.manifests.errors import ReleaseError
from earmark.manifests.release import Release, open_release
from earmark.manifests.report import read_report
from earmark.scoring.face import check, score, write_report


def test_scores_of_a_buggy_version_stood_among_the_others(eight: Release, tmp_path: Path) -> None:
    """embeddings-benchmark/mteb#5228, EleutherAI/lm-evaluation-harness#2211, #2322, PR#3350: no score said what had made it.

    The version of the scorer and the hash of the data are in the signature, in the file and on the page; those of other
    versions are not equal to it.
    """
    scored = marked(eight, tmp_path, hearing(eight))
    page = write_report(eight, scored, tmp_path / "out").read_text(encoding="utf-8")
    signature = read_report(tmp_path / "out" / "report.json").signature
    assert signature == scored.report.signature
    for name, true in (("scorer", f"earmark {earmark.__version__}"), ("content_hash", eight.manifest.content_hash)):
        assert signature[name] == true
        assert true in page
    older = replace(scored.report, signature={**signature, "scorer": "earmark 0.0.0"})
    assert older.signature != signature


def test_figures_that_contradict_each_other_exposed_the_bug(eight: Release, tmp_path: Path) -> None:
    """embeddings-benchmark/mteb#5228: MRR@1 differed from P@1, which are the same by definition. Ours agree where they must."""
    for wrong in ([], [1, 2, 5]):
        report = marked(eight, tmp_path, hearing(eight, wrong=wrong)).report
        of = {entry.metric: entry.value for entry in report.metrics if entry.facet == "overall"}
        positive, negative = of["recall_positive"], of["recall_negative"]
        assert positive is not None
        assert negative is not None
        assert of["balanced_accuracy"] == pytest.approx((positive + negative) / 2)
        assert of["balanced_accuracy"] == of["balanced_accuracy_valid_only"]  # every presentation was answered
        assert of["pole_consistency"] == of["pole_consistency_valid_only"]
        assert of["failure_rate"] == 1 - sum(report.counts["overall"][name] for name in ("ok",)) / 16
        oracle, gain, always = of["oracle_f1"], of["oracle_f1_gain"], of["f1_always_positive"]
        assert oracle is not None
        assert always is not None
        assert gain is not None
        assert oracle >= always
        counts = report.counts["overall"]
        assert sum(counts[name] for name in ("ok", "missing", "failed", "unparsable", "abstained", "conflicting")) == 16


def test_reports_of_two_releases_were_compared(eight: Release, tmp_path: Path) -> None:
    """embeddings-benchmark/mteb#5242: a check compared with the wrong base. What two releases made never has one signature."""
    nine = write_tiny_release(tmp_path / "nine", items=9)
    one = marked(eight, tmp_path, hearing(eight)).report
    other = marked(nine, tmp_path, hearing(nine)).report
    assert one.signature["release"] == other.signature["release"]  # the same name and version, and still
    assert one.signature != other.signature
    assert one.signature["content_hash"] != other.signature["content_hash"]


def test_a_file_for_one_release_is_not_taken_for_another(eight: Release, tmp_path: Path) -> None:
    """embeddings-benchmark/mteb#5242 again, on the side of who submits: what a file declares is what it is held against."""
    file = saved(tmp_path / "f.jsonl", hearing(eight), content_hash="blake2b-256:" + "0" * 64)
    findings = check(eight, file)
    assert findings.exit_code == 1
    [finding] = list(findings)
    assert finding.code.name == "submission.other-release"
    assert finding.expected == eight.manifest.content_hash


def test_a_checksum_of_bytes_failed_though_the_data_were_the_same(eight: Release, tmp_path: Path) -> None:
    """mjpost/sacrebleu#21: an archive was packed anew, and everybody's runs broke. Ours is a hash of what the tables say."""
    shutil.copytree(eight.path, tmp_path / "packed")
    packed = open_release(tmp_path / "packed")
    for name in ("items", "presentations", "answers"):
        path = packed.file(name)
        before = path.read_bytes()
        pq.write_table(pq.read_table(path), path, compression="none", use_dictionary=False)
        assert path.read_bytes() != before
    again = open_release(tmp_path / "packed")
    file = saved(tmp_path / "f.jsonl", hearing(eight, wrong=[1]))
    assert score(again, file, options=QUICK).report.as_json() == score(eight, file, options=QUICK).report.as_json()


def test_old_scores_stayed_when_the_reference_changed(eight: Release, tmp_path: Path) -> None:
    """codalab/codalab-competitions#3339: new answers, and the board went on showing what the old ones had given.

    Answers that are not those of the manifest are not marked on; with a manifest of their own they have a signature of
    their own, so that no old score is equal to a new one.
    """
    shutil.copytree(eight.path, tmp_path / "changed")
    changed = open_release(tmp_path / "changed")
    answers = pq.read_table(changed.file("answers"))
    turned = ["N" if gold == "P" else "P" for gold in answers["gold"].to_pylist()]
    at = answers.schema.get_field_index("gold")
    pq.write_table(answers.set_column(at, answers.schema.field(at), [turned]), changed.file("answers"))
    file = saved(tmp_path / "f.jsonl", hearing(eight))
    with pytest.raises(ReleaseError, match="table answers at hand is not that of"):
        score(open_release(tmp_path / "changed"), file, options=QUICK)
    assert "answers_hash" in score(eight, file, options=QUICK).report.signature
    manifest = json.loads((eight.path / "release.json").read_bytes())
    assert eight.manifest.answers_hash == manifest["tables"]["answers"]["content_hash"]
