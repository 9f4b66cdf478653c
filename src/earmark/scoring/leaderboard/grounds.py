"""Grounds: what two reports must have in common for their figures to mean the same, and what the others of a ground say too.

Where the answers, the scorer, the level or a norm differ, a figure of one says nothing beside a figure of the other, however
alike they look.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from earmark.manifests.canonical import Json, canonical_json
from earmark.manifests.findings import Findings, Severity, declare
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
GROUND = ("release", "content_hash", "answers_hash", "family", "scorer", "level", "interval", "norms")
"""What of a signature two reports must share; one that does not name an interval's method is of the default."""

DRAWS = ("resamples", "seed")
"""What of it moves intervals and p by chance alone, and no value."""

_OF_ITEMS = ("release", "content_hash", "answers_hash")
"""What of it is another wherever other items were marked."""

_UNSAID: Mapping[str, Json] = {"interval": "percentile", "norms": []}


def ground_of(report: Report) -> Mapping[str, Json]:
    """What of a report's signature others must share."""
    return {name: report.signature.get(name, _UNSAID.get(name)) for name in GROUND}


def hold_against(release: Release, read: Iterable[Reported], findings: Findings) -> None:
    """Make a finding of each report of another release, or of other answers."""
    manifest = release.manifest
    all_of_it = (
        f"all of {manifest.name}@{manifest.version}: mark its file without --common, or leave --release out here"
    )
    own = {"content_hash": manifest.content_hash, "answers_hash": manifest.answers_hash, "family": manifest.family}
    for one in read:
        subset = _subset(one.report)
        if subset is not None:
            findings.add(OTHER_RELEASE, file=one.file, column="signature.common", found=subset, expected=all_of_it)
        for name, value in own.items():
            found = one.report.signature.get(name)
            if found != value and not (subset is not None and name in _OF_ITEMS):
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
            other_items = _other_items(one.report, apart[most][0].report)
            if other_items is not None:
                found, wanted = other_items
                code, expected = (
                    (SEPARATE, f"{wanted}, as {_reports(len(apart[most]))}")
                    if separate
                    else (NOT_COMPARABLE, f"{wanted}, as {_reports(len(apart[most]))}; {_REMEDY}")
                )
                findings.add(code, file=one.file, column="signature.common", found=found, expected=expected)
            for name, value in ground_of(one.report).items():
                if value != common[name] and not (other_items is not None and name in _OF_ITEMS):
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
        "use": lambda report: None if report.use is None else [report.use.intended, report.use.out_of_scope],
    }
    before = len(findings)
    for column, look in looks.items():
        said = [canonical_json(look(one.report)) for one in read]
        counted = Counter(dict(zip((one.hash for one in read), said, strict=True)).values())
        if column in ("chance", "use") and len(counted) > 1:
            # An undefined headline has no chance to speak of, and reports of old did not repeat their use.
            del counted[b"null"]
        most = min(counted, key=lambda key: (-counted[key], key))
        for one, value in zip(read, said, strict=True):
            if value in counted and value != most:
                expected = f"{most.decode()}, as {_reports(counted[most])}"
                findings.add(DISAGREES, file=one.file, column=column, found=value.decode(), expected=expected)
    return len(findings) == before


_REMEDY = (
    "mark all files on the same two versions (score --release ONE --common OTHER), or all without --common, "
    "or ask for tables apart (--separate)"
)


def _other_items(one: Report, most: Report) -> tuple[str, str] | None:
    """What two reports of one release were marked on, in words, where `--common` makes that differ; else None."""
    names = {str(report.signature.get("release")).partition("@")[0] for report in (one, most)}
    if _subset(one) == _subset(most) or len(names) > 1:
        return None
    return _marked_on(one), _marked_on(most)


def _marked_on(report: Report) -> str:
    return _subset(report) or f"all of {_spelt(report.signature.get('release'))}"


def _subset(report: Report) -> str | None:
    """What of two versions a report with `--common` rests on, in words; None for any other report."""
    match report.signature.get("common"):
        case {"items": int(items), "versions": [{"version": str(one)}, {"version": str(other)}]}:
            return f"--common: the {items} items of {one[:40]} and {other[:40]}"
        case _:
            return None


def _spelt(value: Json) -> str:
    return value if isinstance(value, str) else canonical_json(value).decode()


def _reports(count: int) -> str:
    return f"{count} report{' has' if count == 1 else 's have'} it"
