"""A family narrows the common tables and adds its own columns."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from earmark.manifests import declarations
from earmark.manifests.errors import UnknownName
from earmark.manifests.families.dialogues import DIALOGUES
from earmark.manifests.families.pairs import PAIRS
from earmark.manifests.families.stance import STANCE
from earmark.manifests.family import Family
from earmark.manifests.report import UseEntry


def test_protocols_by_name() -> None:
    assert STANCE.protocol() is STANCE.protocols[0]
    assert STANCE.protocol("both-orders-transcript").modality == "transcript"
    with pytest.raises(UnknownName, match="no protocol named 'x'; there is both-orders, both-orders-transcript"):
        STANCE.protocol("x")


def test_tables_are_narrowed_to_the_family() -> None:
    tables = STANCE.tables()
    assert list(tables) == [table.name for table in declarations.TABLES]
    assert tables["answers"].column("gold").choices == ("P", "N")
    assert tables["item_clips"].column("role").choices == ("target", "context")
    assert tables["presentations"].column("order").choices == ("PN", "NP")
    assert tables["presentations"].column("protocols").choices == ("both-orders", "both-orders-transcript")
    assert tables["answers"].column("kind").choices is None, "this family has no kinds"
    assert declarations.ANSWERS.column("gold").choices is None, "the common declaration is left as it is"


def test_further_columns_stand_behind_the_common_ones() -> None:
    names = [column.name for column in STANCE.tables()["answers"].columns]
    assert names == [column.name for column in declarations.ANSWERS.columns] + ["role", "category"]


@pytest.mark.parametrize("family", [STANCE, PAIRS, DIALOGUES], ids=lambda family: family.name)
def test_our_own_families_say_what_they_are_for_and_what_not(family: Family) -> None:
    assert family.use == UseEntry(family.intended_use, family.out_of_scope)
    assert family.intended_use.startswith("For comparing judges")
    for word in ("traits", "emotion", "age", "sex", "hiring", "diagnosis", "surveillance"):
        assert word in family.out_of_scope, word
    assert re.search(r"acted|synthetic", family.out_of_scope), "what the labels are"
    assert "inferring" not in family.limits, "that is said under out_of_scope"
    for text in (family.intended_use, family.out_of_scope, family.limits):
        assert len(text) <= 2000
        assert text.isprintable(), "as it stands in one paragraph of a page"


def test_a_family_need_not_say_anything_of_its_use() -> None:
    assert replace(STANCE, intended_use="", out_of_scope="").use is None
    assert replace(STANCE, intended_use="").use == UseEntry("", STANCE.out_of_scope)


def test_what_a_prediction_may_say_is_what_the_grammar_can_return() -> None:
    assert STANCE.grammar.labels == STANCE.choices
    assert {protocol.modality for protocol in STANCE.protocols} <= set(declarations.MODALITIES)
    assert all(set(protocol.orders) <= set(STANCE.orders) for protocol in STANCE.protocols)
