"""The rows of a release: complete, balanced, in no order that means anything, and silent about the answer."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.voiced import voiced_dialogues

from earmark.builders.dialogues.releasing.items import tables, written_row
from earmark.builders.dialogues.releasing.ordering import draw, full_name
from earmark.builders.dialogues.releasing.prompts import read_templates
from earmark.builders.dialogues.voiced import VoicedDialogue
from earmark.builders.plan import Rows
from earmark.manifests.declarations import AUDIO, MODALITIES, TRANSCRIPT
from earmark.manifests.families.dialogues import (
    CHAINS,
    DIALOGUES,
    DIRECT,
    REVERSED,
    SEQUENTIAL_2,
    SEQUENTIAL_4,
    STORED,
    TARGETS,
    UNLINKED,
    protocol_name,
)
from earmark.manifests.findings import Findings

KEY = bytes(range(32))
WORDS = read_templates(None, Findings())
ORDERS = (STORED, REVERSED)

few = settings(max_examples=25)


def rows_of(
    dialogues: list[VoicedDialogue],
    key: bytes = KEY,
    chains: tuple[str, ...] = (SEQUENTIAL_2, SEQUENTIAL_4, DIRECT),
    modalities: tuple[str, ...] = (AUDIO,),
) -> Mapping[str, Rows]:
    return tables(dialogues, WORDS, key=key, seed=1, chains=chains, modalities=modalities)


@few
@given(st.integers(0, 9), st.randoms(use_true_random=False), st.sets(st.sampled_from(list(CHAINS)), min_size=1))
def test_the_order_of_dialogues_chains_and_modalities_changes_nothing(
    count: int, dice: random.Random, chains: set[str]
) -> None:
    dialogues = voiced_dialogues(count)
    told, what = list(chains), [AUDIO, TRANSCRIPT]
    before = rows_of(dialogues, chains=tuple(told), modalities=tuple(what))
    for shuffled in (dialogues, told, what):
        dice.shuffle(shuffled)
    after = rows_of(dialogues, chains=tuple(told), modalities=tuple(what))
    assert before == after


def test_a_dialogue_more_changes_no_id_of_the_others() -> None:
    few_, many = rows_of(voiced_dialogues(6)), rows_of(voiced_dialogues(8))
    for name, id in {"items": "item_id", "clips": "clip_id", "prompts": "prompt_id"}.items():
        assert {str(row[id]) for row in few_[name]} < {str(row[id]) for row in many[name]}


def test_another_key_makes_other_ids_and_draws() -> None:
    mine, other = rows_of(voiced_dialogues(8)), rows_of(voiced_dialogues(8), key=bytes(32))
    for name, id in {"items": "item_id", "clips": "clip_id", "presentations": "presentation_id"}.items():
        assert not {row[id] for row in mine[name]} & {row[id] for row in other[name]}
    golds = [tuple(str(row["gold"]) for row in made["answers"]) for made in (mine, other)]
    assert golds[0] != golds[1]


@few
@given(st.integers(1, 23), st.integers(1, 3), st.binary(min_size=32, max_size=32))
def test_each_option_is_right_as_often_at_each_turn_of_a_subscale(count: int, subscales: int, key: bytes) -> None:
    made = rows_of(voiced_dialogues(count, subscales=subscales), key=key)
    gold = {row["item_id"]: row["gold"] for row in made["answers"]}
    assert len(gold) == 2 * count
    counts: defaultdict[tuple[object, object], Counter[object]] = defaultdict(Counter)
    for row in made["items"]:
        counts[row["facet"], row["target"]][gold[row["item_id"]]] += 1
    for count_of in counts.values():
        assert abs(count_of["first"] - count_of["second"]) <= 1
    for facet, target in product({facet for facet, _ in counts}, TARGETS):
        assert (facet, target) in counts


def test_turns_and_sequences_are_drawn_independently() -> None:
    """Over many keys a dialogue's three draws fall in each of the eight ways equally often."""
    dialogues = voiced_dialogues(6, subscales=1)
    ways = Counter(
        (drawn.turn_4, drawn.turn_6, drawn.crossed)
        for n in range(400)
        for drawn in [draw(dialogues, key=n.to_bytes(32, "big"), seed=1)[full_name(dialogues[0])]]
    )
    assert len(ways) == 8
    assert max(abs(count - 50) for count in ways.values()) < 4.5 * (400 * 1 / 8 * 7 / 8) ** 0.5


