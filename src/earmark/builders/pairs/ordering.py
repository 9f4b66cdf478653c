"""Which clip of a pair is stored first: drawn with the key, and balanced to within one in every cell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from earmark.builders.pairs.cells import Wanted
from earmark.builders.pairs.choosing import Chosen
from earmark.builders.pairs.items import Pair, Side
from earmark.manifests import keys
from earmark.manifests.families.pairs import FIRST, NON_TIE, SECOND, TIE


def stored_pairs(chosen: Chosen, *, key: bytes, seed: int) -> Iterator[Pair]:
    """The pairs of a criterion in the order in which each is stored.

    Of a non-tie pair the preferred clip stands on the left side. Of a tie the lower id does, so that who is first depends on
    nothing but the two clips.

    Args:
        chosen: What was chosen.
        key: The release key.
        seed: The seed.
    """
    pairs, columns = chosen.allocation.pairs, chosen.columns
    by_sort: dict[tuple[str, ...], dict[str, _Unordered]] = defaultdict(dict)
    for number, left, right, target in zip(
        pairs.cell.tolist(), pairs.left.tolist(), pairs.right.tolist(), pairs.target, strict=True
    ):
        cell = chosen.cells[number]
        name = f"{target} {columns.ids[left]} {columns.ids[right]}"
        by_sort[cell.sort][name] = _Unordered(cell, target, Side(columns.rows[left]), Side(columns.rows[right]))
    for sort, named in sorted(by_sort.items()):
        stratum = " ".join(("order", chosen.criterion, *sort))
        drawn = sorted(named, key=lambda name: (keys.rank(key, seed, stratum, name), name))
        odd = keys.rank(key, seed, "order", stratum) & 1
        for place, name in enumerate(drawn):
            yield named[name].stored(turned=(place + odd) % 2 == 1)


@dataclass(frozen=True)
class _Unordered:
    """A pair of which it is not yet said which clip is stored first."""

    cell: Wanted
    target: str
    left: Side
    right: Side

    def stored(self, *, turned: bool) -> Pair:
        """The pair with its left side first, or turned round."""
        cell = self.cell
        first, second = (self.right, self.left) if turned else (self.left, self.right)
        gold = TIE if cell.kind != NON_TIE else SECOND if turned else FIRST
        return Pair(cell.criterion, self.target, first, second, gold, cell.kind, cell.transcript, cell.variant)
