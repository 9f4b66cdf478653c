"""Columns of a typed table, checked as a whole: which rows keep every rule, and those as columns. The rest is read row by row."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from earmark.manifests.grammars import MOST_EVIDENCE
from earmark.scoring.submissions.columns import COLUMNS, sound
from earmark.scoring.submissions.rows import MOST_COST, MOST_RUN, STATUSES, Rules

_MOST = {"run": MOST_RUN, "probability": 1}


class _Checked(NamedTuple):
    """A column as its field's type, and where it is good; None where all of it is."""

    array: pa.Array
    good: pa.Array | None = None


def sound_rows(rules: Rules, values: pa.Table, first: int) -> tuple[pa.Table, NDArray[np.bool_]]:
    """The rows of a table that keep every rule.

    Args:
        rules: What rows may say.
        values: (n,) rows whose columns are fields of a row, of types that could stand for theirs.
        first: Number of the first row.

    Returns:
        Those rows with the columns of `COLUMNS`, and (n,) whether each of all is one.
    """
    good = np.ones(len(values), np.bool_)
    arrays = []
    for field in COLUMNS:
        if field.name == "line":
            array = pa.array(np.arange(first, first + len(values)))
        else:
            given = values[field.name].combine_chunks() if field.name in values.column_names else None
            array, right = _checked(rules, field, pa.nulls(len(values), field.type) if given is None else given)
            if right is not None:
                good &= right.to_numpy(zero_copy_only=False)
        if not field.nullable and array.null_count:
            array = pc.fill_null(array, {"presentation_id": "", "status": STATUSES[0]}.get(field.name, 0))
        arrays.append(array)
    table = pa.Table.from_arrays(arrays, schema=COLUMNS)
    good &= sound(table)
    return (table if good.all() else table.filter(pa.array(good))), good


def _checked(rules: Rules, field: pa.Field, given: pa.Array) -> _Checked:
    # Where nothing in a column can be right, rows may still do without it; not without an id, though.
    without = pc.is_null(given) if field.name != "presentation_id" else pa.repeat(False, len(given))
    absent = _Checked(pa.nulls(len(given), field.type), without)
    if given.null_count == len(given):
        return absent
    if pa.types.is_list(field.type):
        checked = _lists(given, rules.limits.evidence)
    elif pa.types.is_integer(field.type) or pa.types.is_floating(field.type):
        checked = _numbers(field, given)
    else:
        checked = _texts(rules, field, given)
    return checked or absent


def _texts(rules: Rules, field: pa.Field, given: pa.Array) -> _Checked | None:
    words = {"status": STATUSES, "choice": rules.choices}.get(field.name)
    if field.name == "choice" and pa.types.is_integer(given.type):
        given, words = given.cast(pa.string()), tuple(rules.whole_choices.values())
    if not (pa.types.is_string(given.type) or pa.types.is_large_string(given.type)):
        return None
    if words is not None:
        known = pc.or_(pc.is_in(given, pa.array(list(words), given.type)), pc.is_null(given))
        if pc.all(known).as_py():
            return _Checked(given.cast(field.type))
        return _Checked(pc.if_else(known, given, pa.scalar(None, given.type)).cast(field.type), known)
    length = pc.utf8_length(given)
    most = rules.limits.id if field.name == "presentation_id" else rules.limits.response
    good = pc.and_not(pc.less_equal(length, most), pc.match_substring(given, "\0"))
    if field.nullable:
        return _Checked(given.cast(field.type), pc.fill_null(good, True))
    return _Checked(given.cast(field.type), pc.fill_null(pc.and_(good, pc.greater(length, 0)), False))


def _numbers(field: pa.Field, given: pa.Array) -> _Checked | None:
    most = _MOST.get(field.name, MOST_COST)
    if pa.types.is_integer(given.type):
        if pa.types.is_uint64(given.type):  # some may be beyond 64 bits with a sign
            bounded = np.minimum(given.fill_null(0).to_numpy(), np.uint64(MOST_COST + 1)).astype(np.int64)
            given = pa.array(bounded, mask=given.is_null().to_numpy(zero_copy_only=False))
        given = given.cast(pa.int64())
    else:
        given = given.cast(pa.float64())
    good = pc.and_(pc.greater_equal(given, 0), pc.less_equal(given, most))  # neither holds for NaN
    if pa.types.is_integer(field.type) and pa.types.is_floating(given.type):
        good = pc.and_(good, pc.equal(given, pc.floor(given)))
    if not pc.all(good).as_py():
        given = pc.if_else(good, given, pa.scalar(None, given.type))
    array = given.cast(field.type)
    if pa.types.is_floating(field.type):
        array = pc.add(array, 0.0)  # −0.0 and 0.0 are one number
    return _Checked(array, pc.fill_null(good, True))


def _lists(given: pa.Array, most: int) -> _Checked | None:
    if not (pa.types.is_string(given.type.value_type) or pa.types.is_large_string(given.type.value_type)):
        return None
    entries = given.flatten()
    right = pc.and_not(pc.less_equal(pc.utf8_length(entries), most), pc.match_substring(entries, "\0"))
    good = pc.fill_null(pc.less_equal(pc.list_value_length(given), MOST_EVIDENCE), True).to_numpy(zero_copy_only=False)
    wrong = pc.invert(pc.fill_null(right, False))
    good = np.array(good)
    good[pc.list_parent_indices(given).filter(wrong).to_numpy()] = False
    return _Checked(given.cast(pa.list_(pa.string())), pa.array(good))
