"""Differences in sound: by hashes of samples, by files, and by what FLAC files say of their samples."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import msgspec
import pyarrow as pa
import pytest
from tests.support.editions import rewritten, set_cell, with_manifest, without_private
from tests.support.golden import GOLDENS

from earmark.manifests.hashes import folder_hash
from earmark.manifests.release import MediaEntry, Release, open_release
from earmark.manifests.revisions import Step, difference, smallest_step

GOLDEN = open_release(GOLDENS["stance"].path / "release")
CLIPS: list[str] = GOLDEN.table("clips")["clip_id"].to_pylist()
HASHES = [f"blake2b-256:{n:064d}" for n in range(len(CLIPS))]


def flac(samples: str, encoder: str = "one", *, hashed: bool = True) -> bytes:
    """Something that begins as a FLAC file does."""
    said = hashlib.md5(samples.encode()).digest() if hashed else bytes(16)  # noqa: S324  # as FLAC has it
    return b"fLaC\x80\0\0\x22" + bytes(10) + b"\x01\x02\x03\x04\x05\x06\x07\x08" + said + encoder.encode()


def with_audio(out: Path, others: Mapping[str, bytes] = MappingProxyType({})) -> Release:
    shutil.copytree(GOLDEN.path, out)
    folder = out / "public" / "audio"
    folder.mkdir()
    for clip in CLIPS:
        (folder / f"{clip}.flac").write_bytes(others.get(clip, flac(clip)))
    media = MediaEntry(rate=16000, files=len(CLIPS), hash=folder_hash(folder))
    return with_manifest(out, msgspec.structs.replace(GOLDEN.manifest, media=media))


def test_files_are_compared_by_what_they_sound_like(tmp_path: Path) -> None:
    old = with_audio(tmp_path / "old")
    new = with_audio(tmp_path / "new", {CLIPS[0]: flac("other"), CLIPS[1]: flac(CLIPS[1], "two")})
    audio = difference(old, new).audio
    assert audio.changed.shown == (CLIPS[0],)
    assert audio.encoded.shown == (CLIPS[1],)
    assert (audio.compared, audio.unknown, audio.why) == (len(CLIPS), 0, None)
    assert smallest_step(difference(old, new)).step is Step.MAJOR


def test_the_same_samples_in_other_files_are_a_patch(tmp_path: Path) -> None:
    found = difference(
        with_audio(tmp_path / "old"), with_audio(tmp_path / "new", {clip: flac(clip, "two") for clip in CLIPS})
    )
    assert found.audio.encoded.count == len(CLIPS)
    assert smallest_step(found).step is Step.PATCH


@pytest.mark.parametrize("odd", [b"", b"RIFF", flac("x", hashed=False), flac("x")[:30]])
def test_files_that_say_nothing_of_their_samples_are_taken_to_differ(tmp_path: Path, odd: bytes) -> None:
    old = with_audio(tmp_path / "old", {CLIPS[0]: odd})
    new = with_audio(tmp_path / "new", {CLIPS[0]: odd + b"more"})
    assert difference(old, new).audio.changed.shown == (CLIPS[0],)


def test_one_hash_over_all_files_tells_that_none_differs(tmp_path: Path) -> None:
    old, new = with_audio(tmp_path / "old"), with_audio(tmp_path / "new")
    shutil.rmtree(old.path / "public" / "audio")
    audio = difference(old, new).audio
    assert (audio.compared, audio.unknown, audio.why) == (len(CLIPS), 0, None)


def test_files_that_are_not_at_hand_leave_it_open(tmp_path: Path) -> None:
    old, new = with_audio(tmp_path / "old"), with_audio(tmp_path / "new", {CLIPS[0]: flac("other")})
    shutil.rmtree(old.path / "public" / "audio")
    audio = difference(old, new).audio
    assert (audio.compared, audio.unknown) == (0, len(CLIPS))
    assert audio.why is not None
    assert f"{len(CLIPS)} of the clips" in audio.why


def test_hashes_of_samples_tell_without_files(tmp_path: Path) -> None:
    def hashed(rows: pa.Table, change: str | None = None) -> pa.Table:
        for n, hash in enumerate(HASHES):
            rows = set_cell("pcm_hash", n, hash)(rows)
        return rows if change is None else set_cell("pcm_hash", 3, change)(rows)

    old = rewritten(GOLDEN, tmp_path / "old", {"sources": hashed})
    new = rewritten(GOLDEN, tmp_path / "new", {"sources": lambda rows: hashed(rows, HASHES[0])})
    audio = difference(old, new).audio
    assert audio.changed.shown == (old.table("sources")["clip_id"][3].as_py(),)
    assert audio.compared == len(CLIPS)
    # Without a private side nothing is known, and no hash says that anything differs.
    audio = difference(without_private(old, tmp_path / "public"), new).audio
    assert (audio.compared, audio.why) == (0, None)
