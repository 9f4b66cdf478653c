"""What a reader makes of other people's files: prediction rows, and an account in which every answer that was read is found.

Answers read = rows written + answers merged with one that says the same + answers left out, each for a reason that is counted.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import msgspec

from earmark.builders.converting.saying import Said, writable
from earmark.manifests.canonical import Json
from earmark.manifests.errors import Refused
from earmark.manifests.family import Protocol
from earmark.manifests.findings import Code, Findings, Severity, declare
from earmark.manifests.release import Release

NOT_IN_RELEASE = declare(
    "convert.not-in-release", Severity.WARNING, "the release has nothing of the kind; nothing is written for it"
)
NONE_IN_RELEASE = declare("convert.none-in-release", Severity.ERROR, "the release has nothing that the files answer")
REPEATED = declare("convert.repeated", Severity.WARNING, "the files give one answer several times; it is written once")
CONFLICTING = declare(
    "convert.conflicting",
    Severity.ERROR,
    "the files answer one presentation and run in different ways; all are written, and none will count",
)
MOST_NAME = 200
"""Characters of a judge's name that are written."""


class Row(NamedTuple):
    """A prediction row.

    Args:
        presentation: What it is about.
        run: Run, from 0.
        said: What it says.
        place: Where it stands in the file, for people.
    """

    presentation: str
    run: int
    said: Said
    place: str


@dataclass(frozen=True)
class Wanted:
    """What the user settles where the files do not say.

    Args:
        protocol: The protocol that the files answer.
        facet: The facet that they are about.
        judge: Who judged.
    """

    protocol: str | None = None
    facet: str | None = None
    judge: str | None = None


@dataclass
class Account:
    """What was read, and what became of it.

    Args:
        findings: Told of everything that is wrong.
    """

    findings: Findings
    read: int = 0
    rows: list[Row] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def take(self, row: Row) -> None:
        """Count an answer and write it."""
        self.read += 1
        self.rows.append(row)

    def leave(
        self,
        code: Code,
        *,
        count: int = 1,
        file: str,
        row: int | None = None,
        column: str | None = None,
        id: str | None = None,
        found: object = None,
        expected: str | None = None,
    ) -> None:
        """Count answers and leave them out, saying why."""
        self.read += count
        self.left_out[code.name] += count
        self.findings.add(code, file=file, row=row, column=column, id=id, found=found, expected=expected)


@dataclass(frozen=True)
class Conversion:
    """What was made of files, not yet written.

    Args:
        account: The rows, and what became of all else.
        protocol: The protocol that they answer.
        judge: What the files say of who judged, as fields of a header's `judge`.
    """

    account: Account
    protocol: Protocol
    judge: Mapping[str, Json]


@dataclass(frozen=True)
class Written:
    """What was written.

    Args:
        file: Where, its name alone.
        judge: Who judged; None where nobody says.
        protocol: The protocol that it answers.
        read: Answers that were read.
        rows: Rows that were written.
        responses: How many of them hold what was said.
        failed: How many failed.
        abstained: How many abstained.
        repeated: Answers merged with one that says the same.
        left_out: By finding code, answers that were left out.
        owed: Presentations that the protocol owes.
        unanswered: How many of them have no row; they will count as missing.
    """

    file: str
    judge: str | None
    protocol: str
    read: int
    rows: int
    responses: int
    failed: int
    abstained: int
    repeated: int
    left_out: Mapping[str, int]
    owed: int
    unanswered: int

    def as_json(self) -> dict[str, Json]:
        """The same for machines."""
        value: dict[str, Json] = msgspec.to_builtins(self)
        return value


def write_conversion(conversion: Conversion, release: Release, path: Path, file: str) -> Written:
    """Write rows, each presentation's runs in order, whatever order they were read in.

    Args:
        conversion: What was made of the files.
        release: The release that it answers.
        path: The file to write; what stands there is replaced.
        file: Name of the files, for findings.

    Raises:
        Refused: If there is no row.
    """
    account, manifest, protocol = conversion.account, release.manifest, conversion.protocol
    if not account.rows:
        account.findings.add(
            NONE_IN_RELEASE, file=file, found=manifest.name, expected="the release that was judged, and its protocol"
        )
        raise Refused(account.findings)
    rows = _distinct(account, file)
    header: Mapping[str, Json] = {
        "release": f"{manifest.name}@{manifest.version}",
        "content_hash": manifest.content_hash,
        "protocol": protocol.name,
        "judge": {name: said for name, said in conversion.judge.items() if said is not None},
    }
    lines: list[Mapping[str, Json]] = [{"earmark": header}]
    lines += [{"presentation_id": row.presentation, "run": row.run, **row.said.row()} for row in rows]
    written = "".join(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n" for line in lines)
    path.write_text(written, encoding="utf-8", newline="\n")
    owed = next(entry.presentations for entry in manifest.protocols if entry.name == protocol.name)
    judge = conversion.judge.get("name")
    return Written(
        file=path.name,
        judge=judge if isinstance(judge, str) else None,
        protocol=protocol.name,
        read=account.read,
        rows=len(rows),
        responses=sum(row.said.response is not None for row in rows),
        failed=sum(row.said.status == "failed" for row in rows),
        abstained=sum(row.said.status == "abstained" for row in rows),
        repeated=len(account.rows) - len(rows),
        left_out=dict(sorted(account.left_out.items())),
        owed=owed,
        unanswered=owed - len({row.presentation for row in rows}),
    )


def _distinct(account: Account, file: str) -> list[Row]:
    """The rows without those that say again what another says, in an order of their own."""
    spelt = {id(row): json.dumps(row.said.row(), sort_keys=True) for row in account.rows}
    ordered = sorted(account.rows, key=lambda row: (row.presentation, row.run, spelt[id(row)], row.place))
    kept: list[Row] = []
    for row in ordered:
        before = kept[-1] if kept and kept[-1][:2] == row[:2] else None
        if before is not None:
            alike = before.said == row.said
            # Of one file, its name stands before the place already.
            here, there = (entry.place.removeprefix(f"{file} ") for entry in (row, before))
            account.findings.add(
                REPEATED if alike else CONFLICTING,
                file=file,
                column=here,
                id=row.presentation,
                expected=f"as in {there}",
            )
            if alike:
                continue
        kept.append(row)
    return kept


def judge_name(wanted: Wanted, said: object) -> str | None:
    """Who judged: as the user says, else as the file does, if that can be written."""
    if wanted.judge is not None:
        return wanted.judge
    return said[:MOST_NAME] if isinstance(said, str) and said and writable(said) else None
