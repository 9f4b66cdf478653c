"""A copy that was tampered with is found out, wherever that was; one that is as it was published is not."""

from __future__ import annotations

import os
import shutil
import sys
from functools import cache
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.copies import as_published, rewritten, write_heard_release
from tests.support.miniature import files_of
from tests.support.tampering import require_found

from earmark.manifests.building import write_parquet
from earmark.manifests.copies.checksums import CANARY, write_checksums
from earmark.manifests.copies.published import CHECKSUMS, CLIP_SHARDS
from earmark.manifests.copies.true_hashes import AUDIO, MISSING, NOT_ALL_AUDIO, TABLE, WITHDRAWALS
from earmark.manifests.copies.verifying import (
    BESIDE,
    CHANGED,
    LINK,
    NO_LIST,
    NO_MANIFEST,
    SPECIAL,
    UNEXPECTED,
    UNLISTED,
    UNREADABLE,
    Verified,
    verify,
)
from earmark.manifests.declarations import RECIPES
from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings
from earmark.manifests.hashes import content_hash, file_hash
from earmark.manifests.release import MANIFEST, Release, TableEntry, WithdrawnEntry


def found_in(folder: Path, **options: object) -> dict[str, int]:
    findings = Findings()
    verify(folder, findings, **options)  # type: ignore[arg-type]  # as they are given
    return findings.counts


@pytest.fixture
def heard(tmp_path: Path) -> Release:
    return write_heard_release(tmp_path / "release")


@pytest.fixture
def published(heard: Release) -> Release:
    return as_published(heard, private=True)


@cache
def sound_copy(base: Path) -> tuple[Path, dict[str, bytes]]:
    folder = as_published(write_heard_release(base / "release"), private=True).path
    return folder, {name: content for name, content in files_of(folder).items() if content}


@pytest.fixture(scope="module")
def module_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("verifying")


@settings(max_examples=15)
@given(data=st.data())
def test_whatever_is_tampered_with_is_found(module_folder: Path, data: st.DataObject) -> None:
    require_found(data, *sound_copy(module_folder))


@pytest.mark.slow
@settings(max_examples=600)
@given(data=st.data())
def test_whatever_is_tampered_with_is_found_however_often_it_is_tried(module_folder: Path, data: st.DataObject) -> None:
    require_found(data, *sound_copy(module_folder))


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_copy_as_it_was_published_is_sound(published: Release, jobs: int) -> None:
    findings, told = Findings(), []
    verified = verify(
        published.path,
        findings,
        jobs=jobs,
        progress=lambda *said: told.append(said),
        expect=published.manifest.content_hash,
    )
    assert not findings
    files = files_of(published.path)
    del files[CHECKSUMS]
    assert verified == Verified(published, True, len(files), sum(map(len, files.values())))
    assert told
    assert found_in(published.path, media=True) == {}


def test_a_release_without_a_list_is_checked_against_its_manifest(heard: Release) -> None:
    assert found_in(heard.path, expect=heard.manifest.content_hash) == {}
    clip = min((heard.path / "public" / "audio").iterdir())
    content = clip.read_bytes()
    clip.write_bytes(content[:-1] + b"\0")
    assert found_in(heard.path) == {AUDIO.name: 1}
    clip.write_bytes(content)
    clip.rename(clip.with_name("x.flac"))
    assert found_in(heard.path) == {AUDIO.name: 2}
    clip.with_name("x.flac").rename(clip)
    for name, codes in (
        ("public/items.parquet", {TABLE.name: 1}),
        ("private/answers.parquet", {TABLE.name: 1}),
        ("notes.txt", {UNLISTED.name: 1}),
        ("public/notes.txt", {UNLISTED.name: 1}),
    ):
        path = heard.path / name
        before = path.read_bytes() if path.exists() else None
        path.write_bytes(b"other")
        assert found_in(heard.path) == codes
        path.unlink()
        if before is not None:
            path.write_bytes(before)
    heard.file("clips").unlink()
    assert found_in(heard.path) == {MISSING.name: 1, AUDIO.name: 1}


