"""Expresso as builders of pairs need it: one row for each recording, or window of one, that the official splits name.

    read_transcriptions.txt                                 splits/{train,dev,test}.txt
    audio_48khz/read/<speaker>/<style>/{base,longform}/<stem>.wav
    audio_48khz/conversational/<speakers>/<styles>/<stem>.wav     two channels, one speaker each

Style and sub-style are what the speaker was asked for. Whether two recordings have the same words is for their transcripts to
say: that equal numbers stand for equal sentences is not documented, so `script` stays empty. A transcript belongs to a whole
file; a window of one has no text, and neither has a conversation. Nguyen et al., Interspeech 2023 (arXiv 2308.05725).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from earmark.builders.corpora.expresso.ids import ConversationStem, ReadStem, Stem
from earmark.builders.corpora.expresso.splits import SPLITS, Entry, read_splits
from earmark.builders.corpora.expresso.transcripts import TRANSCRIPTS, marked, read_transcripts
from earmark.builders.corpora.speech import SpeechCorpus
from earmark.builders.corpora.wav_files import declare_wav_codes, find_wavs, read_checked_header
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings, Severity, declare

NAME = "expresso"

SEX = {"ex01": "male", "ex02": "female", "ex03": "male", "ex04": "female"}
"""Sex of the speakers. The corpus says two and two, not which: this is how voices made from it are labelled by others."""

RATE = 48_000
"""Rate that the corpus was published at, Hz."""

READ, CONVERSATIONAL = "audio_48khz/read", "audio_48khz/conversational"

_DEPTH = {
    READ: 4,
    CONVERSATIONAL: 3,
}  # one folder more than the layout has, so that what lies too deep is found as well

NO_CORPUS = declare("expresso.no-corpus", Severity.ERROR, "the corpus's folder is absent")
UNKNOWN_SPLIT = declare("expresso.unknown-split", Severity.ERROR, "the corpus has no split of this name")
MISSING_AUDIO = declare("expresso.missing-audio", Severity.ERROR, "a split names a recording that is absent; dropped")
OTHER_FOLDER = declare(
    "expresso.other-folder", Severity.ERROR, "speaker, style or part are others in the folder than in the stem; dropped"
)
REPEATED_AUDIO = declare("expresso.repeated-audio", Severity.ERROR, "files of one stem lie in two places; dropped")
UNLISTED_AUDIO = declare("expresso.unlisted-audio", Severity.NOTE, "no split names the recording; passed over")
NO_TRANSCRIPT = declare(
    "expresso.no-transcript", Severity.WARNING, "the recording has no transcript; kept without text"
)
BEYOND_END = declare("expresso.window-beyond-end", Severity.ERROR, "the window ends behind the recording; dropped")
NOT_ASKED = declare("expresso.conversations-left-out", Severity.NOTE, "conversations were not asked for; passed over")
UNKNOWN_SPEAKER = declare("expresso.unknown-speaker", Severity.WARNING, "nobody says what sex the speaker is; kept")
WAV = declare_wav_codes(NAME)

Progress: TypeAlias = Callable[[int, int], None]
"""Is told how many recordings are read, and of how many."""


def read_expresso(
    root: Path,
    *,
    splits: Sequence[str] = ("test",),
    conversational: bool = False,
    findings: Findings,
    progress: Progress | None = None,
) -> SpeechCorpus:
    """Read what some splits name.

    Args:
        root: The corpus's folder.
        splits: Some of train, dev and test; all three files are read, as what one names must not stand in another.
        conversational: Whether to read conversations too, each channel a row, without text.
        findings: What is wrong is added to them.
        progress: Told after every recording.

    Returns:
        Rows named `expresso/<stem>`, for a window `expresso/<stem>@<start>-<end>` in samples, for a channel of a conversation
        `expresso/<stem>/channel1` or 2, with the window behind it.

    Raises:
        Refused: If the folder, the transcripts or a split asked for is absent, or at the first error if `findings` is strict.
    """
    if not root.is_dir():
        findings.add(NO_CORPUS, file=str(root), expected=f"a folder with {TRANSCRIPTS}, splits and audio_48khz")
        raise Refused(findings)
    for split in set(splits) - set(SPLITS):
        findings.add(UNKNOWN_SPLIT, found=split, expected=f"one of {', '.join(SPLITS)}")
    listed, transcripts = read_splits(root, findings), read_transcripts(root, findings)
    if transcripts is None or not listed.read.issuperset(splits):
        raise Refused(findings)
    wanted = [entry for entry in listed.entries if entry.split in splits]
    if not conversational:
        left_out = sum(isinstance(entry.stem, ConversationStem) for entry in wanted)
        wanted = [entry for entry in wanted if isinstance(entry.stem, ReadStem)]
        if left_out:
            findings.add(NOT_ASKED, found=left_out, expected="conversational=True, to have them")
    found: dict[str, list[str]] = defaultdict(list)
    for folder in (READ, CONVERSATIONAL) if conversational else (READ,):
        for stem, paths in find_wavs(root, folder, _DEPTH[folder], WAV, findings).items():
            found[stem] += paths
    for stem in found.keys() - listed.named if len(listed.read) == len(SPLITS) else ():
        findings.add(UNLISTED_AUDIO, file=found[stem][0], id=stem)
    reader = _Reader(root, found, transcripts.texts, findings)
    rows: list[dict[str, object]] = []
    for done, entry in enumerate(wanted, start=1):
        rows += reader.rows(entry)
        if progress is not None:
            progress(done, len(wanted))
    rows.sort(key=lambda row: str(row["utterance"]))
    return SpeechCorpus(NAME, rows, {TRANSCRIPTS: transcripts.hash, **listed.metadata})


@dataclass(frozen=True)
class _Reader:
    """Joins entries with files and transcripts."""

    root: Path
    found: Mapping[str, list[str]]
    texts: Mapping[str, str | None]
    findings: Findings

    def rows(self, entry: Entry) -> Iterator[dict[str, object]]:
        """The rows of an entry: one, two of a conversation, or none where something is wrong."""
        stem, name = entry.stem, str(entry.stem)
        if not self._has_file(stem):
            return
        channels = 2 if isinstance(stem, ConversationStem) else 1
        header = read_checked_header(self.root, stem.path, WAV, self.findings, id=name, channels=channels, rate=RATE)
        if header is None:
            return
        start, end = entry.window.samples(header.rate, header.frames)
        if end > header.frames or start >= end:
            found, most = f"samples {start} to {end}", f"within {header.frames} samples"
            self.findings.add(BEYOND_END, file=stem.path, id=name, found=found, expected=most)
            return
        whole = (start, end) == (0, header.frames)
        text = self._text(stem) if isinstance(stem, ReadStem) and whole else None
        window = "" if whole else f"@{start}-{end}"
        for channel, (speaker, style, substyle) in enumerate(_voices(stem)):
            if speaker not in SEX:
                self.findings.add(UNKNOWN_SPEAKER, file=stem.path, id=speaker, expected=f"one of {', '.join(SEX)}")
            yield {
                "utterance": f"{NAME}/{name}{f'/channel{channel + 1}' if channels > 1 else ''}{window}",
                "corpus": NAME,
                "path": stem.path,
                "channel": channel,
                "rate": header.rate,
                "start": start,
                "end": end,
                "speaker": f"{NAME}/{speaker}",
                "session": name if channels > 1 else None,
                "script": None,
                "text": text,
                "text_source": None if text is None else TRANSCRIPTS,
                "sex": SEX.get(speaker),
                "age": None,
                "age_group": None,
                "style": style,
                "substyle": substyle,
                "pace": None,
                "emphasised": [] if text is None else marked(text),
                "split": entry.split,
            }

    def _has_file(self, stem: Stem) -> bool:
        paths, name = self.found.get(str(stem), []), str(stem)
        if not paths:
            self.findings.add(MISSING_AUDIO, id=name, expected=stem.path)
        elif len(paths) > 1:
            self.findings.add(REPEATED_AUDIO, file=paths[0], id=name, found=", ".join(paths), expected=stem.path)
        elif paths != [stem.path]:
            self.findings.add(OTHER_FOLDER, file=paths[0], id=name, found=paths[0], expected=stem.path)
        return paths == [stem.path]

    def _text(self, stem: ReadStem) -> str | None:
        if str(stem) not in self.texts:
            self.findings.add(NO_TRANSCRIPT, file=TRANSCRIPTS, id=str(stem))
        return self.texts.get(str(stem))


def _voices(stem: Stem) -> list[tuple[str, str, str | None]]:
    """Speaker, style and sub-style of each channel."""
    if isinstance(stem, ReadStem):
        return [(stem.speaker, stem.style, stem.substyle)]
    return [(speaker, style, None) for speaker, style in zip(stem.speakers, stem.styles, strict=True)]
