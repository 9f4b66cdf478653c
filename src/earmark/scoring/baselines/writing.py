"""Baselines as files: the predictions of each rule, and its report where answers are at hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from earmark.scoring.baselines.predictions import write_predictions
from earmark.scoring.face import score, write_report
from earmark.scoring.measuring import Options

if TYPE_CHECKING:
    from pathlib import Path

    from earmark.manifests.release import Release
    from earmark.manifests.report import Report
    from earmark.scoring.baselines.rule import Baseline
    from earmark.scoring.decisions import Owed

Progress: TypeAlias = Callable[[str, int, int], None]
"""Told what is done, how much of it, and of how much."""

NOTHING_TO_MARK_BY = "this copy has no private side, so nothing can be marked"


@dataclass(frozen=True)
class Answered:
    """What became of a rule.

    Args:
        baseline: The rule.
        file: Name of its prediction file; None if it could not answer.
        report: Its report, which stands in a folder named like the file; None if there is none.
        reason: Why it could not answer.
    """

    baseline: Baseline
    file: str | None
    report: Report | None = None
    reason: str | None = None


def why_no_reports(release: Release) -> str | None:
    """Why no report can be made; None if one can."""
    whole = all(release.file(name).is_file() for name in ("answers", "sources"))
    return None if whole else NOTHING_TO_MARK_BY


def write_baselines(
    release: Release,
    owed: Owed,
    rules: Sequence[Baseline],
    out: Path,
    *,
    reports: bool,
    progress: Progress,
    canary: str | None = None,
    options: Options | None = None,
) -> list[Answered]:
    """Write `<stem>.jsonl` of each rule that can answer, and `<stem>/report.json` and `report.html`.

    Args:
        release: The release.
        owed: The presentations that a protocol owes.
        rules: The rules.
        out: Folder; it exists.
        reports: Whether reports are written too; answers must be at hand.
        progress: Told how far it is.
        canary: UUID of the release line, which then stands in every file.
        options: How intervals are made.

    Raises:
        ReleaseError: If a table is damaged.
    """
    done = []
    for n, rule in enumerate(rules):
        progress("answering without listening", n, len(rules))
        file = f"{rule.stem}.jsonl"
        reason = write_predictions(rule, release, owed, out / file, canary=canary)
        report = None
        if reason is None and reports:
            report = _write_report(release, owed, out, rule.stem, canary, options or Options())
        done.append(Answered(rule, None if reason else file, report, reason))
    progress("answering without listening", len(rules), len(rules))
    return done


def _write_report(release: Release, owed: Owed, out: Path, stem: str, canary: str | None, options: Options) -> Report:
    scored = score(release, out / f"{stem}.jsonl", protocol=owed.protocol, options=options)
    if canary is not None:
        said = {**scored.report.submission, "canary": canary}
        scored = replace(scored, report=replace(scored.report, submission=said))
    write_report(release, scored, out / stem)
    return scored.report
