"""Text files of Expresso: lines that begin with `#` are passed over, and some files have two names."""

from __future__ import annotations

import filecmp
from collections.abc import Sequence
from pathlib import Path

from earmark.builders.corpora import text_lines
from earmark.builders.corpora.text_lines import Line, declare_line_codes
from earmark.manifests.findings import Findings, Severity, declare

CODES = declare_line_codes("expresso")
TWO_SPELLINGS = declare(
    "expresso.two-spellings", Severity.WARNING, "a metadata file lies under two names and differs; the first is read"
)


def read_lines(root: Path, file: str, findings: Findings) -> tuple[Line, ...] | None:
    """The lines of a file that say something, in file order; None, and a finding, if it cannot be read."""
    return text_lines.read_lines(root, file, findings, codes=CODES, comment="#")


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
