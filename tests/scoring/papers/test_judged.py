"""Scores of speakers, against the notebook's formulas one verdict at a time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.scoring.papers.studies import Person, Verdict, notebook, people, study

from earmark.manifests.errors import EarmarkError
from earmark.scoring.decisions import Decisions, Outcome, Owed
from earmark.scoring.papers.stancebench.judged import judged_dimensions, mapped_scores


@given(people(facets=("S0", "S4")))
def test_every_speaker_is_as_the_notebook_has_it(persons: tuple[Person, ...]) -> None:
    gold, decisions = study(persons)
    dimensions = judged_dimensions(gold, decisions)
    assert sorted(unit for dimension in dimensions for unit in dimension.unit) == list(range(len(persons)))
    for dimension in dimensions:
        speakers = dimension.speakers
        for at, unit in enumerate(dimension.unit):
            person, row = persons[unit], notebook(persons[unit])
            assert (person.facet, person.positive) == (dimension.facet, speakers.positive[at])
            assert speakers.attempted[at] == row.attempted
            assert speakers.scored[at] == speakers.common[at] == (row.score is not None)
            ours = (speakers.score[at], speakers.average[at], speakers.disagreement[at], speakers.flips[at])
            theirs = (row.score, row.average, row.disagreement, row.flips)
            np.testing.assert_allclose(ours, [np.nan if value is None else value for value in theirs], atol=1e-12)


@given(people(), people())
def test_common_speakers_are_those_that_all_scored(persons: tuple[Person, ...], others: tuple[Person, ...]) -> None:
    """Another judge decides who is common and nothing else."""
    clips = max(len(person.clips) for person in (*persons, *others))

    def padded(given: tuple[Person, ...]) -> tuple[Person, ...]:
        absent = (Verdict(outcome=Outcome.FAILED), Verdict(outcome=Outcome.FAILED))
        count = min(len(persons), len(others))
        return tuple(
            replace(person, positive=True, clips=(*person.clips, *[absent] * (clips - len(person.clips))))
            for person in given[:count]
        )

    (gold, decisions), (_, second) = study(padded(persons)), study(padded(others))
    alone, together = judged_dimensions(gold, decisions)[0], judged_dimensions(gold, decisions, [second])[0]
    np.testing.assert_array_equal(together.speakers.score, alone.speakers.score)
    np.testing.assert_array_equal(together.speakers.scored, alone.speakers.scored)
    other = judged_dimensions(gold, second)[0]
    np.testing.assert_array_equal(together.speakers.common, alone.speakers.scored & other.speakers.scored)


def test_a_speaker_without_any_row_was_not_attempted_and_one_with_half_a_clip_has_failed() -> None:
    missing, good = Verdict(outcome=Outcome.MISSING), Verdict()
    gold, decisions = study((Person(True, ((missing, missing),)), Person(True, ((good, missing),))))
    speakers = judged_dimensions(gold, decisions)[0].speakers
    assert speakers.attempted.tolist() == [False, True]
    assert speakers.scored.tolist() == [False, False]


def test_each_run_of_a_clip_is_an_item_of_its_own() -> None:
    gold, once = study((Person(True, ((Verdict("P", 0.8), Verdict("P", 0.6)),)),))
    runs = replace(
        once,
        presentation=np.array([0, 1, 0, 1, 0]),
        run=np.array([0, 0, 1, 1, 2]),
        outcome=np.zeros(5, np.int64),
        choice=np.array([0, 0, 0, 1, 1]),
        probability=np.array([0.8, 0.6, 0.4, 0.2, 0.9]),
    )
    speakers = judged_dimensions(gold, runs)[0].speakers
    assert speakers.items.tolist() == [2]  # the third run lacks the other order
    assert speakers.score[0] == pytest.approx((0.7 + 0.1) / 2)
    assert speakers.disagreement.tolist() == [0.5]


def test_a_probability_that_was_not_given_is_one() -> None:
    gold, decisions = study((Person(True, ((Verdict("P", None), Verdict("N", None)),)),))
    speakers = judged_dimensions(gold, decisions)[0].speakers
    assert speakers.score.tolist() == [0.0]
    assert speakers.mapped.tolist() == [[2.0, -2.0]]


@pytest.mark.parametrize(("probability", "size"), [(0.0, 0), (0.449, 0), (0.45, 1), (0.749, 1), (0.75, 2), (1.0, 2)])
def test_mapping_changes_at_its_two_thresholds(probability: float, size: int) -> None:
    both = mapped_scores(np.array([True, False]), np.array([probability, probability]))
    assert both.tolist() == [size, -size]


@given(st.sampled_from([(), ("PN",), ("PN", "XY")]))
def test_a_protocol_with_other_orders_is_refused(orders: tuple[str, ...]) -> None:
    gold, _ = study((Person(True, ((Verdict(), Verdict()),)),))
    nothing = np.zeros(0, np.int64)
    owed = Owed("half", tuple(f"0 {order}" for order in orders), ("000/0",) * len(orders), orders)
    decisions = Decisions(owed, nothing, nothing, nothing, nothing, np.zeros(0), ("P", "N"))
    with pytest.raises(EarmarkError, match=r"needs both pole orders, PN and NP; protocol half owes"):
        judged_dimensions(gold, decisions)
