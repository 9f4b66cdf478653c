"""`earmark convert`: other people's prediction files made into ours, and what is lost on the way."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from earmark.cli.console import AsJson, Quiet, named_folder, report_findings, require_file, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from earmark.builders.converting.conversion import Written
    from earmark.builders.converting.formats import Format
    from earmark.manifests.canonical import Json
    from earmark.manifests.findings import Findings

FORMATS = ("stancebench", "stancebench-mapped", "stancebench-averages", "speecheq", "audiojudge", "inspect", "lm-eval")
"""Names of the formats, for the help; `builders.converting.formats` says what they are."""


def convert(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Prediction files of another format, of one judge.")
    ],
    form: Annotated[str, typer.Option("--from", help=f"The format: {', '.join(FORMATS)}.")],
    out: Annotated[
        Path,
        typer.Option(
            callback=named_folder,
            help="Prediction file to write or, with --make-release, folder for release and predictions; must not exist.",
        ),
    ],
    release: Annotated[Path | None, typer.Option(help="Folder of the release that the files answer.")] = None,
    answers: Annotated[Path | None, typer.Option(help="Its private side, where it stands elsewhere.")] = None,
    protocol: Annotated[str | None, typer.Option(help="The protocol that they answer.")] = None,
    facet: Annotated[
        str | None, typer.Option(help="The facet that they are about, where neither they nor the release say.")
    ] = None,
    judge: Annotated[str | None, typer.Option(help="Who judged, where they do not say.")] = None,
    make: Annotated[
        bool, typer.Option("--make-release", help="Make a release without audio of the items that speecheq files name.")
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
    from earmark.builders.converting.conversion import Wanted
    from earmark.builders.converting.formats import convert as convert_onto
    from earmark.builders.converting.formats import format_named
    from earmark.manifests.errors import EarmarkError
    from earmark.manifests.findings import Findings
    from earmark.manifests.release import open_release

    chosen = format_named(form)
    if make == (release is not None):
        raise EarmarkError("give one of --release DIR and --make-release")
    for file in files:
        require_file(file)
    findings = Findings()
    extra: dict[str, Json] = {"format": chosen.name, "losses": list(chosen.losses)}
    if release is None:
        written, extra["release"] = _make(chosen, files, out, name, version, key, findings)
        where = f"{extra['release']}, and in {out / 'predictions'}"
    else:
        wanted = Wanted(protocol, facet, judge)
        opened = open_release(release, private=answers)
        written, where = [convert_onto(chosen, files, opened, out, wanted, findings)], str(out.parent)
    if not (as_json or quiet):
        say(written_text(written, where))
        say(losses_text(chosen))
    extra["written"] = [entry.as_json() for entry in written]
    report_findings(findings, as_json=as_json, quiet=quiet, extra=extra)


def _make(
    form: Format, files: Sequence[Path], out: Path, name: str, version: str, key: Path | None, findings: Findings
) -> tuple[list[Written], str]:
    """Make a release of prediction files; what was written, and where it is."""
    from earmark.builders.converting.speecheq.making import make_release
    from earmark.builders.recipes import ReleaseSection
    from earmark.manifests.errors import EarmarkError

    if form.name != "speecheq":
        raise EarmarkError(f"a release can be made of speecheq files alone, not of {form.name}: give --release DIR")
    try:
        section = ReleaseSection(name=name, version=version)
    except ValueError as error:
        raise EarmarkError(str(error)) from None
    made, written = make_release(files, out, section=section, key=key, findings=findings)
    return written, str(made.path)


def written_text(written: Sequence[Written], where: str) -> str:
    """What was written, and what became of all that was read, for people."""
    from earmark.cli.tables import table

    header = ["  file", "judge", "protocol", "read", "rows", "no answer", "merged", "left out", "owed", "without a row"]
    rows = [
        [
            f"  {entry.file}",
            entry.judge or "unnamed",
            entry.protocol,
            *map(str, (entry.read, entry.rows, entry.failed + entry.abstained, entry.repeated)),
            str(sum(entry.left_out.values())),
            *map(str, (entry.owed, entry.unanswered)),
        ]
        for entry in written
    ]
    return f"{where}:\n{table(header, rows)}"


def losses_text(form: Format) -> str:
    """What the format cannot say, a line each."""
    return "\n".join([f"what {form.name} files cannot say:", *(f"- {loss}" for loss in form.losses)])
