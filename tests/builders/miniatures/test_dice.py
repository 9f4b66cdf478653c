"""Named draws: repeatable, apart from each other, and distributed as they say."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from earmark.builders.miniatures.dice import Dice

KEYS = st.lists(st.one_of(st.integers(), st.text(max_size=8)), max_size=3).map(tuple)


@given(seed=st.integers(), scope=KEYS, key=KEYS)
def test_scope_and_key_are_one_name(seed: int, scope: tuple[str | int, ...], key: tuple[str | int, ...]) -> None:
    assert Dice(seed).within(*scope).unit(*key) == Dice(seed).unit(*scope, *key)
    assert 0 < Dice(seed).unit(*key) < 1


@given(seed=st.integers(), low=st.integers(-50, 50), width=st.integers(0, 50), key=KEYS)
def test_draws_stay_within_their_bounds(seed: int, low: int, width: int, key: tuple[str | int, ...]) -> None:
    dice, values = Dice(seed), range(low, low + width + 2)
    assert low <= dice.whole(low, low + width, *key) <= low + width
    assert low <= dice.between(low, low + width, *key) <= low + width
    assert dice.pick(values, *key) in values
    first, second = dice.pick_two(values, *key)
    assert first != second
    assert {first, second} <= set(values)


def test_names_that_look_alike_are_different_names() -> None:
    dice = Dice(1)
    assert len({dice.unit("1"), dice.unit(1), dice.unit("1", ""), dice.unit("", "1"), Dice(2).unit(1)}) == 5


def test_draws_are_uniform_and_normal() -> None:
    dice = Dice(3)
    assert stats.kstest([dice.unit(n) for n in range(2000)], "uniform").pvalue > 0.01
    assert stats.kstest([dice.normal(n) for n in range(2000)], "norm").pvalue > 0.01
    assert abs(np.mean([dice.chance(0.2, n) for n in range(2000)]) - 0.2) < 0.03
    assert set(np.bincount([dice.whole(0, 3, n) for n in range(2000)]) // 100) <= {4, 5}
    assert set(np.bincount(list(dice.noise(8000))) // 10) <= set(range(1, 6))
