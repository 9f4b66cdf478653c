"""Judges beside people: pure Python and statsmodels as oracles, null where nothing can be said."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import fleiss_kappa
from tests.scoring.pairs.studies import Pair, Study, decisions_of, item_id, release_of, right_letter, studies

from earmark.manifests.report import MetricEntry
from earmark.scoring.measuring import Numbering, Options
from earmark.scoring.pairs import GLOSSARY, evaluate_human
from earmark.scoring.pairs.gold import read_gold
from earmark.scoring.pairs.human import human_figures
from earmark.scoring.pairs.marks import mark
from earmark.scoring.ratings import Ratings, from_rows

CLIPS = ((0, 0), (1, 0))
DECIDES = {1: "first", 0: "tie", -1: "second"}
Rows = list[tuple[str, str, float]]


def values_of(study: Study, ratings: Ratings) -> dict[tuple[str, str], float | None]:
    every = human_figures(mark(read_gold(release_of(study)), decisions_of(study)), ratings)
    numbering = Numbering("pair", every)
    return {(figure.metric, figure.facet): figure.statistic(numbering).value() for figure in every}


def mean(values: list[Fraction]) -> Fraction | None:
    return sum(values, Fraction(0)) / len(values) if values else None


@given(studies(least=3, facets=("style", "rate")), st.data())
@settings(max_examples=25)
def test_accuracies_of_people_are_those_of_lists(study: Study, data: st.DataObject) -> None:
    scale = data.draw(st.sampled_from([1, 2.5]))
    said = {
        n: data.draw(st.lists(st.sampled_from([1, 0, -1]), max_size=4), label=f"ratings of {n}")
        for n in range(len(study.pairs))
    }
    rows: Rows = [(item_id(n), f"r{k}", scale * rating) for n, each in said.items() for k, rating in enumerate(each)]
    found = values_of(study, from_rows([*rows, ("i of another release", "r0", 1.0)]))
    shares = {
        n: Fraction(sum(DECIDES[r] == study.pairs[n].gold for r in each), len(each)) for n, each in said.items() if each
    }
    for facet in {pair.facet for pair in study.pairs}:
        here = [n for n, pair in enumerate(study.pairs) if pair.facet == facet]
        kinds = {
            "human_accuracy": here,
            "human_accuracy_tie": [n for n in here if study.pairs[n].gold == "tie"],
            "human_accuracy_non_tie": [n for n in here if study.pairs[n].gold != "tie"],
        }
        for metric, pairs in kinds.items():
            right = mean([shares[n] for n in pairs if n in shares])
            assert found[metric, facet] == (None if right is None else pytest.approx(float(right)))
        assert found["human_coverage", facet] == pytest.approx(sum(n in shares for n in here) / len(here))
        judge, people = found["accuracy_rated", facet], found["human_accuracy", facet]
        assert (judge is None) == (people is None) == (not any(n in shares for n in here))
        if judge is not None:
            assert found["human_gap", facet] == pytest.approx(judge - (people or 0.0))
    macro = [found["human_accuracy", facet] for facet in {pair.facet for pair in study.pairs}]
    with_ratings = [value for value in macro if value is not None]
    expected = pytest.approx(float(np.mean(with_ratings))) if with_ratings else None
    assert found["human_accuracy", "overall"] == expected
    assert found["human_coverage", "overall"] == pytest.approx(len(shares) / len(study.pairs))


@given(st.lists(st.lists(st.sampled_from([1, 0, -1]), min_size=3, max_size=3), min_size=2, max_size=10))
@settings(max_examples=25)
def test_kappa_is_statsmodels_and_null_where_all_say_one_thing(said: list[list[int]]) -> None:
    asked = Study(tuple(Pair("style", ((0, n), (1, n)), "first", "non_tie") for n in range(len(said)))).saying(
        lambda *_: "A"
    )
    rows: Rows = [(item_id(n), f"r{k}", float(rating)) for n, each in enumerate(said) for k, rating in enumerate(each)]
    found = values_of(asked, from_rows(rows))["human_kappa", "style"]
    if len({rating for each in said for rating in each}) == 1:
        assert found is None
    else:
        table = np.array([[each.count(rating) for rating in (1, 0, -1)] for each in said])
        assert found == pytest.approx(fleiss_kappa(table))


def entries_of(study: Study, rows: Rows) -> dict[tuple[str, str], MetricEntry]:
    entries = evaluate_human(release_of(study), decisions_of(study), from_rows(rows), Options(resamples=200))
    return {(entry.metric, entry.facet): entry for entry in entries}


def test_a_perfect_judge_beside_people_who_err() -> None:
    asked = Study(
        tuple(Pair("age", ((n, 0), (n + 1, 0)), ("first", "second")[n % 2], "non_tie") for n in range(0, 80, 2))
    ).saying(lambda pair, order, _: right_letter(pair, order))
    # Each of three raters errs once in three pairs, never two at a time.
    rows: Rows = [
        (item_id(n), f"r{k}", 0.0 if n % 3 == k else 1.0 if pair.gold == "first" else -1.0)
        for n, pair in enumerate(asked.pairs)
        for k in range(3)
    ]
    found = entries_of(asked, rows)
    assert found["human_accuracy", "age"].value == pytest.approx(2 / 3)
    assert found["human_vote_accuracy", "age"].value == 1
    assert found["human_gap", "age"].value == pytest.approx(1 / 3)
    gap = found["human_gap", "age"]
    assert gap.p is not None
    assert gap.p < 0.05
    [interval] = gap.intervals
    assert (interval.by, interval.clusters) == ("speaker", 80)
    assert found["human_accuracy_tie", "age"].reason == "no rows"
    assert {metric for metric, _ in found} <= GLOSSARY.keys()


def test_controls_and_pairs_without_ratings_are_in_no_mean() -> None:
    asked = Study(
        (
            Pair("style", CLIPS, "first", "non_tie"),
            Pair("rate", CLIPS, "first", "non_tie"),
            Pair("control", CLIPS, "tie", "both_bad", variant="identical"),
        )
    ).saying(lambda *_: "A")
    found = entries_of(asked, [(item_id(0), "r0", 1.0), (item_id(0), "r1", -1.0), (item_id(2), "r0", 1.0)])
    assert found["human_accuracy", "overall"].value == found["human_accuracy", "style"].value == 0.5
    assert found["human_accuracy", "control"].value == 0
    assert found["human_coverage", "overall"].value == 0.5
    assert found["human_accuracy", "rate"].value is None
    assert found["human_vote_accuracy", "style"].value == 0  # one rater for each clip
    nobody = entries_of(asked, [])
    assert nobody["human_accuracy", "overall"].value is None
    assert nobody["human_kappa", "overall"].reason == "no item has two labels, or all labels are one"
