"""`earmark power`: how many units it takes to tell two judges apart."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from earmark.cli.console import AsJson, Quiet, require_file, say, say_json

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.scoring.power.units_needed import Power


def power(
    release: Annotated[Path, typer.Option(help="Folder of the release, private side included.")],
    delta: Annotated[
        float, typer.Option(min=0.01, max=100, help="Difference of two judges' headlines to be found, in points.")
    ],
    beside: Annotated[
        list[Path] | None,
        typer.Option(
            "--with", help="A prediction file; two of them say how often judges differ, and how alike within a speaker."
        ),
    ] = None,
    discordance: Annotated[
        float | None,
        typer.Option(
            min=0.001, max=1, help="Assume this share of units that exactly one gets right; 0.3 without files."
        ),
    ] = None,
    icc: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Assume this correlation of differences within a speaker; 0.1 without files."),
    ] = None,
    level: Annotated[float, typer.Option(min=0.0001, max=0.5, help="Level of the two-sided test.")] = 0.05,
    chance: Annotated[
        float, typer.Option("--power", min=0.5, max=0.9999, help="How likely the difference is to be found.")
    ] = 0.8,
    protocol: Annotated[str | None, typer.Option(help="Protocol whose units are meant.")] = None,
    answers: Annotated[Path | None, typer.Option(help="Private side, where it stands elsewhere.")] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Say how many units each facet needs to tell two judges apart, and what difference it can show with those it has."""
    from earmark.manifests.release import open_release
    from earmark.scoring.power.units_needed import power as power_of

    for file in beside or []:
        require_file(file)
    opened = open_release(release, private=answers)
    found = power_of(
        opened,
        delta / 100,
        files=beside or [],
        protocol=protocol,
        discordance=discordance,
        icc=icc,
        level=level,
        power=chance,
    )
    if as_json:
        say_json(found.as_json())
    elif not quiet:
        say(power_text(opened, found))


def power_text(release: Release, found: Power) -> str:
    """The same for people."""
    from earmark.cli.tables import table
    from earmark.pages.formats import metric_label
    from earmark.scoring.power.units_needed import GRID_DISCORDANCE, GRID_ICC

    manifest, points = release.manifest, f"{100 * found.delta:g} points"
    source = f"assumed: {', '.join(found.assumed)}" if found.assumed else "measured: discordance, icc"
    lines = [
        f"{manifest.name} {manifest.version}: {points} of {metric_label(release.family.headline)} between two judges, "
        f"two-sided level {found.level:g}, power {found.power:g}",
        f"icc {found.icc:.3f} ({source})",
        "",
        table(
            ["facet", "units", "speakers", "discordance", "design effect", "needed", "detectable, points", ""],
            [
                [
                    "all" if cell is found.overall else cell.facet,
                    str(cell.units),
                    "–" if cell.speakers is None else str(cell.speakers),
                    f"{cell.discordance:.3f}",
                    f"{cell.design_effect:.2f}",
                    "–" if cell.needed is None else str(cell.needed),
                    "–" if cell.detectable is None else f"{100 * cell.detectable:.1f}",
                    cell.reason or "",
                ]
                for cell in (*found.cells, found.overall)
            ],
            right={1, 2, 3, 4, 5, 6},
        ),
        "",
        f"all: the mean over facets, by which comparisons lead; icc {found.overall.icc:.3f} of whatever a speaker is in",
    ]
    if found.wide:
        lines += [
            "",
            "Units here have two speakers. This is for a test whose standard error is right; the intervals of earmark compare "
            "err on the wide side for such units, up to several times, and show less.",
        ]
    if found.grid:
        lines += [
            "",
            f"Units needed for {points} in a facet of average sharing, by discordance (across) and icc (down):",
            table(
                ["", *(f"{psi:g}" for psi in GRID_DISCORDANCE)],
                [[f"{rho:g}", *(str(found.grid[psi, rho] or "–") for psi in GRID_DISCORDANCE)] for rho in GRID_ICC],
                right={1, 2, 3, 4},
            ),
        ]
    return "\n".join(lines)
