"""The summary: known columns for stance, the headline and the first figures for anybody else."""

from __future__ import annotations

from dataclasses import replace

from tests.pages.samples import DIMENSIONS, NAMES, entry, stance_report

from earmark.manifests.report import MetricEntry, Report
from earmark.pages.summary import LEADING, beside_text, facets_of, leading_metrics, report_table, summary


def toy(*metrics: MetricEntry, headline: str = "macro_accuracy") -> Report:
    return Report(signature={}, submission={}, label_source="coin", headline=headline, counts={}, metrics=metrics)


def test_a_stance_report_shows_the_known_columns() -> None:
    found = summary(stance_report(), NAMES)
    assert found.metrics[0] == "balanced_accuracy"
    assert found.metrics[1:] == LEADING["balanced_accuracy"]
    assert found.head == ("facet", "n", "balanced accuracy", "failure", "disagreement", "AUROC", "EER", "oracle F1")
    assert [row[0] for row in found.rows][:2] == ["all dimensions", "S0 Interpersonal Warmth"]
    assert len(found.rows) == 1 + len(DIMENSIONS)


def test_headline_and_auroc_have_their_first_interval() -> None:
    row = summary(stance_report()).rows[1]
    assert [("[" in cell) for cell in row] == [False, False, True, False, False, True, False, False]
    speaker = stance_report().find("auroc", "S0")
    assert speaker is not None
    assert row[5].endswith(f"[{speaker.intervals[0].low:.3f},\N{NO-BREAK SPACE}{speaker.intervals[0].high:.3f}]")


def test_another_family_shows_its_headline_first() -> None:
    others = [entry(f"metric_{place}", "overall", 0.1 * place) for place in range(9)]
    report = toy(*others, entry("macro_accuracy", "overall", 0.5))
    assert leading_metrics(report) == ("macro_accuracy", *(f"metric_{place}" for place in range(5)))


def test_a_headline_that_is_absent_still_has_its_column() -> None:
    found = summary(toy(entry("other", "style", 0.4)))
    assert found.head == ("facet", "n", "macro accuracy", "other")
    assert found.rows == (("style", "—", "—", "0.400"),)


def test_facets_come_from_figures_and_counts_overall_first() -> None:
    report = replace(toy(entry("m", "b", 1.0), entry("m", "overall", 1.0)), counts={"a": {"ok": 1}})
    assert facets_of(report) == ("overall", "b", "a")


def test_the_text_table_is_aligned_ascii() -> None:
    report = stance_report()
    lines = report_table(report, NAMES).splitlines()
    assert len(lines) == 2 + 1 + len(DIMENSIONS)
    assert len(set(map(len, lines))) == 1
    assert set(lines[1]) == {"-", " "}
    assert all(line.isascii() for line in lines)
    edges = [place for place, letter in enumerate(lines[1]) if letter == " "]
    assert all(line[place] == " " for line in lines for place in edges)


def test_undefined_and_negative_figures_in_the_text_table() -> None:
    text = report_table(toy(entry("macro_accuracy", "overall", None, reason="none"), entry("shift", "overall", -0.25)))
    assert text.splitlines()[2].split() == ["all", "facets", "3,708", "-", "-0.250"]


def test_an_empty_report_has_only_a_head() -> None:
    assert report_table(toy()).splitlines()[0].split() == ["facet", "n", "macro", "accuracy"]


def test_conditional_intervals_are_marked_and_explained() -> None:
    base = entry("auroc", "S0", 0.7)
    twelve, seven = (
        replace(base.intervals[0], by="unit", reason=f"conditional on {count} speakers") for count in (12, 7)
    )
    report = replace(
        toy(
            replace(base, intervals=(twelve,)),
            replace(base, facet="S1", intervals=(seven,)),
            replace(base, facet="S2", intervals=(replace(seven, reason="every replicate gives the same value"),)),
        ),
        headline="auroc",
    )
    found = summary(report)
    assert [row[2].endswith("†") for row in found.rows] == [True, True, False]
    assert found.note == (
        "† conditional on 7 to 12 speakers, resampled by unit instead. Such intervals are too narrow."
    )
    assert report_table(report).splitlines()[-1].startswith("* conditional on 7 to 12 speakers")
    assert summary(stance_report()).note == ""


def test_counts_have_no_decimals() -> None:
    assert summary(toy(entry("units_kept", "S0", 17.0), headline="units_kept")).rows[0][2].startswith("17 ")


def test_a_report_on_pairs_shows_what_pairs_are_compared_by() -> None:
    names = ("accuracy_micro", "failure_rate", "accuracy", "consistency", "accuracy_tie", "accuracy_non_tie")
    report = toy(*(entry(name, "overall", 0.5) for name in names), headline="accuracy")
    assert leading_metrics(report) == ("accuracy", "failure_rate", "accuracy_non_tie", "accuracy_tie", "consistency")
    assert summary(report).head == ("facet", "n", "accuracy", "failure", "non-tie", "tie", "consistency")


def test_papers_and_other_submissions_have_a_line_each_with_the_headline() -> None:
    def bare(metric: str, value: float, slice: str, facet: str = "overall") -> MetricEntry:
        return replace(entry(metric, facet, value, slice=slice), intervals=())

    report = toy(
        bare("acc_traj", 0.5, "all"),
        bare("acc_traj", 0.25, "paper:ours"),
        bare("acc_1", 0.75, "paper:ours"),
        bare("swap_coverage", 0.875, "paper:ours"),
        bare("acc_traj", 0.125, "paper:ours", "style"),
        bare("difference_acc_traj", -0.0625, "against:other"),
        bare("difference_acc_1", 0.375, "against:other"),
        bare("rest", 0.5, "paper:theirs"),
        headline="acc_traj",
    )
    assert beside_text(report).splitlines() == [
        "paper:ours: acc traj 0.250, acc 1 0.750",
        "against:other: difference acc traj -0.062",
        "paper:theirs: rest 0.500",
    ]
    assert beside_text(toy(entry("acc_traj", "overall", 0.5), headline="acc_traj")) == ""
