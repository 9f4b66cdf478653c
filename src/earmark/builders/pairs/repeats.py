"""One audio under two names: which utterances are the same samples, and which of them may be used."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from earmark.builders.pairs.columns import words_of
from earmark.builders.plan import Rows
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.hashes import file_hash
from earmark.manifests.pairing import LABELS
from earmark.manifests.rows import Row, text, whole

SAME_AUDIO = declare(
    "pairs.same-audio", Severity.ERROR, "two utterances are the same samples; the later id is not used"
)
OTHER_LABELS = declare(
    "pairs.same-audio-other-labels",
    Severity.ERROR,
    "utterances of the same samples are said to be of different speakers, words or kinds; none of them is used",
)


def without_repeats(rows: Rows, samples: Mapping[str, str], findings: Findings) -> Rows:
    """The utterances that may be used: of several with the same samples the first, if they are said to be of one kind.

    Args:
        rows: Utterances, ascending by name.
        samples: Of each that could be read, what its samples are known by; the others are left out.
        findings: Told of each that is not used for the sake of another.
    """
    same: dict[str, Rows] = defaultdict(list)
    for row in rows:
        if text(row, "utterance") in samples:
            same[samples[text(row, "utterance")]].append(row)
    kept = [row for alike in same.values() for row in _usable(alike, findings)]
    kept.sort(key=lambda row: text(row, "utterance"))
    return kept


def by_file(rows: Sequence[Row], roots: Mapping[str, Path]) -> dict[str, str]:
    """What the samples of utterances are known by where none are decoded: the bytes of their files.

    Only files that are as long as another one are read.

    Args:
        rows: Utterances.
        roots: Of each corpus, its folder.
    """
    alike: dict[tuple[int, ...], list[str]] = defaultdict(list)
    paths: dict[str, Path] = {}
    for row in rows:
        utterance = text(row, "utterance")
        paths[utterance] = roots[text(row, "corpus")].joinpath(*text(row, "path").split("/"))
        place = tuple(whole(row, name) for name in ("channel", "start", "end"))
        alike[_size(paths[utterance]), *place].append(utterance)
    known: dict[str, str] = {}
    for place, utterances in alike.items():
        for utterance in utterances:
            content = _content(paths[utterance]) if len(utterances) > 1 else None
            known[utterance] = utterance if content is None else f"{content} {place}"
    return known


def _usable(alike: Rows, findings: Findings) -> Rows:
    names = [text(row, "utterance") for row in alike]
    if len({_said_of(row) for row in alike}) > 1:
        for name in names:
            findings.add(OTHER_LABELS, id=name, found=", ".join(other for other in names if other != name))
        return []
    for name in names[1:]:
        findings.add(SAME_AUDIO, id=name, found=names[0])
    return alike[:1]


def _said_of(row: Row) -> tuple[str, ...]:
    """Who speaks an utterance, the words, and all that its corpus says of it."""
    return (text(row, "speaker"), *words_of(row), *(str(row[column.name]) for column in LABELS))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1


def _content(path: Path) -> str | None:
    """Hash of a file; None of one that cannot be read, which whoever reads it will say."""
    try:
        return file_hash(path)
    except OSError:
        return None
