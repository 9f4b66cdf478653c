"""`earmark paper speecheq`: every table beside ours, the caveats, and the exit code."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from earmark.cli.console import COULD_NOT_RUN, FINE, FOUND, run
from earmark.cli.main import app
from earmark.manifests.report import MetricEntry, Report
from earmark.scoring import papers
from earmark.scoring.papers.speecheq.cells import worked_values
from earmark.scoring.papers.speecheq.tables import TABLES_TOML, read_tables

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def earmark(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["earmark", *(str(word) for word in words)])
        code = run(app)
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


def test_every_table_is_printed_with_its_caveats(earmark: Run) -> None:
    code, out, err = earmark("paper", "speecheq")
    assert (code, err) == (FINE, "")
    lines = out.splitlines()
    assert "200 values; 2 known slips of print; 5 where the default differs on purpose; 0 unexplained." in lines
    heads = [line[:2] for line in lines if line[:1].isdigit() and line[1:3] == ". "]
    assert heads == ["1.", "2.", "3.", "4.", "5.", "6.", "7."]
    assert "the order reverses" in " ".join(out.split())
    row = next(line.split() for line in lines if line.split()[:2] == ["SEQ,", "rho"])
    assert row[2:5] == ["0.943", "0.943", "0.880"]


def test_a_machine_gets_the_same(earmark: Run) -> None:
    code, out, _ = earmark("paper", "speecheq", "--json")
    said = json.loads(out)
    assert (code, len(said["worked_values"]), len(said["sections"]), len(said["printed"])) == (FINE, 200, 6, 44)


def test_a_report_stands_beside_table_3(earmark: Run, tmp_path: Path) -> None:
    entry = MetricEntry(metric="acc_traj", facet="overall", value=0.375, n=8, chance=0.25)
    Report(
        signature={"family": "dialogues"},
        submission={"judge": {"name": "Owl"}},
        label_source="tones",
        headline="acc_traj",
        counts={},
        metrics=(entry,),
    ).write(tmp_path / "owl.json")
    code, out, _ = earmark("paper", "speecheq", "--reports", tmp_path / "owl.json")
    assert code == FINE
    assert "Figures printed in the tables of speecheq's paper beside the reports given" in out
    row = next(line for line in out.splitlines() if "acc traj" in line and "Kimi" in line)
    assert "0.242" in row
    assert "0.375*" in row


def test_a_changed_digit_is_exit_1(earmark: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    text = TABLES_TOML.replace('seq = "107.22"', 'seq = "107.23"')
    assert text != TABLES_TOML
    speecheq = replace(papers.PAPERS["speecheq"], cells=lambda: worked_values(read_tables(text)))
    monkeypatch.setattr(papers, "PAPERS", {"speecheq": speecheq})
    code, _, err = earmark("paper", "speecheq")
    assert code == FOUND
    assert "paper mode gives 107.22, not 107.23" in err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--release", ".", "--submission", "a.jsonl"], "has no filters to show"),
        (["--out", "tables"], "has no tables to write"),
    ],
)
def test_what_it_does_not_have_is_refused(earmark: Run, words: list[str], says: str) -> None:
    code, out, err = earmark("paper", "speecheq", *words)
    assert code == COULD_NOT_RUN
    assert says in " ".join(err.split())
    assert "Traceback" not in out + err
