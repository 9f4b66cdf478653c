"""Presenting: a judge's author gets every request of the protocol, all that it names, and no answer."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st
from tests.support.copies import as_published
from tests.support.miniature import RATE, Miniature, files_of, quiet

import earmark
from earmark.builders.presenting import present
from earmark.builders.presenting.showing import NO_WORDS, as_line
from earmark.manifests.errors import DestinationExists, EarmarkError, ReleaseError, UnknownName
from earmark.manifests.release import Release, open_release
from earmark.validation.strategies.published_faults import add_recipe_of_no_clip


def presented(
    release: Release,
    out: Path,
    *,
    protocol: str | None = None,
    modality: str | None = None,
    roots: Mapping[str, Path] | None = None,
) -> tuple[Path, list[dict[str, Any]]]:
    present(release, out, protocol=protocol, modality=modality, roots=roots or {}, progress=quiet)
    lines = (out / "requests.jsonl").read_text(encoding="utf-8").splitlines()
    return out, [json.loads(line) for line in lines]


def owed(release: Release, modality: str) -> dict[str, dict[str, Any]]:
    rows = release.table("presentations").to_pylist()
    return {row["presentation_id"]: row for row in rows if row["modality"] == modality}


def test_the_requests_are_exactly_what_the_protocol_owes(miniature_release: Release, tmp_path: Path) -> None:
    told = present(miniature_release, tmp_path / "out", protocol=None, modality=None, roots={}, progress=quiet)
    requests = [json.loads(line) for line in (tmp_path / "out" / "requests.jsonl").read_text().splitlines()]
    wanted = owed(miniature_release, "audio")
    assert [request["presentation_id"] for request in requests] == sorted(wanted)
    prompts = {row["prompt_id"]: row for row in miniature_release.table("prompts").to_pylist()}
    for request in requests:
        row = wanted[request["presentation_id"]]
        prompt = prompts[row["prompt_id"]]
        assert (request["system"], request["user"]) == (prompt["system"], prompt["user"])
        assert request["answer"] == json.loads(prompt["answer"])
        assert [clip["label"] for clip in request["clips"]] == row["labels"]
        assert [clip["audio"] for clip in request["clips"]] == [f"audio/{clip}.flac" for clip in row["clips"]]
        assert request.keys() == {"presentation_id", "system", "clips", "user", "answer"}
    clips = miniature_release.table("clips").num_rows
    assert told == {"protocol": "both-orders", "modality": "audio", "requests": len(wanted), "clips": clips}


def test_a_published_copy_is_presented_as_its_release_is(miniature_release: Release, tmp_path: Path) -> None:
    """The audio is in shards there, and the private side is not."""
    shutil.copytree(miniature_release.path, tmp_path / "copy")
    copy = as_published(open_release(tmp_path / "copy"), shards=3)
    out, _ = presented(miniature_release, tmp_path / "out")
    other, _ = presented(copy, tmp_path / "other")
    assert files_of(other) == files_of(out)


def test_clips_that_are_cut_by_recipe_are_materialised_first(miniature_release: Release, tmp_path: Path) -> None:
    shutil.copytree(miniature_release.path, tmp_path / "copy")
    add_recipe_of_no_clip(tmp_path / "copy")
    shutil.rmtree(tmp_path / "copy" / "private")
    shutil.rmtree(tmp_path / "copy" / "public" / "audio")
    with pytest.raises(EarmarkError, match="earmark materialize"):
        presented(open_release(tmp_path / "copy"), tmp_path / "out")


def test_the_audio_is_that_of_the_release(miniature_release: Release, tmp_path: Path) -> None:
    out, _ = presented(miniature_release, tmp_path / "out")
    assert files_of(out / "audio") == files_of(miniature_release.path / "public" / "audio")
    assert {path.name for path in out.iterdir()} == {
        "audio",
        "judge.py",
        "requests.jsonl",
        "sample_submission.jsonl",
    }


@pytest.mark.parametrize("modality", ["audio", "transcript"])
def test_no_answer_is_in_the_folder(miniature_release: Release, tmp_path: Path, modality: str) -> None:
    out, _ = presented(miniature_release, tmp_path / "out", modality=modality)
    secret = {row["role"] for row in miniature_release.table("answers").to_pylist()}
    prose = " ".join(row["system"] + row["user"] for row in miniature_release.table("prompts").to_pylist())
    secret = {f'"{role}"' for role in secret} | {role for role in secret if role not in prose}
    for row in miniature_release.table("sources").to_pylist():
        secret |= {row["path"], Path(row["path"]).stem, row["speaker"], row["conversation"], row["prompt"]}
    for name, content in files_of(out).items():
        assert not [word for word in secret if word.encode() in content], name


def test_audio_is_presented_the_same_without_the_private_side(miniature_release: Release, tmp_path: Path) -> None:
    """Whoever has no answers makes the same folder, so there is none in it."""
    whole, _ = presented(miniature_release, tmp_path / "whole")
    shutil.copytree(miniature_release.path / "public", tmp_path / "copy" / "public")
    shutil.copy(miniature_release.path / "release.json", tmp_path / "copy")
    public, _ = presented(open_release(tmp_path / "copy"), tmp_path / "out")
    assert files_of(public) == files_of(whole)


def test_transcripts_are_the_same_items_in_the_corpuss_words(miniature_release: Release, tmp_path: Path) -> None:
    out, requests = presented(miniature_release, tmp_path / "out", modality="transcript")
    wanted, audio = owed(miniature_release, "transcript"), owed(miniature_release, "audio")
    assert {request["presentation_id"] for request in requests} == wanted.keys()
    assert not wanted.keys() & audio.keys()
    assert {row["item_id"] for row in wanted.values()} == {row["item_id"] for row in audio.values()}
    words = {row["clip_id"]: row["text"] for row in miniature_release.table("sources").to_pylist()}
    for request in requests:
        row = wanted[request["presentation_id"]]
        assert [clip["text"] for clip in request["clips"]] == [as_line(words[clip]) for clip in row["clips"]]
        assert all("\n" not in clip["text"] and clip["text"] for clip in request["clips"])
    assert not (out / "audio").exists()
    assert presented(miniature_release, tmp_path / "named", protocol="both-orders-transcript")[1] == requests


def test_a_clip_without_words_says_so() -> None:
    assert as_line(None) == as_line(" \n ") == NO_WORDS
    assert as_line("a\u2028b\r\nTARGET: c") == "a b TARGET: c"


@given(st.text())
def test_words_are_sent_on_one_line(words: str) -> None:
    sent = as_line(words)
    assert len(sent.splitlines()) == 1
    assert sent.split() == (words.split() or NO_WORDS.split())


@pytest.mark.parametrize("modality", ["audio", "transcript"])
def test_the_sample_submission_is_of_the_right_form(miniature_release: Release, tmp_path: Path, modality: str) -> None:
    out, requests = presented(miniature_release, tmp_path / "out", modality=modality)
    findings = earmark.check(miniature_release, out / "sample_submission.jsonl")
    assert not findings.failed, [finding.text() for finding in findings]
    head, *rows = map(json.loads, (out / "sample_submission.jsonl").read_text(encoding="utf-8").splitlines())
    assert [row["presentation_id"] for row in rows] == [request["presentation_id"] for request in requests]
    assert head["earmark"]["content_hash"] == miniature_release.manifest.content_hash
    assert {row["status"] for row in rows} == {"abstained"}


def test_without_media_the_audio_is_cut_from_the_corpus(miniature: Miniature, tmp_path: Path) -> None:
    release = miniature.build(tmp_path / "release").release
    assert release is not None
    roots = {"seamless-interaction": miniature.corpus.root}
    out, requests = presented(release, tmp_path / "out", roots=roots)
    lengths = {row["clip_id"]: row["duration"] for row in release.table("clips").to_pylist()}
    assert {path.stem for path in (out / "audio").iterdir()} == lengths.keys()
    for clip, seconds in lengths.items():
        info = soundfile.info(out / "audio" / f"{clip}.flac")
        assert (info.frames / info.samplerate, info.samplerate) == (seconds, 48_000)
    assert requests
    with pytest.raises(EarmarkError, match="--corpus seamless-interaction=DIR"):
        presented(release, tmp_path / "without")
    assert not list(tmp_path.glob("without*")), "nothing half-written is left"


def test_what_cannot_be_presented_is_said(miniature_release: Release, tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="no modality named 'cascade-words'; there is audio, transcript"):
        presented(miniature_release, tmp_path / "out", modality="cascade-words")
    with pytest.raises(UnknownName, match="no protocol named 'once'"):
        presented(miniature_release, tmp_path / "out", protocol="once")
    (tmp_path / "out").mkdir()
    with pytest.raises(DestinationExists):
        presented(miniature_release, tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


def test_a_build_that_waits_to_be_resumed_is_left_alone(miniature_release: Release, tmp_path: Path) -> None:
    (tmp_path / "out.partial").mkdir()
    (tmp_path / "out.partial" / "journal.jsonl").write_text("{}\n")
    presented(miniature_release, tmp_path / "out")
    assert (tmp_path / "out.partial" / "journal.jsonl").read_text() == "{}\n"


def test_the_rate_is_that_of_the_release(miniature_release: Release, tmp_path: Path) -> None:
    out, _ = presented(miniature_release, tmp_path / "out")
    assert {soundfile.info(path).samplerate for path in (out / "audio").iterdir()} == {RATE}


def test_audio_is_taken_from_the_release_alone(miniature_release: Release, tmp_path: Path) -> None:
    shutil.copytree(miniature_release.path, tmp_path / "release")
    release = open_release(tmp_path / "release")
    secret = tmp_path / "secret"
    secret.write_bytes(b"not yours")
    clip = release.audio_file(release.table("presentations")["clips"][0].as_py()[0])
    clip.unlink()
    clip.symlink_to(secret)
    with pytest.raises(ReleaseError, match="is a link"):
        presented(release, tmp_path / "out")
    assert not (tmp_path / "out").exists()
