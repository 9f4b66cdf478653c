"""What a cell could have alone, beside a program in whole numbers over every pair, and what binds it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from tests.builders.pairing.problems import GROUP, Problem, model_of, pool_of, problems

from earmark.builders.pairing.allocation import allocate
from earmark.builders.pairing.cells import Caps, Cell, Selection
from earmark.builders.pairing.feasibility import most_pairs, tally_of
from earmark.builders.pairing.pool import Pool


@given(problems())
@settings(max_examples=30)
def test_the_most_a_cell_could_have_alone_is_exact(problem):
    model = model_of(problem, demands=False)
    for c, cell in enumerate(problem.cells):
        feasible = most_pairs(problem.pool, cell, problem.caps)
        assert feasible.holds == "exactly"
        assert feasible.pairs == model.largest(cells={c})
        tally = tally_of(problem.pool, cell, problem.caps)
        assert feasible.pairs <= tally.limit <= tally.candidates == sum(pair[0] == c for pair in model.pairs)


def with_one_more(problem: Problem) -> Problem:
    """The same problem with the last clip once more, under a new id."""
    pool, extra = problem.pool, len(problem.pool.ids) - 1

    def longer(column: np.ndarray) -> np.ndarray:
        return np.append(column, column[extra : extra + 1], axis=0)

    def moved(selection: Selection) -> Selection:
        left = longer(selection.left)
        return replace(
            selection,
            left=left,
            right=left if selection.left is selection.right else longer(selection.right),
            equal=tuple(map(longer, selection.equal)),
            differ=tuple(map(longer, selection.differ)),
        )

    more = Pool(
        (*pool.ids, "z"),
        longer(pool.speaker),
        longer(pool.nuisances),
        np.append(pool.rank, pool.rank[extra] + np.uint64(1)),
    )
    cells = tuple(replace(cell, selections=tuple(map(moved, cell.selections))) for cell in problem.cells)
    return Problem(more, cells, problem.caps)


@given(problems())
@settings(max_examples=25)
def test_another_clip_never_lowers_what_is_feasible(problem):
    more = with_one_more(problem)
    for before, after in zip(problem.cells, more.cells, strict=True):
        had = most_pairs(problem.pool, before, problem.caps).pairs
        assert most_pairs(more.pool, after, more.caps).pairs >= had


@pytest.mark.parametrize(
    ("caps", "most", "targets", "demand", "binding"),
    [
        (Caps(clip=9), None, 1, 99, "candidates"),
        (Caps(clip=1), None, 1, 9, "clip cap"),
        (Caps(clip_pair=1), None, 2, 25, "clip pair cap"),
        (Caps(speaker=2), None, 1, 9, "speaker cap"),
        (Caps(), 2, 1, 9, "target cap"),
        (Caps(clip=1), None, 1, 3, None),
    ],
)
def test_what_binds_is_named(caps, most, targets, demand, binding):
    """Six clips of two speakers: fifteen pairs a target."""
    pool = replace(pool_of(np.random.default_rng(1), 6), speaker=np.array([0, 0, 0, 1, 1, 1]))
    everyone = np.ones(6, np.bool_)
    selections = tuple(Selection(f"t{t}", everyone, everyone) for t in range(targets))
    cell = Cell(("a",), GROUP, selections, demand, most)
    (report,) = allocate(pool, [cell], {GROUP: caps}, nearest=6).cells
    assert report.binding == binding
