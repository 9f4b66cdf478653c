"""A prediction file as a whole: decided by its suffix, bounded, and never followed."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from earmark.manifests.findings import Findings, declared_codes
from earmark.scoring.submissions import Header, Judge, Limits, Row, Run, Submission, read_submission

ROWS = [
    {"presentation_id": "p1", "choice": "P", "probability": 0.75, "evidence": ["low voice"]},
    {"presentation_id": "p2", "run": 1, "response": "I say\nN", "latency_s": 0.5},
    {"presentation_id": "p3", "status": "failed"},
]
READ = [
    Row("p1", choice="P", probability=0.75, evidence=("low voice",)),
    Row("p2", 1, response="I say\nN", latency_s=0.5),
    Row("p3", status="failed"),
]


def read(path: Path, limits: Limits | None = None) -> tuple[Submission, Findings]:
    findings = Findings()
    return read_submission(path, choices=("P", "N"), probability=True, findings=findings, limits=limits), findings


def write(path: Path) -> None:
    names = sorted({name for row in ROWS for name in row})
    match path.suffix.lower():
        case ".jsonl":
            path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
        case ".csv":
            with path.open("w", newline="") as stream:
                writer = csv.DictWriter(stream, names)
                writer.writeheader()
                writer.writerows({**row, "evidence": json.dumps(row.get("evidence", []))} for row in ROWS)
        case _:
            pq.write_table(pa.Table.from_pylist([{name: row.get(name) for name in names} for row in ROWS]), path)


@pytest.mark.parametrize("name", ["f.jsonl", "f.csv", "f.parquet", "F.JSONL"])
def test_each_format_gives_the_same_rows(tmp_path: Path, name: str) -> None:
    write(tmp_path / name)
    submission, findings = read(tmp_path / name)
    assert [row._replace(line=0) for row in submission.rows] == READ
    assert [row._replace(line=0) for row in submission.rows] == READ, "rows can be asked for again"
    assert submission.name == name
    assert submission.bad == ()
    assert submission.header == Header()
    assert submission.protocol is None
    assert submission.declared == {}
    assert submission.described() == {"judge": {}, "run": {}}
    assert len(findings) == 0


def test_a_name_that_is_no_text_is_spelt_out(tmp_path: Path) -> None:
    path = tmp_path / "f\udcff.jsonl"
    try:
        write(path)
    except (OSError, UnicodeEncodeError):
        pytest.skip("here names are text")
    submission, findings = read(path)
    assert submission.name == "f\\udcff.jsonl"
    assert len(submission.table) == len(ROWS)
    assert len(findings) == 0


def test_bad_rows_that_name_a_presentation_are_rows_with_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    path.write_text(
        '{"presentation_id":"p1","run":2,"choice":"X"}\n{"choice":"P"}\n{"presentation_id":"p2","choice":"P"}\n'
    )
    submission, findings = read(path)
    assert list(submission.rows) == [
        Row("p2", choice="P", line=3),
        Row("p1", 2, line=1, problem="the value is none of those that the field may have (choice)"),
    ]
    assert [bad.line for bad in submission.bad] == [1, 2]
    assert findings.exit_code == 1


def test_what_the_first_line_says(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    said = {"release": "toy@1", "protocol": "both-orders", "judge": {"name": "J"}, "run": {"serving": "batched"}}
    path.write_text(json.dumps({"earmark": said}) + '\n{"presentation_id":"p","choice":"P"}')
    submission, findings = read(path)
    assert submission.header == Header(
        release="toy@1", protocol="both-orders", judge=Judge(name="J"), run=Run(serving="batched")
    )
    assert submission.protocol == "both-orders"
    assert submission.declared == {"release": "toy@1", "protocol": "both-orders"}
    assert submission.described() == {"judge": {"name": "J"}, "run": {"serving": "batched"}}
    assert len(findings) == 0


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
@pytest.mark.parametrize("name", ["f.json", "f", "f.dat", "f.jsonl.part"])
def test_where_the_name_does_not_tell_the_content_does(tmp_path: Path, suffix: str, name: str) -> None:
    write(tmp_path / f"f{suffix}")
    (tmp_path / f"f{suffix}").rename(tmp_path / name)
    submission, findings = read(tmp_path / name)
    assert [row._replace(line=0) for row in submission.rows] == READ
    assert len(findings) == 0


@pytest.mark.parametrize("data", [b"", b"choice,run\nP,1\n", b"[1]", b"p1 P\n", b"the presentation_id is p1"])
def test_what_neither_name_nor_content_tells_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "f.txt").write_bytes(data)
    submission, findings = read(tmp_path / "f.txt")
    assert list(submission.rows) == []
    assert findings.counts == {"submission.unknown-suffix": 1}


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_files_that_cannot_be_read(tmp_path: Path, suffix: str) -> None:
    assert read(tmp_path / f"absent.{suffix}")[1].counts == {"submission.unreadable": 1}
    (tmp_path / f"folder.{suffix}").mkdir()
    assert set(read(tmp_path / f"folder.{suffix}")[1].counts) <= {"submission.unreadable", "submission.not-parquet"}
    assert read(tmp_path / f"folder.{suffix}")[1].failed


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_a_file_that_is_too_large_is_not_opened(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"f.{suffix}"
    write(path)
    size = path.stat().st_size
    submission, findings = read(path, Limits(bytes=size - 1))
    assert findings.counts == {"submission.too-large": 1}
    assert submission.table.num_rows == 0


@pytest.mark.parametrize(
    ("name", "data"), [("f.jsonl", b""), ("f.jsonl", b'{"earmark":{}}\n'), ("f.csv", b"presentation_id\n")]
)
def test_a_file_without_rows(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    assert read(tmp_path / name)[1].counts == {"submission.empty": 1}


def test_codes_are_stable_and_declared_once() -> None:
    codes = {code.name for code in declared_codes()}
    assert {
        f"submission.{name}"
        for name in [
            "answer-not-ok",
            "archive",
            "bad-columns",
            "bad-compression",
            "bad-header",
            "blank-line",
            "bom",
            "bool-as-number",
            "column-type",
            "duplicate-key",
            "empty",
            "expands-too-much",
            "header-misplaced",
            "infinity",
            "line-too-long",
            "lone-probability",
            "lone-surrogate",
            "mixed-line-ends",
            "nan",
            "no-answer",
            "no-id",
            "not-an-object",
            "not-csv",
            "not-json",
            "not-parquet",
            "not-utf8",
            "nul",
            "number-overflow",
            "other-format",
            "out-of-range",
            "too-deep",
            "too-large",
            "too-long",
            "too-many-rows",
            "two-answers",
            "unknown-field",
            "unknown-suffix",
            "unknown-value",
            "unreadable",
            "wrong-type",
        ]
    } <= codes
