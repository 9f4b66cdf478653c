"""`earmark norm`: freeze the cohort that a standard score is relative to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from earmark.cli.console import AsJson, Quiet, say, say_json

if TYPE_CHECKING:
    from earmark.scoring.norms import Norm

app = typer.Typer(
    name="norm",
    help="Freeze the cohort that SEQ is relative to: named, versioned and hashed, so that no further judge changes a score.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _norm() -> None:
    """Freeze the cohort that SEQ is relative to: named, versioned and hashed, so that no further judge changes a score."""


@app.command(short_help="Freeze a norm from reports.")
def freeze(
    reports: Annotated[list[Path], typer.Argument(help="report.json of each system of the cohort, as score wrote it.")],
    out: Annotated[Path, typer.Option(help="File to write, JSON; must not exist.")],
    name: Annotated[str, typer.Option(help="Name of the norm: lower case, digits and hyphens.")],
    version: Annotated[str, typer.Option(help="Version: another cohort is another version.")] = "1.0.0",
    metric: Annotated[str, typer.Option(help="The share that is standardised.")] = "acc_traj",
    facet: Annotated[str, typer.Option(help="What it is over: overall, or one subscale.")] = "overall",
    note: Annotated[str, typer.Option(help="Where the numbers are from.")] = "",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Freeze the shares of right answers of several systems, each as its report has it."""
    from earmark.manifests.report import read_report
    from earmark.scoring.norms import freeze_reports, write_norm
    from earmark.scoring.norms.marking import limits_text
    from earmark.scoring.papers.beside import named_reports

    read = [(file, read_report(file)) for file in reports]
    cohort = [(named.judge, named.report) for named in named_reports(read)]
    norm = freeze_reports(name, version, cohort, metric=metric, facet=facet, note=note)
    write_norm(norm, out)
    if as_json:
        say_json({"norm": norm.id, "hash": norm.hash, "systems": len(norm.systems), "written": str(out)})
    elif not quiet:
        say(f"{norm_text(norm)}\n{limits_text(norm)}\nwritten  {out}")


def norm_text(norm: Norm) -> str:
    """A norm for people: what it is, its cohort from the best down, median and MAD."""
    from earmark.cli.tables import table

    ranked = sorted(norm.systems, key=lambda system: (-system.share, system.name))
    rows = [[system.name, f"{float(system.share):.4f}"] for system in ranked]
    middle = (
        "" if norm.median is None or norm.mad is None else f"median {float(norm.median):.4f}, MAD {float(norm.mad):.4f}"
    )
    return "\n".join(
        [
            f"norm {norm.id}: {norm.metric} of {norm.facet}, {len(norm.systems)} systems",
            table(["system", norm.metric], rows, right={1}),
            middle,
        ]
    )
