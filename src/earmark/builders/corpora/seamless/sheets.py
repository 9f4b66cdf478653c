"""The JSON file beside a recording in Seamless Interaction: spans of speech, and the transcript's words.

`metadata:vad` is a list of spans in seconds, which may be empty; `metadata:transcript` may be absent, and its words may lack
times. Annotations and whatever else stands there are not read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from earmark.builders.corpora.seamless.ids import FileId
from earmark.builders.corpora.seamless.words import Word, Words
from earmark.manifests.canonical import Json
from earmark.manifests.findings import Code, Findings, Severity, declare
from earmark.manifests.strict import NotStrictJson, strict_json

MOST_BYTES = 1 << 26
"""Largest file that is read; that of a conversation of five minutes has 60 kB."""

MOST_OVERHANG_S = 0.5
"""How far speech may run past the end of its file and be clipped there, s.

So little comes from rounding to VAD frames and from trimming; speech further out means that audio and times are not of one
recording, and then no span of it can be trusted.
"""

VAD, TRANSCRIPT = "metadata:vad", "metadata:transcript"

BAD_JSON = declare("corpus.bad-json", Severity.ERROR, "the metadata is no strict JSON; dropped")
BAD_METADATA = declare("corpus.bad-metadata", Severity.ERROR, "the metadata is not of the corpus's form; dropped")
OTHER_ID = declare("corpus.other-id", Severity.ERROR, "the metadata is of another file id than its name says; dropped")
VAD_SPAN = declare(
    "corpus.vad-span", Severity.ERROR, "a span of speech is negative, empty or reversed; the span is dropped"
)
VAD_BEYOND_END = declare("corpus.vad-beyond-end", Severity.ERROR, "speech lies beyond the audio's end; dropped")
VAD_CLIPPED = declare(
    "corpus.vad-clipped", Severity.WARNING, "speech runs a little past the audio's end; clipped there"
)
VAD_OVERLAP = declare("corpus.vad-overlap", Severity.WARNING, "spans of one speaker's speech overlap; merged")
SILENT = declare("corpus.silent", Severity.WARNING, "the recording has no speech; no clip can be taken from it")
NO_TRANSCRIPT = declare("corpus.no-transcript", Severity.NOTE, "the recording has no transcript")
WORD_TIME = declare(
    "corpus.word-time", Severity.WARNING, "a word's times are negative or reversed; read as without times"
)

Span: TypeAlias = tuple[float, float]
"""Start and end of speech, s, 0 <= start < end."""

_Place: TypeAlias = tuple[str | int, ...]
"""Keys and indices that lead to a value; spelt out only in a finding, since there are thousands in a file."""


class _WrongForm(Exception):
    """Metadata of another form: where, what was found, what would be right."""

    def __init__(self, place: _Place, found: str, expected: str) -> None:
        super().__init__(place, found, expected)
        self.place, self.found, self.expected = place, found, expected


@dataclass(frozen=True)
class Speech:
    """What the file says, as far as it is of use.

    Args:
        vad: Spans of speech, s, sorted and apart from one another, none past the audio's end.
        words: The transcript's words in order; empty where there is none.
        hash: `sha256:` and the hash of the file.
    """

    vad: tuple[Span, ...]
    words: Words
    hash: str


@dataclass(frozen=True)
class Sheet:
    """The file as it was read: an object that names the recording's id or none.

    Args:
        path: The file, POSIX, relative to the corpus's root.
        file_id: The recording's id.
        value: The object.
        hash: `sha256:` and the hash of the file.
    """

    path: str
    file_id: FileId
    value: Mapping[str, Json]
    hash: str

    def speech(self, length_s: float, findings: Findings) -> Speech | None:
        """Read spans and words against an audio file of this length; None, and a finding, if they are of no use."""
        reader = _Reader(self, findings)
        try:
            vad, words = reader.vad(length_s), reader.words()
        except _WrongForm as wrong:
            reader.add(BAD_METADATA, wrong.place, wrong.found, wrong.expected)
            return None
        return None if vad is None else Speech(vad, words, self.hash)


def read_sheet(root: Path, path: str, file_id: FileId, findings: Findings) -> Sheet | None:
    """Read the file; None, and a finding, if it is no strict JSON object or that of another recording.

    Args:
        root: The corpus's folder.
        path: The file, POSIX, relative to it.
        file_id: The recording's id.
        findings: What is wrong is added to them.
    """
    id = str(file_id)
    try:
        data = _bounded_bytes(root / path)
        value = strict_json(data)
    except (NotStrictJson, OSError) as error:
        said = (error.strerror or type(error).__name__) if isinstance(error, OSError) else str(error)
        findings.add(BAD_JSON, file=path, id=id, found=said, expected=f"an object with id, {VAD} and {TRANSCRIPT}")
        return None
    if not isinstance(value, dict):
        findings.add(BAD_METADATA, file=path, id=id, found=_kind(value), expected=f"an object with id and {VAD}")
        return None
    if value.get("id", id) != id:
        findings.add(OTHER_ID, file=path, id=id, column="id", found=value["id"], expected=id)
        return None
    return Sheet(path, file_id, value, f"sha256:{hashlib.sha256(data).hexdigest()}")


def merge_spans(spans: list[Span]) -> tuple[tuple[Span, ...], int]:
    """Spans sorted, those that touch or overlap made one, and how many overlapped an earlier one.

    >>> merge_spans([(2.0, 3.0), (0.0, 1.0), (0.5, 1.5), (1.5, 1.75)])
    (((0.0, 1.75), (2.0, 3.0)), 1)
    """
    merged: list[Span] = []
    overlaps = 0
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            overlaps += start < merged[-1][1]
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged), overlaps


def _bounded_bytes(path: Path) -> bytes:
    with path.open("rb") as stream:
        data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise NotStrictJson(f"larger than {MOST_BYTES} bytes")
    return data


@dataclass(frozen=True)
class _Reader:
    """Reads a sheet part by part."""

    sheet: Sheet
    findings: Findings

    def add(self, code: Code, place: _Place, found: object = None, expected: str | None = None) -> None:
        self.findings.add(
            code, file=self.sheet.path, id=str(self.sheet.file_id), column=_spelt(place), found=found, expected=expected
        )

    def vad(self, length_s: float) -> tuple[Span, ...] | None:
        """Spans of speech, sorted, merged and clipped; None if they are not of this audio."""
        spans: list[Span] = []
        for place, entry in _objects(self.sheet.value.get(VAD), (VAD,)):
            start, end = _seconds(entry, "start", place), _seconds(entry, "end", place)
            if 0 <= start < end:
                spans.append((start, end))
            else:
                self.add(VAD_SPAN, place, f"{start} to {end} s", "0 <= start < end")
        last = max((end for _, end in spans), default=0.0)
        if last > length_s + MOST_OVERHANG_S:
            self.add(VAD_BEYOND_END, (VAD,), f"{last} s", f"at most {length_s:.3f} s")
            return None
        if last > length_s:
            self.add(VAD_CLIPPED, (VAD,), f"{last} s", f"at most {length_s:.3f} s")
            spans = [(start, min(end, length_s)) for start, end in spans if start < length_s]
        if not spans:
            self.add(SILENT, (VAD,), 0, "at least one span")
        merged, overlaps = merge_spans(spans)
        if overlaps:
            self.add(VAD_OVERLAP, (VAD,), f"{overlaps} of {len(spans)} spans", "spans apart")
        return merged

    def words(self) -> Words:
        """The words of all segments in order."""
        transcript = self.sheet.value.get(TRANSCRIPT)
        if transcript is None:
            self.add(NO_TRANSCRIPT, (TRANSCRIPT,))
            return Words()
        found: list[Word] = []
        for place, segment in _objects(transcript, (TRANSCRIPT,)):
            listed = segment.get("words")
            if listed is None or (listed == [] and "transcript" in segment):
                # A segment that was not aligned has its text alone.
                found += [Word(text, None, None) for text in _text(segment, "transcript", place).split()]
                continue
            for word_place, entry in _objects(listed, (*place, "words")):
                text = " ".join(_text(entry, "word", word_place).split())
                if text:
                    found.append(Word(text, *self._times(entry, word_place)))
        return Words(found)

    def _times(self, entry: Mapping[str, Json], place: _Place) -> Span | tuple[None, None]:
        if entry.get("start") is None or entry.get("end") is None:
            return None, None
        start, end = _seconds(entry, "start", place), _seconds(entry, "end", place)
        if 0 <= start <= end:
            return start, end
        self.add(WORD_TIME, place, f"{start} to {end} s", "0 <= start <= end")
        return None, None


def _objects(value: Json, place: _Place) -> Iterator[tuple[_Place, Mapping[str, Json]]]:
    if not isinstance(value, list):
        raise _WrongForm(place, _kind(value), "a list of objects")
    for index, entry in enumerate(value):
        if not isinstance(entry, dict):
            raise _WrongForm((*place, index), _kind(entry), "an object")
        yield (*place, index), entry


def _seconds(entry: Mapping[str, Json], name: str, place: _Place) -> float:
    value = entry.get(name)
    if isinstance(value, float):
        return value
    if isinstance(value, bool) or not isinstance(value, int):
        raise _WrongForm((*place, name), _kind(value), "seconds, as a number")
    return float(value)


def _text(entry: Mapping[str, Json], name: str, place: _Place) -> str:
    value = entry.get(name)
    if not isinstance(value, str):
        raise _WrongForm((*place, name), _kind(value), "a text")
    return value


def _spelt(place: _Place) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place).removeprefix(".")


def _kind(value: Json) -> str:
    return "nothing" if value is None else f"{type(value).__name__} {str(value)[:40]}"
