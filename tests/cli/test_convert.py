"""`earmark convert`: files in, a release and our own files out; what is wrong is said and exits as every verb does."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.support.speecheq_predictions import NUMBERS, counted, prediction_file, write_file

from earmark.cli.convert import FORMATS
from earmark.manifests.release import open_release
from earmark.manifests.report import OVERALL
from earmark.scoring.face import score
from earmark.scoring.measuring import Options

Earmark = Callable[..., Any]


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    return [
        write_file(tmp_path / "ears.json", prediction_file(count=6, swap=False)),
        write_file(tmp_path / "numbers.json", prediction_file(kind=NUMBERS, count=6)),
    ]


def test_from_files_to_marks(earmark: Earmark, files: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    said = earmark("convert", *files, "--from", "speecheq", "--make-release", "--out", out)
    assert (said.code, said.err) == (0, "")
    assert "unlinked-cascade-numbers" in said.out
    assert earmark("validate", out / "release").code == 0
    assert earmark("info", out / "release").code == 0
    words = (
        "--release",
        out / "release",
        "--paper",
        "speecheq",
        "--out",
        tmp_path / "report",
        "--quiet",
        "--resamples",
        100,
    )
    assert earmark("score", out / "predictions" / "ears.jsonl", *words).code == 0
    metrics = json.loads((tmp_path / "report" / "report.json").read_text("utf-8"))["metrics"]
    _require_marks({entry["metric"]: entry["value"] for entry in metrics if _is_the_papers(entry)}, files[0])


def _is_the_papers(entry: Mapping[str, Any]) -> bool:
    return (entry["facet"], entry["slice"]) == (OVERALL, "paper:speecheq")


def _require_marks(values: Mapping[str, Any], file: Path) -> None:
    """The paper's own way of marking must come to what can be counted in the authors' file."""
    value = json.loads(file.read_text("utf-8"))
    own, dialogues = counted(value), len(value["responses"])
    right = dict(zip(("acc_1", "acc_2", "acc_traj"), own.votes, strict=True))
    assert {name: values[name] for name in right} == pytest.approx(
        {name: n / dialogues for name, n in right.items()}, abs=1e-6
    )
    assert values["acc_all"] == pytest.approx((own.votes[0] + own.votes[1]) / (2 * dialogues), abs=1e-6)
    assert values["swap_consistency"] == pytest.approx(own.alike / own.swapped, abs=1e-6)


def test_onto_a_release_and_for_machines(earmark: Earmark, files: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    said = earmark("convert", files[0], "--from", "speecheq", "--make-release", "--out", out, "--json")
    value = json.loads(said.out)
    assert value["release"] == str(out / "release")
    assert value["written"][0] | {"rows": 36, "dialogues": 6, "protocol": "unlinked"} == value["written"][0]
    onto = ("convert", files[0], "--from", "speecheq", "--release", out / "release", "--out", tmp_path / "again.jsonl")
    assert earmark(*onto, "--quiet").code == 0
    assert (tmp_path / "again.jsonl").read_bytes() == (out / "predictions" / "ears.jsonl").read_bytes()
    assert earmark(*onto).code == 2  # it is there


def test_a_run_that_cannot_be_used_is_left_out_and_said(earmark: Earmark, tmp_path: Path) -> None:
    value = prediction_file(count=3)
    del value["responses"][0]["sentence_4"]["individual_results"][2]["high_eq_option"]
    file = write_file(tmp_path / "ears.json", value)
    said = earmark("convert", file, "--from", "speecheq", "--make-release", "--out", tmp_path / "out")
    assert said.code == 1
    assert "convert.bad-run" in said.err
    lines = (tmp_path / "out" / "predictions" / "ears.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 1 + 17


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (("FILE", "--from", "stancebench", "--make-release"), 2, "no format named 'stancebench'"),
        (("FILE", "--from", "speecheq"), 2, "one of --release DIR and --make-release"),
        (("FILE", "--from", "speecheq", "--release", "ABSENT", "--make-release"), 2, "one of --release DIR"),
        (("FILE", "--from", "speecheq", "--release", "ABSENT"), 2, "is no release"),
        (("ABSENT", "--from", "speecheq", "--make-release"), 2, "not there"),
        (("FILE", "FILE", "--from", "speecheq", "--release", "ABSENT"), 2, "2 files cannot become one"),
        (("FILE", "FILE", "--from", "speecheq", "--make-release"), 1, "convert.one-name"),
        (("FILE", "--from", "speecheq", "--make-release", "--version", "one"), 2, "MAJOR.MINOR.PATCH"),
        (("FILE", "--from", "speecheq", "--make-release", "--key", "ABSENT"), 2, "cannot read the key file"),
        (("BAD", "--from", "speecheq", "--make-release"), 1, "convert.not-predictions"),
        (("FILE", "--make-release"), 2, "--from"),
    ],
)
def test_what_cannot_be_done_says_why_and_writes_nothing(
    earmark: Earmark, tmp_path: Path, words: tuple[str, ...], code: int, why: str
) -> None:
    named = {
        "FILE": write_file(tmp_path / "ears.json", prediction_file(count=1)),
        "BAD": write_file(tmp_path / "bad.json", [1]),
        "ABSENT": tmp_path / "absent",
    }
    before = sorted(tmp_path.iterdir())
    said = earmark("convert", *(named.get(word, word) for word in words), "--out", tmp_path / "out")
    assert said.code == code
    assert why in said.err
    assert sorted(tmp_path.iterdir()) == before


def test_every_format_is_named_in_the_help(earmark: Earmark) -> None:
    said = earmark("convert", "--help")
    assert said.code == 0
    assert all(name in said.out for name in FORMATS)


def test_the_real_files_come_to_the_figures_of_their_authors(
    earmark: Earmark, shared_data: Path, tmp_path: Path
) -> None:
    files = sorted((shared_data / "speecheq_predictions").glob("*.json"))
    out = tmp_path / "out"
    assert earmark("convert", *files, "--from", "speecheq", "--make-release", "--out", out, "--quiet").code == 0
    release = open_release(out / "release")
    for file in files:
        ours = out / "predictions" / f"{file.stem}.jsonl"
        header = json.loads(ours.read_text("utf-8").splitlines()[0])["earmark"]
        scored = score(release, ours, protocol=header["protocol"], paper="speecheq", options=Options(resamples=100))
        entries = [msgspec.to_builtins(entry) for entry in scored.report.metrics]
        _require_marks({entry["metric"]: entry["value"] for entry in entries if _is_the_papers(entry)}, file)
