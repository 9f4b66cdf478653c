"""Chosen pairs, beside a program in whole numbers over every pair with every cap written out."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.pairing.problems import GROUP, Problem, model_of, pool_of, problems, shuffled

from earmark.builders.pairing.allocation import Allocation, allocate
from earmark.builders.pairing.cells import Caps, Cell, Selection
from earmark.builders.pairing.program import UNIT


def solve(problem: Problem, nearest: int = 99) -> Allocation:
    return allocate(problem.pool, problem.cells, {GROUP: problem.caps}, nearest=nearest)


def chosen(problem: Problem, allocation: Allocation) -> list[tuple[int, str, int, int]]:
    """Pairs as the model names them; reports stand in the order of keys, cells of a problem as they come."""
    place = {cell.key: c for c, cell in enumerate(problem.cells)}
    cell = [place[report.key] for report in allocation.cells]
    pairs = allocation.pairs
    return [
        (cell[c], target, i, j)
        for c, target, i, j in zip(
            pairs.cell.tolist(), pairs.target, pairs.left.tolist(), pairs.right.tolist(), strict=True
        )
    ]


@given(problems(), st.sampled_from([1, 2, 99]))
@settings(max_examples=50)
def test_as_many_pairs_as_can_be_and_no_cap_exceeded(problem, nearest):
    allocation, model = solve(problem, nearest), model_of(problem)
    pairs = chosen(problem, allocation)
    assert len(set(pairs)) == len(pairs)
    taken = {model.pairs.index(pair) for pair in pairs}
    assert all(len(taken & members) <= most for members, most in model.rows.values())
    (report,) = allocation.solves
    assert len(pairs) == report.filled == report.most == model.largest(cells={0, 1, 2})
    filled = Counter(pair[0] for pair in pairs)
    for cell in allocation.cells:
        c = next(c for c, other in enumerate(problem.cells) if other.key == cell.key)
        assert cell.filled == filled[c] <= cell.feasible <= cell.candidates
        wanted = cell.candidates if cell.demand is None else cell.demand
        assert (cell.binding is None) == (cell.filled == wanted)


@given(problems())
@settings(max_examples=40)
def test_no_choice_that_fills_the_cells_alike_costs_less(problem):
    allocation, model = solve(problem), model_of(problem)
    pairs = chosen(problem, allocation)
    values = problem.pool.nuisances
    cost = np.array([float(np.abs(values[i] - values[j]).sum()) for _, _, i, j in model.pairs])
    filled = Counter(pair[0] for pair in pairs)
    least = model.largest(cells={0, 1, 2}, cost=cost, fill={c: filled[c] for c in range(3)})
    assert float(allocation.pairs.cost.sum()) == pytest.approx(least, abs=len(pairs) * 1024 * 4096 * UNIT / 500 + 1e-6)
    (report,) = allocation.solves
    assert 0.0 <= report.gap < 1e-6
    assert report.bound <= report.objective


@given(problems(), st.integers(0, 2**32))
@settings(max_examples=30)
def test_neither_the_order_of_clips_nor_that_of_cells_matters(problem, seed):
    other = shuffled(problem, np.random.default_rng(seed))

    def known_by_rank(one: Problem) -> tuple[list[tuple[object, ...]], object]:
        allocation = solve(one, 2)
        rank, pairs = one.pool.rank, allocation.pairs
        rows = [
            (allocation.cells[c].key, target, tuple(sorted((int(rank[i]), int(rank[j])))))
            for c, target, i, j in zip(
                pairs.cell.tolist(), pairs.target, pairs.left.tolist(), pairs.right.tolist(), strict=True
            )
        ]
        return sorted(rows), allocation.as_json()["cells"]

    assert known_by_rank(problem) == known_by_rank(other)


def test_a_shortfall_is_spread_in_proportion():
    """Eight clips used once make four pairs; two equal cells that want four each get two each, whatever these cost."""
    pool = pool_of(np.random.default_rng(3), 8, nuisances=1)
    everyone = np.ones(8, np.bool_)
    code = np.arange(8) % 2
    cells = [
        Cell(("a",), GROUP, (Selection("same", everyone, everyone, equal=(code,)),), 4),
        Cell(("b",), GROUP, (Selection("other", everyone, everyone, differ=(code,)),), 4),
    ]
    allocation = allocate(pool, cells, {GROUP: Caps(clip=1)}, nearest=8)
    assert [cell.filled for cell in allocation.cells] == [2, 2]
    assert [cell.binding for cell in allocation.cells] == ["shared", "shared"]
    assert [cell.feasible for cell in allocation.cells] == [4, 4]
    assert [solve.spread for solve in allocation.solves] == ["fairest"]


def test_groups_share_nothing_and_progress_is_told():
    pool = pool_of(np.random.default_rng(4), 6)
    everyone = np.ones(6, np.bool_)
    cells = [Cell((name,), name, (Selection("t", everyone, everyone),), 3) for name in "ab"]
    told: list[tuple[int, int]] = []
    allocation = allocate(
        pool,
        cells,
        {"a": Caps(clip=1), "b": Caps(clip=1)},
        nearest=6,
        progress=lambda done, of: told.append((done, of)),
    )
    assert [cell.filled for cell in allocation.cells] == [3, 3]
    assert told == [(0, 2), (1, 2), (2, 2)]


def test_two_cells_of_one_key_are_refused():
    pool = pool_of(np.random.default_rng(4), 3)
    everyone = np.ones(3, np.bool_)
    cell = Cell(("a",), GROUP, (Selection("t", everyone, everyone),), 1)
    with pytest.raises(ValueError, match="two cells"):
        allocate(pool, [cell, cell], {}, nearest=2)