def test_an_odd_number_favours_no_option() -> None:
    """Of a single dialogue either option may be the right one."""
    one = voiced_dialogues(1)
    golds = {tuple(sorted((str(r["gold"])) for r in rows_of(one, key=bytes([n] * 32))["answers"])) for n in range(40)}
    assert golds == {("first", "first"), ("first", "second"), ("second", "second")}


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("modality", MODALITIES)
def test_each_protocol_is_complete(chain: str, modality: str) -> None:
    """Independently of how rows are made: the pairs of orders that each conversation has, and the two of each turn by itself."""
    made = rows_of(voiced_dialogues(3), chains=tuple(CHAINS), modalities=tuple({AUDIO, modality}))
    name = protocol_name(chain, modality)
    owed = [row for row in made["presentations"] if name in list(row["protocols"])]  # type: ignore[call-overload]  # a list
    assert {row["modality"] for row in owed} == {modality}
    by_id = {row["presentation_id"]: row for row in owed}
    target = {row["item_id"]: row["target"] for row in made["items"]}
    group = {row["item_id"]: row["group"] for row in made["items"]}
    ways: defaultdict[object, list[tuple[object, object]]] = defaultdict(list)
    for row in owed:
        if row["after"] is not None:
            first = by_id[row["after"]]
            assert (target[first["item_id"]], target[row["item_id"]]) == TARGETS
            assert group[first["item_id"]] == group[row["item_id"]]
            ways[group[row["item_id"]]].append((first["order"], row["order"]))
    alone = Counter((target[row["item_id"]], row["order"]) for row in owed if row["after"] is None)
    if chain in (DIRECT, UNLINKED):
        assert not ways
        assert alone == dict.fromkeys(product(TARGETS, ORDERS), 3)
        return
    assert alone == {("turn 4", STORED): 3, ("turn 4", REVERSED): 3}
    assert len(ways) == 3
    for pairs in ways.values():
        if chain == SEQUENTIAL_4:
            assert sorted(pairs) == sorted(product(ORDERS, ORDERS))
        else:
            assert sorted(first for first, _ in pairs) == sorted(second for _, second in pairs) == sorted(ORDERS)


def test_both_sequences_occur_and_equally_often() -> None:
    made = rows_of(voiced_dialogues(10, subscales=1), chains=(SEQUENTIAL_2,))
    order = {row["presentation_id"]: row["order"] for row in made["presentations"]}
    same = Counter(order[row["after"]] == row["order"] for row in made["presentations"] if row["after"] is not None)
    assert same == {True: 10, False: 10}


def test_what_protocols_share_is_one_presentation() -> None:
    made = rows_of(voiced_dialogues(1), chains=(SEQUENTIAL_2, SEQUENTIAL_4, DIRECT))
    shared = Counter(tuple(row["protocols"]) for row in made["presentations"])  # type: ignore[arg-type]  # lists
    assert shared == {
        (SEQUENTIAL_2, SEQUENTIAL_4, DIRECT): 2,
        (SEQUENTIAL_2, SEQUENTIAL_4): 2,
        (SEQUENTIAL_4,): 2,
        (DIRECT,): 2,
    }


def test_labels_stand_for_what_they_say() -> None:
    made = rows_of(voiced_dialogues(2))
    source = {row["clip_id"]: row for row in made["sources"]}
    stored = {(r["item_id"], r["position"]): r["clip_id"] for r in made["item_clips"] if r["role"] == "option"}
    target = {row["item_id"]: str(row["target"]) for row in made["items"]}
    for row in made["presentations"]:
        labels, clips = row["labels"], row["clips"]
        assert isinstance(labels, list)
        assert isinstance(clips, list)
        turn = target[row["item_id"]].removeprefix("turn ")
        context = ["1", "2", "3"] if turn == "4" else ["5"] if row["after"] else ["1", "2", "3", "5"]
        assert labels == [*(f"Turn {number}" for number in context), "Option 1", "Option 2"]
        told = [(str(source[clip]["turn"]), source[clip]["option"] == "context") for clip in clips]
        assert told == [*((number, True) for number in context), (turn, False), (turn, False)]
        places = (0, 1) if row["order"] == STORED else (1, 0)
        assert clips[-2:] == [stored[row["item_id"], place] for place in places]


def test_the_gold_is_the_resonant_option() -> None:
    dialogues = voiced_dialogues(4)
    made = rows_of(dialogues)
    source = {row["clip_id"]: row for row in made["sources"]}
    stored = {(r["item_id"], r["position"]): r["clip_id"] for r in made["item_clips"] if r["role"] == "option"}
    failures = {(d.name, clip.turn): clip.failure for d in dialogues for clip in d.clips if clip.option == "dissonant"}
    for row in made["answers"]:
        right = source[stored[row["item_id"], ("first", "second").index(str(row["gold"]))]]
        assert right["option"] == "resonant"
        assert row["failure"] == failures[str(right["conversation"]), right["turn"]]


def test_no_public_presentation_by_itself_names_turn_4_s_options_at_turn_6() -> None:
    made = rows_of(voiced_dialogues(3), chains=tuple(CHAINS))
    options = {row["clip_id"] for row in made["sources"] if row["turn"] == 4}
    sixth = {row["item_id"] for row in made["items"] if row["target"] == "turn 6"}
    for row in made["presentations"]:
        if row["item_id"] in sixth:
            assert not options & set(row["clips"])  # type: ignore[call-overload]  # a list


def test_every_row_has_the_columns_of_its_table() -> None:
    made = rows_of(voiced_dialogues(3, affect=True), chains=tuple(CHAINS), modalities=MODALITIES)
    declared = DIALOGUES.tables()
    for name, rows in made.items():
        assert declared[name].from_rows(rows).num_rows == len(rows)
    written = [written_row(dialogue) for dialogue in voiced_dialogues(3)]
    assert declared["dialogues"].from_rows(written).num_rows == 3


def test_the_same_name_in_two_corpora_is_two_dialogues() -> None:
    one = voiced_dialogues(1)[0]
    made = rows_of([one, replace(one, corpus="another")])
    assert len(made["items"]) == len({row["item_id"] for row in made["items"]}) == 4
    assert len({row["clip_id"] for row in made["sources"]}) == 16
