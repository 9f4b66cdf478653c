"""The miniature of LibriTTS: the layout it is to have, sounds that were asked for, and a seed that is all there is."""

from __future__ import annotations

import hashlib
import wave
from pathlib import Path

import numpy as np
import pytest
import soundfile as sf
from tests.support.miniature import files_of

from earmark.builders.miniatures.libritts import RATE, READERS, make_libritts


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("mini") / "LibriTTS"
    make_libritts(root)
    return root


def audio(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*.wav") if not path.name.startswith("._"))


def test_the_layout_is_the_real_one(root: Path) -> None:
    named = {path.name for path in root.iterdir() if path.is_file()}
    assert named == {
        "SPEAKERS.txt",
        "speakers.tsv",
        "reader_book.tsv",
        "BOOKS.txt",
        "CHAPTERS.txt",
        "LICENSE.txt",
        "NOTE.txt",
    }
    assert len(audio(root)) == 18
    for path in audio(root):
        reader, chapter = path.name.split("_")[:2]
        assert (path.parent.name, path.parent.parent.name) == (chapter, reader)
        assert all(path.with_suffix(f".{kind}.txt").is_file() for kind in ("normalized", "original"))
        assert all((path.parent / f"{reader}_{chapter}.{kind}.tsv").is_file() for kind in ("trans", "book"))
    assert sum(len(data) for data in files_of(root).values()) < 1 << 20


def test_the_traps_are_there(root: Path, tmp_path: Path) -> None:
    speakers = (root / "SPEAKERS.txt").read_text().splitlines()
    assert any(line.endswith("| |CBW|Simon") for line in speakers)
    assert any(line.startswith("61|M|") for line in speakers)  # the padding is lost
    table = [line.split("\t") for line in (root / "speakers.tsv").read_text().splitlines()]
    assert [len(row) for row in table].count(3) == 2  # the header, and a row without a name
    book = (root / "test-clean/61/70968/61_70968.book.tsv").read_text()
    assert [line.split("\t")[3] for line in book.splitlines()] == ["true", "true", "true", "false"]
    make_libritts(tmp_path / "sound", flaws=False)
    flawed, sound = files_of(root), files_of(tmp_path / "sound")
    assert flawed.keys() - sound.keys() == {"test-clean/61/70968/._61_70968_000000_000000.wav"}
    assert {name for name in sound if flawed[name] != sound[name]} == {
        "test-clean/260/123286/260_123286.trans.tsv",
        "test-clean/237/126133/237_126133.trans.tsv",
    }


def test_every_clip_is_another_and_none_shares_its_sentence(root: Path) -> None:
    for path in audio(root):
        with wave.open(str(path)) as file:
            assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (RATE, 1, 2)
    assert len({hashlib.sha256(path.read_bytes()).digest() for path in audio(root)}) == 18
    assert len({path.with_suffix(".normalized.txt").read_text() for path in audio(root)}) == 18


def test_women_and_men_differ_in_pitch(root: Path) -> None:
    parselmouth = pytest.importorskip("parselmouth")
    by_id = {reader.id: reader for reader in READERS}
    for path in audio(root)[::3]:
        samples, rate = sf.read(path)
        pitch = parselmouth.Sound(samples, rate).to_pitch(pitch_floor=75, pitch_ceiling=500)
        heights = pitch.selected_array["frequency"]
        assert np.median(heights[heights > 0]) == pytest.approx(by_id[path.name.split("_")[0]].f0, rel=0.07)


def test_a_seed_is_all_there_is(root: Path, tmp_path: Path) -> None:
    make_libritts(tmp_path / "same")
    make_libritts(tmp_path / "other", seed=2)
    assert files_of(tmp_path / "same") == files_of(root)
    assert files_of(tmp_path / "other") != files_of(root)
    with pytest.raises(ValueError, match="not empty"):
        make_libritts(tmp_path)
