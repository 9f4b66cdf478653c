"""Metadata files of SVC: typed record by record, and a key that stands twice never passes for one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.corpora.checks import codes_of

from earmark.builders.corpora.svc import records as module
from earmark.builders.corpora.svc.records import Record, Speaker, Transcript, read_records
from earmark.manifests.findings import Findings
from earmark.manifests.strict import NotStrictJson, strict_json

A, B = "audio_AAAAAAAAAAAAAAAA", "audio_BBBBBBBBBBBBBBBB"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("records")


def record(**changes: object) -> dict[str, object]:
    return {
        "audioLengthMs": 900,
        "content": {"domain": "Music"},
        "speaker": {"age": "25", "age_group": "17-28", "ethnicity": None, "gender": "male", "user_id": "7"},
        "transcript": {"text": "play 1999", "normalized_text": "play nineteen ninety nine", "label": {"slots": []}},
    } | changes


def read(folder: Path, data: bytes) -> tuple[Mapping[str, Record] | None, dict[str, int]]:
    (folder / "test_metadata.json").write_bytes(data)
    findings = Findings()
    found = read_records(folder / "test_metadata.json", findings, file="metadata/test_metadata.json")
    return found, codes_of(findings, "svc")


def test_a_record_is_read_by_its_types(folder: Path) -> None:
    found, codes = read(folder, json.dumps({B: record(), A: record(audioLengthMs=1)}).encode())
    speaker, words = Speaker("7", "25", "17-28", "male"), Transcript("play 1999", "play nineteen ninety nine")
    assert found == {A: Record(1, speaker, words), B: Record(900, speaker, words)}
    assert list(found or ()) == [A, B]
    assert codes == {}


@pytest.mark.parametrize(
    "changes",
    [
        {"audioLengthMs": "900"},
        {"audioLengthMs": 900.5},
        {"audioLengthMs": True},
        {"audioLengthMs": -1},
        {"audioLengthMs": None},
        {"speaker": None},
        {"speaker": []},
        {"speaker": {"age": 25, "age_group": "17-28", "gender": "male", "user_id": "7"}},
        {"speaker": {"age": "25", "age_group": "17-28", "gender": None, "user_id": "7"}},
        {"speaker": {"age": "25", "age_group": "17-28", "gender": "male", "user_id": 7}},
        {"speaker": {"age": "25", "age_group": "17-28", "gender": "male", "user_id": ""}},
        {"speaker": {"age": "25", "age_group": "17-28", "user_id": "7"}},
        {"transcript": {"text": 1999}},
        {"transcript": "play"},
    ],
)
def test_a_record_of_other_types_is_dropped_alone(folder: Path, changes: dict[str, object]) -> None:
    found, codes = read(folder, json.dumps({A: record(**changes), B: record()}).encode())
    assert list(found or ()) == [B]
    assert codes == {"bad-record": 1}


def test_what_pairing_has_no_use_for_may_be_anything(folder: Path) -> None:
    found, codes = read(folder, json.dumps({A: record(content=3, more=[None])}).encode())
    assert list(found or ()) == [A]
    assert codes == {}


@pytest.mark.parametrize("id", ["audio_short", "../../../etc/passwd12", "audio_AAAAAAAAAAAAAA/B", "", f"{A}\n"])
def test_a_key_that_is_no_audio_id_names_no_file(folder: Path, id: str) -> None:
    found, codes = read(folder, json.dumps({id: record(), B: record()}).encode())
    assert list(found or ()) == [B]
    assert codes == {"bad-id": 1}


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b"3", b"{", b'{"a": NaN}', b"\xff", b"[" * 100_000, json.dumps({A: record()}).encode()[:-1]],
)
def test_a_file_that_is_none(folder: Path, data: bytes) -> None:
    found, codes = read(folder, data)
    assert found is None
    assert codes == {"unreadable-metadata": 1}


def test_an_absent_or_too_large_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    findings = Findings()
    assert read_records(folder / "none.json", findings, file="none.json") is None
    monkeypatch.setattr(module, "MOST_BYTES", 100)
    found, codes = read(folder, json.dumps({A: record()}).encode())
    assert found is None
    assert codes == codes_of(findings, "svc") == {"unreadable-metadata": 1}


def test_nested_too_deeply_within_a_record(folder: Path) -> None:
    data = json.dumps({A: record(deep=0), B: record()}).replace('"deep": 0', '"deep": ' + "[" * 5000 + "]" * 5000)
    found, codes = read(folder, data.encode())
    assert A not in (found or {})
    assert codes in ({"bad-record": 1}, {"unreadable-metadata": 1})


def test_what_only_the_slower_parser_refuses_is_refused(folder: Path) -> None:
    digits = "9" * 10_000  # within what is not read, and a key with a space behind it, so that all has to be parsed
    data = json.dumps({A: record(other=0)}, separators=(",", " : ")).replace('"other" : 0', f'"other" : {digits}')
    assert read(folder, data.encode()) == (None, {"unreadable-metadata": 1})


KEYS = ("age", "gender", "speaker", "audioLengthMs", "text", "normalized_text", "x")
names = st.sampled_from(KEYS)


@settings(max_examples=50)
@given(
    twice=st.none() | names,
    value=st.sampled_from(['"age"', '"age\\":"', '"x\\u0041\\": "', "3"]),
    escaped=st.booleans(),
    space=st.sampled_from(["", " "]),
)
def test_a_key_that_stands_twice_is_told_whatever_stands_around_it(
    folder: Path, twice: str | None, value: str, escaped: bool, space: str
) -> None:
    text = json.dumps({A: record(), B: record()}, separators=(",", f"{space}:{space}"))
    if twice is not None:
        name = f"\\u{ord(twice[0]):04x}{twice[1:]}" if escaped else twice
        at = text.index(f'"{twice}"') if f'"{twice}"' in text else text.index('"audioLengthMs"')
        more = f'"{name}":{value},' + ('"x":4,' if twice == "x" else "")
        text = text[:at] + more + text[at:]
    found, codes = read(folder, text.encode())
    try:
        strict_json(text.encode())
        unique = True
    except NotStrictJson:
        unique = False
    assert unique == (twice is None)
    if twice is None:
        assert list(found or ()) == [A, B]
    elif twice != "x":
        assert list(found or ()) == [B]
        assert codes == {"repeated-key": 1}
    else:  # never read, so that nothing depends on it
        assert list(found or ()) in ([A, B], [B])


@pytest.mark.parametrize("space", ["", " ", "\n"])
def test_two_records_of_one_id_are_dropped_both(folder: Path, space: str) -> None:
    one, other = json.dumps(record()), json.dumps(record(audioLengthMs=1))
    data = f'{{"{A}"{space}: {one}, "{B}": {one}, "{A}": {other}}}'.encode()
    found, codes = read(folder, data)
    assert list(found or ()) == [B]
    assert codes == {"repeated-key": 1}


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=50)
@given(records=st.dictionaries(st.sampled_from([A, B, "x"]), anything, max_size=3), changed=anything)
def test_no_json_leads_to_an_error_that_nobody_expects(
    folder: Path, records: dict[str, object], changed: object
) -> None:
    whole = {"audio_CCCCCCCCCCCCCCCC": record(speaker=changed), "audio_DDDDDDDDDDDDDDDD": record(transcript=changed)}
    for value in (records, records | whole, changed):
        found, codes = read(folder, json.dumps(value).encode())
        expected = len(value) if isinstance(value, dict) else None
        assert (found is None) if expected is None else (found is None or len(found) + sum(codes.values()) == expected)
        assert found is not None or codes == {"unreadable-metadata": 1}
