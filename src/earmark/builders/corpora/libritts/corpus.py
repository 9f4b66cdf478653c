"""LibriTTS as pairing needs it: `<subset>/<reader>/<chapter>/<id>.wav` joined to the chapter's tables and the table of readers.

Everything is joined by id and sorted, so that the order of files and lines changes nothing. LibriTTS-R has the same ids, less
what its `NOTE.txt` names and one file that is broken as published. Zen et al., Interspeech 2019 (arXiv 1904.02882); Koizumi et
al., Interspeech 2023 (arXiv 2305.18802).
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.builders.corpora.csv_rows import hash_records
from earmark.builders.corpora.libritts.chapters import Chapter, read_chapter
from earmark.builders.corpora.libritts.ids import FORM, SUBSETS, UtteranceId, ids_in
from earmark.builders.corpora.libritts.readers import Reader, read_readers
from earmark.builders.corpora.speech import SpeechCorpus
from earmark.builders.corpora.wav_files import declare_wav_codes, read_checked_header
from earmark.manifests.errors import Refused, UnknownName
from earmark.manifests.findings import Findings, Severity, declare

if TYPE_CHECKING:
    from earmark.builders.plan import Rows
    from earmark.manifests.canonical import Json

NAME = "libritts"
"""Name of the corpus, and the first part of every id."""

RATE = 24_000
"""Rate that the corpus was published at, Hz."""

BROKEN = frozenset({"1092_134562_000013_000004"})
"""Files of LibriTTS-R that are broken as published."""

NO_CORPUS = declare("libritts.no-corpus", Severity.ERROR, "the folder is no LibriTTS")
NO_SUBSET = declare("libritts.no-subset", Severity.ERROR, "the corpus has no folder of this subset")
BAD_ID = declare("libritts.bad-id", Severity.ERROR, "the file's name is no utterance id; dropped")
OTHER_FOLDER = declare("libritts.other-folder", Severity.ERROR, "the file lies in another chapter's folder; dropped")
TWO_PLACES = declare("libritts.two-places", Severity.ERROR, "the utterance lies in two subsets; dropped")
TWO_SUBSETS = declare("libritts.two-subsets", Severity.WARNING, "the reader is in two subsets; counted as one")
UNKNOWN_READER = declare("libritts.unknown-reader", Severity.ERROR, "nothing says what sex the reader is; kept without")
MISSING_AUDIO = declare("libritts.missing-audio", Severity.ERROR, "the table names a file that is absent; dropped")
EXCLUDED = declare(
    "libritts.excluded", Severity.WARNING, "book.tsv says that the utterance is not in the corpus; dropped"
)
UNLISTED = declare(
    "libritts.unlisted-audio", Severity.WARNING, "trans.tsv lacks the utterance; its text is read beside it"
)
NO_TEXT = declare("libritts.no-text", Severity.WARNING, "nothing says what is read; kept without text")
KNOWN_FLAW = declare("libritts.known-flaw", Severity.NOTE, "the publishers or users say that the file is bad; left out")
WAV = declare_wav_codes(NAME)

_NORMALIZED = ".normalized.txt"
_RESTORED_ROOTS = frozenset({"libritts_r", "libritts-r"})
_RESTORED_README = "README_libritts_r.txt"
_NOTE, _MOST_NOTE = "NOTE.txt", 1 << 20
_TOLD_EVERY = 100


@dataclass(frozen=True)
class _Folder:
    """What lies in a chapter's folder."""

    path: str
    subset: str
    session: str
    chapter: Chapter
    audio: frozenset[str]
    normalized: frozenset[str]


@dataclass
class _Read:
    """What is being read, and what was told already."""

    root: Path
    readers: Mapping[str, Reader]
    findings: Findings
    unknown: set[str] = field(default_factory=set)


