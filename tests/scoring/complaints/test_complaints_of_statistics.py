"""What went wrong elsewhere with figures and intervals, each under its public thread, and does not here."""

from __future__ import annotations

import math
import tracemalloc
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scoring.complaints.marking import QUICK, hearing, marked, saved, value
from tests.support.tiny import write_tiny_release

from earmark.manifests.release import Release
from earmark.scoring.baselines import write_predictions
from earmark.scoring.decisions import owed_presentations
from earmark.scoring.face import score
from earmark.scoring.stance.baselines import BASELINES
from earmark.statistics.intervals import intervals
from earmark.statistics.ranking import Auroc, EerInterpolated, OracleF1
from earmark.statistics.rates import Ratio, f1
from earmark.statistics.statistic import Mean
from earmark.statistics.weights import cluster_weights


@pytest.mark.parametrize("label", [True, False])
def test_the_auroc_of_one_class_was_zero_and_poisoned_the_mean(label: bool) -> None:
    """scikit-learn#30079, PR#27412, PR#30103: 0.0 with one class, and averages over subsets took it in."""
    alone = Auroc.of_rows([0.1, 0.9], [label, label], [0, 1], 2)
    assert alone.value() is None
    assert alone.reason() == "a class has no rows"
    sound = Auroc.of_rows([0.1, 0.9], [False, True], [0, 1], 2)
    assert sound.value() == 1.0
    together = Mean((sound, alone))
    assert together.value() is None  # not 0.5, and not 1.0 over those that are left without saying so
    assert together.reason() is not None


def test_a_facet_of_one_class_is_null_in_the_report(tmp_path: Path) -> None:
    """scikit-learn#30079 again, in a whole report: a facet with one pole has a reason, and the others keep their value."""
    release = write_tiny_release(tmp_path / "r", items=3, facets=2)  # S0 has both poles, S1 one item
    report = marked(release, tmp_path, hearing(release)).report
    first, second = report.find("auroc", "S0"), report.find("auroc", "S1")
    assert first is not None
    assert second is not None
    assert (first.value, first.reason) == (1.0, None)
    assert second.value is None
    assert second.reason


def slow_eer(score: list[float], label: list[bool]) -> float:
    """The error rate where FPR = FNR on the straight lines between thresholds, by definition."""
    positive = [s for s, is_positive in zip(score, label, strict=True) if is_positive]
    negative = [s for s, is_positive in zip(score, label, strict=True) if not is_positive]
    curve = [(0.0, 1.0)]
    for threshold in sorted(set(score), reverse=True):
        called = [sum(s >= threshold for s in side) for side in (negative, positive)]
        curve.append((called[0] / len(negative), 1 - called[1] / len(positive)))
    for (fpr, fnr), (next_fpr, next_fnr) in pairwise(curve):
        if next_fpr >= next_fnr:
            share = (fnr - fpr) / ((fnr - fpr) + (next_fpr - next_fnr))
            return fpr + share * (next_fpr - fpr)
    raise AssertionError


@given(st.lists(st.tuples(st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]), st.booleans()), min_size=2, max_size=12))
@settings(max_examples=40)
def test_two_equal_error_rates_of_the_same_scores(rows: list[tuple[float, bool]]) -> None:
    """clovaai/voxceleb_trainer#11: 0.4 by one code and 0.2 by another.

    Yaselley/deepfense-framework PR#28 (ties), Lightning-AI/torchmetrics#3310 (a wrong formula in the docs): ours is the
    point where the two errors are equal, whatever the ties.
    """
    score, label = [s for s, _ in rows], [is_positive for _, is_positive in rows]
    got = EerInterpolated.of_rows(score, label, list(range(len(rows))), len(rows)).value()
    if len(set(label)) < 2:
        assert got is None
        return
    assert got == pytest.approx(slow_eer(score, label))
    turned = EerInterpolated.of_rows([-s for s in score], [not entry for entry in label], range(len(rows)), len(rows))
    assert turned.value() == pytest.approx(got)


def test_all_scores_tied_is_an_error_rate_of_one_half() -> None:
    """Yaselley/deepfense-framework PR#28: with ties alone the code returned 0 or 1 by the order of the rows."""
    for label in ([True, False, True, False], [False, False, True, True]):
        assert EerInterpolated.of_rows([0.3] * 4, label, range(4), 4).value() == 0.5
        assert Auroc.of_rows([0.3] * 4, label, range(4), 4).value() == 0.5


@pytest.mark.parametrize("clusters", [1, 2, 7, 100])
def test_the_bootstrap_drew_half_of_the_rows_without_replacement(clusters: int) -> None:
    """openai/evals PR#1834: n // 2 rows without replacement, and NaN for one row."""
    drawn = np.concatenate(list(cluster_weights(clusters, 400, seed=5)))
    assert drawn.shape == (400, clusters)
    assert (drawn.sum(axis=1) == clusters).all()
    assert clusters == 1 or drawn.max() > 1  # with replacement
    variance = drawn.mean(axis=0).var() if clusters > 1 else 0.0
    assert variance < 0.05
    # A mean's standard error by n draws of n is σ/√n; by half as many without replacement it would be the same, and by
    # n without replacement 0: what tells them apart is the distribution of the counts, binomial with variance 1 − 1/n.
    assert drawn.var() == pytest.approx(1 - 1 / clusters, abs=0.1)


