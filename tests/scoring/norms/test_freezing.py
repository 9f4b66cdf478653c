"""Norms of counts and of reports; everything wrong is said at once."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from tests.scoring.norms.cohorts import SHARES

from earmark.manifests.errors import Refused
from earmark.manifests.report import MetricEntry, Report, read_report
from earmark.scoring.norms import System, freeze, freeze_reports


def report(value: float | None, n: int, facet: str = "overall") -> Report:
    entry = MetricEntry(metric="acc_traj", facet=facet, value=value, n=n, reason=None if value is not None else "empty")
    return Report(signature={}, submission={}, label_source="", headline="acc_traj", counts={}, metrics=(entry,))


@settings(max_examples=40)
@given(SHARES)
def test_counts_come_back_from_the_digits_of_a_report(counts: tuple[int, int]) -> None:
    correct, total = counts
    shown = float(f"{correct / total:.6g}")
    norm = freeze_reports("ours", "1.0.0", [("a", report(shown, total))])
    assert norm.systems == (System("a", correct, total),)


def test_a_mean_over_runs_is_frozen_by_its_digits() -> None:
    norm = freeze_reports("ours", "1.0.0", [("a", report(0.416667, 4)), ("b", report(0.25, 4))])
    assert norm.systems[0].share == Fraction(416667, 1000000)
    assert norm.systems[1] == System("b", 1, 4)


def test_reports_read_from_disk_freeze_to_the_same(tmp_path: Path) -> None:
    made = [("a", report(718 / 2265, 2265)), ("b", report(589 / 2265, 2265))]
    read = []
    for judge, one in made:
        one.write(tmp_path / f"{judge}.json")
        read.append((judge, read_report(tmp_path / f"{judge}.json")))
    assert freeze_reports("ours", "1.0.0", read).id == freeze_reports("ours", "1.0.0", made).id


def test_a_subscale_has_a_norm_of_its_own() -> None:
    facet = "interpersonal_empathy"
    reports = [("a", report(0.5, 4, facet)), ("b", report(0.75, 4, facet))]
    assert freeze_reports("ours", "1.0.0", reports, facet=facet).facet == facet
    with pytest.raises(Refused) as caught:
        freeze_reports("ours", "1.0.0", reports)
    assert caught.value.findings.counts == {"norm.no-figure": 2}


def test_all_that_is_wrong_is_said_at_once() -> None:
    systems = [System("a", 3, 2), System("a", 1, 0), System(" ", 1, 2), System("b", -1, 2)]
    with pytest.raises(Refused) as caught:
        freeze("Not a name", "1", systems, metric="")
    assert caught.value.findings.counts == {"norm.name": 3, "norm.counts": 3, "norm.system-twice": 2}


def test_a_figure_that_is_undefined_or_no_share_is_refused() -> None:
    with pytest.raises(Refused) as caught:
        freeze_reports("ours", "1.0.0", [("a", report(None, 4)), ("b", report(1.5, 4)), ("c", report(0.5, 0))])
    found = sorted(f"{finding.id}: {finding.found}" for finding in caught.value.findings)
    assert found == ["a: empty", "b: 1.5 of 4", "c: 0.5 of 0"]
