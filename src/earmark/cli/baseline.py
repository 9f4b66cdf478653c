"""`earmark baseline`: prediction files of rules that do not listen, and their reports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from earmark.cli.console import AsJson, Destination, Quiet, progress_bar, say, say_json

if TYPE_CHECKING:
    from earmark.manifests.canonical import Json
    from earmark.scoring.baselines.writing import Answered


def baseline(
    release: Annotated[Path, typer.Argument(help="Folder of the release.")],
    out: Destination,
    protocol: Annotated[str | None, typer.Option(help="Protocol to answer; the release's first one without.")] = None,
    answers: Annotated[Path | None, typer.Option(help="Private side, where it stands elsewhere.")] = None,
    reports: Annotated[
        bool, typer.Option("--reports/--no-reports", help="Whether each is marked too, where answers are at hand.")
    ] = True,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write one prediction file per baseline of the release's family, and its report beside it."""
    from earmark.manifests.errors import DestinationExists
    from earmark.manifests.release import open_release
    from earmark.manifests.scratch import scratch_beside
    from earmark.scoring.baselines.every import every_baseline
    from earmark.scoring.baselines.writing import why_no_reports, write_baselines
    from earmark.scoring.decisions import owed_presentations
    from earmark.scoring.families import family_marks

    opened = open_release(release, private=answers)
    if out.exists() or out.is_symlink():
        raise DestinationExists(f"{out} exists; choose another folder")
    owed = owed_presentations(opened, opened.protocol(protocol))
    unmarked = why_no_reports(opened) if reports else None
    # Some of the files would look like all of them.
    with scratch_beside(out) as scratch, progress_bar(quiet=quiet or as_json) as progress:
        scratch.mkdir()
        with opened.trusted("rules answer it"):
            done = write_baselines(
                opened,
                owed,
                every_baseline(family_marks(opened)),
                scratch,
                reports=reports and unmarked is None,
                progress=progress,
            )
    if as_json:
        told: list[Json] = [_as_json(entry) for entry in done]
        say_json({"protocol": owed.protocol, "presentations": len(owed.ids), "baselines": told, "no_reports": unmarked})
    elif not quiet:
        say(f"{out}: {len(owed.ids)} presentations of protocol {owed.protocol}, answered without listening")
        say(_table(done, opened.family.headline))
        if unmarked is not None:
            say(f"No reports: {unmarked}.")


def _as_json(done: Answered) -> Json:
    rule, report = done.baseline, done.report
    headline = None if report is None else report.find(report.headline)
    return {
        "name": rule.name,
        "means": rule.means,
        "knows": rule.knows,
        "file": done.file,
        "report": None if report is None else rule.stem,
        "value": None if headline is None else headline.value,
        "reason": done.reason,
    }


def _table(done: Sequence[Answered], headline: str) -> str:
    """The files, what each of them gets if they were marked, and what they are or why there is none."""
    from earmark.cli.tables import table
    from earmark.pages.formats import metric_label, number

    if not any(entry.report is not None for entry in done):
        bare = [[_file(entry), entry.reason or entry.baseline.means] for entry in done]
        return table(bare[0], bare[1:])
    rows = []
    for entry in done:
        found = None if entry.report is None else entry.report.find(headline)
        value = number(None if found is None else found.value)
        rows.append([_file(entry), value, entry.reason or entry.baseline.means])
    return table(["  file", metric_label(headline), ""], rows, right=[1])


def _file(done: Answered) -> str:
    return f"  {done.file or f'(none) {done.baseline.name}'}"
