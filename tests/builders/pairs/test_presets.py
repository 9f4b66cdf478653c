"""Presets: the paper's counts are the paper's, the crossed ones cross, and what a recipe says wins."""

from __future__ import annotations

import pytest

from earmark.builders.pairs.presets import NAMES, with_preset
from earmark.builders.pairs.recipe import ALL, DEFAULT_RECIPE, Block, PairsRecipe, check_pairs_recipe
from earmark.builders.recipes import check_recipe
from earmark.manifests.canonical import Json
from earmark.manifests.errors import Refused

HEAD: dict[str, Json] = {"release": {"name": "x", "version": "1.0.0"}, "corpora": {"expresso": {"root": "e"}}}


def recipe(**sections: Json) -> PairsRecipe:
    return check_recipe(with_preset({**HEAD, **sections}), PairsRecipe)


def pairs_of(block: Block, kinds: tuple[str, ...]) -> int:
    """Pairs over all targets; those about words share one quota."""
    return sum(int(n) for (kind, _), n in block.quotas.items() if kind in kinds) * len(block.targets or ("words",))


def test_the_paper_preset_demands_table_1() -> None:
    blocks = recipe(pairing={"preset": "paper"}).blocks
    non_tie = {name: pairs_of(block, ("non_tie",)) for name, block in blocks.items()}
    good = {name: pairs_of(block, ("both_good",)) for name, block in blocks.items()}
    bad = {name: pairs_of(block, ("both_bad",)) for name, block in blocks.items()}
    assert non_tie == {"style": 720, "rate": 375, "emphasis": 415, "age": 750, "gender": 500}
    assert good == {"style": 360, "rate": 0, "emphasis": 0, "age": 375, "gender": 250}
    assert bad == {"style": 360, "rate": 0, "emphasis": 445, "age": 375, "gender": 250}
    assert sum(non_tie.values()) == 2_760
    assert sum(good.values()) + sum(bad.values()) == 2_415
    assert {name: block.total for name, block in blocks.items()} == {
        name: non_tie[name] + good[name] + bad[name] for name in blocks
    }


def test_the_crossed_preset_has_every_kind_in_both_transcripts_in_equal_numbers() -> None:
    for name, block in recipe().blocks.items():
        for kind in {kind for kind, _ in block.quotas}:
            if name != "rate":
                assert block.quota(kind, "same") == block.quota(kind, "cross") != 0
        assert block.total == pairs_of(block, ("non_tie", "both_good", "both_bad"))


@pytest.mark.parametrize("name", NAMES)
def test_every_preset_is_a_recipe(name: str) -> None:
    made = recipe(pairing={"preset": name})
    assert {block.named(key) for key, block in made.blocks.items()} == {"style", "rate", "emphasis", "age", "gender"}
    assert all(block.quotas for block in made.blocks.values())


def test_a_recipe_wins_field_by_field_and_adds_blocks() -> None:
    made = recipe(
        blocks={"style": {"targets": ["sad"], "total": 240}, "more": {"criterion": "age", "corpora": ["svc"]}},
        caps={"style": {"speaker": 7}},
    )
    assert made.blocks["style"].targets == ("sad",)
    assert made.blocks["style"].quota("non_tie", "same") == 60
    assert made.blocks["more"].named("more") == "age"
    assert (made.caps["style"].clip, made.caps["style"].speaker) == (9, 7)


@pytest.mark.parametrize("field", ["targets", "non_tie", "both_good", "both_bad"])
def test_a_block_of_other_quotas_is_not_held_to_the_total_of_the_preset(field: str) -> None:
    value: Json = ["sad"] if field == "targets" else {"same": 8}
    assert recipe(blocks={"style": {field: value}}).blocks["style"].total is None
    assert recipe(blocks={"style": {field: value, "total": 5}}).blocks["style"].total == 5
    assert recipe(blocks={"style": {"sexes": "any"}}).blocks["style"].total == recipe().blocks["style"].total


def test_the_printed_recipe_is_the_default_one() -> None:
    import tomllib

    printed = check_recipe(with_preset(tomllib.loads(DEFAULT_RECIPE)), PairsRecipe)
    made = recipe()
    assert printed.blocks == made.blocks
    assert printed.caps == made.caps
    assert printed.rules == made.rules
    assert printed.pairing == made.pairing
    assert printed.controls == made.controls
    assert printed.prompts == made.prompts


WRONG: dict[str, dict[str, Json]] = {
    "[pairing]": {"pairing": {"preset": "papers"}},
    "[corpora]": {"corpora": {"vctk": {"root": "v"}}},
    "[blocks]": {"blocks": {"style": {"non_tie": {"same": -1}}}},
    "[caps]": {"caps": {"stile": {"clip": 3}}},
    "[rules]": {"rules": {"one_corpus": "yes"}},
    "[controls]": {"controls": {"gain": 3.0}},
}


def test_everything_that_is_wrong_is_said_at_once() -> None:
    sections: dict[str, Json] = {}
    for wrong in WRONG.values():
        sections |= wrong
    with pytest.raises(Refused) as refused:
        check_recipe(with_preset({**HEAD, **sections}), PairsRecipe)
    assert {finding.id for finding in refused.value.findings} >= WRONG.keys() - {"[blocks]"}


@pytest.mark.parametrize(
    "block",
    [
        {"non_tie": {"same": -1}},
        {"non_tie": {"same": "most"}},
        {"non_tie": {"sames": 1}},
        {"foils": {"default": 0}},
        {"foils": {"sad": 1}},
        {"targets": ["sad", "sad"]},
        {"mixed_weight": -1},
        {"corpora": ["vctk"]},
        {"speakers": "two"},
    ],
)
def test_a_block_that_cannot_be_is_refused(block: dict[str, Json]) -> None:
    with pytest.raises(Refused) as refused:
        recipe(blocks={"style": block})
    assert [finding.id for finding in refused.value.findings] == ["[blocks]"]


def test_a_field_that_is_not_known_is_told_those_that_are() -> None:
    wrong: dict[str, Json] = {"blocks": {"style": {"nontie": {"same": 1}}}, "controls": {"silent": 1}}
    with pytest.raises(Refused) as refused:
        check_pairs_recipe(with_preset({**HEAD, **wrong}))
    told = {finding.id: finding.expected for finding in refused.value.findings}
    assert told.keys() == {"[blocks.style]", "[controls]"}
    assert "non_tie, both_good" in str(told["[blocks.style]"])
    assert told["[controls]"] == "one of identical, level, silence, gain"


def test_a_quota_of_all_is_no_number() -> None:
    assert recipe(pairing={"preset": "all"}).blocks["style"].quota("non_tie", "same") == ALL
