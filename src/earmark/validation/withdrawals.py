"""Invariants of a later version: the list of what was withdrawn is the manifest's, and nothing of it stands in the tables."""

from __future__ import annotations

from itertools import pairwise

from earmark.manifests.copies.published import WITHDRAWN
from earmark.manifests.errors import EarmarkError, ReleaseError
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.release import MANIFEST
from earmark.manifests.revisions.versions import Version
from earmark.manifests.revisions.withdrawn import Withdrawn, read_withdrawn, withdrawn_file
from earmark.validation.contents import Contents, Invariant
from earmark.validation.schemas import distinct

LISTED = declare("release.withdrawn", Severity.ERROR, "the list of what was withdrawn does not fit the release")
LESS_BALANCED = declare(
    "withdrawn.less-balanced",
    Severity.WARNING,
    "what was withdrawn leaves items less balanced than they were chosen to be",
)

_FILE = f"public/{WITHDRAWN}"


def _withdrawn_is_gone(contents: Contents, findings: Findings) -> None:
    release = contents.release
    if release.manifest.withdrawn is None:
        if withdrawn_file(release).exists():
            findings.add(LISTED, file=_FILE, found="a list", expected="none, as the manifest names none")
        return
    try:
        listed = read_withdrawn(release)
    except ReleaseError as error:
        findings.add(LISTED, file=_FILE, found=error, expected="the list that the manifest names")
        return
    tombs = listed.withdrawn
    for table, column, ids in (
        ("items", "item_id", {tomb.item for tomb in tombs}),
        ("presentations", "presentation_id", {id for tomb in tombs for id in tomb.presentations}),
        ("clips", "clip_id", {id for tomb in tombs for id in tomb.clips}),
    ):
        for id in sorted(map(str, distinct(contents.tables[table][column]) & ids)):
            findings.add(LISTED, file=f"{table}.parquet", id=id, found="withdrawn", expected="not in the release")
    if len({tomb.item for tomb in tombs}) < len(tombs):
        findings.add(LISTED, file=_FILE, found="an item twice", expected="each once")
    _versions_are_earlier(release.manifest.version, listed, findings)


def _versions_are_earlier(version: str, listed: Withdrawn, findings: Findings) -> None:
    """Whether predecessors stand in their order before this version, and every item was in one of them."""
    spelt = [entry.version for entry in listed.predecessors]
    try:
        order = [Version.of(text) for text in (*spelt, version)]
    except EarmarkError as error:
        findings.add(LISTED, file=_FILE, found=error, expected="versions MAJOR.MINOR.PATCH")
        return
    if any(later <= earlier for earlier, later in pairwise(order)):
        findings.add(LISTED, file=_FILE, found=", ".join(spelt), expected=f"earlier versions than {version}, in order")
    for lost in sorted({tomb.version for tomb in listed.withdrawn} - set(spelt)):
        findings.add(LISTED, file=_FILE, found=lost, expected=f"one of the predecessors of {MANIFEST}")


WITHDRAWALS = Invariant("withdrawn", "What was withdrawn is listed, and nowhere else.", False, _withdrawn_is_gone)
