"""Reads the documentation's tables and commands, and looks up whether what they name exists."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.console import tree_of

if TYPE_CHECKING:
    from typer import Typer

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"

_CODE = re.compile(r"`([^`]+)`")
_SPLIT = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True)
class Row:
    """A line of a Markdown table: the heading above the table, the line's number, the cells by column name."""

    section: str
    line: int
    cells: dict[str, str]

    def code(self, column: str) -> list[str]:
        """What stands between backticks in a cell."""
        return _CODE.findall(self.cells[column])


def table_rows(page: Path) -> Iterator[Row]:
    """Every row of every table of a page.

    Raises:
        ValueError: If a row has not as many cells as its header.
    """
    section, header = "", None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("#"):
            section = line.lstrip("# ")
        if not line.startswith("|"):
            header = None
            continue
        cells = [cell.strip() for cell in _SPLIT.split(line.strip()[1:-1])]
        if header is None:
            header = cells
        elif len(cells) != len(header):
            raise ValueError(f"{page.name}:{number} has {len(cells)} cells under {len(header)} columns")
        elif not set("".join(cells)) <= set("-: "):
            yield Row(section, number, dict(zip(header, cells, strict=True)))


def module_exists(name: str) -> bool:
    """Whether a dotted name can be imported, the packages above it included."""
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def named_test_exists(reference: str) -> bool:
    """Whether `tests/…/test_x.py::test_y`, or the file alone, is there."""
    file, _, name = reference.partition("::")
    path = ROOT / file
    if not (file.startswith("tests/") and path.is_file()):
        return False
    names = {
        node.name for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.FunctionDef)
    }
    return name in names if name else any(found.startswith("test_") for found in names)


def libraries_imported(name: str) -> set[str]:
    """Top-level names that a module, or a file, imports, wherever in it the import stands; a test may skip without them."""
    path = ROOT / name if name.endswith(".py") else Path(str(import_module(name).__file__))
    source = path.read_text(encoding="utf-8")
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "importorskip":
            found |= {str(value.value).partition(".")[0] for value in node.args if isinstance(value, ast.Constant)}
    return found


def console_commands(page: Path) -> Iterator[tuple[int, str]]:
    """The `earmark …` lines of a page's console blocks with their line numbers, continuations joined."""
    inside, pending, start = False, "", 0
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        if line.lstrip().startswith("```"):
            inside = not inside and line.strip() in {"```console", "```sh", "```bash"}
            pending = ""
            continue
        if not inside:
            continue
        text = line.strip().removeprefix("$ ")
        start = start if pending else number
        pending += text.removesuffix("\\")
        if text.endswith("\\"):
            continue
        command = _alone(pending.removeprefix("python -m "))
        pending = ""
        if command == "earmark" or command.startswith("earmark "):
            yield start, command


def _alone(line: str) -> str:
    """A command without the comment behind it, the file that it writes to, and what the shell does next."""
    return re.split(r" #| [0-9]?>| \|| &&|; ", line)[0].strip()


def command_problem(command: str, app: Typer) -> str | None:
    """What is wrong with an `earmark …` command, or None: its verbs, its options, the number of its arguments."""
    words = shlex.split(command)[1:]
    node = tree_of(app)
    while words and hasattr(node, "get_command"):
        verb = words.pop(0)
        found = node.get_command(None, verb)
        if found is None:
            return f"there is no command {verb!r}"
        node = found
    options = {opt: param for param in node.params for opt in (*param.opts, *param.secondary_opts) if opt[0] == "-"}
    arguments = [param for param in node.params if param.param_type_name == "argument"]
    given = 0
    while words:
        word = words.pop(0)
        name, _, value = word.partition("=")
        if not word.startswith("-"):
            given += 1
        elif name not in options and name != "--help":
            return f"{node.name} has no option {name}"
        elif name != "--help" and not options[name].is_flag and not value:
            # In a table a command names its option without a value.
            words = words[1:]
    if not any(param.nargs == -1 for param in arguments) and given > sum(param.nargs for param in arguments):
        return f"{node.name} takes {len(arguments)} arguments, not {given}"
    return None


def program_problem(command: str) -> str | None:
    """The same for the program itself."""
    from earmark.cli.main import app

    return command_problem(command, app)
