"""Printed figures beside reports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from earmark.manifests.errors import EarmarkError
from earmark.manifests.report import MetricEntry, Report
from earmark.scoring.papers.beside import as_plain, beside, read_reports
from earmark.scoring.papers.stancebench import STANCEBENCH


def report(path: Path, *entries: MetricEntry, judge: object = "ours", family: str = "stance") -> Path:
    Report(
        signature={"family": family},
        submission={} if judge is None else {"judge": judge},  # type: ignore[dict-item]  # any JSON
        label_source="roles",
        headline="balanced_accuracy",
        counts={},
        metrics=entries,
    ).write(path)
    return path


def entry(metric: str, facet: str, value: float | None, slice: str = "all") -> MetricEntry:
    return MetricEntry(
        metric=metric, facet=facet, slice=slice, value=value, n=10, reason=None if value is not None else "none"
    )


def shown(*files: Path) -> dict[tuple[str, str | None, str], tuple[str, ...]]:
    compared = beside(STANCEBENCH, read_reports(STANCEBENCH, files))
    return {(one.printed.metric, one.printed.facet, one.printed.place): one.shown for one in compared}


def test_paper_mode_comes_first_and_anything_else_has_a_star(tmp_path: Path) -> None:
    both = report(
        tmp_path / "a.json",
        entry("auroc", "S0", 0.7),
        entry("auroc", "S0", 0.8, STANCEBENCH.slice),
        entry("auroc", "S1", 0.9),
        entry("auroc", "S2", None, STANCEBENCH.slice),
        entry("auroc", "S2", 0.625),
        entry("eer", "S7", 0.21),
        entry("eer_nearest_vertex", "S7", 0.25, STANCEBENCH.slice),
        entry("auroc", "overall", 0.1),
    )
    found = shown(both)
    assert found["auroc", "S0", "results, S0"] == ("0.80",)
    assert found["auroc", "S1", "results, S1"] == ("0.90*",)
    assert found["auroc", "S2", "results, S2"] == ("0.625*",)
    assert found["auroc", "S3", "results, S3"] == ("-",)
    assert found["eer", "S7", "results, commercial judges"] == ("0.25",)


def test_a_range_over_dimensions_is_held_against_one(tmp_path: Path) -> None:
    entries = [entry("failure_rate", facet, value) for facet, value in (("S0", 0.1), ("S1", 0.3), ("overall", 0.9))]
    found = shown(report(tmp_path / "a.json", *entries))
    assert found["failure_rate", None, "results, reliability of structured output"] == ("0.10 to 0.30*",)


def test_judges_are_named_as_they_call_themselves_and_told_apart(tmp_path: Path) -> None:
    files = [
        report(tmp_path / "a.json", judge={"name": "Owl"}),
        report(tmp_path / "b.json", judge="Owl"),
        report(tmp_path / "c.json", judge=None),
        report(tmp_path / "d.json", judge={"revision": 3}),
        report(tmp_path / "e.json", judge="Owl"),
    ]
    assert [named.judge for named in read_reports(STANCEBENCH, files)] == ["Owl", "Owl (2)", "c", "d", "Owl (3)"]


def test_an_unnamed_judge_is_called_as_the_folder_that_scoring_wrote_its_report_to(tmp_path: Path) -> None:
    for folder in ("owl", "mole"):
        (tmp_path / folder).mkdir()
    files = [report(tmp_path / folder / "report.json", judge=None) for folder in ("owl", "mole")]
    assert [named.judge for named in read_reports(STANCEBENCH, files)] == ["owl", "mole"]


def test_reports_of_other_families_and_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(EarmarkError, match="is about family pairs; paper stancebench is about stance"):
        read_reports(STANCEBENCH, [report(tmp_path / "a.json", family="pairs")])
    (tmp_path / "b.json").write_text("[]", encoding="utf-8")
    with pytest.raises(EarmarkError, match="is no report"):
        read_reports(STANCEBENCH, [tmp_path / "b.json"])


def test_plain_values_are_json(tmp_path: Path) -> None:
    named = read_reports(STANCEBENCH, [report(tmp_path / "a.json", entry("auroc", "S0", 0.7))])
    cells, walks, compared = STANCEBENCH.cells(), STANCEBENCH.example(), beside(STANCEBENCH, named)
    plain = json.loads(json.dumps(as_plain(STANCEBENCH, cells, walks, compared), allow_nan=False))
    assert len(plain["worked_values"]) == len(cells)
    assert plain["worked_values"][0]["problem"] is None
    assert plain["filters"][0]["steps"][-1]["name"] == "sign_rule"
    assert len(plain["printed"]) == len(STANCEBENCH.printed)
    first = next(one for one in plain["printed"] if one["printed"]["metric"] == "auroc")
    assert first["found"] == [{"low": 0.7, "high": 0.7, "paper_mode": False}]
