"""What each cluster adds to a difference: the sum of it is the difference, and what is no mean over clusters has none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.statistics.ranking import Auroc
from earmark.statistics.rates import MeanOfRatios, Ratio, f1
from earmark.statistics.roc import Roc
from earmark.statistics.shares import cluster_differences, outcomes, shares_of
from earmark.statistics.statistic import Mean, Statistic
from earmark.statistics.sums import Quotients, Sums, Term

CLUSTERS = 5


@st.composite
def rows(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The clusters and the groups of some rows, and what two judges have of each."""
    count = draw(st.integers(1, 12))
    column = st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=count, max_size=count)
    cluster = draw(st.lists(st.integers(0, CLUSTERS - 1), min_size=count, max_size=count))
    group = draw(st.lists(st.booleans(), min_size=count, max_size=count))
    return np.array(cluster), np.array(group), np.array(draw(column)), np.array(draw(column))


def means(values: np.ndarray, group: np.ndarray, cluster: np.ndarray) -> list[Statistic]:
    """Every kind of mean over the same rows."""
    ratio = Ratio.of_rows(values, cluster, CLUSTERS)
    sums = Sums.of_rows({"x": values, "one": np.ones(len(values)), "of": values * group, "n": group}, cluster, CLUSTERS)
    two = Quotients(sums, (Term("x", "one"), Term("of", "n", -0.5)))
    return [ratio, MeanOfRatios.of_rows(values, group, cluster, CLUSTERS), two, Mean((ratio, two))]


@settings(max_examples=25)
@given(rows())
def test_clusters_add_up_to_the_difference(of: tuple[np.ndarray, ...]) -> None:
    cluster, group, first, second = of
    for one, other in zip(means(first, group, cluster), means(second, group, cluster), strict=True):
        found, values = cluster_differences(one, other), (one.value(), other.value())
        if None in values:
            assert found is None
        else:
            assert found is not None
            assert found.sum() == pytest.approx(values[0] - values[1])  # type: ignore[operator]
            assert len(found) == len(set(cluster.tolist()))


@settings(max_examples=25)
@given(rows(), st.integers(0, CLUSTERS - 1))
def test_changing_places_in_a_cluster_changes_its_sign(of: tuple[np.ndarray, ...], swapped: int) -> None:
    cluster, group, first, second = of
    here = cluster == swapped
    ours, theirs = np.where(here, second, first), np.where(here, first, second)
    for n in range(4):
        before = cluster_differences(means(first, group, cluster)[n], means(second, group, cluster)[n])
        after = cluster_differences(means(ours, group, cluster)[n], means(theirs, group, cluster)[n])
        if before is not None and after is not None:
            sign = np.where(np.unique(cluster) == swapped, -1, 1)
            np.testing.assert_allclose(after, sign * before, atol=1e-12)


def test_what_is_no_mean_over_clusters() -> None:
    cluster, label = np.arange(4), np.array([True, True, False, False])
    auroc = Auroc.of(Roc.of_rows(np.arange(4.0), label, cluster, 4))
    assert shares_of(auroc) is None
    assert cluster_differences(auroc, auroc) is None
    ratio = Ratio.of_rows(label, cluster, 4)
    assert shares_of(Mean((ratio, auroc))) is None
    # An F1's denominator counts what was called, so that two judges have two of them.
    one, other = (f1(calls, label, cluster, 4) for calls in (np.array([1, 1, 1, 0], np.bool_), label))
    assert cluster_differences(one, other) is None
    assert cluster_differences(ratio, auroc) is None


def test_outcomes_are_whole_or_none() -> None:
    cluster = np.array([0, 0, 1, 3])
    held, right = outcomes(Ratio.of_rows([1, 1, 0, 1], cluster, 4)) or (None, None)
    assert held is not None
    assert held.tolist() == [True, True, False, True]
    assert right is not None
    assert right.tolist() == [True, False, False, True]
    assert outcomes(Ratio.of_rows([1, 0, 0, 1], cluster, 4)) is None
    assert outcomes(MeanOfRatios.of_rows([1, 1, 0, 1], [0, 0, 1, 1], cluster, 4)) is None
