"""The two metadata files of EARS: `transcripts.json`, text by stem for all speakers, and `speaker_statistics.json`.

Both are strict JSON: in a file that has a key twice nothing says which value is right. Age is a band there and not a number, so
no age is taken from it; who prefers not to say, or is non-binary, has no sex here.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from earmark.builders.corpora.csv_rows import hash_records
from earmark.builders.corpora.ears.ids import FORM, parse_reading
from earmark.manifests.canonical import Json
from earmark.manifests.findings import Code, Findings, Severity, declare
from earmark.manifests.pairing import SEXES
from earmark.manifests.strict import Fault, NotStrictJson, read_strict_json
from earmark.manifests.text import normalise_text

TRANSCRIPTS, STATISTICS = "transcripts.json", "speaker_statistics.json"

MOST_BYTES = 1 << 26
"""Largest file that is read; the known ones have 25 kB."""

UNDISCLOSED = ("prefer not to answer", "non-binary / third gender")
"""Values of gender, beside female and male, that stand for no sex here."""

UNREADABLE = declare("ears.unreadable-file", Severity.ERROR, "the metadata file cannot be read")
BAD_JSON = declare("ears.bad-json", Severity.ERROR, "the metadata file is no strict JSON object")
BAD_ENCODING = declare("ears.bad-encoding", Severity.ERROR, "the metadata file is not UTF-8")
REPEATED_KEY = declare("ears.repeated-key", Severity.ERROR, "the metadata file has a key twice in one object")
BAD_TRANSCRIPT = declare("ears.bad-transcript", Severity.ERROR, "the entry is no stem with a text; dropped")
TEXTS_DIFFER = declare(
    "ears.texts-differ", Severity.ERROR, "readings of one text have unequal transcripts; read without a script"
)
BAD_SPEAKER = declare("ears.bad-speaker", Severity.ERROR, "the entry is no speaker with a gender; dropped")
OTHER_GENDER = declare(
    "ears.other-gender", Severity.WARNING, "the gender is none that the corpus lists; read as not known"
)

_CODES = {Fault.ENCODING: BAD_ENCODING, Fault.REPEATED_KEY: REPEATED_KEY}
_SPEAKER = re.compile(r"p[0-9]{3}")


class Transcripts(NamedTuple):
    """What `transcripts.json` says.

    Attributes:
        texts: text by stem.
        unequal: scripts of which the texts are not all the same words.
        hash: `sha256:` and the hash of what it says.
    """

    texts: Mapping[str, str]
    unequal: frozenset[str]
    hash: str


class Speakers(NamedTuple):
    """What `speaker_statistics.json` says of sex, and nothing else of it.

    Attributes:
        sex: female, male or None, by speaker.
        hash: `sha256:` and the hash of it.
    """

    sex: Mapping[str, str | None]
    hash: str


class _Speaker(msgspec.Struct, frozen=True):
    """A speaker's entry; other keys are not read."""

    gender: str


def read_transcripts(root: Path, findings: Findings) -> Transcripts | None:
    """Read the transcripts; None, and a finding, if the file as a whole is of no use."""
    entries = _entries(root, TRANSCRIPTS, findings)
    if entries is None:
        return None
    texts: dict[str, str] = {}
    words: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for stem in sorted(entries):
        try:
            reading = parse_reading(stem)
            text = msgspec.convert(entries[stem], str).strip()
        except ValueError as error:  # of msgspec too
            _add(findings, BAD_TRANSCRIPT, TRANSCRIPTS, stem, str(error), f"{FORM}; with a text")
            continue
        if not text:
            _add(findings, BAD_TRANSCRIPT, TRANSCRIPTS, stem, "no text", "a text")
            continue
        texts[stem] = text
        if reading.script is not None:
            words[reading.script][normalise_text(text)].append(stem)
    unequal = {script for script, same in words.items() if len(same) > 1}
    for script in sorted(unequal):
        found = " but ".join(", ".join(stems) for stems in words[script].values())
        _add(findings, TEXTS_DIFFER, TRANSCRIPTS, script, found, "the same words in every manner")
    return Transcripts(texts, frozenset(unequal), hash_records([stem, text] for stem, text in texts.items()))


def read_speakers(root: Path, findings: Findings) -> Speakers | None:
    """Read the speakers' sex; None, and a finding, if the file as a whole is of no use."""
    entries = _entries(root, STATISTICS, findings)
    if entries is None:
        return None
    sex: dict[str, str | None] = {}
    for speaker in sorted(entries):
        try:
            gender = msgspec.convert(entries[speaker], _Speaker).gender
        except msgspec.ValidationError as error:
            _add(findings, BAD_SPEAKER, STATISTICS, speaker, str(error), "an object with the gender, a text")
            continue
        if not _SPEAKER.fullmatch(speaker):
            _add(findings, BAD_SPEAKER, STATISTICS, speaker, speaker, "p and three digits")
            continue
        if gender not in (*SEXES, *UNDISCLOSED):
            _add(findings, OTHER_GENDER, STATISTICS, speaker, gender, f"one of {', '.join((*SEXES, *UNDISCLOSED))}")
        sex[speaker] = gender if gender in SEXES else None
    return Speakers(sex, hash_records([speaker, known] for speaker, known in sex.items()))


def _entries(root: Path, file: str, findings: Findings) -> dict[str, Json] | None:
    try:
        value = read_strict_json(root / file, most_bytes=MOST_BYTES)
    except OSError as error:
        findings.add(UNREADABLE, file=file, found=error.strerror or type(error).__name__, expected="a JSON file")
        return None
    except NotStrictJson as error:
        findings.add(_CODES.get(error.fault, BAD_JSON), file=file, found=error, expected="a JSON object, each key once")
        return None
    if not isinstance(value, dict):
        findings.add(BAD_JSON, file=file, found=type(value).__name__, expected="an object")
        return None
    return value


def _add(findings: Findings, code: Code, file: str, id: str, found: str, expected: str) -> None:
    findings.add(code, file=file, id=id, found=found, expected=expected)
