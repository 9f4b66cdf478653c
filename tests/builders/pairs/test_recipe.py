"""A recipe's tables are each checked by themselves, and all that is wrong is said at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.speech_miniatures import planned, recipe

from earmark.builders.pairs.presets import with_preset
from earmark.builders.pairs.recipe import check_pairs_recipe
from earmark.manifests.canonical import Json
from earmark.manifests.errors import Refused


def refused(sections: dict[str, Json]) -> dict[str | None, str | None]:
    """What is found of each section."""
    with pytest.raises(Refused) as error:
        check_pairs_recipe(with_preset(recipe(pairing={}, **sections)))
    assert set(error.value.findings.counts) == {"recipe.section"}
    return {finding.id: finding.found for finding in error.value.findings}


def test_every_wrong_table_is_named() -> None:
    corpora: dict[str, Json] = {"ears": {"root": "EARS\0"}, "svc": [], "expresso": {"root": "expresso"}}
    blocks: dict[str, Json] = {"style": {"non_tie": {"other": 3}}, "rate": 5, "x": {"bogus": 1}, "gender": {}}
    caps: dict[str, Json] = {"style": {"clip": 9, "often": 1}, "nothing": {}, "age": {"clip": 1}}
    found = refused({"corpora": corpora, "blocks": blocks, "caps": caps, "controls": {"level": -1}})
    assert set(found) == {
        *("[corpora.ears]", "[corpora.svc]", "[blocks.style]", "[blocks.rate]", "[blocks.x]", "[caps.style]"),
        *("[caps]", "[controls]"),
    }
    assert "non_tie" in str(found["[blocks.style]"])


@pytest.mark.parametrize("name", ["clip", "clip_pair", "speaker"])
@pytest.mark.parametrize("cap", [0, -1, 2**63, 10**30])
def test_an_impossible_cap(name: str, cap: int) -> None:
    found = refused({"caps": {"style": {name: cap}}})
    assert set(found) == {"[caps.style]"}
    assert str(cap) in str(found["[caps.style]"])


@pytest.mark.parametrize(
    "block",
    [
        {"mixed_weight": 10**30},
        {"mixed_weight": -1},
        {"most_per_target": 0},
        {"most_per_target": 10**30},
        {"foils": {"default": 10**30, "other": 1}},
        {"foils": {"default": 1, "other": -1}},
        {"non_tie": {"same": 10**30}},
        {"nearest": 0},
    ],
)
def test_numbers_out_of_range(block: dict[str, Json]) -> None:
    assert set(refused({"blocks": {"style": block}})) == {"[blocks.style]"}


def test_a_split_that_no_corpus_has_is_found_beside_the_others(clean_corpora: Path) -> None:
    corpora: dict[str, Json] = {
        "ears": {"root": "EARS", "splits": ["nope"]},
        "libritts": {"root": "LibriTTS", "splits": ["../x"]},
    }
    with pytest.raises(Refused) as error:
        planned(clean_corpora, pairing={"preset": "all", "blocks": ["rate", "gender-books"]}, corpora=corpora)
    assert {"ears.unknown-split", "pairs.unknown-split"} <= set(error.value.findings.counts)


def test_controls_that_cannot_be_had_are_a_shortfall(clean_corpora: Path) -> None:
    pairing: dict[str, Json] = {"preset": "all", "blocks": ["rate"]}
    controls: dict[str, Json] = {"silence": 1000}
    with pytest.raises(Refused) as error:
        planned(clean_corpora, pairing=pairing, controls=controls)
    assert error.value.findings.counts["pairs.too-few-controls"] == 1
    plan, findings = planned(clean_corpora, pairing={**pairing, "allow_shortfall": True}, controls=controls)
    assert findings.counts["pairs.too-few-controls-allowed"] == 1
    assert not findings.failed
    assert 0 < sum(row["facet"] == "control" for row in plan.tables["items"]) < 1000


def test_a_block_without_quotas_is_named(clean_corpora: Path) -> None:
    empty: dict[str, Json] = {"criterion": "style", "corpora": ["expresso"], "variant": "other", "non_tie": {"same": 0}}
    pairing: dict[str, Json] = {"preset": "all", "blocks": ["rate", "x"]}
    _, findings = planned(clean_corpora, pairing=pairing, blocks={"x": empty})
    assert findings.counts["pairs.no-quota"] == 1