def read_libritts(
    root: Path,
    *,
    splits: Sequence[str] = ("test-clean", "test-other"),
    findings: Findings,
    progress: Callable[[int, int], None] | None = None,
) -> SpeechCorpus:
    """Read the utterances of some subsets.

    Args:
        root: The corpus's folder, `LibriTTS` or `LibriTTS_R`, in which the subsets and `SPEAKERS.txt` lie.
        splits: Some of SUBSETS.
        findings: What is wrong is added to them.
        progress: Told now and then how many utterances are read, and of how many.

    Returns:
        Rows of `earmark.manifests.pairing.UTTERANCES`, ascending by utterance; the session is `<reader>_<chapter>`.

    Raises:
        UnknownName: If there is no such subset.
        Refused: If the folder has none of the subsets, or at the first error if `findings` is strict.
    """
    wanted = sorted(set(splits))
    for subset in wanted:
        if subset not in SUBSETS:
            raise UnknownName("subset of LibriTTS", subset, SUBSETS)
    present = _require_corpus(root, findings)
    for subset in wanted:
        if subset not in present:
            findings.add(NO_SUBSET, file=subset, expected=f"one of {', '.join(present)}, which are there")
    readers = read_readers(root, findings)
    folders = [folder for subset in wanted if subset in present for folder in _folders(root, subset, findings)]
    flawed = known_flaws(root)
    places: dict[str, list[_Folder]] = defaultdict(list)
    for folder in folders:
        for id in folder.audio | folder.chapter.texts.keys():
            places[id].append(folder)
    _tell_two_subsets(folders, findings)
    read = _Read(root, readers.by_id, findings)
    rows: Rows = []
    for done, id in enumerate(sorted(places), start=1):
        row = None
        if id in flawed:
            findings.add(KNOWN_FLAW, file=f"{places[id][0].path}/{id}.wav", id=id)
        elif len(places[id]) > 1:
            found = ", ".join(sorted(folder.path for folder in places[id]))
            findings.add(TWO_PLACES, id=id, found=found, expected="one subset")
        else:
            row = _row(read, places[id][0], UtteranceId.parse(id))
        if row is not None:
            rows.append(row)
        if progress is not None and (done % _TOLD_EVERY == 0 or done == len(places)):
            progress(done, len(places))
    return SpeechCorpus(NAME, rows, {**readers.metadata, **_hashes(rows, wanted)})


def known_flaws(root: Path) -> frozenset[str]:
    """Ids that are to be left out of LibriTTS-R; none of LibriTTS.

    Args:
        root: The corpus's folder; its name, or the README in it, tells the two apart.
    """
    if root.name.casefold() not in _RESTORED_ROOTS and not (root / _RESTORED_README).is_file():
        return frozenset()
    try:
        with (root / _NOTE).open("rb") as stream:
            return BROKEN | ids_in(stream.read(_MOST_NOTE).decode("utf-8", "replace"))
    except OSError:
        return BROKEN


def _require_corpus(root: Path, findings: Findings) -> tuple[str, ...]:
    """The subsets that are there.

    Raises:
        Refused: If none is.
    """
    present = tuple(subset for subset in SUBSETS if (root / subset).is_dir())
    if not present:
        inner = next((name for name in ("LibriTTS", "LibriTTS_R") if (root / name).is_dir()), None)
        expected = f"did you mean {root / inner}?" if inner else f"a folder with some of {', '.join(SUBSETS)}"
        findings.add(NO_CORPUS, file=str(root), expected=expected)
        raise Refused(findings)
    return present


def _folders(root: Path, subset: str, findings: Findings) -> Iterator[_Folder]:
    """Every chapter of a subset, ascending."""
    for reader in _listed(root, subset, findings):
        if not _is_number(reader):
            continue  # a note or a companion file of a Mac
        for chapter in _listed(root, f"{subset}/{reader}", findings):
            if _is_number(chapter):
                path, session = f"{subset}/{reader}/{chapter}", f"{reader}_{chapter}"
                names = _listed(root, path, findings)
                yield _Folder(
                    path,
                    subset,
                    session,
                    read_chapter(root, path, session, findings),
                    frozenset(_audio(path, session, names, findings)),
                    frozenset(name.removesuffix(_NORMALIZED) for name in names if name.endswith(_NORMALIZED)),
                )


def _listed(root: Path, folder: str, findings: Findings) -> list[str]:
    try:
        return sorted(os.listdir(root / folder))  # noqa: PTH208  (names, of which there are many)
    except NotADirectoryError:
        return []
    except OSError as error:
        findings.add(WAV.folder, file=folder, found=error.strerror or type(error).__name__)
        return []


