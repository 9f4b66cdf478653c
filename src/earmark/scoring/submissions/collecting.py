"""What is gathered while a submission is read: columns of good rows, the places of bad ones, and findings."""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from earmark.manifests.canonical import Json
from earmark.manifests.findings import Code, Findings, Severity, declare
from earmark.scoring.submissions.columns import COLUMNS, block, row_table, structure
from earmark.scoring.submissions.rows import Problem, Row, Rules

TOO_MANY_ROWS = declare("submission.too-many-rows", Severity.ERROR, "the file has more rows than are read")
TOO_LARGE = declare("submission.too-large", Severity.ERROR, "the file is larger than what is read")
LINE_TOO_LONG = declare("submission.line-too-long", Severity.ERROR, "a line or record is longer than what is read")
BLANK_LINE = declare("submission.blank-line", Severity.WARNING, "a blank line stands between rows")
BOM = declare("submission.bom", Severity.WARNING, "the file begins with a byte order mark")
MIXED_LINE_ENDS = declare(
    "submission.mixed-line-ends", Severity.WARNING, "lines do not all end alike, or a carriage return stands alone"
)
NOT_UTF8 = declare("submission.not-utf8", Severity.ERROR, "the text is not UTF-8")
UNREADABLE = declare("submission.unreadable", Severity.ERROR, "the file cannot be read")

_MOST_UNNAMED = 1 << 14
BOM_BYTES = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that could not be used.

    Args:
        line: Where it stands, from 1.
        presentation_id: What it is about; None where that could not be read.
        run: Run, 0 where that could not be read.
        code: The first thing that is wrong with it.
        reason: The same in words.
    """

    line: int
    presentation_id: str | None
    run: int
    code: str
    reason: str


@dataclass
class Collector:
    """Takes rows from a reader, as fast as they allow.

    Args:
        name: Name of the file in findings.
        rules: What rows may say.
        findings: Where problems go.
        tables: Good rows.
        bad: Places of bad ones: all that name a presentation, and some that name none.
        rows: How many there are of both.
        cut: Whether what is read ends before the file does, so that its last line is none.
        stopped: The first line that was not read, where reading stopped before the end.
    """

    name: str
    rules: Rules
    findings: Findings
    tables: list[pa.Table] = field(default_factory=list)
    bad: list[BadRow] = field(default_factory=list)
    rows: int = 0
    cut: bool = False
    stopped: int | None = None
    _pending: list[Row] = field(default_factory=list)
    _unnamed: int = 0
    _reasons: dict[tuple[Code, str | None], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.structure = structure(self.rules)

    def full(self, line: int) -> bool:
        """Whether no further row is taken; says so."""
        if self.rows < self.rules.limits.rows:
            return False
        self.add(TOO_MANY_ROWS, row=line, expected=f"at most {self.rules.limits.rows} rows")
        self.stopped = line
        return True

    def room(self) -> int:
        """How many rows more are taken."""
        return self.rules.limits.rows - self.rows

    def add(
        self,
        code: Code,
        *,
        row: int | None = None,
        character: int | None = None,
        found: object = None,
        expected: str | None = None,
    ) -> None:
        """Record a finding about the file."""
        self.findings.add(code, file=self.name, row=row, character=character, found=found, expected=expected)

    def take_table(self, table: pa.Table) -> None:
        """Take good rows."""
        self.flush()
        self.tables.append(table)
        self.rows += table.num_rows

    def take_values(self, values: Sequence[dict[str, Json]], lines: Sequence[int]) -> None:
        """Take rows of a table format: as a block if they are all good, else one by one."""
        if not values:
            return
        try:
            structures = msgspec.convert(values, list[self.structure])  # type: ignore[name-defined]  # made at run time
        except (msgspec.ValidationError, OverflowError):
            good = None
        else:
            good = block(self.rules, structures, pa.array(lines, pa.int64()))
        if good is not None and good.sound.all() and not _holds_nul(good.table):
            self.take_table(good.table)
            return
        known: dict[bytes, tuple[list[Problem], str | None, int]] = {}
        for value, line in zip(values, lines, strict=True):
            key = marshal.dumps(value, 2)  # for bytes that are equal only where values are, types and all
            if (refused := known.get(key)) is None:
                checked = self.rules.check(value, line)
                if isinstance(checked, Row):
                    self.take_row(checked)
                    continue
                refused = known[key] = checked, *self.rules.identify(value)
            self.refuse(line, *refused)

    def take_row(self, row: Row) -> None:
        """Take one good row."""
        self._pending.append(row)
        self.rows += 1

    def refuse(self, line: int, problems: Sequence[Problem], id: str | None, run: int) -> None:
        """Say what is wrong with a row and keep its place."""
        for problem in problems:
            code = problem.code
            if not self.findings.keeps(code, self.name, line):
                self.findings.count_more(code, problem.times)
                continue
            self.findings.add(
                code,
                file=self.name,
                row=line,
                character=problem.character,
                column=problem.column,
                id=id,
                found=problem.found,
                expected=problem.right(),
            )
            self.findings.count_more(code, problem.times - 1)
        self.rows += 1
        if id is None:
            self._unnamed += 1
            if self._unnamed > _MOST_UNNAMED:
                return  # which counts against no presentation, and there may be ten million
        code, column = problems[0].code, problems[0].column
        self.bad.append(BadRow(line, id, run, code.name, self._reason(code, column)))

    def _reason(self, code: Code, column: str | None) -> str:
        """What is wrong, in words that millions of rows share."""
        if column is not None and column not in self.rules.fields:
            return f"{code.means} ({column})"  # a stranger's words, which may all be different
        reason = self._reasons.get((code, column))
        if reason is None:
            reason = self._reasons[code, column] = f"{code.means} ({column})" if column else code.means
        return reason

    def flush(self) -> None:
        """Make columns of the rows that came one by one."""
        if self._pending:
            self.tables.append(row_table(self._pending))
            self._pending.clear()

    def table(self) -> pa.Table:
        """All good rows, in the order of the file."""
        self.flush()
        table = pa.concat_tables([COLUMNS.empty_table(), *self.tables])
        in_order = (np.diff(table["line"].to_numpy()) > 0).all()
        return table if in_order else table.sort_by("line")

    def bad_rows(self) -> tuple[BadRow, ...]:
        """All bad rows, in the order of the file."""
        return tuple(sorted(self.bad, key=lambda bad: bad.line))


def count_byte(data: bytes, byte: bytes) -> int:
    """How often one byte stands in a block, at twenty times the speed of `bytes.count`."""
    return int(np.count_nonzero(np.frombuffer(data, np.uint8) == byte[0]))


def _holds_nul(table: pa.Table) -> bool:
    """Whether a text holds U+0000, which a structure takes and the rules do not."""
    texts = [table["presentation_id"], table["response"], pc.list_flatten(table["evidence"])]
    return any(pc.any(pc.match_substring(column, "\0")).as_py() for column in texts)
