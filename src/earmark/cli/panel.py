"""`earmark panel`: human raters — draw the items, write the sheets, read what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from earmark.cli.console import AsJson, Destination, Quiet, named_folder, progress_bar, report_findings, say, say_json
from earmark.cli.present import corpus_roots

if TYPE_CHECKING:
    from earmark.builders.panels.draw import Draw
    from earmark.manifests.canonical import Json
    from earmark.manifests.panels import Panel
    from earmark.scoring.agreement import Agreement

app = typer.Typer(
    name="panel",
    help="Human raters: draw the items, write the rating sheets, read what comes back.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

REPORT = "report.json"
"""Name of the file that says how a panel was drawn; not for raters."""


class Audio(StrEnum):
    """Where the audio of a sheet is."""

    auto = "auto"
    embed = "embed"
    beside = "beside"


@app.command(short_help="Draw which items people rate.")
def draw(
    release: Annotated[Path | None, typer.Argument(help="Folder of the release, private side included.")] = None,
    recipe: Annotated[Path | None, typer.Option(help="Recipe of the panel, TOML.")] = None,
    preset: Annotated[str | None, typer.Option(help="A recipe that comes with Earmark: parapair-human.")] = None,
    out: Annotated[
        Path | None, typer.Option(callback=named_folder, help="Folder of the panel; must not exist.")
    ] = None,
    print_recipe: Annotated[
        bool, typer.Option("--print-recipe", help="Print a commented recipe, or that of --preset, and stop.")
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Draw items by keyed hash under exact quotas, as evenly over the columns of the answers as whole numbers allow."""
    import tomllib

    from earmark.builders.panels.draw import draw_panel
    from earmark.builders.panels.recipe import DEFAULT_RECIPE, panel_recipe
    from earmark.builders.panels.recipe import preset as known
    from earmark.builders.recipes import read_toml
    from earmark.manifests.canonical import json_text
    from earmark.manifests.errors import DestinationExists, EarmarkError
    from earmark.manifests.findings import Findings
    from earmark.manifests.panels import PANEL_FILE
    from earmark.manifests.release import open_release

    text = DEFAULT_RECIPE if preset is None else known(preset)
    if print_recipe:
        say_json({"recipe": text}) if as_json else say(text.rstrip())
        return
    if release is None or out is None or (recipe is None) == (preset is None):
        raise EarmarkError(
            "a release, --out and either --recipe or --preset are needed; --print-recipe prints a recipe"
        )
    if out.exists():
        raise DestinationExists(f"{out} exists; choose another folder")
    value = tomllib.loads(text) if recipe is None else read_toml(recipe)
    asked = panel_recipe(value, file=None if recipe is None else recipe.name)
    findings = Findings()
    drawn = draw_panel(open_release(release), asked, findings)
    _put(out, {PANEL_FILE: drawn.panel.text(), REPORT: json_text(drawn.as_json())})
    if not (as_json or quiet):
        say(drawn_text(drawn, out))
    extra: dict[str, Json] = {"panel": str(out), "report": drawn.as_json()}
    report_findings(findings, as_json=as_json, quiet=quiet, about=out, extra=extra)


