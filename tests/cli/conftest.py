"""The command line in this process: what it prints, where, and what it returns."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.support.console import absolute, write_recipe
from tests.support.miniature import Miniature

from earmark.cli.console import run
from earmark.cli.main import app
from earmark.manifests.release import Release, open_release
from earmark.scoring.baselines import UNIFORM, write_predictions
from earmark.scoring.decisions import owed_presentations


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


@pytest.fixture
def recipe(miniature: Miniature, tmp_path: Path) -> Path:
    """The miniature's recipe as a file, in a folder where a test may write."""
    return write_recipe(tmp_path / "recipe.toml", absolute(miniature))


@pytest.fixture
def release(miniature_release: Release, tmp_path: Path) -> Release:
    """A copy of the miniature's release that a test may change."""
    copy = tmp_path / "release"
    shutil.copytree(miniature_release.path, copy)
    return open_release(copy)


@pytest.fixture
def predictions(miniature_release: Release, tmp_path: Path) -> Path:
    """What a rule that does not listen says of all that the first protocol owes."""
    path = tmp_path / "predictions.jsonl"
    owed = owed_presentations(miniature_release, miniature_release.protocol())
    write_predictions(UNIFORM, miniature_release, owed, path)
    return path
