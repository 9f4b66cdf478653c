"""Grounds: what two reports must have in common for their figures to mean the same, and what the others of a ground say too.

Where the answers, the scorer, the level or a norm differ, a figure of one says nothing beside a figure of the other, however
alike they look. The protocol and what stood for a clip keep tables apart too, but are no fault: one release has several.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from earmark.manifests import registry
from earmark.manifests.canonical import Json, canonical_json
from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.leaderboard import UNDECLARED
from earmark.manifests.report import ALL, OVERALL, Report

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.scoring.leaderboard.reading import Reported

NOT_COMPARABLE = declare(
    "leaderboard.not-comparable", Severity.ERROR, "the report is not on the same ground as most of the others"
)
OTHER_RELEASE = declare(
    "leaderboard.other-release", Severity.ERROR, "the report is of another release than the one at hand"
)
DISAGREES = declare(
    "leaderboard.disagrees",
    Severity.ERROR,
    "the report says something else of the release than most with its signature",
)
SEPARATE = declare(
    "leaderboard.separate", Severity.NOTE, "the report is not on the same ground as most: it stands in another table"
)
OTHER_MODALITY = declare(
    "leaderboard.other-modality", Severity.WARNING, "the judge was given something else than its protocol presents"
)

GROUND = ("release", "content_hash", "answers_hash", "family", "scorer", "level", "norms")
"""What of a signature two reports must share."""

DRAWS = ("resamples", "seed")
"""What of it moves intervals and p by chance alone, and no value."""


def ground_of(report: Report) -> Mapping[str, Json]:
    """What of a report's signature others must share; a family without norms has none of them."""
    return {name: report.signature.get(name, [] if name == "norms" else None) for name in GROUND}


def modality_of(reported: Reported) -> str:
    """What stood for a clip: what the submitter says, else what the protocol presents."""
    return _text(reported.judge.get("modality")) or presented(reported.report) or UNDECLARED


def presented(report: Report) -> str | None:
    """What the report's protocol presents in place of a clip; None where its family is not installed or has no such protocol."""
    try:
        return registry.family(str(report.signature["family"])).protocol(str(report.signature["protocol"])).modality
    except EarmarkError:
        return None


def hold_against(release: Release, read: Iterable[Reported], findings: Findings) -> None:
    """Make a finding of each report of another release, or of other answers."""
    manifest = release.manifest
    own = {"content_hash": manifest.content_hash, "answers_hash": manifest.answers_hash, "family": manifest.family}
    for one in read:
        for name, value in own.items():
            found = one.report.signature.get(name)
            if found != value:
                findings.add(OTHER_RELEASE, file=one.file, column=f"signature.{name}", found=found, expected=str(value))


def grounds(read: Sequence[Reported], findings: Findings, *, separate: bool) -> list[tuple[Reported, ...]]:
    """Reports by their grounds.

    Args:
        read: The reports.
        findings: Where those go that are not on the ground of most.
        separate: Whether several grounds are asked for, so that another one is no error.
    """
    apart: dict[bytes, list[Reported]] = defaultdict(list)
    for one in read:
        apart[canonical_json(ground_of(one.report))].append(one)
    if not apart:
        return []
    # As many on both sides: the one whose ground is spelt first, whatever order the reports came in.
    most = min(apart, key=lambda key: (-len({one.hash for one in apart[key]}), key))
    common = ground_of(apart[most][0].report)
    for key, others in apart.items():
        for one in others if key != most else ():
            for name, value in ground_of(one.report).items():
                if value != common[name]:
                    code = SEPARATE if separate else NOT_COMPARABLE
                    expected = f"{_spelt(common[name])}, as {_reports(len(apart[most]))}"
                    findings.add(
                        code, file=one.file, column=f"signature.{name}", found=_spelt(value), expected=expected
                    )
    return [tuple(apart[key]) for key in sorted(apart)]


def agree(read: Sequence[Reported], findings: Findings) -> bool:
    """Whether reports of one ground and protocol say the same of what does not hang on the judge.

    Args:
        read: The reports.
        findings: Where those go that say something else than most.
    """
    looks: dict[str, Callable[[Report], Json]] = {
        "headline": lambda report: report.headline,
        "label_source": lambda report: report.label_source,
        "counts.*.owed": lambda report: {facet: of["owed"] for facet, of in report.counts.items()},
        "chance": lambda report: {
            entry.facet: entry.chance
            for entry in report.metrics
            if (entry.metric, entry.slice) == (report.headline, ALL) and entry.value is not None
        }.get(OVERALL),
        "baselines": lambda report: [[rule.name, rule.value] for rule in report.baselines],
    }
    before = len(findings)
    for column, look in looks.items():
        said = [canonical_json(look(one.report)) for one in read]
        counted = Counter(dict(zip((one.hash for one in read), said, strict=True)).values())
        if column == "chance" and len(counted) > 1:
            del counted[b"null"]  # an undefined headline has no chance to speak of
        most = min(counted, key=lambda key: (-counted[key], key))
        for one, value in zip(read, said, strict=True):
            if value in counted and value != most:
                expected = f"{most.decode()}, as {_reports(counted[most])}"
                findings.add(DISAGREES, file=one.file, column=column, found=value.decode(), expected=expected)
    return len(findings) == before


def note_modality(one: Reported, findings: Findings) -> None:
    """Say where a judge was given something else than its protocol presents."""
    declared, owed = _text(one.judge.get("modality")), presented(one.report)
    if declared is not None and owed is not None and declared != owed:
        expected = f"{owed}, as protocol {one.report.signature['protocol']} has it; it stands in a table of its own"
        findings.add(OTHER_MODALITY, file=one.file, column="judge.modality", found=declared, expected=expected)


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) else None


def _spelt(value: Json) -> str:
    return value if isinstance(value, str) else canonical_json(value).decode()


def _reports(count: int) -> str:
    return f"{count} report{' has' if count == 1 else 's have'} it"
