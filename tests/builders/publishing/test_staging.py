"""Staging: what a killed run finished is not done again, what another plan left is not taken for this one's."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.publishable import clip_paths

from earmark.builders.publishing.data.shards import ClipFile, Shard, planned_shards
from earmark.builders.publishing.staging import staging
from earmark.manifests.building import partial_of
from earmark.manifests.canonical import Json
from earmark.manifests.copies.published import CLIP_SHARDS
from earmark.manifests.errors import Busy, DestinationExists, Refused
from earmark.manifests.findings import Findings

PLAN: Json = ["a plan"]


class Killed(BaseException):
    """What a process gets from outside; nothing is tidied up."""


@pytest.fixture
def files(tmp_path: Path) -> list[ClipFile]:
    return clip_paths(tmp_path / "audio", [bytes([n]) * 50 for n in range(9)])


@pytest.fixture
def shards(files: list[ClipFile]) -> list[Shard]:
    return planned_shards(files, 150)


def stage(out: Path, shards: list[Shard], *, stop_after: int | None = None, plan: Json = PLAN) -> list[int]:
    """Stage the shards and nothing else; what was told of progress."""
    told: list[int] = []

    def progress(_what: str, done: int, _total: int) -> None:
        told.append(done)
        if stop_after is not None and done > stop_after:
            raise Killed

    with staging(out, plan) as work:
        work.write_shards(shards, progress)
    return told


def killed(out: Path, shards: list[Shard], after: int, plan: Json = PLAN) -> None:
    with pytest.raises(Killed):
        stage(out, shards, stop_after=after, plan=plan)
    assert not out.exists()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("after", range(9))
def test_a_killed_run_is_continued_to_the_same_bytes(
    tmp_path: Path, files: list[ClipFile], shards: list[Shard], after: int
) -> None:
    stage(tmp_path / "at once", shards)
    killed(tmp_path / "out", shards, after)
    finished = after // 3
    for file in files[: 3 * finished]:
        file.path.unlink()  # whatever was finished is not read again
    told = stage(tmp_path / "out", shards)
    assert (told[0], told[-1]) == (3 * finished, 9)
    assert contents(tmp_path / "out") == contents(tmp_path / "at once")
    assert sorted(contents(tmp_path / "out")) == [f"{CLIP_SHARDS}/{shard.name}" for shard in shards]
    assert not partial_of(tmp_path / "out").exists()


def test_a_shard_that_was_damaged_meanwhile_is_written_again(tmp_path: Path, shards: list[Shard]) -> None:
    stage(tmp_path / "at once", shards)
    killed(tmp_path / "out", shards, 7)
    damaged = partial_of(tmp_path / "out") / CLIP_SHARDS / shards[0].name
    content = bytearray(damaged.read_bytes())
    content[40] ^= 1
    damaged.write_bytes(content)
    (damaged.parent / "test-00007-of-00008.parquet").write_bytes(b"of nobody")
    (damaged.parent / "deeper").mkdir()
    assert stage(tmp_path / "out", shards)[0] == 3
    assert contents(tmp_path / "out") == contents(tmp_path / "at once")


def test_another_plan_begins_anew(tmp_path: Path, shards: list[Shard]) -> None:
    killed(tmp_path / "out", shards, 7)
    assert stage(tmp_path / "out", shards, plan=["another plan"])[0] == 0


def test_what_is_somebody_else_s_is_not_touched(tmp_path: Path, shards: list[Shard]) -> None:
    partial = partial_of(tmp_path / "out")
    (partial / "private").mkdir(parents=True)
    (partial / "private" / "key").write_bytes(b"the only key")
    with pytest.raises(DestinationExists, match="something else"):
        stage(tmp_path / "out", shards)
    (partial / "journal.jsonl").write_text('{"clip":"c"}\n')
    with pytest.raises(DestinationExists, match="something else"):
        stage(tmp_path / "out", shards)
    assert (partial / "private" / "key").read_bytes() == b"the only key"


def fail(out: Path, shards: list[Shard], error: Exception) -> None:
    """Stage, and fail at the end."""
    with staging(out, PLAN) as work:
        (work.folder / "public").mkdir()
        (work.folder / "README.md").write_text("half")
        if shards:
            work.write_shards(shards, lambda *_: None)
        raise error


def test_what_fails_leaves_only_what_need_not_be_done_again(tmp_path: Path, shards: list[Shard]) -> None:
    with pytest.raises(OSError, match="full"):
        fail(tmp_path / "out", [], OSError("the disk is full"))
    assert not partial_of(tmp_path / "out").exists()
    with pytest.raises(OSError, match="full"):
        fail(tmp_path / "out", shards, OSError("the disk is full"))
    assert stage(tmp_path / "out", shards)[0] == 9
    assert not (tmp_path / "out" / "README.md").exists()


def test_what_is_refused_leaves_nothing(tmp_path: Path, shards: list[Shard]) -> None:
    with pytest.raises(Refused):
        fail(tmp_path / "out", shards, Refused(Findings()))
    assert [path.name for path in tmp_path.iterdir()] == ["audio"]


def test_two_at_a_time_do_not_mix(tmp_path: Path, shards: list[Shard]) -> None:
    with staging(tmp_path / "out", PLAN), pytest.raises(Busy):
        stage(tmp_path / "out", shards)
    with pytest.raises(DestinationExists):
        stage(tmp_path / "out", shards)
