"""Cells that spreadsheets, Markdown and LaTeX take for text, whatever is in them."""

from __future__ import annotations

import csv
import io
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.pages.cells import NamedTable, csv_cell, csv_text, latex_cell, latex_text, markdown_text

HOSTILE = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    [
        "=HYPERLINK(1)",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        " =1",
        "＝1",
        "|cmd",
        "a\nb",
        '"',
        "a|b",
        "$x$",
        "\\input{x}",
    ]
)
CELLS = st.none() | st.integers(-5, 5) | st.floats(-2, 2) | HOSTILE


def table(cell: object) -> NamedTable:
    return NamedTable("t", "What it shows.", ("name", "value"), (("a", cell), ("b", 1.5)))  # type: ignore[arg-type]


@settings(max_examples=25)
@given(CELLS)
def test_no_text_is_a_formula_and_numbers_stay_numbers(cell: str | float | None) -> None:
    [head, first, second] = list(csv.reader(io.StringIO(csv_text(table(cell)))))
    assert (head, second) == (["name", "value"], ["b", "1.5"])
    if isinstance(cell, str):
        assert not re.match(r"\s*[=+\-@＝＋－＠|%\t\r\n]", first[1])
        assert "\n" not in first[1]
    elif cell is None:
        assert first[1] == ""
    else:
        assert float(first[1]) == pytest.approx(cell, rel=1e-5, abs=1e-300)


@settings(max_examples=25)
@given(HOSTILE)
def test_markdown_has_as_many_cells_as_columns(cell: str) -> None:
    lines = markdown_text(table(cell)).splitlines()
    assert len(lines) == 6
    for line in lines[2:]:
        assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == 3
    assert not re.search(r"(?<!\\)(?:\\\\)*<", lines[4])


@settings(max_examples=25)
@given(HOSTILE)
def test_latex_has_no_command_but_ours(cell: str) -> None:
    known = (
        r"\\text(backslash|asciitilde|asciicircum|less|greater|bar|quotedbl)\{\}|\\[{}$&#%_]|\\dag\{\}|\$-\$|\$\\leq\$"
    )
    left = re.sub(known, "", latex_cell(cell))
    assert not set(left) & set("\\{}$&#%_^")
    row = latex_text(table(cell)).splitlines()[6]
    assert len(re.findall(r"(?<!\\)&", row)) == 1


def test_long_text_is_cut() -> None:
    assert csv_cell("x" * 2000).endswith("(2,000 characters)")
