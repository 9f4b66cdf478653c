"""Where the files of Seamless Interaction lie on disk: `<label>/<split>/<batch>/<archive>/<file id>.{wav,json}`.

One walk finds them all. Which folder is listed first is the file system's whim and decides nothing: where a file id lies
twice, equal copies stand for one another and the first path in order is taken; unequal ones are all dropped.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from earmark.builders.corpora.seamless.ids import FileId
from earmark.manifests.findings import Findings, Severity, declare

NO_LABEL_FOLDER = declare("corpus.no-label-folder", Severity.ERROR, "the corpus has no folder of this label")
UNREADABLE_FOLDER = declare("corpus.unreadable-folder", Severity.ERROR, "the folder cannot be listed")
REPEATED_FILE = declare(
    "corpus.repeated-file", Severity.WARNING, "equal files lie in two places; the first one is taken"
)
DUPLICATE_ID = declare("corpus.duplicate-id", Severity.ERROR, "unequal files of one id lie in two places; all dropped")

DEPTH = 3
"""Folders below a label: split, batch, archive."""

_SUFFIXES = (".wav", ".json")
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Files:
    """The files of one id; paths are POSIX and relative to the corpus's root.

    Args:
        audio: Its WAV file, if there is one to be taken.
        metadata: Its JSON file, if there is one to be taken.
        ambiguous: Whether files of it lie there that were dropped because they differ.
    """

    audio: str | None = None
    metadata: str | None = None
    ambiguous: bool = False


def find_files(
    root: Path, findings: Findings, *, labels: Sequence[str] = ("improvised",), wanted: Collection[FileId] | None = None
) -> Mapping[FileId, Files]:
    """Find the WAV and JSON files of file ids.

    Args:
        root: The corpus's folder, in which one folder per label lies.
        findings: What is wrong is added to them.
        labels: The labels to look in.
        wanted: The ids to look for; None looks for all.

    Returns:
        What lies there, by id; whatever else lies there (video, features, `._*` of a Mac) is passed over.
    """
    names = None if wanted is None else {str(file_id): file_id for file_id in wanted}
    found: dict[FileId, dict[str, list[str]]] = defaultdict(lambda: {suffix: [] for suffix in _SUFFIXES})
    for label in sorted(set(labels)):
        if not (root / label).is_dir():
            findings.add(NO_LABEL_FOLDER, file=label, expected=f"{label}/<split>/<batch>/<archive>/<file id>.wav")
            continue
        for path in _walk(root, label, DEPTH, findings):
            stem, suffix = os.path.splitext(path.rpartition("/")[2])  # noqa: PTH122  (a million names: no Path for each)
            file_id = _id(stem) if names is None else names.get(stem)
            if file_id is not None:
                found[file_id][suffix].append(path)
    return {file_id: _files(root, file_id, found[file_id], findings) for file_id in sorted(found)}


def _walk(root: Path, folder: str, depth: int, findings: Findings) -> Iterator[str]:
    folders: list[str] = []
    try:
        with os.scandir(root / folder) as entries:
            for entry in entries:
                if depth and entry.is_dir():
                    folders.append(f"{folder}/{entry.name}")
                elif not depth and entry.name.endswith(_SUFFIXES) and entry.is_file():
                    yield f"{folder}/{entry.name}"
    except OSError as error:
        findings.add(UNREADABLE_FOLDER, file=folder, found=error.strerror or type(error).__name__)
    for inner in folders:
        yield from _walk(root, inner, depth - 1, findings)


def _id(stem: str) -> FileId | None:
    try:
        return FileId.parse(stem)
    except ValueError:
        return None


def _files(root: Path, file_id: FileId, paths: Mapping[str, list[str]], findings: Findings) -> Files:
    chosen = {suffix: _chosen(root, file_id, sorted(paths[suffix]), findings) for suffix in _SUFFIXES}
    ambiguous = any(paths[suffix] and chosen[suffix] is None for suffix in _SUFFIXES)
    return Files(chosen[".wav"], chosen[".json"], ambiguous)


def _chosen(root: Path, file_id: FileId, paths: list[str], findings: Findings) -> str | None:
    if len(paths) < 2:
        return paths[0] if paths else None
    same = all(_equal(root / paths[0], root / other) for other in paths[1:])
    code, expected = (REPEATED_FILE, None) if same else (DUPLICATE_ID, "one file of an id, or equal copies")
    findings.add(code, file=paths[0], id=str(file_id), found=", ".join(paths), expected=expected)
    return paths[0] if same else None


def _equal(one: Path, other: Path) -> bool:
    """Whether two files hold the same bytes; sizes alone would take two recordings of one length for copies."""
    try:
        if one.stat().st_size != other.stat().st_size:
            return False
        with one.open("rb") as left, other.open("rb") as right:
            while (block := left.read(_BLOCK)) == right.read(_BLOCK):
                if not block:
                    return True
    except OSError:
        return False
    return False
