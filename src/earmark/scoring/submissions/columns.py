"""Prediction rows as columns: the fast way, which takes good rows in blocks and says no to all others.

Here the rules of `rows` are stated once more, as a msgspec structure. What it takes, `Rules.check` takes too, with the same
values; what it refuses is looked at again there, row by row, to say what is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Annotated, Any, Literal, NamedTuple, Union

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import UNSET, Meta, UnsetType
from numpy.typing import NDArray

from earmark.manifests.grammars import MOST_EVIDENCE
from earmark.scoring.submissions.rows import FIELDS, MOST_COST, MOST_RUN, STATUSES, Row, Rules

COLUMNS = pa.schema(
    [
        pa.field("presentation_id", pa.string(), nullable=False),
        pa.field("run", pa.int64(), nullable=False),
        pa.field("status", pa.string(), nullable=False),
        pa.field("response", pa.large_string()),
        pa.field("choice", pa.string()),
        pa.field("probability", pa.float64()),
        pa.field("evidence", pa.list_(pa.string())),
        pa.field("latency_s", pa.float64()),
        pa.field("input_tokens", pa.int64()),
        pa.field("output_tokens", pa.int64()),
        pa.field("cost_usd", pa.float64()),
        pa.field("line", pa.int64(), nullable=False),
    ]
)
"""What good rows are kept in; null where an optional field is absent or null."""


class Block(NamedTuple):
    """Rows as columns.

    Args:
        table: (n,) rows with the columns of `COLUMNS`.
        sound: (n,) whether a row keeps the rules between its fields.
        quotes: (n,) how many quotation marks the JSON of each row has if no key stands twice in it.
    """

    table: pa.Table
    sound: NDArray[np.bool_]
    quotes: NDArray[np.int64]


def structure(rules: Rules) -> type[msgspec.Struct]:
    """The rules as a structure."""
    limits = rules.limits
    cost = Annotated[float, Meta(ge=0.0, le=float(MOST_COST))]
    tokens = Annotated[int, Meta(ge=0, le=MOST_COST)]
    evidence = list[Annotated[str, Meta(max_length=limits.evidence)]]
    types: dict[str, Any] = {
        "run": Annotated[int, Meta(ge=0, le=MOST_RUN)],
        "status": Literal[STATUSES],
        "response": Annotated[str, Meta(max_length=limits.response)],
        "choice": Literal[(*rules.choices, *rules.whole_choices)],
        "probability": Annotated[float, Meta(ge=0.0, le=1.0)],
        "evidence": Annotated[evidence, Meta(max_length=MOST_EVIDENCE)],
        "latency_s": cost,
        "input_tokens": tokens,
        "output_tokens": tokens,
        "cost_usd": cost,
    }
    id_type = Annotated[str, Meta(min_length=1, max_length=limits.id)]
    optional = [(name, Union[types[name], None, UnsetType], UNSET) for name in rules.fields[1:]]  # noqa: UP007 - values
    return msgspec.defstruct("PredictionRow", [(FIELDS[0], id_type), *optional], forbid_unknown_fields=True, gc=False)


def block(rules: Rules, rows: Sequence[msgspec.Struct], lines: pa.Array) -> Block:
    """Structures as columns.

    Args:
        rules: The rules of the structures.
        rows: (n,) structures.
        lines: (n,) int64 line of each.
    """
    arrays, marked = [], np.zeros(len(rows), np.int64)
    for field in COLUMNS:
        cells = list(map(attrgetter(field.name), rows)) if field.name in rules.fields else []
        absent = cells.count(UNSET) if field.name != FIELDS[0] else 0
        if field.name == "line":
            arrays.append(lines)
            continue
        if len(cells) == absent:
            arrays.append(_filled(field, pa.nulls(len(rows), field.type)))
            continue
        marked += np.array([cell is not UNSET for cell in cells]) if absent else 1
        if absent:
            cells = [None if cell is UNSET else cell for cell in cells]
        if field.name == "choice" and rules.whole_choices:
            marked -= np.array([type(cell) is int for cell in cells])
            cells = [rules.whole_choices[cell] if type(cell) is int else cell for cell in cells]
        array = pa.array(cells, field.type)
        if pa.types.is_list(field.type):
            marked += pc.fill_null(pc.list_value_length(array), 0).to_numpy()
        elif not pa.types.is_integer(field.type) and not pa.types.is_floating(field.type):
            marked += array.is_valid().to_numpy(zero_copy_only=False) if array.null_count else 1
        elif pa.types.is_floating(field.type):
            array = pc.add(array, 0.0)  # −0.0 and 0.0 are one number
        arrays.append(_filled(field, array))
    table = pa.Table.from_arrays(arrays, schema=COLUMNS)
    return Block(table, sound(table), 2 * marked)


def row_table(rows: Sequence[Row]) -> pa.Table:
    """Checked rows as columns."""
    columns = zip(*(row[: len(COLUMNS)] for row in rows), strict=True)
    arrays = []
    for field, cells in zip(COLUMNS, columns, strict=True):
        # A row knows no difference between no evidence and an empty list; nor do the columns.
        arrays.append(pa.array([cell or None for cell in cells] if field.name == "evidence" else cells, field.type))
    return pa.Table.from_arrays(arrays, schema=COLUMNS)


def table_rows(table: pa.Table) -> list[Row]:
    """Columns as rows."""
    columns = [table[name].to_pylist() for name in table.column_names]
    at = FIELDS.index("evidence")
    columns[at] = [tuple(cell or ()) for cell in columns[at]]
    return [Row(*cells) for cells in zip(*columns, strict=True)]


def _filled(field: pa.Field, array: pa.Array) -> pa.Array:
    """The column with what an absent field means."""
    if field.nullable or not array.null_count:
        return array
    return pc.fill_null(array, STATUSES[0] if field.name == "status" else 0)


def sound(table: pa.Table) -> NDArray[np.bool_]:
    """(n,) which rows keep the rules between their fields, as `rows` has them one by one."""
    ok = pc.equal(table["status"], STATUSES[0]).to_numpy()
    answered, chosen, sure = (table[name].is_valid().to_numpy() for name in ("response", "choice", "probability"))
    right: NDArray[np.bool_] = np.where(ok, answered != chosen, ~chosen) & (chosen | ~sure)
    return right
