"""Text files of corpora, line by line: a line that is no UTF-8 costs that line alone, and nothing in it is a quotation."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from earmark.builders.corpora.csv_rows import BOM, WINDOWS_LINE_ENDS
from earmark.manifests.findings import Code, Findings, Severity, declare

MOST_BYTES = 1 << 26
"""Largest file that is read."""

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class LineCodes:
    """What may be wrong with a text file of a corpus.

    Args:
        unreadable: The file cannot be read.
        bad_encoding: A line cannot.
    """

    unreadable: Code
    bad_encoding: Code


def declare_line_codes(corpus: str) -> LineCodes:
    """Declare the codes of one corpus's text files."""
    return LineCodes(
        declare(f"{corpus}.unreadable-file", Severity.ERROR, "the metadata file cannot be read"),
        declare(f"{corpus}.bad-encoding", Severity.ERROR, "the line is not UTF-8; dropped"),
    )


class Line(NamedTuple):
    """A line without its end.

    Attributes:
        row: its number in the file, from 1.
        text: what it says, not blank.
    """

    row: int
    text: str


def read_lines(
    root: Path, file: str, findings: Findings, *, codes: LineCodes, comment: str | None = None
) -> tuple[Line, ...] | None:
    """Read a file.

    Args:
        root: The corpus's folder.
        file: The file, POSIX, relative to it.
        findings: What is wrong is added to them.
        codes: What may be.
        comment: What begins a line that says nothing.

    Returns:
        The lines that say something, in file order; None, and a finding, if the file cannot be read.
    """
    try:
        with (root / file).open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        findings.add(codes.unreadable, file=file, found=error.strerror or type(error).__name__, expected="a text file")
        return None
    if len(data) > MOST_BYTES:
        findings.add(codes.unreadable, file=file, found="a larger one", expected=f"at most {MOST_BYTES} bytes")
        return None
    if data.startswith(_BOM):
        findings.add(BOM, file=file, row=1, expected="UTF-8 without a byte order mark")
        data = data[len(_BOM) :]
    if data[: data.find(b"\n") + 1].endswith(b"\r\n"):
        findings.add(WINDOWS_LINE_ENDS, file=file, row=1, expected="newlines alone")
    lines = []
    for row, raw in enumerate(data.split(b"\n"), start=1):
        try:
            text = raw.decode("utf-8").removesuffix("\r")
        except UnicodeDecodeError as error:
            found = f"byte {raw[error.start]:#04x}"
            findings.add(codes.bad_encoding, file=file, row=row, found=found, expected="UTF-8")
            continue
        if text.strip() and not (comment and text.startswith(comment)):
            lines.append(Line(row, text))
    return tuple(lines)
