"""`earmark leaderboard`: reports side by side, in tables that hold only what can be compared."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from earmark.cli.console import AsJson, Destination, Quiet, named_folder, report_findings, say

if TYPE_CHECKING:
    from earmark.manifests.leaderboard import Board, Leaderboard

MOST_ROWS = 30
"""Rows of a table that are printed; the page has all of them."""

_LONGEST = 48
_PLAIN = str.maketrans({"\u2212": "-", "\u2014": "-", "\u00a0": " ", "\u2020": "*"})


def leaderboard(
    reports: Annotated[list[Path], typer.Argument(help="A report.json, or a folder with one; any number of them.")],
    out: Destination,
    release: Annotated[
        Path | None, typer.Option(help="Folder of the release that all reports must be of; also names its facets.")
    ] = None,
    separate: Annotated[
        bool, typer.Option("--separate", help="Give reports that are not comparable tables of their own.")
    ] = False,
    eee: Annotated[
        Path | None,
        typer.Option(callback=named_folder, help="Folder for records of Every Eval Ever 0.3; must not exist."),
    ] = None,
    organisation: Annotated[str, typer.Option(help="Whose records those are.")] = "undeclared",
    relationship: Annotated[
        str, typer.Option(help="Theirs to the judges' makers: first_party, third_party, collaborative or other.")
    ] = "other",
    retrieved: Annotated[
        int | None, typer.Option(min=0, help="When they were made, in seconds since 1970; now without.")
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Merge reports into leaderboard.json, a page and a flat table; exit 1, and write nothing, where they are not comparable."""
    from earmark.manifests.errors import DestinationExists, UnknownName
    from earmark.manifests.findings import Findings
    from earmark.manifests.release import open_release
    from earmark.manifests.scratch import scratch_beside
    from earmark.scoring.leaderboard import merge, read_reports
    from earmark.scoring.leaderboard.every_eval_ever import Publisher, Relationship, write_records
    from earmark.scoring.leaderboard.writing import write_leaderboard

    if eee is not None and (_within(eee, out) or _within(out, eee)):
        raise typer.BadParameter("--eee and --out are folders of their own, neither in the other")
    for folder in (out, *([eee] if eee else [])):
        if folder.exists():
            raise DestinationExists(f"{folder} exists; choose another folder")
    if relationship not in list(Relationship):
        raise UnknownName("relationship", relationship, tuple(Relationship))
    opened = None if release is None else open_release(release)
    findings = Findings()
    merged = merge(read_reports(reports, findings), findings, separate=separate, release=opened)
    written: list[Path] = []
    if not findings.failed:
        names = {} if opened is None else {facet.id: facet.name for facet in opened.manifest.facets}
        if eee is not None:
            publisher = Publisher(
                organisation=organisation,
                relationship=Relationship(relationship),
                retrieved=int(time.time()) if retrieved is None else retrieved,
            )
            with scratch_beside(eee) as scratch:
                records = write_records(merged, publisher, scratch, findings)
                written += [eee / record.relative_to(scratch) for record in records]
        written = [*write_leaderboard(merged, out, facet_names=names), *written]
        if not (as_json or quiet):
            say(leaderboard_text(merged))
            say(f"page  {out / 'leaderboard.html'}")
    report_findings(
        findings,
        as_json=as_json,
        quiet=quiet,
        about=f"{len(reports)} report{'' if len(reports) == 1 else 's'}",
        extra={"boards": len(merged.boards), "written": [str(path) for path in written]},
    )


def _within(inner: Path, outer: Path) -> bool:
    return inner.resolve().is_relative_to(outer.resolve())


def leaderboard_text(merged: Leaderboard) -> str:
    """The tables for a terminal."""
    note = "Positions are not ranks: earmark compare says who is distinguishable from whom."
    return "\n\n".join([*(_board_text(board) for board in merged.boards), note])


def _board_text(board: Board) -> str:
    from earmark.cli.tables import table
    from earmark.pages.formats import metric_label
    from earmark.pages.leaderboard_rows import rows_of
    from earmark.pages.shown import brief

    rows = rows_of(board, {})
    shown = []
    for row in rows.rows:
        headline, coverage, *_ = row.cells
        name = f"{brief(row.name, _LONGEST)}{' (does not listen)' if row.kind.value == 'rule' else ''}"
        facts = (headline.text, headline.more, coverage.text, headline.why)
        shown.append([name, *(fact.translate(_PLAIN) for fact in facts)])
    more = [f"and {len(shown) - MOST_ROWS} more, on the page"] if len(shown) > MOST_ROWS else []
    head = ["judge", metric_label(board.headline), "interval", "ok / owed", ""]
    title = f"{board.ground.get('release')}, protocol {board.protocol}, modality {board.modality}"
    return "\n".join([title, "", table(head, shown[:MOST_ROWS], right={1, 2, 3}), *more])
