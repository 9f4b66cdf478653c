"""What is measured of clips: as the front ends have it, rounded as it is stored, and found again by the file’s hash."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from tests.builders.dialogues.tones import CALM, HARSH, Sound, write_tone

from earmark.audio.hashes import pcm_hash
from earmark.builders.contrast.features import Features, measure_features, whole_file
from earmark.builders.contrast.profile import shipped
from earmark.builders.dialogues.makers import LineToSpeak
from earmark.builders.dialogues.voicing import hearing
from earmark.builders.dialogues.voicing.file_cache import FILE, FileCache
from earmark.builders.dialogues.voicing.hearing import Heard, ToHear, hear, rounded
from earmark.manifests.acoustics import MEASURES
from earmark.manifests.attempts import ATTEMPTS
from earmark.manifests.findings import Findings

pytest.importorskip("parselmouth")
pytest.importorskip("pyloudnorm")

TEXT = "So that is what the boxes were for — all 12 of them."
WORDS = 12


def _line(number: int) -> LineToSpeak:
    return LineToSpeak(dialogue="d", turn=1, option="context", attempt=number, text="", tone="", voice="", seed=0)


def clip(folder: Path, number: int, sound: Sound, text: str = TEXT) -> ToHear:
    path = folder / f"{number}.wav"
    if not path.exists():
        write_tone(path, sound, _line(number))
    return ToHear(path, hashlib.sha256(path.read_bytes()).hexdigest(), text)


def heard(clips: list[ToHear], folder: Path, profile: str = "default") -> list[Heard | str]:
    kept = FileCache(folder / "kept", Findings(strict=True))
    return hear(clips, shipped(profile), kept=kept, jobs=1, progress=lambda *_: None)


@pytest.mark.parametrize(
    "profile", ["default", pytest.param("paper", marks=pytest.mark.slow)]
)  # librosa takes seconds to load
def test_it_is_what_the_front_end_measures(tmp_path: Path, profile: str) -> None:
    clips = [clip(tmp_path, 0, CALM), clip(tmp_path, 1, HARSH), clip(tmp_path, 0, CALM, "Only three words.")]
    requests = [whole_file(one.path, words=words) for one, words in zip(clips, (WORDS, WORDS, 3), strict=True)]
    front, tracker = shipped(profile).front, shipped(profile).tracker
    own = measure_features(requests, front=front, tracker=tracker, jobs=1, findings=Findings(strict=True))
    for _ in ("measured", "found again"):
        found = heard(clips, tmp_path, profile)
        for one, measured, features in zip(clips, found, own, strict=True):
            assert isinstance(measured, Heard)
            assert features is not None
            assert measured.features == rounded(features)
            assert measured.pcm_hash == pcm_hash(one.path)
            assert measured.sound.keys() == {measure.name for measure in MEASURES}
            assert (measured.rate, measured.speaks) == (8_000, True)
    assert [one.frames for one in found if isinstance(one, Heard)] == [request.spans[0][1] for request in requests]


def test_rounding_is_that_of_the_table() -> None:
    features = Features(f0=200.12345, level=-20.005001, mfcc=(0.00004, -1.23456789), seconds=-0.0)
    columns = {column.name for column in ATTEMPTS.columns}
    row = {**dict.fromkeys(columns), "dialogue": "d", "turn": 4, "option": "resonant", "attempt": 0, "used": True}
    row |= {"provider": "p", "model": "m", "voice": "v", "tone": "t"}
    [stored] = ATTEMPTS.from_rows([{**row, **features.as_row()}]).to_pylist()
    mine = rounded(features)
    assert {name: stored[name] for name in features.as_row()} == mine.as_row()
    assert rounded(mine) == mine
    assert mine != features


def test_what_is_known_is_not_measured_again_and_what_is_broken_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clips = [clip(tmp_path, 0, CALM), clip(tmp_path, 1, HARSH)]
    first = heard(clips, tmp_path)
    measured: list[int] = []
    real = hearing.measure_clips

    def counted(requests, **further):  # type: ignore[no-untyped-def]  # as the real one
        measured.append(len(requests))
        return real(requests, **further)

    monkeypatch.setattr(hearing, "measure_clips", counted)
    moved = ToHear(clips[0].path.rename(tmp_path / "moved.wav"), clips[0].file_hash, TEXT)
    assert heard([clips[1], moved], tmp_path) == first[::-1]
    assert measured == []
    FileCache(tmp_path / "kept", Findings(strict=True)).keep(_kind(tmp_path), {moved.file_hash: b"{"})
    assert heard([moved], tmp_path) == first[:1]
    assert measured == [1]


def _kind(folder: Path) -> str:
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(folder / "kept" / FILE)) as database:
        [(kind,)] = database.execute("SELECT DISTINCT kind FROM found").fetchall()
    return str(kind)


def test_a_file_that_cannot_be_read_says_why_and_is_not_kept(tmp_path: Path) -> None:
    page = tmp_path / "page.wav"
    page.write_bytes(b"<html></html>")
    lost = ToHear(page, "0" * 64, TEXT)
    said = heard([lost, clip(tmp_path, 0, CALM), ToHear(tmp_path / "absent.wav", "1" * 64, TEXT)], tmp_path)
    assert isinstance(said[0], str)
    assert isinstance(said[1], Heard)
    assert isinstance(said[2], str)
    write_tone(page, CALM, _line(5))
    assert isinstance(heard([lost], tmp_path)[0], Heard)
