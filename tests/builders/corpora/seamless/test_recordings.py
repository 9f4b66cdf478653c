"""Recordings: sound ones as they are, and each kind of unsound one named."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
import soundfile
from hypothesis import example, given
from hypothesis import strategies as st
from tests.builders.corpora.tiny import A, codes, metadata, write_json, write_wav

from earmark.builders.corpora.seamless.files import Files
from earmark.builders.corpora.seamless.ids import FileId
from earmark.builders.corpora.seamless.recordings import (
    MOST_OVERHANG_S,
    RATE,
    Recording,
    merge_spans,
    read_recording,
)
from earmark.builders.corpora.seamless.words import Word
from earmark.manifests.findings import Findings, Severity

FOLDER = "improvised/dev/0000/0007"
FILES = Files(f"{FOLDER}/{A}.wav", f"{FOLDER}/{A}.json")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("corpus")


def read(root: Path, files: Files = FILES) -> tuple[Recording | None, Findings]:
    findings = Findings()
    return read_recording(root, FileId.parse(A), files, findings), findings


def given_metadata(root: Path, value: object, frames: int = 4800) -> tuple[Recording | None, Findings]:
    write_wav(root / FOLDER / f"{A}.wav", frames)
    write_json(root / FOLDER / f"{A}.json", value)
    return read(root)


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


# Voice activity.

spans = st.lists(
    st.tuples(st.integers(0, 300), st.integers(1, 40)).map(lambda span: (span[0] / 100, (span[0] + span[1]) / 100)),
    max_size=12,
)


@given(found=spans, data=st.data())
def test_merged_spans_cover_what_the_spans_cover(found: list[tuple[float, float]], data: st.DataObject) -> None:
    merged, _ = merge_spans(found)
    assert merge_spans(data.draw(st.permutations(found)))[0] == merged
    assert merge_spans(list(merged)) == (merged, 0)
    assert all(one[1] < other[0] for one, other in pairwise(merged))
    for middle in (n / 100 + 0.005 for n in range(345)):
        covered = any(start < middle < end for start, end in found)
        assert any(start < middle < end for start, end in merged) == covered


@example(found=[(0.0, 1.4)])
@example(found=[(0.0, 1.6)])
@example(found=[(0.5, 1.0), (1.0, 1.5)])
@given(found=spans)
def test_speech_ends_with_its_audio(folder: Path, found: list[tuple[float, float]]) -> None:
    recording, findings = given_metadata(folder, metadata(A, found), RATE)
    last = max((end for _, end in found), default=0.0)
    if last > 1 + MOST_OVERHANG_S:
        assert recording is None
        assert codes(findings) == {"vad-beyond-end": 1}
        return
    assert recording is not None
    assert ("vad-clipped" in codes(findings)) == (last > 1)
    assert ("silent" in codes(findings)) == (not found)
    assert not findings.failed
    inside = [(start, min(end, 1.0)) for start, end in found if start < 1]
    assert (recording.vad, "vad-overlap" in codes(findings)) == (merge_spans(inside)[0], merge_spans(inside)[1] > 0)
    assert all(0 <= round(start * RATE) < round(end * RATE) <= recording.frames for start, end in recording.vad)


def test_no_speech_is_told_and_kept(tmp_path: Path) -> None:
    recording, findings = given_metadata(tmp_path, metadata(A, []))
    assert recording is not None
    assert recording.vad == ()
    assert codes(findings) == {"silent": 1}
    (finding,) = findings
    assert (finding.code.severity, finding.id, finding.file) == (Severity.WARNING, A, f"{FOLDER}/{A}.json")


@pytest.mark.parametrize("span", [(0.02, 0.02), (0.03, 0.02), (-0.01, 0.02)])
def test_a_span_of_no_length_is_dropped_and_the_others_kept(tmp_path: Path, span: tuple[float, float]) -> None:
    recording, findings = given_metadata(tmp_path, metadata(A, [(0.05, 0.09), span]))
    assert recording is not None
    assert recording.vad == ((0.05, 0.09),)
    assert codes(findings) == {"vad-span": 1}
    (finding,) = findings
    assert finding.column == "metadata:vad[1]"
    assert findings.failed


# Words.


def transcript(*segments: object) -> dict[str, object]:
    return metadata(A) | {"metadata:transcript": list(segments)}


def test_words_with_and_without_times(tmp_path: Path) -> None:
    value = transcript(
        {"words": [{"word": " Well ", "start": 1, "end": 1}, {"word": "you  know", "start": 0.5}, {"word": "  "}]},
        {"words": [], "transcript": "ignored"},
        {"transcript": "not aligned ", "start": 0.0, "end": 1.0},
        {"words": [{"word": "so", "start": None, "end": None, "score": "?"}], "new": {}},
    )
    recording, findings = given_metadata(tmp_path, value)
    assert len(findings) == 0
    assert recording is not None
    assert list(recording.words) == [
        Word("Well", 1.0, 1.0),
        Word("you know", None, None),
        Word("not", None, None),
        Word("aligned", None, None),
        Word("so", None, None),
    ]


def test_reversed_times_are_no_times(tmp_path: Path) -> None:
    value = transcript({"words": [{"word": "a", "start": 2.0, "end": 1.0}, {"word": "b", "start": -1.0, "end": 1.0}]})
    recording, findings = given_metadata(tmp_path, value)
    assert recording is not None
    assert list(recording.words) == [Word("a", None, None), Word("b", None, None)]
    assert codes(findings) == {"word-time": 2}
    assert [finding.column for finding in findings] == [f"metadata:transcript[0].words[{n}]" for n in (0, 1)]


def test_a_transcript_may_be_absent(tmp_path: Path) -> None:
    value = metadata(A)
    del value["metadata:transcript"]
    recording, findings = given_metadata(tmp_path, value)
    assert recording is not None
    assert len(recording.words) == 0
    assert codes(findings) == {"no-transcript": 1}
    assert not findings.failed


# Metadata of another form.


@pytest.mark.parametrize(
    ("change", "column"),
    [
        ({"metadata:vad": None}, "metadata:vad"),
        ({"metadata:vad": {"start": 0, "end": 1}}, "metadata:vad"),
        ({"metadata:vad": [[0, 1]]}, "metadata:vad[0]"),
        ({"metadata:vad": [{"start": 0}]}, "metadata:vad[0].end"),
        ({"metadata:vad": [{"start": 0, "end": "1"}]}, "metadata:vad[0].end"),
        ({"metadata:vad": [{"start": False, "end": 1}]}, "metadata:vad[0].start"),
        ({"metadata:transcript": "All right"}, "metadata:transcript"),
        ({"metadata:transcript": ["All right"]}, "metadata:transcript[0]"),
        ({"metadata:transcript": [{"words": "All"}]}, "metadata:transcript[0].words"),
        ({"metadata:transcript": [{"words": [{}]}]}, "metadata:transcript[0].words[0].word"),
        (
            {"metadata:transcript": [{"words": [{"word": "a", "start": "0", "end": 1}]}]},
            "metadata:transcript[0].words[0].start",
        ),
        ({"metadata:transcript": [{}]}, "metadata:transcript[0].transcript"),
    ],
)
def test_another_form_is_named_by_its_place(tmp_path: Path, change: dict[str, object], column: str) -> None:
    recording, findings = given_metadata(tmp_path, metadata(A) | change)
    assert recording is None
    assert codes(findings) == {"bad-metadata": 1}
    (finding,) = findings
    assert (finding.file, finding.id, finding.column) == (FILES.metadata, A, column)
    assert finding.found is not None
    assert finding.expected is not None


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "bad-json"),
        (b'{"id": "', "bad-json"),
        (b"\xff", "bad-json"),
        (b'{"id": "%s", "metadata:vad": [], "metadata:vad": []}' % A.encode(), "bad-json"),
        (b'{"id": "%s", "metadata:vad": [{"start": 0, "end": NaN}]}' % A.encode(), "bad-json"),
        (b"[" * 100_000, "bad-json"),
        (b"[]", "bad-metadata"),
        (json.dumps(metadata(A[:-1])).encode(), "other-id"),
        (json.dumps(metadata(f"../{A}")).encode(), "other-id"),
        (b'{"id": 1, "metadata:vad": []}', "other-id"),
    ],
)
def test_what_is_no_metadata_of_this_id(tmp_path: Path, data: bytes, code: str) -> None:
    given_metadata(tmp_path, metadata(A))
    (tmp_path / FOLDER / f"{A}.json").write_bytes(data)
    recording, findings = read(tmp_path)
    assert recording is None
    assert codes(findings) == {code: 1}


def test_metadata_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given_metadata(tmp_path, metadata(A))
    monkeypatch.setattr("earmark.builders.corpora.seamless.recordings.MOST_METADATA_BYTES", 100)
    recording, findings = read(tmp_path)
    assert recording is None
    assert codes(findings) == {"bad-json": 1}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(-1, 1) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["start", "end", "word", "words", "transcript"]), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(vad=json_values, words=json_values)
def test_no_metadata_leads_to_an_error(folder: Path, vad: object, words: object) -> None:
    recording, findings = given_metadata(folder, {"id": A, "metadata:vad": vad, "metadata:transcript": words})
    assert recording is not None or findings.failed


# Audio.


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
    recording, findings = read(tmp_path)
    assert recording is None
    assert codes(findings) == expected
    first = next(iter(findings))
    assert (first.file, first.id, first.found) == (FILES.audio, A, found)
    assert findings.failed


def test_audio_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    given_metadata(tmp_path, metadata(A))
    (tmp_path / FOLDER / f"{A}.wav").unlink()
    (tmp_path / FOLDER / f"{A}.wav").mkdir()
    assert codes(read(tmp_path)[1]) == {"not-wav": 1}


def test_24_bits_are_whole_numbers_too(tmp_path: Path) -> None:
    given_metadata(tmp_path, metadata(A))
    write_wav(tmp_path / FOLDER / f"{A}.wav", width=3)
    recording, findings = read(tmp_path)
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
    recording, findings = read(tmp_path, Files(None, FILES.metadata, ambiguous=True))
    assert recording is None
    assert len(findings) == 0


def test_every_problem_of_a_recording_at_once(tmp_path: Path) -> None:
    given_metadata(tmp_path, metadata(A))
    write_wav(tmp_path / FOLDER / f"{A}.wav", rate=44_100)
    (tmp_path / FOLDER / f"{A}.json").write_bytes(b"{")
    assert codes(read(tmp_path)[1]) == {"wrong-rate": 1, "bad-json": 1}
