"""Clips on disk: whole or not there, and known again only as what they were made of."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
import soundfile

from earmark.builders.dialogues.speakers.clip_files import keep, kept, wav_bytes, write_whole

SAMPLES = np.array([0, 1, -1, 32767, -32768], np.int16)


def test_samples_come_back_as_they_were(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(wav_bytes(SAMPLES, 22_050))
    samples, rate = soundfile.read(tmp_path / "a.wav", dtype="int16")
    np.testing.assert_array_equal(samples, SAMPLES)
    assert rate == 22_050
    assert soundfile.info(tmp_path / "a.wav").subtype == "PCM_16"


def test_a_clip_is_known_by_its_key_and_its_bytes(tmp_path: Path) -> None:
    path, data = tmp_path / "d" / "4.wav", wav_bytes(SAMPLES, 22_050)
    assert kept(path, "k") is None
    found = keep(path, data, "k")
    assert found == hashlib.sha256(data).hexdigest() == kept(path, "k")
    assert kept(path, "another") is None
    for other in (data[:-1], data[:-2] + b"\0\0", b""):
        path.write_bytes(other)
        assert kept(path, "k") is None
    path.unlink()
    assert kept(path, "k") is None
    keep(path, data, "k")
    for note in ("", "{", '{"key": "k"}', '{"key": 1, "file_hash": ""}', "\xff"):
        (tmp_path / "d" / "4.wav.json").write_text(note, encoding="latin-1")
        assert kept(path, "k") is None


def test_what_cannot_be_written_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_whole(tmp_path / "a.wav", b"old")

    def full(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            file.write(data[:2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(tmp_path / "a.wav", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["a.wav"]
    assert (tmp_path / "a.wav").read_bytes() == b"old"
