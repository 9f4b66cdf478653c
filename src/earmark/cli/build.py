"""`earmark build`: make a release from a recipe."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from earmark.cli.console import AsJson, Quiet, complain, named_folder, progress_bar, report_findings, say, say_json

if TYPE_CHECKING:
    from earmark.builders.making import Made, Order
    from earmark.manifests.canonical import Json

_OPTIONS = {("rubric", "file"): "rubric", ("adopt", "root"): "from-speecheq"}
"""Options that are not called as the field of the recipe that they win over."""


def build(
    family: Annotated[str, typer.Argument(help="Family of the release: stance, pairs or dialogues.")],
    recipe: Annotated[Path | None, typer.Option(help="Recipe, TOML.")] = None,
    out: Annotated[
        Path | None, typer.Option(callback=named_folder, help="Folder of the release; must not exist.")
    ] = None,
    rubric: Annotated[
        Path | None, typer.Option(help="Rubric in place of the recipe's, such as StanceBench's questions_main.json.")
    ] = None,
    mapping: Annotated[Path | None, typer.Option(help="Role mapping in place of the recipe's, TOML.")] = None,
    templates: Annotated[
        Path | None, typer.Option(help="Prompt templates in place of the recipe's, TOML; of pairs and dialogues.")
    ] = None,
    preset: Annotated[str | None, typer.Option(help="Preset of quotas in place of the recipe's; of pairs.")] = None,
    allow_shortfall: Annotated[
        bool,
        typer.Option(
            "--allow-shortfall", help="Make the release though quotas are not filled; of pairs and dialogues."
        ),
    ] = False,
    max_cost: Annotated[
        float | None,
        typer.Option(min=0, help="Most US dollars that calls may cost, earlier runs included; of dialogues."),
    ] = None,
    from_speecheq: Annotated[
        Path | None,
        typer.Option(help="Folder of SpeechEQ's own dialogues, in place of new ones; of dialogues."),
    ] = None,
    media: Annotated[bool, typer.Option("--media", help="Also cut the clips' audio into the public side.")] = False,
    rate: Annotated[
        int | None,
        typer.Option(
            min=8000, max=192_000, help="Rate of that audio in Hz, which implies --media; the corpus's without."
        ),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, max=1024, help="Clips cut at a time.")] = 1,
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
    print_templates: Annotated[
        bool, typer.Option("--print-templates", help="Print the prompt templates and stop; of pairs and dialogues.")
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Make a release: plan, cut, write, validate, and only then give it its name."""
    from earmark.builders.making import Order, builder
    from earmark.builders.recipes import read_toml
    from earmark.manifests.errors import EarmarkError

    if print_recipe:
        text = builder(family).DEFAULT_RECIPE
        say_json({"recipe": text}) if as_json else say(text.rstrip())
        return
    if print_templates:
        templates_text = getattr(builder(family), "DEFAULT_TEMPLATES", None)
        if not isinstance(templates_text, str):
            raise EarmarkError(f"{family} has no templates to print")
        say_json({"templates": templates_text}) if as_json else say(templates_text.rstrip())
        return
    needless = recipe is None and getattr(builder(family), "NEEDS_NO_RECIPE", False)
    if (recipe is None and not needless) or (out is None and not dry_run):
        wanted = "--out is needed" if needless else "--recipe and --out are needed"
        raise EarmarkError(f"{wanted}; --print-recipe prints a recipe to start from")
    files = {
        ("rubric", "file"): rubric,
        ("dimensions", "mapping"): mapping,
        ("prompts", "templates"): templates,
        ("adopt", "root"): from_speecheq,
    }
    quotas = "dialogues" if family == "dialogues" else "pairing"
    values: dict[tuple[str, str], Json] = {
        ("pairing", "preset"): preset,
        (quotas, "allow_shortfall"): allow_shortfall or None,
        ("ledger", "max_cost"): max_cost,
    }
    told = read_toml(recipe) if recipe else _default_recipe(family)
    for (section, name), value in {**files, **values}.items():
        # A value of a section that the family lacks would be a finding about a recipe that says no such thing.
        if value is not None and section not in told and f"[{section}]" not in builder(family).DEFAULT_RECIPE:
            option = _OPTIONS.get((section, name), name)
            raise EarmarkError(
                f"--{option.replace('_', '-')} says nothing of {family}, whose recipes have no [{section}]"
            )
    order = Order(
        family=family,
        recipe=with_values(with_files(told, files), values),
        base=recipe.parent if recipe else Path(),
        out=out or Path("release"),
        key=key,
        media=media or rate is not None,
        media_rate=rate,
        jobs=jobs,
        resume=resume,
        force=force,
        strict=strict,
    )
    made = _make(order, dry_run=dry_run, silent=quiet or as_json)
    if not (as_json or quiet):
        say(made_text(made))
    report_findings(
        made.findings, as_json=as_json, quiet=quiet, about=(recipe or family) if dry_run else out, extra=_extra(made)
    )


def with_files(recipe: Mapping[str, Json], given: Mapping[tuple[str, str], Path | None]) -> Mapping[str, Json]:
    """A recipe in which files named on the command line, relative to where it is typed, win over its own.

    Args:
        recipe: The recipe.
        given: By section and field, the file, None where none was given.
    """
    resolved = {place: None if file is None else str(file.resolve()) for place, file in given.items()}
    return with_values(recipe, resolved)


def with_values(recipe: Mapping[str, Json], given: Mapping[tuple[str, str], Json]) -> Mapping[str, Json]:
    """A recipe in which what was said on the command line wins over its own.

    Args:
        recipe: The recipe.
        given: By section and field, the value, None where none was given.
    """
    changed = dict(recipe)
    for (section, name), value in given.items():
        before = changed.get(section, {})
        # A section that is no table is left for the recipe's own check to name.
        if value is not None and isinstance(before, Mapping):
            changed[section] = {**before, name: value}
    return changed


def _default_recipe(family: str) -> Mapping[str, Json]:
    """What is built where no recipe is given, of a family whose default names nobody's folders."""
    import tomllib

    from earmark.builders.making import builder

    value: Mapping[str, Json] = tomllib.loads(builder(family).DEFAULT_RECIPE)
    return value


def _make(order: Order, *, dry_run: bool, silent: bool) -> Made:
    """Do it; if somebody stops it, say what is left."""
    from earmark.builders.making import make, placed, plan_only
    from earmark.manifests.building import partial_of

    partial = partial_of(order.out)
    try:
        with progress_bar(quiet=silent) as progress:
            return plan_only(order, progress) if dry_run else make(order, progress)
    except KeyboardInterrupt:
        if not dry_run and partial.exists():
            complain(f"{partial} holds what was done; --resume continues it")
        elif not dry_run and (folder := placed(order).folder) is not None and folder.is_dir():
            complain(f"{folder} holds what was done; the same command continues it")
        raise


def made_text(made: Made) -> str:
    """What was made and what its builder reports, for people."""
    from earmark.cli.report_text import report_text

    if made.release is None:
        head = "planned only; nothing was written"
    else:
        from earmark.cli.info import sizes

        manifest = made.release.manifest
        head = f"{made.release.path}: {manifest.name} {manifest.version}, {sizes(manifest)}"
    return f"{head}\n\n{report_text(made.report)}\n"


def _extra(made: Made) -> dict[str, Json]:
    """What a machine is told besides the findings."""
    if made.release is None:
        return {"report": made.report, "release": None}
    manifest = made.release.manifest
    return {
        "report": made.report,
        "release": {
            "path": str(made.release.path),
            "name": manifest.name,
            "version": manifest.version,
            "content_hash": manifest.content_hash,
        },
    }
