"""Recipes of panels: the commented default, and what is wrong with others."""

from __future__ import annotations

import tomllib

import pytest

from earmark.builders.panels.recipe import DEFAULT_RECIPE, PRESETS, panel_recipe, preset
from earmark.manifests.canonical import Json
from earmark.manifests.errors import Refused, UnknownName


def test_the_default_is_a_recipe_and_its_comments_are_too() -> None:
    default = panel_recipe(tomllib.loads(DEFAULT_RECIPE))
    assert default.panel.names == ("rater-1", "rater-2", "rater-3", "rater-4", "rater-5", "rater-6")
    lines = [line.removeprefix("# ") if " = " in line else line for line in DEFAULT_RECIPE.splitlines()]
    full = panel_recipe(tomllib.loads("\n".join(lines)))
    assert full.quotas.facets == {"S0": 20, "S3": 0}
    assert full.panel.protocol == "both-orders"


def test_numbers_of_raters_are_as_wide_as_the_last() -> None:
    assert panel_recipe({"panel": {"name": "p", "raters": 10}, "quotas": {}}).panel.names[0] == "rater-01"
    assert panel_recipe({"panel": {"name": "p", "raters": ["ann"]}, "quotas": {}}).panel.names == ("ann",)


@pytest.mark.parametrize(
    ("sections", "says"),
    [
        ({"panel": {"name": "p", "raters": ["ann", "Ann"]}}, "differ by more than capitals"),
        ({"panel": {"name": "p", "raters": ["../ann"]}}, "must match"),
        ({"panel": {"name": "p", "raters": 0}}, "1 to 1000"),
        ({"panel": {"name": "p", "seed": -1}}, "must be in 0"),
        ({"panel": {"name": "p/q"}}, "must match"),
        ({"quotas": {"items": -1}}, "at least 0"),
        ({"quotas": {"facets": {"S0": -2}}}, "-2 items"),
        ({"balance": {"columns": ["gold", "gold"]}}, "each must stand once"),
        ({"checks": {"controls": -1}}, "0 or more"),
        ({"quotas": {"groups": -1}}, "-1 items"),
        ({"quotas": {"items": 1, "groups": 1}}, "give one of them"),
        ({"form": {"choose": False}}, "nothing is asked"),
        ({"form": {"criteria": [{"slug": "a", "asks": "?"}, {"slug": "a", "asks": "!"}]}}, "'a' stands twice"),
        ({"form": {"criteria": [{"slug": "a", "asks": "Is it $scale?"}]}}, "$ stands only in $facet"),
        ({"form": {"criteria": [{"slug": "a"}]}}, "asks"),
        ({"page": {"colour": "red"}}, "colour"),
        ({"extra": {}}, "panel, quotas, balance, form, checks, page"),
    ],
)
def test_what_is_wrong_is_said(sections: dict[str, Json], says: str) -> None:
    with pytest.raises(Refused) as caught:
        panel_recipe({"panel": {"name": "p"}, "quotas": {}, **sections})
    assert says in " ".join(finding.text() for finding in caught.value.findings)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_recipes(name: str) -> None:
    assert panel_recipe(tomllib.loads(preset(name))).panel.name == name


def test_no_such_preset() -> None:
    with pytest.raises(UnknownName, match="there is parapair-human, speecheq-experts, speecheq-ranking"):
        preset("../recipe")
