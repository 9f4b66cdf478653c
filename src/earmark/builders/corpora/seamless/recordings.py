"""One participant's recording in Seamless Interaction: a mono WAV file and, beside it, a JSON file with speech and words.

The two members of a dyad share time zero. Only the WAV header is read, by a light reader of its own: planning clips then needs no
audio package, one short read serves each of thousands of files, and a truncated file is told from an unreadable one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from earmark.builders.corpora.seamless.files import Files
from earmark.builders.corpora.seamless.ids import FileId
from earmark.builders.corpora.seamless.sheets import Span, read_sheet
from earmark.builders.corpora.seamless.words import Words
from earmark.builders.corpora.wav_header import PCM, NotWav, WavHeader, read_wav_header
from earmark.manifests.findings import Code, Findings, Severity, declare

RATE = 48_000
"""Sampling rate of every recording, Hz."""

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
    sheet = read_sheet(root, files.metadata, file_id, findings)
    if header is None or sheet is None:
        return None
    speech = sheet.speech(header.frames / header.rate, findings)
    if speech is None:
        return None
    return Recording(file_id, files.audio, header.rate, header.frames, speech.vad, speech.words, speech.hash)


def _header(root: Path, path: str, file_id: FileId, findings: Findings) -> WavHeader | None:
    id = str(file_id)
    try:
        header = read_wav_header(root / path)
    except (NotWav, OSError) as error:
        said = (error.strerror or type(error).__name__) if isinstance(error, OSError) else str(error)
        findings.add(NOT_WAV, file=path, id=id, found=said, expected=f"mono PCM, {RATE} Hz")
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
