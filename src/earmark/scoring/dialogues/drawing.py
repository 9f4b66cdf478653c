"""What people look at in a report on dialogues."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.manifests.report import Report
    from earmark.pages.figures import Figure
    from earmark.scoring.decisions import Decisions


def draw(release: Release, _: Decisions, report: Report) -> Sequence[tuple[str, Figure]]:
    """The figures of a report with their captions."""
    del release, report
    return ()
