"""The sample of a stance release is held against recipe and key in both directions, and partners against their conversation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.support.miniature import MINIATURE_KEY, Miniature, quiet

from earmark.builders.making import make
from earmark.builders.miniatures.seamless import make_seamless
from earmark.manifests.release import Release
from earmark.validation.invariants import validate

Rows = list[dict[str, object]]


@pytest.fixture
def sampled(tmp_path: Path) -> Release:
    """A release of a corpus in which some roles occur more than once, half of each taken."""
    (tmp_path / "line.key").write_bytes(MINIATURE_KEY)
    corpus = make_seamless(tmp_path / "corpus", seed=1, dyads=40, speech=False, scale=0.5)
    miniature = Miniature(tmp_path, corpus)
    recipe = miniature.recipe(sample={"share": 0.5, "floor": 0})
    release = make(miniature.order(tmp_path / "release", recipe=recipe), quiet).release
    assert release is not None
    return release


def rewritten(release: Release, table: str, change: Callable[[Rows], None]) -> None:
    rows = release.table(table).to_pylist()
    change(rows)
    pq.write_table(pa.Table.from_pylist(rows, schema=release.table(table).schema), release.file(table))


def found(release: Release, code: str) -> set[str | None]:
    return {finding.found for finding in validate(release) if finding.code.name == code}


@pytest.mark.parametrize("drawn", [True, False])
def test_a_draw_that_is_not_the_key_s_is_found(sampled: Release, drawn: bool) -> None:
    assert found(sampled, "stance.sample") == set()

    def flip(rows: Rows) -> None:
        row = next(row for row in rows if row["drawn"] is not drawn)
        row["drawn"] = drawn

    rewritten(sampled, "selection", flip)
    assert found(sampled, "stance.sample") == {"drawn" if drawn else "not drawn"}


def test_a_context_from_another_conversation_is_found(sampled: Release) -> None:
    contexts = {row["clip_id"] for row in sampled.table("item_clips").to_pylist() if row["role"] == "context"}
    targets = {row["clip_id"] for row in sampled.table("item_clips").to_pylist() if row["role"] == "target"}
    only = min(contexts - targets)

    def move(rows: Rows) -> None:
        moved = next(row for row in rows if row["clip_id"] == only)
        moved["conversation"] = next(
            row["conversation"] for row in rows if row["conversation"] != moved["conversation"]
        )

    assert not [finding for finding in validate(sampled) if finding.code.name == "stance.partner"]
    rewritten(sampled, "sources", move)
    assert [finding for finding in validate(sampled) if finding.code.name == "stance.partner"]
