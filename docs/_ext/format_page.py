"""The tables and the finding codes as Markdown, written from their declarations before Sphinx reads its pages."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from earmark.manifests.declarations import TABLES
from earmark.manifests.findings import declared_codes
from earmark.manifests.registry import family, family_names
from earmark.manifests.tables import Side
from earmark.validation.invariants import COMMON

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from earmark.manifests.family import Family
    from earmark.manifests.findings import Code
    from earmark.manifests.tables import Column, Table
    from earmark.validation.invariants import Invariant

_TYPE_NAMES = {pa.string(): "text", pa.int64(): "whole number", pa.float64(): "real number", pa.bool_(): "yes or no"}


def setup(app: Sphinx) -> Mapping[str, bool]:
    """Hook the generation into Sphinx."""
    app.connect("builder-inited", _write_pages)
    return {"parallel_read_safe": True}


def _write_pages(app: Sphinx) -> None:
    folder = Path(app.srcdir) / "generated"
    folder.mkdir(exist_ok=True)
    families = [family(name) for name in family_names()]
    pages = {
        "layout.md": layout_page(TABLES),
        "tables.md": tables_page(TABLES),
        "families.md": families_page(families),
        "invariants.md": invariants_page(COMMON),
        "findings.md": findings_page(every_code()),
    }
    for name, text in pages.items():
        path = folder / name
        # An unchanged file keeps its time, and Sphinx the page that includes it.
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8", newline="\n")


def every_code() -> tuple[Code, ...]:
    """Every finding code of the program, by name: a module declares its codes when it is imported."""
    import earmark

    for module in pkgutil.walk_packages(earmark.__path__, "earmark."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    return declared_codes()


def layout_page(tables: Iterable[Table]) -> str:
    """The folder as a tree: which table lies on which side."""
    lines = ["RELEASE/", "  release.json"]
    beside = {Side.PUBLIC: ["audio/"], Side.PRIVATE: ["key"]}
    kept = list(tables)
    for side in Side:
        names = [table.filename for table in kept if table.side is side]
        lines += [f"  {side.value}/", *(f"    {name}" for name in (*names, *beside[side]))]
    return "\n".join(["```text", *lines, "```"]) + "\n"


def tables_page(tables: Iterable[Table]) -> str:
    """One section per table: what a row is, its side, its key, and a line per column."""
    return "\n\n".join(_table_section(table) for table in tables) + "\n"


def families_page(families: Iterable[Family]) -> str:
    """What each family narrows and adds: choices of the common columns, columns of its own."""
    return "\n\n".join(_family_section(record) for record in families) + "\n"


def invariants_page(invariants: Iterable[Invariant]) -> str:
    """A line per invariant."""
    rows = [
        (f"`{entry.name}`", entry.means, "both sides" if entry.needs_private else "the public side")
        for entry in invariants
    ]
    return _grid(("Invariant", "What holds", "Needs"), rows) + "\n"


def findings_page(codes: Iterable[Code]) -> str:
    """A line per finding code."""
    rows = [(f"`{code.name}`", code.severity.value, code.means) for code in codes]
    return _grid(("Code", "Severity", "What it says"), rows) + "\n"


def _table_section(table: Table) -> str:
    key = ", ".join(f"`{name}`" for name in table.key)
    return "\n\n".join(
        [
            f"### {table.name}",
            f"{table.means} `{table.side.value}/{table.filename}`; a row is known by {key}.",
            _columns(table.columns),
        ]
    )


def _family_section(record: Family) -> str:
    protocols = [
        (f"`{protocol.name}`", protocol.modality, ", ".join(f"`{order}`" for order in protocol.orders), protocol.means)
        for protocol in record.protocols
    ]
    parts = [
        f"### {record.name}",
        f"{record.title}.",
        record.label_source,
        f"A prediction says {_choices(record.choices)}; the gold is one of {_choices(record.golds)}. "
        f"The headline is `{record.headline}`.",
        _grid(("Protocol", "Modality", "Orders", "What it owes"), protocols),
    ]
    for table, columns in (
        ("items", record.item_columns),
        ("answers", record.answer_columns),
        ("sources", record.source_columns),
    ):
        if columns:
            parts += [f"Further columns of `{table}`:", _columns(columns)]
    return "\n\n".join(parts)


def _columns(columns: Iterable[Column]) -> str:
    rows = [(f"`{column.name}`", _type(column), _allowed(column), column.means) for column in columns]
    return _grid(("Column", "Type", "Values", "Meaning"), rows)


def _type(column: Column) -> str:
    name = f"list of {_TYPE_NAMES[column.type.value_type]}s" if column.is_list else _TYPE_NAMES[column.type]
    return f"{name}, {column.unit}" if column.unit else name


def _allowed(column: Column) -> str:
    """The rules that a value is held to, as one phrase."""
    parts = []
    if column.choices is not None:
        parts.append(_choices(column.choices))
    if column.refers_to is not None:
        parts.append(f"found in `{column.refers_to}`")
    if column.pattern is not None:
        parts.append(f"matches `{column.pattern}`")
    if column.low is not None:
        parts.append(f"≥ {column.low:g}")
    if column.high is not None:
        parts.append(f"≤ {column.high:g}")
    if column.step is not None:
        parts.append(f"rounded to {column.step:g}, outside the content hash")
    if column.gold:
        parts.append("tells the answer")
    if column.nullable:
        parts.append("may be absent")
    return "; ".join(parts)


def _choices(choices: Iterable[str]) -> str:
    return ", ".join(f"`{choice}`" for choice in choices)


def _grid(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A Markdown table; a bar inside a cell is escaped, so that a pattern cannot end it."""
    lines = [header, tuple("---" for _ in header), *(tuple(cell.replace("|", r"\|") for cell in row) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
