"""Threshold statistics against scikit-learn on the explicitly repeated rows, and against what must hold of them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from sklearn.metrics import f1_score, precision_recall_curve, roc_auc_score, roc_curve
from tests.statistics.rows import Rows, check_against_twin, rows

from earmark.statistics import wins as wins_module
from earmark.statistics.ranking import Auroc, EerInterpolated, EerNearest, OracleF1, OracleThreshold, Overlap
from earmark.statistics.roc import Roc
from earmark.statistics.wins import WinMatrix

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from earmark.statistics.statistic import Bools, Floats, Ints

THRESHOLD_STATISTICS = (Auroc, EerInterpolated, EerNearest, OracleF1)
ONE_CLASS = Rows(np.zeros(1), np.ones(1, bool), np.zeros(1, int), 1, np.ones((1, 1)))


class Coarse:
    """Overlap in so few bins that small examples have rows enough."""

    @staticmethod
    def of_rows(score: ArrayLike, label: ArrayLike, cluster: ArrayLike, clusters: int) -> Overlap:
        return Overlap.of_rows(score, label, cluster, clusters, bins=3)


def both(label: Bools) -> bool:
    return bool(label.any() and not label.all())


def many(seed: int, n: int, clusters: int, step: float = 0.0, tied: float = 0.0) -> Rows:
    """Rows by the thousand: scores rounded to multiples of `step`, and a share of them all equal."""
    rng = np.random.default_rng(seed)
    label = rng.random(n) < 0.4
    score = np.tanh(rng.normal(size=n) + label)
    score = np.round(score / step) * step if step else score
    score[rng.random(n) < tied] = 0.25
    return Rows(score, label, rng.integers(0, clusters, n), clusters, rng.integers(0, 3, (3, clusters)).astype(float))


def interpolated_eer(score: Floats, label: Bools) -> float:
    """Walk along the polygon, in lines."""
    fpr, tpr, _ = roc_curve(label, score, drop_intermediate=False)
    for (x0, y0), (x1, y1) in pairwise(zip(fpr, tpr, strict=True)):
        if x1 + y1 >= 1:  # FNR ≤ FPR from here on
            return float(x0 + (x1 - x0) * (1 - x0 - y0) / (x1 - x0 + y1 - y0))
    raise AssertionError


def f1_by_threshold(score: Floats, label: Bools) -> dict[float, float]:
    """F1 of calling positive what scores at least so much, for every score."""
    precision, recall, thresholds = precision_recall_curve(label, score)
    both = np.maximum(precision + recall, 1e-300)[:-1]
    return dict(zip(thresholds.tolist(), (2 * precision[:-1] * recall[:-1] / both).tolist(), strict=True))


def nearest_eer(score: Floats, label: Bools) -> float:
    """The reference's: scikit-learn's curve as it is called by default."""
    fpr, tpr, _ = roc_curve(label, score)
    fnr = 1 - tpr
    nearest = int(np.argmin(np.abs(fnr - fpr)))
    return float(fpr[nearest] + fnr[nearest]) / 2


@given(rows())
@example(ONE_CLASS)
def test_auroc_is_scikit_learn_s(given: Rows) -> None:
    def of_sample(sample: Ints) -> float | None:
        return roc_auc_score(given.label[sample], given.score[sample]) if both(given.label[sample]) else None

    roc = Roc.of_rows(*given.columns())
    for auroc in Auroc(roc), Auroc(roc, WinMatrix.of(roc)):
        check_against_twin(auroc, of_sample, given)


@pytest.mark.parametrize(
    "given",
    [
        many(1, 3000, 40),
        many(2, 3000, 40, step=0.05),
        many(3, 3000, 40, tied=0.5),
        many(4, 2000, 300, tied=0.02),
        many(5, 500, 500),
    ],
    ids=["untied", "tied", "one long tie", "many clusters", "one row each"],
)
def test_both_ways_to_the_auroc_agree_to_the_last_bit(given: Rows, monkeypatch: pytest.MonkeyPatch) -> None:
    roc = Roc.of_rows(*given.columns())
    by_curve = Auroc(roc).replicates(given.weights)
    by_matrix = Auroc(roc, WinMatrix.of(roc)).replicates(given.weights)
    np.testing.assert_array_equal(by_curve, by_matrix)
    monkeypatch.setattr(wins_module, "_PAIRS", 7)
    np.testing.assert_array_equal(Auroc(roc, WinMatrix.of(roc)).replicates(given.weights), by_matrix)
    assert Auroc(roc).value() == pytest.approx(roc_auc_score(given.label, given.score), abs=1e-12)


@given(rows())
def test_wins_are_counted_pair_by_pair(given: Rows) -> None:
    matrix = WinMatrix.of(Roc.of_rows(*given.columns()))
    wins = np.zeros((given.clusters, given.clusters))
    for i in np.flatnonzero(given.label):
        for j in np.flatnonzero(~given.label):
            wins[given.cluster[i], given.cluster[j]] += (np.sign(given.score[i] - given.score[j]) + 1) / 2
    np.testing.assert_array_equal(matrix.wins, wins[np.ix_(matrix.rows, matrix.columns)])
    assert matrix.wins.sum() == wins.sum()


def test_the_matrix_is_used_where_it_pays() -> None:
    assert Auroc.of_rows(*many(1, 3000, 40).columns()).wins is not None
    assert Auroc.of_rows(*many(1, 2000, 2000).columns()).wins is None


@given(rows())
@example(ONE_CLASS)
def test_interpolated_eer(given: Rows) -> None:
    def of_sample(sample: Ints) -> float | None:
        label = given.label[sample]
        return interpolated_eer(given.score[sample], label) if both(label) else None

    check_against_twin(EerInterpolated.of_rows(*given.columns()), of_sample, given)


@given(rows())
@example(ONE_CLASS)
def test_nearest_eer_is_the_reference_s(given: Rows) -> None:
    def of_sample(sample: Ints) -> float | None:
        label = given.label[sample]
        return nearest_eer(given.score[sample], label) if both(label) else None

    check_against_twin(EerNearest.of_rows(*given.columns()), of_sample, given, tolerance=0)


@given(rows())
@example(ONE_CLASS)
def test_oracle_f1_is_the_best_of_all_thresholds(given: Rows) -> None:
    def of_sample(sample: Ints) -> float | None:
        label = given.label[sample]
        return max(f1_by_threshold(given.score[sample], label).values()) if label.any() else None

    check_against_twin(OracleF1.of_rows(*given.columns()), of_sample, given)

    def highest_best(sample: Ints) -> float | None:
        if not given.label[sample].any():
            return None
        reached = f1_by_threshold(given.score[sample], given.label[sample])
        return max(t for t, f1 in reached.items() if f1 >= max(reached.values()) - 1e-12)

    check_against_twin(OracleThreshold.of_rows(*given.columns()), highest_best, given, tolerance=0)


@given(rows(), st.floats(-1.5, 1.5))
def test_oracle_f1_is_an_upper_bound(given: Rows, threshold: float) -> None:
    assume(given.label.any())
    f1 = f1_score(given.label, given.score >= threshold)
    assert (OracleF1.of_rows(*given.columns()).value() or 0) >= f1 - 1e-12


def test_calling_everything_positive_may_be_best() -> None:
    oracle = OracleF1.of_rows([0.1, 0.2, 0.3, 0.4, 0.9], [True] * 4 + [False], range(5), 5)
    threshold = OracleThreshold.of_rows([0.1, 0.2, 0.3, 0.4, 0.9], [True] * 4 + [False], range(5), 5)
    assert (oracle.value(), threshold.value()) == (8 / 9, 0.1)


@given(rows(), st.integers(1, 30))
def test_overlap_is_that_of_numpy_s_histograms(given: Rows, bins: int) -> None:
    def of_sample(sample: Ints) -> float | None:
        score, label = given.score[sample], given.label[sample]
        if min(label.sum(), (~label).sum()) < bins:
            return None
        shares = [np.histogram(score[of], bins, (-1, 1))[0] / of.sum() for of in (label, ~label)]
        return float(np.minimum(*shares).sum())

    overlap = Overlap.of_rows(*given.columns(), bins)
    check_against_twin(overlap, of_sample, given)
    assert overlap.support.tolist() == [c in given.cluster for c in range(given.clusters)]


@pytest.mark.parametrize("tenth", range(-10, 10))
def test_a_score_written_as_an_edge_lies_above_it(tenth: int) -> None:
    inside, below = (20 * tenth + 1) / 200, (20 * tenth - 1) / 200
    assert Overlap.of_rows([tenth / 10, inside] * 20, [True, False] * 20, [0, 1] * 20, 2).value() == 1
    if tenth > -10:
        assert Overlap.of_rows([tenth / 10, below] * 20, [True, False] * 20, [0, 1] * 20, 2).value() == 0


def test_overlap_s_ends() -> None:
    assert Overlap.of_rows([-1.0, -1.0] * 20, [True, False] * 20, [0] * 40, 1).value() == 1
    assert Overlap.of_rows([-1.0, 1.0] * 20, [True, False] * 20, [0] * 40, 1).value() == 0


@pytest.mark.parametrize(("positives", "negatives", "defined"), [(20, 20, True), (19, 50, False), (50, 19, False)])
def test_overlap_needs_as_many_rows_of_a_class_as_bins(positives: int, negatives: int, defined: bool) -> None:
    label = np.arange(positives + negatives) < positives
    overlap = Overlap.of_rows(np.zeros(label.size), label, np.zeros(label.size, int), 1)
    assert overlap.value() == (1 if defined else None)
    assert overlap.reason() == (None if defined else "a class has fewer rows than the histogram has bins (20)")


# What must hold whatever the rows.


@given(rows(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(given: Rows, random: object) -> None:
    order = np.arange(given.score.size)
    random.shuffle(order)  # type: ignore[attr-defined]  # Hypothesis types its random as an object
    shuffled = given.score[order], given.label[order], given.cluster[order], given.clusters
    for kind in (*THRESHOLD_STATISTICS, Coarse):
        fast, again = kind.of_rows(*given.columns()), kind.of_rows(*shuffled)
        np.testing.assert_array_equal(fast.replicates(given.weights), again.replicates(given.weights))


@given(rows(), st.randoms(use_true_random=False))
def test_the_names_of_clusters_do_not_matter(given: Rows, random: object) -> None:
    names = np.arange(given.clusters)
    random.shuffle(names)  # type: ignore[attr-defined]  # as above
    weights = np.empty_like(given.weights)
    weights[:, names] = given.weights
    for kind in (*THRESHOLD_STATISTICS, Coarse):
        fast = kind.of_rows(*given.columns()).replicates(given.weights)
        renamed = kind.of_rows(given.score, given.label, names[given.cluster], given.clusters)
        np.testing.assert_array_equal(fast, renamed.replicates(weights))


@given(rows())
def test_only_the_order_of_scores_matters(given: Rows) -> None:
    for kind in THRESHOLD_STATISTICS:
        fast = kind.of_rows(*given.columns())
        stretched = kind.of_rows(np.exp(3 * given.score) - 100, given.label, given.cluster, given.clusters)
        np.testing.assert_array_equal(fast.replicates(given.weights), stretched.replicates(given.weights))


@given(rows())
def test_swapping_the_classes(given: Rows) -> None:
    swapped = given.score, ~given.label, given.cluster, given.clusters
    turned = -given.score, ~given.label, given.cluster, given.clusters
    auroc = Auroc.of_rows(*given.columns()).replicates(given.weights)
    np.testing.assert_allclose(Auroc.of_rows(*swapped).replicates(given.weights), 1 - auroc, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(Auroc.of_rows(*turned).replicates(given.weights), auroc)
    eer = EerInterpolated.of_rows(*given.columns()).replicates(given.weights)
    np.testing.assert_allclose(EerInterpolated.of_rows(*turned).replicates(given.weights), eer, rtol=0, atol=1e-12)
    overlap = Coarse.of_rows(*given.columns()).replicates(given.weights)
    np.testing.assert_array_equal(Coarse.of_rows(*swapped).replicates(given.weights), overlap)


@given(rows())
def test_twice_the_rows_change_nothing(given: Rows) -> None:
    twice = np.tile(given.score, 2), np.tile(given.label, 2), np.tile(given.cluster, 2), given.clusters
    for kind in (*THRESHOLD_STATISTICS, Coarse):
        fast = kind.of_rows(*given.columns())
        np.testing.assert_array_equal(
            fast.replicates(2 * given.weights), kind.of_rows(*twice).replicates(given.weights)
        )


@given(rows())
def test_bounds(given: Rows) -> None:
    for kind in (*THRESHOLD_STATISTICS, Coarse):
        values = kind.of_rows(*given.columns()).replicates(given.weights)
        defined = values[~np.isnan(values)]
        assert ((defined >= 0) & (defined <= 1 + 1e-12)).all()


@pytest.mark.parametrize(
    ("label", "score", "auroc", "eer", "f1"),
    [
        ([1, 1, 1, 0, 0, 0], [0.9, 0.6, -0.2, 0.4, -0.5, -0.8], 0.8889, 0.3333, 0.8571),
        ([1, 1, 1, 1, 0, 0], [0.8, 0.8, 0.6, -0.6, 0.8, -0.6], 0.5625, 0.5, 0.8),
        ([1, 1, 0, 0, 0, 0, 0, 0], [0.8, -0.6, 0.7, -0.5, -0.7, -0.8, -0.9, 0.6], 0.75, 0.5, 0.6667),
    ],
)
def test_stancebench_s_own_figures(label: list[int], score: list[float], auroc: float, eer: float, f1: float) -> None:
    """Its functions' output; oracle F1 of the second is 0.8, by calling all positive, which they do not try (they print 0.75)."""
    columns = np.array(score), np.array(label, bool), np.arange(len(score)), len(score)
    assert Auroc.of_rows(*columns).value() == pytest.approx(auroc, abs=5e-5)
    assert EerNearest.of_rows(*columns).value() == pytest.approx(eer, abs=5e-5)
    assert OracleF1.of_rows(*columns).value() == pytest.approx(f1, abs=5e-5)


