"""`earmark convert`: files in, a release and our own files out; what is wrong is said and exits as every verb does."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.support.console import run_process
from tests.support.foreign_files import (
    FOLDER,
    Known,
    audiojudge_results,
    golden,
    inspect_log,
    lm_eval_lines,
    sheet,
    stance_items,
    stancebench_rows,
)
from tests.support.speecheq_predictions import NUMBERS, counted, prediction_file, write_file

from earmark.builders.converting.formats import FORMATS as EVERY
from earmark.builders.converting.formats import format_named
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
    assert value["written"][0] | {"rows": 36, "read": 36, "owed": 24, "protocol": "unlinked"} == value["written"][0]
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
        (("FILE", "--from", "stance", "--make-release"), 2, "no format named 'stance'"),
        (("FILE", "--from", "stancebench", "--make-release"), 2, "speecheq files alone"),
        (("FILE", "--from", "speecheq"), 2, "one of --release DIR and --make-release"),
        (("FILE", "--from", "speecheq", "--release", "ABSENT", "--make-release"), 2, "one of --release DIR"),
        (("FILE", "--from", "speecheq", "--release", "ABSENT"), 2, "is no release"),
        (("ABSENT", "--from", "speecheq", "--make-release"), 2, "not there"),
        (("FILE", "FILE", "--from", "speecheq", "--release", "STANCE"), 2, "files answer dialogues"),
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
        "STANCE": FOLDER / "stance" / "release",
    }
    before = sorted(tmp_path.iterdir())
    said = earmark("convert", *(named.get(word, word) for word in words), "--out", tmp_path / "out.jsonl")
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


def foreign(name: str, folder: Path) -> tuple[Path, Path]:
    """A small file of a format that answers a golden release whole, and that release."""
    family = {"stance": "stance", "audiojudge": "pairs"}.get(name.partition("bench")[0], "dialogues")
    release = golden(family)
    protocol = release.protocol().name
    asked = [row for row in release.table("presentations").to_pylist() if protocol in row["protocols"]]
    choice, sure = release.family.choices[0], 0.75 if release.family.probability else None
    known = [Known(row["presentation_id"], 0, choice, sure) for row in asked]
    if name.startswith("stancebench"):
        assert len(stance_items(release)) * 2 == len(known)
        text = sheet(stancebench_rows(release, known))
    elif name == "audiojudge":
        results = audiojudge_results(release, known)
        text = json.dumps(
            [{**result, "presentation_id": row["presentation_id"]} for result, row in zip(results, asked, strict=True)]
        )
    elif name == "inspect":
        text = json.dumps(inspect_log(known, release.family))
    else:
        text = "\n".join(map(json.dumps, lm_eval_lines(known, release.family)))
    file = folder / {"audiojudge": "r.json", "inspect": "log.json", "lm-eval": "samples_x.jsonl"}.get(
        name, "scores.csv"
    )
    file.write_text(text, encoding="utf-8")
    return file, release.path


OTHERS = [name for name in FORMATS if name != "speecheq"]


@pytest.mark.parametrize("name", OTHERS)
def test_a_file_of_every_format_is_converted_checked_and_says_what_is_lost(
    earmark: Earmark, tmp_path: Path, name: str
) -> None:
    file, release = foreign(name, tmp_path)
    out = tmp_path / "out.jsonl"
    words = ("convert", file, "--from", name, "--release", release, "--judge", "somebody", "--out", out)
    said = earmark(*words)
    assert (said.code, said.err) == (0, "")
    losses = format_named(name).losses
    assert losses
    assert all(loss in said.out for loss in losses)
    checked = json.loads(earmark("check", out, "--release", release, "--json").out)
    assert checked["counts"] == {}
    assert checked["outcomes"]["ok"] == checked["outcomes"]["owed"] > 0
    again = json.loads(earmark(*words[:-1], tmp_path / "again.jsonl", "--json").out)
    assert again["losses"] == list(losses)
    (written,) = again["written"]
    assert (written["judge"], written["read"], written["unanswered"]) == ("somebody", written["rows"], 0)
    assert (tmp_path / "again.jsonl").read_bytes() == out.read_bytes()
    assert earmark(*words).code == 2  # it is there


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHERS)
def test_the_base_install_converts(tmp_path: Path, name: str) -> None:
    file, release = foreign(name, tmp_path)
    words = ("convert", file, "--from", name, "--release", release, "--out", tmp_path / "out.jsonl", "--quiet")
    done = run_process(*words, without=("soundfile", "soxr", "librosa", "parselmouth", "datasets", "joblib", "sklearn"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (tmp_path / "out.jsonl").is_file()


def test_the_help_names_what_there_is() -> None:
    assert tuple(form.name for form in EVERY) == FORMATS


def test_several_files_become_one_only_where_they_have_no_runs_of_their_own(
    earmark: Earmark, files: list[Path], tmp_path: Path
) -> None:
    release = FOLDER / "dialogues" / "release"
    said = earmark("convert", *files, "--from", "speecheq", "--release", release, "--out", tmp_path / "x.jsonl")
    assert (said.code, "2 files cannot become one" in said.err) == (2, True)


def test_a_name_that_check_would_not_read_is_refused(earmark: Earmark, tmp_path: Path) -> None:
    file, release = foreign("inspect", tmp_path)
    said = earmark("convert", file, "--from", "inspect", "--release", release, "--out", tmp_path / "out.csv")
    assert (said.code, "end in .jsonl" in said.err) == (2, True)


@pytest.mark.slow
def test_the_real_files_convert_onto_a_release_and_are_scored_on_the_command_line(
    earmark: Earmark, shared_data: Path, tmp_path: Path
) -> None:
    """All three through the verbs alone: made into a release, converted onto it, checked, and scored as in the paper."""
    files = sorted((shared_data / "speecheq_predictions").glob("*.json"))
    assert len(files) == 3
    made = tmp_path / "made"
    assert earmark("convert", *files, "--from", "speecheq", "--make-release", "--out", made, "--quiet").code == 0
    for file in files:
        onto = ("--release", made / "release")
        ours = tmp_path / f"{file.stem}.jsonl"
        said = earmark("convert", file, "--from", "speecheq", *onto, "--out", ours, "--json")
        (written,) = json.loads(said.out)["written"]
        assert (said.code, written["read"], written["rows"], written["left_out"]) == (0, 90, 90, {})
        checked = json.loads(earmark("check", ours, *onto, "--json").out)
        assert not any(entry["severity"] == "error" for entry in checked["findings"])
        report = tmp_path / f"report {file.stem}"
        words = ("--paper", "speecheq", "--resamples", 100, "--out", report, "--quiet")
        assert earmark("score", ours, *onto, *words).code == 0
        metrics = json.loads((report / "report.json").read_text("utf-8"))["metrics"]
        _require_marks({entry["metric"]: entry["value"] for entry in metrics if _is_the_papers(entry)}, file)
