"""What went wrong elsewhere with prediction files, each under its public thread, and does not here."""

from __future__ import annotations

import io
import json
import math
import random
import shutil
import zipfile
from pathlib import Path

import pytest
from tests.scoring.complaints.marking import QUICK, Line, hearing, marked, saved, value
from tests.support.tiny import write_tiny_release

from earmark.manifests.release import Release, open_release
from earmark.manifests.tables import Side
from earmark.scoring.face import check, score, write_report

OUTCOMES = ("ok", "missing", "failed", "unparsable", "abstained", "conflicting")


@pytest.mark.parametrize(
    ("name", "code"), [("f.parquet", "not-parquet"), ("f.csv", "not-csv"), ("f.xlsx", "unknown-suffix")]
)
def test_a_wrongly_named_file_ranked_first(name: str, code: str, eight: Release, tmp_path: Path) -> None:
    """codalab/codabench#2321 (also #2018, #1152, #1284, #1540): it showed "n/a" and stood above all others."""
    text = saved(tmp_path / name, hearing(eight)).read_text(encoding="utf-8")
    (tmp_path / name).write_text(text.replace("{", "") if name.endswith("x") else text, encoding="utf-8", newline="\n")
    scored = score(eight, tmp_path / name, options=QUICK)
    assert scored.findings.exit_code == 1
    assert scored.findings.counts[f"submission.{code}"] == 1
    assert value(scored, "balanced_accuracy") == 0.0
    assert value(scored, "eer") == 1.0


def test_anyone_could_read_what_others_had_submitted(eight: Release, tmp_path: Path) -> None:
    """codalab/codabench#1824, #2536, #2555: what is published of a submission let its predictions be fetched.

    A report holds no row of the file and nothing of any item, so that publishing it hands out neither predictions nor answers.
    """
    scored = marked(eight, tmp_path, hearing(eight, wrong=[3]))
    write_report(eight, scored, tmp_path / "out")
    ids = [
        id
        for table, column in (("presentations", "presentation_id"), ("items", "item_id"), ("clips", "clip_id"))
        for id in eight.table(table)[column].to_pylist()
    ]
    assert len(ids) == 16 + 8 + 8
    for name in ("report.json", "report.html"):
        text = (tmp_path / "out" / name).read_text(encoding="utf-8")
        assert [id for id in ids if id in text] == []


def test_an_entry_of_an_archive_was_written_outside_its_folder(eight: Release, tmp_path: Path) -> None:
    """Cloud-CV/EvalAI#5112: submissions were archives, and `../` in a name was followed."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        archive.writestr("../../escaped.jsonl", "x")
        archive.writestr("predictions.jsonl", "".join(json.dumps(line) + "\n" for line in hearing(eight)))
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    for name in ("s.jsonl", "s.csv", "s.parquet"):
        (folder / name).write_bytes(sink.getvalue())
        findings = check(eight, folder / name)
        assert findings.counts == {"submission.archive": 1, "submission.missing": 16}
    (folder / "s.zip").write_bytes(sink.getvalue())
    assert check(eight, folder / "s.zip").exit_code == 1
    assert {path.name for path in tmp_path.rglob("*")} == {"a", "b", "s.jsonl", "s.csv", "s.parquet", "s.zip"}


def test_the_order_of_rows_decided_the_score(eight: Release, tmp_path: Path) -> None:
    """tencent-alchemy/Alchemy#12: an unsorted file got 0.0 in place of 1.176, and no error."""
    rows = hearing(eight, wrong=[1, 4])
    straight = marked(eight, tmp_path, rows).report.as_json()
    shuffled = rows.copy()
    random.Random(1).shuffle(shuffled)  # noqa: S311 - an order, not a secret
    assert shuffled != rows
    assert marked(eight, tmp_path, shuffled).report.as_json() == straight


def test_nobody_was_told_that_a_few_entries_were_missing(eight: Release, tmp_path: Path) -> None:
    """facebookresearch/fairchem#502: a run hung for a week, "you might be missing a few entries"."""
    rows = hearing(eight)
    scored = marked(eight, tmp_path, rows[:5] + rows[6:])
    assert scored.findings.counts == {"submission.missing": 1}
    assert [finding.id for finding in scored.findings] == [rows[5]["presentation_id"]]
    assert scored.report.counts["overall"]["missing"] == 1
    coverage = scored.report.find("order_disagreement_coverage")
    assert coverage is not None
    assert (coverage.value, coverage.n) == (7 / 8, 8)


@pytest.mark.parametrize("kept", [1, 15])
def test_a_shorter_file_was_marked_on_what_it_had(kept: int, eight: Release, tmp_path: Path) -> None:
    """mjpost/sacrebleu PR#303 (#220, #281, #294): lengths that differ were cut to the shorter, and a perfect score came out."""
    scored = marked(eight, tmp_path, hearing(eight)[:kept])
    assert scored.report.counts["overall"]["owed"] == 16
    assert scored.report.counts["overall"]["missing"] == 16 - kept
    got = value(scored, "balanced_accuracy")
    assert got is not None
    assert got <= kept / 16


