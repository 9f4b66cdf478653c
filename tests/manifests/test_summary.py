"""What a release holds, counted."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from tests.support.golden import GOLDENS
from tests.support.tiny import write_tiny_release

from earmark.manifests.building import write_parquet
from earmark.manifests.release import Release, open_release
from earmark.manifests.summary import EVERY, UNGROUPED, Counts, summarise


def test_every_cell(tmp_path: Path) -> None:
    summary = summarise(write_tiny_release(tmp_path / "tiny", items=6, facets=2))
    # Items 0–5 have the facets S0 S1 S0 S1 S0 S1, the golds P P N N P P, and the speakers 0 0 1 1 2 2.
    friend, clerk = "Supportive friend", "Impatient clerk"
    one, two, three = (Counts(n, n, n) for n in (1, 2, 3))
    facet = {
        ("P", friend): two,
        ("P", EVERY): two,
        (EVERY, friend): two,
        ("N", clerk): one,
        ("N", EVERY): one,
        (EVERY, clerk): one,
        (EVERY, EVERY): three,
    }
    assert {key[1:]: counts for key, counts in summary.cells.items() if key[0] == "S0"} == facet
    assert {key[1:]: counts for key, counts in summary.cells.items() if key[0] == "S1"} == facet
    assert summary.cells[EVERY, EVERY, EVERY] == Counts(items=6, speakers=3, conversations=3)
    assert summary.cells[EVERY, "P", EVERY] == Counts(items=4, speakers=2, conversations=2)
    assert summary.ratio("S0") == summary.ratio(EVERY) == 2.0


def test_as_json(tmp_path: Path) -> None:
    said = summarise(write_tiny_release(tmp_path / "tiny")).as_json()
    assert said[0] == {"facet": None, "gold": None, "group": None, "items": 3, "speakers": 2, "conversations": 2}
    assert len(said) == 2 * 7


def test_a_gold_that_has_no_item_has_no_ratio(tmp_path: Path) -> None:
    assert summarise(write_tiny_release(tmp_path / "tiny", items=1)).ratio("S0") is None


def test_items_without_a_group_are_said_to_have_none_where_others_have_one(tmp_path: Path) -> None:
    release = write_tiny_release(tmp_path / "tiny", items=6, facets=2)
    # A family whose first column may be null.
    columns = sorted(release.family.answer_columns, key=lambda column: not column.nullable)
    vars(release)["family"] = replace(release.family, answer_columns=tuple(columns))
    path = release.file("answers")
    column = columns[0].name
    stored = release.table("answers")
    rows = stored.to_pylist()
    for groups in (["one", *[None] * 5], [None] * 6):
        for row, group in zip(rows, groups, strict=True):
            row[column] = group
        write_parquet(pa.Table.from_pylist(rows, schema=stored.schema), path)
        summary = summarise(release)
        items = {key[2]: counts.items for key, counts in summary.cells.items() if key[:2] == (EVERY, EVERY)}
        assert items == ({EVERY: 6, "one": 1, UNGROUPED: 5} if any(groups) else {EVERY: 6})
        assert len(summary.as_json()) == len(summary.cells)


def test_without_the_private_side_only_items_are_known(tmp_path: Path) -> None:
    release = write_tiny_release(tmp_path / "tiny", items=6, facets=2)
    shutil.rmtree(release.path / "private")
    summary = summarise(release)
    assert set(summary.cells) == {("S0", EVERY, EVERY), ("S1", EVERY, EVERY), (EVERY, EVERY, EVERY)}
    assert summary.ratio("S0") is None
    assert summary.as_json()[0] == {
        "facet": None,
        "gold": None,
        "group": None,
        "items": 6,
        "speakers": None,
        "conversations": None,
    }


def test_a_family_without_answer_columns_has_no_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = write_tiny_release(tmp_path / "tiny")
    plain = Release(release.path, release.manifest)
    vars(plain)["family"] = replace(release.family, answer_columns=(), judged=())
    summary = summarise(plain)
    assert {group for _, _, group in summary.cells} == {EVERY}
    assert summary.cells[EVERY, EVERY, EVERY] == Counts(items=3, speakers=0, conversations=0), "no role is judged"


def test_clips_of_no_conversation_are_counted_in_none() -> None:
    summary = summarise(open_release(GOLDENS["pairs"].path / "release"))
    assert {counts.conversations for counts in summary.cells.values()} == {0}
    assert summary.cells["style", EVERY, EVERY].speakers == 4, "of the miniature of Expresso"
