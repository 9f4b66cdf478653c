"""Levelling: as many pairs as before, no cap broken, nothing dearer for nothing, and no single exchange left that would help."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.builders.pairing.allocation import Allocation, Pairs, allocate
from earmark.builders.pairing.balance import GOAL, balance, pooled_deviation
from earmark.builders.pairing.cells import Caps, Cell, Selection
from earmark.builders.pairing.levelling import WEIGHT, level
from earmark.builders.pairing.pool import Pool

CAPS = Caps(clip=2, clip_pair=1)


def pool_of(values: list[list[float]], speakers: list[int]) -> Pool:
    n = len(values)
    rank = np.random.default_rng(7).permutation(np.arange(n)).astype(np.uint64) << np.uint64(32)
    ids = tuple(f"c{i:03}" for i in range(n))
    return Pool(ids, np.array(speakers, np.int64), np.array(values, np.float64).reshape(n, -1), rank)


def cells_of(pool: Pool, demand: int) -> list[Cell]:
    """A directed cell of the first half against the second, and ties of the second half, both of one speaker's clips or not."""
    n = len(pool.ids)
    left = np.arange(n) < n // 2
    return [
        Cell(("non_tie",), "g", (Selection("t", left, ~left),), demand),
        Cell(("tie",), "g", (Selection("t", ~left, ~left, differ=(pool.speaker,)),), 1),
    ]


def objective(pool: Pool, cells: list[Cell], pairs: Pairs) -> float:
    """The definition, spelled out."""
    total = float(pairs.cost.sum())
    for number, cell in enumerate(sorted(cells, key=lambda cell: cell.key)):
        (selection,) = cell.selections
        if selection.left is selection.right:
            continue
        here = pairs.cell == number
        for m in range(pool.nuisances.shape[1]):
            unit = pooled_deviation(pool.nuisances[selection.left, m], pool.nuisances[selection.right, m])
            if unit is None:
                continue
            difference = pool.nuisances[pairs.left[here], m] - pool.nuisances[pairs.right[here], m]
            known = difference[~np.isnan(difference)]
            total += WEIGHT * max(0.0, abs(known.sum()) / unit - GOAL * len(known))
    return total


def keeps(pairs: Pairs, caps: Caps) -> bool:
    uses = np.bincount(np.concatenate([pairs.left, pairs.right]), minlength=1)
    ends = [frozenset(both) for both in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)]
    return int(uses.max(initial=0)) <= (caps.clip or 99) and len(set(ends)) == len(ends)


def exchanged(pool: Pool, pairs: Pairs, place: int, left: int, right: int) -> Pairs:
    one, other = pairs.left.copy(), pairs.right.copy()
    one[place], other[place] = left, right
    cost = np.abs(pool.nuisances[one] - pool.nuisances[other]).sum(axis=1)
    return Pairs(pairs.cell, one, other, pairs.target, cost)


values = st.integers(2, 3).flatmap(
    lambda m: st.lists(
        st.lists(st.integers(-8, 8).map(lambda v: v / 4), min_size=m, max_size=m), min_size=8, max_size=12
    )
)


@settings(max_examples=25)
@given(values, st.integers(1, 4), st.data())
def test_levelling_is_sound_and_leaves_no_exchange_that_would_help(
    table: list[list[float]], demand: int, data: st.DataObject
) -> None:
    speakers = data.draw(st.lists(st.integers(0, 3), min_size=len(table), max_size=len(table)))
    pool = pool_of(table, speakers)
    cells = cells_of(pool, demand)
    before = allocate(pool, cells, {"g": CAPS}, nearest=len(table))
    found = level(pool, cells, {"g": CAPS}, before, nearest=len(table))
    after = found.allocation.pairs
    assert np.array_equal(np.bincount(after.cell, minlength=2), np.bincount(before.pairs.cell, minlength=2))
    assert keeps(after, CAPS)
    assert objective(pool, cells, after) <= objective(pool, cells, before.pairs) + 1e-9
    assert abs(found.cost_after - np.abs(pool.nuisances[after.left] - pool.nuisances[after.right]).sum()) < 1e-6
    assert found.cost_after >= found.cost_before - 1e-3  # what it began from was the cheapest, to the solver's unit
    assert found.beyond_after <= found.means
    least = objective(pool, cells, after)
    half = len(table) // 2
    for place in np.flatnonzero(after.cell == 0).tolist():
        for left, right in product(range(half), range(half, len(table))):
            other = exchanged(pool, after, place, left, right)
            assert not keeps(other, CAPS) or objective(pool, cells, other) >= least - 1e-6


def test_the_longer_side_is_found_and_levelled() -> None:
    """Every nearest foil is a little shorter, and a little farther there is one that is longer."""
    rng = np.random.default_rng(3)
    good = rng.normal(size=(20, 1))
    table = np.concatenate([good, good - 0.3, good + 0.35]).tolist()
    pool = pool_of(table, [0] * 60)
    left = np.arange(60) < 20
    cells = [Cell(("non_tie",), "g", (Selection("t", left, ~left),), 20)]
    caps = {"g": Caps(clip=1)}
    before = allocate(pool, cells, caps, nearest=60)
    found = level(pool, cells, caps, before, nearest=60)
    (was,), (now,) = (
        balance(pool, cells, choice, ["seconds"]).cells[0].differences for choice in (before, found.allocation)
    )
    assert was.after is not None
    assert now.after is not None
    assert now.after <= GOAL
    assert (found.beyond_before, found.beyond_after) == (int(was.after > GOAL), 0)
    assert found.allocation.cells == before.cells


def test_nothing_to_level_changes_nothing() -> None:
    pool = pool_of([[0.0], [0.0], [0.0], [0.0]], [0, 1, 2, 3])
    cells = cells_of(pool, 1)
    before = allocate(pool, cells, {}, nearest=4)
    found = level(pool, cells, {}, before, nearest=4)
    assert (found.exchanges, found.dearer) == (0, 0.0)
    for name in ("cell", "left", "right", "cost"):
        assert np.array_equal(getattr(found.allocation.pairs, name), getattr(before.pairs, name))
    none = np.empty(0, np.int64)
    empty = Allocation(Pairs(none, none, none, (), np.empty(0)), before.cells, before.solves)
    assert len(level(pool, cells, {}, empty, nearest=4).allocation.pairs) == 0
