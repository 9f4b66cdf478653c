"""Sums of columns and their quotients against repeated rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from tests.statistics.rows import Rows, check_against_twin, rows

from earmark.statistics.rates import MeanOfRatios, Ratio, f1
from earmark.statistics.statistic import Ints
from earmark.statistics.sums import Quotients, Sums, Term


def sums_of(given: Rows) -> Sums:
    one = np.ones(given.cluster.size)
    columns = {
        "score": given.score,
        "positive": given.score * given.label,
        "negative": given.score * ~given.label,
        "positives": given.label,
        "negatives": ~given.label,
        "rows": one,
        "again": one,
    }
    return Sums.of_rows(columns, given.cluster, given.clusters)


@settings(max_examples=40)
@given(rows())
def test_a_gap_is_that_of_the_repeated_rows(given: Rows) -> None:
    def gap(sample: Ints) -> float | None:
        score, label = given.score[sample], given.label[sample]
        return None if label.all() or not label.any() else float(score[label].mean() - score[~label].mean())

    terms = (Term("positive", "positives"), Term("negative", "negatives", -1.0))
    check_against_twin(Quotients(sums_of(given), terms), gap, given)


@settings(max_examples=25)
@given(rows())
def test_what_is_a_statistic_of_its_own_is_the_same(given: Rows) -> None:
    sums, said = sums_of(given), given.score > 0
    extra = Sums.of_rows(
        {"hits": said & given.label, "either": said.astype(float) + given.label}, given.cluster, given.clusters
    )
    pairs = (
        (Quotients(sums, (Term("score", "rows"),)), Ratio.of_rows(given.score, given.cluster, given.clusters)),
        (
            Quotients(sums, (Term("positive", "positives", 0.5), Term("negative", "negatives", 0.5))),
            MeanOfRatios.of_rows(given.score, given.label, given.cluster, given.clusters),
        ),
        (Quotients(extra, (Term("hits", "either", 2.0),)), f1(said, given.label, given.cluster, given.clusters)),
    )
    for one, other in pairs:
        np.testing.assert_allclose(one.replicates(given.weights), other.replicates(given.weights), atol=1e-12)
        assert (one.value() is None) == (other.value() is None)
        assert one.value() == (None if other.value() is None else pytest.approx(other.value(), abs=1e-12))


def test_equal_columns_are_one_and_only_clusters_with_rows_are_kept() -> None:
    sums = Sums.of_rows({"a": [1, 2], "b": [1.0, 2.0], "c": [0, 1]}, [5, 7], 10)
    assert sums.place == {"a": 0, "b": 0, "c": 1}
    assert sums.columns.tolist() == [[1, 0], [0, 0], [2, 1]]
    assert (sums.first, sums.clusters) == (5, 10)
    assert np.flatnonzero(Quotients(sums, (Term("c", "a"),)).support).tolist() == [5, 7]
    assert Quotients(sums, (Term("c", "a"),), "why").reason() is None
    empty = Sums.of_rows({"a": []}, [], 3)
    assert Quotients(empty, (Term("a", "a"),), "why").reason() == "why"
    assert np.isnan(Quotients(empty, (Term("a", "a"),)).replicates(np.ones((2, 3)))).all()
    assert not Quotients(empty, (Term("a", "a"),)).support.any()
