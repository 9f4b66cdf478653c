"""Typed access to the cells of rows that a schema has checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, cast

Row: TypeAlias = "Mapping[str, object]"
"""A row of a table, by column name."""


def text(row: Row, name: str) -> str:
    """A string that is never absent."""
    return cast("str", row[name])


def optional_text(row: Row, name: str) -> str | None:
    """A string that may be absent."""
    return cast("str | None", row[name])


def texts(row: Row, name: str) -> list[str]:
    """A list of strings."""
    return cast("list[str]", row[name])


def whole(row: Row, name: str) -> int:
    """An integer."""
    return cast("int", row[name])


def wholes(row: Row, name: str) -> list[int]:
    """A list of integers."""
    return cast("list[int]", row[name])


def real(row: Row, name: str) -> float:
    """A number."""
    return cast("float", row[name])


def optional_real(row: Row, name: str) -> float | None:
    """A number that may be absent, or whose column a family may not have."""
    return cast("float | None", row.get(name))


def truth(row: Row, name: str) -> bool:
    """A truth value."""
    return cast("bool", row[name])
