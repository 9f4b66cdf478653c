"""`earmark paper`: what is printed, what a machine gets, and the exit code."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.tiny import write_tiny_release

from earmark.cli.console import COULD_NOT_RUN, FINE, FOUND, run
from earmark.cli.main import app
from earmark.manifests.release import Release
from earmark.manifests.report import MetricEntry, Report
from earmark.scoring import papers
from earmark.scoring.baselines import Baseline, Guess, write_predictions
from earmark.scoring.decisions import owed_presentations
from earmark.scoring.papers.parapair.marked import worked_values
from earmark.scoring.papers.parapair.tables import TABLES_TOML, read_tables
from earmark.scoring.papers.records import Cell

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def earmark(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["earmark", *(str(word) for word in words)])
        code = run(app)
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


@pytest.fixture
def release(tmp_path: Path) -> Release:
    return write_tiny_release(tmp_path / "release", items=8)


def predict(release: Release, path: Path, judge: Callable[[int], Guess], *, leave_out: int = 0) -> Path:
    """A prediction file, by the number of each item; the last presentations may be left out."""
    owed = owed_presentations(release, release.protocol())
    items = sorted(set(owed.item))
    guesses = {id: judge(items.index(item)) for id, item in zip(owed.ids, owed.item, strict=True)}
    write_predictions(Baseline("test", "A test.", lambda *_: guesses), release, owed, path)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[: len(lines) - leave_out]), encoding="utf-8")
    return path


def report(path: Path, judge: str) -> Path:
    entry = MetricEntry(metric="auroc", facet="S0", slice="paper:stancebench", value=0.777, n=9)
    Report(
        signature={"family": "stance"},
        submission={"judge": {"name": judge}},
        label_source="roles",
        headline="balanced_accuracy",
        counts={},
        metrics=(entry,),
    ).write(path)
    return path


def test_all_three_parts_are_printed_and_nothing_is_unexplained(earmark: Run) -> None:
    code, out, err = earmark("paper", "stancebench")
    assert (code, err) == (FINE, "")
    lines = out.splitlines()
    assert [line[:2] for line in lines if line[:1].isdigit() and line[1:2] == "."] == ["1.", "2.", "3."]
    assert any(" .64167 " in line and " 0.64167 " in line for line in lines)
    assert "29 values; 6 where the default differs on purpose; 0 unexplained." in lines
    assert any(line.startswith("sign rule ") for line in lines)
    assert any("0.66 to 0.81" in line and "results, S0" in line for line in lines)
    assert "which differ from judge to judge" in out


def test_reports_stand_beside_under_their_judges_names(earmark: Run, tmp_path: Path) -> None:
    files = [report(tmp_path / "a.json", "Owl"), report(tmp_path / "b.json", "Lark")]
    code, out, _ = earmark("paper", "stancebench", "--reports", files[0], "--reports", files[1])
    assert code == FINE
    head = next(line for line in out.splitlines() if line.startswith("facet ") and "printed" in line)
    assert head.index("printed") < head.index("Owl") < head.index("Lark") < head.index("where in the paper")
    row = next(line for line in out.splitlines() if line.startswith("S0 ") and "all judges" in line and "auroc" in line)
    assert row.count("0.777") == 2


def test_filters_are_shown_on_submissions(earmark: Run, release: Release, tmp_path: Path) -> None:
    sure = predict(release, tmp_path / "sure.jsonl", lambda n: Guess("PN"[n % 2], 0.9))
    half = predict(release, tmp_path / "half.jsonl", lambda n: Guess("P", 0.6), leave_out=6)
    code, out, _ = earmark(
        "paper", "stancebench", "--release", release.path, "--submission", sure, "--submission", half
    )
    assert code == FINE
    assert f"{sure}, S0" in out.splitlines()
    assert f"{half}, S0" in out.splitlines()
    code, out, _ = earmark(
        "paper", "stancebench", "--json", "--release", release.path, "--submission", sure, "--submission", half
    )
    walks = {walk["submission"]: {step["name"]: step for step in walk["steps"]} for walk in json.loads(out)["filters"]}
    assert set(walks) == {"example judge", str(sure), str(half)}
    assert walks[str(sure)]["row_intersection"]["removed"] > 0
    assert walks[str(sure)]["row_intersection"]["kept"] == walks[str(half)]["row_intersection"]["kept"]


def test_a_submission_s_problems_are_said(earmark: Run, release: Release, tmp_path: Path) -> None:
    file = predict(release, tmp_path / "a.jsonl", lambda n: Guess("P"))
    with file.open("a", encoding="utf-8") as stream:
        stream.write('{"presentation_id": "nobody", "choice": "P"}\n')
    code, _, err = earmark("paper", "stancebench", "--release", release.path, "--submission", file)
    assert code == FOUND
    assert "submission.unknown-id" in err


def test_json_holds_everything(earmark: Run, tmp_path: Path) -> None:
    code, out, err = earmark("paper", "stancebench", "--json", "--reports", report(tmp_path / "a.json", "Owl"))
    assert (code, err) == (FINE, "")
    said = json.loads(out)
    assert len(said["worked_values"]) == 29
    assert said["paper"] == "stancebench"
    assert said["summary"]["error"] == 0
    found = [one["found"] for one in said["printed"] if one["found"] != [None]]
    assert {tuple(entry.items()) for (entry,) in found} == {(("high", 0.777), ("low", 0.777), ("paper_mode", True))}


def test_quiet_prints_nothing(earmark: Run) -> None:
    assert earmark("paper", "stancebench", "--quiet") == (FINE, "", "")


def test_an_unexplained_difference_is_exit_1(earmark: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Cell(case="one clip", quantity="score", printed=".1", paper=0.2)
    stancebench = papers.PAPERS["stancebench"]
    monkeypatch.setattr(
        papers, "PAPERS", {"stancebench": replace(stancebench, cells=lambda: (*stancebench.cells(), wrong))}
    )
    code, out, err = earmark("paper", "stancebench")
    assert code == FOUND
    assert "30 values; 6 where the default differs on purpose; 1 unexplained." in out
    assert "paper mode gives 0.2000, not .1" in out
    assert "error paper.difference" in err
    code, out, _ = earmark("paper", "stancebench", "--json")
    assert code == FOUND
    assert json.loads(out)["counts"] == {"paper.difference": 1}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["stancbench"], "no paper named 'stancbench'; there is stancebench"),
        (["stancebench", "--release", "."], "go together"),
        (["stancebench", "--submission", "a.jsonl"], "go together"),
        (["stancebench", "--reports", "absent.json"], "absent.json"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(earmark: Run, words: list[str], says: str) -> None:
    code, out, err = earmark("paper", *words)
    assert code == COULD_NOT_RUN
    assert says in err
    assert "Traceback" not in out + err


def test_a_release_without_answers_is_refused_in_words(earmark: Run, release: Release, tmp_path: Path) -> None:
    file = predict(release, tmp_path / "a.jsonl", lambda n: Guess("P"))
    (release.path / "private").rename(tmp_path / "elsewhere")
    words = ["paper", "stancebench", "--release", release.path, "--submission", file]
    code, _, err = earmark(*words)
    assert code == COULD_NOT_RUN
    assert "lacks private/answers.parquet" in err
    code, out, _ = earmark(*words, "--answers", tmp_path / "elsewhere")
    assert code == FINE
    assert f"{file}, S0" in out


def test_parapair_is_printed_cell_by_cell_with_what_follows(earmark: Run) -> None:
    code, out, err = earmark("paper", "parapair")
    assert (code, err) == (FINE, "")
    lines = out.splitlines()
    assert "108 values; 2 known slips of print; 0 unexplained." in lines
    gemini = lines.index(next(line for line in lines if line.startswith("Table 2, Gemini 2.5 Flash")))
    assert lines[gemini].split()[-4:] == ["48.5", "48.5", "48.5", "same"]
    assert lines[gemini + 1].split() == ["rate", "88.9", "88.9", "88.9", "same"]
    heads = [line for line in lines if line[:1].isdigit() and line[1:3] == ". "]
    assert [head[:2] for head in heads] == ["1.", "2.", "3.", "4.", "5.", "6."]
    assert any("362 of 1,440 style, 445 of 860 emphasis" in line for line in lines)


def test_parapair_writes_its_tables_and_takes_reports(earmark: Run, tmp_path: Path) -> None:
    entry = MetricEntry(metric="accuracy", facet="style", value=0.625, n=9, chance=1 / 3)
    Report(
        signature={"family": "pairs"},
        submission={"judge": {"name": "Owl"}},
        label_source="labels",
        headline="accuracy",
        counts={},
        metrics=(entry,),
    ).write(tmp_path / "owl.json")
    out_dir = tmp_path / "new" / "tables"
    code, out, _ = earmark("paper", "parapair", "--reports", tmp_path / "owl.json", "--out", out_dir)
    assert code == FINE
    assert f"Tables: {out_dir / 'tables.html'}" in out
    row = next(line for line in out.splitlines() if line.startswith("style ") and "Kimi" in line and "Table 2" in line)
    assert "0.459" in row
    assert "0.625*" in row
    page = (out_dir / "tables.html").read_text(encoding="utf-8")
    assert ">Owl<" in page
    assert "62.5" in page
    code, out, _ = earmark("paper", "parapair", "--json")
    said = json.loads(out)
    assert (code, len(said["worked_values"]), len(said["sections"])) == (FINE, 108, 5)
    assert said["filters"] == []


def test_a_changed_digit_of_parapair_is_exit_1(earmark: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    text = TABLES_TOML.replace("style = 48.5,", "style = 48.6,")
    assert text != TABLES_TOML
    parapair = replace(papers.PAPERS["parapair"], cells=lambda: worked_values(read_tables(text)))
    monkeypatch.setattr(papers, "PAPERS", {"parapair": parapair})
    code, out, err = earmark("paper", "parapair")
    assert code == FOUND
    assert "108 values; 2 known slips of print; 1 unexplained." in out
    assert "error paper.difference" in err
    assert "paper mode gives 48.5, not 48.6" in err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["parapair", "--release", ".", "--submission", "a.jsonl"], "has no filters to show"),
        (["stancebench", "--out", "tables"], "has no tables to write"),
    ],
)
def test_what_a_paper_does_not_have_is_refused(earmark: Run, words: list[str], says: str) -> None:
    code, out, err = earmark("paper", *words)
    assert code == COULD_NOT_RUN
    assert says in " ".join(err.split())
    assert "Traceback" not in out + err
