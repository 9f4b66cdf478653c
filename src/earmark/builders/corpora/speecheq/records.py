"""The parts of a `metadata.json`, each judged by itself so that all that is wrong is said at once.

Keys that are not read are let be, and texts have a greatest length: the file is a stranger's.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal, TypeVar

import msgspec
from msgspec import Meta

from earmark.manifests.canonical import Json
from earmark.manifests.findings import Code, Severity, declare
from earmark.manifests.strict import Fault, NotStrictJson, read_strict_json

METADATA = "metadata.json"
MOST_BYTES = 1 << 20
"""Largest file that is read; the known ones have 12 kB."""

UNREADABLE = declare("speecheq.unreadable-file", Severity.ERROR, "the record cannot be read; the dialogue is dropped")
BAD_JSON = declare("speecheq.bad-json", Severity.ERROR, "the record is no strict JSON object; the dialogue is dropped")
BAD_ENCODING = declare("speecheq.bad-encoding", Severity.ERROR, "the record is not UTF-8; the dialogue is dropped")
REPEATED_KEY = declare(
    "speecheq.repeated-key", Severity.ERROR, "the record has a key twice in one object; the dialogue is dropped"
)
BAD_PART = declare(
    "speecheq.bad-part", Severity.ERROR, "a part of the record is missing or wrong; the dialogue is dropped"
)

_CODES = {Fault.ENCODING: BAD_ENCODING, Fault.REPEATED_KEY: REPEATED_KEY}

Words = Annotated[str, Meta(min_length=1, max_length=4096, pattern=r"^(?=[^\x00]*\Z)\s*\S")]
"""A text in which something stands, and no NUL, which is no space to a regular expression."""

_Name = Annotated[str, Meta(max_length=200, pattern=r"^[^\x00]*$")]
_SaidBy = Literal["speaker1", "speaker2"]
_Turn = Annotated[int, Meta(ge=1, le=6)]


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """`scenario`: where the dialogue stands and who speaks."""

    title: Words
    context: Words
    description: Words
    speaker1_name: _Name
    speaker1_role: _Name
    speaker1_gender: _Name
    speaker1_voice: Annotated[_Name, Meta(min_length=1)]
    speaker2_name: _Name
    speaker2_role: _Name
    speaker2_gender: _Name
    speaker2_voice: Annotated[_Name, Meta(min_length=1)]
    speaker2_persona_low: Annotated[str, Meta(max_length=4096)] = ""
    scenario_valence: _Name | None = None
    eq_skill_tested: Annotated[str, Meta(max_length=4096)] | None = None


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of `conversation`."""

    speaker: _SaidBy
    sentence_number: _Turn
    text: Words


class AudioFile(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of `audio_files`."""

    sentence_number: _Turn
    speaker: _SaidBy
    text: Words
    eq_level: _Name
    audio_path: Annotated[str, Meta(max_length=4096)]
    tone_description: Annotated[str, Meta(max_length=4096, pattern=r"^[^\x00]*$")] = ""


class Generation(msgspec.Struct, frozen=True, kw_only=True):
    """`generation_metadata`."""

    dataset_id: _Name
    subscale_slug: _Name
    audio_files_count: int | None = None
    generation_version: _Name | None = None


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A whole record.

    Args:
        scenario: Where it stands.
        conversation: What is said.
        eq_scale: Composite and subscale.
        audio_files: The clips.
        generation_metadata: Which dialogue it is.
    """

    scenario: Scenario
    conversation: Annotated[list[Sentence], Meta(max_length=64)]
    eq_scale: _Name
    audio_files: Annotated[list[AudioFile], Meta(max_length=64)]
    generation_metadata: Generation


PartT = TypeVar("PartT")
PARTS: Final = tuple(field.name for field in msgspec.structs.fields(Record))


class Problem(msgspec.Struct, frozen=True):
    """One thing that is wrong with a file."""

    code: Code
    found: str
    expected: str
    column: str | None = None


def read_record(path: Path) -> tuple[Record | None, Mapping[str, Json], list[Problem]]:
    """A record, all that its file says, and what is wrong; None in its place where anything is."""
    try:
        value = read_strict_json(path, most_bytes=MOST_BYTES)
    except OSError as error:
        return None, {}, [Problem(UNREADABLE, error.strerror or type(error).__name__, "a JSON file")]
    except NotStrictJson as error:
        code = _CODES.get(error.fault, BAD_JSON)
        return None, {}, [Problem(code, str(error), "a JSON object, each key once")]
    if not isinstance(value, dict):
        return None, {}, [Problem(BAD_JSON, type(value).__name__, "an object")]
    record, problems = check_record(value)
    return record, value, problems


def check_record(value: Mapping[str, Json]) -> tuple[Record | None, list[Problem]]:
    """The record that plain values are, or what is wrong with each of its parts."""
    parts: dict[str, object] = {}
    problems = []
    for field in msgspec.structs.fields(Record):
        if field.name not in value:
            expected = f"the keys {', '.join(PARTS)}"
            problems.append(Problem(BAD_PART, "no such key", expected, field.name))
            continue
        try:
            parts[field.name] = msgspec.convert(value[field.name], field.type)
        except msgspec.ValidationError as error:
            problems.append(Problem(BAD_PART, str(error), "as the authors' records have it", field.name))
    return (None, problems) if problems else (Record(**parts), [])  # type: ignore[arg-type]  # each was converted