@app.command(short_help="Write a rating page and a form for each rater.")
def sheet(
    panel: Annotated[Path, typer.Argument(help="Folder of the panel, as `draw` wrote it.")],
    release: Annotated[Path, typer.Option(help="Folder of the release that it was drawn from.")],
    out: Destination,
    audio: Annotated[Audio, typer.Option(help="Audio in the page or in a folder beside it; auto: by its size.")] = (
        Audio.auto
    ),
    corpus: Annotated[list[str] | None, typer.Option(help="NAME=DIR of a corpus, for a release without audio.")] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write a self-contained page and a CSV form for each rater; no answer is in them."""
    from earmark.builders.panels.sheets import write_sheets
    from earmark.cli.tables import pairs
    from earmark.manifests.panels import read_panel
    from earmark.manifests.release import open_release

    opened = open_release(release)
    with progress_bar(quiet=quiet or as_json) as progress:
        written = write_sheets(
            opened, read_panel(panel), out, audio=audio.value, roots=corpus_roots(corpus), progress=progress
        )
    if as_json:
        raters: list[Json] = list(written.raters)
        say_json({"raters": raters, "items": written.items, "clips": written.clips, "embedded": written.embedded})
    elif not quiet:
        files = [(f"  {rater}.html", f"and {rater}.csv, {written.items} items") for rater in written.raters]
        if not written.embedded:
            files.append(("  audio/", f"{written.clips} clips; send it along with every page"))
        say(f"{out}: sheets of {len(written.raters)} raters, no answer\n{pairs(files)}")


@app.command(short_help="Read filled sheets: ratings and agreement.")
def read(
    sheets: Annotated[list[Path], typer.Argument(help="Files that raters sent back, one for each.")],
    panel: Annotated[Path, typer.Option(help="Folder of the panel, as `draw` wrote it.")],
    release: Annotated[Path, typer.Option(help="Folder of the release that it was drawn from.")],
    out: Destination,
    resamples: Annotated[int, typer.Option(min=100, max=1_000_000, help="Bootstrap replicates.")] = 2000,
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Seed of the bootstrap.")] = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write ratings.csv, which `earmark score --human` reads, and agreement.json."""
    from earmark.manifests.canonical import json_text
    from earmark.manifests.errors import DestinationExists
    from earmark.manifests.findings import Findings
    from earmark.manifests.panels import read_panel
    from earmark.manifests.release import open_release
    from earmark.scoring.agreement import measure_agreement, ratings_csv
    from earmark.scoring.measuring import Options
    from earmark.scoring.sheets import read_sheets

    if out.exists():
        raise DestinationExists(f"{out} exists; choose another folder")
    opened, drawn, findings = open_release(release), read_panel(panel), Findings()
    rated = read_sheets(opened, drawn, sheets, findings)
    agreement = measure_agreement(opened, drawn, rated, Options(resamples=resamples, seed=seed))
    _put(out, {"agreement.json": json_text(agreement.as_json()), "ratings.csv": ratings_csv(rated)})
    if not (as_json or quiet):
        say(agreement_text(drawn, agreement))
    written: list[Json] = [str(out / "agreement.json"), str(out / "ratings.csv")]
    extra: dict[str, Json] = {"agreement": agreement.as_json(), "written": written}
    report_findings(findings, as_json=as_json, quiet=quiet, extra=extra)


def _put(out: Path, files: Mapping[str, str]) -> None:
    """Write a folder beside its place and put it there when it is whole."""
    from tempfile import TemporaryDirectory

    out.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=out.parent, prefix=f".{out.name}.") as scratch:
        folder = Path(scratch) / out.name
        folder.mkdir()
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
        folder.replace(out)


def drawn_text(drawn: Draw, out: Path) -> str:
    """What was drawn of each cell, for people."""
    from earmark.cli.tables import table

    panel = drawn.panel
    rows = [
        [
            cell.facet,
            " ".join(cell.cell),
            str(cell.available),
            str(cell.drawn),
            ", ".join(f"{n} {label}" for label, n in cell.positions.items()),
        ]
        for cell in drawn.cells
    ]
    header = ["facet", " ".join(drawn.columns), "available", "drawn", "position"]
    return "\n".join(
        [
            f"{out}: {panel.name}, {len(panel.entries)} items of {panel.release} for {len(panel.raters)} raters",
            "",
            table(header, rows, right={2, 3}),
            "",
            "Raters get the sheets only: this folder tells whose an id is and how the answers are spread.",
            "",
        ]
    )


def agreement_text(panel: Panel, agreement: Agreement) -> str:
    """Who rated, and how they agree, for people."""
    from earmark.cli.tables import table

    names = list(dict.fromkeys(entry.metric for entry in agreement.metrics))
    facets = list(dict.fromkeys(entry.facet for entry in agreement.metrics))
    rows = [[facet, *(_value(agreement, name, facet) for name in names)] for facet in facets]
    came = [
        [
            rater,
            str(counts["ok"]),
            str(_said(counts) - int(str(counts["ok"]))),
            str(counts["missing"]),
            str(counts["owed"]),
            _check_text(counts["checks"]),
        ]
        for rater, counts in agreement.raters.items()
    ]
    return "\n".join(
        [
            f"{panel.name}: {len(agreement.raters)} of {len(panel.raters)} raters",
            "",
            table(["rater", "counted", "not counted", "missing", "owed", "checks"], came, right={1, 2, 3, 4, 5}),
            "",
            table(["", *(name.replace("_", " ") for name in names)], rows, right=set(range(1, len(names) + 1))),
            "",
        ]
    )


def _value(agreement: Agreement, metric: str, facet: str) -> str:
    entry = agreement.find(metric, facet)
    return "-" if entry is None or entry.value is None else f"{entry.value:.3f}"


def _said(counts: Mapping[str, Json]) -> int:
    """How many of a rater's questions have a row, whether or not it counts."""
    return int(str(counts["owed"])) - int(str(counts["missing"]))


def _check_text(checks: Json) -> str:
    if not isinstance(checks, Mapping) or checks["right"] is None:
        return "-"
    return f"{checks['right']} of {checks['of']}"
