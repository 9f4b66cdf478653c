"""Nothing here hangs on one system: by reading the source, and by consoles that show less than UTF-8."""

from __future__ import annotations

import ast
import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import earmark
from earmark.manifests.release import Release

ROOT = Path(earmark.__file__).parent
SOURCES = sorted(ROOT.rglob("*.py"))
UNIX_MODULES = {"crypt", "fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"}
UNIX_CALLS = {
    "chmod", "chown", "fork", "forkpty", "getpgid", "geteuid", "getuid", "killpg", "link", "lstat", "mkfifo", "mknod", "nice",
    "setsid", "symlink", "symlink_to", "umask", "uname", "wait", "waitpid",
}  # fmt: skip


@cache
def parsed() -> tuple[tuple[str, ast.AST], ...]:
    """Every node of every module that is looked at here."""
    looked_at = (ast.Call, ast.Import, ast.ImportFrom, ast.Attribute)
    collecting = gc.isenabled()
    gc.disable()  # a million nodes are looked through again and again, and none of them is let go
    try:
        return tuple(
            (path.relative_to(ROOT).as_posix(), node)
            for path in SOURCES
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, looked_at)
        )
    finally:
        if collecting:
            gc.enable()


def calls() -> Iterator[tuple[str, str, ast.Call]]:
    """Every call by the last part of its name."""
    for path, node in parsed():
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            yield f"{path}:{node.lineno}", name, node


def named(call: ast.Call) -> set[str | None]:
    return {keyword.arg for keyword in call.keywords}


OPEN_NO_TEXT = {"wave", "Ledger", "os", "tarfile"}
"""Names whose `open` gives no text file."""


def opens_text(name: str, call: ast.Call) -> bool:
    """Whether a call opens a file as text."""
    by = getattr(call.func.value, "id", "") if isinstance(call.func, ast.Attribute) else ""
    return name == "open" and by not in OPEN_NO_TEXT and "b" not in mode(call)


def of_a_path(name: str, call: ast.Call) -> bool:
    """Whether a call reads or writes a whole text; a function of that name is one of ours, which calls the method."""
    return name in ("read_text", "write_text") and isinstance(call.func, ast.Attribute)


def mode(call: ast.Call) -> str:
    """The mode in which a call opens: its own or the default."""
    at = 0 if isinstance(call.func, ast.Attribute) else 1
    given = [*call.args[at : at + 1], *(keyword.value for keyword in call.keywords if keyword.arg == "mode")]
    return str(given[0].value) if given and isinstance(given[0], ast.Constant) else "r"


def test_no_module_is_one_systems_own() -> None:
    imported = {
        (path, name.partition(".")[0])
        for path, node in parsed()
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert ("cli/main.py", "typer") in imported
    assert [entry for entry in imported if entry[1] in UNIX_MODULES] == []


def test_no_call_is_one_systems_own() -> None:
    found = [
        (place, name)
        for place, name, call in calls()
        if name in UNIX_CALLS and isinstance(call.func, ast.Attribute) and getattr(call.func.value, "id", "os") == "os"
    ]
    assert found == []
    assert not any(isinstance(node, ast.Attribute) and node.attr in ("SIGKILL", "SIGHUP") for _, node in parsed())


def test_every_text_file_says_its_encoding() -> None:
    texts = [(place, name, call) for place, name, call in calls() if of_a_path(name, call) or opens_text(name, call)]
    assert len(texts) > 5
    positional = {"read_text": 1, "write_text": 2}
    without = [
        place
        for place, name, call in texts
        if "encoding" not in named(call) and len(call.args) < positional.get(name, 9)
    ]
    assert without == []


def test_every_text_that_is_written_says_its_line_ends() -> None:
    written = [
        (place, call)
        for place, name, call in calls()
        if (name == "write_text" and of_a_path(name, call)) or (opens_text(name, call) and set(mode(call)) & set("wax"))
    ]
    assert written
    assert [place for place, call in written if "newline" not in named(call)] == []


def test_every_process_says_its_encoding() -> None:
    started = [(place, call) for place, name, call in calls() if name in ("Popen", "check_output")]
    text = [place for place, call in started if named(call) & {"text", "universal_newlines"}]
    assert [place for place, call in started if place in text and "encoding" not in named(call)] == []


def test_names_in_a_release_are_names_everywhere(miniature_release: Release) -> None:
    reserved = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}
    names = [path.relative_to(miniature_release.path) for path in miniature_release.path.rglob("*")]
    for name in names:
        for part in name.parts:
            assert part == part.lower() == part.rstrip(". ")
            assert part.partition(".")[0] not in reserved
            assert set(part) <= set("abcdefghijklmnopqrstuvwxyz0123456789_.-")
    assert len({str(name).casefold() for name in names}) == len(names)
    assert max(len(name.as_posix()) for name in names) < 60


