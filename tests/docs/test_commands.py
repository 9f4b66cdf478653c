"""Every `earmark` command that the documentation prints is one that the program has."""

from __future__ import annotations

import re

import pytest
from tests.docs.reading import DOCS, ROOT, console_commands, program_problem, table_rows

PAGES = [ROOT / "README.md", *(page for page in sorted(DOCS.rglob("*.md")) if "_build" not in page.parts)]
COMMANDS = [(page.relative_to(ROOT).as_posix(), *found) for page in PAGES for found in console_commands(page)]


@pytest.mark.parametrize(("page", "line", "command"), COMMANDS)
def test_printed_command_exists(page: str, line: int, command: str) -> None:
    assert program_problem(command) is None, f"{page}:{line}"


def test_every_verb_is_found_from_the_first_page() -> None:
    """In a row of its own, with the page that tells of it."""
    from earmark.cli.main import app

    named = {
        name for group in app.registered_groups if group.typer_instance and (name := group.typer_instance.info.name)
    }
    verbs = named | {
        command.name or command.callback.__name__ for command in app.registered_commands if command.callback is not None
    }
    rows = [row.cells for row in table_rows(DOCS / "index.md") if "Verb" in row.cells]
    assert sorted(row["Verb"] for row in rows) == sorted(f"`earmark {verb}`" for verb in verbs)
    for row in rows:
        pages = re.findall(r"\]\(([^)#]+)\)", row["Told in"])
        assert pages
        assert [page for page in pages if not (DOCS / page).is_file()] == []
        told = "".join((DOCS / page).read_text(encoding="utf-8") for page in pages)
        assert row["Verb"].strip("`") in told, f"{row['Verb']} is named on none of {pages}"
