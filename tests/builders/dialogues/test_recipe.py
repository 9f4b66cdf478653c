"""The recipe: the default is one, everything wrong is said at once, and files start from the recipe's folder."""

from __future__ import annotations

import re
import tomllib

import msgspec
import pytest

from earmark.builders.dialogues.recipe import (
    DEFAULT_RECIPE,
    DialoguesRecipe,
    check_dialogues_recipe,
)
from earmark.builders.recipes import ReleaseSection
from earmark.manifests.errors import Refused


def test_the_default_says_what_holds_without_it() -> None:
    checked = check_dialogues_recipe(tomllib.loads(DEFAULT_RECIPE))
    plain = DialoguesRecipe(release=ReleaseSection(name="my-dialogues", version="1.0.0", seed=1))
    assert checked == plain


def test_every_field_of_every_section_is_in_the_default() -> None:
    """As a value or as a comment, so that whoever starts from it sees what there is; of servers and checks, not all."""
    apart = {"server", "text", "pools", "checks", "form", "seed", "temperature", "most_tokens", "tries", "templates"}
    apart |= {"model", "server", "first_s", "most_s", "tries"}
    for section in msgspec.structs.fields(DialoguesRecipe):
        if section.encode_name == "prices":
            continue
        assert f"[{section.encode_name}]" in DEFAULT_RECIPE
        record = section.type
        for field in msgspec.structs.fields(record):
            if field.encode_name not in apart:
                assert re.search(rf"^(# )?{field.encode_name} = ", DEFAULT_RECIPE, re.MULTILINE), field.encode_name


def test_what_is_commented_out_can_be_used() -> None:
    """Each commented line is TOML of the section it stands in, but for [adopt], which stands in place of the others."""
    import tomllib

    lines = [re.sub(r"^# (?=[a-z_]+ = |\[)", "", line) for line in DEFAULT_RECIPE.splitlines()]
    value = tomllib.loads("\n".join(lines))
    for section, record in (("author", "openai"), ("oracle", "openai"), ("voice", "openai")):
        value[section]["provider"] = record
    value["words"]["engine"] = "faster-whisper"
    checked = check_dialogues_recipe(value)
    assert set(checked.prices) == {"gpt-4o-2024-11-20", "gpt-4o-mini-tts-2025-03-20"}
    assert checked.ledger.max_cost == 25.0
    assert checked.adopt.root == "speecheq"


def test_everything_wrong_is_said_at_once() -> None:
    wrong = {
        "release": {"name": "x", "version": "1"},
        "dialogues": {"per_subscale": 0, "valences": ["Sad"]},
        "voice": {"provider": "openai"},
        "gate": {"most": -1},
        "words": {"engine": "faster-whisper"},
        "ledger": {"concurrency": 0},
        "prices": {"gpt": {"per_minute": -1.0}, "tts": {"per_hour": 1.0}, "fine": {}},
        "presentations": {"chains": []},
        "corpus": {},
    }
    with pytest.raises(Refused) as refused:
        check_dialogues_recipe(wrong)
    ids = {finding.id for finding in refused.value.findings}
    assert ids == {f"[{section}]" for section in wrong if section != "prices"} | {"[prices.'gpt']", "[prices.'tts']"}
    texts = " ".join(finding.text() for finding in refused.value.findings)
    assert "per_subscale 0" in texts
    assert "per_million_characters" in texts, "which fields a price has is said"
