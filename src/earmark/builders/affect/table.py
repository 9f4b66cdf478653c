"""A table of what was heard: one row for each clip of a release, or for each file of a folder."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, cast

from earmark.audio.affect import Affect
from earmark.manifests.errors import EarmarkError, Refused
from earmark.manifests.findings import Findings, Severity, declare

Key: TypeAlias = Literal["clip_id", "path"]
KEYS: tuple[Key, ...] = ("clip_id", "path")
"""What names a clip: its id in a release, or its POSIX path under a folder."""

VALUES = Affect._fields
STEP = 0.0001
"""Values are rounded to it: another machine may compute the last digits in another order."""

TABLE = declare("affect.table", Severity.ERROR, "a table of affect has not the columns it needs")
ROW = declare("affect.row", Severity.ERROR, "a row of a table of affect cannot be used")

_ABOUT = b"earmark"


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
        EarmarkError: If it is no readable Parquet file.
        Refused: If a column is missing or a row cannot be used; all of them at once.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        rows = pq.read_table(path, partitioning=None)
    except (pa.ArrowException, OSError) as error:
        raise EarmarkError(f"cannot read {path} as Parquet: {error}") from error
    findings = Findings()
    keys = [key for key in KEYS if key in rows.column_names]
    lacking = [name for name in VALUES if name not in rows.column_names]
    if len(keys) != 1 or lacking:
        columns = f"{' or '.join(KEYS)}, not both, and {', '.join(VALUES)}"
        findings.add(TABLE, file=path.name, found=", ".join(rows.column_names)[:300], expected=columns)
        raise Refused(findings)
    (key,) = keys
    heard: dict[str, Affect | None] = {}
    for number, row in enumerate(rows.select([key, *VALUES]).to_pylist(), 1):
        name, values = row[key], tuple(row[value] for value in VALUES)
        problem = _problem(name, values, heard)
        if problem is not None:
            findings.add(ROW, file=path.name, row=number, id=str(name), found=problem, expected=_EXPECTED)
            continue
        heard[name] = None if values[0] is None else Affect(*(float(value) for value in values))
    findings.require_none()
    return AffectTable(key, heard, _model(rows.schema.metadata))


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
    except ValueError:
        return "unknown"
    model = about.get("model") if isinstance(about, dict) else None
    return model if isinstance(model, str) else "unknown"


def _rounded(value: float) -> float:
    return round(round(value / STEP) * STEP, 4)