@pytest.mark.parametrize(
    "data", [b"", b"\n\n", b"{}\n", b"not json\n", b'{"presentation_id":""}\n', b"\xff\xfe\0\0", b"[]"]
)
def test_a_file_without_answers_made_no_errors(data: bytes, eight: Release, tmp_path: Path) -> None:
    """PigeonDan1/sure-evaluation PR#1: empty hypotheses were dropped, and a malformed file had an error rate of 0."""
    (tmp_path / "f.jsonl").write_bytes(data)
    scored = score(eight, tmp_path / "f.jsonl", options=QUICK)
    assert scored.findings.exit_code == 1
    for metric, worst in (("failure_rate", 1.0), ("eer", 1.0), ("balanced_accuracy", 0.0), ("auroc", 0.0)):
        assert value(scored, metric) == worst, metric
    entry = scored.report.find("order_disagreement")
    assert entry is not None
    assert (entry.value, entry.reason) == (None, "no rows")  # and not 0, which would be the best there is


def test_empty_responses_were_dropped(eight: Release, tmp_path: Path) -> None:
    """PigeonDan1/sure-evaluation PR#1 again: half of the answers empty, and the rate was over the other half."""
    rows = hearing(eight)
    half: list[Line] = [{"presentation_id": row["presentation_id"], "response": ""} for row in rows[:8]]
    scored = marked(eight, tmp_path, [*half, *rows[8:]])
    assert scored.findings.counts == {"submission.unparsable": 8}
    assert value(scored, "failure_rate") == 0.5
    got = value(scored, "balanced_accuracy")
    assert got is not None
    assert got <= 0.5


def test_errored_abstained_and_absent_were_one_and_left_the_denominator(eight: Release, tmp_path: Path) -> None:
    """UKGovernmentBEIS/inspect_ai#4286, #2914, #4412, #4421, PR#2104: "2 of 8" read 20 % or 33 %."""
    rows = hearing(eight)
    ids = [row["presentation_id"] for row in rows]
    odd: list[Line] = [
        {"presentation_id": ids[4], "status": "failed"},
        {"presentation_id": ids[5], "status": "abstained"},
        {"presentation_id": ids[6], "response": "NaN"},
        {"presentation_id": ids[7], "choice": "N", "run": 0},
        {"presentation_id": ids[7], "choice": "P", "run": 0},
    ]
    scored = marked(eight, tmp_path, [*rows[:4], *odd])
    counts = scored.report.counts["overall"]
    assert {name: counts[name] for name in OUTCOMES} == {
        "ok": 4,
        "missing": 8,
        "failed": 1,
        "unparsable": 1,
        "abstained": 1,
        "conflicting": 1,
    }
    assert value(scored, "failure_rate") == 12 / 16
    for metric in scored.report.metrics:  # the empty case of every one is a reason, never NaN in one and 0.0 in another
        assert (metric.value is None) == (metric.reason is not None)
        assert metric.value is None or math.isfinite(metric.value)


