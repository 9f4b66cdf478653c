"""A judge's ranking beside people's, and people's beside each other's."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr
from tests.scoring.papers.studies import Person, Verdict, people, study
from tests.support.tiny import write_tiny_release

from earmark.manifests.report import OVERALL, MetricEntry
from earmark.scoring.baselines import Guess
from earmark.scoring.decisions import Outcome, owed_presentations
from earmark.scoring.guesses import guessed
from earmark.scoring.measuring import Numbering, Options, measure
from earmark.scoring.ratings import Ratings, from_rows
from earmark.scoring.stance.figures import LADDERS
from earmark.scoring.stance.human import KINDS, NO_PAIR, ONE_SIDED, evaluate_human, human_figures, unit_consensus
from earmark.scoring.stance.marks import Marked, mark
from earmark.statistics.agreement import mean_agreement, pairwise_agreement

FACETS = ("S0", "S3")
RATERS = ("ann", "bob", "cyd", "dan")
Given = dict[tuple[str, str], float]


@st.composite
def rated(draw: st.DrawFn) -> tuple[tuple[Person, ...], Given]:
    """People, and what raters made of their clips, by item and rater; ratings lie on both sides of 0."""
    persons = draw(people(facets=FACETS, most=8))
    items = list(study(persons)[0].items)
    one = st.tuples(st.sampled_from(items), st.sampled_from(RATERS))
    given = draw(st.dictionaries(one, st.sampled_from([-2.0, -1.0, 0.0, 0.5, 1.0, 2.0]), min_size=2, max_size=30))
    first, second = list(given)[:2]
    return persons, {**given, first: -2.0, second: 2.0}


def as_ratings(given: Given) -> Ratings:
    return from_rows([(item, rater, rating) for (item, rater), rating in given.items()])


def consensus_of(persons: tuple[Person, ...], given: Given) -> list[float | None]:
    """The mean over raters of their mean over the person's clips, one after the other."""
    means: list[float | None] = []
    for who in range(len(persons)):
        of_rater = defaultdict(list)
        for (item, rater), rating in given.items():
            if item.startswith(f"{who:03d}/"):
                of_rater[rater].append(rating)
        each = [sum(ratings) / len(ratings) for ratings in of_rater.values()]
        means.append(sum(each) / len(each) if each else None)
    return means


def values(marked: Marked, ratings: Ratings) -> dict[tuple[str, str], float | None]:
    figures = human_figures(marked, ratings)
    found = {
        (figure.metric, figure.facet): figure.statistic(
            Numbering("unit", [other for other in figures if other.facet == figure.facet])
        ).value()
        for figure in figures
    }
    assert len(found) == len(figures)
    return found


def entries(marked: Marked, ratings: Ratings, resamples: int = 50) -> dict[tuple[str, str], MetricEntry]:
    measured = measure(human_figures(marked, ratings), LADDERS, Options(resamples=resamples))
    return {(entry.metric, entry.facet): entry for entry in measured}


@given(rated())
def test_consensus_is_the_mean_of_raters_means(drawn: tuple[tuple[Person, ...], Given]) -> None:
    persons, given = drawn
    known, consensus = unit_consensus(study(persons)[0], as_ratings(given))
    expected = consensus_of(persons, given)
    assert known.tolist() == [value is not None for value in expected]
    np.testing.assert_allclose(consensus, [value or 0.0 for value in expected], atol=1e-9)


@settings(max_examples=60)
@given(rated())
def test_spearman_is_scipy_s(drawn: tuple[tuple[Person, ...], Given]) -> None:
    persons, given = drawn
    gold, decisions = study(persons)
    marked = mark(gold, decisions)
    found = values(marked, as_ratings(given))
    _, consensus = unit_consensus(gold, as_ratings(given))
    expected = consensus_of(persons, given)
    overall = []
    for facet in {person.facet for person in persons}:
        here = [n for n, person in enumerate(persons) if person.facet == facet]
        rated_units = [n for n in here if expected[n] is not None]
        assert found["human_coverage", facet] == pytest.approx(len(rated_units) / len(here))
        value = _spearman(marked.score[rated_units], consensus[rated_units])
        assert found["human_spearman", facet] == (None if value is None else pytest.approx(value))
        valid = [n for n in rated_units if marked.valid[n]]
        value_valid = _spearman(marked.valid_score[valid], consensus[valid])
        assert found["human_spearman_valid_only", facet] == (
            None if value_valid is None else pytest.approx(value_valid)
        )
        if rated_units:
            overall.append(value)
    mean = None if not overall or None in overall else np.mean([value for value in overall if value is not None])
    assert found["human_spearman", OVERALL] == (None if mean is None else pytest.approx(mean))
    share = sum(value is not None for value in expected) / len(persons)
    assert found["human_coverage", OVERALL] == pytest.approx(share)


