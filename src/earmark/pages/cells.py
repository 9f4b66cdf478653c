"""Tables as CSV, Markdown and LaTeX, each cell spelled so that whatever opens the file takes it for text or for a number.

A spreadsheet runs what begins like a formula, Markdown and LaTeX have signs of their own, and names of judges are a stranger's.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TypeAlias

from earmark.pages.shown import shown

Cell: TypeAlias = str | int | float | None
"""Text, a number, or nothing."""

_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n", "|", "%")
_MARKDOWN = frozenset("\\`*_{}[]<>()#+!|~&$")
_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "−": "$-$",
    "—": "---",
    "–": "--",
    "†": r"\dag{}",
    "≤": r"$\leq$",
    "\N{NO-BREAK SPACE}": "~",
}


@dataclass(frozen=True)
class NamedTable:
    """A table that stands in a file of its own.

    Args:
        name: Name of the file, without its ending.
        caption: What it shows, in a sentence.
        head: Column heads.
        rows: One cell per column; numbers are numbers.
    """

    name: str
    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def csv_cell(cell: Cell) -> str:
    """A cell of a CSV file: a number as it is, text that a spreadsheet would run behind an apostrophe.

    >>> csv_cell("=1+1"), csv_cell(-0.25), csv_cell("-0.25"), csv_cell(" @x"), csv_cell(None), csv_cell("a=b")
    ("'=1+1", '-0.25', "'-0.25", "' @x", '', 'a=b')
    """
    if not isinstance(cell, str):
        return number_text(cell)
    text = shown(cell, 1000)
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text


def number_text(cell: float | None) -> str:
    """A number to six significant digits; nothing where there is none.

    >>> number_text(1 / 3), number_text(12), number_text(-0.0), number_text(None)
    ('0.333333', '12', '0', '')
    """
    if cell is None:
        return ""
    return str(cell) if isinstance(cell, int) else f"{float(f'{cell:.6g}') + 0.0:g}"


def markdown_cell(cell: Cell) -> str:
    r"""A cell of a Markdown table.

    >>> markdown_cell("a|b <c>"), markdown_cell("*x*"), markdown_cell(-0.25)
    ('a\\|b \\<c\\>', '\\*x\\*', '-0.25')
    """
    if not isinstance(cell, str):
        return number_text(cell)
    return "".join(f"\\{letter}" if letter in _MARKDOWN else letter for letter in shown(cell, 1000))


def latex_cell(cell: Cell) -> str:
    r"""A cell of a LaTeX table.

    >>> latex_cell("50% \\input{x}_y"), latex_cell(-0.25)
    ('50\\% \\textbackslash{}input\\{x\\}\\_y', '$-$0.25')
    """
    text = shown(cell, 1000) if isinstance(cell, str) else number_text(cell).replace("-", "−")
    return "".join(_LATEX.get(letter, letter) for letter in text)


def csv_text(table: NamedTable) -> str:
    """The table as CSV (RFC 4180 with line feeds)."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in (table.head, *table.rows):
        writer.writerow([csv_cell(cell) for cell in row])
    return text.getvalue()


def markdown_text(table: NamedTable) -> str:
    """The table as Markdown, under its caption."""
    lines = ["| " + " | ".join(markdown_cell(cell) for cell in row) + " |" for row in (table.head, *table.rows)]
    rule = "|" + "|".join(" ---: " if right else " --- " for right in _right(table)) + "|"
    return "\n".join([table.caption, "", lines[0], rule, *lines[1:], ""])


def latex_text(table: NamedTable) -> str:
    """The table as LaTeX, over as many pages as it needs; it wants the packages longtable and booktabs."""
    columns = "".join("r" if right else "l" for right in _right(table))
    head, *rows = (" & ".join(latex_cell(cell) for cell in row) + r" \\" for row in (table.head, *table.rows))
    return "\n".join(
        [
            rf"\begin{{longtable}}{{{columns}}}",
            rf"\caption{{{latex_cell(table.caption)}}} \\",
            r"\toprule",
            head,
            r"\midrule",
            r"\endhead",
            *rows,
            r"\bottomrule",
            r"\end{longtable}",
            "",
        ]
    )


def _right(table: NamedTable) -> list[bool]:
    """Which columns hold numbers."""
    columns = list(zip(*table.rows, strict=True)) if table.rows else [()] * len(table.head)
    return [bool(column) and all(not isinstance(cell, str) for cell in column) for column in columns]
