"""The tables of one chapter: `trans.tsv` has the words of what was kept, `book.tsv` says of every sentence whether it was."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, TypeVar

from earmark.builders.corpora.libritts.ids import FORM, UtteranceId
from earmark.builders.corpora.libritts.lines import read_lines
from earmark.manifests.findings import Findings, Severity, declare

NO_TRANS = declare("libritts.no-trans", Severity.WARNING, "the chapter has no trans.tsv; texts are read file by file")
BAD_LINE = declare("libritts.bad-line", Severity.ERROR, "the line is not as those of its table are; dropped")
REPEATED_LINE = declare("libritts.repeated-line", Severity.WARNING, "the table has the utterance twice; merged")
LINES_DISAGREE = declare(
    "libritts.lines-disagree", Severity.ERROR, "the table says two things of the utterance; neither is taken"
)

TRANS, BOOK = "trans.tsv", "book.tsv"

_TRUTH = {"true": True, "false": False}


class Said(NamedTuple):
    """A line of `trans.tsv`.

    Attributes:
        id: the utterance.
        original: its words as printed.
        normalized: its words as read, numbers in words.
    """

    id: UtteranceId
    original: str
    normalized: str


class Judged(NamedTuple):
    """A line of `book.tsv`, as far as it matters here.

    Attributes:
        id: the utterance.
        kept: whether text and audio could be aligned, so that the utterance is in the corpus.
    """

    id: UtteranceId
    kept: bool


class Chapter(NamedTuple):
    """What the tables say.

    Attributes:
        texts: normalised text by id.
        excluded: ids that `book.tsv` says are not in the corpus.
        has_trans: whether there is a `trans.tsv`.
    """

    texts: Mapping[str, str]
    excluded: frozenset[str]
    has_trans: bool


L = TypeVar("L", Said, Judged)


def parse_trans_line(line: str) -> Said:
    r"""A line of `trans.tsv`: id, original and normalised text.

    Raises:
        ValueError: If it is none.

    >>> parse_trans_line("61_70968_000000_000000\tHe was 30.\tHe was thirty.").normalized
    'He was thirty.'
    """
    fields = line.split("\t")
    if len(fields) != 3:
        raise ValueError(f"{len(fields)} fields")
    return Said(UtteranceId.parse(fields[0]), fields[1].strip(), fields[2].strip())


def parse_book_line(line: str) -> Judged:
    r"""A line of `book.tsv`: id, original and normalised text, true or false, and figures.

    Raises:
        ValueError: If it is none.

    >>> parse_book_line("61_70968_000000_000000\tA.\tA.\ttrue\t1.95\t4.18\t24.15").kept
    True
    """
    fields = line.split("\t")
    if len(fields) < 4:
        raise ValueError(f"{len(fields)} fields")
    if fields[3] not in _TRUTH:
        raise ValueError(f"{fields[3]!r} for true or false")
    return Judged(UtteranceId.parse(fields[0]), _TRUTH[fields[3]])


def read_chapter(root: Path, folder: str, session: str, findings: Findings) -> Chapter:
    """Read both tables of a chapter.

    Args:
        root: The corpus's folder.
        folder: The chapter's folder, POSIX, relative to it.
        session: `<reader>_<chapter>`, with which every id of the tables must begin.
        findings: What is wrong is added to them; an absent `book.tsv` is nothing wrong, since mirrors have none.
    """
    trans, book = f"{folder}/{session}.{TRANS}", f"{folder}/{session}.{BOOK}"
    texts: dict[str, tuple[int, str]] = {}
    wrong: set[str] = set()
    has_trans = (root / trans).is_file()
    if not has_trans:
        findings.add(NO_TRANS, file=trans)
    for row, line in (read_lines(root, trans, findings) if has_trans else None) or ():
        try:
            said = _of_session(parse_trans_line(line), session)
        except ValueError as error:
            findings.add(
                BAD_LINE, file=trans, row=row, found=error, expected=f"{FORM} and two texts, tabs between them"
            )
            continue
        id = str(said.id)
        first, text = texts.setdefault(id, (row, said.normalized))
        if first != row:
            code = REPEATED_LINE if text == said.normalized else LINES_DISAGREE
            findings.add(code, file=trans, row=row, id=id, found=f"also row {first}", expected="one row")
            if code is LINES_DISAGREE:
                wrong.add(id)
    excluded: set[str] = set()
    for row, line in (read_lines(root, book, findings) if (root / book).is_file() else None) or ():
        try:
            judged = _of_session(parse_book_line(line), session)
        except ValueError as error:
            findings.add(BAD_LINE, file=book, row=row, found=error, expected=f"{FORM}, two texts, true or false, …")
            continue
        if not judged.kept:
            excluded.add(str(judged.id))
    return Chapter({id: text for id, (_, text) in texts.items() if id not in wrong}, frozenset(excluded), has_trans)


def _of_session(entry: L, session: str) -> L:
    if entry.id.session != session:
        raise ValueError(f"an utterance of {entry.id.session}")
    return entry
