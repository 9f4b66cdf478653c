"""Figures of several judges: a row for each that has both shares, and ties held against non-ties of the same criterion alone."""

from __future__ import annotations

from tests.pages.samples import entry

from earmark.manifests.report import MetricEntry, Report
from earmark.pages.judge_figures import judge_figures


def report(*metrics: MetricEntry) -> Report:
    return Report(signature={}, submission={}, label_source="", headline="accuracy", counts={}, metrics=metrics)


def full(share: float) -> Report:
    """Overall 0.1 below the share at @B; ties of style 0.2 below its non-ties, rate without ties."""
    return report(
        entry("accuracy_a", "overall", share),
        entry("accuracy_b", "overall", share - 0.1),
        entry("consistency", "overall", share),
        entry("consistent_accuracy", "overall", share - 0.3),
        entry("accuracy_non_tie", "overall", 0.9),
        entry("accuracy_tie", "overall", 0.1),
        entry("accuracy_non_tie", "style", share),
        entry("accuracy_tie", "style", share - 0.2),
        entry("accuracy_non_tie", "rate", share),
        entry("accuracy_tie", "rate", None, reason="no such pairs"),
    )


def test_each_figure_has_a_row_for_each_judge() -> None:
    drawn = judge_figures([("Owl", full(0.75)), ("Mole", full(0.5))])
    tables = [figure.table for _, figure in drawn]
    assert [table.head[0] for table in tables] == ["judge"] * 3
    assert [[row[0] for row in table.rows] for table in tables] == [["Owl", "Mole"]] * 3
    positions, consistency, ties = tables
    assert (positions.rows[0][1], positions.rows[0][3]) == ("0.750", "0.650")
    assert (consistency.rows[1][1], consistency.rows[1][3]) == ("0.500", "0.200")
    assert (ties.rows[0][1], ties.rows[0][4]) == ("0.750", "0.550")  # of style, and never the mean over all criteria
    assert "style" in drawn[2][0]


def test_a_judge_without_the_shares_is_left_out() -> None:
    lacking = report(entry("accuracy_a", "overall", 0.5))
    assert [row[0] for row in judge_figures([("Owl", full(0.75)), ("Bat", lacking)])[0][1].table.rows] == ["Owl"]
    assert judge_figures([("Bat", lacking)]) == ()
    assert judge_figures([]) == ()
