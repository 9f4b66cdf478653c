"""Text files of Expresso, line by line: one line that cannot be read costs that line alone.

Blank lines and lines that begin with `#` are passed over.
"""

from __future__ import annotations

import filecmp
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from earmark.builders.corpora.csv_rows import BOM, WINDOWS_LINE_ENDS
from earmark.manifests.findings import Findings, Severity, declare

MOST_BYTES = 1 << 26
"""Largest file that is read; the largest known one has 0.8 MB."""

UNREADABLE = declare("expresso.unreadable-file", Severity.ERROR, "the metadata file cannot be read")
TWO_SPELLINGS = declare(
    "expresso.two-spellings", Severity.WARNING, "a metadata file lies under two names and differs; the first is read"
)
BAD_ENCODING = declare("expresso.bad-encoding", Severity.ERROR, "the line is not UTF-8; dropped")

_BOM = b"\xef\xbb\xbf"


class Line(NamedTuple):
    """A line without its end.

    Attributes:
        row: its number in the file, from 1.
        text: what it says, not blank.
    """

    row: int
    text: str


def read_lines(root: Path, file: str, findings: Findings) -> tuple[Line, ...] | None:
    """Read a file.

    Args:
        root: The corpus's folder.
        file: The file, POSIX, relative to it.
        findings: What is wrong is added to them.

    Returns:
        The lines that say something, in file order; None if there is no such file or it is too large.
    """
    try:
        with (root / file).open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        findings.add(UNREADABLE, file=file, found=error.strerror or type(error).__name__, expected="a text file")
        return None
    if len(data) > MOST_BYTES:
        findings.add(UNREADABLE, file=file, found="a larger one", expected=f"at most {MOST_BYTES} bytes")
        return None
    if data.startswith(_BOM):
        findings.add(BOM, file=file, row=1, expected="UTF-8 without a byte order mark")
        data = data[len(_BOM) :]
    if data[: data.find(b"\n") + 1].endswith(b"\r\n"):
        findings.add(WINDOWS_LINE_ENDS, file=file, row=1, expected="newlines alone")
    lines: list[Line] = []
    for row, raw in enumerate(data.split(b"\n"), start=1):
        try:
            text = raw.decode("utf-8").removesuffix("\r")
        except UnicodeDecodeError as error:
            findings.add(BAD_ENCODING, file=file, row=row, found=f"byte {raw[error.start]:#04x}", expected="UTF-8")
            continue
        if text.strip() and not text.startswith("#"):
            lines.append(Line(row, text))
    return tuple(lines)


def either_spelling(root: Path, files: Sequence[str], findings: Findings) -> str:
    """The first of some names under which a metadata file lies, or the first of all if it lies under none.

    The archive of the corpus and the repository that publishes it name some files differently.
    """
    there = [file for file in files if (root / file).is_file()]
    if len(there) > 1 and not all(_equal(root / there[0], root / file) for file in there[1:]):
        findings.add(TWO_SPELLINGS, file=there[0], found=", ".join(there), expected="one file, or equal ones")
    return there[0] if there else files[0]


def _equal(one: Path, other: Path) -> bool:
    try:
        return filecmp.cmp(one, other, shallow=False)
    except OSError:
        return False
