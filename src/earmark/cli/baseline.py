"""`earmark baseline`: prediction files of rules that do not listen."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from earmark.cli.console import AsJson, Quiet, say, say_json


def baseline(
    release: Annotated[Path, typer.Argument(help="Folder of the release.")],
    out: Annotated[Path, typer.Option(help="Folder to write; must not exist.")],
    protocol: Annotated[str | None, typer.Option(help="Protocol to answer; the release's first one without.")] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write one prediction file per baseline of the release's family."""
    from earmark.manifests.errors import DestinationExists
    from earmark.manifests.release import open_release
    from earmark.scoring.baselines import write_predictions
    from earmark.scoring.decisions import owed_presentations
    from earmark.scoring.face import family_marks

    opened = open_release(release)
    if out.exists():
        raise DestinationExists(f"{out} exists; choose another folder")
    owed = owed_presentations(opened, opened.protocol(protocol))
    out.mkdir(parents=True)
    told: dict[str, str] = {}
    for rule in family_marks(opened).BASELINES:
        name = f"{rule.name.replace(' ', '-')}.jsonl"
        reason = write_predictions(rule, opened, owed, out / name)
        told[rule.name] = name if reason is None else f"not written: {reason}"
    if as_json:
        say_json(told)
    elif not quiet:
        say("\n".join(f"{rule}: {what}" for rule, what in told.items()))
