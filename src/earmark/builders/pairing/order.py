"""Which clip of a pair is stored first: drawn by a keyed hash, and balanced within every cell to within one."""

from __future__ import annotations

import numpy as np

from earmark.builders.pairing.pool import Bools, Codes, Ranks


def stored_order(rank: Ranks, cell: Codes, one: Ranks, other: Ranks, *, ordered: Bools | None = None) -> Bools:
    """Whether each pair's `one` stands first.

    Within a cell the pairs are ranked, and of every two in that order one has its leading clip first and the other its
    trailing clip; which of the two is told by a bit of the lower rank. Where a pair is ordered (exactly one clip
    satisfies the target) the leading clip is `one`; otherwise it is the clip of lower rank, so that swapping `one` and
    `other` swaps the answer and nothing else. Both sorts are balanced apart.

    Args:
        rank: (p,) rank of each pair, a hash of its id with the private key.
        cell: (p,) code of each pair's cell.
        one: (p,) rank of one clip, a hash of its id with the private key.
        other: (p,) rank of the other clip; different.
        ordered: (p,) whether `one` is the preferred clip rather than just either; None for none of them.

    Raises:
        ValueError: If two pairs of a cell have one rank, or two clips of a pair.

    >>> stored_order(
    ...     np.array([5, 3, 9], np.uint64), np.zeros(3, np.int64), np.array([1, 1, 2], np.uint64), np.array([2, 3, 3], np.uint64)
    ... ).tolist()
    [True, False, False]
    """
    if (one == other).any():
        raise ValueError("two clips of a pair have one rank")
    preferred = np.zeros(len(rank), np.bool_) if ordered is None else ordered
    leading = preferred | (one < other)
    stratum = 2 * np.unique(cell, return_inverse=True)[1] + preferred
    order = np.lexsort((rank, stratum))
    begins = np.ones(len(order), np.bool_)
    begins[1:] = stratum[order][1:] != stratum[order][:-1]
    repeated = ~begins[1:] & (rank[order][1:] == rank[order][:-1])
    if repeated.any():
        raise ValueError(f"{int(repeated.sum())} pairs have the rank of another pair of their cell")
    first = np.flatnonzero(begins)
    place = np.arange(len(order)) - np.repeat(first, np.diff([*first.tolist(), len(order)]))
    head = np.arange(len(order)) - place % 2  # of two neighbours, the one of lower rank
    coin = (rank[order][head] >> np.uint64(17)) & np.uint64(1) == 1  # a low bit: the high ones are what was sorted by
    leads = np.empty(len(rank), np.bool_)
    leads[order] = (place % 2 == 1) != coin
    stands: Bools = leads == leading
    return stands