def test_one_row_made_the_interval_nan() -> None:
    """openai/evals PR#1834: one sample, and the standard error was NaN."""
    found = intervals({"m": Ratio.of_rows([1.0], [0], 1)}, clusters=1, replicates=50, seed=0)["m"]
    assert (found.value, found.low, found.high) == (1.0, None, None)
    assert found.reason


def test_the_bootstrap_took_twenty_five_minutes() -> None:
    """huggingface/lighteval#408: a loop over replicates that sorted every row again; here all replicates are one product."""
    rng = np.random.default_rng(3)
    statistic = Ratio.of_rows(rng.random(20_000) < 0.7, rng.integers(0, 500, 20_000), 500)
    looked_at = 0

    class Counting(Ratio):
        def replicates(self, weights: np.ndarray) -> np.ndarray:
            nonlocal looked_at
            looked_at += 1
            return super().replicates(weights)

    counting = Counting(statistic.numerator, statistic.denominator)
    found = intervals({"m": counting}, clusters=500, replicates=2000, seed=0)["m"]
    assert found.low is not None
    assert looked_at <= 2000 * 500 // 2**17 + 2  # blocks, not replicates
    assert counting.numerator.size == 500  # and clusters, not rows


def test_categories_were_ranked_within_noise(eight: Release, tmp_path: Path) -> None:
    """allenai/reward-bench#269: the first of a category was not distinguishable from the next; no figure had an interval."""
    report = marked(eight, tmp_path, hearing(eight, wrong=[2, 5])).report
    headline = report.find(report.headline)
    assert headline is not None
    assert headline.intervals
    assert all(interval.low is not None or interval.reason for interval in headline.intervals)
    assert headline.p is not None


def test_the_longer_answer_scored_a_hundred_percent(eight: Release, tmp_path: Path) -> None:
    """allenai/reward-bench#267: a rule that reads no answer was perfect on two subsets, and no such rule stood beside."""
    beside = {entry.name: entry.value for entry in marked(eight, tmp_path, hearing(eight)).report.baselines}
    assert set(beside) == {rule.name for rule in BASELINES} >= {"uniform", "always P", "louder is positive"}
    for rule in BASELINES[1:3]:
        write_predictions(rule, eight, owed_presentations(eight, eight.protocol()), tmp_path / "b.jsonl")
        alone = score(eight, tmp_path / "b.jsonl", options=QUICK)
        assert value(alone, "balanced_accuracy") == pytest.approx(beside[rule.name])


def test_f1_was_nan_without_a_hit(eight: Release, tmp_path: Path) -> None:
    """DCASE-REPO/DESED_task#80: the F1 of a class was NaN where TP = 0."""
    none_right = f1([True, False], [False, True], [0, 1], 2)
    assert none_right.value() == 0.0
    nothing = f1([False, False], [False, False], [0, 1], 2)
    assert nothing.value() is None
    assert nothing.reason()
    assert OracleF1.of_rows([0.2, 0.4], [False, False], [0, 1], 2).value() is None
    deaf = marked(eight, tmp_path, hearing(eight, wrong=range(8)))
    assert value(deaf, "f1_at_zero") == 0.0
    assert not any(isinstance(entry.value, float) and math.isnan(entry.value) for entry in deaf.report.metrics)


def test_a_metric_took_a_hundred_and_fifty_gigabytes() -> None:
    """fgnt/sed_scores_eval#5: memory grew with thresholds × replicates. Ours is bounded by a block, not by their product."""
    rng = np.random.default_rng(4)
    rows, clusters = 4000, 400
    statistic = Auroc.of_rows(rng.random(rows), rng.random(rows) < 0.5, rng.integers(0, clusters, rows), clusters)
    tracemalloc.start()
    try:
        intervals({"auroc": statistic}, clusters=clusters, replicates=600, seed=0)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < rows * 600 * 8  # a matrix of doubles, rows by replicates, would be this many bytes


def test_swapping_the_order_doubled_the_sample(eight: Release, tmp_path: Path) -> None:
    """sbintuitions/flexeval PR#223: both orders of a pair counted as two, and accuracy was of neither."""
    rows = hearing(eight, wrong=[0, 1])
    both = marked(eight, tmp_path, rows)
    entry = both.report.find("balanced_accuracy")
    assert entry is not None
    assert entry.n == 8  # items, though sixteen presentations were answered
    assert all(interval.clusters <= 8 for interval in entry.intervals)
    assert value(both, "recall_positive") in (0.5, 0.75, 1.0)
    assert value(both, "order_disagreement") == 0.0
    # Another run of every row is no more items either, and changes no value.
    again = score(eight, saved(tmp_path / "g.jsonl", [*rows, *({**row, "run": 1} for row in rows)]), options=QUICK)
    assert [entry.value for entry in again.report.metrics] == [entry.value for entry in both.report.metrics]
    assert [entry.n for entry in again.report.metrics if entry.metric == "balanced_accuracy"] == [8, 8]
