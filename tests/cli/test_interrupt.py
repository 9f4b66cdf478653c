"""Ctrl-C while the command line is still being imported: one line, exit code 130, never a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there is no such signal")

AT_IMPORT = """\
import signal, sys, weakref
from earmark.__main__ import main

class Thing: pass

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            if not {in_callback!r}:
                signal.raise_signal(signal.SIGINT)
            # As the import system does it; what is raised in a callback Python prints and ignores.
            thing = Thing()
            watched = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGINT))
            del thing

sys.meta_path.insert(0, Interrupting())
sys.argv = ["earmark", *{words!r}]
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs begin with it ignored
main()
"""

AFTER_A_WHILE = """\
import os, signal, sys
from earmark.__main__ import main
sys.argv = ["earmark", "--version"]
signal.signal(signal.SIGINT, signal.default_int_handler)
os.write(1, b".")
main()
"""

TOLD = (130, b"earmark: interrupted\n")


def test_the_program_starts_where_interrupts_are_minded() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["scripts"] == {"earmark": "earmark.__main__:main"}


@pytest.mark.parametrize(
    ("name", "in_callback", "words"),
    [
        ("earmark.cli.main", False, ["--version"]),
        ("typer", False, ["--version"]),
        ("typer", True, ["--version"]),
        ("earmark.pages.shown", False, ["present", "absent", "--out", "absent", "--corpus", "x"]),
    ],
    ids=["at-first", "typer", "typer-callback", "telling-of-an-error"],
)
def test_an_interrupt_at_an_import(name: str, in_callback: bool, words: Sequence[str]) -> None:
    code = AT_IMPORT.format(name=name, in_callback=in_callback, words=words)
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, timeout=60)
    assert (ran.returncode, ran.stderr, ran.stdout) == (*TOLD, b"")


@pytest.mark.slow
def test_an_interrupt_at_any_time() -> None:
    """From the moment in which our own code runs: before, Python says its own."""
    ends = set()
    for step in range(21):
        with subprocess.Popen(
            [sys.executable, "-c", AFTER_A_WHILE], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as child:
            assert child.stdout is not None
            assert child.stdout.read(1) == b"."
            time.sleep(step * 0.02)
            child.send_signal(signal.SIGINT)
            _, said = child.communicate(timeout=60)
        ends.add((child.returncode, said))
    assert TOLD in ends
    assert ends <= {TOLD, (0, b"")}
