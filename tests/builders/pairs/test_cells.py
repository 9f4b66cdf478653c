"""Cells as a manifest keeps them: every pair is in one, whatever quotas, rules and blocks they come from."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.speech_miniatures import planned, recipe

from earmark.builders.making import Order, make
from earmark.builders.pairs.cells import Wanted, sorts
from earmark.builders.pairs.selections import Stratum
from earmark.manifests.canonical import Json
from earmark.manifests.errors import Refused
from earmark.validation.invariants import validate

SPEAKERS = ("same", "different", "any")
SEXES = ("female", "male", "mixed", "either", "any")
strata = st.builds(Stratum, st.sampled_from(SPEAKERS), st.sampled_from(SEXES))
OF_SEX = {"any": {"female", "male", "mixed", "unknown"}, "either": {"female", "male"}}
OF_SPEAKERS = {"any": {"same", "different"}}


def pairs_of(speakers: str, sex: str) -> set[tuple[str, str]]:
    """What pairs a sort has, by hand."""
    return {(a, b) for a in OF_SPEAKERS.get(speakers, {speakers}) for b in OF_SEX.get(sex, {sex})}


@given(st.lists(st.tuples(strata, st.sampled_from(("sad", "happy"))), max_size=8))
def test_no_pair_is_of_two_sorts_and_each_sort_covers_its_cells(drawn: list[tuple[Stratum, str]]) -> None:
    cells = [Wanted("b", "style", "main", target, "non_tie", "same", stratum, None, 1) for stratum, target in drawn]
    found = sorts(cells)
    for cell, sort in zip(cells, found, strict=True):
        assert sort[:4] == cell.sort[:4]
        assert pairs_of(cell.stratum.speakers, cell.stratum.sex) <= pairs_of(*sort[4:])
    for one, other in combinations(sorted(set(found)), 2):
        assert one[:4] != other[:4] or not pairs_of(*one[4:]) & pairs_of(*other[4:])
    for alone in cells:
        assert sorts([alone]) == [alone.sort]


CASES: dict[str, dict[str, Json]] = {
    "an odd quota of two sexes": {"age": {"non_tie": {"same": 5, "cross": 7}, "both_good": {}, "both_bad": {}}},
    "one speaker of known sex": {"style": {"non_tie": {"same": "all"}, "speakers": "same"}},
    "blocks whose shares of one-speaker pairs differ": {
        "style": {"targets": ["whisper"], "non_tie": {"same": "all"}, "both_good": {}, "both_bad": {"same": "all"}},
        "b": {
            "criterion": "style",
            "corpora": ["expresso"],
            "targets": ["happy"],
            "non_tie": {"same": 4},
            "both_good": {"same": 4},
            "both_bad": {"same": 8},
        },
    },
    "blocks that split theirs differently": {
        "gender": {"non_tie": {"cross": "all"}, "both_good": {"cross": 3}},
        "b": {"criterion": "gender", "corpora": ["libritts"], "non_tie": {"cross": 4}, "speakers": "any"},
        "c": {
            "criterion": "age",
            "corpora": ["svc"],
            "non_tie": {"cross": 5},
            "targets": ["9-16"],
            "sexes": "balanced",
        },
        "d": {"criterion": "age", "corpora": ["libritts"], "non_tie": {"cross": "all"}, "targets": ["9-16"]},
    },
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_built_is_sound(case: str, clean_corpora: Path, tmp_path: Path) -> None:
    blocks = CASES[case]
    made = recipe(
        pairing={"preset": "paper", "blocks": list(blocks), "allow_shortfall": True},
        blocks={name: {"total": None, **block} if isinstance(block, dict) else block for name, block in blocks.items()},
        rules={"same_sex": ["age", "style"]},
    )
    order = Order(family="pairs", recipe=made, base=clean_corpora, out=tmp_path / "out")
    release = make(order, lambda *_: None).release
    assert release is not None
    assert not validate(release).failed


ODD: dict[str, Json] = {"age": {"non_tie": {"same": 5}, "both_good": {}, "both_bad": {}, "total": None}}
HARD: dict[str, Json] = {
    "rate": {"non_tie": {"same": "all"}, "total": None},
    "b": {"criterion": "rate", "variant": "other", "corpora": ["ears"], "non_tie": {"same": "all"}},
}


@pytest.mark.parametrize("blocks", [ODD, HARD], ids=["an odd quota", "two variants"])
def test_a_pair_is_not_asked_twice_about_one_target(blocks: dict[str, Json], clean_corpora: Path) -> None:
    """What a cap of one pair for two clips prevents."""
    pairing: dict[str, Json] = {"preset": "paper", "blocks": list(blocks), "allow_shortfall": True}
    caps: dict[str, Json] = {criterion: {"clip": 50, "clip_pair": 9} for criterion in ("age", "rate")}
    with pytest.raises(Refused) as refused:
        planned(clean_corpora, pairing=pairing, blocks=blocks, caps=caps)
    assert refused.value.findings.counts["pairs.pair-twice"]
    plan, findings = planned(clean_corpora, pairing=pairing, blocks=blocks)
    assert plan.tables["items"]
    assert not findings.failed


@pytest.mark.parametrize("variant", ["", "silence", "level", "identical"])
def test_a_block_is_not_called_as_a_control(variant: str, clean_corpora: Path) -> None:
    with pytest.raises(Refused, match="1 error"):
        planned(clean_corpora, pairing={"preset": "all"}, blocks={"style": {"variant": variant}})
