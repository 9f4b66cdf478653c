"""Balance and reuse, beside looking at every pair."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from tests.builders.pairing.problems import GROUP, all_pairs, pool_of, problems, selections

from earmark.builders.pairing.allocation import allocate
from earmark.builders.pairing.balance import balance, difference_sum
from earmark.builders.pairing.cells import Caps, Cell, Selection


@given(selections())
def test_differences_of_all_pairs_are_summed_as_if_they_were_listed(case):
    pool, selection = case
    value = np.append(pool.nuisances, np.zeros((len(pool.ids), 1)), axis=1)[:, 0]
    pairs = [(i, j) for i, j in all_pairs(pool, selection) if not np.isnan(value[[i, j]]).any()]
    count, total = difference_sum(pool, selection, value, directed=False)
    assert count == len(pairs)
    assert total == pytest.approx(sum(abs(value[i] - value[j]) for i, j in pairs), abs=1e-9)
    if selection.left is not selection.right:
        count, total = difference_sum(pool, selection, value, directed=True)
        assert count == len(pairs)
        assert total == pytest.approx(sum(value[i] - value[j] for i, j in pairs), abs=1e-9)


@given(problems())
@settings(max_examples=25)
def test_every_cell_is_told_before_and_after(problem):
    pool = problem.pool
    names = [f"n{m}" for m in range(pool.nuisances.shape[1])]
    allocation = allocate(pool, problem.cells, {GROUP: problem.caps}, nearest=3)
    report = balance(pool, problem.cells, allocation, names)
    assert [cell.key for cell in report.cells] == [cell.key for cell in allocation.cells]
    for index, cell in enumerate(report.cells):
        asked = next(c for c in problem.cells if c.key == cell.key)
        here = allocation.pairs.cell == index
        left, right = allocation.pairs.left[here], allocation.pairs.right[here]
        uses = Counter([*left.tolist(), *right.tolist()])
        assert cell.pairs == int(here.sum())
        assert dict(cell.clips.histogram) == Counter(uses.values())
        if uses:
            assert cell.clips.effective == pytest.approx(sum(uses.values()) ** 2 / sum(u * u for u in uses.values()))
            assert cell.clips.effective <= len(uses) + 1e-9
        for m, difference in enumerate(cell.differences):
            x = pool.nuisances[:, m]
            assert difference.directed == (cell.key == ("non_tie",))
            sides = [np.logical_or.reduce([getattr(s, side) for s in asked.selections]) for side in ("left", "right")]
            if min(side.sum() for side in sides) < 2:
                assert (difference.before, difference.after) == (None, None)
                assert difference.reason
                continue
            unit = np.sqrt(np.mean([np.var(x[side], ddof=1) for side in sides]))
            if unit == 0:
                assert difference.before is None
                continue
            every = [x[i] - x[j] for s in asked.selections for i, j in all_pairs(pool, s)]
            for value, gaps in ((difference.before, every), (difference.after, x[left] - x[right])):
                if len(gaps) == 0:
                    assert value is None
                    continue
                mean = abs(np.mean(gaps)) if difference.directed else np.mean(np.abs(gaps))
                assert value == pytest.approx(mean / unit, abs=1e-9)
            assert (difference.reason is None) == (difference.before is not None and difference.after is not None)


def test_matching_takes_away_what_tells_the_sides_apart():
    """Targets last longer than foils by one standard deviation; nearest pairs do not."""
    rng = np.random.default_rng(0)
    left = np.arange(600) < 200
    pool = pool_of(rng, 600, nuisances=1)
    pool = replace(pool, nuisances=(rng.normal(size=600) + left)[:, None])
    cell = Cell(("non_tie",), GROUP, (Selection("t", left, ~left),), 60)
    allocation = allocate(pool, [cell], {GROUP: Caps(clip=1)}, nearest=10)
    (duration,) = balance(pool, [cell], allocation, ["duration"]).cells[0].differences
    assert duration.before == pytest.approx(1.0, abs=0.2)
    assert duration.after is not None
    assert duration.after < 0.1


def test_names_must_be_as_many_as_the_nuisances():
    pool = pool_of(np.random.default_rng(0), 3)
    allocation = allocate(pool, [], {}, nearest=1)
    with pytest.raises(ValueError, match="1 names"):
        balance(pool, [], allocation, ["duration"])
    empty = balance(pool, [], allocation, ["duration", "level"])
    assert empty.clips.effective is None
    assert empty.as_json()["cells"] == []
