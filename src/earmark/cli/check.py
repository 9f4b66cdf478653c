"""`earmark check`: is a prediction file in order? The answers are not needed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from earmark.cli.console import AsJson, Quiet, report_findings


def check(
    file: Annotated[Path, typer.Argument(help="Prediction file: JSON Lines, CSV or Parquet.")],
    release: Annotated[Path, typer.Option(help="Folder of the release; its public side is enough.")],
    protocol: Annotated[str | None, typer.Option(help="Protocol to hold it against.")] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Check a prediction file against a release, all problems at once, without the answers."""
    from earmark.manifests.release import open_release
    from earmark.scoring.face import check as check_file

    report_findings(check_file(open_release(release), file, protocol=protocol), as_json=as_json, quiet=quiet)
