"""The stream is Philox as published, and the weights are what the map makes of it."""

from __future__ import annotations

import hashlib
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.statistics.weights import cluster_weights, philox

if TYPE_CHECKING:
    from collections.abc import Iterator

WORD = 2**64 - 1


def philox_words(seed: int) -> Iterator[int]:
    """Philox4x64-10 in whole numbers, straight from the paper."""
    counter = 0
    while True:
        counter += 1
        x = [(counter >> 64 * i) & WORD for i in range(4)]
        key = [seed, 0]
        for _ in range(10):
            low, high = 0xD2E7470EE14C6C93 * x[0], 0xCA5A826395121157 * x[2]
            x = [(high >> 64) ^ x[1] ^ key[0], high & WORD, (low >> 64) ^ x[3] ^ key[1], low & WORD]
            key = [(key[0] + 0x9E3779B97F4A7C15) & WORD, (key[1] + 0xBB67AE8584CAA73B) & WORD]
        yield from x


def weights_in_words(clusters: int, replicates: int, seed: int) -> list[list[int]]:
    stream = philox_words(seed)
    rows = [[0] * clusters for _ in range(replicates)]
    for row in rows:
        for word in islice(stream, clusters):
            row[((word >> 32) * clusters) >> 32] += 1
    return rows


def test_first_words() -> None:
    assert [hex(int(word)) for word in philox(0).random_raw(4)] == FIRST_WORDS
    assert [hex(int(word)) for word in philox(2**64 - 1).random_raw(2)] == FIRST_WORDS_OF_THE_LAST_SEED


def test_first_weights() -> None:
    [block] = cluster_weights(5, 3, seed=20240229)
    assert block.tolist() == FIRST_WEIGHTS


def test_a_report_s_worth_of_weights() -> None:
    digest = hashlib.sha256()
    for block in cluster_weights(484, 1000, seed=1):
        digest.update(block.astype("<u2").tobytes())
    assert digest.hexdigest() == DIGEST


@given(st.integers(1, 30), st.integers(0, 12), st.integers(0, WORD), st.integers(1, 15))
def test_weights_are_the_map_of_the_words(clusters: int, replicates: int, seed: int, block: int) -> None:
    blocks = list(cluster_weights(clusters, replicates, seed, block))
    assert [len(rows) for rows in blocks[:-1]] == [block] * (len(blocks) - 1)
    assert [row for rows in blocks for row in rows.tolist()] == weights_in_words(clusters, replicates, seed)


def test_default_blocks_are_bounded_and_change_nothing() -> None:
    blocks = list(cluster_weights(100_000, 12, seed=3))
    assert max(rows.nbytes for rows in blocks) <= 2**22
    np.testing.assert_array_equal(np.concatenate(blocks), next(cluster_weights(100_000, 12, seed=3, block=12)))


def test_more_clusters_than_fit_a_block_come_one_by_one() -> None:
    assert [rows.shape for rows in cluster_weights(2**19 + 1, 2, seed=0)] == [(1, 2**19 + 1)] * 2


def test_clusters_are_drawn_alike() -> None:
    from scipy.stats import chisquare

    drawn = sum(rows.sum(axis=0) for rows in cluster_weights(50, 20_000, seed=7))
    assert 0.001 < chisquare(drawn).pvalue < 0.999


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 1, 0), r"clusters is 0"),
        ((2**32, 1, 0), r"clusters is 4294967296"),
        ((1, -1, 0), r"replicates is -1"),
        ((1, 1, -1), r"seed -1"),
        ((1, 1, 2**64), r"seed 18446744073709551616"),
        ((1, 1, 0, 0), r"block is 0"),
    ],
)
def test_out_of_range(arguments: tuple[int, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        list(cluster_weights(*arguments))


# Golden: these may never change, or the intervals of published reports would.
FIRST_WORDS = ["0x2f4ba6408e4d89b", "0x3dd62b0b9ca8c5b2", "0x1c8667a55d902e79", "0x907d7a052fd5b4dc"]
FIRST_WORDS_OF_THE_LAST_SEED = ["0x3c2521c58dde5bfb", "0xb7a1ad5dae1306d7"]
FIRST_WEIGHTS = [[1.0, 2.0, 0.0, 0.0, 2.0], [0.0, 1.0, 1.0, 2.0, 1.0], [0.0, 3.0, 1.0, 1.0, 0.0]]
DIGEST = "cf9227ac61d70fbd97da7f5b9d387b713f0f5dad3f5ad06ccf639583107ff3b4"
