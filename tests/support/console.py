"""The command line as another process, and recipes as files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from tests.support.miniature import Miniature
from typer.main import get_command

from earmark.manifests.canonical import Json

tree_of = cache(get_command)
"""The commands of an application, which are the same at each of its calls."""

BLOCKER = """\
import sys

class Absent:
    names = frozenset({names!r})

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.names:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())
sys.argv[0] = "earmark"
from earmark.cli.main import main
main()
"""


def run_process(
    *words: object, without: tuple[str, ...] = (), cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """`python -m earmark WORDS…`, bounded in time.

    Args:
        words: The command line.
        without: Packages that cannot be imported, as if they were not installed.
        cwd: Where it is run.
        environment: Variables added to this process's.
    """
    start = ["-c", BLOCKER.format(names=without)] if without else ["-m", "earmark"]
    return subprocess.run(
        [sys.executable, *start, *map(str, words)],
        capture_output=True,
        check=False,
        cwd=cwd,
        env={**os.environ, "COLUMNS": "100", **environment},
        stdin=subprocess.DEVNULL,
        timeout=120,
    )


def write_recipe(path: Path, recipe: Mapping[str, Json]) -> Path:
    """A recipe as TOML: strings, numbers, booleans and lists of them are spelt there as in JSON."""
    lines = []
    for section, values in recipe.items():
        assert isinstance(values, Mapping)
        lines += [f"[{section}]", *(f"{name} = {json.dumps(value)}" for name, value in values.items()), ""]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def absolute(miniature: Miniature, **sections: Mapping[str, Json]) -> Mapping[str, Json]:
    """The miniature's recipe with paths that hold wherever it is written."""
    recipe = dict(miniature.recipe(**sections))
    corpus = recipe["corpus"]
    assert isinstance(corpus, Mapping)
    recipe["corpus"] = {name: str(miniature.base / str(place)) for name, place in corpus.items()}
    return recipe
