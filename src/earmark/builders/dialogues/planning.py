"""The plan of a release of dialogues: make them, or adopt those of others, and write down what a judge is sent of them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

from earmark.builders.contrast.profile import NAMES, shipped
from earmark.builders.dialogues.adopting.adopt import adopt
from earmark.builders.dialogues.adopting.words import with_words
from earmark.builders.dialogues.folders import at_base
from earmark.builders.dialogues.makers import Cell
from earmark.builders.dialogues.making.production import Production, beginning
from earmark.builders.dialogues.quotas import demand
from earmark.builders.dialogues.recipe import DialoguesRecipe, check_dialogues_recipe
from earmark.builders.dialogues.releasing.affect import affect_by_path, with_affect
from earmark.builders.dialogues.releasing.plan import release_plan
from earmark.builders.dialogues.releasing.prompts import read_templates
from earmark.builders.dialogues.voiced import NOT_STATED, Voiced
from earmark.builders.dialogues.voicing.report import MACHINE
from earmark.builders.dialogues.voicing.spoken import Origin
from earmark.builders.measuring_cache import cache_folder
from earmark.builders.media import Progress
from earmark.builders.plan import Plan
from earmark.builders.recipes import ReleaseSection
from earmark.manifests.canonical import Json, json_text
from earmark.manifests.findings import Findings, Severity, declare

SHORTFALL = declare("dialogues.shortfall", Severity.ERROR, "quotas are not filled, and the recipe does not allow that")


def plan(
    recipe: Mapping[str, Json], base: Path, key: bytes, findings: Findings, progress: Progress
) -> tuple[ReleaseSection, Plan]:
    """Make the plan of a release.

    Args:
        recipe: The recipe as plain values; `[work] folder` is named in it, see `earmark.builders.dialogues.folders`.
        base: Folder that its relative paths start from.
        key: The release line's key.
        findings: Where problems go.
        progress: Told how far it is.

    Raises:
        Refused: If recipe or templates cannot be used, or a quota is not filled and the recipe does not allow that.
        EarmarkError: If a limit of cost is reached, or a server cannot be used.
    """
    checked = at_base(check_dialogues_recipe(recipe), base)
    with beginning(findings):
        templates = read_templates(_path(checked.prompts.templates), findings)
    affect = _path(checked.affect.file)
    heard = None if affect is None else affect_by_path(affect)  # before anything is paid for
    if checked.adopt.root is not None:
        voiced = _adopted(checked, base, Path(checked.adopt.root), findings, progress)
    else:
        from earmark.builders.dialogues.making.dialogues import make_dialogues

        voiced = make_dialogues(production_of(checked, base, key), findings=findings, progress=progress)
        _check_quotas(checked, voiced, findings)
    before = findings.count(Severity.ERROR)
    if affect is not None and heard is not None:
        voiced = with_affect(voiced, heard, findings, file=affect.name)
    made = release_plan(
        voiced, templates, release=checked.release, presentations=checked.presentations, key=key, findings=findings
    )
    if findings.count(Severity.ERROR) > before:
        findings.require_none()
    return checked.release, made


def price(recipe: Mapping[str, Json], base: Path, findings: Findings) -> Mapping[str, Json] | None:
    """What a build would ask of servers and cost at most; nothing is sent, written or rendered.

    Args:
        recipe: The recipe as plain values.
        base: Folder that its relative paths start from.
        findings: Where problems go.

    Returns:
        None where dialogues are adopted: that costs nothing, and the plan itself says more.

    Raises:
        Refused: If recipe or templates cannot be used.
    """
    checked = at_base(check_dialogues_recipe(recipe), base)
    with beginning(findings):
        read_templates(_path(checked.prompts.templates), findings)
    if checked.adopt.root is not None:
        return None
    from earmark.builders.dialogues.making.quoting import price_dialogues

    return price_dialogues(production_of(checked, base, bytes(32)), findings)


def production_of(recipe: DialoguesRecipe, base: Path, key: bytes) -> Production:
    """What is to be made by a recipe.

    Clips have ids by the release's name and the first number of its version: later versions of the data keep them.

    Args:
        recipe: The recipe, its files starting from `base`.
        base: Folder that a profile's file starts from.
        key: The release key.

    Raises:
        Refused: If the profile of the gate cannot be used.
        EarmarkError: If a listener has no weights.
    """
    release = recipe.release
    return Production(
        dialogues=recipe.dialogues,
        author=recipe.author,
        oracle=recipe.oracle,
        voice=recipe.voice,
        gate=recipe.gate.gate(base),
        words=recipe.words.check(base),
        origin=Origin(
            corpus=release.name, version=release.version.partition(".")[0], licence=release.licence or NOT_STATED
        ),
        ledger=recipe.ledger,
        prices=recipe.prices,
        retries=recipe.retries,
        work=Path(recipe.work.folder or "dialogues.work"),
        key=key,
        seed=release.seed,
        jobs=_jobs(),
    )


def _adopted(recipe: DialoguesRecipe, base: Path, root: Path, findings: Findings, progress: Progress) -> Voiced:
    profile = recipe.gate.gate(base).profile
    beside = [shipped(name) for name in NAMES]
    check, cache = recipe.words.check(base), cache_folder()
    voiced = adopt(
        root, profile=profile, findings=findings, progress=progress, jobs=_jobs(), beside=beside, cache=cache
    )
    heard = with_words(voiced, check, cache=cache, findings=findings, progress=progress)
    return replace(heard, pages={MACHINE: json_text({"summary": cast("Json", heard.report)})})


def _check_quotas(recipe: DialoguesRecipe, voiced: Voiced, findings: Findings) -> None:
    """Stop where dialogues are lacking; which and why was said when they were made.

    Raises:
        Refused: If some are, and the recipe does not allow it.
    """
    filled = Counter(Cell(made.subscale, str(made.valence), str(made.type)) for made in voiced.dialogues)
    wanted = demand(recipe.dialogues)
    lacking = {cell: count - filled[cell] for cell, count in wanted.items() if filled[cell] < count}
    if lacking and not recipe.dialogues.allow_shortfall:
        found = f"{sum(lacking.values())} of {sum(wanted.values())} dialogues lacking, in {len(lacking)} cells"
        findings.add(SHORTFALL, id="[dialogues]", found=found, expected="more spare ones, or allow_shortfall = true")
        findings.require_none()


def _path(name: str | None) -> Path | None:
    return None if name is None else Path(name)


def _jobs() -> int:
    """Processes to measure with: what results are does not depend on it."""
    return os.cpu_count() or 1
