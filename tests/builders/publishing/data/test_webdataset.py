"""Shards for streaming judges, read back with `webdataset` itself."""

from __future__ import annotations

import hashlib
import json
import shutil
import tarfile
from pathlib import Path
from typing import Any

import pytest
from tests.support.copies import as_published, write_heard_release
from tests.support.miniature import files_of, quiet

from earmark.builders.presenting import present
from earmark.builders.publishing.data.webdataset import Streamed, write_webdataset
from earmark.manifests.clip_audio import ClipAudio
from earmark.manifests.errors import ReleaseError
from earmark.manifests.release import Release, open_release


def write(release: Release, folder: Path, *, clips: frozenset[str] | None = None, **options: int) -> Streamed:
    audio = ClipAudio(release)
    return write_webdataset(
        release, audio, folder, audio.clips() if clips is None else clips, progress=quiet, **options
    )


def read(folder: Path) -> list[dict[str, Any]]:
    """Samples as a streaming judge gets them; the files are opened here, since `webdataset` leaves them open."""
    tars = pytest.importorskip("webdataset.tariterators")
    samples: list[dict[str, Any]] = []
    for path in sorted(folder.iterdir()):
        with path.open("rb") as stream:
            samples += tars.group_by_keys(tars.tar_file_expander([{"url": path.name, "stream": stream}]))
    return samples


def presented(samples: list[dict[str, Any]]) -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    """By presentation, what is told of it and the sample that it stands in."""
    found = {}
    for sample in samples:
        for told in json.loads(sample["json"])["presentations"]:
            assert told["presentation_id"] not in found
            found[told["presentation_id"]] = (told, sample)
    return found


def require_as_presented(release: Release, protocol: str, samples: list[dict[str, Any]], out: Path) -> None:
    """Each presentation of a protocol says and sounds as `earmark present` has it."""
    present(release, out, protocol=protocol, modality=None, roots={}, progress=quiet)
    requests = [json.loads(line) for line in (out / "requests.jsonl").read_text(encoding="utf-8").splitlines()]
    found = presented(samples)
    owed = {id for id, (told, _) in found.items() if protocol in told["protocols"]}
    assert owed == {request["presentation_id"] for request in requests}

    def content(name: str) -> bytes:
        return (out / name).read_bytes()

    for request in requests:
        told, sample = found[request["presentation_id"]]
        assert told["after"] == request.get("after")
        assert all(told[name] == request[name] for name in ("system", "user", "answer"))
        assert [clip["label"] for clip in told["clips"]] == [clip["label"] for clip in request["clips"]]
        for clip, wanted in zip(told["clips"], request["clips"], strict=True):
            if "options" in clip:
                assert clip["chosen_in"] == wanted["chosen_in"]
                assert {choice: sample[name] for choice, name in clip["options"].items()} == {
                    choice: content(of["audio"]) for choice, of in wanted["options"].items()
                }
            else:
                assert sample[clip["audio"]] == content(wanted["audio"])


def test_shards_hold_what_is_presented(miniature_release: Release, tmp_path: Path) -> None:
    written = write(miniature_release, tmp_path / "shards")
    samples = read(tmp_path / "shards")
    assert written.samples == len(samples) == miniature_release.table("items").num_rows
    assert written.protocols == ("both-orders",)
    assert written.presentations == len(presented(samples))
    assert written.items_left_out == 0
    require_as_presented(miniature_release, "both-orders", samples, tmp_path / "out")
    for sample in samples:
        told = json.loads(sample["json"])
        assert told["canary"] == miniature_release.manifest.canary
        assert {one["item_id"] for one in told["presentations"]} == {sample["__key__"]}


def test_the_items_of_a_dialogue_stand_in_one_sample(toy_dialogues: Release, tmp_path: Path) -> None:
    written = write(toy_dialogues, tmp_path / "shards")
    samples = read(tmp_path / "shards")
    groups = set(toy_dialogues.table("items")["group"].to_pylist())
    assert {sample["__key__"] for sample in samples} == groups
    heard = {entry.name for entry in toy_dialogues.manifest.protocols if entry.modality == "audio"}
    assert written.protocols
    assert set(written.protocols) <= heard - {"direct"}
    for protocol in written.protocols:
        require_as_presented(toy_dialogues, protocol, samples, tmp_path / protocol)
    for sample in samples:
        seen = set()
        for told in json.loads(sample["json"])["presentations"]:
            assert told["after"] is None or told["after"] in seen
            assert set(told["protocols"]) <= set(written.protocols)
            seen.add(told["presentation_id"])


def test_shards_are_the_same_wherever_the_audio_lies_and_tell_nothing_else(tmp_path: Path) -> None:
    release = write_heard_release(tmp_path / "release", items=7)
    first = write(release, tmp_path / "first", shard_bytes=9_000)
    second = write(as_published(release), tmp_path / "second", shard_bytes=9_000)
    assert first == second
    files = files_of(tmp_path / "first")
    assert files == files_of(tmp_path / "second")
    assert list(files) == [f"test-{n:06d}.tar" for n in range(len(files))]
    assert len(files) > 1
    for shard in first.shards:
        content = files[shard.name]
        assert (shard.size, shard.hash) == (len(content), f"sha256:{hashlib.sha256(content).hexdigest()}")
    for path in (tmp_path / "first").iterdir():
        with tarfile.open(path) as tar:
            for member in tar:
                assert (member.mtime, member.uid, member.gid, member.uname, member.gname) == (0, 0, 0, "", "")
                assert (member.mode, member.isfile(), member.name.count("/")) == (0o644, True, 0)
    assert len(read(tmp_path / "first")) == 7


def test_items_whose_clips_are_not_shipped_are_left_out(toy_dialogues: Release, tmp_path: Path) -> None:
    whole = presented(read_written(toy_dialogues, tmp_path / "whole"))
    rows = {row["presentation_id"]: row for row in toy_dialogues.table("presentations").to_pylist()}
    lost = next(row["clip_id"] for row in toy_dialogues.table("item_clips").to_pylist() if row["role"] == "option")
    clips = ClipAudio(toy_dialogues).clips() - {lost}
    written = write(toy_dialogues, tmp_path / "shards", clips=clips)
    left = presented(read(tmp_path / "shards"))

    def needs(id: str) -> bool:
        row = rows[id]
        return lost in row["clips"] or (row["after"] is not None and needs(row["after"]))

    assert left.keys() == {id for id in whole if not needs(id)}
    assert written.items_left_out == len({rows[id]["item_id"] for id in whole.keys() - left.keys()}) > 0
    assert write(toy_dialogues, tmp_path / "none", clips=frozenset()).shards == ()
    assert list((tmp_path / "none").iterdir()) == []


def read_written(release: Release, folder: Path) -> list[dict[str, Any]]:
    write(release, folder)
    return read(folder)


def test_missing_audio_is_an_error(tmp_path: Path) -> None:
    release = write_heard_release(tmp_path / "release")
    clips = ClipAudio(release).clips()
    shutil.rmtree(release.path / "public" / "audio")
    with pytest.raises(ReleaseError, match="has no audio of the clip"):
        write(open_release(release.path), tmp_path / "shards", clips=clips)
