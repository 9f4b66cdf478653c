"""One metadata file of SVC: records by audio id, each checked by its types; none is taken that can be read in two ways."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, cast

import msgspec

from earmark.manifests.findings import Findings, Severity, declare

MOST_BYTES = 1 << 30
"""Largest metadata file that is read; that of the test split has about 60 MB."""

UNREADABLE = declare("svc.unreadable-metadata", Severity.ERROR, "the metadata file cannot be read")
BAD_ID = declare("svc.bad-id", Severity.ERROR, "the record's key is no audio id; dropped")
BAD_RECORD = declare("svc.bad-record", Severity.ERROR, "the record lacks a field or has one of another type; dropped")
REPEATED_KEY = declare(
    "svc.repeated-key", Severity.ERROR, "a key stands twice, so that nothing says which is right; dropped"
)

ID = re.compile(r"audio_[0-9A-Za-z]{16}")
"""An audio id, which is also the stem of its file."""

_KEYS = ("audioLengthMs", "speaker", "transcript", "age", "age_group", "gender", "user_id", "text", "normalized_text")
_ESCAPED_KEY = re.compile(rb'\\u[0-9a-fA-F]{4}[^"\\]*"\s*:')


class Speaker(msgspec.Struct, frozen=True):
    """Who speaks.

    Attributes:
        user_id: id of the speaker.
        age: years, an integer in a string.
        age_group: such as "17-28".
        gender: "female" or "male".
    """

    user_id: Annotated[str, msgspec.Meta(min_length=1)]
    age: str
    age_group: str
    gender: str


class Transcript(msgspec.Struct, frozen=True):
    """What is said.

    Attributes:
        text: as written.
        normalized_text: as spoken, numbers in words.
    """

    text: str | None = None
    normalized_text: str | None = None


class Record(msgspec.Struct, frozen=True):
    """One recording. What pairing has no use for (intent, region, ethnicity) is not read, whatever it is.

    Attributes:
        length_ms: duration, ms, >= 0.
        speaker: who speaks.
        transcript: what is said.
    """

    length_ms: Annotated[int, msgspec.Meta(ge=0, le=1 << 40)] = msgspec.field(name="audioLengthMs")
    speaker: Speaker
    transcript: Transcript


def read_ids(path: Path, findings: Findings, *, file: str) -> frozenset[str]:
    """The audio ids of a metadata file whose records are of no concern; empty if it cannot be read."""
    data = _bytes(path, file, findings)
    raw = None if data is None else _raw(data, file, findings)
    return frozenset(raw or ())


def read_records(path: Path, findings: Findings, *, file: str) -> Mapping[str, Record] | None:
    """Read a metadata file.

    Args:
        path: The file.
        findings: What is wrong is added to them.
        file: What findings call the file.

    Returns:
        The sound records by audio id, ascending; None if the file as a whole is of no use.
    """
    data = _bytes(path, file, findings)
    raw = None if data is None else _raw(data, file, findings)
    if data is None or raw is None:
        return None
    unclear: Mapping[str, str] = {}
    if not _surely_unique(data, len(raw)):
        try:
            unclear = _repeated(data)
        except (ValueError, RecursionError) as error:
            findings.add(UNREADABLE, file=file, found=error, expected="a JSON object of records by audio id")
            return None
    decoder = msgspec.json.Decoder(Record)
    records: dict[str, Record] = {}
    for id in sorted(raw):
        if id in unclear:
            findings.add(REPEATED_KEY, file=file, id=id, found=unclear[id], expected="each key once")
        elif not ID.fullmatch(id):
            findings.add(BAD_ID, file=file, id=id, expected="audio_ and 16 letters or digits")
        else:
            try:
                records[id] = decoder.decode(raw[id])
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                findings.add(BAD_RECORD, file=file, id=id, found=error)
    return records


def _bytes(path: Path, file: str, findings: Findings) -> bytes | None:
    try:
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        findings.add(UNREADABLE, file=file, found=error.strerror or type(error).__name__, expected="a JSON file")
        return None
    if len(data) > MOST_BYTES:
        findings.add(UNREADABLE, file=file, found="a larger one", expected=f"at most {MOST_BYTES} bytes")
        return None
    return data


def _raw(data: bytes, file: str, findings: Findings) -> dict[str, msgspec.Raw] | None:
    try:
        return msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        findings.add(UNREADABLE, file=file, found=error, expected="a JSON object of records by audio id")
        return None


def _surely_unique(data: bytes, records: int) -> bool:
    """Whether each key that is read stands just once a record; False where only parsing can tell.

    msgspec keeps the last of two equal keys without a word. Counting bytes is ten times as fast as Python's parser, which
    would tell: a quote within a string is escaped, so that a key's name between bare quotes, a colon behind it, is a key.
    """
    if b"\\u" in data and _ESCAPED_KEY.search(data):
        return False
    return all(data.count(b'"%s":' % key.encode()) == records for key in _KEYS)


class _Repeating(dict[str, object]):
    """An object in which keys stood twice."""

    keys_twice: tuple[str, ...] = ()


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    repeating = _Repeating(value)
    repeating.keys_twice = tuple(sorted(key for key, count in Counter(key for key, _ in pairs).items() if count > 1))
    return repeating


def _repeated(data: bytes) -> dict[str, str]:
    """What stands twice in which record, by audio id.

    Raises:
        ValueError: If Python's parser refuses what msgspec passed over.
        RecursionError: If it is nested too deeply.
    """
    value = cast("dict[str, object]", json.loads(data, object_pairs_hook=_unique))
    found = {id: key for id, record in value.items() if (key := _key_twice(record)) is not None}
    if isinstance(value, _Repeating):
        found |= dict.fromkeys(value.keys_twice, "two records of this id")
    return found


def _key_twice(value: object) -> str | None:
    if isinstance(value, _Repeating):
        return f"{value.keys_twice[0]!r} twice"
    entries = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return next((key for entry in entries if (key := _key_twice(entry)) is not None), None)
