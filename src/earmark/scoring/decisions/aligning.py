"""Where ids stand among others, and rows brought into the order of the places they are about: the inner loops of an alignment.

Both are exact whatever a file holds; they only take less traffic of memory than a general hash table or a stable sort.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

_FEW = 1 << 12
_ROOM = 8
_BITS = 63
_AT_ONCE = 1 << 16  # rows: what is made of them on the way stays small
_FACTORS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9))


def places(ids: pa.Array, among: pa.Array) -> NDArray[np.int64]:
    """Where each id first stands among others.

    Args:
        ids: (m,) ids as a file gives them.
        among: (n,) the ids that are known.

    Returns:
        (m,) index into `among`, −1 where it holds no such id.
    """
    if min(len(ids), len(among)) < _FEW:
        return _places_by_text(ids, among)
    widths = pc.binary_length(among).to_numpy(zero_copy_only=False)
    if not widths[0] or (widths != widths[0]).any():
        return _places_by_text(ids, among)
    right = pc.binary_length(ids).to_numpy(zero_copy_only=False) == widths[0]
    if right.all():
        return _places_by_width(ids, among, int(widths[0]))
    at = np.full(len(ids), -1)
    at[right] = places(ids.filter(pa.array(right)), among)
    return at


def grouped(place: NDArray[np.int64], run: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows by place, within it by run, and within that as they stand.

    Args:
        place: (m,) −1 or more.
        run: (m,) 0 or more.

    Returns:
        (m,) row numbers.
    """
    rows = np.arange(len(place))
    if not len(rows):
        return rows
    of_runs, of_rows = int(run.max()).bit_length(), len(rows).bit_length()
    if int(place.max() + 1).bit_length() + of_runs + of_rows > _BITS:
        return np.lexsort((run, place))
    # All three in one number: no two are equal, so that the fastest sort will do, which is not a stable one.
    packed = ((place + 1 << of_runs | run) << of_rows) | rows
    packed.sort()
    return packed & (1 << of_rows) - 1


def _places_by_text(ids: pa.Array, among: pa.Array) -> NDArray[np.int64]:
    at: NDArray[np.int64] = pc.fill_null(pc.index_in(ids, among), -1).to_numpy().astype(np.int64)
    return at


def _places_by_width(ids: pa.Array, among: pa.Array, width: int) -> NDArray[np.int64]:
    """A table of slots, each held by the first id that falls into it; what finds no match there is looked up by its text."""
    size = 1 << (len(among) * _ROOM).bit_length()
    slots = np.concatenate([_slots(among[at : at + _AT_ONCE], width, size) for at in range(0, len(among), _AT_ONCE)])
    table = np.zeros(size, np.int32)
    first_last = np.arange(len(among), dtype=np.int32)[::-1]
    table[slots[::-1]] = first_last
    at = np.empty(len(ids), np.int64)
    other = np.empty(len(ids), np.bool_)
    for first in range(0, len(ids), _AT_ONCE):
        some = ids[first : first + _AT_ONCE]
        here = slice(first, first + len(some))
        at[here] = table[_slots(some, width, size)]
        other[here] = ~pc.equal(among.take(pa.array(at[here])), some).to_numpy(zero_copy_only=False)
    rest = np.flatnonzero(other)
    if len(rest):
        without = np.flatnonzero(table[slots] != first_last[::-1])
        found = _places_by_text(ids.take(pa.array(rest)), among.take(pa.array(without)))
        at[rest] = np.append(without, -1)[found]
    return at


def _slots(ids: pa.Array, width: int, size: int) -> NDArray[np.int64]:
    """(n,) a slot below `size`, a power of two, for each id of `width` bytes."""
    _, offsets, data = ids.buffers()
    begin = int(np.frombuffer(offsets, np.int32, 1, ids.offset * 4)[0])
    padded = np.zeros((len(ids), -(-width // 8) * 8), np.uint8)
    padded[:, :width] = np.frombuffer(data, np.uint8, len(ids) * width, begin).reshape(-1, width)
    mixed = np.zeros(len(ids), np.uint64)
    for word in padded.view(np.uint64).T:
        mixed ^= word
        mixed *= _FACTORS[0]
        mixed ^= mixed >> np.uint64(29)
    mixed *= _FACTORS[1]
    return (mixed >> np.uint64(65 - size.bit_length())).astype(np.int64)
