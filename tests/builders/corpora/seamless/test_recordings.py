"""Recordings: sound ones as they are, and audio of each unsound kind named."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from pathlib import Path

import pytest
import soundfile
from tests.builders.corpora.tiny import FILES, FOLDER, A, codes, given_metadata, metadata, read_one, write_wav

from earmark.builders.corpora.seamless.files import Files
from earmark.builders.corpora.seamless.ids import FileId
from earmark.builders.corpora.seamless.recordings import read_recording
from earmark.builders.corpora.seamless.words import Word
from earmark.manifests.findings import Findings


def test_a_sound_one(tmp_path: Path) -> None:
    recording, findings = given_metadata(tmp_path, metadata(A, [(0.06, 0.09), (0.01, 0.05)]))
    assert len(findings) == 0
    assert recording is not None
    assert (str(recording.file_id), recording.path) == (A, f"{FOLDER}/{A}.wav")
    assert (recording.rate, recording.frames, recording.seconds) == (48_000, 4800, 0.1)
    assert recording.vad == ((0.01, 0.05), (0.06, 0.09))
    assert recording.speech_s == pytest.approx(0.07)
    assert list(recording.words) == [Word("All", 0.01, 0.02), Word("right", None, None)]
    data = (tmp_path / FOLDER / f"{A}.json").read_bytes()
    assert recording.metadata_hash == f"sha256:{hashlib.sha256(data).hexdigest()}"


def float_wav(path: Path) -> None:
    soundfile.write(path, [math.nan] * 4800, 48_000, subtype="FLOAT")


def truncated(path: Path) -> None:
    path.write_bytes(write_wav(path).read_bytes()[:-2001])


def no_wav(path: Path) -> None:
    path.write_bytes(b"\0\x05\x16\x07")


@pytest.mark.parametrize(
    ("spoil", "expected", "found"),
    [
        (lambda path: write_wav(path, rate=44_100), {"wrong-rate": 1}, "44100 Hz"),
        (lambda path: write_wav(path, channels=2), {"not-mono": 1}, "2 channels"),
        (float_wav, {"not-pcm": 1}, "IEEE float"),
        (truncated, {"truncated-audio": 1}, "3799 samples"),
        (lambda path: write_wav(path, 0), {"empty-audio": 1}, "0 samples"),
        (no_wav, {"not-wav": 1}, "it does not begin as a WAV file does"),
        (lambda path: write_wav(path, rate=8000, channels=2), {"wrong-rate": 1, "not-mono": 1}, "2 channels"),
    ],
)
def test_unsound_audio(tmp_path: Path, spoil: Callable[[Path], object], expected: dict[str, int], found: str) -> None:
    given_metadata(tmp_path, metadata(A))
    spoil(tmp_path / FOLDER / f"{A}.wav")
    recording, findings = read_one(tmp_path)
    assert recording is None
    assert codes(findings) == expected
    first = next(iter(findings))
    assert (first.file, first.id, first.found) == (FILES.audio, A, found)
    assert findings.failed


def test_audio_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    given_metadata(tmp_path, metadata(A))
    (tmp_path / FOLDER / f"{A}.wav").unlink()
    (tmp_path / FOLDER / f"{A}.wav").mkdir()
    assert codes(read_one(tmp_path)[1]) == {"not-wav": 1}


def test_24_bits_are_whole_numbers_too(tmp_path: Path) -> None:
    given_metadata(tmp_path, metadata(A))
    write_wav(tmp_path / FOLDER / f"{A}.wav", width=3)
    recording, findings = read_one(tmp_path)
    assert recording is not None
    assert recording.frames == 4800
    assert len(findings) == 0


# Files that are not there.


def test_absent_files_are_named_with_the_one_that_is_there(tmp_path: Path) -> None:
    given_metadata(tmp_path, metadata(A))
    findings = Findings()
    id = FileId.parse(A)
    assert read_recording(tmp_path, id, Files(None, FILES.metadata), findings, expected_in=FOLDER) is None
    assert read_recording(tmp_path, id, Files(FILES.audio, None), findings) is None
    assert [(f.code.name, f.file, f.id, f.expected) for f in findings] == [
        ("corpus.missing-audio", FILES.metadata, A, f"a file in {FOLDER}"),
        ("corpus.missing-metadata", FILES.audio, A, None),
    ]


def test_what_was_dropped_as_ambiguous_is_not_missing_too(tmp_path: Path) -> None:
    recording, findings = read_one(tmp_path, Files(None, FILES.metadata, ambiguous=True))
    assert recording is None
    assert len(findings) == 0


def test_every_problem_of_a_recording_at_once(tmp_path: Path) -> None:
    given_metadata(tmp_path, metadata(A))
    write_wav(tmp_path / FOLDER / f"{A}.wav", rate=44_100)
    (tmp_path / FOLDER / f"{A}.json").write_bytes(b"{")
    assert codes(read_one(tmp_path)[1]) == {"wrong-rate": 1, "bad-json": 1}
