"""A build's report for people, whatever a family puts into it: facts as lines, records as tables, long tables by their size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from earmark.cli.tables import pairs, table
from earmark.manifests.canonical import Json

MOST_ROWS = 12
"""Longest table that is printed; JSON has all of them."""

Record = Mapping[str, Json]
NamedRecord = tuple[tuple[str, ...], Record]
"""The names of the mappings that a record stands in, and the record."""


@dataclass
class _Parts:
    """What a report comes to, in its order."""

    facts: list[tuple[str, str]] = field(default_factory=list)
    tables: list[tuple[str, list[NamedRecord]]] = field(default_factory=list)


def report_text(report: Record) -> str:
    """A report as aligned lines and tables.

    Args:
        report: Plain values. A list of records is a table, and so are records in a mapping, with their names before them.

    >>> print(report_text({"sampled": 2, "sample": {"share": 0.25, "roles": [{"role": "Warm", "taken": 2}]}}))
    sampled  2
    sample   share 25 %
    <BLANKLINE>
    sample roles
      role  taken
      Warm      2
    """
    parts = _Parts()
    _collect(report, parts)
    blocks = [pairs(parts.facts)] if parts.facts else []
    blocks += [_table(name, records) for name, records in parts.tables if len(records) <= MOST_ROWS]
    blocks += [f"{name}: {len(long)} rows, which --json prints" for name, long in parts.tables if len(long) > MOST_ROWS]
    return "\n\n".join(blocks)


def _collect(report: Record, parts: _Parts, within: str = "") -> None:
    for key, value in report.items():
        name = f"{within} {_words(key)}".strip()
        records = list(_records(value))
        if records:
            parts.tables.append((name, records))
        elif isinstance(value, Mapping):
            facts = [f"{_words(inner)} {_cell(inner, fact)}" for inner, fact in value.items() if _is_fact(fact)]
            if facts or not value:
                parts.facts.append((name, ", ".join(facts) or "none"))
            _collect({inner: entry for inner, entry in value.items() if not _is_fact(entry)}, parts, name)
        else:
            parts.facts.append((name, _cell(key, value)))


def _records(value: Json) -> Iterator[NamedRecord]:
    """The records of a table; none of what is no table."""
    if isinstance(value, Mapping):
        entries = list(value.items())
        if all(isinstance(entry, Mapping) for _, entry in entries):
            for name, entry in entries:
                if isinstance(entry, Mapping) and entry and all(map(_is_fact, entry.values())):
                    yield (_words(name),), entry
                else:
                    yield from (((_words(name), *names), record) for names, record in _records(entry))
    elif isinstance(value, list | tuple):
        yield from (((), record) for record in value if isinstance(record, Mapping))


def _is_fact(value: Json) -> bool:
    return not isinstance(value, Mapping) and not (
        isinstance(value, list | tuple) and bool(value) and isinstance(value[0], Mapping)
    )


def _table(name: str, records: list[NamedRecord]) -> str:
    depth = max(len(names) for names, _ in records)
    columns = list(dict.fromkeys(column for _, record in records for column in record))
    rows = [
        [*names, *[""] * (depth - len(names)), *(_cell(column, record.get(column)) for column in columns)]
        for names, record in records
    ]
    right = {
        at
        for at, column in enumerate(columns, start=depth)
        if all(isinstance(record.get(column), int | float | None) for _, record in records)
    }
    drawn = table([*[""] * depth, *map(_words, columns)], rows, right=right)
    return "\n".join([name, *(f"  {line}" for line in drawn.splitlines())])


def _words(name: str) -> str:
    return name.replace("_", " ")


def _cell(name: str, value: Json) -> str:
    match value:
        case None:
            return "—"
        case bool():
            return "yes" if value else "no"
        case float() if name.endswith("share"):
            return f"{100 * value:.3g} %"
        case float():
            return f"{value:.4g}"
        case list() | tuple():
            return ", ".join(_cell(name, entry) for entry in value) or "none"
        case _:
            return str(value)
