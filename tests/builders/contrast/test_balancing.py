"""The choice among passing pairs: against every choice there is, whatever the order, and what cannot be chosen from."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.builders.contrast.balancing import Balance, Candidate, Turn, balance

KEY = bytes(range(32))

signs = st.tuples(*[st.sampled_from([-1, 0, 1, 1])] * 3)
offers = st.lists(st.tuples(signs, st.integers(0, 3)), min_size=1, max_size=4)


def turns_of(offered: list[list[tuple[tuple[int, ...], int]]]) -> list[Turn]:
    return [
        Turn(f"t{n}", tuple(Candidate(f"c{k}", vector, cost / 2) for k, (vector, cost) in enumerate(row)))
        for n, row in enumerate(offered)
    ]


def every_choice(turns: list[Turn]) -> list[tuple[int, float]]:
    """Imbalance and cost of every choice, the slow way."""
    return [
        (int(np.abs(np.sum([c.signs for c in choice], axis=0)).sum()), sum(c.cost for c in choice))
        for choice in product(*(turn.candidates for turn in turns))
    ]


@settings(max_examples=40)
@given(offered=st.lists(offers, min_size=1, max_size=5), seed=st.integers(0, 9))
def test_it_is_the_best_of_all_choices(offered: list[list[tuple[tuple[int, ...], int]]], seed: int) -> None:
    turns = turns_of(offered)
    found = balance(turns, key=KEY, seed=seed)
    assert (found.imbalance, found.cost) == min(every_choice(turns))
    assert (found.gap, found.cost_gap) == (0, pytest.approx(0, abs=1e-9))
    taken = [
        next(candidate for candidate in turn.candidates if candidate.id == id)
        for turn, id in zip(turns, found.chosen, strict=True)
    ]
    assert np.sum([candidate.signs for candidate in taken], axis=0).tolist() == list(found.excess)
    assert found.before >= found.imbalance == sum(map(abs, found.excess))
    again = balance([Turn(t.id, t.candidates[::-1]) for t in turns][::-1], key=KEY, seed=seed)
    assert again.chosen == found.chosen[::-1]


def test_equal_choices_are_told_apart_by_the_key_and_not_by_their_place() -> None:
    turns = [Turn(f"t{n}", (Candidate("up", (1,)), Candidate("down", (-1,)))) for n in range(8)]
    found = {balance(turns, key=key, seed=seed).chosen for key in (KEY, bytes(32)) for seed in range(6)}
    assert len(found) > 6
    assert all(choice.count("up") == 4 for choice in found)


def test_what_cannot_be_balanced_is_said() -> None:
    turns = [Turn(f"t{n}", (Candidate("only", (1, -1)),)) for n in range(3)]
    found = balance(turns, key=KEY, seed=0)
    assert (found.excess, found.imbalance, found.least, found.before) == ((3, -3), 6, 6, 6)
    assert balance([], key=KEY, seed=0) == Balance((), (), 0, 0, 0, 0, 0.0)


def test_three_hundred_turns_of_which_most_lean_one_way() -> None:
    rng = np.random.default_rng(0)
    turns = [
        Turn(
            f"t{n}",
            tuple(
                Candidate(f"c{k}", tuple(np.where(rng.random(5) < 0.75, 1, -1).tolist()), round(rng.random() * 4, 1))
                for k in range(rng.integers(1, 7))
            ),
        )
        for n in range(300)
    ]
    found = balance(turns, key=KEY, seed=0)
    assert found.imbalance == found.least < found.before / 2
    assert found.cost_gap < 1e-3


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        ([Turn("a", ())], "no candidate"),
        ([Turn("a", (Candidate("x", (1,)), Candidate("x", (0,))))], "two of one id"),
        ([Turn("a", (Candidate("x", (1,)),)), Turn("a", (Candidate("x", (1,)),))], "two turns"),
        ([Turn("a", (Candidate("x", (1,)), Candidate("y", (1, 1))))], "as many"),
        ([Turn("a", (Candidate("x", (2,)),))], "signs are"),
        ([Turn("a", (Candidate("x", (1,), -1.0),))], "a cost is 0"),
        ([Turn("a", (Candidate("x", (1,), float("nan")),))], "a cost is 0"),
    ],
)
def test_what_cannot_be_chosen_from(turns: list[Turn], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        balance(turns, key=KEY, seed=0)
