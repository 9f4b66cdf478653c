"""Short labels of names that stand side by side tell them apart."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.pages.shown import brief, briefs

WORD = st.text("ab-7", max_size=30)


@settings(max_examples=50)
@given(WORD, WORD, WORD, st.integers(5, 20))
def test_two_names_that_begin_alike_are_told_apart(head: str, one: str, other: str, most: int) -> None:
    names = [head + one, head + other]
    labels = briefs(names, most)
    assert list(labels) == list(dict.fromkeys(names))
    assert len(set(labels.values())) == len(labels)
    assert all(len(label) <= most for label in labels.values())
    if brief(names[0], most) != brief(names[1], most):
        assert labels == {name: brief(name, most) for name in names}


@pytest.mark.parametrize("most", [13, 24, 28, 40])
def test_fifty_judges_of_one_maker_are_told_apart(most: int) -> None:
    names = [f"Synthetic-Audio-Judge-{n:02d}-{'mini' if n % 2 else '7B'}-instruct" for n in range(50)]
    assert len(set(briefs(names, most).values())) == 50
