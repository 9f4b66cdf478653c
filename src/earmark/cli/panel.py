"""`earmark panel`: human raters — draw the items, write the sheets, read what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from earmark.cli.console import AsJson, Destination, Quiet, named_folder, progress_bar, report_findings, say, say_json
from earmark.cli.panel_text import agreement_text, criteria_text, drawn_text, ranking_text
from earmark.cli.present import corpus_roots

if TYPE_CHECKING:
    from earmark.manifests.canonical import Json

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
    preset: Annotated[
        str | None, typer.Option(help="A recipe that comes with Earmark, such as parapair-human.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(callback=named_folder, help="Folder of the panel; must not exist.")
    ] = None,
    submissions: Annotated[
        list[Path] | None,
        typer.Option(
            "--submission", "--submissions", help="Prediction file of a system whose answers are ranked; repeatable."
        ),
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
    from earmark.scoring.panels.systems import systems_of

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
    opened, findings = open_release(release), Findings()
    systems = systems_of(opened, submissions, asked.panel.protocol, findings) if submissions else []
    drawn = draw_panel(opened, asked, findings, systems)
    _put(out, {PANEL_FILE: drawn.panel.text(), REPORT: json_text(drawn.as_json())})
    if not (as_json or quiet):
        say(drawn_text(drawn, out))
    extra: dict[str, Json] = {"panel": str(out), "report": drawn.as_json()}
    report_findings(findings, as_json=as_json, quiet=quiet, about=out, extra=extra)


@app.command(short_help="Write a rating page and a form for each rater.")
def sheet(
    panel: Annotated[Path, typer.Argument(help="Folder of the panel, as `draw` wrote it.")],
    release: Annotated[
        Path, typer.Option(help="Folder of the release that it was drawn from, or of a version after withdrawals.")
    ],
    out: Destination,
    audio: Annotated[Audio, typer.Option(help="Audio in the page or in a folder beside it; auto: by its size.")] = (
        Audio.auto
    ),
    corpus: Annotated[list[str] | None, typer.Option(help="NAME=DIR of a corpus, for a release without audio.")] = None,
    disputed: Annotated[
        list[Path] | None,
        typer.Option(help="A sheet of the first round: ask only what its raters disagree on; repeatable."),
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write a self-contained page and a CSV form for each rater; no answer is in them."""
    from earmark.builders.panels.sheets import write_sheets
    from earmark.cli.tables import pairs
    from earmark.manifests.errors import EarmarkError
    from earmark.manifests.findings import Findings
    from earmark.manifests.panels import read_panel
    from earmark.manifests.release import open_release
    from earmark.scoring.panels.rounds import disputed as of_round_1
    from earmark.scoring.panels.sheets import read_sheets

    opened, drawn, only = open_release(release), read_panel(panel), None
    if disputed:
        # What is wrong with the sheets is for `read` to say; here it asks for no second round.
        only = of_round_1(drawn.left_in(opened), read_sheets(opened, drawn, disputed, Findings()))
        if not only:
            raise EarmarkError("the raters disagree on nothing: there is no second round")
    with progress_bar(quiet=quiet or as_json) as progress:
        written = write_sheets(
            opened, drawn, out, audio=audio.value, roots=corpus_roots(corpus), progress=progress, only=only
        )
    if as_json:
        raters: list[Json] = list(written.raters)
        said: dict[str, Json] = {"items": written.items, "clips": written.clips, "withdrawn": written.withdrawn}
        say_json({"raters": raters, **said, "embedded": written.embedded})
    elif not quiet:
        files = [(f"  {rater}.html", f"and {rater}.csv, {written.items} questions") for rater in written.raters]
        if not written.embedded:
            files.append(("  audio/", f"{written.clips} clips; send it along with every page"))
        since = f"; {written.withdrawn} items of the panel were withdrawn since" if written.withdrawn else ""
        say(f"{out}: sheets of {len(written.raters)} raters, no answer{since}\n{pairs(files)}")


@app.command(short_help="Read filled sheets: ratings and agreement.")
def read(
    sheets: Annotated[list[Path], typer.Argument(help="Files that raters sent back, one for each.")],
    panel: Annotated[Path, typer.Option(help="Folder of the panel, as `draw` wrote it.")],
    release: Annotated[
        Path, typer.Option(help="Folder of the release that it was drawn from, or of a version after withdrawals.")
    ],
    out: Destination,
    reconciled: Annotated[
        list[Path] | None,
        typer.Option(help="A sheet of a second round, after raters discussed what they disagreed on; repeatable."),
    ] = None,
    submissions: Annotated[
        list[Path] | None,
        typer.Option(
            "--submission", "--submissions", help="Prediction file of a ranked system, to set metrics beside people."
        ),
    ] = None,
    resamples: Annotated[int, typer.Option(min=100, max=1_000_000, help="Bootstrap replicates.")] = 2000,
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Seed of the bootstrap.")] = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write ratings.csv, which `earmark score --human` reads, and agreement.json; of a form or a ranking its figures too."""
    from earmark.manifests.canonical import json_text
    from earmark.manifests.errors import DestinationExists
    from earmark.manifests.findings import Findings
    from earmark.manifests.panels import read_panel
    from earmark.manifests.release import open_release
    from earmark.scoring.measuring import Options
    from earmark.scoring.panels.agreement import measure_agreement, ratings_csv
    from earmark.scoring.panels.criteria import measure_criteria
    from earmark.scoring.panels.failures import withdrawals_csv, withdrawals_text
    from earmark.scoring.panels.rankings import measure_ranking
    from earmark.scoring.panels.rounds import reconciled as in_the_end
    from earmark.scoring.panels.sheets import read_sheets

    if out.exists():
        raise DestinationExists(f"{out} exists; choose another folder")
    opened, whole, findings = open_release(release), read_panel(panel), Findings()
    options = Options(resamples=resamples, seed=seed)
    rated, last = read_sheets(opened, whole, sheets, findings), None
    if reconciled:
        last = in_the_end(rated, read_sheets(opened, whole, reconciled, findings, round_2=True), findings)
    drawn = whole.left_in(opened)
    agreement = measure_agreement(opened, drawn, rated, options)
    files = {"agreement.json": json_text(agreement.as_json())}
    if drawn.chooses:
        files["ratings.csv"] = ratings_csv(rated)
    said = [agreement_text(drawn, agreement)]
    extra: dict[str, Json] = {"agreement": agreement.as_json()}
    if drawn.criteria:
        criteria = measure_criteria(opened, drawn, rated, last, options)
        files["criteria.json"] = json_text(criteria.as_json())
        files["withdraw.csv"] = withdrawals_csv(criteria.failures)
        files["withdraw.txt"] = withdrawals_text(criteria.failures)
        said.append(criteria_text(criteria))
        extra["criteria"] = criteria.as_json()
    if drawn.systems:
        ranking = measure_ranking(opened, drawn, rated if last is None else last, submissions or [], findings, options)
        files["ranking.json"] = json_text(ranking.as_json())
        said.append(ranking_text(ranking))
        extra["ranking"] = ranking.as_json()
    _put(out, files)
    if not (as_json or quiet):
        say("\n".join(said))
    extra["written"] = [str(out / name) for name in files]
    report_findings(findings, as_json=as_json, quiet=quiet, extra=extra)


def _put(out: Path, files: Mapping[str, str]) -> None:
    """Write a folder of texts, whole or not at all."""
    from earmark.manifests.scratch import scratch_beside

    with scratch_beside(out) as folder:
        folder.mkdir()
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
