"""Who reads in LibriTTS: `SPEAKERS.txt`, or `speakers.tsv` where that is absent.

`SPEAKERS.txt` has `;` comments and `14   | F | train-clean-360  | 25.03 | name` lines, some copies without the padding; one name
is itself `|CBW|Simon`. The header of `speakers.tsv` has three fields (`READER`, `GENDER`, `SUBSET NAME`) over rows of four, some
of which lack the name: read by its header, every column would be another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from earmark.builders.corpora.csv_rows import hash_records
from earmark.builders.corpora.libritts.lines import read_lines
from earmark.manifests.findings import Findings, Severity, declare

SPEAKERS, SPEAKERS_TSV = "SPEAKERS.txt", "speakers.tsv"

NO_SPEAKERS = declare("libritts.no-speakers", Severity.ERROR, "nothing says what sex a reader is; all are kept without")
NO_SPEAKERS_TXT = declare("libritts.no-speakers-txt", Severity.WARNING, "SPEAKERS.txt is absent; speakers.tsv is read")
BAD_SPEAKER = declare("libritts.bad-speaker", Severity.ERROR, "the line describes no reader; dropped")
REPEATED_READER = declare("libritts.repeated-reader", Severity.WARNING, "the reader stands in the table twice; merged")
READER_DISAGREES = declare(
    "libritts.reader-disagrees", Severity.ERROR, "the table gives the reader two sexes; kept without"
)

_SEX = {"F": "female", "M": "male"}


class Reader(NamedTuple):
    """A line of either table.

    Attributes:
        id: digits.
        sex: "female" or "male"; None where the table contradicts itself.
        subset: the subset that the table puts the reader in.
        name: None where there is none.
    """

    id: str
    sex: str | None
    subset: str
    name: str | None


class Readers(NamedTuple):
    """A table of readers.

    Attributes:
        by_id: each reader once.
        metadata: hash of what the table says of ids and sexes, whatever the order, by its path; empty without a table.
    """

    by_id: Mapping[str, Reader]
    metadata: Mapping[str, str]


def parse_speakers_line(line: str) -> Reader | None:
    """A line of `SPEAKERS.txt`; None for a comment.

    Raises:
        ValueError: If it describes no reader.

    >>> parse_speakers_line("60   | M | train-clean-100  | 20.18 | |CBW|Simon")
    Reader(id='60', sex='male', subset='train-clean-100', name='|CBW|Simon')
    >>> parse_speakers_line("121|F|test-clean|8.01|")
    Reader(id='121', sex='female', subset='test-clean', name=None)
    """
    if line.lstrip().startswith(";"):
        return None
    fields = [field.strip() for field in line.split("|", 4)]
    if len(fields) < 4:
        raise ValueError(f"{len(fields)} fields")
    return _reader(fields[0], fields[1], fields[2], fields[4] if len(fields) > 4 else "")


def parse_tsv_line(line: str) -> Reader | None:
    r"""A line of `speakers.tsv`; None for the header.

    Raises:
        ValueError: If it describes no reader.

    >>> parse_tsv_line("READER\tGENDER\tSUBSET NAME")
    >>> parse_tsv_line("121\tF\ttest-clean")
    Reader(id='121', sex='female', subset='test-clean', name=None)
    """
    fields = [field.strip() for field in line.split("\t", 3)]
    if fields[0] == "READER":
        return None
    if len(fields) < 3:
        raise ValueError(f"{len(fields)} fields")
    return _reader(fields[0], fields[1], fields[2], fields[3] if len(fields) > 3 else "")


def _reader(id: str, sex: str, subset: str, name: str) -> Reader:
    if not (id.isascii() and id.isdecimal()):
        raise ValueError(f"the id {id!r}")
    if sex not in _SEX:
        raise ValueError(f"the sex {sex!r}")
    return Reader(id, _SEX[sex], subset, name or None)


def read_readers(root: Path, findings: Findings) -> Readers:
    """Read the table of readers.

    Args:
        root: The corpus's folder.
        findings: What is wrong is added to them.
    """
    tables: tuple[tuple[str, Callable[[str], Reader | None], str], ...] = (
        (SPEAKERS, parse_speakers_line, "id | F or M | subset | minutes | name"),
        (SPEAKERS_TSV, parse_tsv_line, "id, F or M, subset and name, tabs between them"),
    )
    there = [table for table in tables if (root / table[0]).is_file()]
    if not there:
        findings.add(NO_SPEAKERS, file=SPEAKERS, expected=f"{SPEAKERS} or {SPEAKERS_TSV}")
        return Readers({}, {})
    if there[0][0] != SPEAKERS:
        findings.add(NO_SPEAKERS_TXT, file=SPEAKERS)
    file, parse, expected = there[0]
    by_id: dict[str, Reader] = {}
    rows: dict[str, int] = {}
    told: list[list[str | None]] = []
    for row, text in read_lines(root, file, findings) or ():
        try:
            reader = parse(text)
        except ValueError as error:
            findings.add(BAD_SPEAKER, file=file, row=row, found=error, expected=expected)
            continue
        if reader is None:
            continue
        told.append([reader.id, reader.sex])
        earlier = by_id.setdefault(reader.id, reader)
        first = rows.setdefault(reader.id, row)
        if first != row:
            code = REPEATED_READER if earlier.sex == reader.sex else READER_DISAGREES
            findings.add(code, file=file, row=row, id=reader.id, found=f"also row {first}", expected="one row")
            if code is READER_DISAGREES:
                by_id[reader.id] = earlier._replace(sex=None)
    return Readers(by_id, {file: hash_records(told)})
