"""The verb of this room: reports set side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.manifests.findings import Findings
from earmark.scoring.leaderboard.merging import merge
from earmark.scoring.leaderboard.reading import read_reports

if TYPE_CHECKING:
    from earmark.manifests.leaderboard import Leaderboard
    from earmark.manifests.release import Release


@dataclass(frozen=True)
class Merged:
    """A leaderboard and what it was made from.

    Args:
        leaderboard: The tables; not to be published where a finding is an error.
        findings: What was wrong with the reports.
    """

    leaderboard: Leaderboard
    findings: Findings


def leaderboard(reports: Sequence[str | Path], *, release: Release | None = None, separate: bool = False) -> Merged:
    """Set reports side by side.

    Args:
        reports: Files `report.json`, or folders with one; any number of them.
        release: The release that all of them must be of; None where it is not at hand.
        separate: Whether reports that are not comparable may stand in tables of their own.

    Raises:
        EarmarkError: If one of them is not there.
    """
    findings = Findings()
    read = read_reports([Path(report) for report in reports], findings)
    return Merged(merge(read, findings, separate=separate, release=release), findings)
