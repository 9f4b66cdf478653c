"""Transcripts of Expresso, `read_transcriptions.txt`: one `stem<tab>text` a line, emphasis written `*word*`, sounds `<laugh>`.

Where a stem stands twice with one text, that text holds; with two texts nothing says which of them is right, and neither does.
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from earmark.builders.corpora.csv_rows import hash_records
from earmark.builders.corpora.expresso.ids import ReadStem, parse_stem
from earmark.builders.corpora.expresso.lines import read_lines
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.text import normalise_text

TRANSCRIPTS = "read_transcriptions.txt"
"""The file; also what the rows name as the source of their text."""

BAD_LINE = declare("expresso.bad-transcript-line", Severity.ERROR, "the line is no stem, tab and text; dropped")
REPEATED = declare("expresso.repeated-transcript", Severity.WARNING, "the stem has its text twice; merged")
CONFLICTING = declare("expresso.conflicting-transcript", Severity.ERROR, "the stem has unequal texts; read without one")
BAD_MARK = declare(
    "expresso.bad-mark",
    Severity.ERROR,
    "asterisks do not pair up around words, so that nobody can tell what is emphasised; read without text",
)
TAG = declare("expresso.tag", Severity.NOTE, "the text holds a sound in angle brackets; it counts as no word")

_TAG = re.compile(r"<[^<>]*>")


class Transcripts(NamedTuple):
    """The transcripts of a corpus.

    Attributes:
        texts: text by stem, as the corpus has it; None where it has none that holds.
        hash: `sha256:` and the hash of what the file says, whatever order its lines stand in.
    """

    texts: dict[str, str | None]
    hash: str


def marked(text: str) -> list[str]:
    """What is marked in a text, each word or phrase normalised, in order.

    Raises:
        ValueError: If the asterisks do not pair up, or a pair has no word in it.

    >>> marked("She never *said* it, *right now*!")
    ['said', 'right now']
    """
    parts = text.split("*")
    if len(parts) % 2 == 0:
        raise ValueError("an odd number of asterisks")
    phrases = [normalise_text(part) for part in parts[1::2]]
    if not all(phrases):
        raise ValueError("a pair of asterisks without a word in it")
    return phrases


def read_transcripts(root: Path, findings: Findings) -> Transcripts | None:
    """Read the transcripts.

    Args:
        root: The corpus's folder.
        findings: What is wrong is added to them.

    Returns:
        Every stem of the file; None if there is no such file.
    """
    lines = read_lines(root, TRANSCRIPTS, findings)
    if lines is None:
        return None
    rows: dict[str, dict[str, int]] = defaultdict(dict)
    for row, line in lines:
        stem, tab, said = line.partition("\t")
        text = said.strip()
        if not tab or not text or "\t" in text or not _is_read(stem):
            findings.add(BAD_LINE, file=TRANSCRIPTS, row=row, found=line, expected="a stem, a tab and a text")
        elif text in rows[stem]:
            findings.add(REPEATED, file=TRANSCRIPTS, row=row, id=stem, found=f"the same as row {rows[stem][text]}")
        else:
            rows[stem][text] = row
    texts = {stem: _text(stem, rows[stem], findings) for stem in sorted(rows)}
    return Transcripts(texts, hash_records([stem, text] for stem, found in rows.items() for text in found))


def _text(stem: str, rows: dict[str, int], findings: Findings) -> str | None:
    if len(rows) > 1:
        for row in rows.values():
            findings.add(
                CONFLICTING,
                file=TRANSCRIPTS,
                row=row,
                id=stem,
                found=f"rows {', '.join(map(str, sorted(rows.values())))}",
                expected="one text",
            )
        return None
    ((text, row),) = rows.items()
    if tags := _TAG.findall(text):
        findings.add(TAG, file=TRANSCRIPTS, row=row, id=stem, found=" ".join(tags))
    try:
        marked(text)
    except ValueError as error:
        findings.add(BAD_MARK, file=TRANSCRIPTS, row=row, id=stem, found=f"{error} in {text}", expected="*word*")
        return None
    return text


def _is_read(stem: str) -> bool:
    try:
        return isinstance(parse_stem(stem), ReadStem)
    except ValueError:
        return False
