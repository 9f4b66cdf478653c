"""Rows of one table beside those of another with the same key, and cells that say something else, all columns at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Rows = NDArray[np.int64]
Flags = NDArray[np.bool_]

_MOST_CODE = 1 << 62


@dataclass(frozen=True, eq=False)
class Matched:
    """Which rows of two tables have the same key.

    Args:
        old: (n,) rows of the old table, in the order of the new one.
        new: (n,) the row of the new table that has the key of each.
        removed: Rows of the old table whose key the new one lacks.
        added: Rows of the new table whose key the old one lacks.
    """

    old: Rows
    new: Rows
    removed: Rows
    added: Rows


def matched(key: Sequence[str], old: pa.Table, new: pa.Table) -> Matched:
    """Match rows by their key.

    Args:
        key: The columns that tell rows apart.
        old: One table.
        new: The other one.

    Raises:
        ValueError: If a key stands twice.
    """
    if old.num_rows == new.num_rows and all(old[name].equals(new[name]) for name in key):
        _codes(key, old, new.slice(0, 0))  # a key that stands twice is no key, whatever else is equal
        every, none = np.arange(old.num_rows), np.arange(0)
        return Matched(every, every, none, none)
    codes, size = _codes(key, old, new)
    of_old, of_new = codes[: old.num_rows], codes[old.num_rows :]
    place = np.full(size, -1)
    place[of_old] = np.arange(len(of_old))
    at = place[of_new]
    both = at >= 0
    there = np.zeros(len(of_old), np.bool_)
    there[at[both]] = True
    return Matched(at[both], np.flatnonzero(both), np.flatnonzero(~there), np.flatnonzero(~both))


def differing(old: pa.Array, new: pa.Array) -> Flags:
    """Whether cells say something else, place by place: as content hashes have it, so that texts are compared in NFC.

    Args:
        old: (n,) cells.
        new: (n,) cells of the same type.
    """
    if old.equals(new):
        return np.zeros(len(old), np.bool_)
    if pa.types.is_list(old.type):
        return _differing_lists(old, new)
    apart = _flags(pc.fill_null(pc.not_equal(old, new), False)) | _only_one_null(old, new)
    at = np.flatnonzero(apart)
    if len(at) and pa.types.is_floating(old.type):
        apart[at] &= ~_flags(pc.fill_null(pc.and_(pc.is_nan(old.take(at)), pc.is_nan(new.take(at))), False))
    elif len(at) and pa.types.is_string(old.type):
        composed = [pc.utf8_normalize(cells.take(at), form="NFC") for cells in (old, new)]
        apart[at] &= ~_flags(pc.fill_null(pc.equal(*composed), False))
    return apart


def cells_at(rows: pa.Table, column: str, at: Rows) -> pa.Array:
    """The cells of a column in some rows, in their order."""
    cells = rows[column].combine_chunks()
    return cells if len(at) == len(cells) and (np.diff(at) == 1).all() else cells.take(pa.array(at))


def _differing_lists(old: pa.Array, new: pa.Array) -> Flags:
    lengths = [pc.fill_null(pc.list_value_length(cells), 0).to_numpy(zero_copy_only=False) for cells in (old, new)]
    apart: Flags = _only_one_null(old, new) | (lengths[0] != lengths[1])
    alike = np.flatnonzero(~apart & (lengths[0] > 0))
    here = [cells.take(pa.array(alike)) for cells in (old, new)]
    values = differing(*(cells.flatten() for cells in here))
    parents = pc.list_parent_indices(here[0]).to_numpy(zero_copy_only=False)
    apart[alike[parents[values]]] = True
    return apart


def _only_one_null(old: pa.Array, new: pa.Array) -> Flags:
    return _flags(old.is_null()) ^ _flags(new.is_null())


def _flags(cells: pa.Array) -> Flags:
    found: Flags = np.array(cells.to_numpy(zero_copy_only=False), np.bool_)
    return found


def _codes(key: Sequence[str], old: pa.Table, new: pa.Table) -> tuple[Rows, int]:
    """A number for every row of both tables, equal where keys are, and one more than the greatest of them."""
    codes, size = np.zeros(old.num_rows + new.num_rows, np.int64), 1
    for name in key:
        both = pa.chunked_array([*old[name].chunks, *new[name].chunks], old[name].type)
        whole = both.combine_chunks().dictionary_encode(null_encoding="encode")
        values = max(1, len(whole.dictionary))
        if size > _MOST_CODE // values:
            codes, size = _dense(codes)
        codes, size = codes * values + whole.indices.to_numpy(zero_copy_only=False), size * values
    if len(key) > 1:
        codes, size = _dense(codes)
    for part in (codes[: old.num_rows], codes[old.num_rows :]):
        if len(part) and int(np.bincount(part).max()) > 1:
            raise ValueError(f"a key of {' and '.join(key)} stands twice")
    return codes, size


def _dense(codes: Rows) -> tuple[Rows, int]:
    values, dense = np.unique(codes, return_inverse=True)
    return dense, max(1, len(values))
