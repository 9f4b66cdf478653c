"""Weights of crossed and nested designs against explicit resampling, their streams against the words they are made of."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.statistics.designs import Crossed, Nested
from earmark.statistics.intervals import intervals
from earmark.statistics.ranking import Auroc
from earmark.statistics.rates import Ratio
from earmark.statistics.statistic import Difference
from earmark.statistics.weights import cluster_weights, philox

CELL = st.tuples(st.integers(0, 4), st.integers(0, 3))
ROWS = st.lists(CELL, min_size=1, max_size=14)


def drawn(clusters: int, replicates: int, seed: int, stream: int) -> list[list[int]]:
    """The clusters that each replicate draws, word by word."""
    words = [int(word) for word in philox(seed, stream).random_raw(clusters * replicates)]
    picks = [(word >> 32) * clusters >> 32 for word in words]
    return [picks[r * clusters :][:clusters] for r in range(replicates)]


@settings(max_examples=25)
@given(ROWS, st.integers(0, 2**64 - 1), st.integers(0, 6), st.integers(1, 4))
def test_crossed_weights_are_explicit_resamples(
    rows: list[tuple[int, int]], seed: int, replicates: int, block: int
) -> None:
    """A row is in the resample once for every pair of a copy of its speaker and a copy of its prompt."""
    design, cell = Crossed.of_rows([s for s, _ in rows], [p for _, p in rows])
    speakers, prompts = (sorted({row[kind] for row in rows}) for kind in (0, 1))
    blocks = list(design.weights(replicates, seed, block))
    assert [len(weights) for weights in blocks[:-1]] == [block] * (len(blocks) - 1)
    by_row = [weights[cell].tolist() for weights in np.concatenate([np.zeros((0, design.cells)), *blocks])]
    first, second = drawn(len(speakers), replicates, seed, 0), drawn(len(prompts), replicates, seed, 2)
    assert by_row == [
        [sum(speakers[one] == s and prompts[two] == p for one in ones for two in twos) for s, p in rows]
        for ones, twos in zip(first, second, strict=True)
    ]


@settings(max_examples=25)
@given(ROWS, st.integers(0, 2**64 - 1), st.integers(0, 6), st.integers(1, 4))
def test_nested_weights_are_explicit_resamples(
    rows: list[tuple[int, int]], seed: int, replicates: int, block: int
) -> None:
    """Each copy of a speaker brings as many of the speaker's conversations as there are, drawn for that copy."""
    design, cluster = Nested.of_rows([s for s, _ in rows], [c for _, c in rows])
    own = {speaker: sorted({c for s, c in rows if s == speaker}) for speaker in sorted({s for s, _ in rows})}
    words = iter([int(word) for word in philox(seed, 3).random_raw(20 * len(rows) * (replicates + 1))])
    expected = []
    for picks in drawn(len(own), replicates, seed, 0):
        resample: Counter[tuple[int, int]] = Counter()
        for speaker in sorted(picks):
            conversations = own[list(own)[speaker]]
            for _ in conversations:
                inner = conversations[(next(words) >> 32) * len(conversations) >> 32]
                resample[list(own)[speaker], inner] += 1
        expected.append([resample[row] for row in rows])
    blocks = list(design.weights(replicates, seed, block))
    assert [len(weights) for weights in blocks[:-1]] == [block] * (len(blocks) - 1)
    assert [w[cluster].tolist() for w in np.concatenate([np.zeros((0, design.cells)), *blocks])] == expected


def test_one_row_in_each_cluster_is_the_bootstrap_of_rows() -> None:
    """Nothing is drawn within a cluster of one; and where all are in one, the inner ones are what is drawn."""
    each = np.arange(7)
    [plain] = cluster_weights(7, 5, seed=3)
    assert np.array_equal(next(Nested.of_rows(each, np.zeros(7))[0].weights(5, 3)), plain)
    assert np.array_equal(next(Crossed.of_rows(each, np.zeros(7))[0].weights(5, 3)), plain)
    [inner] = Nested.of_rows(np.zeros(7), each)[0].weights(5, 3)
    assert inner.tolist() == [np.bincount(picks, minlength=7).tolist() for picks in drawn(7, 5, 3, 3)]


def test_every_block_is_another_array() -> None:
    """Statistics know a block by the array that it is, so none may be filled again."""
    for design in (Crossed.of_rows([0, 1], [0, 0])[0], Nested.of_rows([0, 1], [0, 0])[0]):
        blocks = list(design.weights(7, 0, 3))
        assert len({id(block) for block in blocks}) == 3


def example() -> tuple[Crossed, Nested]:
    rows = [(0, 0), (0, 1), (0, 2), (1, 0), (2, 0), (2, 1)]
    columns = [s for s, _ in rows], [p for _, p in rows]
    return Crossed.of_rows(*columns)[0], Nested.of_rows(*columns)[0]