def test_where_the_two_eers_differ() -> None:
    columns = [0.9, 0.8, 0.7, 0.6, 0.5], [True, False, True, True, False], range(5), 5
    assert EerInterpolated.of_rows(*columns).value() == 0.5
    assert EerNearest.of_rows(*columns).value() == pytest.approx(7 / 12)


def test_why_undefined() -> None:
    only_negatives = [0.5], [False], [0], 1
    assert {kind.of_rows(*only_negatives).reason() for kind in (Auroc, EerInterpolated, EerNearest)} == {
        "a class has no rows"
    }
    assert OracleF1.of_rows(*only_negatives).reason() == "no positive rows"


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (([np.inf], [True], [0], 1), "score is not finite in row 0"),
        (([0.0], [1], [0], 1), r"label is int64 of shape \(1,\), not bool"),
        (([0.0], [True], [1], 1), "cluster runs from 1 to 1"),
    ],
)
def test_wrong_columns(columns: tuple[object, ...], message: str) -> None:
    for kind in (*THRESHOLD_STATISTICS, Overlap):
        with pytest.raises(ValueError, match=message):
            kind.of_rows(*columns)  # type: ignore[arg-type]  # wrong on purpose


def test_wrong_bins_and_scores_out_of_range() -> None:
    with pytest.raises(ValueError, match="bins is 0"):
        Overlap.of_rows([0.0], [True], [0], 1, bins=0)
    with pytest.raises(ValueError, match=r"scores reach from 0\.0 to 1\.5, outside \[-1, 1\]"):
        Overlap.of_rows([0.0, 1.5], [True, False], [0, 0], 1)


@pytest.mark.parametrize("weight", [0.5, -1.0, np.nan])
def test_weights_are_counts(weight: float) -> None:
    with pytest.raises(ValueError, match="a whole number of at least 0"):
        EerNearest.of_rows([0.1, 0.2], [True, False], [0, 1], 2).replicates(np.array([[1.0, weight]]))
