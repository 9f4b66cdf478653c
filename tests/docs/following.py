"""Follows a page of the documentation as a reader would: writes its files, types its commands, compares what it shows.

What a fenced block is for is said by its language:

- `toml`, `python` or `text` whose first line is a comment with a file name: that file, written as shown, without that line
  where the format has no comments;
- `sh`: commands, each of which must end well, or with the code that a comment `# exits 1` behind it names;
- `text` right behind `sh`: the output of the block's last command, where `...` stands for anything;
- `pycon`: a Python session in the same folder, checked as a doctest;
- `console`: commands that are not for this machine, such as those that need a model; they are not run.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r"^```(?P<language>[a-z]+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r"^# ?(?P<name>[\w.-]+\.(?:py|toml|csv|jsonl))$", re.MULTILINE)
_EXITS = re.compile(r"# exits (?P<code>\d+)")
_SAME = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    """A fenced block: the line that it begins at, its language, its text, and whether it stands right behind another."""

    line: int
    language: str
    text: str
    behind: bool


def blocks(page: str) -> Iterator[Block]:
    """Every fenced block of a page."""
    end = -1
    for match in _BLOCK.finditer(page):
        behind = not page[end : match.start()].strip() if end >= 0 else False
        yield Block(page.count("\n", 0, match.start()) + 1, match["language"], match["text"], behind)
        end = match.end()


def commands(text: str) -> Iterator[str]:
    """The commands of a block, continuations joined."""
    for line in text.replace("\\\n", " ").splitlines():
        if line.split("#")[0].strip():
            yield line.strip()


def follow(page: Path, folder: Path, *, compare: bool = True, apart: bool = True) -> list[str]:
    """Follow a page in a folder.

    Args:
        page: The page.
        folder: Where its commands are typed.
        compare: Whether outputs must be those shown; without it only exit codes must.
        apart: Whether each `earmark` command is a process of its own, as a reader's is; without it the program's own entry point
            is called in this one, which need not import everything again for each.

    Returns:
        What was not as the page says, a text for each; empty where all was.
    """
    problems, output, names = [], "", dict[str, object]()
    for block in blocks(page.read_text(encoding="utf-8")):
        place = f"{page.name}:{block.line}"
        if block.language == "sh":
            for command in commands(block.text):
                code, output = _typed(command, folder, apart)
                owed = int(match["code"]) if (match := _EXITS.search(command)) else 0
                if code != owed:
                    problems.append(f"{place}: {command!r} exits with {code}, not {owed}\n{output}")
        elif named := _NAMED.match(block.text):
            text = block.text if named["name"].endswith((".py", ".toml")) else block.text.partition("\n")[2]
            (folder / named["name"]).write_text(text, encoding="utf-8", newline="\n")
        elif block.language == "text" and block.behind:
            if compare and not doctest.OutputChecker().check_output(block.text, output, _SAME):
                problems.append(f"{place}: the page shows\n{block.text}\nand the output is\n{output}")
        elif block.language == "pycon" and compare:
            problems += [f"{place}: {problem}" for problem in _session(block, page.name, folder, names)]
    return problems


def _typed(command: str, folder: Path, apart: bool) -> tuple[int, str]:
    words = shlex.split(command, comments=True)
    target = words[words.index(">") + 1] if ">" in words else None
    words = words[: words.index(">")] if target else words
    if words[0] not in {"earmark", "python"}:
        return -1, f"{words[0]} is not for a page to call"
    call = _called if words[0] == "earmark" and not apart else _started
    code, out, err = call(words, folder)
    if target:
        (folder / target).write_text(out, encoding="utf-8", newline="\n")
    return code, out + err


def _started(words: list[str], folder: Path) -> tuple[int, str, str]:
    """A process: its exit code, and what it printed and complained of."""
    python = [sys.executable, "-W", "error"]
    line = [*python, "-m", *words] if words[0] == "earmark" else [*python, *words[1:]]
    environment = {**os.environ, "PYTHONUTF8": "1"}
    done = subprocess.run(line, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False)
    return done.returncode, done.stdout, done.stderr


def _called(words: list[str], folder: Path) -> tuple[int, str, str]:
    """The same of the program in this process; pytest makes errors of its warnings."""
    from earmark.cli.main import main

    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n") for _ in range(2))
    code, argv = 0, sys.argv
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        sys.argv = words
        try:
            main()
        except SystemExit as done:
            code = done.code if isinstance(done.code, int) else int(done.code is not None)
        finally:
            sys.argv = argv
    out.seek(0)
    err.seek(0)
    return code, out.read(), err.read()


def _session(block: Block, name: str, folder: Path, names: dict[str, object]) -> list[str]:
    """Run a block as a doctest; what it names is known to the blocks behind it."""
    test = doctest.DocTestParser().get_doctest(block.text, names, name, name, block.line)
    told: list[str] = []
    with contextlib.chdir(folder):
        doctest.DocTestRunner(optionflags=_SAME).run(test, out=told.append, clear_globs=False)
    names.update(test.globs)
    return told
