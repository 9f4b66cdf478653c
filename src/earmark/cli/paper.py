"""`earmark paper`: what a paper printed, beside what Earmark gives, and what the paper's own filters do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from earmark.cli.console import AsJson, Quiet, report_findings, say

if TYPE_CHECKING:
    from earmark.manifests.canonical import Json
    from earmark.manifests.findings import Findings
    from earmark.scoring.decisions import Decisions
    from earmark.scoring.papers.beside import Comparison, NamedReport
    from earmark.scoring.papers.records import Cell, Paper, Section, Walk


PAGE = "tables.html"
"""The page of a paper's tables."""


def paper(
    name: Annotated[str, typer.Argument(help="The paper: stancebench, parapair or speecheq.")],
    reports: Annotated[
        list[Path] | None,
        typer.Option("--reports", help="A report.json to set beside the printed figures; repeatable."),
    ] = None,
    release: Annotated[
        Path | None, typer.Option(help="Folder of a release, to show what each filter does on it.")
    ] = None,
    submission: Annotated[
        list[Path] | None, typer.Option("--submission", help="Prediction file for that release; repeatable.")
    ] = None,
    answers: Annotated[
        Path | None, typer.Option(help="Private side of the release, where it stands elsewhere.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for tables.html: the paper's tables, and the reports in the same form.")
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Set a paper's figures beside ours, cell by cell; exit 1 on a difference that nothing explains."""
    from earmark.manifests.findings import Findings
    from earmark.scoring.papers import paper_named
    from earmark.scoring.papers.beside import beside, read_reports, report_differences

    chosen = paper_named(name)
    if (release is None) != (not submission):
        raise typer.BadParameter("--release and --submission go together")
    if release is not None and chosen.follow is None:
        raise typer.BadParameter(
            f"paper {chosen.name} has no filters to show on a submission; --reports takes its report"
        )
    if out is not None and chosen.page is None:
        raise typer.BadParameter(f"paper {chosen.name} has no tables to write")
    findings = Findings()
    named = read_reports(chosen, reports or [])
    cells = chosen.cells()
    report_differences(chosen, cells, findings)
    walks = chosen.example()
    if release is not None:
        walks += _follow(chosen, release, answers, submission or [], findings)
    compared, sections = beside(chosen, named), chosen.sections()
    if out is not None and chosen.page is not None:
        _write(out, chosen.page([(one.judge, one.report) for one in named]))
    extra: dict[str, Json] = {}
    if as_json:
        from earmark.scoring.papers.beside import as_plain

        extra = as_plain(chosen, cells, walks, compared, sections)
    elif not quiet:
        parts = [_cells_text(chosen, cells)]
        parts += [_walks_text(chosen, walks)] if walks else []
        parts += [_section_text(section) for section in sections]
        # Printed tables stand above already, cell by cell; without a report there is nothing to set beside them again.
        parts += [_printed_text(chosen, named, compared)] if named or not chosen.worked else []
        parts += [f"Tables: {out / PAGE}"] if out is not None else []
        say("\n\n".join(part if part.startswith("Tables: ") else f"{n}. {part}" for n, part in enumerate(parts, 1)))
    report_findings(findings, as_json=as_json, quiet=quiet, extra=extra)


def _write(out: Path, page: str) -> None:
    """Write the page of tables."""
    out.mkdir(parents=True, exist_ok=True)
    (out / PAGE).write_text(page, encoding="utf-8", newline="\n")


def _follow(
    chosen: Paper, folder: Path, answers: Path | None, files: Sequence[Path], findings: Findings
) -> tuple[Walk, ...]:
    """What each filter does to the user's submissions."""
    from earmark.manifests.release import open_release
    from earmark.scoring.face import read, require_true_tables
    from earmark.scoring.papers import require_family

    release = open_release(folder) if answers is None else open_release(folder, private=answers)
    require_family(chosen, release)
    require_true_tables(release)
    decided: list[tuple[str, Decisions]] = [(str(file), read(release, file, None, findings)[1]) for file in files]
    return () if chosen.follow is None else chosen.follow(release, decided)


def _cells_text(chosen: Paper, cells: Sequence[Cell]) -> str:
    from earmark.cli.tables import table

    rows = []
    for before, cell in zip([None, *cells], cells, strict=False):
        case = "" if before is not None and before.case == cell.case else cell.case
        verdict = cell.problem or cell.why or "same"
        rows.append(
            [
                case,
                cell.quantity,
                cell.printed,
                _short(cell.paper, cell.places, whole=cell.decimals is not None),
                _short(cell.default, cell.places, whole=cell.decimals is not None),
                verdict,
            ]
        )
    differing = sum(cell.problem is not None for cell in cells)
    slips = sum(cell.problem is None and cell.corrected is not None for cell in cells)
    explained = sum(cell.problem is None and bool(cell.why) for cell in cells) - slips
    known = [f"{slips} known slips of print"] if slips else []
    known += [f"{explained} where the default differs on purpose"] if explained or not slips else []
    title = chosen.worked or f"Worked values of {chosen.name}'s own code beside ours"
    head = [
        f"{title} ({chosen.means})",
        "",
        table(["input", "quantity", *chosen.columns, "difference"], rows, right={2, 3, 4}),
        "",
        f"{len(cells)} values; {'; '.join(known)}; {differing} unexplained.",
    ]
    return "\n".join(head)


def _walks_text(chosen: Paper, walks: Sequence[Walk]) -> str:
    from earmark.cli.tables import table

    lines = [f"What each filter of {chosen.name} does to a figure"]
    for walk in walks:
        rows = [
            [
                step.name.replace("_", " "),
                str(step.removed) if step.removed else "",
                str(step.kept),
                _short(step.auroc),
                _short(step.consistency),
                step.means,
            ]
            for step in walk.steps
        ]
        header = ["after", "removed", "left", "AUROC", "consistency", "which is"]
        lines += ["", f"{walk.submission}, {walk.facet}", table(header, rows, right={1, 2, 3, 4})]
    return "\n".join(lines)


def _section_text(section: Section) -> str:
    from earmark.cli.tables import table

    lines = [section.title, "", table(section.head, section.rows, right=set(section.right))]
    return "\n".join([*lines, *(["", section.note] if section.note else [])])


def _printed_text(chosen: Paper, named: Sequence[NamedReport], compared: Sequence[Comparison]) -> str:
    from earmark.cli.tables import table

    rows = [
        [
            one.printed.facet or "all",
            one.printed.metric.replace("_", " "),
            one.printed.judge,
            one.printed_text,
            *one.shown,
            one.printed.place + (f" ({one.printed.note})" if one.printed.note else ""),
        ]
        for one in compared
    ]
    judges = [report.judge for report in named]
    header = ["facet", "figure", "whose", "printed", *judges, "where in the paper"]
    lines = [
        f"Figures {'printed in the tables' if chosen.worked else 'in the prose'} of {chosen.name}'s paper"
        + (" beside the reports given" if named else ""),
        "",
        table(header, rows, right=set(range(3, 4 + len(judges)))),
        "",
        chosen.caveat,
    ]
    return "\n".join(lines)


def _short(value: float | None, places: int = 4, *, whole: bool = False) -> str:
    """A figure with so many decimals, and without zeros at its end unless the whole of it is wanted."""
    if value is None or whole:
        return "-" if value is None else f"{value:.{places}f}"
    return f"{value:.{places}f}".rstrip("0").rstrip(".") if value else "0"
