"""Ids of what differs: all of them counted, the first few told."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from earmark.manifests.canonical import Json

MOST_SHOWN = 50
"""How many ids are told of one kind of difference."""


@dataclass(frozen=True)
class Ids:
    """Some ids.

    Args:
        count: How many there are.
        shown: The first of them, ascending, at most `MOST_SHOWN`.
        every: All of them, in no order.
    """

    count: int = 0
    shown: tuple[str, ...] = ()
    every: pa.Array = field(default_factory=lambda: pa.array([], pa.string()), compare=False, repr=False)

    @classmethod
    def of(cls, ids: pa.Array | pa.ChunkedArray) -> Ids:
        """All of a column, each once."""
        every = pc.unique(ids)
        if not len(every):
            return cls()
        first = pc.select_k_unstable(
            pa.table({"id": every}), k=min(MOST_SHOWN, len(every)), sort_keys=[("id", "ascending")]
        )
        return cls(len(every), tuple(sorted(every.take(first).to_pylist())), every)

    def __bool__(self) -> bool:
        return self.count > 0

    def as_json(self) -> dict[str, Json]:
        """How many, and the first of them."""
        return {"count": self.count, "ids": list(self.shown)}


def rows_named(rows: pa.Table, key: tuple[str, ...], at: NDArray[np.int64]) -> Ids:
    """Rows of a table by what tells them apart, the parts of a key with spaces between them."""
    some = rows.select(list(key)).take(pa.array(at))
    parts = [some[name].cast(pa.string()) for name in key]
    return Ids.of(parts[0] if len(parts) == 1 else pc.binary_join_element_wise(*parts, " "))
