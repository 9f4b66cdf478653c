"""What may lie in a folder: a published copy is as sound as the release it was made of, and what does not belong is said."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tests.support.copies import as_published, write_heard_release
from tests.support.miniature import files_of

from earmark.manifests.copies.published import CLIP_SHARDS
from earmark.manifests.release import Release, open_release
from earmark.validation.invariants import validate
from earmark.validation.strategies.published_faults import publish_private_side


@pytest.fixture
def published(miniature_release: Release, tmp_path: Path) -> Release:
    shutil.copytree(miniature_release.path, tmp_path / "copy")
    return as_published(open_release(tmp_path / "copy"))


def test_a_published_copy_is_sound(published: Release) -> None:
    (published.path / ".git").mkdir()
    assert validate(published).counts == {"release.no-private-side": 1}


def test_so_is_one_with_what_is_published_of_the_private_side(miniature_release: Release, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(miniature_release.path, folder)
    publish_private_side(folder)
    answers = folder / "private" / "answers.parquet"
    assert validate(open_release(folder)).counts == {"release.published-private-side": 1}
    rows = pq.read_table(answers)
    pq.write_table(rows, answers, compression="none")
    assert validate(open_release(folder)).counts == {"release.published-private-side": 1, "release.file-hash": 1}
    answers.unlink()
    assert validate(open_release(folder)).counts["release.unreadable"] == 1
    (folder / "private" / "shipped.json").write_text("{}", encoding="utf-8")
    assert validate(open_release(folder)).counts["release.unreadable"] > 1


def _without_a_clip(folder: Path) -> None:
    shard = min((folder / CLIP_SHARDS).iterdir())
    pq.write_table(pq.read_table(shard).slice(1), shard)


def _with_one_twice(folder: Path) -> None:
    shard = min((folder / CLIP_SHARDS).iterdir())
    pq.write_table(pq.read_table(shard).slice(0, 1), shard.with_name("more.parquet"))


def _with_another(folder: Path) -> None:
    shard = min((folder / CLIP_SHARDS).iterdir())
    rows = pq.read_table(shard).slice(0, 1)
    pq.write_table(rows.set_column(0, "clip_id", [[f"c{26 * 'a'}"]]), shard.with_name("more.parquet"))


def _with_other_bytes(folder: Path) -> None:
    shard = min((folder / CLIP_SHARDS).iterdir())
    rows = pq.read_table(shard)
    cells = rows["audio"].to_pylist()
    cells[0]["bytes"] += b"\0"
    pq.write_table(rows.set_column(1, rows.schema.field("audio"), [cells]), shard)


def _cut(folder: Path) -> None:
    shard = min((folder / CLIP_SHARDS).iterdir())
    shard.write_bytes(shard.read_bytes()[:-1])


@pytest.mark.parametrize("damage", [_without_a_clip, _with_one_twice, _with_another, _with_other_bytes, _cut])
def test_shards_are_held_against_the_manifest(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    release = as_published(write_heard_release(tmp_path / "copy"))
    before = validate(release).counts
    assert "media.files" not in before
    damage(release.path)
    assert validate(release).counts == {**before, "media.files": 1}


@pytest.mark.parametrize(
    "name", ["notes.txt", "public/notes.txt", "data/notes.txt", "public/recipes.parquet", "public/audio/x.flac"]
)
def test_what_does_not_belong_is_said(tmp_path: Path, name: str) -> None:
    release = as_published(write_heard_release(tmp_path / "copy"))
    before = validate(release).counts
    (release.path / name).parent.mkdir(exist_ok=True)
    (release.path / name).touch()
    code = "media.files" if "audio" in name else "release.public-extra"
    assert validate(release).counts == {**before, code: 1}


def test_only_a_published_copy_has_what_one_has(tmp_path: Path) -> None:
    release = as_published(write_heard_release(tmp_path / "copy"), listed=False)
    names = {path.split("/")[0] for path in files_of(release.path)} - {"public", "release.json"}
    assert validate(release).counts["release.public-extra"] == len(names) == 4
