"""Presets: quotas and caps that a recipe starts from, a TOML file each."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files

from earmark.manifests.canonical import Json

NAMES = ("crossed", "paper", "all")

_SUMMED = {"targets", "non_tie", "both_good", "both_bad"}
"""The fields of a block that decide its total."""


def with_preset(recipe: Mapping[str, Json]) -> Mapping[str, Json]:
    """A recipe whose blocks and caps stand on those of its preset; what the recipe says wins, field by field.

    The preset's total is the sum of its own quotas and targets: a block that names others is held to its own total, or to none.
    A section that is not a table is left for the recipe's own check to name, and so is a preset that does not exist.

    Args:
        recipe: The recipe as plain values.
    """
    pairing = recipe.get("pairing", {})
    name = pairing.get("preset", NAMES[0]) if isinstance(pairing, Mapping) else NAMES[0]
    if name not in NAMES:
        return {"blocks": {}, **recipe}
    text = files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    preset: Mapping[str, Json] = tomllib.loads(text)
    merged = dict(recipe)
    for section in ("blocks", "caps"):
        merged[section] = _over(recipe.get(section, {}), preset[section])
    return merged


def _over(given: Json, preset: Json) -> Json:
    if not isinstance(given, Mapping) or not isinstance(preset, Mapping):
        return given
    merged = dict(preset)
    for name, value in given.items():
        before = preset.get(name, {})
        if isinstance(value, Mapping) and isinstance(before, Mapping):
            kept = {field: old for field, old in before.items() if field != "total" or not value.keys() & _SUMMED}
            merged[name] = {**kept, **value}
        else:
            merged[name] = value
    return merged
