"""Groups against all cliques by brute force, and letters that say exactly who differs."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.statistics.letters import letters, maximal_groups

Pairs = list[tuple[int, int]]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, Pairs]:
    members = draw(st.integers(0, 8))
    pairs = list(combinations(range(members), 2))
    return members, draw(st.lists(st.sampled_from(pairs), unique=True) if pairs else st.just([]))


def cliques(members: int, apart: Pairs) -> set[tuple[int, ...]]:
    """The maximal sets of which no two are apart, by looking at all sets."""
    sets = [
        frozenset(one)
        for size in range(1, members + 1)
        for one in combinations(range(members), size)
        if not any(pair in apart or pair[::-1] in apart for pair in combinations(one, 2))
    ]
    return {tuple(sorted(one)) for one in sets if not any(one < other for other in sets)}


@settings(max_examples=25)
@given(graphs())
def test_groups_are_the_maximal_cliques(graph: tuple[int, Pairs]) -> None:
    members, apart = graph
    found = maximal_groups(members, apart)
    assert found is not None
    assert set(found) == cliques(members, apart)
    assert list(found) == sorted(set(found))
    assert maximal_groups(members, [pair[::-1] for pair in reversed(apart)]) == found


@settings(max_examples=25)
@given(graphs())
def test_two_share_a_letter_exactly_if_they_are_not_apart(graph: tuple[int, Pairs]) -> None:
    members, apart = graph
    found = maximal_groups(members, apart)
    assert found is not None
    named = letters(members, found)
    for one, other in combinations(range(members), 2):
        assert bool(set(named[one]) & set(named[other])) == ((one, other) not in apart)


def test_too_many_groups_are_given_up() -> None:
    triples = [pair for n in range(0, 12, 3) for pair in combinations(range(n, n + 3), 2)]
    assert maximal_groups(12, triples, most=80) is None
    assert len(maximal_groups(12, triples, most=81) or ()) == 3**4


def test_more_groups_than_letters_have_two() -> None:
    named = letters(3, [(0,)] * 26 + [(1, 2)])
    assert named[0].split() == list("abcdefghijklmnopqrstuvwxyz")
    assert named[1:] == ("aa", "aa")


@pytest.mark.parametrize("members", [0, 1, 4])
def test_nobody_apart_is_one_group(members: int) -> None:
    assert maximal_groups(members, []) == ((tuple(range(members)),) if members else ())
