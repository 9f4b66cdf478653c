"""The pandera schema of every table, derived from its declaration, by name: `schemas.CLIPS`.

`check_table` applies one and turns every failure into a finding, all at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from earmark.manifests import declarations
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.tables import Column, Table

if TYPE_CHECKING:
    import pandas as pd
    import pandera.pandas as pandera

COLUMNS = declare("table.columns", Severity.ERROR, "the columns are not those of the declaration")
TYPE = declare("table.type", Severity.ERROR, "a column has another type than declared")
NULL = declare("table.null", Severity.ERROR, "a value is absent where one must stand")
VALUE = declare("table.value", Severity.ERROR, "a value is outside what the column allows")
NOT_FINITE = declare("table.not-finite", Severity.ERROR, "a number is NaN or infinite")
DUPLICATE_KEY = declare("table.duplicate-key", Severity.ERROR, "two rows have the same key")


def pandera_schema(table: Table) -> pandera.DataFrameSchema:
    """The schema of a table: types, ranges, choices, nulls and a unique key, for pandas frames with Arrow types.

    A list column is checked as a whole here and value by value in `check_table`.
    """
    import pandas as pd
    import pandera.pandas as pandera

    def checks(column: Column) -> Iterator[pandera.Check]:
        if column.is_list:
            return
        if column.choices is not None:
            yield pandera.Check.isin(column.choices)
        if column.pattern is not None:
            yield pandera.Check.str_matches(f"(?:{column.pattern})$")
        if column.low is not None:
            yield pandera.Check.ge(column.low)
        if column.high is not None:
            yield pandera.Check.le(column.high)

    return pandera.DataFrameSchema(
        {
            column.name: pandera.Column(pd.ArrowDtype(column.type), list(checks(column)), nullable=column.nullable)
            for column in table.columns
        },
        unique=list(table.key),
        strict=True,
        ordered=True,
        name=table.name,
    )


def __getattr__(name: str) -> pandera.DataFrameSchema:
    """A named schema on first touch, so that importing this module costs no pandera."""
    tables = {table.name.upper(): table for table in declarations.TABLES}
    if name not in tables:
        raise AttributeError(f"no schema named {name!r}; there is {', '.join(tables)}")
    return pandera_schema(tables[name])


def check_table(table: Table, rows: pa.Table, findings: Findings) -> bool:
    """Check rows against a declaration, every failure at once.

    Args:
        table: The declaration.
        rows: Rows as they were read.
        findings: Where each failure goes, with its row (counted from 1), the row's key, the value and the valid ones.

    Returns:
        Whether columns and types are as declared and no cell is absent or NaN that must not be, so that what follows may
        rely on the cells having a value of their type. The values themselves may still be wrong.
    """
    import pandas as pd
    import pandera.errors

    names = [column.name for column in table.columns]
    if rows.column_names != names:
        findings.add(COLUMNS, file=table.filename, found=", ".join(rows.column_names), expected=", ".join(names))
        return False
    wrong = [column for column in table.columns if rows.schema.field(column.name).type != column.type]
    for column in wrong:
        found = rows.schema.field(column.name).type
        findings.add(TYPE, file=table.filename, column=column.name, found=found, expected=str(column.type))
    if wrong:
        return False
    failures = Findings(cap=findings.cap)
    frame = rows.to_pandas(types_mapper=pd.ArrowDtype)
    try:
        pandera_schema(table).validate(frame, lazy=True)
    except pandera.errors.SchemaErrors as errors:
        _report(table, frame, errors.failure_cases, failures)
    for column in table.columns:
        if column.is_list:
            _check_list(table, column, rows[column.name], failures)
        elif pa.types.is_floating(column.type):
            _check_finite(table, column, rows[column.name], failures)
    findings.extend(failures)
    return not failures.counts.keys() & {NULL.name, NOT_FINITE.name}


def _report(table: Table, frame: pd.DataFrame, cases: pd.DataFrame, findings: Findings) -> None:
    keys = [frame[name] for name in table.key]
    seen: set[int] = set()
    for name, check, value, at in cases[["column", "check", "failure_case", "index"]].to_numpy().tolist():
        row = int(at)
        id = " ".join(str(column.iat[row]) for column in keys)
        if check == "multiple_fields_uniqueness":
            # pandera names each key column of the row; one finding is enough.
            if row not in seen:
                seen.add(row)
                findings.add(DUPLICATE_KEY, file=table.filename, row=row + 1, column=" ".join(table.key), id=id)
        elif check == "not_nullable":
            findings.add(NULL, file=table.filename, row=row + 1, column=name, id=id)
        else:
            expected = allowed(table.column(name))
            findings.add(VALUE, file=table.filename, row=row + 1, column=name, id=id, found=value, expected=expected)


def _check_list(table: Table, column: Column, values: pa.ChunkedArray, findings: Findings) -> None:
    for row, cell in enumerate(values.to_pylist(), start=1):
        for value in cell or ():
            if value is None:
                findings.add(NULL, file=table.filename, row=row, column=column.name, expected=allowed(column))
            elif not _fits(column, value):
                findings.add(
                    VALUE, file=table.filename, row=row, column=column.name, found=value, expected=allowed(column)
                )


def _check_finite(table: Table, column: Column, values: pa.ChunkedArray, findings: Findings) -> None:
    finite = pc.fill_null(pc.is_finite(values), True)
    for at in pc.indices_nonzero(pc.invert(finite)).to_pylist():
        found = values[at].as_py()
        findings.add(
            NOT_FINITE, file=table.filename, row=at + 1, column=column.name, found=found, expected=allowed(column)
        )


def _fits(column: Column, value: str | float) -> bool:
    if isinstance(value, str):
        in_choices = column.choices is None or value in column.choices
        return in_choices and (column.pattern is None or re.fullmatch(column.pattern, value) is not None)
    return (column.low is None or value >= column.low) and (column.high is None or value <= column.high)


def allowed(column: Column) -> str:
    """What may stand in a column, in words."""
    unit = f" {column.unit}" if column.unit else ""
    parts = []
    if column.choices is not None:
        parts.append(f"one of {', '.join(column.choices)}")
    if column.pattern is not None:
        parts.append(f"a match of {column.pattern}")
    if column.low is not None:
        parts.append(f"at least {column.low:g}{unit}")
    if column.high is not None:
        parts.append(f"at most {column.high:g}{unit}")
    return " and ".join(parts) or f"a {column.type}"


def distinct(values: pa.ChunkedArray) -> set[object]:
    """The distinct values of a column, those within lists included, nulls left out."""
    flat = pc.list_flatten(values) if pa.types.is_list(values.type) else values
    return set(pc.unique(flat).drop_null().to_pylist())
