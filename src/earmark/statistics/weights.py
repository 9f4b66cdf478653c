"""How often each cluster is drawn in each bootstrap replicate, from raw words by a map that is written down here.

A generator's methods (`integers`, `choice`, …) may change their streams between NumPy releases; the words of a bit
generator may not, and Philox is a published function of key and counter. So a weight can be recomputed by anyone, on
any machine, in any language.

**Stream.** Philox4x64-10 (Salmon et al. 2011, “Parallel random numbers: as easy as 1, 2, 3”), key (seed, stream), the stream
0 unless said otherwise, counters 1, 2, 3, …, four 64-bit words per counter, least significant first. With C clusters,
replicate r (from 0) uses words r·C … (r + 1)·C − 1, one per draw. Streams in use: 0 for clusters; 1 for clips within speakers
(`dyads`); 2 for the second factor of a crossed design and 3 for what is nested in clusters (`designs`).

**Map.** A word u draws cluster ⌊⌊u / 2³²⌋ · C / 2³²⌋. Each cluster's chance differs from 1 / C by less than 2⁻³².
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

_HALF = np.uint64(32)
_BLOCK_ENTRIES = (
    2**18
)  # 2 MiB of float64 per block: small enough for what statistics share of a block to stay in the cache


def philox(seed: int, stream: int = 0) -> np.random.Philox:
    """The bit generator whose raw words are a stream of `seed`.

    Args:
        seed: A whole number in [0, 2⁶⁴).
        stream: Second half of the key, in [0, 2⁶⁴): what else is drawn under the same seed.

    Raises:
        ValueError: The seed or the stream is out of range.
    """
    for name, half in (("seed", seed), ("stream", stream)):
        if not 0 <= half < 2**64:
            raise ValueError(f"{name} {half} is not in [0, 2**64)")
    return np.random.Philox(key=seed | stream << 64)


def cluster_weights(
    clusters: int, replicates: int, seed: int, block: int | None = None, *, stream: int = 0
) -> Iterator[NDArray[np.float64]]:
    """Draw `clusters` clusters with replacement, `replicates` times, and count how often each came.

    Args:
        clusters: Number of clusters C, in [1, 2³²).
        replicates: Number of replicates, at least 0.
        seed: Key of the stream, in [0, 2⁶⁴).
        block: Replicates per block; by default as many as fill 2 MiB. The weights do not depend on it.
        stream: Second half of the key, in [0, 2⁶⁴): clusters of another kind are drawn from another stream.

    Yields:
        (at most block, C) float64, whole numbers; each row sums to C. In order, `replicates` rows in all.

    Raises:
        ValueError: An argument is out of range.

    >>> [block.astype(int).tolist() for block in cluster_weights(4, 3, seed=0, block=2)]
    [[[3, 0, 1, 0], [0, 1, 1, 2]], [[2, 1, 1, 0]]]
    """
    if not 1 <= clusters < 2**32:
        raise ValueError(f"clusters is {clusters}, not in [1, 2**32)")
    if replicates < 0:
        raise ValueError(f"replicates is {replicates}, less than 0")
    if block is None:
        block = max(1, _BLOCK_ENTRIES // clusters)
    if block < 1:
        raise ValueError(f"block is {block}, less than 1")
    raw = philox(seed, stream)
    for first in range(0, replicates, block):
        rows = min(block, replicates - first)
        words = raw.random_raw(rows * clusters).reshape(rows, clusters)
        words >>= _HALF
        words *= np.uint64(clusters)
        words >>= _HALF
        drawn = words.view(np.int64)
        drawn += clusters * np.arange(rows)[:, None]  # one histogram for the whole block: row r counts from r·C
        yield np.bincount(drawn.ravel(), minlength=rows * clusters).reshape(rows, clusters).astype(np.float64)