def _spearman(first: np.ndarray, second: np.ndarray) -> float | None:
    if len(first) < 2 or len(set(first.tolist())) < 2 or len(set(second.tolist())) < 2:
        return None
    return float(spearmanr(first, second).statistic)


@settings(max_examples=60)
@given(rated())
def test_rater_agreement_is_the_mean_over_pairs(drawn: tuple[tuple[Person, ...], Given]) -> None:
    persons, given = drawn
    gold, decisions = study(persons)
    found = values(mark(gold, decisions), as_ratings(given))
    for facet in {person.facet for person in persons}:
        items = [item for item in gold.items if persons[int(item[:3])].facet == facet]
        table = np.array([[given.get((item, rater), np.nan) for item in items] for rater in RATERS])
        pairs = pairwise_agreement(table)
        for kind in KINDS:
            mean = mean_agreement(pairs, kind)
            for value, name in ((mean.plain, f"rater_{kind}"), (mean.weighted, f"rater_{kind}_weighted")):
                assert found[name, facet] == (None if value is None else pytest.approx(value)), name


@settings(max_examples=30)
@given(rated(), st.data())
def test_replicates_of_rater_agreement_are_those_of_repeated_rows(
    drawn: tuple[tuple[Person, ...], Given], data: st.DataObject
) -> None:
    """The slow twin: every shared item as often as its unit is drawn."""
    persons, given = drawn
    gold, decisions = study(persons)
    figures = human_figures(mark(gold, decisions), as_ratings(given))
    facet = persons[0].facet
    here = [figure for figure in figures if figure.facet == facet]
    units = [n for n, person in enumerate(persons) if person.facet == facet]
    weight = data.draw(st.lists(st.integers(0, 3), min_size=len(units), max_size=len(units)))
    items = [item for item in gold.items for _ in range(dict(zip(units, weight, strict=True)).get(int(item[:3]), 0))]
    table = np.array([[given.get((item, rater), np.nan) for item in items] for rater in RATERS]).reshape(
        len(RATERS), -1
    )
    pairs = pairwise_agreement(table)
    numbering = Numbering("unit", here)
    for kind in KINDS:
        mean = mean_agreement(pairs, kind)
        for value, name in ((mean.plain, f"rater_{kind}"), (mean.weighted, f"rater_{kind}_weighted")):
            statistic = next(figure for figure in here if figure.metric == name).statistic(numbering)
            replicate = statistic.replicates(np.array([weight], np.float64))[0]
            np.testing.assert_allclose(replicate, np.nan if value is None else value, atol=1e-12)


SAY_P, SAY_N = (Verdict("P", 0.9), Verdict("P", 0.9)), (Verdict("N", 0.7), Verdict("N", 0.7))


