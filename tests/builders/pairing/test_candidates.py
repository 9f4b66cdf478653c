"""Counted and nearest pairs, beside looking at every pair."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.pairing.problems import all_pairs, cost_of, pool_of, selections

from earmark.builders.pairing import candidates
from earmark.builders.pairing.candidates import count_pairs, nearest_pairs, partner_counts
from earmark.builders.pairing.cells import Selection


@given(selections())
def test_pairs_and_partners_are_counted_as_if_they_were_listed(case):
    pool, selection = case
    pairs = all_pairs(pool, selection)
    assert count_pairs(pool, selection) == len(pairs)
    partners = [sum(clip in pair for pair in pairs) for clip in range(len(pool.ids))]
    assert partner_counts(pool, selection).tolist() == partners


@given(selections(), st.integers(1, 6), st.sampled_from([1, 4, 128]))
@settings(max_examples=60)
def test_each_clip_has_its_nearest_partners_whether_compared_with_all_or_found_in_a_tree(case, k, small):
    pool, selection = case
    pairs = all_pairs(pool, selection)
    rank = pool.rank.astype(float) / 2.0**64
    key = {(i, j): cost_of(pool, i, j) + 1e-6 * abs(rank[i] - rank[j]) for i, j in pairs}
    expected = set()
    for clip in range(len(pool.ids)):
        expected.update(sorted((pair for pair in pairs if clip in pair), key=key.__getitem__)[:k])
    with patch.object(candidates, "SMALL_GROUP", small):
        edges = nearest_pairs(pool, selection, k, index=7)
    assert list(zip(edges.left.tolist(), edges.right.tolist(), strict=True)) == sorted(expected)
    assert edges.cost == pytest.approx([cost_of(pool, i, j) for i, j in sorted(expected)], abs=1e-9)
    assert set(edges.selection.tolist()) <= {7}


@given(selections())
@settings(max_examples=30)
def test_enough_neighbours_are_all_pairs(case):
    pool, selection = case
    edges = nearest_pairs(pool, selection, len(pool.ids))
    assert set(zip(edges.left.tolist(), edges.right.tolist(), strict=True)) == all_pairs(pool, selection)


@given(selections(), st.integers(0, 2**32))
@settings(max_examples=30)
def test_counts_do_not_depend_on_what_the_codes_are_called(case, seed):
    pool, selection = case
    names = np.random.default_rng(seed).permutation(8)

    def renamed(columns):
        return tuple(np.where(column < 0, column, names[column]) for column in columns)

    other = replace(selection, equal=renamed(selection.equal), differ=renamed(selection.differ))
    assert count_pairs(pool, other) == count_pairs(pool, selection)


def test_a_pandas_merge_counts_the_same():
    rng = np.random.default_rng(5)
    pool = pool_of(rng, 600)
    text, style = rng.integers(0, 20, 600), rng.integers(0, 5, 600)
    left = rng.random(600) < 0.5
    selection = Selection("t", left, ~left, equal=(text,), differ=(style, pool.speaker))
    table = pd.DataFrame({"text": text, "style": style, "speaker": pool.speaker})
    merged = table[left].merge(table[~left], on="text")
    kept = (merged["style_x"] != merged["style_y"]) & (merged["speaker_x"] != merged["speaker_y"])
    assert count_pairs(pool, selection) == int(kept.sum()) > 0


def test_many_equal_clips_are_told_apart_by_rank():
    rng = np.random.default_rng(1)
    pool = replace(pool_of(rng, 300), nuisances=np.zeros((300, 2)))
    everyone = np.ones(300, np.bool_)
    edges = nearest_pairs(pool, Selection("t", everyone, everyone), 2)
    uses = np.bincount(np.concatenate([edges.left, edges.right]))
    assert uses.min() >= 2
    assert uses.max() <= 4  # neighbours in the order of ranks, on either side


def test_sides_that_overlap_are_refused():
    pool = pool_of(np.random.default_rng(0), 4)
    with pytest.raises(ValueError, match="2 clips stand on both sides"):
        count_pairs(pool, Selection("t", np.array([1, 1, 1, 0], bool), np.array([0, 1, 1, 1], bool)))
    with pytest.raises(ValueError, match="0 nearest"):
        nearest_pairs(pool, Selection("t", np.ones(4, bool), np.ones(4, bool)), 0)
