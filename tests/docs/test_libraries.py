"""Each row of `docs/libraries.md` that says a library is at work names a module that imports it."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

import pytest
from tests.docs.reading import DOCS, Row, libraries_imported, module_exists, table_rows
from tests.docs.test_papers import PLANNED

ASKED_FOR = {
    "datasets": "datasets",
    "pyarrow": "pyarrow",
    "librosa": "librosa",
    "soundfile": "soundfile",
    "praat-parselmouth": "parselmouth",
    "openai": "openai",
    "whisper": "whisper",
    "pandera": "pandera",
    "hypothesis": "hypothesis",
    "scikit-learn": "sklearn",
    "numpy": "numpy",
    "typer": "typer",
}

APART = {"whisper"}
"""Comes with an extra of its own that no other includes, since it brings torch; imported here only where it is installed."""

ROWS = list(table_rows(DOCS / "libraries.md"))


def test_all_twelve_have_a_row() -> None:
    assert sorted(row.cells["Library"] for row in ROWS) == sorted(ASKED_FOR)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row.cells["Library"]))
def test_row_is_true(row: Row) -> None:
    library, modules = ASKED_FOR[row.cells["Library"]], row.code("At work in")
    assert modules
    if row.cells["Status"].startswith("here"):
        if library not in APART or find_spec(library):
            import_module(library)
        assert row.cells["Status"] == (
            "here, in tests" if all(name.startswith("tests/") for name in modules) else "here"
        )
        for module in modules:
            assert library in libraries_imported(module)
    else:
        kind, _, part = row.cells["Status"].partition(": ")
        assert (kind, part in PLANNED) == ("planned", True)
        assert not all(module_exists(module) for module in modules), "all that this row names exists: say `here`"
