"""SVC as pairing needs it: `metadata/<split>_metadata.json` joined to `audios/<split>/<audio id>.wav` by audio id.

Everything is joined by id and sorted, so that the order of records and folders changes nothing. A record that cannot be
trusted is dropped and is a finding. Other splits are read for their ids alone: an id in two splits is of neither.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from earmark.builders.corpora.speech import SpeechCorpus
from earmark.builders.corpora.svc.audio import USABLE, usable_header
from earmark.builders.corpora.svc.labels import Labels, contradicted, labels_of
from earmark.builders.corpora.svc.records import Record, Transcript, read_ids, read_records
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings, Severity, declare

if TYPE_CHECKING:
    from earmark.builders.plan import Rows

NO_CORPUS = declare("svc.no-corpus", Severity.ERROR, "the folder is no SVC corpus")
METADATA_FILES = declare(
    "svc.metadata-files", Severity.ERROR, "the corpus has other metadata files than one for each of three splits"
)
UNKNOWN_SPLIT = declare("svc.unknown-split", Severity.ERROR, "the corpus has no metadata file of this split")
IN_TWO_SPLITS = declare("svc.in-two-splits", Severity.ERROR, "the audio id stands in two splits; dropped")
MISSING_AUDIO = declare("svc.missing-audio", Severity.ERROR, "the record has no WAV file; dropped")
BAD_AUDIO = declare("svc.bad-audio", Severity.ERROR, "the WAV file is of no use; dropped")
UNLISTED_AUDIO = declare("svc.unlisted-audio", Severity.WARNING, "the WAV file has no record; passed over")
OTHER_LENGTH = declare("svc.other-length", Severity.WARNING, "the audio is not as long as its record says")
NOT_MONO = declare("svc.not-mono", Severity.WARNING, "the audio has several channels; the first is taken")
NO_TEXT = declare("svc.no-text", Severity.WARNING, "the record has no words")

NAME = "svc"
"""Name of the corpus, and the first part of every id."""

ROOT_NAMES = ("svc-dataset", "svc_dataset")
"""What its folder is called."""

LENGTH_TOLERANCE_MS = 50
"""How far the audio may be from `audioLengthMs` before it is said."""

_SUFFIX = "_metadata.json"
_SPLITS = 3
_TOLD_EVERY = 500  # rows; a corpus has a hundred thousand of them


def read_svc(
    root: Path,
    *,
    splits: Sequence[str] = ("test",),
    findings: Findings,
    progress: Callable[[int, int], None] | None = None,
) -> SpeechCorpus:
    """Read the recordings of some splits.

    Args:
        root: The corpus's folder, `svc-dataset` or `svc_dataset`, in which `metadata` and `audios` lie.
        splits: The splits to read; the text before the first `_` of a metadata file's name.
        findings: What is wrong is added to them.
        progress: Told now and then how many recordings are read, and of how many.

    Returns:
        Rows of `earmark.manifests.pairing.UTTERANCES`, ascending by utterance.

    Raises:
        Refused: If the folder has no metadata, or at the first error if `findings` is strict.
    """
    files = _metadata_files(root, findings)
    wanted = sorted(set(splits))
    for split in wanted:
        if split not in files:
            expected = f"one of {', '.join(sorted(files)) or 'no split at all'}"
            findings.add(UNKNOWN_SPLIT, file=f"metadata/{split}{_SUFFIX}", found=split, expected=expected)
    read = {split: _read(root, files[split], findings) for split in wanted if split in files}
    ids = {split: read[split].keys() if split in read else _ids(root, files[split], findings) for split in files}
    shared = _in_two(ids, findings)
    sound = [
        (id, split, record, labels)
        for split, records in read.items()
        for id, record in records.items()
        if id not in shared
        if (labels := labels_of(record.speaker, findings, file=files[split], id=id)) is not None
    ]
    wrong = contradicted(((record.speaker.user_id, labels) for _, _, record, labels in sound), findings)
    kept = sorted((entry for entry in sound if entry[2].speaker.user_id not in wrong), key=lambda entry: entry[0])
    present = {split: _audio(root, split, ids[split], findings) for split in read}
    rows: Rows = []
    for done, (id, split, record, labels) in enumerate(kept, start=1):
        row = _row(root, id, split, record, labels, present[split], findings)
        if row is not None:
            rows.append(row)
        if progress is not None and (done % _TOLD_EVERY == 0 or done == len(kept)):
            progress(done, len(kept))
    return SpeechCorpus(NAME, rows, {files[split]: _hash(records) for split, records in read.items()})


def _metadata_files(root: Path, findings: Findings) -> dict[str, str]:
    """The metadata file of each split, as a POSIX path within the corpus."""
    try:
        names = sorted(entry for entry in os.listdir(root / "metadata") if entry.endswith(_SUFFIX))  # noqa: PTH208
    except OSError as error:
        found = error.strerror or type(error).__name__
        inner = next((name for name in ROOT_NAMES if (root / name / "metadata").is_dir()), None)
        expected = (
            f"did you mean {root / inner}?" if inner else f"a folder {' or '.join(ROOT_NAMES)} that holds metadata"
        )
        findings.add(NO_CORPUS, file=str(root), found=found, expected=expected)
        raise Refused(findings) from None
    by_split: dict[str, list[str]] = {}
    for name in names:
        if not name.startswith("."):  # a Mac leaves `._` files beside those it copied
            by_split.setdefault(name.split("_", 1)[0], []).append(name)
    taken = [name for several in by_split.values() for name in several]
    if len(taken) != _SPLITS or len(by_split) != _SPLITS:
        expected = "train, dev and test, each one file"
        findings.add(METADATA_FILES, file="metadata", found=", ".join(taken) or "none", expected=expected)
    return {split: f"metadata/{several[0]}" for split, several in by_split.items() if len(several) == 1}


def _read(root: Path, file: str, findings: Findings) -> Mapping[str, Record]:
    return read_records(root / file, findings, file=file) or {}


def _ids(root: Path, file: str, findings: Findings) -> Collection[str]:
    return read_ids(root / file, findings, file=file)


def _in_two(ids: Mapping[str, Iterable[str]], findings: Findings) -> frozenset[str]:
    counted = Counter(id for several in ids.values() for id in several)
    shared = sorted(id for id, count in counted.items() if count > 1)
    for id in shared:
        found = ", ".join(split for split in sorted(ids) if id in set(ids[split]))
        findings.add(IN_TWO_SPLITS, id=id, found=found, expected="one split")
    return frozenset(shared)


def _audio(root: Path, split: str, ids: Collection[str], findings: Findings) -> frozenset[str]:
    """The audio ids whose WAV file lies in the folder of the split."""
    folder = f"audios/{split}"
    try:
        names = os.listdir(root / folder)  # noqa: PTH208  (a hundred thousand names: no Path for each)
    except OSError as error:
        findings.add(MISSING_AUDIO, file=folder, found=error.strerror or type(error).__name__, expected="its WAV files")
        return frozenset()
    present = frozenset(name[:-4] for name in names if name.endswith(".wav") and not name.startswith("."))
    for id in sorted(present.difference(ids)):
        findings.add(UNLISTED_AUDIO, file=f"{folder}/{id}.wav", id=id, expected=f"a record of {split}")
    return present


def _row(
    root: Path, id: str, split: str, record: Record, labels: Labels, present: Collection[str], findings: Findings
) -> dict[str, object] | None:
    path = f"audios/{split}/{id}.wav"
    if id not in present:
        findings.add(MISSING_AUDIO, file=path, id=id, expected="the record's WAV file")
        return None
    header = usable_header(root / path)
    if isinstance(header, str):
        findings.add(BAD_AUDIO, file=path, id=id, found=header, expected=USABLE)
        return None
    if header.channels > 1:
        findings.add(NOT_MONO, file=path, id=id, found=f"{header.channels} channels", expected="one channel")
    if abs(1000 * header.frames - record.length_ms * header.rate) > LENGTH_TOLERANCE_MS * header.rate:
        found = f"{1000 * header.frames / header.rate:.0f} ms"
        findings.add(OTHER_LENGTH, file=path, id=id, found=found, expected=f"{record.length_ms} ms")
    text, source = words_of(record.transcript)
    if text is None:
        findings.add(NO_TEXT, file=path, id=id, expected="normalized_text or text")
    return {
        "utterance": f"{NAME}/{id}",
        "corpus": NAME,
        "path": path,
        "channel": 0,
        "rate": header.rate,
        "start": 0,
        "end": header.frames,
        "speaker": f"{NAME}/{record.speaker.user_id}",
        "session": None,
        "script": None,
        "text": text,
        "text_source": source,
        "sex": labels.sex,
        "age": labels.age,
        "age_group": labels.age_group,
        "style": None,
        "substyle": None,
        "pace": None,
        "emphasised": [],
        "split": split,
    }


def words_of(transcript: Transcript) -> tuple[str | None, str | None]:
    """The words as spoken, or as written where that is all there is, and which of the two; None where there are none.

    >>> words_of(Transcript("play 1999", "play nineteen ninety nine"))
    ('play nineteen ninety nine', 'normalized_text')
    >>> words_of(Transcript("play 1999", " "))
    ('play 1999', 'text')
    """
    for source in ("normalized_text", "text"):
        words: str | None = getattr(transcript, source)
        if words and not words.isspace():
            return words, source
    return None, None


def _hash(records: Mapping[str, Record]) -> str:
    """`sha256:` and the hash of what the records say, whatever order they stand in."""
    return (
        f"sha256:{hashlib.sha256(msgspec.json.encode(sorted(records.items(), key=lambda entry: entry[0]))).hexdigest()}"
    )
