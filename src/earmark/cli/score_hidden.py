"""`earmark score --ladder`: mark a stranger's file with hidden answers. Only the headline is told, as the ladder has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.cli.console import report_findings, say

if TYPE_CHECKING:
    from earmark.manifests.canonical import Json
    from earmark.manifests.release import Release
    from earmark.scoring.ladder.marking import Laddered


@dataclass(frozen=True)
class Hidden:
    """What was asked for besides the file and the release.

    Args:
        state: What the host keeps.
        submitter: Whose file it is.
        most_files: Different files of one submitter that are marked.
        most_scores: Scores that are given out to all submitters together.
    """

    state: Path
    submitter: str | None
    most_files: int | None
    most_scores: int | None


def require_alone(hidden: Hidden, out: Path, besides: Sequence[str]) -> None:
    """Make sure that nothing is asked for that would tell more than the headline.

    Args:
        hidden: What was asked for.
        out: The folder that is handed out.
        besides: Options that were given and do not go with hidden answers.

    Raises:
        EarmarkError: If something is, or nobody says whose file it is, or the state would be handed out.
    """
    from earmark.manifests.errors import EarmarkError

    if besides:
        raise EarmarkError(
            f"{besides[0]} does not go with --ladder: it would tell more of the answers than the headline"
        )
    if hidden.submitter is None:
        raise EarmarkError("--ladder needs --submitter NAME, whose file it is")
    if hidden.state.resolve().is_relative_to(out.resolve()):
        raise EarmarkError(
            f"{hidden.state} tells the answers, and {out} is what is handed out; keep the state elsewhere"
        )


def score_hidden(
    release: Release, file: Path, hidden: Hidden, out: Path, *, protocol: str | None, as_json: bool, quiet: bool
) -> None:
    """Mark a file, write `headline.json`, and say what `check` would say and the one number."""
    from earmark.manifests.scratch import scratch_beside
    from earmark.scoring.ladder.marking import FILE, score_laddered
    from earmark.scoring.ladder.state import Quotas

    laddered = score_laddered(
        release,
        file,
        state=hidden.state,
        submitter=hidden.submitter or "",
        protocol=protocol,
        quotas=Quotas(hidden.most_files, hidden.most_scores),
    )
    out.mkdir(parents=True, exist_ok=True)
    with scratch_beside(out / FILE) as scratch:
        laddered.write(scratch)
    if not (as_json or quiet):
        say(hidden_text(laddered))
    extra: dict[str, Json] = {"headline": laddered.as_json(), "written": [str(out / FILE)]}
    report_findings(laddered.findings, as_json=as_json, quiet=quiet, about=file, extra=extra)


def hidden_text(laddered: Laddered) -> str:
    """What was marked and the best released score, for people."""
    from earmark.cli.check import outcomes_text
    from earmark.pages.formats import metric_label, number
    from earmark.pages.shown import shown
    from earmark.scoring.ladder.marking import NO_SCORE

    name = shown(laddered.submitter, 100)
    best = f"{name}: no {metric_label(laddered.headline)} yet; {NO_SCORE}"
    if laddered.score is not None:
        best = (
            f"{name}: best {metric_label(laddered.headline)} {number(laddered.score)}, of this file or an earlier one"
        )
    return "\n".join(
        [
            f"{shown(laddered.release, 120)}, protocol {laddered.protocol}, hidden answers",
            outcomes_text(laddered.outcomes),
            best,
            "",
        ]
    )
