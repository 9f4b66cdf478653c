"""`earmark present`: everything that a judge's author needs, from audio or from the corpus, and no answer."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import soundfile
from tests.cli.conftest import Earmark
from tests.support.miniature import Miniature, files_of

from earmark.cli.console import COULD_NOT_RUN, FINE
from earmark.manifests.release import Release


def requests(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "requests.jsonl").read_text(encoding="utf-8").splitlines()]


def test_audio_is_presented(earmark: Earmark, miniature_release: Release, tmp_path: Path) -> None:
    out = tmp_path / "below" / "judges"
    said = earmark("present", miniature_release.path, "--out", out)
    assert (said.code, said.err) == (FINE, "")
    clips = sorted(path.name for path in (out / "audio").iterdir())
    assert said.out.splitlines() == [
        f"{out}: protocol both-orders, clips as audio, no answer",
        f"  requests.jsonl           {len(requests(out))} questions, what is heard and what may be answered",
        f"  audio/                   {len(clips)} clips",
        "  sample_submission.jsonl  the form of a prediction file",
        f"  judge.py                 an example: python {out / 'judge.py'} MODEL predictions.jsonl",
    ]
    assert len(requests(out)) == miniature_release.manifest.protocols[0].presentations
    assert {soundfile.info(out / "audio" / clip).samplerate for clip in clips} == {16_000}
    judge = (out / "judge.py").read_text(encoding="utf-8")
    assert sum(bool(line.strip()) for line in judge.splitlines()) <= 60
    assert [path.name for path in out.parent.iterdir()] == [out.name]


def test_no_answer_and_no_source_is_in_what_is_presented(
    earmark: Earmark, miniature_release: Release, tmp_path: Path
) -> None:
    assert earmark("present", miniature_release.path, "--out", tmp_path / "out", "--quiet") == (FINE, "", "")
    texts = "\n".join(
        data.decode() for name, data in files_of(tmp_path / "out").items() if not name.endswith((".flac", ".py"))
    )
    for row in miniature_release.table("sources").to_pylist():
        for secret in (row["path"], row["speaker"], row["conversation"], row["prompt"], row["text"]):
            assert secret not in texts
    words = ("gold", "role", "category", *(entry for entry in miniature_release.table("answers").column_names[1:]))
    assert all(
        {*request} == {"presentation_id", "system", "clips", "user", "answer"} for request in requests(tmp_path / "out")
    )
    assert not any(f'"{word}"' in texts for word in words)


@pytest.mark.parametrize("words", [["--modality", "transcript"], ["--protocol", "both-orders-transcript"]])
def test_transcripts_are_presented(
    earmark: Earmark, miniature_release: Release, tmp_path: Path, words: list[str]
) -> None:
    said = earmark("present", miniature_release.path, "--out", tmp_path / "out", *words)
    assert (said.code, said.err) == (FINE, "")
    assert "clips as transcript" in said.out
    assert "audio" not in said.out
    assert not (tmp_path / "out" / "audio").exists()
    spoken = {" ".join(row["text"].split()) for row in miniature_release.table("sources").to_pylist() if row["text"]}
    sent = {clip["text"] for request in requests(tmp_path / "out") for clip in request["clips"]}  # type: ignore[attr-defined]  # lists of clips
    assert sent
    assert sent <= spoken


def test_clips_are_cut_from_the_corpus_where_a_release_has_none(
    earmark: Earmark, release: Release, miniature: Miniature, tmp_path: Path
) -> None:
    shutil.rmtree(release.path / "public" / "audio")
    said = earmark("present", release.path, "--out", tmp_path / "out")
    assert said.code == COULD_NOT_RUN
    assert said.err == (
        f"earmark: {release.path} holds no audio; say where the corpora lie: --corpus seamless-interaction=DIR\n"
    )
    assert not (tmp_path / "out").exists()
    words = ("present", release.path, "--out", tmp_path / "out", "--json", "--corpus")
    said = earmark(*words, f"seamless-interaction={miniature.corpus.root}")
    assert (said.code, said.err) == (FINE, "")
    value = json.loads(said.out)
    assert value["clips"] == len(list((tmp_path / "out" / "audio").iterdir()))
    durations = {row["clip_id"]: row["duration"] for row in release.table("clips").to_pylist()}
    for path in (tmp_path / "out" / "audio").iterdir():
        info = soundfile.info(path)
        assert (info.samplerate, info.frames) == (48_000, round(48_000 * durations[path.stem]))


@pytest.mark.parametrize("place", ["absent", "file"])
def test_a_corpus_that_is_not_there_is_said(earmark: Earmark, release: Release, tmp_path: Path, place: str) -> None:
    shutil.rmtree(release.path / "public" / "audio")
    (tmp_path / "file").write_bytes(b"")
    corpus = f"seamless-interaction={tmp_path / place}"
    said = earmark("present", release.path, "--out", tmp_path / "out", "--corpus", corpus)
    assert (said.code, said.out) == (COULD_NOT_RUN, "")
    assert str(tmp_path / place) in said.err
    assert "fault of Earmark" not in said.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "release"]


@pytest.mark.parametrize("lacks", ["private", "audio"])
def test_what_a_public_copy_can_present(earmark: Earmark, release: Release, tmp_path: Path, lacks: str) -> None:
    shutil.rmtree(release.path / "private")
    if lacks == "audio":
        shutil.rmtree(release.path / "public" / "audio")
    audio = earmark("present", release.path, "--out", tmp_path / "a")
    assert audio.code == (COULD_NOT_RUN if lacks == "audio" else FINE)
    words = earmark("present", release.path, "--modality", "transcript", "--out", tmp_path / "t")
    assert words.code == COULD_NOT_RUN
    assert f"{release.path} lacks private/sources.parquet" in words.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--modality", "smell"], "no modality named 'smell'; there is audio, transcript"),
        (["--modality", "audio", "--protocol", "both-orders"], "--protocol and --modality each choose a protocol"),
        (["--corpus", "seamless"], "--corpus 'seamless' is not NAME=DIR"),
        (["--corpus", "=x"], "--corpus '=x' is not NAME=DIR"),
        (["--corpus", "x="], "--corpus 'x=' is not NAME=DIR"),
        (["--corpus", "x=a", "--corpus", "x=b"], "--corpus x is given twice: a and b"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(
    earmark: Earmark, release: Release, tmp_path: Path, words: list[str], says: str
) -> None:
    said = earmark("present", release.path, "--out", tmp_path / "out", *words)
    assert (said.code, said.out) == (COULD_NOT_RUN, "")
    assert said.err.startswith(f"earmark: {says}")
    assert not (tmp_path / "out").exists()
