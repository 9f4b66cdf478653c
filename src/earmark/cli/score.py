"""`earmark score`: mark a prediction file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from earmark.cli.console import AsJson, Quiet, report_findings, say


def score(
    file: Annotated[Path, typer.Argument(help="Prediction file: JSON Lines, CSV or Parquet.")],
    release: Annotated[Path, typer.Option(help="Folder of the release, private side included.")],
    out: Annotated[Path, typer.Option(help="Folder for report.json and report.html; must not exist.")],
    answers: Annotated[Path | None, typer.Option(help="Private side, where it stands elsewhere.")] = None,
    protocol: Annotated[str | None, typer.Option(help="Protocol to hold it against.")] = None,
    resamples: Annotated[int, typer.Option(min=100, max=1_000_000, help="Bootstrap replicates.")] = 2000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the bootstrap.")] = 0,
    human: Annotated[Path | None, typer.Option(help="Human ratings to correlate with: item_id, rater, rating.")] = None,
    paper: Annotated[str | None, typer.Option(help="Apply a paper's own filters, such as stancebench.")] = None,
    beside: Annotated[
        list[Path] | None, typer.Option("--with", help="Other submissions, for a paper's row intersection.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write into an existing folder.")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Mark a prediction file: report.json, report.html and a table."""
    from earmark.manifests.errors import DestinationExists
    from earmark.manifests.release import open_release
    from earmark.pages.summary import report_table
    from earmark.scoring.face import score as mark
    from earmark.scoring.face import write_report
    from earmark.scoring.measuring import Options

    if out.exists() and not force:
        raise DestinationExists(f"{out} exists; choose another folder or write into it with --force")
    opened = open_release(release, private=answers)
    options = Options(resamples=resamples, seed=seed)
    scored = mark(opened, file, protocol=protocol, options=options, human=human, paper=paper, beside=beside or [])
    page = write_report(opened, scored, out)
    if not (as_json or quiet):
        say(report_table(scored.report))
        say(f"\n{page}")
    report_findings(scored.findings, as_json=as_json, quiet=quiet, extra={"report": scored.report.as_json()})
