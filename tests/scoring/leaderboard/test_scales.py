"""Scales: what families compute lies on them, and variants of a metric are on the metric's own."""

from __future__ import annotations

import pytest
from tests.support.golden import GOLDENS, Golden

from earmark.manifests.report import read_report
from earmark.scoring.leaderboard.scales import Better, scale_of


@pytest.mark.parametrize("golden", GOLDENS.values(), ids=list(GOLDENS))
def test_what_is_computed_is_on_its_scale(golden: Golden) -> None:
    report = read_report(golden.path / "report.json")
    known = [(entry, scale) for entry in report.metrics if (scale := scale_of(entry.metric)) is not None]
    assert len(known) > len(report.metrics) / 2
    assert all(entry.value is None or scale.holds(entry.value) for entry, scale in known)
    headline = scale_of(report.headline)
    assert headline is not None
    assert (headline.low, headline.high, headline.better) == (0, 1, Better.HIGH)
    tested = {entry.metric for entry in report.metrics if entry.chance is not None}
    assert all(scale_of(metric) is not None for metric in tested)


def test_variants_share_a_scale_and_open_metrics_have_none() -> None:
    assert scale_of("auroc_valid_only") == scale_of("auroc")
    assert scale_of("acc_traj_vote") == scale_of("acc_traj")
    assert [scale_of(name) for name in ("accuracy_z", "oracle_f1_threshold", "somebody_elses")] == [None] * 3
    rate = scale_of("failure_rate")
    assert rate is not None
    assert rate.better is Better.LOW
    assert not rate.holds(1.001)
    assert rate.holds(1.000004)  # the sixth digit of a report