def test_an_answer_was_evaluated(eight: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """THUDM/AgentBench#234: `eval()` on what a model wrote; null and NaN became 0 and matched a gold of 0."""
    monkeypatch.chdir(tmp_path)
    rows = hearing(eight)
    texts = ["open('run', 'w').write('x')", "__import__('os').mkdir('run')", "null", "NaN", "0", "None", "[0][0]"]
    odd: list[Line] = [
        {"presentation_id": row["presentation_id"], "response": text} for row, text in zip(rows, texts, strict=False)
    ]
    scored = marked(eight, tmp_path, [*odd, *rows[len(odd) :]])
    assert not (tmp_path / "run").exists()
    assert scored.report.counts["overall"]["unparsable"] == len(texts)
    assert scored.report.counts["overall"]["ok"] == 16 - len(texts)  # and one that fails deletes no other


def test_a_guess_stood_in_for_what_could_not_be_parsed(eight: Release, tmp_path: Path) -> None:
    """MoonshotAI/Kimi-Audio#96, MatthewCYM/VoiceBench#21: a random option was taken, so that noise scored at chance."""
    mumbling: list[Line] = [
        {"presentation_id": row["presentation_id"], "response": "Either P or N, I cannot say."}
        for row in hearing(eight)
    ]
    first, again = (marked(eight, tmp_path, mumbling) for _ in range(2))
    assert first.report.counts["overall"]["unparsable"] == 16
    assert value(first, "balanced_accuracy") == 0.0  # chance is 0.5
    assert first.report.as_json() == again.report.as_json()


def test_protocols_that_cannot_be_compared_were_mixed(tmp_path: Path) -> None:
    """MatthewCYM/VoiceBench#19: figures of transcripts and of audio in one column."""
    both = write_tiny_release(tmp_path / "both", items=4, transcripts=True)
    rows = hearing(both)
    scored = marked(both, tmp_path, rows)
    other = marked(both, tmp_path, rows, protocol="both-orders-transcript")
    assert scored.report.signature["protocol"] != other.report.signature["protocol"]
    assert other.findings.counts == {"submission.not-owed": 8, "submission.missing": 8}
    assert value(other, "balanced_accuracy") == 0.0


def test_one_problem_was_told_at_a_time(eight: Release, tmp_path: Path) -> None:
    """Kaggle's forum, topic 829, and its SubmissionParser: fix one, upload again, read the next."""
    rows = hearing(eight)
    rows[0]["choice"] = "None"
    rows[1]["probability"] = 2
    rows[2]["mood"] = "warm"
    rows[3]["run"] = "0"
    rows[4] = {"presentation_id": "p" + "a" * 26, "choice": "P"}
    text = saved(tmp_path / "f.jsonl", [*rows, rows[5]]).read_text(encoding="utf-8")
    (tmp_path / "f.jsonl").write_text(text + "{\n", encoding="utf-8", newline="\n")
    findings = check(eight, tmp_path / "f.jsonl")
    assert findings.counts == {
        "submission.unknown-value": 1,
        "submission.out-of-range": 1,
        "submission.unknown-field": 1,
        "submission.wrong-type": 1,
        "submission.unknown-id": 1,
        "submission.repeated": 1,
        "submission.not-json": 1,
        "submission.missing": 1,
    }
    rowed = {finding.code.name: finding.row for finding in findings}
    assert rowed["submission.unknown-value"] == 1
    assert rowed["submission.not-json"] == 18


def test_a_stale_template_had_fewer_rows(tmp_path: Path) -> None:
    """The same parser in 2026: a sample file of 26,760 rows for 26,860 that were owed."""
    old = write_tiny_release(tmp_path / "old", items=6)
    new = write_tiny_release(tmp_path / "new", items=8)
    findings = check(new, saved(tmp_path / "f.jsonl", hearing(old)))
    assert findings.counts == {"submission.missing": 4}
    declared = saved(tmp_path / "g.jsonl", hearing(old), content_hash=old.manifest.content_hash)
    assert check(new, declared).counts == {"submission.missing": 4, "submission.other-release": 1}
    assert check(old, declared).counts == {}


def test_coverage_was_of_what_had_been_chosen_to_answer(eight: Release, tmp_path: Path) -> None:
    """ScreamingFace/screamingface PR#676: 1.0 of the subset made a limited run look complete."""
    scored = marked(eight, tmp_path, hearing(eight)[:4])
    assert scored.report.counts["overall"]["owed"] == 16
    assert value(scored, "failure_rate") == 12 / 16
    coverage = scored.report.find("order_disagreement_coverage")
    assert coverage is not None
    assert coverage.n == 8
    assert coverage.value is not None
    assert coverage.value <= 2 / 8
    page = write_report(eight, scored, tmp_path / "out").read_text(encoding="utf-8")
    assert "submission.missing" in page


def test_the_private_split_was_private_except_to_one(eight: Release, tmp_path: Path) -> None:
    """embeddings-benchmark/mteb#3902, #3933, #3934: who had made the hidden data could train on it, and it was withdrawn.

    Nothing that is shipped to submitters tells an answer, and what is said of a file needs no answers.
    """
    shutil.copytree(eight.path, tmp_path / "public")
    shutil.rmtree(tmp_path / "public" / "private")
    public = open_release(tmp_path / "public")
    file = saved(tmp_path / "f.jsonl", hearing(eight, wrong=[0])[:-1])
    assert check(public, file).as_json() == check(eight, file).as_json()
    told = [(table.side, column.gold) for table in public.family.tables().values() for column in table.columns]
    assert (Side.PRIVATE, True) in told
    assert (Side.PUBLIC, True) not in told
    assert public.manifest.gold == "hidden"


def test_collecting_all_errors_took_the_memory_and_missed_some(eight: Release, tmp_path: Path) -> None:
    """unionai-oss/pandera#356, #652, #1688 (every failing row was kept), #484, #527, #531 (duplicates were missed).

    Here few are kept and all are counted.
    """
    rows = hearing(eight)
    again = [row for row in rows[:10] for _ in range(20)]
    unknown: list[Line] = [{"presentation_id": f"p{n:026d}", "choice": "P"} for n in range(700)]
    findings = check(eight, saved(tmp_path / "f.jsonl", [*rows, *again, *unknown]))
    assert findings.counts == {"submission.repeated": 200, "submission.unknown-id": 700}
    kept = [finding.code.name for finding in findings]
    assert {name: kept.count(name) for name in set(kept)} == dict.fromkeys(findings.counts, findings.cap)
    assert [finding.row for finding in findings][: findings.cap] == list(range(217, 217 + findings.cap))
