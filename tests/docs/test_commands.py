"""Every `earmark` command that the documentation prints is one that the program has."""

from __future__ import annotations

import pytest
from tests.docs.reading import DOCS, ROOT, console_commands, program_problem

PAGES = [ROOT / "README.md", *(page for page in sorted(DOCS.rglob("*.md")) if "_build" not in page.parts)]
COMMANDS = [(page.relative_to(ROOT).as_posix(), *found) for page in PAGES for found in console_commands(page)]


@pytest.mark.parametrize(("page", "line", "command"), COMMANDS)
def test_printed_command_exists(page: str, line: int, command: str) -> None:
    assert program_problem(command) is None, f"{page}:{line}"
