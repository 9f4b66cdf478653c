"""The official splits of Expresso: which recordings, or which windows of long ones, are train, dev and test.

A line is a stem, or `stem<tab>(start,end)` with either bound left empty: `ex01_default_longform_00001<tab>(16.49s,32.98s)`. The
splits share long recordings, of which each has a window; they must not share a second of one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from earmark.builders.corpora.csv_rows import hash_records
from earmark.builders.corpora.expresso.ids import CONVERSATION_FORM, READ_FORM, Stem, parse_stem
from earmark.builders.corpora.expresso.lines import either_spelling, read_lines
from earmark.builders.corpora.text_lines import Line
from earmark.manifests.findings import Code, Findings, Severity, declare

SPLITS = ("train", "dev", "test")

FOLDERS = ("splits", "expresso_splits")
"""Where the files lie: in the archive of the corpus, and in the repository that publishes it."""

BAD_STEM = declare("expresso.bad-stem", Severity.ERROR, "this is no stem of Expresso; dropped")
BAD_WINDOW = declare("expresso.bad-window", Severity.ERROR, "the bounds are no window; dropped")
REPEATED_ENTRY = declare("expresso.repeated-entry", Severity.WARNING, "the split names this twice; merged")
OVERLAP = declare("expresso.overlapping-windows", Severity.ERROR, "windows of one split overlap; all dropped")
TWO_SPLITS = declare("expresso.two-splits", Severity.ERROR, "two splits share audio; dropped from both")

_WINDOW = re.compile(r"\((?:([0-9]{1,6}(?:\.[0-9]{1,6})?)s)?,(?:([0-9]{1,6}(?:\.[0-9]{1,6})?)s)?\)")
_FORM = "(start,end) in seconds with an s, start < end, at most one of them left empty"


class Window(NamedTuple):
    """A part of a recording; both None stands for all of it.

    Attributes:
        start: where it starts, s; None at the first sample.
        end: where it ends, s; None behind the last sample.
    """

    start: Decimal | None = None
    end: Decimal | None = None

    def samples(self, rate: int, frames: int) -> tuple[int, int]:
        """First sample and first behind it, not checked against the recording's length.

        >>> Window(None, Decimal("16.49")).samples(48000, 3000000)
        (0, 791520)
        """
        start = 0 if self.start is None else round(self.start * rate)
        return start, frames if self.end is None else round(self.end * rate)

    @property
    def begins(self) -> Decimal:
        """Where it starts, s, 0 at the first sample."""
        return self.start or Decimal(0)

    def overlaps(self, other: Window) -> bool:
        """Whether they share some of the recording; windows that touch do not."""
        first, second = sorted((self, other), key=lambda window: window.begins)
        return first.end is None or second.begins < first.end


WHOLE = Window()


class Entry(NamedTuple):
    """A line of a split.

    Attributes:
        stem: the recording.
        window: the part of it.
        split: one of `SPLITS`.
        row: the line's number in the file, from 1.
    """

    stem: Stem
    window: Window
    split: str
    row: int


class NoEntry(ValueError):
    """A line that is no entry: the code of the finding, what was found and what would be right."""

    def __init__(self, code: Code, found: str, expected: str) -> None:
        super().__init__(f"{code.means}: {found}")
        self.code, self.found, self.expected = code, found, expected


@dataclass(frozen=True)
class Splits:
    """The splits of a corpus.

    Args:
        entries: What can be used of all that could be read, by stem and start.
        named: Every stem that some split names, usable or not.
        read: The splits that could be read.
        metadata: Hash of what each file says, whatever order its lines stand in, by its path.
    """

    entries: tuple[Entry, ...]
    named: frozenset[str]
    read: frozenset[str]
    metadata: dict[str, str]


def parse_entry(text: str, split: str, row: int) -> Entry:
    """The entry that a line of a split spells.

    Raises:
        NoEntry: If it is none.
    """
    name, tab, bounds = text.rstrip().partition("\t")
    try:
        stem = parse_stem(name)
    except ValueError:
        raise NoEntry(BAD_STEM, name, f"{READ_FORM} or {CONVERSATION_FORM}") from None
    if not tab:
        return Entry(stem, WHOLE, split, row)
    match = _WINDOW.fullmatch(bounds)
    if match is not None:
        window = Window(*(None if bound is None else Decimal(bound) for bound in match.groups()))
        if window != WHOLE and (window.end is None or window.begins < window.end):
            return Entry(stem, window, split, row)
    raise NoEntry(BAD_WINDOW, bounds, _FORM)


def parse_split(lines: Sequence[Line], split: str, file: str, findings: Findings) -> tuple[Entry, ...]:
    """The entries of one split in file order, what is said twice said once; the rest are findings."""
    first: dict[tuple[Stem, Window], Entry] = {}
    for row, text in lines:
        try:
            entry = parse_entry(text, split, row)
        except NoEntry as wrong:
            findings.add(wrong.code, file=file, row=row, found=wrong.found, expected=wrong.expected)
            continue
        earlier = first.setdefault((entry.stem, entry.window), entry)
        if earlier is not entry:
            findings.add(REPEATED_ENTRY, file=file, row=row, id=str(entry.stem), found=f"the same as row {earlier.row}")
    return tuple(first.values())


def drop_shared(entries: Sequence[Entry], files: dict[str, str], findings: Findings) -> tuple[Entry, ...]:
    """The entries that share no second with another one, by stem and start.

    Args:
        entries: Entries of one or more splits.
        files: The file of each split.
        findings: What is dropped is added to them.
    """
    by_stem: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        by_stem[str(entry.stem)].append(entry)
    kept: list[Entry] = []
    for name in sorted(by_stem):
        members = sorted(by_stem[name], key=lambda entry: (entry.window.begins, SPLITS.index(entry.split)))
        rivals: dict[Entry, list[Entry]] = defaultdict(list)
        for one, other in combinations(members, 2):
            if one.window.overlaps(other.window):
                rivals[one].append(other)
                rivals[other].append(one)
        for entry in members:
            others = rivals[entry]
            if not others:
                kept.append(entry)
                continue
            code = TWO_SPLITS if any(other.split != entry.split for other in others) else OVERLAP
            found = ", ".join(f"{files[other.split]}:{other.row}" for other in others)
            findings.add(code, file=files[entry.split], row=entry.row, id=name, found=f"also {found}")
    return tuple(kept)


def read_splits(root: Path, findings: Findings) -> Splits:
    """Read all splits, since what one names must not stand in another.

    Args:
        root: The corpus's folder, in which `splits/` or `expresso_splits/` lies.
        findings: What is wrong is added to them; a split that cannot be read is a finding and absent from the result.
    """
    entries: list[Entry] = []
    metadata: dict[str, str] = {}
    files: dict[str, str] = {}
    for split in SPLITS:
        files[split] = file = either_spelling(root, [f"{folder}/{split}.txt" for folder in FOLDERS], findings)
        lines = read_lines(root, file, findings)
        if lines is not None:
            entries += (found := parse_split(lines, split, file, findings))
            metadata[file] = hash_records(
                [str(entry.stem), *(None if bound is None else str(bound) for bound in entry.window)] for entry in found
            )
    return Splits(
        drop_shared(entries, files, findings),
        frozenset(str(entry.stem) for entry in entries),
        frozenset(split for split in SPLITS if files[split] in metadata),
        metadata,
    )
