"""`earmark validate`: every finding about a release at once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from earmark.cli.console import AsJson, Quiet, report_findings


def validate(
    release: Annotated[Path, typer.Argument(help="Folder of the release.")],
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Check that a release is sound: schemas, ids, hashes, protocols, and nothing public that tells the answer."""
    from earmark.manifests.release import open_release
    from earmark.validation.invariants import validate as check

    report_findings(check(open_release(release)), as_json=as_json, quiet=quiet, about=release)
