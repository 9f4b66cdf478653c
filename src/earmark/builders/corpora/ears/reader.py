"""EARS as builders of pairs need it: one row for each recording of the speakers of some splits.

    transcripts.json  speaker_statistics.json
    p001/ … p107/     <what and how>.wav, one channel, anechoic

The split is by speaker, as the corpus's own benchmark draws it. Style and pace are what the speaker was asked for, and some did
otherwise: labels stay as they are, and what lengths contradict is a finding. Transcripts are found by the whole stem, which is
shared by all speakers. Richter et al., Interspeech 2024 (arXiv 2406.06185).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from earmark.builders.corpora.ears.ids import FORM, Reading, parse_reading
from earmark.builders.corpora.ears.metadata import (
    STATISTICS,
    TRANSCRIPTS,
    Speakers,
    Transcripts,
    read_speakers,
    read_transcripts,
)
from earmark.builders.corpora.ears.paces import contradicted_paces
from earmark.builders.corpora.speech import SpeechCorpus
from earmark.builders.corpora.wav_files import declare_wav_codes, find_wavs, read_checked_header
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings, Severity, declare

NAME = "ears"

SPLITS = ("train", "valid", "test")

RATE = 48_000
"""Rate that the corpus was published at, Hz."""

_SPEAKERS = [f"p{number:03d}" for number in range(1, 108)]
_HELD = {"valid": _SPEAKERS[99:101], "test": _SPEAKERS[101:]}

NO_CORPUS = declare("ears.no-corpus", Severity.ERROR, "the corpus's folder is absent")
UNKNOWN_SPLIT = declare("ears.unknown-split", Severity.ERROR, "the corpus has no split of this name")
MISSING_SPEAKER = declare("ears.missing-speaker", Severity.ERROR, "no recording of a speaker of the split is there")
UNLISTED_SPEAKER = declare(
    "ears.unlisted-speaker", Severity.WARNING, "nothing is said of the speaker; read without sex"
)
BAD_STEM = declare("ears.bad-stem", Severity.ERROR, "the file's name is none of EARS; dropped")
REPEATED_AUDIO = declare("ears.repeated-audio", Severity.ERROR, "files of one name lie in two places; dropped")
OTHER_FOLDER = declare(
    "ears.other-folder", Severity.ERROR, "the file does not lie in the speaker's own folder; dropped"
)
NO_TRANSCRIPT = declare(
    "ears.no-transcript", Severity.WARNING, "a text was read and has no transcript; kept without one"
)
PACE = declare("ears.pace", Severity.WARNING, "the length contradicts the pace that was asked for; the label is kept")
WAV = declare_wav_codes(NAME)

Progress: TypeAlias = Callable[[int, int], None]
"""Is told how many recordings are read, and of how many."""


def split_of(speaker: str) -> str:
    """The split that a speaker belongs to.

    >>> split_of("p001"), split_of("p101"), split_of("p102")
    ('train', 'valid', 'test')
    """
    return next((split for split, speakers in _HELD.items() if speaker in speakers), "train")


def read_ears(
    root: Path, *, splits: Sequence[str] = ("test",), findings: Findings, progress: Progress | None = None
) -> SpeechCorpus:
    """Read the recordings of some splits.

    Args:
        root: The corpus's folder, into which the archives were unpacked.
        splits: Some of train (p001 to p099), valid (p100, p101) and test (p102 to p107).
        findings: What is wrong is added to them.
        progress: Told after every recording.

    Returns:
        Rows named `ears/<speaker>/<stem>`; sounds and freeform speech have no text and no script.

    Raises:
        Refused: If the folder, a usable metadata file or a split asked for is absent, or at the first error if `findings` is
            strict.
    """
    if not root.is_dir():
        findings.add(NO_CORPUS, file=str(root), expected=f"a folder with {TRANSCRIPTS}, {STATISTICS} and p001 to p107")
        raise Refused(findings)
    unknown = set(splits) - set(SPLITS)
    for split in unknown:
        findings.add(UNKNOWN_SPLIT, found=split, expected=f"one of {', '.join(SPLITS)}")
    transcripts, speakers = read_transcripts(root, findings), read_speakers(root, findings)
    if transcripts is None or speakers is None or unknown:
        raise Refused(findings)
    wanted = [
        (speaker, reading)
        for speaker in _SPEAKERS
        if split_of(speaker) in splits
        for reading in _readings(root, speaker, speakers, findings)
    ]
    rows: list[dict[str, object]] = []
    for done, (speaker, reading) in enumerate(wanted, start=1):
        row = _row(root, speaker, reading, transcripts, speakers, findings)
        if row is not None:
            rows.append(row)
        if progress is not None:
            progress(done, len(wanted))
    rows.sort(key=lambda row: str(row["utterance"]))
    for utterance, found in contradicted_paces(rows).items():
        findings.add(PACE, id=utterance, found=found, expected="fast shorter and slow longer than regular")
    return SpeechCorpus(NAME, rows, {TRANSCRIPTS: transcripts.hash, STATISTICS: speakers.hash})


def _readings(root: Path, speaker: str, speakers: Speakers, findings: Findings) -> list[Reading]:
    """What lies in a speaker's folder."""
    found = find_wavs(root, speaker, 1, WAV, findings)
    if not found:
        findings.add(MISSING_SPEAKER, file=speaker, id=speaker, expected=f"{speaker}/<what and how>.wav")
    elif speaker not in speakers.sex:
        findings.add(UNLISTED_SPEAKER, file=STATISTICS, id=speaker, expected="an entry of that name")
    readings: list[Reading] = []
    for stem, paths in found.items():
        if len(paths) > 1:
            findings.add(
                REPEATED_AUDIO, file=paths[0], id=stem, found=", ".join(paths), expected=f"{speaker}/{stem}.wav"
            )
            continue
        if paths != [f"{speaker}/{stem}.wav"]:
            findings.add(OTHER_FOLDER, file=paths[0], id=stem, found=paths[0], expected=f"{speaker}/{stem}.wav")
            continue
        try:
            readings.append(parse_reading(stem))
        except ValueError:
            findings.add(BAD_STEM, file=paths[0], found=stem, expected=FORM)
    return readings


def _row(
    root: Path, speaker: str, reading: Reading, transcripts: Transcripts, speakers: Speakers, findings: Findings
) -> dict[str, object] | None:
    path, name = f"{speaker}/{reading.stem}.wav", f"{NAME}/{speaker}/{reading.stem}"
    header = read_checked_header(root, path, WAV, findings, id=name, channels=1, rate=RATE)
    if header is None:
        return None
    text = transcripts.texts.get(reading.stem)
    if text is None and reading.script is not None:
        findings.add(NO_TRANSCRIPT, file=TRANSCRIPTS, id=name, expected=f"a text of {reading.stem}")
    return {
        "utterance": name,
        "corpus": NAME,
        "path": path,
        "channel": 0,
        "rate": header.rate,
        "start": 0,
        "end": header.frames,
        "speaker": f"{NAME}/{speaker}",
        "session": None,
        "script": None if reading.script in transcripts.unequal else reading.script,
        "text": text,
        "text_source": None if text is None else TRANSCRIPTS,
        "sex": speakers.sex.get(speaker),
        "age": None,
        "age_group": None,
        "style": reading.style,
        "substyle": None,
        "pace": reading.pace,
        "emphasised": [],
        "split": split_of(speaker),
    }