SCRIPT = """
import json
from tests.statistics.test_designs import example
print(json.dumps([[block.tolist() for block in design.weights(4, 20240229, 3)] for design in example()]))
"""


def test_first_weights_may_never_change_in_this_process_or_another() -> None:
    crossed, nested = ([row for block in design.weights(4, 20240229) for row in block.tolist()] for design in example())
    assert crossed == FIRST_CROSSED
    assert nested == FIRST_NESTED
    root = Path(__file__).resolve().parents[2]
    there = subprocess.run([sys.executable, "-c", SCRIPT], cwd=root, check=True, capture_output=True, text=True)
    assert json.loads(there.stdout) == [[rows[:3], rows[3:]] for rows in (FIRST_CROSSED, FIRST_NESTED)]


@pytest.mark.parametrize("kind", [Crossed, Nested])
def test_what_are_no_cells(kind: type[Crossed] | type[Nested]) -> None:
    with pytest.raises(ValueError, match=r"shapes \(2,\) and \(1,\), not \(n,\) both"):
        kind.of_rows([0, 1], [0])
    with pytest.raises(ValueError, match="not numbered 0, 1"):
        Nested(np.array([0, 2, 2]))
    with pytest.raises(ValueError, match="not numbered 0, 1"):
        Nested(np.array([1, 0]))


@settings(max_examples=15)
@given(st.lists(st.tuples(CELL, st.booleans(), st.integers(-4, 4)), min_size=2, max_size=20), st.integers(0, 99))
def test_a_difference_is_paired_under_either_design(given: list[tuple[tuple[int, int], bool, int]], seed: int) -> None:
    """A judge and its double differ by nothing in every draw, whatever is drawn."""
    columns = [s for (s, _), *_ in given], [p for (_, p), *_ in given]
    score, label = np.array([x for *_, x in given], float), np.array([y for _, y, _ in given])
    for design, cell in (Crossed.of_rows(*columns), Nested.of_rows(*columns)):
        one, other = (Auroc.of_rows(s, label, cell, design.cells) for s in (score, 2 * score + 1))
        mean = Ratio.of_rows(score, cell, design.cells)
        for block in design.weights(20, seed):
            gap = Difference(one, other).replicates(block)
            assert ((gap == 0) | np.isnan(gap)).all()
            rows = block[:, cell]
            with np.errstate(invalid="ignore"):
                expected = rows @ score / rows.sum(axis=1)
            np.testing.assert_allclose(mean.replicates(block), expected, atol=1e-12)


def spread(kind: str, speaker: float, prompt: float, noise: float, studies: int) -> tuple[float, float]:
    """How often intervals by cells hold the true mean 0, and how often those by speaker alone do."""
    rng = np.random.default_rng(5)
    who, what = (grid.ravel() for grid in np.indices((40, 25)))
    hits = np.zeros(2)
    for study in range(studies):
        shared = rng.normal(size=25)[what] if kind == "crossed" else rng.normal(size=(40, 25))[who, what]
        value = speaker * rng.normal(size=40)[who] + prompt * shared + noise * rng.normal(size=who.size)
        design, cell = (Crossed if kind == "crossed" else Nested).of_rows(who, what)
        ours = intervals(
            {"m": Ratio.of_rows(value, cell, design.cells)},
            clusters=design.cells,
            replicates=300,
            seed=study,
            weights=design.weights(300, study),
        )["m"]
        plain = intervals({"m": Ratio.of_rows(value, who, 40)}, clusters=40, replicates=300, seed=study)["m"]
        for n, found in enumerate((ours, plain)):
            assert found.low is not None
            assert found.high is not None
            hits[n] += found.low <= 0 <= found.high
    return float(hits[0] / studies), float(hits[1] / studies)


@pytest.mark.slow
def test_intervals_cover_where_both_kinds_matter_and_one_alone_does_not() -> None:
    covered, by_speaker = spread("crossed", 0.5, 0.5, 1.0, 300)
    assert 0.9 <= covered <= 0.99
    assert by_speaker < 0.85


@pytest.mark.slow
def test_nested_intervals_are_no_narrower_than_by_the_outer_clusters() -> None:
    covered, by_speaker = spread("nested", 0.5, 0.5, 1.0, 300)
    assert covered >= by_speaker >= 0.9


# Golden: these may never change, or the intervals of published reports would.
FIRST_CROSSED = [
    [0.0, 2.0, 1.0, 0.0, 0.0, 2.0],
    [1.0, 1.0, 1.0, 0.0, 2.0, 2.0],
    [0.0, 0.0, 0.0, 1.0, 2.0, 2.0],
    [0.0, 2.0, 1.0, 0.0, 0.0, 2.0],
]
FIRST_NESTED = [
    [1.0, 1.0, 1.0, 1.0, 2.0, 0.0],
    [1.0, 1.0, 1.0, 0.0, 1.0, 3.0],
    [0.0, 0.0, 0.0, 1.0, 4.0, 0.0],
    [1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
]
