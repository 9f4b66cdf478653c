"""What must hold in a stance release besides: poles match roles, clips have their lengths, and the sample is the recipe's."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import pairwise
from math import floor as whole_part
from typing import TYPE_CHECKING

import msgspec

from earmark.manifests import keys
from earmark.manifests.families.stance import NEGATIVE, POSITIVE
from earmark.manifests.families.stance_recipe import StoredRecipe, stored_recipe
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.release import MANIFEST
from earmark.manifests.rows import Row, optional_text, real, text, truth, wholes
from earmark.validation.contents import Contents, Invariant

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from earmark.validation.strategies.sketches import Sketch

RECIPE = declare("stance.recipe", Severity.ERROR, "the manifest's recipe is not that of a stance release")
POLE = declare("stance.pole", Severity.ERROR, "the gold is not the pole that the mapping gives the role")
CLIPS = declare("stance.clips", Severity.ERROR, "an item has other clips than its dimension's mode asks for")
PARTNER = declare("stance.partner", Severity.ERROR, "context and target are not two speakers of one conversation")
LENGTH = declare("stance.length", Severity.ERROR, "a clip has more or less speech than the recipe allows")
SHARED = declare("stance.shared-speech", Severity.ERROR, "two items of one speaker and dimension share target speech")
SAMPLE = declare("stance.sample", Severity.ERROR, "the sample is not what recipe and key make of the population")
UNSAMPLED = declare("stance.unsampled", Severity.ERROR, "an item is from a conversation that was not drawn")

SLACK_S = 0.001
"""Speech is counted in whole samples and limits in seconds."""


def _read_recipe(contents: Contents) -> StoredRecipe | None:
    """The recipe in the manifest, or None where it has not the form, which `_recipe_is_one` reports."""
    try:
        return stored_recipe(contents.release.manifest)
    except msgspec.ValidationError:
        return None


def _recipe_is_one(contents: Contents, findings: Findings) -> None:
    try:
        stored_recipe(contents.release.manifest)
    except msgspec.ValidationError as error:
        findings.add(RECIPE, file=MANIFEST, found=str(error), expected="the resolved recipe of a stance release")


def _poles_match_roles(contents: Contents, findings: Findings) -> None:
    recipe = _read_recipe(contents)
    if recipe is None:
        return
    gold: dict[tuple[str, str], str] = {}
    for dimension in recipe.mapping.dimension:
        for pole, side in ((POSITIVE, dimension.positive), (NEGATIVE, dimension.negative)):
            gold |= {(dimension.id, role): pole for role in side.roles}
    for row in contents.rows("answers"):
        item, role = text(row, "item_id"), text(row, "role")
        expected = gold.get((contents.facets.get(item, ""), role))
        if text(row, "gold") != expected:
            found = f"{role} of {contents.facets.get(item)} is {row['gold']}"
            findings.add(
                POLE, file="answers.parquet", id=item, found=found, expected=expected or "a role of the dimension"
            )


def _clips_fit_the_mode(contents: Contents, findings: Findings) -> None:
    recipe = _read_recipe(contents)
    if recipe is None:
        return
    modes = {dimension.id: dimension.mode for dimension in recipe.mapping.dimension}
    roles: dict[str, list[str]] = defaultdict(list)
    clip_in: dict[tuple[str, str], str] = {}
    for row in contents.rows("item_clips"):
        roles[text(row, "item_id")].append(text(row, "role"))
        clip_in[text(row, "item_id"), text(row, "role")] = text(row, "clip_id")
    for row in contents.rows("items"):
        item = text(row, "item_id")
        expected = ["target"] if modes.get(text(row, "facet")) == "single" else ["context", "target"]
        if sorted(roles[item]) != expected:
            found = ", ".join(sorted(roles[item])) or "none"
            findings.add(CLIPS, file="item_clips.parquet", id=item, found=found, expected=", ".join(expected))
        elif len(expected) > 1:
            target, context = (contents.sources.get(clip_in[item, role]) for role in ("target", "context"))
            if target is None or context is None:
                continue
            same = optional_text(target, "conversation") == optional_text(context, "conversation")
            if not same or text(target, "speaker") == text(context, "speaker"):
                found = " and ".join(f"{row['speaker']} in {row['conversation']}" for row in (context, target))
                findings.add(PARTNER, file="item_clips.parquet", id=item, found=found)


def _lengths_are_allowed(contents: Contents, findings: Findings) -> None:
    recipe = _read_recipe(contents)
    if recipe is None:
        return
    limits = recipe.segments
    modes = {dimension.id: dimension.mode for dimension in recipe.mapping.dimension}
    for row in contents.rows("item_clips"):
        source = contents.sources.get(text(row, "clip_id"))
        if source is None:
            continue
        single = modes.get(contents.facets.get(text(row, "item_id"), "")) == "single"
        if text(row, "role") == "context":
            low, high = limits.context_least_s, limits.context_most_s
        elif single:
            low, high = limits.single_tail_s, limits.single_most_s
        else:
            low, high = limits.target_least_s, limits.target_most_s
        active = real(source, "active")
        if not low - SLACK_S <= active <= high + SLACK_S:
            expected = f"{low:g} to {high:g} s of speech"
            findings.add(
                LENGTH, file="sources.parquet", id=text(row, "clip_id"), found=f"{active:.3f}", expected=expected
            )


def _no_speech_is_judged_twice(contents: Contents, findings: Findings) -> None:
    spans: dict[tuple[str, str], list[tuple[int, int, str]]] = defaultdict(list)
    for row in contents.rows("item_clips"):
        source, item = contents.sources.get(text(row, "clip_id")), text(row, "item_id")
        if text(row, "role") != "target" or source is None:
            continue
        place = contents.facets.get(item, ""), text(source, "path")
        spans[place] += [(start, end, item) for start, end in _spans(source)]
    for taken in spans.values():
        taken.sort()
        for (_, end, first), (start, _, second) in pairwise(taken):
            if start < end:
                findings.add(SHARED, file="sources.parquet", id=second, found=f"speech of {first}")


def _sample_is_the_recipes(contents: Contents, findings: Findings) -> None:
    recipe = _read_recipe(contents)
    key, seed = contents.key, contents.release.manifest.seed
    if recipe is None or key is None:
        return
    drawn = {text(row, "id") for row in contents.rows("selection") if truth(row, "drawn")}
    for clip, source in contents.sources.items():
        if optional_text(source, "conversation") not in drawn:
            found = optional_text(source, "conversation")
            findings.add(UNSAMPLED, file="sources.parquet", id=clip, found=found)
    if recipe.sample.method != "hash":
        return  # the reference's procedure is a stream of positions in a table that the release does not hold
    strata: dict[str, set[str]] = defaultdict(set)
    chosen: dict[str, set[str]] = defaultdict(set)
    for row in contents.rows("selection"):
        strata[text(row, "stratum")].add(text(row, "id"))
        if truth(row, "drawn"):
            chosen[text(row, "stratum")].add(text(row, "id"))
    for stratum, ids in sorted(strata.items()):
        quota = whole_part(Fraction(str(recipe.sample.share)) * len(ids) + Fraction(1, 2))
        count = max(0, min(len(ids), max(quota, recipe.sample.floor)))
        if contents.release.manifest.withdrawn is not None:
            # Conversations that were withdrawn count no more, and none is drawn in their place: the rest keeps its ranks.
            count = min(count, len(chosen[stratum]))
        expected = set(keys.choose(ids, count, key=key, seed=seed, stratum="sample"))
        for id in sorted(expected ^ chosen[stratum]):
            found = "drawn" if id in chosen[stratum] else "not drawn"
            findings.add(SAMPLE, file="selection.parquet", id=f"{stratum} {id}", found=found)


def _spans(source: Row) -> list[tuple[int, int]]:
    return list(zip(wholes(source, "starts"), wholes(source, "ends"), strict=False))


INVARIANTS: tuple[Invariant, ...] = (
    Invariant("stance-recipe", "The manifest holds the resolved recipe of a stance release.", False, _recipe_is_one),
    Invariant("stance-poles", "The gold is the pole that the mapping gives the role.", True, _poles_match_roles),
    Invariant("stance-clips", "Items have the clips of their dimension's mode.", True, _clips_fit_the_mode),
    Invariant("stance-lengths", "Every clip has as much speech as the recipe allows.", True, _lengths_are_allowed),
    Invariant("stance-speech", "No two items of a dimension share target speech.", True, _no_speech_is_judged_twice),
    Invariant(
        "stance-sample", "The sample is what recipe and key make of the population.", True, _sample_is_the_recipes
    ),
)
"""What this family adds."""


def sketches(key: bytes) -> SearchStrategy[Sketch]:
    """How `strategies.releases("stance")` draws a release; needs Hypothesis."""
    from earmark.validation.strategies.stance import sketches as drawn

    return drawn(key)
