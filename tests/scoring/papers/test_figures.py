"""The notebook's figures in a report: which speakers each is over, counts, intervals, and where they equal the defaults."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.scoring.papers.studies import Person, Verdict, midpoint_f1, notebook, people, study

from earmark.manifests.report import OVERALL, MetricEntry
from earmark.scoring.decisions import Outcome
from earmark.scoring.measuring import Numbering, Options
from earmark.scoring.papers.stancebench.figures import GLOSSARY, NOBODY, SLICE, dimension_metrics
from earmark.scoring.papers.stancebench.judged import judged_dimensions
from earmark.scoring.stance.figures import GLOSSARY as DEFAULTS
from earmark.scoring.stance.figures import facet_figures
from earmark.scoring.stance.marks import mark

FEW = Options(resamples=40)
FACETS = ("S0", "S3")
Table = dict[tuple[str, str], MetricEntry]


def measured(persons: tuple[Person, ...], *others: tuple[Person, ...], options: Options = FEW) -> Table:
    gold, decisions = study(persons)
    dimensions = judged_dimensions(gold, decisions, [study(other)[1] for other in others])
    entries = dimension_metrics(dimensions, 1 + len(others), options)
    table = {(entry.metric, entry.facet): entry for entry in entries}
    assert len(table) == len(entries)
    assert {entry.slice for entry in entries} == {SLICE}
    return table


@settings(max_examples=40)
@given(people(facets=FACETS))
def test_values_are_the_notebook_s(persons: tuple[Person, ...]) -> None:
    table = measured(persons)
    for facet in {person.facet for person in persons}:
        rows = [(person, notebook(person)) for person in persons if person.facet == facet]
        attempted = [row for _, row in rows if row.attempted]
        common = [row for row in attempted if row.score is not None]
        kept = [(person, row) for person, row in rows if row.excluded is False]
        expected: dict[str, tuple[list[bool] | list[float], int]] = {
            "failure_rate": ([row.score is None for row in attempted], len(attempted)),
            "order_disagreement": ([row.disagreement or 0.0 for row in common], len(common)),
            "order_flips": ([row.flips or 0.0 for row in common], len(common)),
        }
        for metric, (values, n) in expected.items():
            entry = table[metric, facet]
            assert entry.n == n
            assert entry.value == (pytest.approx(np.mean(values)) if values else None)
            assert (entry.reason is None) == bool(values)
        for metric in ("pole_consistency", "auroc", "eer_nearest_vertex", "oracle_f1"):
            assert table[metric, facet].n == len(kept)
        assert table["pole_consistency_nonzero", facet].n <= len(kept)
        score = [round(row.score or 0.0, 12) for _, row in kept]
        f1 = midpoint_f1(score, [person.positive for person, _ in kept])
        assert table["oracle_f1", facet].value == (None if f1 is None else pytest.approx(f1))


@settings(max_examples=40)
@given(people(facets=FACETS))
def test_counts_add_up(persons: tuple[Person, ...]) -> None:
    table = measured(persons)
    for facet in {OVERALL, *(person.facet for person in persons)}:
        here = [person for person in persons if facet in (OVERALL, person.facet)]
        count = {metric: entry.value for (metric, of), entry in table.items() if of == facet and entry.unit == "units"}
        removed = sum(value or 0 for name, value in count.items() if name.startswith("units_removed_"))
        assert count["units_owed"] == len(here) == removed + (count["units_kept"] or 0)
        assert count["units_removed_not_attempted"] == sum(not notebook(person).attempted for person in here)
        assert count["units_kept"] == sum(notebook(person).excluded is False for person in here)
    assert table["submissions_intersected", OVERALL].value == 1


@settings(max_examples=40)
@given(people(facets=FACETS), st.randoms(use_true_random=False))
def test_another_submission_only_removes(persons: tuple[Person, ...], chance: random.Random) -> None:
    failed = (Verdict(outcome=Outcome.FAILED), Verdict(outcome=Outcome.FAILED))
    flags = [chance.random() < 0.5 for _ in persons]
    other = tuple(
        replace(person, clips=tuple(failed for _ in person.clips))
        if flag
        else replace(person, clips=tuple((Verdict(), Verdict()) for _ in person.clips))
        for person, flag in zip(persons, flags, strict=True)
    )
    alone, together = measured(persons), measured(persons, other)
    assert together["submissions_intersected", OVERALL].value == 2
    assert together["failure_rate", OVERALL] == alone["failure_rate", OVERALL]
    gone = [notebook(person).score is not None and flag for person, flag in zip(persons, flags, strict=True)]
    assert together["units_removed_row_intersection", OVERALL].value == sum(gone)
    assert (together["units_kept", OVERALL].value or 0) <= (alone["units_kept", OVERALL].value or 0)


def sure(choice: str) -> st.SearchStrategy[tuple[Verdict, Verdict]]:
    return st.sampled_from([None, 1.0]).map(lambda p: (Verdict(choice, p), Verdict(choice, p)))


@given(
    st.lists(
        st.builds(Person, st.booleans(), st.lists(sure("P") | sure("N"), min_size=1, max_size=5).map(tuple)),
        min_size=1,
        max_size=12,
    ).map(tuple)
)
def test_defaults_and_paper_agree_where_nothing_is_filtered_unsure_or_zero(persons: tuple[Person, ...]) -> None:
    gold, decisions = study(persons)
    marked = mark(gold, decisions)
    assume((marked.score != 0).all())
    dimension = judged_dimensions(gold, decisions)[0]
    np.testing.assert_allclose(dimension.speakers.score, marked.score, atol=1e-12)
    paper = {entry.metric: entry for entry in dimension_metrics([dimension], 1, FEW) if entry.facet == "S0"}
    assert paper["units_kept"].value == len(persons)
    figures = facet_figures(marked, "S0")
    numbers = Numbering("unit", figures)  # together, since they share what is made of rows that not all of them count
    defaults = {figure.metric: figure.statistic(numbers).value() for figure in figures if figure.slice == "all"}
    for metric in ("failure_rate", "order_disagreement", "pole_consistency", "auroc", "eer_nearest_vertex"):
        value = defaults[metric]
        assert paper[metric].value == (None if value is None else pytest.approx(value)), metric
    assert paper["pole_consistency_nonzero"].value == paper["pole_consistency"].value


def many(count: int) -> tuple[Person, ...]:
    """Speakers whose verdicts are right more often than not, in both dimensions."""
    people = []
    for n in range(count):
        positive = n % 2 == 0
        choice = "PN"[positive == (n % 5 == 0)]
        probability = 0.5 + (n * 37 % 50) / 100
        people.append(
            Person(positive, ((Verdict(choice, probability), Verdict(choice, probability)),), FACETS[n % 4 // 2])
        )
    return tuple(people)


def test_figures_have_intervals_by_speaker_and_by_prompt_and_auroc_a_p() -> None:
    table = measured(many(120), options=Options(resamples=200))
    for metric in ("auroc", "pole_consistency", "eer_nearest_vertex", "oracle_f1"):
        for facet in FACETS:
            entry = table[metric, facet]
            by_speaker, by_prompt = entry.intervals
            assert (by_speaker.by, by_prompt.by) == ("speaker", "conversation")
            assert by_prompt.reason == "conditional on 3 prompts"
            assert by_speaker.low is not None
            assert by_speaker.high is not None
            assert by_speaker.low <= (entry.value or 0) <= by_speaker.high
    assert table["auroc", "S0"].p is not None
    assert table["auroc", "S0"].p_adjusted is not None
    assert table["pole_consistency", "S0"].p is None
    halves = [table["auroc", facet].value or 0 for facet in FACETS]
    assert table["auroc", OVERALL].value == pytest.approx(sum(halves) / 2)
    assert table["auroc", OVERALL].n == 120


def test_where_nobody_is_left_everything_is_null_with_a_reason() -> None:
    missing = Verdict(outcome=Outcome.MISSING)
    table = measured((Person(True, ((missing, missing),)), Person(False, ((missing, missing),))))
    figures = [entry for entry in table.values() if entry.unit == "1"]
    assert figures
    assert {(entry.value, entry.reason, entry.n) for entry in figures} == {(None, NOBODY, 0)}
    assert table["units_removed_not_attempted", "S0"].value == 2


def test_a_dimension_without_anybody_leaves_the_mean_undefined_and_the_other_alone() -> None:
    missing = Verdict(outcome=Outcome.MISSING)
    lost = Person(True, ((missing, missing),), "S1")
    table = measured((*many(80), lost))
    assert table["auroc", "S1"].reason == NOBODY
    assert table["auroc", OVERALL].value is None
    assert table["auroc", OVERALL].reason
    alone = measured(many(80))
    assert table["auroc", "S0"].value == alone["auroc", "S0"].value
    assert table["auroc", "S0"].intervals == alone["auroc", "S0"].intervals


def test_every_metric_is_explained() -> None:
    assert {metric for metric, _ in measured(many(4))} <= {*GLOSSARY, *DEFAULTS}
    assert set(GLOSSARY) <= {metric for metric, _ in measured(many(4))}


def test_scores_of_zero_are_counted_and_left_out_by_name() -> None:
    undecided = Person(False, ((Verdict("P", 0.0), Verdict("P", 0.0)),))
    wrong = Person(False, ((Verdict("P", 0.9), Verdict("P", 0.9)),))
    right = Person(True, ((Verdict("P", 0.9), Verdict("P", 0.9)),))
    table = measured((undecided, wrong, right))
    assert table["units_scored_zero", "S0"].value == 1
    assert table["pole_consistency", "S0"].value == pytest.approx(1 / 3)
    assert table["pole_consistency_nonzero", "S0"].value == pytest.approx(1 / 2)
    assert table["pole_consistency_nonzero", "S0"].n == 2
