"""Differences of two versions: nothing is missed, nothing is made up, and the order of rows and of versions changes nothing."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.support.editions import (
    hashed,
    in_memory,
    loaded,
    rewritten,
    set_cell,
    slow_difference,
    tables_of,
    without_private,
)
from tests.support.golden import GOLDENS

from earmark.manifests.errors import ReleaseError
from earmark.manifests.release import Release, SourceEntry, open_release
from earmark.manifests.revisions import Difference, Known, TableDifference, difference
from earmark.manifests.revisions.difference import OtherLine
from earmark.manifests.tables import Column

RELEASES = {family: loaded(open_release(golden.path / "release")) for family, golden in GOLDENS.items()}
FAMILIES = pytest.mark.parametrize("family", RELEASES)
TABLES = {family: tables_of(release) for family, release in RELEASES.items()}


def another(column: Column, cell: object) -> object:
    """A cell that says something else."""
    match cell:
        case None:
            return [] if column.is_list else "x" if pa.types.is_string(column.type) else 1
        case bool():
            return not cell
        case str():
            return f"{cell}x"
        case [first, *rest]:
            return [another(column, first), *rest]  # as many as before
        case list():
            return ["x" if pa.types.is_string(column.type.value_type) else 1]
        case _:
            return cell + 1  # type: ignore[operator]  # a number


@st.composite
def cells(draw: st.DrawFn) -> tuple[str, str, Column, int]:
    """Family, table, column and row of some cell."""
    family = draw(st.sampled_from(sorted(RELEASES)))
    name = draw(st.sampled_from([name for name, rows in sorted(TABLES[family].items()) if rows.num_rows]))
    column = draw(st.sampled_from(RELEASES[family].family.tables()[name].columns))
    return family, name, column, draw(st.integers(0, TABLES[family][name].num_rows - 1))


@FAMILIES
def test_a_release_does_not_differ_from_itself(family: str) -> None:
    found = difference(RELEASES[family], RELEASES[family])
    assert found.is_empty
    assert not found.items.changed
    assert all(cell.old == cell.new for cell in found.cells)


@settings(max_examples=20)
@given(where=cells())
def test_one_changed_cell_is_found_and_named(where: tuple[str, str, Column, int]) -> None:
    family, name, column, at = where
    release, rows, table = RELEASES[family], TABLES[family][name], RELEASES[family].family.tables()[name]
    changed = set_cell(column.name, at, another(column, rows[column.name][at].as_py()))(rows)
    assume(changed.select(list(table.key)).group_by(list(table.key)).aggregate([]).num_rows == changed.num_rows)
    found = difference(release, in_memory(release, {name: changed}))
    assert [entry.table for entry in found.tables if not _silent(entry)] == [name]
    key = " ".join(str(rows[part][at].as_py()) for part in table.key)
    entry = found.table(name)
    if column.name in table.key:
        assert (entry.added.count, entry.removed.count, entry.changed) == (1, 1, {})
        assert entry.removed.shown == (key,)
    else:
        assert {named: ids.shown for named, ids in entry.changed.items()} == {column.name: (key,)}
        assert not entry.added
        assert not entry.removed
    # A content hash knows the same, and nothing of measured columns.
    assert entry.same == (hashed(release, name, changed) == release.manifest.tables[name].content_hash)


def _silent(table: TableDifference) -> bool:
    return bool(table.same) and not table.changed


@settings(max_examples=5)
@given(data=st.data())
def test_whatever_is_done_to_rows_the_slow_twin_finds_the_same(data: st.DataObject) -> None:
    family = data.draw(st.sampled_from(sorted(RELEASES)))
    release, seed = RELEASES[family], data.draw(st.integers(0, 2**32))
    versions = [in_memory(release, _mangled(family, random.Random(seed + n)), hashes=False) for n in range(2)]  # noqa: S311  # any
    there, back = difference(*versions), difference(*reversed(versions))
    for name, table in release.family.tables().items():
        added, removed, changed = slow_difference(table, *(version.table(name) for version in versions))
        entry, other = there.table(name), back.table(name)
        assert set(entry.added.every.to_pylist()) == added
        assert set(entry.removed.every.to_pylist()) == removed
        assert {column: set(ids.every.to_pylist()) for column, ids in entry.changed.items()} == changed
        assert (entry.added, entry.removed, entry.changed) == (other.removed, other.added, other.changed)
    assert there.items.changed == back.items.changed
    assert {(cell.facet, cell.kind): (cell.old, cell.new) for cell in there.cells} == {
        (cell.facet, cell.kind): (cell.new, cell.old) for cell in back.cells
    }


def _mangled(family: str, dice: random.Random) -> dict[str, pa.Table]:
    """Tables in another order, with some rows gone and some cells changed."""
    found = {}
    for name, rows in TABLES[family].items():
        table, order = RELEASES[family].family.tables()[name], list(range(rows.num_rows))
        dice.shuffle(order)
        kept = rows.take(pa.array(order[: len(order) - dice.choice([0, 0, 1, 3])], pa.int64()))
        for column in table.columns:
            if kept.num_rows and column.name not in table.key and dice.random() < 0.2:
                at = dice.randrange(kept.num_rows)
                kept = set_cell(column.name, at, another(column, kept[column.name][at].as_py()))(kept)
        found[name] = kept
    return found


@FAMILIES
def test_the_order_of_rows_is_no_difference(family: str) -> None:
    order = np.random.default_rng(1)
    shuffled = {name: rows.take(pa.array(order.permutation(rows.num_rows))) for name, rows in TABLES[family].items()}
    found = difference(RELEASES[family], in_memory(RELEASES[family], shuffled))
    assert found.is_empty


def test_texts_are_compared_as_content_hashes_have_them() -> None:
    release, prompts = RELEASES["stance"], TABLES["stance"]["prompts"]
    composed = in_memory(release, {"prompts": set_cell("user", 0, "é\u212b")(prompts)})
    apart = unicodedata.normalize("NFD", "é\u212b")
    found = difference(composed, in_memory(release, {"prompts": set_cell("user", 0, apart)(prompts)}))
    assert found.table("prompts").same
    assert found.is_empty


@pytest.mark.parametrize(
    ("table", "column", "expected"),
    [
        ("items", "target", "items.target"),
        ("item_clips", "clip_id", "item_clips.clip_id"),
        ("presentations", "order", "presentations.order"),
        ("prompts", "user", "prompts.user"),
        ("clips", "licence", "clips.licence"),
        ("clips", "duration", "clips.duration"),
        ("answers", "gold", "answers.gold"),
        ("sources", "text", "sources.text"),
    ],
)
def test_whatever_changes_is_told_of_the_items_that_it_touches(table: str, column: str, expected: str) -> None:
    release, tables = RELEASES["stance"], TABLES["stance"]
    rows = tables[table]
    declared = release.family.tables()[table].column(column)
    changed = set_cell(column, 2, another(declared, rows[column][2].as_py()))(rows)
    items = difference(release, in_memory(release, {table: changed})).items
    assert set(items.by) == {expected}
    touched = _touched(tables, table, rows.slice(2, 1).to_pylist()[0])
    assert set(items.changed.every.to_pylist()) == touched
    assert items.changed.shown == tuple(sorted(touched))


def _touched(tables: Mapping[str, pa.Table], table: str, row: Mapping[str, object]) -> set[str]:
    """The items that a row is about, looked up row by row."""
    match table:
        case "prompts":
            through, key = tables["presentations"], "prompt_id"
        case "clips" | "sources":
            through, key = tables["item_clips"], "clip_id"
        case _:
            return {str(row["item_id"])}
    return {entry["item_id"] for entry in through.to_pylist() if entry[key] == row[key]}


def test_a_key_that_stands_twice_is_damage() -> None:
    release, items = RELEASES["stance"], TABLES["stance"]["items"]
    with pytest.raises(ReleaseError, match="stands twice"):
        difference(release, in_memory(release, {"items": pa.concat_tables([items, items.slice(0, 1)])}))


def test_another_line_is_refused() -> None:
    with pytest.raises(OtherLine, match="family is 'stance' and 'pairs'"):
        difference(RELEASES["stance"], RELEASES["pairs"])
    renamed = in_memory(RELEASES["stance"], {})
    other = msgspec.structs.replace(renamed.manifest, name="another")
    with pytest.raises(OtherLine, match="name is 'mini' and 'another'"):
        difference(RELEASES["stance"], Release(renamed.path, other))


def test_what_manifests_say_besides_is_told_field_by_field() -> None:
    release = RELEASES["stance"]
    recipe = {**release.manifest.recipe, "release": {"name": "mini", "version": "3.0.0", "licence": "CC-BY-4.0"}}
    sources = [SourceEntry(corpus="seamless-interaction", version="2026-01", licence="CC-BY-NC-4.0", metadata={})]
    manifest = msgspec.structs.replace(release.manifest, recipe=recipe, sources=sources, builder="earmark 9")
    found = difference(release, Release(release.path, manifest))
    said = {change.field: (change.old, change.new) for change in found.metadata}
    assert said["recipe.release.licence"] == (None, "CC-BY-4.0")
    assert said["sources.seamless-interaction.version"] == ("2025-06", "2026-01")
    assert said["builder"][1] == "earmark 9"
    assert "recipe.release.version" not in said
    assert not found.is_empty


# Without a private side.


def _gone(count: int) -> Callable[[pa.Table], pa.Table]:
    return lambda rows: rows.slice(0, rows.num_rows - count)


def test_without_private_sides_equal_hashes_mean_equal_answers(tmp_path: Path) -> None:
    release = RELEASES["stance"]
    public = without_private(release, tmp_path / "public")
    for old, new in ((public, public), (release, public), (public, release)):
        answers = difference(old, new).table("answers")
        assert (answers.known, answers.same, answers.why) == (Known.HASH, True, None)


def test_without_private_sides_other_hashes_of_the_same_items_mean_other_answers(tmp_path: Path) -> None:
    release = RELEASES["stance"]
    gold = {"P": "N", "N": "P"}[release.table("answers")["gold"][0].as_py()]
    edited = rewritten(release, tmp_path / "edited", {"answers": set_cell("gold", 0, gold)})
    public = without_private(edited, tmp_path / "public")
    answers = difference(without_private(release, tmp_path / "old"), public).table("answers")
    assert (answers.known, answers.same) == (Known.HASH, False)
    assert difference(release, public).table("answers").same is False
    assert difference(release, edited).table("answers").changed["gold"].count == 1


def _fewer_items(release: Release, out: Path) -> Release:
    gone = release.table("items")["item_id"][0].as_py()

    def without(rows: pa.Table) -> pa.Table:
        return rows.filter(pa.array([item != gone for item in rows["item_id"].to_pylist()]))

    return rewritten(release, out, dict.fromkeys(("items", "item_clips", "presentations", "answers"), without))


def test_one_private_side_can_tell_that_answers_of_what_both_hold_are_the_same(tmp_path: Path) -> None:
    release = RELEASES["stance"]
    fewer = without_private(_fewer_items(release, tmp_path / "fewer"), tmp_path / "public")
    for found, added, removed in ((difference(fewer, release), 1, 0), (difference(release, fewer), 0, 1)):
        answers = found.table("answers")
        assert (answers.known, answers.same) == (Known.HASH, False)
        assert (answers.added.count, answers.removed.count) == (added, removed)
        assert answers.why is None
    altered = rewritten(release, tmp_path / "altered", {"answers": set_cell("gold", 5, "?")})
    answers = difference(fewer, altered).table("answers")
    assert (answers.same, answers.added.count) == (False, 0)
    assert answers.why is not None


def test_what_cannot_be_known_is_said_with_its_reason(tmp_path: Path) -> None:
    release = RELEASES["stance"]
    fewer = without_private(_fewer_items(release, tmp_path / "fewer"), tmp_path / "public")
    found: Difference = difference(fewer, without_private(release, tmp_path / "old"))
    answers = found.table("answers")
    assert (answers.known, answers.same) == (Known.NOTHING, None)
    assert answers.why is not None
    assert "private side" in answers.why
