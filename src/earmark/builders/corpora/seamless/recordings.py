"""One participant's recording in Seamless Interaction: a mono WAV file and, beside it, a JSON file with speech and words.

The JSON file has `metadata:vad`, spans of speech in seconds, which may be none; `metadata:transcript`, which may be absent and
whose words may lack times; and annotations that are not read. The two members of a dyad share time zero. Only the WAV header is
read, by a light reader of its own: planning clips then needs no audio package, one read serves each of thousands of files, and
a truncated file is told from an unreadable one.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from earmark.builders.corpora.seamless.files import Files
from earmark.builders.corpora.seamless.ids import FileId
from earmark.builders.corpora.seamless.words import Word, Words
from earmark.builders.corpora.wav_header import PCM, NotWav, WavHeader, read_wav_header
from earmark.manifests.canonical import Json
from earmark.manifests.findings import Code, Findings, Severity, declare
from earmark.manifests.strict import NotStrictJson, strict_json

RATE = 48_000
"""Sampling rate of every recording, Hz."""

MOST_OVERHANG_S = 0.5
"""How far speech may run past the end of its file and be clipped there, s.

So little comes from rounding to VAD frames and from trimming; speech further out means that audio and times are not of one
recording, and then no span of it can be trusted.
"""

MOST_METADATA_BYTES = 1 << 26

VAD, TRANSCRIPT = "metadata:vad", "metadata:transcript"

MISSING_AUDIO = declare("corpus.missing-audio", Severity.ERROR, "the recording's WAV file is absent; dropped")
MISSING_METADATA = declare("corpus.missing-metadata", Severity.ERROR, "the recording's JSON file is absent; dropped")
NOT_WAV = declare("corpus.not-wav", Severity.ERROR, "the audio is no readable WAV file; dropped")
NOT_PCM = declare("corpus.not-pcm", Severity.ERROR, "the audio is not of whole-number samples; dropped")
NOT_MONO = declare("corpus.not-mono", Severity.ERROR, "the audio is not of one channel; dropped")
WRONG_RATE = declare(
    "corpus.wrong-rate", Severity.ERROR, "the audio is of another sampling rate than the corpus; dropped"
)
TRUNCATED = declare("corpus.truncated-audio", Severity.ERROR, "the audio breaks off before its end; dropped")
EMPTY_AUDIO = declare("corpus.empty-audio", Severity.ERROR, "the audio holds no sample; dropped")
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


class _WrongForm(Exception):
    """Metadata of another form: where, what was found, what would be right."""


@dataclass(frozen=True, slots=True)
class Recording:
    """One participant's side of a conversation.

    Args:
        file_id: Whose, and of which conversation.
        path: Its WAV file, POSIX, relative to the corpus's root.
        rate: Sampling rate, Hz.
        frames: Samples it holds.
        vad: Spans of speech, s, sorted and apart from one another, none past the end; empty where there is no speech.
        words: The transcript's words in order; empty where there is none.
        metadata_hash: `sha256:` and the hash of its JSON file.
    """

    file_id: FileId
    path: str
    rate: int
    frames: int
    vad: tuple[Span, ...]
    words: Words
    metadata_hash: str

    @property
    def seconds(self) -> float:
        """Duration, s."""
        return self.frames / self.rate

    @property
    def speech_s(self) -> float:
        """Seconds of speech."""
        return math.fsum(end - start for start, end in self.vad)


def read_recording(
    root: Path, file_id: FileId, files: Files, findings: Findings, *, expected_in: str | None = None
) -> Recording | None:
    """Read one recording's header and metadata.

    Args:
        root: The corpus's folder.
        file_id: Whose recording.
        files: Where its files lie.
        findings: What is wrong is added to them.
        expected_in: The folder in which a missing file should lie, if known.

    Returns:
        The recording; None if it is of no use.
    """
    place = None if expected_in is None else f"a file in {expected_in}"
    for code, path, other in (
        (MISSING_AUDIO, files.audio, files.metadata),
        (MISSING_METADATA, files.metadata, files.audio),
    ):
        if path is None and not files.ambiguous:
            findings.add(code, file=other, id=str(file_id), found="this file alone", expected=place)
    if files.audio is None or files.metadata is None:
        return None
    header = _header(root, files.audio, file_id, findings)
    read = _metadata(root, files.metadata, file_id, findings)
    if header is None or read is None:
        return None
    metadata, metadata_hash = read
    sheet = _Sheet(files.metadata, file_id, metadata, findings)
    try:
        vad, words = sheet.vad(header.frames / header.rate), sheet.words()
    except _WrongForm as wrong:
        column, found, expected = wrong.args
        findings.add(BAD_METADATA, file=files.metadata, id=str(file_id), column=column, found=found, expected=expected)
        return None
    if vad is None:
        return None
    return Recording(file_id, files.audio, header.rate, header.frames, vad, words, metadata_hash)


def _header(root: Path, path: str, file_id: FileId, findings: Findings) -> WavHeader | None:
    id = str(file_id)
    try:
        header = read_wav_header(root / path)
    except (NotWav, OSError) as error:
        findings.add(NOT_WAV, file=path, id=id, found=_said(error), expected=f"mono PCM, {RATE} Hz")
        return None
    wrong: list[tuple[Code, object, str]] = []
    if header.format != PCM:
        wrong.append((NOT_PCM, header.format_name, "PCM"))
    if header.channels != 1:
        wrong.append((NOT_MONO, f"{header.channels} channels", "one channel"))
    if header.rate != RATE:
        wrong.append((WRONG_RATE, f"{header.rate} Hz", f"{RATE} Hz"))
    if header.frames < header.promised:
        wrong.append((TRUNCATED, f"{header.frames} samples", f"{header.promised} samples, as its header promises"))
    elif not header.frames:
        wrong.append((EMPTY_AUDIO, "0 samples", "at least one"))
    for code, found, expected in wrong:
        findings.add(code, file=path, id=id, found=found, expected=expected)
    return None if wrong else header


def _metadata(root: Path, path: str, file_id: FileId, findings: Findings) -> tuple[Mapping[str, Json], str] | None:
    id = str(file_id)
    try:
        data = _bounded_bytes(root / path)
        value = strict_json(data)
    except (NotStrictJson, OSError) as error:
        findings.add(BAD_JSON, file=path, id=id, found=_said(error), expected=f"an object with id, {VAD}, {TRANSCRIPT}")
        return None
    if not isinstance(value, Mapping):
        findings.add(BAD_METADATA, file=path, id=id, found=_kind(value), expected=f"an object with id, {VAD}")
        return None
    if value.get("id", id) != id:
        findings.add(OTHER_ID, file=path, id=id, column="id", found=value["id"], expected=id)
        return None
    return value, f"sha256:{hashlib.sha256(data).hexdigest()}"


def _bounded_bytes(path: Path) -> bytes:
    with path.open("rb") as stream:
        data = stream.read(MOST_METADATA_BYTES + 1)
    if len(data) > MOST_METADATA_BYTES:
        raise NotStrictJson(f"larger than {MOST_METADATA_BYTES} bytes")
    return data


@dataclass(frozen=True)
class _Sheet:
    """The JSON object of one recording, read part by part."""

    file: str
    file_id: FileId
    value: Mapping[str, Json]
    findings: Findings

    def add(self, code: Code, *, column: str, found: object = None, expected: str | None = None) -> None:
        self.findings.add(code, file=self.file, id=str(self.file_id), column=column, found=found, expected=expected)

    def vad(self, length_s: float) -> tuple[Span, ...] | None:
        """Spans of speech, sorted, merged and clipped; None if they are not of this audio."""
        spans: list[Span] = []
        for place, entry in _objects(self.value.get(VAD), VAD):
            start, end = _seconds(entry, "start", place), _seconds(entry, "end", place)
            if 0 <= start < end:
                spans.append((start, end))
            else:
                self.add(VAD_SPAN, column=place, found=f"{start} to {end} s", expected="0 <= start < end")
        if not spans:
            self.add(SILENT, column=VAD, found=0, expected="at least one span")
            return ()
        last = max(end for _, end in spans)
        if last > length_s + MOST_OVERHANG_S:
            self.add(VAD_BEYOND_END, column=VAD, found=f"{last} s", expected=f"at most {length_s:.3f} s")
            return None
        if last > length_s:
            self.add(VAD_CLIPPED, column=VAD, found=f"{last} s", expected=f"at most {length_s:.3f} s")
            spans = [(start, min(end, length_s)) for start, end in spans if start < length_s]
        merged, overlaps = merge_spans(spans)
        if overlaps:
            self.add(VAD_OVERLAP, column=VAD, found=f"{overlaps} of {len(spans)} spans", expected="spans apart")
        return merged

    def words(self) -> Words:
        """The words of all segments in order."""
        transcript = self.value.get(TRANSCRIPT)
        if transcript is None:
            self.add(NO_TRANSCRIPT, column=TRANSCRIPT)
            return Words()
        found: list[Word] = []
        for place, segment in _objects(transcript, TRANSCRIPT):
            listed = segment.get("words")
            if listed is None:
                # A segment that was not aligned has its text alone.
                found += [Word(text, None, None) for text in _text(segment, "transcript", place).split()]
                continue
            for word_place, entry in _objects(listed, f"{place}.words"):
                text = " ".join(_text(entry, "word", word_place).split())
                if text:
                    found.append(Word(text, *self._times(entry, word_place)))
        return Words(found)

    def _times(self, entry: Mapping[str, Json], place: str) -> Span | tuple[None, None]:
        if entry.get("start") is None or entry.get("end") is None:
            return None, None
        start, end = _seconds(entry, "start", place), _seconds(entry, "end", place)
        if 0 <= start <= end:
            return start, end
        self.add(WORD_TIME, column=place, found=f"{start} to {end} s", expected="0 <= start <= end")
        return None, None


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


def _objects(value: Json, place: str) -> Iterator[tuple[str, Mapping[str, Json]]]:
    if not isinstance(value, list):
        raise _WrongForm(place, _kind(value), "a list of objects")
    for index, entry in enumerate(value):
        if not isinstance(entry, Mapping):
            raise _WrongForm(f"{place}[{index}]", _kind(entry), "an object")
        yield f"{place}[{index}]", entry


def _seconds(entry: Mapping[str, Json], name: str, place: str) -> float:
    value = entry.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _WrongForm(f"{place}.{name}", _kind(value), "seconds, as a number")
    return float(value)


def _text(entry: Mapping[str, Json], name: str, place: str) -> str:
    value = entry.get(name)
    if not isinstance(value, str):
        raise _WrongForm(f"{place}.{name}", _kind(value), "a text")
    return value


def _kind(value: Json) -> str:
    return "nothing" if value is None else f"{type(value).__name__} {str(value)[:40]}"


def _said(error: Exception) -> str:
    return (error.strerror or type(error).__name__) if isinstance(error, OSError) else str(error)
