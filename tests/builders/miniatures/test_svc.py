"""The miniature of SVC: the layout it is to have, sounds that were asked for, and a seed that is all there is."""

from __future__ import annotations

import hashlib
import json
import wave
from pathlib import Path

import numpy as np
import pytest
import soundfile as sf
from tests.support.miniature import files_of

from earmark.builders.miniatures.svc import RATE, TEST_SPEAKERS, make_svc


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("mini") / "svc-dataset"
    make_svc(root)
    return root


def records(root: Path, split: str) -> dict[str, dict[str, dict[str, str]]]:
    value: dict[str, dict[str, dict[str, str]]] = json.loads((root / f"metadata/{split}_metadata.json").read_text())
    return value


def test_the_layout_is_the_real_one(root: Path) -> None:
    counts = {split: len(list((root / "audios" / split).glob("audio_*.wav"))) for split in ("test", "train", "dev")}
    assert counts == {"test": 24, "train": 1, "dev": 1}
    assert sorted(path.name for path in (root / "metadata").iterdir()) == [
        f"{split}_metadata.json" for split in ("dev", "test", "train")
    ]
    for split, count in counts.items():
        assert {f"{id}.wav" for id in records(root, split)} == {p.name for p in (root / "audios" / split).iterdir()}
        assert len(records(root, split)) == count
    assert sum(len(data) for data in files_of(root).values()) < 1 << 20


def test_audio_is_as_long_as_told_and_every_clip_is_another(root: Path) -> None:
    for split in ("test", "train", "dev"):
        for id, record in records(root, split).items():
            with wave.open(str(root / "audios" / split / f"{id}.wav")) as audio:
                assert (audio.getframerate(), audio.getnchannels(), audio.getsampwidth()) == (RATE, 1, 2)
                assert audio.getnframes() * 1000 == record["audioLengthMs"] * RATE  # type: ignore[operator]
    hashes = {hashlib.sha256(data).digest() for name, data in files_of(root).items() if name.endswith(".wav")}
    assert len(hashes) == 26


def test_children_women_and_men_differ_in_pitch(root: Path) -> None:
    parselmouth = pytest.importorskip("parselmouth")
    by_id = {speaker.id: speaker for speaker in TEST_SPEAKERS}
    for id, record in list(records(root, "test").items())[::4]:
        samples, rate = sf.read(root / "audios" / "test" / f"{id}.wav")
        pitch = parselmouth.Sound(samples, rate).to_pitch(pitch_floor=75, pitch_ceiling=500)
        heights = pitch.selected_array["frequency"]
        assert np.median(heights[heights > 0]) == pytest.approx(by_id[record["speaker"]["user_id"]].f0, rel=0.07)


def test_one_age_group_is_wrong_and_no_more_than_one(root: Path, tmp_path: Path) -> None:
    make_svc(tmp_path / "sound", flaws=False)
    flawed, sound = files_of(root), files_of(tmp_path / "sound")
    assert [name for name in sound if flawed[name] != sound[name]] == ["metadata/test_metadata.json"]
    differing = {
        id: (entry["speaker"]["age_group"], records(tmp_path / "sound", "test")[id]["speaker"]["age_group"])
        for id, entry in records(root, "test").items()
        if entry != records(tmp_path / "sound", "test")[id]
    }
    assert list(differing.values()) == [("29-41", "17-28")]


def test_a_seed_is_all_there_is(root: Path, tmp_path: Path) -> None:
    make_svc(tmp_path / "same")
    make_svc(tmp_path / "other", seed=2)
    assert files_of(tmp_path / "same") == files_of(root)
    assert files_of(tmp_path / "other") != files_of(root)
    with pytest.raises(ValueError, match="not empty"):
        make_svc(tmp_path)
