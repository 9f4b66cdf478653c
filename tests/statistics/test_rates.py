"""Rates against means of the explicitly repeated rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from sklearn.metrics import balanced_accuracy_score, f1_score
from tests.statistics.rows import Rows, check_against_twin, rows

from earmark.statistics.rates import MeanOfRatios, Ratio, f1

if TYPE_CHECKING:
    from earmark.statistics.statistic import Ints


@given(rows())
def test_mean(given: Rows) -> None:
    def of_sample(sample: Ints) -> float | None:
        return float(np.mean(given.score[sample])) if sample.size else None

    ratio = Ratio.of_rows(given.score, given.cluster, given.clusters)
    check_against_twin(ratio, of_sample, given)
    assert ratio.support.tolist() == [c in given.cluster for c in range(given.clusters)]


@given(rows())
def test_mean_of_class_means(given: Rows) -> None:
    def of_sample(sample: Ints) -> float | None:
        score, label = given.score[sample], given.label[sample]
        return None if label.all() or not label.any() else float(score[label].mean() + score[~label].mean()) / 2

    check_against_twin(MeanOfRatios.of_rows(*given.columns()), of_sample, given)


@given(rows())
def test_balanced_accuracy_is_scikit_learn_s(given: Rows) -> None:
    predicted = given.score >= 0

    def of_sample(sample: Ints) -> float | None:
        label = given.label[sample]
        return None if label.all() or not label.any() else balanced_accuracy_score(label, predicted[sample])

    statistic = MeanOfRatios.of_rows(predicted == given.label, given.label, given.cluster, given.clusters)
    check_against_twin(statistic, of_sample, given)
    assert statistic.support.tolist() == [c in given.cluster for c in range(given.clusters)]


def test_macro_accuracy_needs_every_group() -> None:
    columns = [True, False, True], [0, 0, 2], [0, 1, 1], 2
    assert MeanOfRatios.of_rows([True, False, True, True], [0, 0, 1, 2], [0, 1, 1, 0], 2, groups=3).value() == 2.5 / 3
    lacking = MeanOfRatios.of_rows(*columns, groups=3)
    assert (lacking.value(), lacking.reason()) == (None, "a group has no rows")


@given(rows())
def test_f1_is_scikit_learn_s(given: Rows) -> None:
    predicted = given.score > 0

    def of_sample(sample: Ints) -> float | None:
        label, calls = given.label[sample], predicted[sample]
        return f1_score(label, calls) if label.any() or calls.any() else None

    check_against_twin(f1(predicted, given.label, given.cluster, given.clusters), of_sample, given)


def test_sums_that_are_no_counts() -> None:
    ratio = Ratio(np.array([1.5, -2.0, 0.0]), np.array([1.0, 0.0, 0.0]))
    assert ratio.value() == -0.5
    assert ratio.support.tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Ratio(np.ones(2), np.array([1.0, -1.0])), "denominator is negative in cluster 1"),
        (lambda: Ratio(np.ones(2), np.ones(3)), r"denominator has shape \(3,\), not \(2,\)"),
        (lambda: Ratio(np.ones((2, 1)), np.ones(2)), r"numerator has shape \(2, 1\), not \(n,\)"),
        (lambda: Ratio.of_rows([1, np.nan], [0, 0], 1), "values is not finite in row 1"),
        (lambda: Ratio.of_rows([1, 2], [0, 1], 1), r"cluster runs from 0 to 1, outside 0 … 0"),
        (lambda: Ratio.of_rows([1, 2], [-1, 0], 1), r"cluster runs from -1 to 0"),
        (lambda: Ratio.of_rows([1, 2], [0.0, 0.0], 1), "cluster is float64, not whole numbers"),
        (lambda: Ratio.of_rows([1, 2], [0], 1), r"cluster has shape \(1,\), not \(2,\)"),
        (lambda: MeanOfRatios.of_rows([1], [2], [0], 1), r"group runs from 2 to 2, outside 0 … 1"),
        (lambda: MeanOfRatios(()), r"at least one ratio.*\[\]"),
        (lambda: MeanOfRatios((Ratio(np.ones(1), np.ones(1)), Ratio(np.ones(2), np.ones(2)))), r"\[1, 2\]"),
        (lambda: f1([1, 0], [True, False], [0, 0], 1), r"predicted is int64 of shape \(2,\), not bool"),
        (lambda: f1([True], [True, False], [0, 0], 1), r"predicted is bool of shape \(1,\)"),
    ],
)
def test_wrong_columns(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(ValueError, match=message):
        make()
