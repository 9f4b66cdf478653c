"""Which clip of a pair is stored first: drawn with the key, and balanced to within one in every cell."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from earmark.builders.pairing.order import stored_order
from earmark.builders.pairs.cells import sorts
from earmark.builders.pairs.choosing import Chosen
from earmark.builders.pairs.items import Pair, Side
from earmark.manifests import keys
from earmark.manifests.families.pairs import FIRST, NON_TIE, SECOND, TIE


def stored_pairs(chosen: Chosen, *, key: bytes, seed: int) -> Iterator[Pair]:
    """The pairs of a criterion in the order in which each is stored.

    Of a non-tie pair the preferred clip stands on the left side of its selection.

    Args:
        chosen: What was chosen.
        key: The release key.
        seed: The seed.
    """
    pairs, columns = chosen.allocation.pairs, chosen.columns
    if not len(pairs):
        return
    cells = [chosen.cells[number] for number in pairs.cell.tolist()]
    sort_of = sorts(chosen.cells)
    codes = {sort: code for code, sort in enumerate(sorted(set(sort_of)))}
    stratum = f"order {chosen.criterion}"
    # Of a tie neither side is the first by nature, so its name must not depend on which stands left.
    names = [
        " ".join((target, *sorted((columns.ids[left], columns.ids[right]))))
        for left, right, target in zip(pairs.left.tolist(), pairs.right.tolist(), pairs.target, strict=True)
    ]
    left_first = stored_order(
        np.array([keys.rank(key, seed, stratum, name) for name in names], dtype=np.uint64),
        np.array([codes[sort_of[number]] for number in pairs.cell.tolist()], dtype=np.int64),
        chosen.pool.rank[pairs.left],
        chosen.pool.rank[pairs.right],
        ordered=np.array([cell.kind == NON_TIE for cell in cells], dtype=np.bool_),
    )
    for number, cell in enumerate(cells):
        sides = Side(columns.rows[pairs.left[number]]), Side(columns.rows[pairs.right[number]])
        first, second = sides if left_first[number] else sides[::-1]
        gold = TIE if cell.kind != NON_TIE else FIRST if left_first[number] else SECOND
        target = pairs.target[number]
        yield Pair(cell.criterion, target, first, second, gold, cell.kind, cell.transcript, cell.variant)
