"""Stored order: balanced to within one in every cell, and a mirror image where the clips are swapped."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.builders.pairing.order import stored_order


@st.composite
def rows(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n = draw(st.integers(0, 40))
    words = rng.integers(0, 2**64, (3, n), dtype=np.uint64)
    return words[0], rng.integers(0, 4, n), words[1], words[2], rng.random(n) < draw(st.sampled_from([0.0, 0.5, 1.0]))


@given(rows())
def test_preferred_clips_and_clips_of_lower_rank_stand_first_in_half_of_every_cell(case):
    rank, cell, one, other, ordered = case
    first = stored_order(rank, cell, one, other, ordered=ordered)
    for code in range(4):
        preferred = first[(cell == code) & ordered]
        assert abs(2 * int(preferred.sum()) - len(preferred)) <= 1
        tie = (cell == code) & ~ordered
        lower = first[tie] == (one < other)[tie]
        assert abs(2 * int(lower.sum()) - len(lower)) <= 1


@given(rows(), st.integers(0, 2**32))
def test_order_of_rows_and_names_of_cells_do_not_matter(case, seed):
    rank, cell, one, other, ordered = case
    order = np.random.default_rng(seed).permutation(len(rank))
    first = stored_order(rank, cell, one, other, ordered=ordered)
    moved = stored_order(rank[order], 9 - cell[order], one[order], other[order], ordered=ordered[order])
    assert moved.tolist() == first[order].tolist()


@given(rows())
def test_swapped_ties_are_the_mirror_image(case):
    rank, cell, one, other, _ = case
    assert (stored_order(rank, cell, one, other) != stored_order(rank, cell, other, one)).all()


def test_either_clip_of_a_lone_pair_may_stand_first():
    rng = np.random.default_rng(0)
    words = rng.integers(0, 2**64, (3, 2000), dtype=np.uint64)
    first = stored_order(words[0], np.arange(2000), words[1], words[2], ordered=np.ones(2000, bool))
    assert 900 < int(first.sum()) < 1100


def test_ranks_that_cannot_tell_are_refused():
    word = np.array([1, 1], np.uint64)
    with pytest.raises(ValueError, match="two clips"):
        stored_order(word, np.array([0, 1]), word, word)
    with pytest.raises(ValueError, match="1 pairs have the rank"):
        stored_order(word, np.array([0, 0]), word, word + np.uint64(1))
