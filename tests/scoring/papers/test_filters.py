"""Who the notebook leaves out."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from tests.scoring.papers.studies import Person, Verdict, notebook, people, study

from earmark.scoring.papers.stancebench.filters import FILTERS, apply_filters
from earmark.scoring.papers.stancebench.judged import Speakers, judged_dimensions


def of(*persons: Person) -> Speakers:
    return judged_dimensions(*study(persons))[0].speakers


@given(people())
def test_filters_only_remove_and_every_removal_is_counted(persons: tuple[Person, ...]) -> None:
    steps = apply_filters(of(*persons))
    assert [step.filter for step in steps] == list(FILTERS)
    assert steps[0].before.all()
    for earlier, later in pairwise(steps):
        np.testing.assert_array_equal(later.before, earlier.kept)
    for step in steps:
        assert not (step.kept & ~step.before).any()
    assert sum(step.removed for step in steps) + steps[-1].kept.sum() == len(persons)


@given(people())
def test_who_is_left_is_who_the_notebook_keeps(persons: tuple[Person, ...]) -> None:
    kept = apply_filters(of(*persons))[-1].kept
    assert kept.tolist() == [notebook(person).excluded is False for person in persons]


SURE, TORN = (Verdict("P", 0.8), Verdict("P", 0.8)), (Verdict("P", 0.6), Verdict("N", 0.9))


@pytest.mark.parametrize(("agreeing", "reason"), [(0, "disagreement"), (4, "disagreement"), (5, None), (9, None)])
def test_a_fifth_of_the_items_is_too_much(agreeing: int, reason: str | None) -> None:
    steps = apply_filters(of(Person(True, (*[SURE] * agreeing, TORN))))
    assert [step.filter.name for step in steps if step.removed] == ([] if reason is None else [reason])


def test_opposite_signs_of_the_means_exclude_without_any_disagreement() -> None:
    first, second = (Verdict("P", 0.8), Verdict("P", 0.6)), (Verdict("N", 0.6), Verdict("N", 0.8))
    steps = apply_filters(of(Person(True, (first, second))))
    assert [step.filter.name for step in steps if step.removed] == ["sign_rule"]


def test_a_mean_of_zero_is_opposite_to_nothing() -> None:
    first, second = (Verdict("P", 0.8), Verdict("P", 0.6)), (Verdict("N", 0.8), Verdict("N", 0.8))
    speakers = of(Person(True, (first, second)))
    assert speakers.mapped.tolist() == [[0.0, -0.5]]
    assert apply_filters(speakers)[-1].kept.all()
