"""Judges of a chapter beside each other: a few of them compared, and a leaderboard of every report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.manifests.findings import Findings
from earmark.manifests.report import OVERALL
from earmark.scoring.comparing import compare, write_comparison
from earmark.scoring.leaderboard import merge, read_reports
from earmark.scoring.leaderboard.writing import write_leaderboard

if TYPE_CHECKING:
    from earmark.manifests.comparison import Comparison, DifferenceEntry
    from earmark.manifests.release import Release

LEVEL = 0.05
"""What p is below where two judges differ."""


@dataclass(frozen=True)
class Among:
    """Which judges are compared, and in what.

    Args:
        stems: Their prediction files' names, without the ending; a difference is the earlier less the later.
        metrics: Metrics to compare, the first of them told of.
        matched: Whether also over those items alone that all of them answered.
    """

    stems: Sequence[str]
    metrics: Sequence[str]
    matched: bool = False


@dataclass(frozen=True)
class Beside:
    """What came of setting judges beside each other.

    Args:
        comparison: The comparison of a few.
        compared: Its page.
        board: The page with all of them.
    """

    comparison: Comparison
    compared: Path
    board: Path


def set_beside(release: Release, folder: Path, among: Among) -> Beside:
    """Compare a few judges and put all of them on a leaderboard.

    Args:
        release: The release that they judged.
        folder: Has their `predictions` and `reports`; gets `comparison` and `leaderboard`.
        among: Which are compared, and in what.

    Raises:
        Refused: If a report is none that can stand on a leaderboard.
    """
    files = [folder / "predictions" / f"{stem}.jsonl" for stem in among.stems]
    compared = compare(release, files, metrics=among.metrics, only_matched=among.matched)
    write_comparison(release, compared, folder / "comparison")
    findings = Findings()
    merged = merge(read_reports(sorted((folder / "reports").iterdir()), findings), findings, release=release)
    findings.require_none()
    names = {facet.id: facet.name for facet in release.manifest.facets}
    write_leaderboard(merged, folder / "leaderboard", facet_names=names)
    return Beside(
        compared.comparison, folder / "comparison" / "comparison.html", folder / "leaderboard" / "leaderboard.html"
    )


def letters_told(comparison: Comparison, metric: str, called: str) -> str:
    """Who is told apart from whom in a metric over all facets, in a line.

    Args:
        comparison: The comparison.
        metric: Name of the metric.
        called: What it is called here.
    """
    found = [entry for entry in comparison.groups if (entry.metric, entry.facet) == (metric, OVERALL)]
    told = [
        f"{judge} ({letters})" for entry in found for judge, letters in zip(entry.judges, entry.letters, strict=True)
    ]
    return f"Judges that share a letter are not told apart in {called}: {', '.join(told)}."


def matched_told(comparison: Comparison, metric: str, called: str, pair: str) -> str:
    """What two judges differ by over the items that both answered, in two lines.

    Args:
        comparison: A comparison of two judges, over matched items too.
        metric: Name of the metric.
        called: What it is called here.
        pair: What the first less the second is.
    """
    matched = comparison.matched
    if matched is None:
        return ""
    found = [entry for entry in matched.differences if (entry.metric, entry.facet) == (metric, OVERALL)]
    return "".join(
        f"{pair}, over the {matched.kept} of {matched.items} items that both judges answered:\n{called} {_difference(entry)}."
        for entry in found
    )


def _difference(entry: DifferenceEntry) -> str:
    if entry.value is None or entry.p is None:
        return "is undefined for one of them"
    ends = [
        f" [{one.low:+.2f}, {one.high:+.2f}]"
        for one in entry.intervals[:1]
        if one.low is not None and one.high is not None
    ]
    verdict = "they differ" if entry.p < LEVEL else "no difference is shown"
    return f"{entry.value:+.2f}{''.join(ends)}, p {entry.p:.2f}, so {verdict}"
