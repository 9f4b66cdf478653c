"""What is asked to be withdrawn: a file of ids, one a line, and a reason that everybody will read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.revisions.withdrawn import MOST_REASON

UNREADABLE = declare("withdraw.unreadable", Severity.ERROR, "the file of ids cannot be read")
NOTHING = declare("withdraw.nothing", Severity.ERROR, "the file names nothing")
REASON = declare("withdraw.reason", Severity.ERROR, "the reason cannot be published as it is")

MOST_BYTES = 1 << 24
"""Largest file of ids that is read."""

_WORDS = re.compile(r"\w(?:[\w.-]*\w)?")

MOST_LINE = 4096
"""Longest line, in characters: that of a path."""


class Wish(NamedTuple):
    """A line of the file.

    Args:
        line: Where it stands, from 1.
        text: What it names.
    """

    line: int
    text: str


def read_wishes(file: Path, findings: Findings) -> list[Wish]:
    """What a file names, in its order; empty lines and lines that begin with # are none.

    Args:
        file: UTF-8 text.
        findings: Where problems go.

    Raises:
        EarmarkError: If it is no file.
    """
    if not file.is_file():
        raise EarmarkError(f"cannot read {file}: it is {'no file' if file.exists() else 'not there'}")
    with file.open("rb") as stream:
        data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        findings.add(UNREADABLE, file=file.name, found=f"more than {MOST_BYTES} bytes", expected="fewer")
        return []
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        findings.add(UNREADABLE, file=file.name, row=line, found=error.reason, expected="UTF-8")
        return []
    wishes = []
    for number, row in enumerate(text.split("\n"), 1):
        said = row.strip()
        if len(said) > MOST_LINE or "\0" in said:
            found = f"{len(said)} characters" if len(said) > MOST_LINE else "a NUL character"
            findings.add(UNREADABLE, file=file.name, row=number, found=found, expected=f"at most {MOST_LINE} of text")
        elif said and not said.startswith("#"):
            wishes.append(Wish(number, said))
    if not wishes and not findings.failed:
        findings.add(NOTHING, file=file.name, expected="an id a line")
    return wishes


def check_reason(reason: str, secrets: frozenset[str], findings: Findings) -> str:
    """A reason as it is published: one line, and nothing in it that only the private side may say.

    Args:
        reason: As it was given.
        secrets: Names of speakers, paths and the like.
        findings: Where problems go.
    """
    said = " ".join(reason.split())
    if not said or len(said) > MOST_REASON or not said.isprintable():
        found = "nothing" if not said else f"{len(said)} characters" if len(said) > MOST_REASON else repr(said[:80])
        findings.add(REASON, found=found, expected=f"a sentence of at most {MOST_REASON} characters")
    words = {said, *said.split(), *(word.strip(".,;:!?()[]{}'\"") for word in said.split()), *_WORDS.findall(said)}
    for told in sorted(words & secrets):
        findings.add(REASON, found=told, expected="no name of a speaker, conversation, prompt or path: it is published")
    return said
