"""A result sheet: the rows of a CSV, by column, each side of a conversation by itself."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from earmark.builders.converting.conversion import Account
from earmark.builders.converting.reading import MOST_BYTES, read_text
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings, Severity, declare

NOT_A_SHEET = declare("convert.not-a-sheet", Severity.ERROR, "the file is no result sheet of StanceBench's")
BAD_ROW = declare("convert.bad-row", Severity.ERROR, "a row has not one cell a column; it is left out")

IDS = ("a_id", "b_id")
SAID = ("evidence_a", "avg_score_a", "evidence_b", "avg_score_b")
"""Columns without which there is nothing to convert; roles and notes of failures may be absent."""


class Side(NamedTuple):
    """What a row says of one of its two speakers.

    Attributes:
        row: Line at which the row begins, from 1.
        label: A or B.
        file_id: The speaker's recording.
        partner: The other one's.
        role: The role that the speaker was asked to play; "" where the sheet does not say.
        evidence: Items that were judged, JSON.
        average: Mean score in [−2, 2].
        failures: Items that were not, JSON.
    """

    row: int
    label: str
    file_id: str
    partner: str
    role: str
    evidence: str
    average: str
    failures: str

    @property
    def silent(self) -> bool:
        """Whether nothing is said of the speaker, who was not judged or had no clip."""
        return not any(cell.strip() for cell in (self.evidence, self.failures)) and not self.scored

    @property
    def scored(self) -> bool:
        """Whether there is an average."""
        return self.average.strip().lower() not in ("", "nan")


def read_sheet(path: Path, account: Account) -> Iterator[Side]:
    """Both sides of every row.

    Args:
        path: The sheet.
        account: Told of rows that cannot be read.

    Raises:
        Refused: If the file is no sheet.
    """
    file, findings = path.name, account.findings
    text = read_text(path, findings)
    with _large_fields():
        records = csv.reader(io.StringIO(text, newline=""), strict=True)
        try:
            header = next(records, [])
            _require_columns(header, file, findings)
            while True:
                begins = records.line_num + 1
                cells = next(records, None)
                if cells is None:
                    return
                if not cells:
                    continue
                if len(cells) != len(header):
                    account.leave(BAD_ROW, file=file, row=begins, found=len(cells), expected=f"{len(header)} cells")
                    continue
                row = dict(zip(header, cells, strict=True))
                yield from (_side(row, begins, *labels) for labels in (("A", "a", "b"), ("B", "b", "a")))
        except csv.Error as error:
            # What follows a broken quotation would be read into the wrong cells, so that nothing of the file can be trusted.
            findings.add(NOT_A_SHEET, file=file, row=records.line_num, found=error, expected="CSV, quotes closed")
            raise Refused(findings) from None


def _side(row: dict[str, str], begins: int, label: str, own: str, other: str) -> Side:
    return Side(
        row=begins,
        label=label,
        file_id=row[f"{own}_id"].strip(),
        partner=row[f"{other}_id"].strip(),
        role=row.get(f"role_{own}", "").strip(),
        evidence=row[f"evidence_{own}"],
        average=row[f"avg_score_{own}"],
        failures=row.get(f"fail_note_{own}", ""),
    )


def _require_columns(header: list[str], file: str, findings: Findings) -> None:
    wrong = [name for name in (*IDS, *SAID) if header.count(name) != 1]
    if wrong or len(set(header)) != len(header):
        findings.add(
            NOT_A_SHEET,
            file=file,
            row=1,
            found=", ".join(header[:40]),
            expected=f"the columns {', '.join((*IDS, *SAID))}, each column once",
        )
        raise Refused(findings)


@contextmanager
def _large_fields() -> Iterator[None]:
    """Let a cell be as long as the file: a speaker's evidence is one cell, and may be longer than the csv module takes."""
    before = csv.field_size_limit(MOST_BYTES)
    try:
        yield
    finally:
        csv.field_size_limit(before)
