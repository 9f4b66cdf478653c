"""κ and α against scikit-learn, statsmodels and walks over pairs of labels, on the rows and on the explicitly repeated rows."""

from __future__ import annotations

import warnings
from collections import Counter
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_fleiss
from tests.statistics.rows import Rows, check_against_twin

from earmark.statistics.kappa import (
    MISSING,
    CohenKappa,
    FleissKappa,
    KrippendorffAlpha,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    label_counts,
    observed_agreement,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from earmark.statistics.statistic import Ints, Statistic

CATEGORIES = 3

# The example of Fleiss (1971) as textbooks have it: 10 subjects, 14 raters, 5 categories.
TEXTBOOK = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


class Labelled(NamedTuple):
    """(raters, items) labels, and the clusters of the items with a few weightings."""

    labels: Ints
    rows: Rows


@st.composite
def labelled(draw: st.DrawFn, *, missing: bool = True) -> Labelled:
    raters, items, clusters = draw(st.integers(2, 4)), draw(st.integers(0, 8)), draw(st.integers(1, 5))
    label = st.sampled_from(draw(st.sampled_from([(0,), (0, 2), (0, 1, 2)])) + ((MISSING,) if missing else ()))
    labels = draw(st.lists(label, min_size=raters * items, max_size=raters * items))
    cluster = draw(st.lists(st.integers(0, clusters - 1), min_size=items, max_size=items))
    weight = st.lists(st.integers(0, 3), min_size=clusters, max_size=clusters)
    weights = np.array(draw(st.lists(weight, min_size=1, max_size=3)), np.float64)
    table = np.array(labels, np.int64).reshape(raters, items)
    unused = np.zeros(items)
    return Labelled(table, Rows(unused, unused > 0, np.array(cluster, np.int64), clusters, weights))


def given_labels(labels: Ints) -> list[list[int]]:
    """The labels of each item that has two or more."""
    items = [[int(label) for label in column if label != MISSING] for column in labels.T]
    return [item for item in items if len(item) > 1]


def share_agreeing(item: Sequence[int]) -> Fraction:
    pairs = list(permutations(item, 2))
    return Fraction(sum(a == b for a, b in pairs), len(pairs))


def slow_agreement(labels: Ints) -> float | None:
    items = given_labels(labels)
    return float(sum(map(share_agreeing, items)) / len(items)) if items else None


def slow_fleiss(labels: Ints) -> float | None:
    items = given_labels(labels)
    if len({label for item in items for label in item}) < 2:
        return None
    observed = sum(map(share_agreeing, items)) / len(items)
    shares = [sum(Fraction(item.count(k), len(item)) for item in items) / len(items) for k in range(CATEGORIES)]
    expected = sum(share**2 for share in shares)
    return float((observed - expected) / (1 - expected))


def slow_krippendorff(labels: Ints) -> float | None:
    """By the matrix of coincidences, pair by pair."""
    items = given_labels(labels)
    coincidences: Counter[tuple[int, int]] = Counter()
    for item in items:
        for pair in permutations(item, 2):
            coincidences[pair] += Fraction(1, len(item) - 1)  # type: ignore[assignment]  # of fractions
    every = [label for item in items for label in item]
    if len(set(every)) < 2:
        return None
    observed = sum(n for (a, b), n in coincidences.items() if a != b) / Fraction(len(every))
    expected = Fraction(sum(a != b for a, b in permutations(every, 2)), len(every) * (len(every) - 1))
    return float(1 - observed / expected)


def slow_cohen(first: Ints, second: Ints) -> float | None:
    both = (first != MISSING) & (second != MISSING)
    if len({*first[both], *second[both]}) < 2:
        return None
    return float(cohen_kappa_score(first[both], second[both]))


@settings(max_examples=40)
@given(labelled())
def test_replicates_are_the_slow_definitions_on_repeated_items(given: Labelled) -> None:
    labels, rows = given
    counts = label_counts(labels, CATEGORIES)
    checks: list[tuple[Statistic, object]] = [
        (observed_agreement(counts, rows.cluster, rows.clusters), slow_agreement),
        (FleissKappa.of_counts(counts, rows.cluster, rows.clusters), slow_fleiss),
        (KrippendorffAlpha.of_counts(counts, rows.cluster, rows.clusters), slow_krippendorff),
    ]
    several = [column for column in range(labels.shape[1]) if (labels[:, column] != MISSING).sum() > 1]
    for statistic, slow in checks:
        check_against_twin(statistic, lambda sample, slow=slow: slow(labels[:, sample]), rows)  # type: ignore[misc]
        assert statistic.support.tolist() == [c in rows.cluster[several] for c in range(rows.clusters)]


@settings(max_examples=25)
@given(labelled())
def test_cohen_is_scikit_learn_s(given: Labelled) -> None:
    (first, second, *_), rows = given
    statistic = CohenKappa.of_rows(first, second, rows.cluster, rows.clusters, CATEGORIES)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*single label.*")
        check_against_twin(statistic, lambda sample: slow_cohen(first[sample], second[sample]), rows)
    both = (first != MISSING) & (second != MISSING)
    assert statistic.support.tolist() == [c in rows.cluster[both] for c in range(rows.clusters)]
    assert cohen_kappa(first, second, CATEGORIES) == statistic.value()
    assert cohen_kappa(second, first, CATEGORIES) == statistic.value()


@settings(max_examples=25)
@given(labelled(missing=False))
def test_fleiss_is_statsmodels_s_where_numbers_are_equal(given: Labelled) -> None:
    counts = label_counts(given.labels, CATEGORIES)
    ours = fleiss_kappa(counts)
    if ours is None:
        assert (counts.any(axis=0)).sum() < 2
    else:
        assert ours == pytest.approx(statsmodels_fleiss(counts), abs=1e-12)


def test_the_textbook_example() -> None:
    kappa = fleiss_kappa(TEXTBOOK)
    assert kappa is not None
    assert round(kappa, 3) == 0.210
    assert kappa == pytest.approx(statsmodels_fleiss(np.array(TEXTBOOK)))


@settings(max_examples=25)
@given(labelled(), st.permutations(range(CATEGORIES)))
def test_names_of_labels_and_raters_do_not_matter(given: Labelled, names: list[int]) -> None:
    counts = label_counts(given.labels, CATEGORIES)
    renamed = label_counts(np.array([*names, MISSING])[given.labels[::-1]], CATEGORIES)
    for coefficient in (fleiss_kappa, krippendorff_alpha):
        ours = coefficient(counts)
        assert coefficient(renamed) == (None if ours is None else pytest.approx(ours, abs=1e-12))


def test_full_agreement_is_one_and_one_label_is_undefined() -> None:
    agreed, one_label, lonely = [[3, 0], [0, 2]], [[3, 0], [2, 0]], [[1, 0], [0, 1]]
    assert fleiss_kappa(agreed) == krippendorff_alpha(agreed) == 1
    for counts in (one_label, lonely, np.zeros((0, 2), np.int64)):
        items = len(counts)
        for kind in (FleissKappa, KrippendorffAlpha):
            statistic = kind.of_counts(counts, np.arange(items), items)
            assert statistic.value() is None
            assert statistic.reason() == "no item has two labels, or all labels are one"
    assert cohen_kappa([0, 0], [0, 0], 2) is None
    assert CohenKappa.of_rows([0, MISSING], [MISSING, 1], [0, 1], 2, 2).reason() == CohenKappa.why_undefined
    assert observed_agreement(lonely, [0, 1], 2).reason() == "no rows"


@pytest.mark.parametrize(
    ("counts", "message"),
    [([[1.5, 0]], "whole numbers"), ([1, 2], "whole numbers"), ([[1, 1], [2, -1]], "negative in row 1")],
)
def test_no_table_of_counts(counts: list[object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        fleiss_kappa(counts)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize("labels", [[0, 1], [[0, 5]], [[0, -2]], [[0.5, 1.0]]])
def test_no_table_of_labels(labels: list[object]) -> None:
    with pytest.raises(ValueError, match="labels"):
        label_counts(labels, 3)  # type: ignore[arg-type]  # wrong on purpose