def test_a_list_made_to_fit_does_not_hide_what_the_manifest_denies(published: Release) -> None:
    """Whoever changes a table, or audio, and lists it anew."""
    folder = published.path
    rows = published.table("prompts").to_pylist()
    rows[0]["user"] += " Or not?"
    other = published.family.tables()["prompts"].from_rows(rows)
    write_parquet(other, published.file("prompts"))
    write_checksums(folder, published.manifest.canary)
    assert found_in(folder) == {TABLE.name: 1}
    tables = dict(published.manifest.tables)
    tables["prompts"] = msgspec.structs.replace(tables["prompts"], file_hash=file_hash(published.file("prompts")))
    rewritten(published, msgspec.structs.replace(published.manifest, tables=tables))
    write_checksums(folder, published.manifest.canary)
    assert found_in(folder) == {TABLE.name: 1}
    hash = content_hash(published.family.tables()["prompts"], other)
    tables["prompts"] = msgspec.structs.replace(tables["prompts"], content_hash=hash)
    rewritten(published, msgspec.structs.replace(published.manifest, tables=tables))
    write_checksums(folder, published.manifest.canary)
    assert found_in(folder) == {}
    assert found_in(folder, expect=published.manifest.content_hash) == {UNEXPECTED.name: 1}


def test_the_same_rows_in_other_bytes_are_not_what_was_published(published: Release) -> None:
    path = published.file("prompts")
    pq.write_table(pq.read_table(path), path, compression="none")
    write_checksums(published.path, published.manifest.canary)
    assert found_in(published.path) == {TABLE.name: 1}


def test_audio_made_to_fit_is_found_by_the_manifest(published: Release) -> None:
    folder, shard = published.path, min((published.path / CLIP_SHARDS).iterdir())
    rows = pq.read_table(shard)
    cells = rows["audio"].to_pylist()
    cells[0]["bytes"] = b"other"
    pq.write_table(rows.set_column(1, rows.schema.field("audio"), [cells]), shard)
    write_checksums(folder, published.manifest.canary)
    assert found_in(folder) == {}
    assert found_in(folder, media=True) == {AUDIO.name: 1}
    pq.write_table(rows.slice(1), shard)
    write_checksums(folder, published.manifest.canary)
    assert found_in(folder) == {AUDIO.name: 1}
    pq.write_table(pa.concat_tables([rows, rows.slice(1)]), shard)
    write_checksums(folder, published.manifest.canary)
    assert found_in(folder) == {AUDIO.name: rows.num_rows - 1}


def test_a_clip_that_is_cut_by_its_recipe_need_not_be_there(heard: Release) -> None:
    """Of what is there, only that it is there is checked: the hash is over all."""
    rows = heard.table("clips").to_pylist()
    sources = {row["clip_id"]: row for row in heard.table("sources").to_pylist()}
    as_published(heard, listed=False)
    shutil.rmtree(heard.path / CLIP_SHARDS)
    names = [column.name for column in RECIPES.columns]
    table = RECIPES.from_rows(
        [
            {name: sources[row["clip_id"]].get(name) for name in names} | {"pcm_hash": f"blake2b-256:{64 * '0'}"}
            for row in rows
        ]
    )
    path = heard.path / "public" / RECIPES.filename
    write_parquet(table, path)
    entry = TableEntry(
        side=RECIPES.side, rows=table.num_rows, content_hash=content_hash(RECIPES, table), file_hash=file_hash(path)
    )
    release = rewritten(heard, msgspec.structs.replace(heard.manifest, recipes=entry))
    write_checksums(release.path, release.manifest.canary)
    assert found_in(release.path) == {}
    assert found_in(release.path, media=True) == {NOT_ALL_AUDIO.name: 1}  # nobody shall think that it was
    write_parquet(table.slice(1), path)
    write_checksums(release.path, release.manifest.canary)
    assert found_in(release.path) == {TABLE.name: 1, AUDIO.name: 1}


def test_the_list_of_withdrawn_items_is_hashed(heard: Release) -> None:
    path = heard.path / "public" / "withdrawn.json"
    path.write_text("{}\n", encoding="utf-8")
    entry = WithdrawnEntry(items=1, file_hash=file_hash(path))
    rewritten(heard, msgspec.structs.replace(heard.manifest, withdrawn=entry))
    assert found_in(heard.path) == {}
    path.write_text("{ }\n", encoding="utf-8")
    assert found_in(heard.path) == {WITHDRAWALS.name: 1}
    rewritten(heard, heard.manifest)
    assert WITHDRAWALS.name in found_in(heard.path)


