"""The pandera schema of every table, derived from its declaration, by name: `schemas.CLIPS`.

`check_table` applies one and turns every failure into a finding, all at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from earmark.manifests import declarations
from earmark.manifests.damage import longest_list, repeats_of
from earmark.manifests.findings import Code, Findings, Severity, declare
from earmark.manifests.tables import Column, Table

if TYPE_CHECKING:
    import pandas as pd
    import pandera.pandas as pandera

COLUMNS = declare("table.columns", Severity.ERROR, "the columns are not those of the declaration")
TYPE = declare("table.type", Severity.ERROR, "a column has another type than declared")
NULL = declare("table.null", Severity.ERROR, "a value is absent where one must stand")
VALUE = declare("table.value", Severity.ERROR, "a value is outside what the column allows")
NOT_FINITE = declare("table.not-finite", Severity.ERROR, "a number is NaN or infinite")
LONG = declare("table.long-list", Severity.ERROR, "a cell lists more values than there are to name")
DUPLICATE_KEY = declare("table.duplicate-key", Severity.ERROR, "two rows have the same key")

_AT_ONCE = 1 << 16
"""Rows that are held against a schema together. Where a longer table repeats its keys, nothing else is looked for in it."""


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


@lru_cache(maxsize=64)
def _schema(table: Table, *, keyed: bool = True) -> pandera.DataFrameSchema:
    """The schema that tables are checked by; making one takes longer than checking a small table with it."""
    schema = pandera_schema(table)
    if not keyed:
        schema.unique = None
    return schema


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
        Whether columns and types are as declared and no cell is absent, NaN or too long that must not be, so that what follows
        may rely on the cells having a value of their type. The values themselves may still be wrong, and keys repeat in a short
        table.
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
    schema = _schema(table)
    if rows.num_rows > _AT_ONCE:
        if (repeats := repeats_of(table, rows)) is not None:
            key = " ".join(table.key)
            findings.add(DUPLICATE_KEY, file=table.filename, column=key, found=repeats, expected="each key once")
            return False
        schema = _schema(table, keyed=False)
    failures = _Failures(table, rows, Findings(cap=findings.cap))
    for begin in range(0, max(rows.num_rows, 1), _AT_ONCE):
        try:
            schema.validate(rows.slice(begin, _AT_ONCE).to_pandas(types_mapper=pd.ArrowDtype), lazy=True)
        except pandera.errors.SchemaErrors as errors:
            failures.add_cases(errors.failure_cases, begin)
    for column in table.columns:
        if column.is_list:
            failures.add_of_lists(column)
        elif pa.types.is_floating(column.type):
            failures.add_not_finite(column)
    findings.extend(failures.findings)
    return not failures.findings.counts.keys() & {NULL.name, NOT_FINITE.name, LONG.name}


class _Failures:
    """Failures of one table as findings, each with its row and the key of that row."""

    def __init__(self, table: Table, rows: pa.Table, findings: Findings) -> None:
        self.table, self.rows, self.findings = table, rows, findings

    def add(self, code: Code, at: int, column: str, found: object = None, expected: str | None = None) -> None:
        file = self.table.filename
        if not self.findings.keeps(code, file, at + 1):
            self.findings.count_more(code, 1)
            return
        id = " ".join(str(self.rows[name][at].as_py()) for name in self.table.key)
        self.findings.add(code, file=file, row=at + 1, column=column, id=id, found=found, expected=expected)

    def add_cases(self, cases: pd.DataFrame, begin: int) -> None:
        """What pandera found in the rows from one on."""
        repeated: set[int] = set()
        seen: set[tuple[int, str]] = set()
        for name, check, value, index in cases[["column", "check", "failure_case", "index"]].to_numpy().tolist():
            at = begin + int(index)
            if check == "multiple_fields_uniqueness":
                repeated.add(at)  # pandera names each key column of the row; one finding is enough
            elif check == "not_nullable":
                self.add(NULL, at, name, expected=allowed(self.table.column(name)))
            elif (at, name) not in seen:
                seen.add(
                    (at, name)
                )  # a value may fail choices and pattern both; `allowed` says all that is asked of it
                self.add(VALUE, at, name, value, allowed(self.table.column(name)))
        for at in sorted(repeated):
            self.add(DUPLICATE_KEY, at, " ".join(self.table.key))

    def add_of_lists(self, column: Column) -> None:
        """What is wrong within the cells of a list column, of which pandera sees the outside only."""
        lists = self.rows[column.name].combine_chunks()
        if (most := column.most_entries) is not None and longest_list(lists) > most:
            lengths = pc.fill_null(pc.list_value_length(lists), 0)
            for at in pc.indices_nonzero(pc.greater(lengths, most)).to_pylist():
                self.add(LONG, at, column.name, f"{lengths[at]} values", f"each {allowed(column)}, and once")
            return
        values = lists.flatten()
        odd = [value for value in pc.unique(values).to_pylist() if value is not None and not _fits(column, value)]
        wrong = pc.or_(values.is_null(), pc.is_in(values, pa.array(odd, values.type)))
        rows = pc.list_parent_indices(lists)
        for place in pc.indices_nonzero(wrong).to_pylist():
            at, value = rows[place].as_py(), values[place].as_py()
            if value is None:
                self.add(NULL, at, column.name, expected=allowed(column))
            else:
                self.add(VALUE, at, column.name, value, allowed(column))

    def add_not_finite(self, column: Column) -> None:
        """NaN and infinities, which no range excludes for certain."""
        values = self.rows[column.name]
        finite = pc.fill_null(pc.is_finite(values), True)
        for at in pc.indices_nonzero(pc.invert(finite)).to_pylist():
            self.add(NOT_FINITE, at, column.name, values[at].as_py(), allowed(column))


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