def many(count: int, facets: tuple[str, ...] = FACETS) -> tuple[Person, ...]:
    def verdict(n: int) -> Verdict:
        return Verdict("PN"[n % 2], 0.5 + (n * 37 % 50) / 100)

    return tuple(
        Person(n % 2 == 0, ((verdict(n), verdict(n)),), facets[n % 4 // 2 % len(facets)]) for n in range(count)
    )


def three_raters(marked: Marked) -> Ratings:
    """Ann hears what the judge hears, Bob the opposite of what it hears by halves, Cyd one thing after the other."""
    rows = []
    for n, item in enumerate(marked.gold.items):
        score = float(marked.score[marked.gold.unit[n]])
        rows += [(item, "ann", score), (item, "bob", score + (n % 7) / 5), (item, "cyd", float(n % 5 - 2))]
    return from_rows(rows)


def test_figures_have_intervals_by_speaker_and_by_prompt() -> None:
    gold, decisions = study(many(100))
    marked = mark(gold, decisions)
    found = entries(marked, three_raters(marked), 200)
    for metric in ("human_spearman", "rater_spearman", "rater_exact_weighted", "rater_sign"):
        for facet in (*FACETS, OVERALL):
            entry = found[metric, facet]
            assert entry.value is not None
            assert [interval.by for interval in entry.intervals] == ["speaker", "conversation"]
            low, high = entry.intervals[0].low, entry.intervals[0].high
            assert low is not None
            assert high is not None
            assert low <= entry.value <= high
    assert found["human_spearman", "S0"].n == 50
    assert found["human_spearman", OVERALL].n == 100
    assert found["human_spearman", "S0"].chance == 0
    assert (found["human_spearman", "S0"].p or 1) < 0.05
    assert (found["human_spearman", "S0"].value or 0) > 0.5


def test_what_has_no_answer_counts_as_worst_and_stands_apart_when_left_out() -> None:
    failed = (Verdict(outcome=Outcome.FAILED), Verdict(outcome=Outcome.FAILED))
    persons = (
        Person(True, (SAY_P,)),
        Person(True, (failed,)),
        Person(False, (SAY_N,)),
        Person(True, ((SAY_P[0], SAY_N[0]),)),
    )
    gold, decisions = study(persons)
    ratings = from_rows([(item, "ann", rating) for item, rating in zip(gold.items, (3.0, 4.0, 1.0, 2.0), strict=True)])
    found = values(mark(gold, decisions), ratings)
    assert found["human_spearman_valid_only", "S0"] == pytest.approx(1.0)
    assert found["human_spearman", "S0"] == pytest.approx(-0.2)


def test_equal_means_tie_whatever_their_order() -> None:
    """0.1 + 0.2 + 0.3 depends on the order of its terms; ranks must not."""
    persons = tuple(Person(True, (SAY_P,)) for _ in range(2))
    gold, _ = study(persons)
    thirds = [(0.1, 0.2, 0.3), (0.3, 0.2, 0.1)]
    assert sum(thirds[0]) != sum(thirds[1])
    rows = [
        (item, rater, value)
        for item, given in zip(gold.items, thirds, strict=True)
        for rater, value in zip(RATERS, given, strict=False)
    ]
    _, consensus = unit_consensus(gold, from_rows(rows))
    assert consensus[0] == consensus[1]


def test_one_rater_has_a_correlation_and_no_agreement() -> None:
    gold, decisions = study(many(8, ("S0",)))
    marked = mark(gold, decisions)
    ratings = from_rows([(item, "ann", float(n)) for n, item in enumerate(gold.items)])
    found = entries(marked, ratings)
    assert found["human_spearman", "S0"].value is not None
    for kind in ("spearman", "exact"):
        assert (found[f"rater_{kind}", "S0"].value, found[f"rater_{kind}", "S0"].reason) == (None, NO_PAIR)
        assert found[f"rater_{kind}", OVERALL].reason is not None


def test_signs_say_nothing_on_a_scale_from_one_to_five() -> None:
    gold, decisions = study(many(8, ("S0",)))
    rows = [
        (item, rater, float(1 + (n * k) % 5)) for n, item in enumerate(gold.items) for k, rater in enumerate(RATERS)
    ]
    found = entries(mark(gold, decisions), from_rows(rows))
    assert (found["rater_sign", "S0"].value, found["rater_sign", "S0"].reason) == (None, ONE_SIDED)
    assert found["rater_exact", "S0"].value is not None


def test_a_constant_judge_has_no_correlation_and_says_so() -> None:
    gold, decisions = study(tuple(Person(n % 2 == 0, (SAY_P,)) for n in range(6)))
    ratings = from_rows([(item, "ann", float(n)) for n, item in enumerate(gold.items)])
    entry = entries(mark(gold, decisions), ratings)["human_spearman", "S0"]
    assert entry.value is None
    assert entry.reason == "fewer than two rows, or a constant column"


def test_the_overall_figure_is_over_facets_that_were_rated() -> None:
    gold, decisions = study(many(40))
    marked = mark(gold, decisions)
    items = [item for item in gold.items if gold.facet[int(item[:3])] == "S0"]
    found = entries(marked, from_rows([(item, "ann", float(n % 5)) for n, item in enumerate(items)]))
    assert found["human_spearman", "S3"].value is None
    assert found["human_spearman", OVERALL].value == found["human_spearman", "S0"].value
    assert found["human_coverage", OVERALL].value == pytest.approx(0.5)


@pytest.mark.parametrize("rows", [[], [("of another release", "ann", 1.0), ("of another release", "bob", 2.0)]])
def test_no_rating_of_the_release_leaves_all_but_coverage_null(rows: list[tuple[str, str, float]]) -> None:
    gold, decisions = study(many(8))
    found = entries(mark(gold, decisions), from_rows(rows))
    for (metric, _), entry in found.items():
        if metric == "human_coverage":
            assert entry.value == 0
        else:
            assert entry.value is None
            assert entry.reason


def test_a_release_is_held_against_ratings_of_its_items(tmp_path: Path) -> None:
    release = write_tiny_release(tmp_path / "release", items=12)
    owed = owed_presentations(release, release.protocol())
    items = sorted(set(owed.item))
    # The judge is surer of P the later an item comes; so are the raters, two of them on a scale of their own.
    sure = {id: Guess("P", 0.5 + items.index(item) / 40) for id, item in zip(owed.ids, owed.item, strict=True)}
    rows = [
        (item, rater, scale * (n // 2))
        for n, item in enumerate(items)
        for rater, scale in (("ann", 1.0), ("bob", 10.0))
    ]
    found = evaluate_human(release, guessed(owed, sure, ("P", "N")), from_rows(rows), Options(resamples=20))
    value = {(entry.metric, entry.facet): entry.value for entry in found}
    assert value["rater_spearman", "S0"] == pytest.approx(1.0)
    assert value["human_coverage", OVERALL] == 1
    assert (value["human_spearman", "S0"] or 0) > 0


def test_a_pair_that_a_draw_leaves_undefined_weighs_nothing_in_it() -> None:
    """Ann and Bob share two items; where one of them is not drawn there is no correlation, and their overlap must not count."""
    gold, decisions = study(tuple(Person(n % 2 == 0, (SAY_P,)) for n in range(5)))
    rows = [(gold.items[n], "ann", float(n)) for n in range(5)]
    rows += [(gold.items[0], "bob", 5.0), (gold.items[1], "bob", 7.0)]
    rows += [(gold.items[n], "cyd", rating) for n, rating in ((2, 1.0), (3, 3.0), (4, 2.0))]
    figures = human_figures(mark(gold, decisions), from_rows(rows))
    weights = np.array([[1.0, 1, 1, 1, 1], [1, 0, 1, 1, 1], [2, 2, 0, 0, 0]])
    for name, expected in {
        "rater_spearman": [(1 + 0.5) / 2, 0.5, 1.0],
        "rater_spearman_weighted": [(2 * 1 + 3 * 0.5) / 5, 0.5, 1.0],
    }.items():
        figure = next(figure for figure in figures if (figure.metric, figure.facet) == (name, "S0"))
        np.testing.assert_allclose(figure.statistic(Numbering("unit", [figure])).replicates(weights), expected)


def test_pairs_are_those_who_share_an_item() -> None:
    """Four raters, of whom only two ever met: no pair is made up of the others."""
    gold, decisions = study(tuple(Person(n % 2 == 0, (SAY_P,)) for n in range(4)))
    rows = [
        (gold.items[0], "ann", -1.0),
        (gold.items[0], "bob", -1.0),
        (gold.items[1], "cyd", 1.0),
        (gold.items[2], "dan", 1.0),
    ]
    figures = human_figures(mark(gold, decisions), from_rows(rows))
    exact = next(figure for figure in figures if (figure.metric, figure.facet) == ("rater_exact", "S0"))
    statistic = exact.statistic(Numbering("unit", [exact]))
    assert (statistic.value(), exact.rows) == (1.0, 1)
    assert statistic.support.tolist() == [True]
