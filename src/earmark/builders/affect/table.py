"""A table of what was heard: one row for each clip of a release, or for each file of a folder."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from earmark.audio.affect import Affect
from earmark.manifests.errors import EarmarkError, Refused
from earmark.manifests.findings import Findings, Severity, declare

if TYPE_CHECKING:
    import pyarrow as pa

    from earmark.manifests.tables import Table

Key: TypeAlias = Literal["clip_id", "path"]
KEYS: tuple[Key, ...] = ("clip_id", "path")
"""What names a clip: its id in a release, or its POSIX path under a folder."""

VALUES = Affect._fields
STEP = 0.0001
"""Values are rounded to it: another machine may compute the last digits in another order."""

TABLE = declare("affect.table", Severity.ERROR, "a table of affect has not the columns it needs")
ROW = declare("affect.row", Severity.ERROR, "a row of a table of affect cannot be used")

_ABOUT = b"earmark"
_AT_ONCE = 1 << 14


@dataclass(frozen=True)
class AffectTable:
    """What was heard.

    Args:
        key: What names a clip.
        heard: By clip; None where the model could not hear it.
        model: The model's name, "unknown" where the table does not say.
    """

    key: Key
    heard: Mapping[str, Affect | None]
    model: str = "unknown"


def write_affect(path: Path, table: AffectTable) -> None:
    """Write a table as Parquet, rows by clip; a file that is there is replaced by one rename.

    Raises:
        EarmarkError: If it cannot be written.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = sorted(table.heard)
    columns: dict[str, object] = {table.key: pa.array(names, pa.string())}
    for place, value in enumerate(VALUES):
        found = (table.heard[name] for name in names)
        columns[value] = pa.array([None if one is None else _rounded(one[place]) for one in found], pa.float64())
    about = json.dumps({"model": table.model}, sort_keys=True).encode()
    rows = pa.table(columns).replace_schema_metadata({_ABOUT: about})
    beside = path.with_name(f".{path.name}.new")
    try:
        pq.write_table(rows, beside)
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise EarmarkError(f"cannot write {path}: {error.strerror or error}") from error


def read_affect(path: Path) -> AffectTable:
    """Read a table, Earmark's own or anybody's.

    Args:
        path: Parquet with `clip_id` or `path`, and `valence`, `arousal` and `dominance`, 0 to 1 each or all three null.

    Raises:
        EarmarkError: If it is no readable Parquet file, or would come to more than a table of a release may.
        Refused: If a column is missing or a row cannot be used; all of them at once.
    """
    import pyarrow as pa

    from earmark.manifests.parquet.bounds import MOST_ROWS
    from earmark.manifests.parquet.stored import read_stored

    try:
        rows = read_stored(path, rows=MOST_ROWS, table=_declared())
        rows.validate(full=True)
    except (pa.ArrowException, OSError, ValueError, LookupError) as error:  # all come of damaged metadata
        said = " ".join(str(error).split())[:300]
        raise EarmarkError(f"cannot read {path} as Parquet: {said}") from error
    findings = Findings()
    names = rows.column_names
    keys = [key for key in KEYS if key in names]
    wanted = [*keys, *VALUES]
    odd = [
        f"{name} of type {rows.schema.field(name).type}"
        for name in wanted
        if names.count(name) == 1 and _odd(rows, name)
    ]
    if len(keys) != 1 or any(names.count(name) != 1 for name in wanted) or odd:
        columns = f"{' or '.join(KEYS)}, not both, and {', '.join(VALUES)}"
        findings.add(TABLE, file=path.name, found=", ".join(odd or names)[:300], expected=columns)
        raise Refused(findings)
    (key,) = keys
    heard: dict[str, Affect | None] = {}
    # A part at a time: a row in Python takes some ten times what it takes in Arrow.
    parts = rows.select(wanted).to_batches(max_chunksize=_AT_ONCE)
    for number, row in enumerate(chain.from_iterable(part.to_pylist() for part in parts), 1):
        name, values = row[key], tuple(row[value] for value in VALUES)
        problem = _problem(name, values, heard)
        if problem is not None:
            findings.add(ROW, file=path.name, row=number, id=str(name), found=problem, expected=_EXPECTED)
            continue
        heard[name] = None if values[0] is None else Affect(*(float(value) for value in values))
    findings.require_none()
    return AffectTable(key, heard, _model(rows.schema.metadata))


def _declared() -> Table:
    """What such a table is, as far as it bounds how many rows a file may have."""
    import pyarrow as pa

    from earmark.manifests.tables import Column, Side, Table

    name = Column(name="clip_id", type=pa.string(), means="The clip.")
    return Table(name="affect", means="What was heard.", side=Side.PUBLIC, key=(name.name,), columns=(name,))


def _odd(rows: pa.Table, name: str) -> bool:
    """Whether the values of a column are neither texts nor numbers, whatever row they stand in."""
    import pyarrow.types as of

    kind = rows.schema.field(name).type
    kind = kind.value_type if of.is_dictionary(kind) else kind
    known = (of.is_string, of.is_large_string, of.is_integer, of.is_floating, of.is_boolean, of.is_null)
    return not any(is_one(kind) for is_one in known)


_EXPECTED = "a name of its own, and three numbers from 0 to 1 or three nulls"


def _problem(name: object, values: tuple[object, ...], heard: Mapping[str, object]) -> str | None:
    if not isinstance(name, str) or not name:
        return f"the name {name!r}"
    if name in heard:
        return "a name that stands above"
    numbers = [value for value in values if isinstance(value, (int, float)) and not isinstance(value, bool)]
    right = [number for number in numbers if math.isfinite(number) and 0 <= number <= 1]
    if len(right) == len(values) or all(value is None for value in values):
        return None
    return ", ".join(f"{field} {value}" for field, value in zip(VALUES, values, strict=True))


def _model(metadata: Mapping[bytes, bytes] | None) -> str:
    try:
        about = cast("object", json.loads((metadata or {}).get(_ABOUT, b"{}")))
    except (ValueError, RecursionError):
        return "unknown"
    model = about.get("model") if isinstance(about, dict) else None
    return model if isinstance(model, str) else "unknown"


def _rounded(value: float) -> float:
    return round(round(value / STEP) * STEP, 4)
