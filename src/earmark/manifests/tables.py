"""A table is declared once; its Arrow schema, pandera schema, documentation and content hash all derive from the declaration."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

import pyarrow as pa


class Side(StrEnum):
    """Which side of a release a table stands on."""

    PUBLIC = "public"
    PRIVATE = "private"


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column: what it holds, in which unit, and what may stand in it.

    Args:
        name: Column name, snake_case.
        type: Arrow type; a list column holds a list of what `choices`, `pattern` and `refers_to` speak of.
        means: One sentence for the format page.
        unit: SI symbol or the field's own ("Hz", "s", "LUFS"); None for a pure number or a label.
        choices: The only values allowed, in display order.
        pattern: Regular expression that a string must match whole.
        refers_to: `table.column` in which every value must be found.
        low: Smallest value allowed, inclusive.
        high: Largest value allowed, inclusive.
        nullable: Whether a value may be absent.
        gold: Whether the column tells the answer; such a column may stand on the private side only.
        step: Rounding step of a measured value, a power of ten; a measured column stands outside the content hash.
    """

    name: str
    type: pa.DataType
    means: str
    unit: str | None = None
    choices: tuple[str, ...] | None = None
    pattern: str | None = None
    refers_to: str | None = None
    low: float | None = None
    high: float | None = None
    nullable: bool = False
    gold: bool = False
    step: float | None = None

    def __post_init__(self) -> None:
        if self.step is not None and float(f"1e{_exponent(self.step)}") != self.step:
            raise ValueError(f"column {self.name!r} has the step {self.step}; a step is a power of ten")

    @property
    def is_list(self) -> bool:
        """Whether a cell holds several values."""
        return bool(pa.types.is_list(self.type))

    @property
    def most_entries(self) -> int | None:
        """How many values a cell may hold, where they are of a known set and none is named twice."""
        return len(self.choices) if self.is_list and self.choices is not None else None


@dataclass(frozen=True, kw_only=True)
class Table:
    """A named set of columns with a key that identifies a row.

    Args:
        name: File stem and name in `refers_to`.
        means: One sentence for the format page.
        side: Public or private.
        key: The columns that together identify a row, and by which rows are ordered.
        columns: The columns in order.
    """

    name: str
    means: str
    side: Side
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    def __post_init__(self) -> None:
        names = [column.name for column in self.columns]
        if len(set(names)) != len(names):
            raise ValueError(f"table {self.name!r} declares a column twice: {names}")
        if not set(self.key) <= set(names):
            raise ValueError(f"table {self.name!r} has a key {self.key} outside its columns {names}")
        if self.side is Side.PUBLIC and any(column.gold for column in self.columns):
            raise ValueError(f"table {self.name!r} is public and must not hold a gold column")

    @property
    def filename(self) -> str:
        """Name of its Parquet file."""
        return f"{self.name}.parquet"

    def with_columns(self, columns: Iterable[Column]) -> Table:
        """The same table with a family's further columns behind its own."""
        return replace(self, columns=(*self.columns, *columns))

    def column(self, name: str) -> Column:
        """One column by name.

        Raises:
            KeyError: If the table has no such column.
        """
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(f"table {self.name!r} has no column {name!r}")

    def arrow_schema(self) -> pa.Schema:
        """The schema that a Parquet file of this table has, meanings and units in the field metadata."""
        return pa.schema(
            pa.field(
                column.name,
                column.type,
                column.nullable,
                {"means": column.means, **({"unit": column.unit} if column.unit else {})},
            )
            for column in self.columns
        )

    def from_rows(self, rows: Iterable[dict[str, object]]) -> pa.Table:
        """Rows as an Arrow table in key order, measured columns rounded to their step.

        Raises:
            pyarrow.ArrowException: If a value is of another type than its column.
            ValueError: If a row lacks a column or has another one, or a cell is null or a fraction where none may be.
        """
        kept = [dict(row) for row in rows]
        names = [column.name for column in self.columns]
        for row in kept:
            if row.keys() != set(names):
                missing, extra = set(names) - row.keys(), row.keys() - set(names)
                raise ValueError(f"a row of {self.name!r} lacks {sorted(missing)} and has {sorted(extra)} too many")
        kept.sort(key=lambda row: tuple(_sortable(row[name]) for name in self.key))
        steps = {column.name: column.step for column in self.columns if column.step}
        for name, step in steps.items():
            for row in kept:
                row[name] = _rounded(row[name], step)
        for column in self.columns:
            self._require_fit(column, kept)
        return pa.Table.from_pylist(kept, schema=self.arrow_schema())

    def _require_fit(self, column: Column, rows: list[dict[str, object]]) -> None:
        """Refuse what Arrow would take without a word: null where none may be, and a fraction cut to a whole number."""
        whole = pa.types.is_integer(column.type)
        for row in rows:
            cell = row[column.name]
            if (cell is None and not column.nullable) or (whole and isinstance(cell, float)):
                key = [row[name] for name in self.key]
                raise ValueError(f"row {key} of {self.name!r} has {cell!r} in {column.name!r}, a {column.type}")


def _sortable(cell: object) -> tuple[bool, object]:
    return (cell is not None, cell if isinstance(cell, int | float | str) else str(cell))


def _rounded(cell: object, step: float) -> object:
    if isinstance(cell, list):
        return [_rounded(entry, step) for entry in cell]
    if not isinstance(cell, float):
        return cell
    # The step is a power of ten, whose decimals say where to round; multiplying would leave 0.30000000000000004.
    return round(cell, -_exponent(step)) + 0.0  # −0.0 and 0.0 are one number


def _exponent(step: float) -> int:
    return int(f"{step:e}".split("e")[1])  # "1.000000e-02" → −2
