"""Leaving clusters out, against rows explicitly left out, scikit-learn and statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from tests.statistics.rows import Rows, rows

from earmark.statistics.designs import Crossed
from earmark.statistics.dyads import Dyads
from earmark.statistics.intervals import intervals
from earmark.statistics.jackknife import (
    FACTOR,
    FEWEST_REPLICATES,
    GROUPS,
    Jackknife,
    disagreement,
    jackknife,
    jackknives,
)
from earmark.statistics.quantiles import Quantile
from earmark.statistics.ranking import Auroc
from earmark.statistics.rates import Ratio
from earmark.statistics.statistic import Difference, Floats
from earmark.statistics.weights import cluster_weights


def by_hand(left: list[Floats]) -> Jackknife:
    """The sums as the textbooks write them, from the values without each group of each kind."""
    variance, squares, cubes = 0.0, 0.0, 0.0
    for values in left:
        n = len(values)
        variance += (n - 1) / n * sum((value - np.mean(values)) ** 2 for value in values)
        squares += sum(((n - 1) * (np.mean(values) - value) / n) ** 2 for value in values)
        cubes += sum(((n - 1) * (np.mean(values) - value) / n) ** 3 for value in values)
    return Jackknife(variance**0.5, cubes / 6 / squares**1.5)


@settings(max_examples=25)
@given(rows(max_clusters=8))
def test_the_jackknife_is_that_of_rows_left_out(given: Rows) -> None:
    mean = Ratio.of_rows(given.score, given.cluster, given.clusters)
    shifted = Difference(mean, Ratio.of_rows(given.score**2, given.cluster, given.clusters))
    found = jackknives({"mean": mean, "shifted": shifted, "auroc": Auroc.of_rows(*given.columns())})
    assert list(found) == ["mean", "shifted", "auroc"]
    there = np.unique(given.cluster)
    if len(there) < 2:
        assert found["mean"] == Jackknife(None, None, "fewer than two clusters can be left out")
        return
    kept = [given.cluster != out for out in there]
    for name, values in (("mean", given.score), ("shifted", given.score - given.score**2)):
        expected = [values[rows].mean() for rows in kept]
        if np.ptp(expected) < 1e-9:
            assert found[name].standard_error == pytest.approx(0, abs=1e-8)
        else:
            np.testing.assert_allclose(found[name][:2], by_hand([np.array(expected)])[:2], rtol=1e-6, atol=1e-9)
    if any(len(set(given.label[rows].tolist())) < 2 for rows in kept):
        assert found["auroc"] == Jackknife(None, None, "without some clusters the figure is undefined")
    else:
        wins = [np.subtract.outer(given.score[r & given.label], given.score[r & ~given.label]) for r in kept]
        areas = np.array([((1 + np.sign(gap)) / 2).mean() for gap in wins])
        if np.ptp(areas) < 1e-9:
            assert found["auroc"] == Jackknife(0.0, None, "the figure is the same without any of its clusters")
        else:
            np.testing.assert_allclose(found["auroc"][:2], by_hand([areas])[:2], rtol=1e-9, atol=1e-9)


def test_many_clusters_are_left_out_in_groups_and_those_without_rows_do_not_count() -> None:
    rng = np.random.default_rng(0)
    score, cluster = rng.exponential(size=4000), rng.integers(0, 1000, 4000) * 2  # odd clusters hold nothing
    there, rank = np.unique(cluster, return_inverse=True)
    group = rank * GROUPS // len(there)
    expected = by_hand([np.array([score[group != g].mean() for g in range(GROUPS)])])
    found = jackknife(Ratio.of_rows(score, cluster, 2000))
    np.testing.assert_allclose(found[:2], expected[:2], rtol=1e-9)
    one_by_one = by_hand([np.array([score[cluster != c].mean() for c in there])])
    np.testing.assert_allclose(found[:2], one_by_one[:2], rtol=0.3)  # fewer groups, and so more noise


def test_each_kind_of_clusters_is_left_out_by_itself() -> None:
    rng = np.random.default_rng(1)
    who, what, value = rng.integers(0, 9, 80), rng.integers(0, 5, 80), rng.normal(size=80)
    design, cell = Crossed.of_rows(who, what)
    found = jackknife(Ratio.of_rows(value, cell, design.cells), design.factors)
    left = [np.array([value[codes != c].mean() for c in np.unique(codes)]) for codes in (who, what)]
    np.testing.assert_allclose(found[:2], by_hand(left)[:2], rtol=1e-9)
    # A kind of one cluster only cannot be left out; what is never drawn is not.
    alone = jackknife(Ratio.of_rows(value, who, 9), [np.arange(9), np.zeros(9, int)])
    np.testing.assert_allclose(alone[:2], by_hand(left[:1])[:2], rtol=1e-9)
    held = np.where(np.arange(9) < 4, -1, np.arange(9))
    some = jackknife(Ratio.of_rows(value, who, 9), [held])
    np.testing.assert_allclose(some[:2], by_hand([left[0][4:]])[:2], rtol=1e-9)


def test_a_pair_is_left_out_with_either_of_its_speakers() -> None:
    rng = np.random.default_rng(2)
    speaker = np.array([(a, b) for a in range(6) for b in range(a)])
    dyads, value = Dyads.of(speaker, speaker), rng.normal(size=len(speaker))
    found = jackknife(Ratio.of_rows(value, np.arange(len(value)), len(value)), [dyads.speaker[dyads.clip]])
    expected = by_hand([np.array([value[(speaker != out).all(axis=1)].mean() for out in range(6)])])
    np.testing.assert_allclose(found[:2], expected[:2], rtol=1e-9)


def test_bootstrap_and_jackknife_agree_about_what_is_smooth_and_not_about_what_is_not() -> None:
    rng = np.random.default_rng(3)
    score, label, cluster = rng.normal(size=400), rng.random(400) < 0.5, rng.integers(0, 60, 400)
    statistics = {
        "mean": Ratio.of_rows(score, cluster, 60),
        "auroc": Auroc.of_rows(score, label, cluster, 60),
        "median": Quantile.of_rows(np.repeat([0.0, 1.0, 2.0], 20), np.arange(60), 60),
    }
    found = intervals(statistics, clusters=60, replicates=400, seed=0, checked=tuple(statistics))
    assert [found[name].note for name in ("mean", "auroc")] == [None, None]
    assert "the jackknife's standard error is 0, the bootstrap's 0." in str(found["median"].note)
    unasked = intervals(statistics, clusters=60, replicates=400, seed=0)
    for name, interval in found.items():
        assert unasked[name].note is None
        assert (interval.low, interval.high, interval.method) == (unasked[name].low, unasked[name].high, "percentile")


def test_standard_errors_are_told_apart_from_a_factor_on() -> None:
    draws = np.random.default_rng(4).normal(size=FEWEST_REPLICATES)
    drawn = float(draws.std(ddof=1))
    for factor, differs in ((0.99 * FACTOR, False), (1.01 * FACTOR, True)):
        for error in (drawn * factor, drawn / factor):
            assert (disagreement(Jackknife(error, 0.0), draws) is not None) == differs
    assert disagreement(Jackknife(drawn * 5, 0.0), draws[1:]) is None
    assert disagreement(Jackknife(None, None, "why"), draws) is None
    assert disagreement(Jackknife(0.0, None, "why"), np.full(FEWEST_REPLICATES, 0.3)) is None
    assert disagreement(Jackknife(0.0, None, "why"), draws) is not None


@pytest.mark.slow
def test_auroc_without_each_cluster_is_scikit_learn_s() -> None:
    from sklearn.metrics import roc_auc_score

    rng = np.random.default_rng(5)
    score, label, cluster = np.round(rng.normal(size=700), 1), rng.random(700) < 0.4, rng.integers(0, 90, 700)
    areas = np.array([roc_auc_score(label[cluster != c], score[cluster != c]) for c in range(90)])
    found = jackknife(Auroc.of_rows(score, label, cluster, 90))
    np.testing.assert_allclose(found[:2], by_hand([areas])[:2], rtol=1e-9, atol=1e-9)


@pytest.mark.slow
def test_the_standard_error_of_a_mean_is_statsmodels_cluster_robust_one() -> None:
    import statsmodels.api as sm

    rng = np.random.default_rng(6)
    cluster = rng.integers(0, 100, 900)
    value = rng.normal(size=100)[cluster] + rng.exponential(size=900)
    fit = sm.OLS(value, np.ones(900)).fit(cov_type="cluster", cov_kwds={"groups": cluster})
    robust = float(fit.bse[0])  # statsmodels' own small-sample factor is √(C / (C − 1) · (n − 1) / (n − 1))
    mean = Ratio.of_rows(value, cluster, 100)
    assert jackknife(mean).standard_error == pytest.approx(robust, rel=0.03)
    draws = np.concatenate([mean.replicates(block) for block in cluster_weights(100, 20_000, 7)])
    # The simulated one is known to 1 in √(2 · 20,000), and is smaller by the factor that statsmodels puts on.
    assert draws.std() == pytest.approx(robust * np.sqrt(99 / 100), rel=0.03)