ENCODINGS = ["cp1252", "ascii", "utf-8"]

TYPED = [
    ("--help",),
    ("build", "--help"),
    ("score", "-h"),
    ("build", "stance", "--print-recipe"),
    ("build", "stance", "--colour"),
    ("info", "RELEASE"),
    ("info", "RELEASE", "--json"),
    ("validate", "RELEASE"),
    ("info", "no-such-\u6f22-release"),
    ("paper", "stancebench"),
]
"""What is typed on every console."""

IN_TURN = """\
import json, os, sys, traceback
from earmark.cli.main import main

folder, *typed = json.loads(sys.argv[1])
for place, words in enumerate(typed):
    for stream, descriptor in ((sys.stdout, 1), (sys.stderr, 2)):
        file = os.open(os.path.join(folder, f"{place}.{descriptor}"), os.O_WRONLY | os.O_CREAT)
        os.dup2(file, descriptor)
        os.close(file)
    sys.argv, code = ["earmark", *words], "none"
    try:
        main()
    except SystemExit as done:
        code = done.code
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    with open(os.path.join(folder, f"{place}.code"), "w", encoding="ascii", newline="") as file:
        file.write(repr(code))
"""
"""Types one line after the other on the same console, and keeps what each prints; Python starts once for all of them."""


class Said(NamedTuple):
    """What a line came to, in the bytes that the console got."""

    code: str
    out: bytes
    err: bytes


@pytest.fixture(scope="module")
def said_on(miniature_release: Release, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], list[Said]]:
    """What all lines come to on a console of an encoding."""

    @cache
    def typed(encoding: str) -> list[Said]:
        folder = tmp_path_factory.mktemp(encoding)
        filled = [[str(miniature_release.path) if word == "RELEASE" else word for word in words] for words in TYPED]
        subprocess.run(
            [sys.executable, "-c", IN_TURN, json.dumps([str(folder), *filled])],
            env={**os.environ, "COLUMNS": "100", "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
            stdin=subprocess.DEVNULL,
            check=True,
            timeout=120,
        )
        return [
            Said(
                (folder / f"{place}.code").read_text(encoding="ascii"),
                *((folder / f"{place}.{descriptor}").read_bytes() for descriptor in (1, 2)),
            )
            for place in range(len(TYPED))
        ]

    return typed


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("words", TYPED, ids=" ".join)
def test_any_console_can_show_what_is_said(
    said_on: Callable[[str], list[Said]], words: tuple[str, ...], encoding: str
) -> None:
    said = said_on(encoding)[TYPED.index(words)]
    assert said.code in ("0", "2")
    assert (said.code == "2") == (words[-1] == "--colour" or "no-such" in words[-1])
    assert b"Traceback" not in said.err
    assert b"Error" not in said.err or words[-1] == "--colour"
    text = (said.out + said.err).decode(encoding)
    assert text
    if "--json" in words:
        assert json.loads(said.out)["release"]["name"] == "mini"


def test_a_reader_who_leaves_early_sees_no_traceback(miniature_release: Release, tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as gone:
        said = subprocess.run(
            [sys.executable, "-m", "earmark", "info", str(miniature_release.path)],
            stdout=gone,
            stderr=subprocess.PIPE,
            check=False,
            timeout=60,
        )
    assert (said.returncode, said.stderr) == (2, b"")