def _is_number(name: str) -> bool:
    return name.isascii() and name.isdecimal()


def _audio(path: str, session: str, names: Sequence[str], findings: Findings) -> Iterator[str]:
    """The ids of the WAV files in a chapter's folder."""
    for name in names:
        if not name.endswith(".wav"):
            continue
        if name.startswith("._"):
            findings.add(WAV.companion, file=f"{path}/{name}")
            continue
        stem = name.removesuffix(".wav")
        try:
            id = UtteranceId.parse(stem)
        except ValueError:
            findings.add(BAD_ID, file=f"{path}/{name}", found=stem, expected=FORM)
            continue
        if id.session == session:
            yield stem
        else:
            findings.add(OTHER_FOLDER, file=f"{path}/{name}", id=stem, expected=f"the folder {id.folder}")


def _tell_two_subsets(folders: Sequence[_Folder], findings: Findings) -> None:
    subsets: dict[str, set[str]] = defaultdict(set)
    for folder in folders:
        subsets[folder.session.partition("_")[0]].add(folder.subset)
    for reader, several in subsets.items():
        if len(several) > 1:
            findings.add(TWO_SUBSETS, id=reader, found=", ".join(sorted(several)), expected="one subset")


def _row(read: _Read, folder: _Folder, id: UtteranceId) -> dict[str, object] | None:
    name, path, findings = str(id), f"{folder.path}/{id}.wav", read.findings
    if name in folder.chapter.excluded:
        findings.add(EXCLUDED, file=path, id=name)
        return None
    if name not in folder.audio:
        findings.add(MISSING_AUDIO, file=path, id=name, expected="the utterance's WAV file")
        return None
    header = read_checked_header(read.root, path, WAV, findings, id=name, channels=1, rate=RATE)
    if header is None:
        return None
    reader = read.readers.get(id.reader)
    if reader is None and read.readers and id.reader not in read.unknown:
        read.unknown.add(id.reader)
        findings.add(UNKNOWN_READER, id=id.reader, expected="a line in the table of readers")
    text, source = _text(read, folder, name)
    return {
        "utterance": f"{NAME}/{name}",
        "corpus": NAME,
        "path": path,
        "channel": 0,
        "rate": header.rate,
        "start": 0,
        "end": header.frames,
        "speaker": f"{NAME}/{id.reader}",
        "session": id.session,
        "script": None,
        "text": text,
        "text_source": source,
        "sex": None if reader is None else reader.sex,
        "age": None,
        "age_group": None,
        "style": None,
        "substyle": None,
        "pace": None,
        "emphasised": [],
        "split": folder.subset,
    }


def _text(read: _Read, folder: _Folder, id: str) -> tuple[str | None, str | None]:
    """What is read, and where that is from."""
    if text := folder.chapter.texts.get(id):
        return text, "trans.tsv"
    beside = f"{folder.path}/{id}{_NORMALIZED}"
    said = _beside(read.root / beside) if id in folder.normalized else None
    if not said:
        read.findings.add(NO_TEXT, file=beside, id=id, expected="a line of trans.tsv, or this file in UTF-8")
        return None, None
    if folder.chapter.has_trans:
        read.findings.add(UNLISTED, file=beside, id=id, expected=f"a line of {folder.session}.trans.tsv")
    return said, "normalized.txt"


def _beside(path: Path) -> str | None:
    try:
        with path.open("rb") as stream:
            return stream.read(_MOST_NOTE).decode("utf-8-sig").strip()
    except (OSError, UnicodeDecodeError):
        return None


def _hashes(rows: Rows, subsets: Collection[str]) -> dict[str, str]:
    """Hash of ids and texts of each subset, by its folder: hundreds of tables say them, and mirrors have others."""
    said: dict[str, list[Json]] = {subset: [] for subset in subsets}
    for row in rows:
        said[str(row["split"])].append([str(row["utterance"]), None if row["text"] is None else str(row["text"])])
    return {subset: hash_records(records) for subset, records in said.items() if records}
