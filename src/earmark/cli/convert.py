"""`earmark convert`: other people's prediction files made into ours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from earmark.cli.console import AsJson, Quiet, named_folder, report_findings, require_file, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from earmark.builders.converting.speecheq.rows import Written
    from earmark.manifests.canonical import Json

FORMATS = ("speecheq",)


def convert(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Prediction files of another format.")],
    form: Annotated[str, typer.Option("--from", help=f"The format: {', '.join(FORMATS)}.")],
    out: Annotated[
        Path,
        typer.Option(
            callback=named_folder,
            help="Prediction file to write or, with --make-release, folder for release and predictions; must not exist.",
        ),
    ],
    release: Annotated[
        Path | None, typer.Option(help="Folder of a release of the same items, private side included.")
    ] = None,
    make: Annotated[
        bool, typer.Option("--make-release", help="Make a release without audio of the items that the files name.")
    ] = False,
    name: Annotated[str, typer.Option(help="Name of the release that is made.")] = "speecheq-predictions",
    version: Annotated[str, typer.Option(help="Its version.")] = "1.0.0",
    key: Annotated[Path | None, typer.Option(help="Key of its release line, 32 bytes; a fresh one without.")] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Convert prediction files onto a release, or make one of the items that they name.

    What is left out of a file because it cannot be used is said, and ends in exit code 1; the rest is written.
    """
    from earmark.builders.converting.speecheq.making import PREDICTIONS, RELEASE, convert_onto, make_release
    from earmark.builders.recipes import ReleaseSection
    from earmark.manifests.errors import EarmarkError, UnknownName
    from earmark.manifests.findings import Findings
    from earmark.manifests.release import open_release

    if form not in FORMATS:
        raise UnknownName("format", form, FORMATS)
    if make == (release is not None):
        raise EarmarkError("give one of --release DIR and --make-release")
    for file in files:
        require_file(file)
    findings = Findings()
    extra: dict[str, Json] = {}
    if release is None:
        try:
            section = ReleaseSection(name=name, version=version)
        except ValueError as error:
            raise EarmarkError(str(error)) from None
        made, written = make_release(files, out, section=section, key=key, findings=findings)
        where, extra["release"] = f"{out / RELEASE}, and in {out / PREDICTIONS}", str(made.path)
    elif len(files) > 1:
        raise EarmarkError(f"{len(files)} files cannot become one; convert them one by one")
    else:
        written, where = [convert_onto(files[0], open_release(release), out, findings)], str(out.parent)
    if not (as_json or quiet):
        say(written_text(written, where))
    extra["written"] = [_as_json(entry) for entry in written]
    report_findings(findings, as_json=as_json, quiet=quiet, extra=extra)


def written_text(written: Sequence[Written], where: str) -> str:
    """What was written, for people."""
    from earmark.cli.tables import table

    header = ["  file", "judge", "protocol", "dialogues", "rows", "without an answer"]
    rows = [
        [f"  {entry.file}", entry.model, entry.protocol, str(entry.dialogues), str(entry.rows), str(entry.failed)]
        for entry in written
    ]
    return f"{where}:\n{table(header, rows)}"


def _as_json(entry: Written) -> Mapping[str, Json]:
    return {
        "file": entry.file,
        "judge": entry.model,
        "protocol": entry.protocol,
        "dialogues": entry.dialogues,
        "rows": entry.rows,
        "responses": entry.responses,
        "failed": entry.failed,
    }
