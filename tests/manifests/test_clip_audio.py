"""The audio of a release: the same bytes from files and from shards, and nothing that a stranger put in their place."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.support.copies import AUDIO, as_published, write_heard_release, write_shard

from earmark.manifests import clip_audio, clip_shards
from earmark.manifests.clip_audio import ClipAudio
from earmark.manifests.copies.published import CLIP_SHARDS
from earmark.manifests.errors import ReleaseError
from earmark.manifests.hashes import files_hash, folder_hash
from earmark.manifests.release import Release, open_release


def of_files(release: Release) -> dict[str, bytes]:
    return {path.stem: path.read_bytes() for path in (release.path / "public" / "audio").iterdir()}


def test_shards_give_what_the_files_gave(tmp_path: Path) -> None:
    release = write_heard_release(tmp_path / "release", items=9)
    wanted, hash = of_files(release), folder_hash(release.path / "public" / "audio")
    shards = ClipAudio(as_published(release))
    assert not (release.path / "public" / "audio").exists()
    for audio in (ClipAudio(write_heard_release(tmp_path / "other", items=9)), shards):
        assert audio.clips() == wanted.keys()
        assert {clip: audio.read(clip) for clip in sorted(wanted, reverse=True)} == wanted
        assert all(audio.has(clip) for clip in wanted)
        assert files_hash(audio.hashes()) == hash
        assert audio.doubles == ()
        clip = min(wanted)
        audio.copy(clip, tmp_path / "copy")
        assert (tmp_path / "copy").read_bytes() == wanted[clip]
        assert not audio.has("c" + 26 * "a")
        with pytest.raises(ReleaseError, match="has no audio of the clip"):
            audio.read("c" + 26 * "a")


def test_clips_in_turn_lie_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for one row group, each is read once."""
    release = as_published(write_heard_release(tmp_path / "release", items=9), shards=3)
    audio, read = ClipAudio(release), []
    monkeypatch.setattr(clip_audio, "KEPT_BYTES", 1)
    real = clip_shards.Group.audio
    monkeypatch.setattr(clip_shards.Group, "audio", lambda group: (read.append(group), real(group))[1])
    turns = list(audio.in_turn(audio.clips()))
    assert sorted(turns) == sorted(audio.clips())
    for clip in turns:
        audio.read(clip)
    assert len(read) == len(set(read)) == 6
    assert len(audio._groups) == 1


@pytest.mark.parametrize("compression", ["none", "zstd"])
def test_clips_are_read_in_any_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compression: str) -> None:
    """With room for one row group: where cells stand as they are, no group is read a third time."""
    release = write_heard_release(tmp_path / "release", items=12)
    wanted = of_files(release)
    audio = ClipAudio(as_published(release, compression=compression, use_dictionary=False, row_group_size=3))
    read, real = [], clip_shards.Group.audio
    monkeypatch.setattr(clip_audio, "KEPT_BYTES", 1)
    monkeypatch.setattr(clip_shards.Group, "audio", lambda group: (read.append(group), real(group))[1])
    order = [clip for n in range(4) for clip in sorted(wanted)[n::4]] * 2
    assert {clip: audio.read(clip) for clip in order} == wanted
    assert len(set(read)) == 4
    if compression == "none":
        assert len(read) == 8
        assert all(place is not None for places in audio._places.values() for place in places)
    shard = min((release.path / CLIP_SHARDS).iterdir())
    rows = pq.read_table(shard)
    cells = rows["audio"].to_pylist()
    for cell in cells:
        cell["bytes"] = b"other" + cell["bytes"]
    pq.write_table(rows.set_column(1, rows.schema.field("audio"), [cells]), shard, row_group_size=3)
    last, first = max(wanted), min(wanted)
    assert audio.read(last) == wanted[last]
    assert audio.read(first) == b"other" + wanted[first]


def test_files_and_shards_may_stand_side_by_side(tmp_path: Path) -> None:
    release = write_heard_release(tmp_path / "release")
    wanted = of_files(release)
    rows = release.table("clips").to_pylist()
    write_shard(release, tmp_path / "shard", rows[:3])
    for row in rows[:2]:
        release.audio_file(row["clip_id"]).unlink()
    (release.path / CLIP_SHARDS).mkdir(parents=True)
    shutil.copy(tmp_path / "shard", release.path / CLIP_SHARDS / "a.parquet")
    audio = ClipAudio(release)
    assert {clip: audio.read(clip) for clip in audio.clips()} == wanted
    assert audio.doubles == (rows[2]["clip_id"],)
    shutil.copy(tmp_path / "shard", release.path / CLIP_SHARDS / "b.parquet")
    assert ClipAudio(release).doubles == tuple(sorted(row["clip_id"] for row in rows[:3]))


