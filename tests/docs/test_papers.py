"""Every row of `docs/papers.md` is true: what it says is here exists, what it says is planned does not."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from tests.docs.reading import DOCS, Row, module_exists, named_test_exists, program_problem, table_rows

PLANNED = frozenset({"pairs", "dialogues", "marking", "publishing"})
COLUMNS = ["In the paper", "What it fixes, and what Earmark does", "Module", "Command", "Test", "Status"]
PRINTED = {
    "StanceBench": {"Figure 2"},
    "ParaPairAudioBench": {"Figure 1", "Figure 2a", "Figure 2b", *(f"Table {n}" for n in range(1, 5))},
    "SpeechEQ": {
        *(f"Figure {n}" for n in range(1, 5)),
        *(f"Table {n}" for n in range(1, 7)),
        *(f"Equation {n}" for n in range(1, 4)),
    },
}

ROWS = list(table_rows(DOCS / "papers.md"))


def place(row: Row) -> str:
    return f"{row.section}, line {row.line}: {row.cells[COLUMNS[0]]}"


@pytest.mark.parametrize("row", ROWS, ids=place)
def test_row_is_true(row: Row) -> None:
    assert list(row.cells) == COLUMNS
    modules, commands, tests = row.code("Module"), row.code("Command"), row.code("Test")
    assert [name for name in tests if not named_test_exists(name)] == []
    kind, _, rest = row.cells["Status"].partition(": ")
    if kind == "here":
        assert modules, "a row that is here names its module"
        assert tests, "a row that is here names a test"
        assert [name for name in modules if not module_exists(name)] == []
        assert {command: problem for command in commands if (problem := program_problem(command))} == {}
    elif kind == "planned":
        assert rest in PLANNED
        assert modules, "a planned row names the module that will hold it"
        assert not all(module_exists(name) for name in modules), "all that this row names exists: say `here`"
    else:
        assert kind == "not"
        assert len(rest) > len("no reason"), "a row that is not here says why"


@pytest.mark.parametrize("row", ROWS, ids=place)
def test_names_are_spelt_as_code(row: Row) -> None:
    """A module or a test outside backticks would escape every other check."""
    for column in ("Module", "Command", "Test"):
        outside = re.sub(r"`[^`]+`", "", row.cells[column])
        assert set(outside) <= set(", –"), f"{column} says {row.cells[column]!r}"
    assert all(name.startswith("earmark.") for name in row.code("Module"))
    assert all(command.startswith("earmark ") for command in row.code("Command"))


@pytest.mark.parametrize("paper", PRINTED)
def test_every_numbered_thing_has_a_row(paper: str) -> None:
    labels = {row.cells[COLUMNS[0]].partition(":")[0] for row in ROWS if row.section == paper}
    numbered = {label for label in labels if label.startswith(("Table", "Figure", "Equation"))}
    assert numbered == PRINTED[paper]


def test_no_row_stands_twice() -> None:
    counts = Counter((row.section, row.cells[COLUMNS[0]]) for row in ROWS)
    assert [name for name, count in counts.items() if count > 1] == []
