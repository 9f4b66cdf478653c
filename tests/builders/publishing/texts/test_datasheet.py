"""The datasheet's groups of questions, and its answers."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from tests.support.facts import golden_facts, with_names
from tests.support.golden import GOLDENS

from earmark.builders.publishing.texts.datasheet import UNKNOWN, datasheet
from earmark.builders.publishing.texts.facts import BaselineFacts, Facts

READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])

GROUPS = [
    *("Motivation", "Composition", "Collection process", "Preprocessing, cleaning, labelling"),
    *("Uses", "Distribution", "Maintenance"),
]


def headings(text: str) -> list[str]:
    tokens = READER.parse(text)
    return [
        tokens[n + 1].content for n, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h2"
    ]


@pytest.mark.parametrize("family", sorted(GOLDENS))
def test_every_group_of_questions_is_asked_and_every_question_is_answered(family: str) -> None:
    text = datasheet(golden_facts(family))
    assert headings(text) == GROUPS
    for question in re.findall(r"^\*\*(.+\?)\*\*(.*)$", text, re.MULTILINE):
        assert question[1].strip(), question[0]
    begun = [token.content for token in READER.parse(text) if token.type == "inline" and token.content.startswith("**")]
    assert len(begun) == text.count("?** ") + 1, "each question begins a paragraph, and so does the canary"
    assert text.count(UNKNOWN) >= 5
    assert "None" not in text


def test_it_tells_what_is_not_in_the_copy() -> None:
    assert "No clip's audio is." in datasheet(golden_facts("pairs"))
    text = datasheet(golden_facts("pairs", audio=False))
    clips = golden_facts("pairs").clips
    assert f"Of {clips} clips 0 have their audio here; of {clips} it is told how to cut them." in text


def test_it_says_whose_speech_is_synthetic() -> None:
    facts = golden_facts("pairs")
    assert "is synthetic." not in datasheet(facts)
    first, *others = facts.corpora
    text = datasheet(replace(facts, corpora=(replace(first, version="synthetic miniature"), *others)))
    assert f"The speech of {first.name} synthetic miniature is synthetic. Speakers are not named" in text


def test_it_promises_no_figure_of_a_rule_that_the_card_does_not_have() -> None:
    untold = BaselineFacts(
        name="longer", means="Longer.", protocol="both-orders", metric="accuracy", value=None, reason="hidden"
    )
    (said,) = re.findall(
        r"^\*\*Has it been used.+$", datasheet(replace(golden_facts("pairs"), baselines=(untold,))), re.M
    )
    assert said.endswith(
        f"1 rule that does not listen, with its figure or why it has none. Of anything else: {UNKNOWN}"
    )


@given(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30) | st.text("a\n#|`<>-[]()", min_size=1)
)
@settings(max_examples=15)
def test_whatever_things_are_called_it_has_the_same_parts(text: str) -> None:
    def parts(facts: Facts) -> list[tuple[str, int]]:
        kinds = [(token.type, token.level) for token in READER.parse(datasheet(facts))]
        assert not any(kind == "html_block" for kind, _ in kinds)
        return kinds

    stance = golden_facts("stance")
    assert parts(with_names(stance, text)) == parts(with_names(stance, "plain"))
