"""`earmark build`: make a release from a recipe."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from earmark.cli.console import AsJson, Quiet, progress_bar, report_findings, say
from earmark.cli.tables import table

if TYPE_CHECKING:
    from earmark.manifests.canonical import Json


def build(
    family: Annotated[str, typer.Argument(help="Family of the release, such as stance.")],
    recipe: Annotated[Path | None, typer.Option(help="Recipe, TOML.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the release; must not exist.")] = None,
    media: Annotated[bool, typer.Option("--media", help="Also cut the clips' audio into the public side.")] = False,
    rate: Annotated[
        int | None, typer.Option(min=8000, max=192000, help="Rate of that audio in Hz; the corpus's own without.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Clips cut at a time.")] = 1,
    key: Annotated[Path | None, typer.Option(help="Key of the release line, 32 bytes; a fresh one without.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue an earlier run.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Move an existing release aside.")] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first error instead of dropping what is bad.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Plan and report, write nothing.")] = False,
    print_recipe: Annotated[
        bool, typer.Option("--print-recipe", help="Print a commented default recipe and stop.")
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Make a release: plan, cut, write, validate, and only then give it its name."""
    from earmark.builders.making import Order, builder, make, plan_only
    from earmark.builders.recipes import read_toml

    if print_recipe:
        say(builder(family).DEFAULT_RECIPE.rstrip())
        return
    if recipe is None or (out is None and not dry_run):
        raise typer.BadParameter("--recipe and --out are needed; --print-recipe prints a recipe to start from")
    order = Order(
        family=family,
        recipe=read_toml(recipe),
        base=recipe.parent,
        out=out or Path("unused"),
        key=key,
        media=media or rate is not None,
        media_rate=rate,
        jobs=jobs,
        resume=resume,
        force=force,
        strict=strict,
    )
    with progress_bar(quiet=quiet or as_json) as progress:
        made = plan_only(order, progress) if dry_run else make(order, progress)
    if not (as_json or quiet):
        say(as_text(made.report))
    report_findings(made.findings, as_json=as_json, quiet=quiet, extra={"report": made.report})


def as_text(report: Mapping[str, Json], indent: str = "") -> str:
    """A build's report for people: counts as lines, lists of records as tables."""
    lines = []
    for name, value in report.items():
        label = f"{indent}{name.replace('_', ' ')}"
        records = [entry for entry in value if isinstance(entry, Mapping)] if isinstance(value, list | tuple) else []
        if records:
            header = list(records[0])
            rows = [[_cell(record.get(column)) for column in header] for record in records]
            lines += [f"{label}:", table([column.replace("_", " ") for column in header], rows)]
        elif isinstance(value, Mapping):
            lines += [f"{label}:", as_text(value, indent + "  ")] if value else [f"{label}: none"]
        else:
            lines.append(f"{label}: {_cell(value)}")
    return "\n".join(lines)


def _cell(value: Json) -> str:
    match value:
        case None:
            return "—"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.4g}"
        case Mapping():
            return ", ".join(f"{name} {_cell(entry)}" for name, entry in value.items())
        case _:
            return str(value)
