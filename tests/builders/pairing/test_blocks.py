"""A program in blocks, beside the same program at once."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.pairing.problems import GROUP, pool_of

from earmark.builders.pairing import group, solver
from earmark.builders.pairing.allocation import allocate
from earmark.builders.pairing.blocks import bound_of, minimise_in_blocks
from earmark.builders.pairing.cells import Caps, Cell, Selection
from earmark.builders.pairing.greedy import fill_up, greedy
from earmark.builders.pairing.group import graph_of, program_for
from earmark.builders.pairing.program import Program
from earmark.builders.pairing.solver import Effort, Goal, Window, minimise, value_of


def program(seed: int, n: int = 60, clip: int = 1, speaker: int | None = None) -> Program:
    rng = np.random.default_rng(seed)
    pool = pool_of(rng, n, speakers=6)
    left, everyone = rng.random(n) < 0.5, np.ones(n, np.bool_)
    cells = [
        Cell(("a",), GROUP, (Selection("t", left, ~left, differ=(pool.speaker,)),), 8),
        Cell(("b",), GROUP, (Selection("t", everyone, everyone, equal=(pool.speaker,)),), 9),
    ]
    graph = graph_of(pool, cells, 5, 0)
    return program_for(pool, cells, Caps(clip=clip, speaker=speaker), graph, np.array([8, 9], np.int64))


@given(st.integers(0, 2**32), st.sampled_from([1, 2]), st.none() | st.integers(4, 9), st.sampled_from([5, 12]))
@settings(max_examples=15)
def test_blocks_keep_every_cap_and_every_fill_and_are_bounded(seed, clip, speaker, columns):
    whole = program(seed, clip=clip, speaker=speaker)
    start = greedy(whole)
    outcome, blocks = minimise_in_blocks(whole, start, Effort(), columns=columns, sweeps=2)
    assert blocks >= 1
    assert whole.keeps_caps(outcome.taken)
    assert whole.filled(outcome.taken).tolist() == whole.filled(start).tolist()
    assert outcome.objective == int(whole.cost[outcome.taken].sum()) <= int(whole.cost[start].sum())
    filled = whole.filled(start)
    none = np.zeros((2, 1), np.int64)
    same = Program(whole.cost, whole.cell, whole.rows, whole.most, filled)
    best = minimise(same, Goal(whole.cost, none, none), start, Effort())
    assert best is not None
    assert outcome.bound <= best.objective <= outcome.objective


def test_small_blocks_are_several():
    whole = program(3, speaker=4)
    assert minimise_in_blocks(whole, greedy(whole), Effort(), columns=5)[1] > 1


@given(st.integers(0, 2**32), st.sampled_from([1, 2]), st.booleans())
@settings(max_examples=15)
def test_what_is_settled_without_solving_is_so_in_a_best_choice(seed, clip, may_be_short):
    whole = program(seed, clip=clip)
    none = np.full((2, 1), int(may_be_short), np.int64)
    goal = Goal(whole.cost, none, none * 2**40)
    outcome = minimise(whole, goal, None, Effort())
    nothing_settled = partial(
        Window, sure=np.zeros(len(whole.cost), np.bool_), low=-np.full(2, np.inf), high=np.full(2, np.inf)
    )
    with patch.object(solver, "window", lambda program, goal, core: nothing_settled(core)):
        slow = minimise(whole, goal, None, Effort())
    assert (outcome is None) == (slow is None)
    if outcome is not None and slow is not None:
        assert outcome.objective == slow.objective == value_of(whole, goal, outcome.taken)
        assert outcome.bound <= slow.objective


@given(st.integers(0, 2**32), st.integers(0, 2**32))
@settings(max_examples=25)
def test_any_prices_bound_the_least_cost_from_below(seed, other):
    whole = program(seed)
    start = greedy(whole)
    filled = whole.filled(start)
    price = -np.random.default_rng(other).exponential(2.0**20, len(whole.most))
    none = np.zeros((2, 1), np.int64)
    same = Program(whole.cost, whole.cell, whole.rows, whole.most, filled)
    best = minimise(same, Goal(whole.cost, none, none), start, Effort())
    assert best is not None
    assert bound_of(whole, price, filled) <= best.objective + 1e-3


@given(st.integers(0, 2**32))
@settings(max_examples=25)
def test_exchanging_one_for_two_keeps_the_caps_and_never_loses_a_pair(seed):
    whole = program(seed)
    start = greedy(whole)
    more = fill_up(whole, start)
    assert whole.keeps_caps(more)
    assert int(more.sum()) >= int(start.sum())


def test_a_group_of_many_pairs_is_solved_in_blocks_and_says_so():
    pool = pool_of(np.random.default_rng(2), 200, speakers=5)
    everyone = np.ones(200, np.bool_)
    cells = [Cell(("a",), GROUP, (Selection("t", everyone, everyone),), 50)]
    at_once = allocate(pool, cells, {GROUP: Caps(clip=1)}, nearest=4)
    with patch.object(group, "PAIRS", 10):
        in_blocks = allocate(pool, cells, {GROUP: Caps(clip=1)}, nearest=4)
    (one,), (other,) = at_once.solves, in_blocks.solves
    assert other.filled == one.filled == 50
    assert other.bound <= one.objective <= other.objective
    assert other.gap == pytest.approx((other.objective - other.bound) / other.objective)
    assert other.spread == "nothing short"


def test_what_is_short_in_blocks_is_told_as_not_proven():
    pool = pool_of(np.random.default_rng(2), 30, speakers=5)
    everyone = np.ones(30, np.bool_)
    cells = [Cell((name,), GROUP, (Selection(name, everyone, everyone),), 12) for name in "ab"]
    with patch.object(group, "PAIRS", 5):
        allocation = allocate(pool, cells, {GROUP: Caps(clip=1)}, nearest=4)
    (solve,) = allocation.solves
    assert solve.spread == "as found"
    assert solve.filled <= 15 < 24 == sum(cell.demand or 0 for cell in allocation.cells)


def test_branching_that_is_given_no_room_ends_alike_every_time_and_says_so():
    """Odd cycles of clips used once: the relaxation takes halves, and one node over few edges does not settle it."""
    whole = program(5, n=200)
    whole = replace(whole, demand=np.array([45, 40], np.int64))
    start = fill_up(whole, greedy(whole))
    filled = whole.filled(start)
    none = np.zeros((2, 1), np.int64)
    same, goal = replace(whole, demand=filled), Goal(whole.cost, none, none)
    one, two = (minimise(same, goal, start, Effort(nodes=1, columns=1, gap=0.0)) for _ in range(2))
    best = minimise(same, goal, start, Effort())
    assert one is not None
    assert two is not None
    assert best is not None
    assert (one.taken == two.taken).all()
    assert one.milp == two.milp
    assert one.bound == two.bound <= best.objective <= one.objective
    assert (one.objective - one.bound < 1.0) or one.milp == "stopped"
