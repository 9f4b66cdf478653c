"""The JSON files: spans and words of every form that the corpus has, and each other form named by its place."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.builders.corpora.tiny import FILES, FOLDER, UNTIMED, A, codes, given_metadata, metadata, read_one

from earmark.builders.corpora.seamless.recordings import RATE
from earmark.builders.corpora.seamless.sheets import MOST_OVERHANG_S, merge_spans
from earmark.builders.corpora.seamless.words import Word
from earmark.manifests.findings import Severity


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("corpus")


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
@example(found=[(1.1, 1.2)])
@example(found=[(0.5, 1.0), (1.0, 1.5)])
@UNTIMED
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
    assert not findings.failed
    inside = [(start, min(end, 1.0)) for start, end in found if start < 1]
    assert ("silent" in codes(findings)) == (not inside)
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
        {"words": [], "start": 0.0, "end": 1.0},
        {"words": [], "transcript": "in fact"},
        {"transcript": "not aligned ", "start": 0.0, "end": 1.0},
        {"words": [{"word": "so", "start": None, "end": None, "score": "?"}], "new": {}},
    )
    recording, findings = given_metadata(tmp_path, value)
    assert len(findings) == 0
    assert recording is not None
    assert list(recording.words) == [
        Word("Well", 1.0, 1.0),
        Word("you know", None, None),
        Word("in", None, None),
        Word("fact", None, None),
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
    recording, findings = read_one(tmp_path)
    assert recording is None
    assert codes(findings) == {code: 1}


def test_metadata_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given_metadata(tmp_path, metadata(A))
    monkeypatch.setattr("earmark.builders.corpora.seamless.sheets.MOST_BYTES", 100)
    recording, findings = read_one(tmp_path)
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


@UNTIMED
@given(vad=json_values, words=json_values)
def test_no_metadata_leads_to_an_error(folder: Path, vad: object, words: object) -> None:
    recording, findings = given_metadata(folder, {"id": A, "metadata:vad": vad, "metadata:transcript": words})
    assert recording is not None or findings.failed
