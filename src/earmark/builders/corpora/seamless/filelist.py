"""The file list of Seamless Interaction, `filelist.csv`: in which archive each file id lies.

The two members of a dyad lie in different archives as a rule. The list says where to look for what is missing; which files a
build uses is decided by what lies on disk.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from earmark.builders.corpora.csv_rows import Row, merge_repeated, read_rows
from earmark.builders.corpora.seamless.ids import FileId, parse_id
from earmark.manifests.findings import Findings, Severity, declare

COLUMNS = ("file_id", "label", "split", "batch_idx", "archive_idx")
"""The columns that are read; flags that follow them are not."""

LABELS = ("improvised", "naturalistic")
SPLITS = ("train", "dev", "test")

BAD_PLACE = declare("corpus.bad-place", Severity.ERROR, "the file list names no place; row dropped")
LISTED_TWICE = declare(
    "corpus.listed-twice", Severity.WARNING, "the file list names several places; the first in order holds"
)


class Place(NamedTuple):
    """Where a file id lies.

    Attributes:
        label: "improvised" or "naturalistic".
        split: "train", "dev" or "test".
        batch: number of the folder of archives, >= 0.
        archive: number of the archive in it, >= 0.
    """

    label: str
    split: str
    batch: int
    archive: int

    @property
    def folder(self) -> str:
        """The folder that its archive is unpacked to, relative to the corpus's root.

        >>> Place("improvised", "dev", 0, 32).folder
        'improvised/dev/0000/0032'
        """
        return f"{self.label}/{self.split}/{self.batch:04d}/{self.archive:04d}"


class Listed(NamedTuple):
    """A file id and its place."""

    file_id: FileId
    place: Place


def read_filelist(path: Path, findings: Findings) -> tuple[Listed, ...]:
    """Read the file list.

    Args:
        path: `filelist.csv` in its official form, with or without flags.
        findings: What is wrong is added to them.

    Returns:
        One entry per file id, by id; none if the table is of no use.
    """
    file = str(path)
    read = [
        (row.line, listed)
        for row in read_rows(path, COLUMNS, findings) or ()
        if (listed := _listed(row, file, findings)) is not None
    ]
    places: dict[FileId, list[tuple[Place, int]]] = defaultdict(list)
    for line, listed in merge_repeated(read, file, findings):
        places[listed.file_id].append((listed.place, line))
    for file_id, named in places.items():
        named.sort()
        for place, line in named[1:]:
            first = f"{named[0][0].folder}, as in row {named[0][1]}"
            findings.add(LISTED_TWICE, file=file, row=line, id=str(file_id), found=place.folder, expected=first)
    return tuple(Listed(file_id, places[file_id][0][0]) for file_id in sorted(places))


def _listed(row: Row, file: str, findings: Findings) -> Listed | None:
    id, label, split, batch, archive = row.cells
    file_id = parse_id(id, findings, file=file, row=row.line, column="file_id")
    wrong = [
        (column, found, expected)
        for column, found, expected, right in (
            ("label", label, f"one of {', '.join(LABELS)}", label in LABELS),
            ("split", split, f"one of {', '.join(SPLITS)}", split in SPLITS),
            ("batch_idx", batch, "a whole number from 0 to 9999", _is_index(batch)),
            ("archive_idx", archive, "a whole number from 0 to 9999", _is_index(archive)),
        )
        if not right
    ]
    for column, found, expected in wrong:
        findings.add(BAD_PLACE, file=file, row=row.line, column=column, id=id, found=found, expected=expected)
    if file_id is None or wrong:
        return None
    return Listed(file_id, Place(label, split, int(batch), int(archive)))


def _is_index(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 4
