"""A headline is the sum of its credits, and units, weights and chances say nothing of a file."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scoring.dialogues import studies as dialogue_studies
from tests.scoring.pairs import studies as pair_studies
from tests.scoring.stance import studies as stance_studies

from earmark.scoring.dialogues import credits as of_dialogues
from earmark.scoring.dialogues.gold import read_gold as read_dialogues
from earmark.scoring.dialogues.marks import mark as mark_dialogues
from earmark.scoring.dialogues.marks import trajectory_accuracy
from earmark.scoring.ladder.credit import Credits, of_groups
from earmark.scoring.pairs import credits as of_pairs
from earmark.scoring.pairs.gold import read_gold as read_pairs
from earmark.scoring.pairs.marks import macro_accuracy
from earmark.scoring.pairs.marks import mark as mark_pairs
from earmark.scoring.stance import credits as of_stance
from earmark.scoring.stance.marks import balanced_accuracy
from earmark.scoring.stance.marks import mark as mark_stance

Found = tuple[Credits | None, float | None]


def stance_credits(study: stance_studies.Study) -> Found:
    marked = mark_stance(stance_studies.gold_of(study), stance_studies.decisions_of(study))
    return of_stance.of_marked(marked), balanced_accuracy(marked)


def pair_credits(study: pair_studies.Study) -> Found:
    marked = mark_pairs(read_pairs(pair_studies.release_of(study)), pair_studies.decisions_of(study))
    return of_pairs.of_marked(marked), macro_accuracy(marked)


def dialogue_credits(study: dialogue_studies.Study) -> Found:
    marked = mark_dialogues(read_dialogues(dialogue_studies.release_of(study)), dialogue_studies.decisions_of(study))
    return of_dialogues.of_marked(marked), trajectory_accuracy(marked)


def holds(found: Found) -> None:
    """What is true of the credits of every family."""
    credits, headline = found
    assert (credits is None) == (headline is None)
    if credits is None or headline is None:
        return
    assert credits.headline == pytest.approx(headline, abs=1e-12)
    assert credits.weight.sum() == pytest.approx(1, abs=1e-12)
    assert len(set(credits.units)) == len(credits.units) == len(credits.weight) == len(credits.credit)
    for column in (credits.weight, credits.credit, credits.chance):
        assert ((column >= 0) & (column <= 1 + 1e-12)).all()


def alike(one: Credits | None, other: Credits | None) -> bool:
    """Whether two files have the same units, weights and chances."""
    if one is None or other is None:
        return one is other
    columns = ((one.weight, other.weight), (one.chance, other.chance))
    return one.units == other.units and all(np.array_equal(*each) for each in columns)


@settings(max_examples=20)
@given(stance_studies.studies())
def test_balanced_accuracy_is_its_credits(study: stance_studies.Study) -> None:
    holds(stance_credits(study))
    assert alike(stance_credits(study)[0], stance_credits(study.saying(()))[0])


@settings(max_examples=20)
@given(pair_studies.studies())
def test_macro_accuracy_is_its_credits(study: pair_studies.Study) -> None:
    holds(pair_credits(study))
    assert alike(pair_credits(study)[0], pair_credits(pair_studies.saying(study, ()))[0])


@settings(max_examples=20)
@given(dialogue_studies.studies())
def test_trajectory_accuracy_is_its_credits(study: dialogue_studies.Study) -> None:
    holds(dialogue_credits(study))
    silent = dialogue_studies.Study(study.dialogues, study.chain, (), study.modality)
    assert alike(dialogue_credits(study)[0], dialogue_credits(silent)[0])


@settings(max_examples=20)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 4)), min_size=1, max_size=12))
def test_groups_weigh_alike_and_their_units_too(rows: list[tuple[str, int]]) -> None:
    groups, values = [group for group, _ in rows], np.array([value / 4 for _, value in rows])
    found = of_groups([str(n) for n in range(len(rows))], groups, values, values * 0)
    assert found is not None
    means = [
        np.mean([value for value, own in zip(values, groups, strict=True) if own == group]) for group in set(groups)
    ]
    assert found.headline == pytest.approx(np.mean(means))