def test_each_kind_of_damage_has_its_code(published: Release) -> None:
    folder = published.path
    (folder / "README.md").write_bytes(b"other")
    (folder / "CITATION.cff").unlink()
    (folder / "more.txt").touch()
    (folder / ".git").mkdir()
    (folder / ".git" / "config").touch()
    assert found_in(folder) == {CHANGED.name: 1, MISSING.name: 1, UNLISTED.name: 1, BESIDE.name: 1}


def test_what_a_downloader_keeps_is_checked_where_it_was_published(published: Release) -> None:
    path = published.path / ".gitattributes"
    path.write_text("*.parquet filter=lfs\n", encoding="utf-8")
    assert found_in(published.path) == {BESIDE.name: 1}
    write_checksums(published.path, published.manifest.canary)
    assert found_in(published.path) == {}
    path.write_text("*.flac filter=lfs\n", encoding="utf-8")
    assert found_in(published.path) == {CHANGED.name: 1}


def test_a_copy_that_lost_its_list_or_its_manifest(published: Release) -> None:
    folder = published.path
    text = (folder / CHECKSUMS).read_text(encoding="utf-8")
    (folder / CHECKSUMS).unlink()
    assert found_in(folder) == {NO_LIST.name: 1}
    (folder / CHECKSUMS).mkdir()
    assert found_in(folder)[NO_LIST.name] == 1
    (folder / CHECKSUMS).rmdir()
    canary = published.manifest.canary
    (folder / CHECKSUMS).write_text(text.replace(canary, canary[::-1]), encoding="utf-8", newline="\n")
    assert found_in(folder) == {CANARY.name: 1}
    (folder / CHECKSUMS).write_text(text, encoding="utf-8", newline="\n")
    (folder / MANIFEST).write_text("{", encoding="utf-8")
    assert found_in(folder) == {CHANGED.name: 1, NO_MANIFEST.name: 1}
    (folder / MANIFEST).unlink()
    assert found_in(folder) == {MISSING.name: 1, NO_MANIFEST.name: 1}
    assert found_in(folder, expect=64 * "0") == {MISSING.name: 1, NO_MANIFEST.name: 1, UNEXPECTED.name: 1}


def test_a_private_side_by_itself_has_a_list_alone(published: Release, tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    shutil.copytree(published.path / "private", folder / "private")
    write_checksums(folder, published.manifest.canary)
    findings = Findings()
    assert verify(folder, findings).release is None
    assert not findings
    (folder / "private" / "answers.parquet").unlink()
    assert found_in(folder) == {MISSING.name: 1}


@pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and modes of POSIX")
def test_links_and_pipes_are_not_opened(published: Release, tmp_path: Path) -> None:
    folder = published.path
    (tmp_path / "card").write_bytes((folder / "README.md").read_bytes())
    (folder / "README.md").unlink()
    (folder / "README.md").symlink_to(tmp_path / "card")
    (folder / "baselines").rename(tmp_path / "baselines")
    (folder / "baselines").symlink_to(tmp_path / "baselines")
    os.mkfifo(folder / "pipe")
    assert found_in(folder) == {LINK.name: 2, SPECIAL.name: 1, MISSING.name: 1}


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may read everything")
def test_what_cannot_be_read_is_said(published: Release) -> None:
    (published.path / "README.md").chmod(0)
    (published.path / "baselines").chmod(0)
    assert found_in(published.path)[UNREADABLE.name] == 2


def test_a_file_that_goes_while_it_is_read_is_unreadable(published: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.open

    def gone(path: Path, flags: int) -> int:
        if Path(path).name == "README.md":
            raise FileNotFoundError(2, "No such file or directory")
        return real(path, flags)

    monkeypatch.setattr("earmark.manifests.copies.file_digests.os.open", gone)
    assert found_in(published.path) == {UNREADABLE.name: 1}


@pytest.mark.parametrize("folder", ["nowhere", "."])
def test_what_is_no_copy_is_an_error(tmp_path: Path, folder: str) -> None:
    with pytest.raises(EarmarkError, match="is no release and no published copy"):
        verify(tmp_path / folder, Findings())


def test_what_is_no_hash_is_not_compared(published: Release) -> None:
    for text in ("", "blake2b-256:12", f"sha256:{64 * 'a'}", 65 * "a"):
        with pytest.raises(EarmarkError, match="is no content hash"):
            verify(published.path, Findings(), expect=text)
