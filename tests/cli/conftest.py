"""The command line in this process: what it prints, where, and what it returns."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NamedTuple

import pytest

from earmark.cli.console import run
from earmark.cli.main import app


class Said(NamedTuple):
    """What a run came to."""

    code: int
    out: str
    err: str


Earmark = Callable[..., Said]


@pytest.fixture
def earmark(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Earmark:
    """Run `earmark WORDS…` through the real entry point."""

    def call(*words: object) -> Said:
        monkeypatch.setattr(sys, "argv", ["earmark", *map(str, words)])
        capsys.readouterr()
        code = run(app)
        return Said(code, *capsys.readouterr())

    return call