def test_a_release_without_audio_has_none(tmp_path: Path) -> None:
    release = write_heard_release(tmp_path / "release")
    shutil.rmtree(release.path / "public" / "audio")
    assert ClipAudio(release).clips() == frozenset()
    assert not ClipAudio(release).has("c" + 26 * "a")


def test_an_id_is_no_path(tmp_path: Path) -> None:
    audio = ClipAudio(write_heard_release(tmp_path / "release"))
    for name in ("../../release", "", "/etc/passwd"):
        with pytest.raises(ReleaseError, match="is no id of a clip"):
            audio.has(name)


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of POSIX")
def test_nothing_but_files_of_the_release_is_read(tmp_path: Path) -> None:
    release = write_heard_release(tmp_path / "release")
    one, other, *_ = sorted(of_files(release))
    release.audio_file(one).unlink()
    release.audio_file(one).symlink_to(release.audio_file(other))
    with pytest.raises(ReleaseError, match="is a link; audio is taken"):
        ClipAudio(release).read(one)
    release.audio_file(one).unlink()
    os.mkfifo(release.audio_file(one))
    with pytest.raises(ReleaseError, match="is no file"):
        ClipAudio(release).has(one)


Damage = Callable[[Path], object]


def _rows(path: Path, table: pa.Table, **options: object) -> None:
    pq.write_table(table, path, **options)


def _repeated(path: Path) -> None:
    """One megabyte that stands in two thousand cells."""
    cells = pa.DictionaryArray.from_arrays(pa.array([0] * 2000, pa.int32()), pa.array([b"x" * (1 << 20)]))
    table = pa.table(
        {"clip_id": [f"c{n}" for n in range(2000)], "audio": pa.StructArray.from_arrays([cells], ["bytes"])}
    )
    pq.write_table(table, path, dictionary_pagesize_limit=1 << 26, store_schema=False)


DAMAGES: dict[str, tuple[Damage, str]] = {
    "cut": (lambda path: path.write_bytes(path.read_bytes()[:-9]), "is no readable shard"),
    "empty": (lambda path: path.write_bytes(b""), "is no readable shard"),
    "other columns": (
        lambda path: _rows(path, pa.table({"clip_id": ["c"], "audio": [b"x"]})),
        "has no columns clip_id",
    ),
    "texts for audio": (
        lambda path: _rows(path, pa.table({"clip_id": ["c"], "audio": [{"bytes": "x"}]})),
        "has no columns",
    ),
    "no id": (
        lambda path: _rows(
            path, pa.table({"clip_id": pa.array([None], pa.string()), "audio": pa.array([None], AUDIO)})
        ),
        "without an id",
    ),
    "too many": (
        lambda path: _rows(path, pa.table({"clip_id": ["c"] * 70_000, "audio": pa.nulls(70_000, AUDIO)})),
        "70000 clips",
    ),
    "repeated": (_repeated, "comes to more than"),
    "no shard": (lambda path: (path.parent / "notes.txt").touch(), "is no shard"),
    "link": (lambda path: (path.parent / "x.parquet").symlink_to(path), "no links"),
    "folder": (lambda path: (path.parent / "x.parquet").mkdir(), "is no shard"),
    "folder that is a link": (
        lambda path: path.parent.rename(path.parents[1] / "x") and path.parent.symlink_to("x"),
        "is a link",
    ),
}


@pytest.mark.parametrize("name", DAMAGES)
@pytest.mark.skipif(sys.platform == "win32", reason="links of POSIX")
def test_a_hostile_shard_is_one_error(tmp_path: Path, name: str) -> None:
    release = as_published(write_heard_release(tmp_path / "release"), listed=False)
    damage, message = DAMAGES[name]
    damage(min((release.path / CLIP_SHARDS).iterdir()))
    before = pa.total_allocated_bytes()
    with pytest.raises(ReleaseError, match=message):
        ClipAudio(open_release(release.path)).has("c" + 26 * "a")
    assert pa.total_allocated_bytes() - before < 1 << 26


def test_a_cell_without_audio_is_an_error(tmp_path: Path) -> None:
    release = as_published(write_heard_release(tmp_path / "release"), shards=1)
    clips = release.table("clips")["clip_id"].to_pylist()
    _rows(
        release.path / CLIP_SHARDS / "test-00000-of-00001.parquet",
        pa.table({"clip_id": clips, "audio": pa.nulls(len(clips), AUDIO)}),
    )
    with pytest.raises(ReleaseError, match="has no audio of the clip"):
        ClipAudio(release).read(clips[0])


def test_a_clip_beyond_all_measure_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = write_heard_release(tmp_path / "release")
    clip = min(of_files(release))
    monkeypatch.setattr(clip_audio, "MOST_CLIP_BYTES", len(release.audio_file(clip).read_bytes()) - 1)
    with pytest.raises(ReleaseError, match="the most that is read"):
        ClipAudio(release).read(clip)
    with pytest.raises(ReleaseError, match="the most that is read"):
        ClipAudio(as_published(release)).read(clip)
