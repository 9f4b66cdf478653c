"""What the format is, as Markdown, written from the declarations of the code before Sphinx reads its pages."""

from __future__ import annotations

import inspect
import pkgutil
import re
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args, get_origin

import msgspec
import pyarrow as pa

from earmark.manifests.declarations import RECIPES, TABLES
from earmark.manifests.findings import declared_codes
from earmark.manifests.grammars import MOST_EVIDENCE
from earmark.manifests.registry import family, family_module, family_names
from earmark.manifests.report import IntervalEntry, MetricEntry, Report, UseEntry
from earmark.manifests.tables import Side
from earmark.scoring.submissions.columns import COLUMNS
from earmark.scoring.submissions.header import Header, Judge, Run
from earmark.scoring.submissions.rows import FIELDS, MOST_COST, MOST_RUN, STATUSES, Limits
from earmark.validation.invariants import COMMON, family_invariants

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from earmark.manifests.family import Family
    from earmark.manifests.findings import Code
    from earmark.manifests.tables import Column, Table
    from earmark.validation.invariants import Invariant

_TYPE_NAMES = {
    pa.string(): "text",
    pa.large_string(): "text",
    pa.int64(): "whole number",
    pa.float64(): "real number",
    pa.bool_(): "yes or no",
}

_ROW_MEANINGS = {
    "presentation_id": "The presentation that is answered; the only field that every row has.",
    "run": "Number of the run, 0 where it is absent.",
    "status": "What became of the presentation, `ok` where it is absent.",
    "response": "The judge's raw text, which the family's grammar reads.",
    "choice": "The answer as read already, in place of a response.",
    "probability": "How probable the judge takes its choice to be right; beside a choice, and only where the family has it.",
    "evidence": "What the judge says it noticed; shown, never scored.",
    "latency_s": "Seconds until the answer was there.",
    "input_tokens": "Tokens sent.",
    "output_tokens": "Tokens received.",
    "cost_usd": "What it cost.",
}
_DOCUMENTED = re.compile(r"^    (\w+): (.+(?:\n        .+)*)", re.MULTILINE)


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
        "recipes.md": tables_page([RECIPES]),
        "families.md": families_page(families),
        "invariants.md": invariants_page(COMMON),
        "family_invariants.md": family_invariants_page(families),
        "rows.md": rows_page(),
        "header.md": records_page([("", Header), ("judge", Judge), ("run", Run)]),
        "report.md": records_page(
            [
                ("", Report),
                ("An entry of `metrics`", MetricEntry),
                ("An entry of `intervals`", IntervalEntry),
                ("`use`, where it is", UseEntry),
            ]
        ),
        "metrics.md": metrics_page(families),
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


def family_invariants_page(families: Iterable[Family]) -> str:
    """What each family adds to the invariants of all."""
    return "\n\n".join(
        f"Besides, in a release of the family `{record.name}`:\n\n{invariants_page(family_invariants(record)).strip()}"
        for record in families
    )


def rows_page() -> str:
    """A line per field of a prediction row."""
    limits = Limits()
    costs = f"0 to {MOST_COST}"
    values = {
        "presentation_id": f"up to {limits.id} characters",
        "run": f"0 to {MOST_RUN}",
        "status": _choices(STATUSES),
        "response": f"up to {limits.response} characters",
        "choice": "what a prediction of the family may say",
        "probability": "0 to 1",
        "evidence": f"up to {MOST_EVIDENCE} texts of up to {limits.evidence} characters",
        "latency_s": costs,
        "input_tokens": costs,
        "output_tokens": costs,
        "cost_usd": costs,
    }
    rows = []
    for name in FIELDS:
        type = COLUMNS.field(name).type
        told = f"list of {_TYPE_NAMES[type.value_type]}s" if pa.types.is_list(type) else _TYPE_NAMES[type]
        rows.append((f"`{name}`", told, values[name], _ROW_MEANINGS[name]))
    return _grid(("Field", "Type", "Values", "Meaning"), rows) + "\n"


def records_page(records: Iterable[tuple[str, type]]) -> str:
    """A line per field of each record, in the words of its docstring."""
    parts = []
    for title, record in records:
        told = msgspec.structs.fields(record) if issubclass(record, msgspec.Struct) else ()
        allowed = {field.name: _choices(_literals(field.type)) for field in told}
        rows = [
            (f"`{name}`", allowed.get(name, ""), means.replace("None", "null"))
            for name, means in documented_fields(record).items()
        ]
        head = title if not title or " " in title else f"The object `{title}`"
        narrow = all(not values for _, values, _ in rows)
        grid = (
            _grid(("Field", "Meaning"), [(name, means) for name, _, means in rows])
            if narrow
            else _grid(("Field", "Values", "Meaning"), rows)
        )
        parts += [*([f"{head}:"] if head else []), grid]
    return "\n\n".join(parts) + "\n"


def metrics_page(families: Iterable[Family]) -> str:
    """What each metric of each family means."""
    parts = []
    for record in families:
        glossary: Mapping[str, str] = family_module("scoring", record.name).GLOSSARY
        rows = [(f"`{name}`", means) for name, means in glossary.items()]
        parts.append(f"Figures of the family `{record.name}`:\n\n{_grid(('Metric', 'Meaning'), rows)}")
    return "\n\n".join(parts) + "\n"


def _literals(hint: object) -> tuple[str, ...]:
    """The texts that a type allows, where it lists them."""
    if get_origin(hint) is Literal:
        return tuple(get_args(hint))
    return tuple(value for part in get_args(hint) if get_origin(part) is Literal for value in get_args(part))


def documented_fields(record: type) -> dict[str, str]:
    """Name and meaning of each field, from the section `Args` of a docstring."""
    text = (inspect.getdoc(record) or "").partition("Args:\n")[2]
    return {name: " ".join(means.split()) for name, means in _DOCUMENTED.findall(text)}


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
