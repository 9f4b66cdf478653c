"""Findings for people: each kind once, with the places under it, the gravest first."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING

from earmark.manifests.findings import Severity
from earmark.pages.shown import shown

if TYPE_CHECKING:
    from earmark.manifests.findings import Finding, Findings

MOST_ERRORS, MOST_OTHERS = 10, 3
"""How many places of one kind are named; JSON has more of them."""

_LONGEST = 400
_UNNAMED = "    … and "


def findings_text(findings: Findings, *, about: str = "", most: int | None = None, more: str | None = None) -> str:
    """Findings by kind, gravest first, and how many there are.

    Args:
        findings: What was found.
        about: What was looked at.
        most: How many places of each kind are named; by default few.
        more: The option that names more, said where some are not named.

    Returns:
        A line for each kind and, where it has several places, a line for each of the first; what is not shown is counted.
    """
    lines: list[str] = []
    unnamed = 0
    for code, found in groupby(findings, key=lambda finding: finding.code):
        kind = list(_kind(list(found), findings.counts[code.name], most))
        unnamed += kind[-1].startswith(_UNNAMED)
        lines += kind
    summary = f"{findings.summary()}; {more} names more places" if unnamed and more else findings.summary()
    # A stranger chose the file's name, which may hold line ends and look like a line of ours.
    return "\n".join([*lines, f"{shown(about, _LONGEST)}: {summary}" if about else summary])


def _kind(found: list[Finding], count: int, asked: int | None) -> Iterable[str]:
    code = found[0].code
    if count == 1:
        yield shown(found[0].text(), _LONGEST)
        return
    most = asked or (MOST_ERRORS if code.severity is Severity.ERROR else MOST_OTHERS)
    named = (
        found if len(found) == count == most + 1 else found[:most]
    )  # no line that says "1 more" where it could be said
    yield f"{code.severity} {code.name}, {count} times: {code.means}"
    for finding in named:
        yield f"    {shown(finding.detail(), _LONGEST)}"
    if count > len(named):
        yield f"{_UNNAMED}{count - len(named)} more of {code.name}"
