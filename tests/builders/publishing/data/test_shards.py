"""Shards: each clip's bytes as they are, once, in order; every hash is the file's own, and a file that changed is refused."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.publishable import clip_paths, publishable

from earmark.builders.publishing.data import shards
from earmark.builders.publishing.data.shards import (
    FileChanged,
    WrittenShard,
    clip_files,
    hash_files,
    planned_shards,
    write_shards,
)
from earmark.manifests.findings import Findings
from earmark.manifests.hashes import file_hash
from earmark.manifests.release import Release


def write(plan: Sequence[shards.Shard], folder: Path) -> list[WrittenShard]:
    folder.mkdir(exist_ok=True)
    written: list[WrittenShard] = []
    told: list[int] = []
    write_shards(plan, folder, written.append, told.append)
    assert sum(told) == sum(len(shard.clips) for shard in plan)
    return written


@settings(max_examples=25)
@given(
    contents=st.lists(st.binary(max_size=90), max_size=24),
    shard_bytes=st.integers(1, 400),
    rows=st.integers(1, 7),
    size=st.integers(1, 200),
)
def test_every_clip_stands_once_as_it_is(contents: list[bytes], shard_bytes: int, rows: int, size: int) -> None:
    with TemporaryDirectory() as scratch, pytest.MonkeyPatch.context() as patch:
        patch.setattr(shards, "GROUP_ROWS", rows)
        patch.setattr(shards, "GROUP_BYTES", size)
        base = Path(scratch)
        files = clip_paths(base / "audio", contents)
        plan = planned_shards(files, shard_bytes)
        written = write(plan, base / "out")
        again = write(plan, base / "again")
        assert [shard.name for shard in written] == sorted(path.name for path in (base / "out").iterdir())
        assert [(shard.hash, shard.size) for shard in written] == [(shard.hash, shard.size) for shard in again]
        found: list[tuple[str, str, bytes]] = []
        for n, shard in enumerate(written):
            path = base / "out" / shard.name
            assert shard.name == f"test-{n:05d}-of-{len(plan):05d}.parquet"
            assert (shard.hash, shard.size) == (file_hash(path), path.stat().st_size)
            with pq.ParquetFile(path) as file:
                groups = [file.metadata.row_group(at).num_rows for at in range(file.num_row_groups)]
                cells = file.read().to_pylist()
            assert all(0 < count <= rows for count in groups)
            assert sum(len(cell["audio"]["bytes"]) for cell in cells) <= shard_bytes or len(cells) == 1
            found += [(cell["clip_id"], cell["audio"]["path"], cell["audio"]["bytes"]) for cell in cells]
            for cell, file in zip(cells, plan[n].clips, strict=True):
                assert {name: cell[name] for name in file.row} == file.row
        assert found == [
            (file.path.stem, file.path.name, content) for file, content in zip(files, contents, strict=True)
        ]
        hashes = {name: hash for shard in written for name, hash in shard.files.items()}
        assert hashes == {
            file.path.name: f"sha256:{hashlib.sha256(file.path.read_bytes()).hexdigest()}" for file in files
        }
        assert hash_files(files, lambda *_: None) == hashes


def test_datasets_is_told_which_column_is_audio(tmp_path: Path) -> None:
    [shard] = write(planned_shards(clip_paths(tmp_path / "audio", [b"fLaC"])), tmp_path / "out")
    with pq.ParquetFile(tmp_path / "out" / shard.name) as file:
        said = json.loads(file.schema_arrow.metadata[b"huggingface"])["info"]["features"]
        audio = file.metadata.row_group(0).column(1)
    assert said["audio"] == {"_type": "Audio"}
    assert list(said) == ["clip_id", "audio", "duration", "rate", "licence"]
    assert (audio.path_in_schema, audio.compression, audio.is_stats_set) == ("audio.bytes", "UNCOMPRESSED", False)
    assert not audio.has_dictionary_page


@pytest.mark.parametrize("change", [b"short", b"much longer than it was before"], ids=["shorter", "longer"])
def test_a_file_that_changes_meanwhile_is_refused(tmp_path: Path, change: bytes) -> None:
    files = clip_paths(tmp_path / "audio", [b"as it was", b"the other"])
    plan = planned_shards(files)
    files[1].path.write_bytes(change)
    with pytest.raises(FileChanged, match="was changed"):
        write(plan, tmp_path / "out")


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="links are followed here")
def test_a_link_that_takes_a_file_s_place_is_not_followed(tmp_path: Path) -> None:
    files = clip_paths(tmp_path / "audio", [b"as it was"])
    (tmp_path / "elsewhere").write_bytes(b"as it was")
    files[0].path.unlink()
    files[0].path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic"):
        write(planned_shards(files), tmp_path / "out")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return publishable(tmp_path_factory.mktemp("shards") / "release")


def test_what_cannot_be_shipped_is_found_without_reading_it(release: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = sorted(release.table("clips")["clip_id"].to_pylist())
    files = [release.audio_file(clip) for clip in ids]
    linked, folder = files[1:3]
    kept = [path.read_bytes() for path in files[:3]]
    monkeypatch.setattr(shards, "MOST_CLIP_BYTES", max(path.stat().st_size for path in files[3:]) - 1)
    for path in files[:3]:
        path.unlink()
    linked.symlink_to(files[4])
    folder.mkdir()
    findings = Findings()
    found = clip_files(release, frozenset(ids), findings)
    linked.unlink()
    folder.rmdir()
    for path, content in zip(files[:3], kept, strict=True):
        path.write_bytes(content)
    large = [path for path in files[3:] if path.stat().st_size > shards.MOST_CLIP_BYTES]
    assert findings.counts == {
        "publish.audio-missing": 1,
        "publish.audio-no-file": 2,
        "publish.audio-too-large": len(large),
    }
    assert [file.path for file in found] == [path for path in files[3:] if path not in large]
    assert {finding.id for finding in findings} == {path.stem for path in (*files[:3], *large)}


def test_clips_that_do_not_ship_are_left_out(release: Release) -> None:
    ids = sorted(release.table("clips")["clip_id"].to_pylist())
    findings = Findings()
    found = clip_files(release, frozenset(ids[::2]), findings)
    assert [file.row["clip_id"] for file in found] == ids[::2]
    assert not len(findings)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="has no device that is always full")
def test_a_full_disk_is_an_error_and_not_the_end_of_the_process(tmp_path: Path) -> None:
    plan = planned_shards(clip_paths(tmp_path / "audio", [bytes(200_000)] * 120))
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / plan[0].name).symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left"):
        write_shards(plan, tmp_path / "out", lambda _: None, lambda _: None)
