"""The readers of the documentation's tables and commands see what is wrong with them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import pytest
import typer
from tests.docs.reading import (
    command_problem,
    console_commands,
    libraries_imported,
    module_exists,
    named_test_exists,
    table_rows,
)

HERE = "tests/docs/test_reading.py"


def toy_app() -> typer.Typer:
    app, panel = typer.Typer(), typer.Typer()

    @app.command()
    def score(
        file: str, release: Annotated[str, typer.Option()], json: Annotated[bool, typer.Option("--json")] = False
    ) -> None:
        """Mark."""

    @app.command()
    def compare(files: list[str]) -> None:
        """Compare."""

    @panel.command()
    def draw(release: str) -> None:
        """Draw."""

    @panel.command()
    def read(release: str) -> None:
        """Read."""

    app.add_typer(panel, name="panel")
    return app


@pytest.mark.parametrize(
    "command",
    [
        "earmark",
        "earmark score",
        "earmark score FILE --release DIR --json",
        "earmark score --json FILE --release=DIR",
        "earmark score --help",
        "earmark compare A B C",
        "earmark panel draw DIR",
    ],
)
def test_right_commands_pass(command: str) -> None:
    assert command_problem(command, toy_app()) is None


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("earmark mark FILE", "there is no command 'mark'"),
        ("earmark panel sheet", "there is no command 'sheet'"),
        ("earmark score FILE --answers DIR", "score has no option --answers"),
        ("earmark score FILE --release DIR OTHER", "score takes 1 arguments, not 2"),
        ("earmark score FILE --json OTHER", "score takes 1 arguments, not 2"),
    ],
)
def test_wrong_commands_are_named(command: str, problem: str) -> None:
    assert command_problem(command, toy_app()) == problem


def test_console_commands_are_found_in_blocks_only(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "earmark prose\n\n```sh\n$ earmark demo --out d  # writes d\nmake demo\npython -m earmark info \\\n  d\n"
        "  earmark build f --print-recipe > r.toml\nearmark check f 2>&1 | more\nearmark info d || echo no\n```\n"
        "```python\nearmark code\n```\n```console\nearmark check f\n```\n",
        encoding="utf-8",
    )
    assert list(console_commands(page)) == [
        (4, "earmark demo --out d"),
        (6, "earmark info d"),
        (8, "earmark build f --print-recipe"),
        (9, "earmark check f"),
        (10, "earmark info d"),
        (16, "earmark check f"),
    ]


def test_table_rows_know_their_section_and_keep_escaped_bars(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# One\n\n| A | B |\n|---|---|\n| `x` | a \\| b |\n\n## Two\n| C |\n|---|\n| y |\n", encoding="utf-8"
    )
    rows = list(table_rows(page))
    assert [(row.section, row.line, row.cells) for row in rows] == [
        ("One", 5, {"A": "`x`", "B": "a \\| b"}),
        ("Two", 10, {"C": "y"}),
    ]
    assert rows[0].code("A") == ["x"]


def test_a_row_of_another_width_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("| A | B |\n|---|---|\n| x |\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"page\.md:3 has 1 cells under 2 columns"):
        list(table_rows(page))


def test_what_is_named_is_looked_up() -> None:
    assert module_exists("earmark.manifests.tables")
    assert not module_exists("earmark.manifests.chairs")
    assert not module_exists("earmark.nowhere.chairs")
    assert named_test_exists(f"{HERE}::test_what_is_named_is_looked_up")
    assert named_test_exists(HERE)
    assert not named_test_exists(f"{HERE}::test_what_is_named_is_overlooked")
    assert not named_test_exists("tests/docs/reading.py")
    assert not named_test_exists("src/earmark/__init__.py")
    assert "pyarrow" in libraries_imported("earmark.manifests.tables")
    assert "librosa" not in libraries_imported("earmark.manifests.tables")
    assert "datasets" in libraries_imported("tests/manifests/test_loading_elsewhere.py")
