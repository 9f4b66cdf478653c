"""Merging: reports become tables, whatever order they come in, and a report that comes twice counts once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from earmark.manifests.canonical import canonical_json
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.leaderboard import Board, Kind, Leaderboard, Standing
from earmark.manifests.report import ALL
from earmark.scoring.leaderboard.grounds import DRAWS, agree, ground_of, grounds, hold_against
from earmark.scoring.leaderboard.modalities import Modalities

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.scoring.leaderboard.reading import Reported

REPEATED = declare("leaderboard.repeated", Severity.WARNING, "the same report is there twice; it counts once")
CONFLICTING = declare("leaderboard.conflicting", Severity.ERROR, "two reports of one judge and run differ")
UNNAMED = declare("leaderboard.unnamed", Severity.WARNING, "the report names no judge; it is called by its hash")

_KINDS = {"rule": Kind.RULE, "human": Kind.PEOPLE}


def merge(
    read: Sequence[Reported], findings: Findings, *, separate: bool = False, release: Release | None = None
) -> Leaderboard:
    """Put reports side by side.

    Args:
        read: The reports.
        findings: Where problems go; where one is an error, what is returned is not to be published.
        separate: Whether reports that are not comparable may stand in tables of their own.
        release: The release that all of them must be of; None where it is not at hand.

    Returns:
        Tables by ground, protocol and modality; the same for the same reports in any order.
    """
    kept = _once(read, findings)
    if release is not None:
        hold_against(release, kept, findings)
    boards: list[Board] = []
    modalities = Modalities()
    for ground in grounds(kept, findings, separate=separate):
        protocols: dict[str, list[Reported]] = defaultdict(list)
        for one in ground:
            protocols[str(one.report.signature["protocol"])].append(one)
        for protocol, followed in sorted(protocols.items()):
            agree(followed, findings)
            given: dict[str, list[Reported]] = defaultdict(list)
            for one in followed:
                given[modalities.of(one, findings)].append(one)
            boards += [_board(protocol, modality, those, findings) for modality, those in sorted(given.items())]
    return Leaderboard(boards=tuple(boards))


def _once(read: Sequence[Reported], findings: Findings) -> list[Reported]:
    """Each report once, by hash."""
    kept: dict[str, Reported] = {}
    for one in sorted(read, key=lambda one: (one.hash, one.file)):
        if one.hash in kept:
            findings.add(REPEATED, file=one.file, found=f"what {kept[one.hash].file} says")
        kept.setdefault(one.hash, one)
    return list(kept.values())


def _board(protocol: str, modality: str, those: Sequence[Reported], findings: Findings) -> Board:
    by_judge: dict[bytes, Reported] = {}
    for one in those:
        if _named(one) is None:
            findings.add(
                UNNAMED, file=one.file, column="judge.name", expected="a name in the first line of the submission"
            )
            continue
        first = by_judge.setdefault(canonical_json({"judge": one.judge, "run": one.run}), one)
        if first is not one:
            findings.add(
                CONFLICTING,
                file=one.file,
                column="judge",
                found=_named(one),
                expected=f"one report of a judge and run: {first.file} is another; leave one out, or say how they differ",
            )
    standings = sorted((_standing(one) for one in those), key=lambda one: _order(one, those[0].report.headline))
    reports = [one.report for one in sorted(those, key=lambda one: one.hash)]
    any_one = reports[0]
    return Board(
        ground=ground_of(any_one),
        protocol=protocol,
        modality=modality,
        headline=any_one.headline,
        label_source=any_one.label_source,
        standings=tuple(standings),
        baselines=tuple(sorted(any_one.baselines, key=lambda rule: rule.name)),
        use=next((report.use for report in reports if report.use is not None), None),
    )


def _standing(one: Reported) -> Standing:
    kept = [entry for entry in one.report.metrics if entry.slice == ALL]
    return Standing(
        kind=_KINDS.get(str(one.judge.get("architecture")), Kind.JUDGE),
        name=_named(one) or f"unnamed judge {one.hash.removeprefix('blake2b-256:')[:8]}",
        judge=one.judge,
        run=one.run,
        draws={name: one.report.signature.get(name) for name in DRAWS},
        report=one.hash,
        counts=one.report.counts,
        metrics=tuple(sorted(kept, key=lambda entry: (entry.facet, entry.metric))),
    )


def _named(one: Reported) -> str | None:
    name = one.judge.get("name")
    return name if isinstance(name, str) and name.strip() else None


def _order(one: Standing, headline: str) -> tuple[bool, float, str, str]:
    """The best first, undefined ones last; equal ones by name, which says nothing of them."""
    entry = one.find(headline)
    value = entry.value if entry is not None else None
    return value is None, -(value or 0.0), one.name, one.report
