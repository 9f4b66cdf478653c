"""Converting for tests: files in, and what our own readers make of what comes out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from earmark.builders.converting.conversion import Wanted, Written
from earmark.builders.converting.formats import convert, format_named
from earmark.manifests.findings import Findings
from earmark.manifests.release import Release

Convert = Callable[..., tuple[Written, Findings]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a module's files are written, over and over."""
    return tmp_path_factory.mktemp("foreign")


@pytest.fixture(scope="module")
def convert_onto(folder: Path) -> Convert:
    """Convert files to `folder/out.jsonl`; every answer that was read must be accounted for."""

    def call(
        name: str, files: Sequence[Path], release: Release, wanted: Wanted | None = None
    ) -> tuple[Written, Findings]:
        findings, out = Findings(), folder / "out.jsonl"
        out.unlink(missing_ok=True)
        written = convert(format_named(name), files, release, out, wanted or Wanted(), findings)
        assert written.read == written.rows + written.repeated + sum(written.left_out.values())
        return written, findings

    return call
