"""`earmark baseline`: prediction files of rules that do not listen."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from earmark.cli.console import AsJson, Destination, Quiet, say, say_json

if TYPE_CHECKING:
    from earmark.manifests.canonical import Json


def baseline(
    release: Annotated[Path, typer.Argument(help="Folder of the release.")],
    out: Destination,
    protocol: Annotated[str | None, typer.Option(help="Protocol to answer; the release's first one without.")] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write one prediction file per baseline of the release's family."""
    from earmark.cli.tables import table
    from earmark.manifests.errors import DestinationExists
    from earmark.manifests.release import open_release
    from earmark.scoring.baselines import write_predictions
    from earmark.scoring.decisions import owed_presentations
    from earmark.scoring.families import family_marks

    opened = open_release(release)
    if out.exists():
        raise DestinationExists(f"{out} exists; choose another folder")
    owed = owed_presentations(opened, opened.protocol(protocol))
    told: list[dict[str, Json]] = []
    out.mkdir(parents=True)
    try:
        for rule in family_marks(opened).BASELINES:
            name = f"{rule.stem}.jsonl"
            reason = write_predictions(rule, opened, owed, out / name)
            file = name if reason is None else None
            told.append({"name": rule.name, "means": rule.means, "file": file, "reason": reason})
    except BaseException:
        shutil.rmtree(out, ignore_errors=True)  # some of the files would look like all of them
        raise
    if as_json:
        say_json({"protocol": owed.protocol, "presentations": len(owed.ids), "baselines": told})
    elif not quiet:
        rows = [[f"  {entry['file'] or '(none)'}", str(entry["reason"] or entry["means"])] for entry in told]
        head = f"{out}: {len(owed.ids)} presentations of protocol {owed.protocol}, answered without listening"
        say(f"{head}\n{table(rows[0], rows[1:])}")
