"""`earmark score`: mark a prediction file."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from earmark.cli.console import AsJson, Quiet, named_folder, report_findings, require_file, say

if TYPE_CHECKING:
    from earmark.manifests.canonical import Json
    from earmark.manifests.release import Release
    from earmark.scoring.face import Scored


class Interval(StrEnum):
    """Kinds of interval."""

    PERCENTILE = "percentile"
    BCA = "bca"


def score(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="Prediction file: JSON Lines, CSV or Parquet.")],
    release: Annotated[Path, typer.Option(help="Folder of the release, private side included.")],
    out: Annotated[
        Path, typer.Option(callback=named_folder, help="Folder for report.json and report.html; must not exist.")
    ],
    answers: Annotated[Path | None, typer.Option(help="Private side, where it stands elsewhere.")] = None,
    protocol: Annotated[str | None, typer.Option(help="Protocol to hold it against.")] = None,
    common: Annotated[
        Path | None, typer.Option(help="Another version: mark on what both of them have; its public side is enough.")
    ] = None,
    resamples: Annotated[int, typer.Option(min=100, max=1_000_000, help="Bootstrap replicates.")] = 2000,
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Seed of the bootstrap.")] = 0,
    interval: Annotated[
        Interval, typer.Option(help="How intervals are made of the replicates; bca where it is defined.")
    ] = Interval.PERCENTILE,
    human: Annotated[Path | None, typer.Option(help="Human ratings to correlate with: item_id, rater, rating.")] = None,
    paper: Annotated[
        str | None, typer.Option(help="Also the figures of a paper's own filters: stancebench, parapair or speecheq.")
    ] = None,
    beside: Annotated[
        list[Path] | None, typer.Option("--with", help="Other submissions, for a paper's row intersection; repeatable.")
    ] = None,
    against: Annotated[
        list[Path] | None,
        typer.Option(help="Another submission that this one is set against, dialogue by dialogue; repeatable."),
    ] = None,
    norm: Annotated[
        list[Path] | None,
        typer.Option(
            help="Norm that SEQ is relative to, a file, of all facets or of one; speecheq-table3 without; repeatable."
        ),
    ] = None,
    items: Annotated[
        bool,
        typer.Option(
            "--items",
            help="Also write items.csv: what was got of each item, which tells the answers; of dialogues.",
        ),
    ] = False,
    ladder: Annotated[
        Path | None,
        typer.Option(
            help="Hidden answers: write the headline alone, of a ladder whose state is this SQLite file; keep it from everybody."
        ),
    ] = None,
    submitter: Annotated[str | None, typer.Option(help="With --ladder: whose file it is, as the host knows.")] = None,
    most_files: Annotated[
        int | None, typer.Option(min=1, help="With --ladder: how many different files of one submitter are marked.")
    ] = None,
    most_scores: Annotated[
        int | None, typer.Option(min=1, help="With --ladder: how many scores are given out to all submitters together.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the report in an existing folder.")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Mark a prediction file: report.json, report.html and a table."""
    from earmark.cli.score_hidden import Hidden, require_alone, score_hidden
    from earmark.manifests.errors import DestinationExists, EarmarkError
    from earmark.manifests.findings import Findings
    from earmark.manifests.release import open_release
    from earmark.manifests.revisions.common import common_subset
    from earmark.scoring.face import score as mark
    from earmark.scoring.families import listed_marks
    from earmark.scoring.listing import FILE
    from earmark.scoring.measuring import Options

    for named in (file, human, *(beside or []), *(against or []), *(norm or [])):
        require_file(named)
    if out.exists() and not force:
        raise DestinationExists(f"{out} exists; choose another folder or replace the report in it with --force")
    opened = open_release(release, private=answers)
    asked = {
        "--common": common,
        "--human": human,
        "--paper": paper,
        "--with": beside,
        "--against": against,
        "--norm": norm,
        "--items": items,
        "--resamples": _is_given(context, "resamples"),
        "--seed": _is_given(context, "seed"),
        "--interval": _is_given(context, "interval"),
    }
    with_ladder = {"--submitter": submitter, "--most-files": most_files, "--most-scores": most_scores}
    if ladder is not None:
        hidden = Hidden(ladder, submitter, most_files, most_scores)
        require_alone(hidden, out, [name for name, given in asked.items() if given])
        score_hidden(opened, file, hidden, out, protocol=protocol, as_json=as_json, quiet=quiet)
        return
    if strange := [name for name, given in with_ladder.items() if given is not None]:
        raise EarmarkError(f"{strange[0]} goes with --ladder alone")
    if items:
        listed_marks(opened)
    options = Options(resamples=resamples, seed=seed, method=interval.value)
    found = Findings()
    if common is not None:
        opened = common_subset(opened, open_release(common), found)
    scored = mark(
        opened,
        file,
        protocol=protocol,
        options=options,
        human=human,
        paper=paper,
        beside=beside or [],
        against=against or [],
        norms=norm or [],
    )
    scored.findings.extend(found)
    _write(opened, scored, out, items=items)
    if not (as_json or quiet):
        say(scored_text(opened, scored))
        say(f"report  {out / 'report.html'}")
        if items:
            say(f"items   {out / FILE}")
    extra: dict[str, Json] = {
        "report": scored.report.as_json(),
        "written": [str(out / name) for name in ("report.json", "report.html", *([FILE] if items else []))],
    }
    alone = human is None and not beside and not against
    report_findings(scored.findings, as_json=as_json, quiet=quiet, about=file if alone else None, extra=extra)


def _is_given(context: typer.Context, option: str) -> bool:
    """Whether an option was typed, and is not its default."""
    source = context.get_parameter_source(option)
    return source is not None and source.name == "COMMANDLINE"


def _write(release: Release, scored: Scored, out: Path, *, items: bool) -> None:
    """Write the report, and the table of items where it is asked for, beside its place and put it there when it is whole."""
    from tempfile import TemporaryDirectory

    from earmark.scoring.face import write_items, write_report

    out.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=out.parent, prefix=f".{out.name}.") as scratch:
        write_report(release, scored, Path(scratch))
        if items:
            write_items(release, scored, Path(scratch))
        out.mkdir(exist_ok=True)
        for path in sorted(Path(scratch).iterdir()):
            path.replace(out / path.name)


def scored_text(release: Release, scored: Scored) -> str:
    """What was marked, the figures people compare first, where the labels are from, and what none of it is for."""
    from earmark.cli.check import outcomes_text
    from earmark.manifests.report import OVERALL
    from earmark.pages.efficiency import efficiency_text
    from earmark.pages.purposes import out_of_scope_line
    from earmark.pages.shown import shown
    from earmark.pages.summary import beside_text, report_table
    from earmark.scoring.norms.marking import norm_notes

    manifest, report = release.manifest, scored.report
    judge = report.submission.get("judge")
    name = shown(str(judge.get("name") or "unnamed"), 60) if isinstance(judge, Mapping) else "unnamed"
    names = {facet.id: facet.name for facet in manifest.facets}
    return "\n".join(
        [
            f"{manifest.name} {manifest.version}, protocol {scored.decisions.owed.protocol}, judge {name}",
            outcomes_text(report.counts[OVERALL]),
            "",
            report_table(report, names),
            *([f"{beside}\n"] if (beside := beside_text(report)) else []),
            *norm_notes(report, names),
            *([took] if (took := efficiency_text(report)) else []),
            report.label_source,
            *([line] if (line := out_of_scope_line(report.use)) else []),
            "",
        ]
    )
