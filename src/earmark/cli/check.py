"""`earmark check`: is a prediction file in order? The answers are not needed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from earmark.cli.console import AsJson, Quiet, report_findings, require_file, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from earmark.manifests.canonical import Json


def check(
    file: Annotated[Path, typer.Argument(help="Prediction file: JSON Lines, CSV or Parquet.")],
    release: Annotated[Path, typer.Option(help="Folder of the release; its public side is enough.")],
    protocol: Annotated[str | None, typer.Option(help="Protocol to hold it against.")] = None,
    common: Annotated[
        Path | None,
        typer.Option(help="Another version: hold it against what both of them have; its public side is enough."),
    ] = None,
    show: Annotated[
        int | None, typer.Option(min=1, max=1_000_000, help="Places of each problem that are named, of all of them.")
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Check a prediction file against a release, all problems at once, without the answers.

    It may be packed with gzip or zstd. Ends with 0 if nothing is an error, 1 if something is, 2 if it could not be checked.
    """
    from earmark.manifests.findings import Findings
    from earmark.manifests.release import open_release
    from earmark.manifests.report import OVERALL
    from earmark.manifests.revisions.common import common_subset
    from earmark.pages.shown import shown
    from earmark.scoring.decisions.counts import counts
    from earmark.scoring.face import read

    require_file(file)
    opened, findings = open_release(release), Findings() if show is None else Findings(cap=show)
    if common is not None:
        opened = common_subset(opened, open_release(common), findings)
    submission, decisions = read(opened, file, protocol, findings)
    with opened.trusted("outcomes are counted"):
        found, held = counts(opened, decisions)[OVERALL], decisions.owed.protocol
    if not (as_json or quiet):
        declared = submission.protocol
        which = held if declared in (None, held) else f"{held} (the file declares {shown(declared or '', 80)})"
        say(f"protocol {which}: {outcomes_text(found)}")
    extra: dict[str, Json] = {"protocol": held, "declared": dict(submission.declared), "outcomes": found}
    report_findings(findings, as_json=as_json, quiet=quiet, about=file, extra=extra, most=show, more="--show N")


def outcomes_text(counts: Mapping[str, int]) -> str:
    """What became of every presentation owed, and what else was in the file, as far as there is any.

    >>> outcomes_text({"owed": 22, "ok": 20, "missing": 2, "failed": 0, "unknown_rows": 1})
    '22 presentations owed: 20 ok, 2 missing; besides, 1 unknown row'
    >>> outcomes_text({"owed": 22, "ok": 0, "missing": 22, "unknown_rows": 9})
    '22 presentations owed: 22 missing; besides, 9 unknown rows: is the file for another release?'
    """
    rows = {name: count for name, count in counts.items() if name.endswith("_rows")}
    came_to = {name: count for name, count in counts.items() if name not in rows and name != "owed"}
    said = ", ".join(f"{count} {name}" for name, count in came_to.items() if count) or "none of them"
    besides = ", ".join(
        f"{count} {name.removesuffix('s' if count == 1 else '').replace('_', ' ')}"
        for name, count in rows.items()
        if count
    )
    if counts.get("unknown_rows") and came_to.get("missing") == counts["owed"]:
        besides += ": is the file for another release?"
    return f"{counts['owed']} presentations owed: {said}" + (f"; besides, {besides}" if besides else "")
