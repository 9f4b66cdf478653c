"""Metadata of EARS: strict JSON, one entry at a time, and the counts that are published."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.corpora.checks import codes_of

from earmark.builders.corpora.ears import metadata
from earmark.builders.corpora.ears.metadata import Speakers, Transcripts, read_speakers, read_transcripts
from earmark.manifests.findings import Findings

T = TypeVar("T")

STEMS = ("rainbow_01_fast", "rainbow_01_slow", "sentences_01_regular", "emo_anger_sentences", "freeform_speech_01")
texts = st.dictionaries(st.sampled_from(STEMS), st.sampled_from(("One, two.", "one TWO", "Three.")))


def transcripts(root: Path, value: object) -> tuple[Transcripts | None, dict[str, int]]:
    return _read(root, "transcripts.json", value, read_transcripts)


def speakers(root: Path, value: object) -> tuple[Speakers | None, dict[str, int]]:
    return _read(root, "speaker_statistics.json", value, read_speakers)


def _read(root: Path, name: str, value: object, reader: Callable[[Path, Findings], T]) -> tuple[T, dict[str, int]]:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    (root / name).write_bytes(data)
    findings = Findings()
    return reader(root, findings), codes_of(findings, "ears")


@settings(max_examples=40)
@given(texts, st.randoms(use_true_random=False))
def test_texts_are_found_by_the_whole_stem_in_any_order(
    tmp_path_factory: pytest.TempPathFactory, said: dict[str, str], random: Random
) -> None:
    root = tmp_path_factory.getbasetemp()
    found, codes = transcripts(root, said)
    again, _ = transcripts(root, dict(random.sample(sorted(said.items()), len(said))))
    assert found is not None
    assert found == again
    assert found.texts == said
    # "One, two." and "one TWO" are the same words; "Three." is not.
    words = {said[stem].casefold().startswith("one") for stem in STEMS[:2] if stem in said}
    assert found.unequal == ({"rainbow_01"} if len(words) == 2 else set())
    assert codes == ({"texts-differ": 1} if found.unequal else {})


def test_entries_that_are_no_transcript(tmp_path: Path) -> None:
    said = {"rainbow_01_fast": "One.", "rainbow_01": "One.", "rainbow_02_fast": 2, "rainbow_03_fast": " ", "x": None}
    found, codes = transcripts(tmp_path, said)
    assert found is not None
    assert found.texts == {"rainbow_01_fast": "One."}
    assert codes == {"bad-transcript": 4}


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b'{"p001": {"gender": "male"}, "p001": {"gender": "female"}}', "repeated-key"),
        (b'{"p001": {"gender": "male", "gender": "female"}}', "repeated-key"),
        (b'{"p001": "\xe9"}', "bad-encoding"),
        (b'{"p001": NaN}', "bad-json"),
        (b'{"p001":', "bad-json"),
        (b"[]", "bad-json"),
        (b"", "bad-json"),
    ],
)
@pytest.mark.parametrize("read", [transcripts, speakers])
def test_files_that_nobody_can_rely_on(
    tmp_path: Path, read: Callable[[Path, object], tuple[object, dict[str, int]]], data: bytes, code: str
) -> None:
    assert read(tmp_path, data) == (None, {code: 1})


def test_no_file_and_too_large_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    findings = Findings()
    assert read_transcripts(tmp_path, findings) is None
    assert read_speakers(tmp_path, findings) is None
    assert codes_of(findings, "ears") == {"unreadable-file": 2}
    monkeypatch.setattr(metadata, "MOST_BYTES", 10)
    assert transcripts(tmp_path, {"a": "long enough"}) == (None, {"bad-json": 1})


def test_sex_is_what_is_said_or_not_known(tmp_path: Path) -> None:
    genders = ("female", "male", "prefer not to answer", "non-binary / third gender", "Male", "")
    described = {f"p{n:03d}": {"gender": gender, "age": "18-25"} for n, gender in enumerate(genders)}
    found, codes = speakers(tmp_path, described)
    assert found is not None
    assert found.sex == {"p000": "female", "p001": "male", "p002": None, "p003": None, "p004": None, "p005": None}
    assert codes == {"other-gender": 2}


def test_entries_that_are_no_speaker(tmp_path: Path) -> None:
    good = {"gender": "male"}
    described: dict[str, object] = {
        "p001": good,
        "p002": {},
        "p003": {"gender": 1},
        "p004": "male",
        "p5": good,
        "q006": good,
    }
    found, codes = speakers(tmp_path, described)
    assert found is not None
    assert found.sex == {"p001": "male"}
    assert codes == {"bad-speaker": 5}


def test_the_hash_of_the_speakers_is_of_their_sex_alone(tmp_path: Path) -> None:
    def hashed(**described: object) -> str:
        found, _ = speakers(tmp_path, {"p001": {"gender": "male"}, "p002": described})
        assert found is not None
        return found.hash

    assert hashed(gender="female", weight="1") == hashed(weight="2", gender="female")
    assert hashed(gender="female") != hashed(gender="male")


def test_real_metadata(shared_data: Path) -> None:
    findings = Findings()
    said, known = (read(shared_data / "ears", findings) for read in (read_transcripts, read_speakers))
    assert isinstance(said, Transcripts)
    assert isinstance(known, Speakers)
    assert len(findings) == 0
    assert len(said.texts) == 115
    assert not said.unequal
    assert Counter(known.sex.values()) == {"female": 60, "male": 43, None: 4}
    assert sorted(known.sex) == [f"p{n:03d}" for n in range(1, 108)]
    assert known.sex["p103"] is None


values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(1 << 62), 1 << 62),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(max_size=5),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(("gender", "age", "p001")), inner)
    ),
    max_leaves=6,
)


@settings(max_examples=40)
@given(st.one_of(values, st.dictionaries(st.sampled_from((*STEMS, "p001", "p102", "x")), values)))
def test_any_json_is_read_or_found_wrong(tmp_path_factory: pytest.TempPathFactory, value: object) -> None:
    root = tmp_path_factory.getbasetemp()
    entries = len(value) if isinstance(value, dict) else 0
    said, codes = transcripts(root, value)
    kept = len(said.texts) if said else 0
    assert kept + codes.get("bad-transcript", 0) == entries
    known, codes = speakers(root, value)
    kept = len(known.sex) if known else 0
    assert kept + codes.get("bad-speaker", 0) == entries
    assert (said is None) == (known is None) == (not isinstance(value, dict))
