"""CSV in blocks: the rows of many records at once, column by column, and the rest named so that it is read strictly.

A record that is doubted may still be good: the strict reader decides.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from earmark.manifests.grammars import MOST_EVIDENCE
from earmark.scoring.submissions.columns import COLUMNS, sound
from earmark.scoring.submissions.csv_records import Records
from earmark.scoring.submissions.rows import MOST_COST, MOST_RUN, STATUSES, Rules

_WHOLE = r"^(?:0|[1-9][0-9]{0,17})$"
_REAL = r"^(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,40})?(?:[eE][+-]?[0-9]{1,2})?$"
_MOST = {"run": MOST_RUN, "probability": 1}
_WORDS = {"status": STATUSES}
_LISTS = msgspec.json.Decoder(list[str])


def good_rows(rules: Rules, found: Records, columns: Sequence[str]) -> tuple[pa.Table, NDArray[np.int64]]:
    """The rows of the records that are plain and keep every rule.

    Args:
        rules: What rows may say.
        found: The records of a block, some of them plain.
        columns: Names of the columns.

    Returns:
        The rows with the columns of `COLUMNS`, and the numbers of all other records, ascending.
    """
    plain = np.flatnonzero(found.plain)
    good = np.ones(len(plain), np.bool_)
    cells = dict(zip(columns, found.cells(len(columns)), strict=True))
    arrays = []
    for field in COLUMNS:
        if field.name == "line":
            arrays.append(pa.array(found.lines[plain]))
        elif field.name in cells:
            array, right = _column(rules, field, cells[field.name])
            arrays.append(array)
            if right is not None:
                good &= right
        elif field.nullable:
            arrays.append(pa.nulls(len(plain), field.type))
        else:
            value = STATUSES[0] if field.name == "status" else 0
            arrays.append(pa.repeat(pa.scalar(value, field.type), len(plain)))
    table = pa.Table.from_arrays(arrays, schema=COLUMNS)
    good &= sound(table)
    if good.all():
        return table, np.flatnonzero(~found.plain)
    others = np.ones(len(found.plain), np.bool_)
    others[plain[good]] = False
    return table.filter(pa.array(good)), np.flatnonzero(others)


def _column(rules: Rules, field: pa.Field, cells: pa.Array) -> tuple[pa.Array, NDArray[np.bool_] | None]:
    """Cells of one column, null where empty, as its field's type, and which of them its rules take; None where all are."""
    limits = rules.limits
    if pa.types.is_list(field.type):
        return _lists(cells, limits.evidence)
    if pa.types.is_integer(field.type) or pa.types.is_floating(field.type):
        return _numbers(field, cells)
    words = {**_WORDS, "choice": rules.choices}.get(field.name)
    if words is not None:
        if field.name == "status":
            cells = pc.fill_null(cells, STATUSES[0])
        if cells.null_count == len(cells):
            return cells, None
        known = pc.or_(pc.is_in(cells, pa.array(list(words), pa.string())), pc.is_null(cells))
        return cells, _unless_all(known)
    most = limits.id if field.name == "presentation_id" else limits.response
    right = None if field.nullable or not cells.null_count else cells.is_valid()
    if (pc.max(pc.binary_length(cells)).as_py() or 0) > most:  # few bytes are few characters
        right = pc.fill_null(pc.less_equal(pc.utf8_length(cells), most), field.nullable)
    array = cells.cast(field.type) if field.nullable else pc.fill_null(cells, "")
    return array, None if right is None else _unless_all(right)


def _numbers(field: pa.Field, cells: pa.Array) -> tuple[pa.Array, NDArray[np.bool_] | None]:
    """Numbers as JSON spells them; each different spelling is looked at once."""
    encoded = cells.dictionary_encode()
    spelt = encoded.dictionary
    whole = pa.types.is_integer(field.type)
    right = pc.match_substring_regex(spelt, _WHOLE if whole else _REAL)
    values = pc.if_else(right, spelt, "0").cast(field.type)
    right = pc.and_(right, pc.less_equal(values, _MOST.get(field.name, MOST_COST)))
    array = values.take(encoded.indices)
    good = pc.fill_null(right.take(encoded.indices), True)
    return (array if field.nullable else pc.fill_null(array, 0)), _unless_all(good)


def _lists(cells: pa.Array, most: int) -> tuple[pa.Array, NDArray[np.bool_] | None]:
    """JSON lists of texts."""
    good = np.ones(len(cells), np.bool_)
    if cells.null_count == len(cells):
        return pa.nulls(len(cells), pa.list_(pa.string())), None
    values: list[list[str] | None] = []
    for n, cell in enumerate(cells.to_pylist()):
        entries = None
        if cell is not None:
            try:
                entries = _LISTS.decode(cell)
            except (msgspec.DecodeError, RecursionError):
                good[n] = False
            else:
                good[n] = len(entries) <= MOST_EVIDENCE and all(len(e) <= most and "\0" not in e for e in entries)
        values.append(entries)
    return pa.array(values, pa.list_(pa.string())), good


def _unless_all(good: pa.Array) -> NDArray[np.bool_] | None:
    if pc.all(good).as_py():
        return None
    found: NDArray[np.bool_] = good.to_numpy(zero_copy_only=False)
    return found
