"""Flat objects: what is read at once is what a careful reader reads, and whatever is in doubt is left to that one."""

from __future__ import annotations

import json
import pickle

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.manifests.slow_grammars import parse_json

from earmark.manifests.flat_objects import FlatReader
from earmark.manifests.grammars import Answer, JsonGrammar

POLES = JsonGrammar(("P", "N"))
READ = FlatReader("choice", "probability", "evidence")

TEXTS = st.text(st.characters(exclude_characters='"\\', exclude_categories=["Cs", "Cc"]), max_size=9)
PROBABILITIES = st.floats(0, 1) | st.sampled_from([0, 1])
NUMBERS = [
    "0.5",
    "1",
    "1.0",
    "-0.0",
    "1e-400",
    "1e400",
    "01",
    "1.",
    "2",
    "NaN",
    "Infinity",
    "true",
    "9" * 400,
    "0." + "1" * 400,
]
VALUES = st.sampled_from(
    [*NUMBERS, "null", '"P"', '"N"', '"\\u0050"', "[]", '["P"]', "[1]", "{}", '{"choice":"N"}', '"']
)
MEMBERS = st.tuples(st.sampled_from(["choice", "choice", "probability", "evidence", "other", "choic\\u0065"]), VALUES)


@settings(max_examples=25)
@given(
    choice=st.sampled_from(["P", "N"]),
    probability=st.none() | PROBABILITIES,
    evidence=st.lists(TEXTS, max_size=6),
    before=TEXTS,
    after=TEXTS,
)
def test_plain_answers_are_read_at_once(
    choice: str, probability: float | None, evidence: list[str], before: str, after: str
) -> None:
    """Otherwise all would be slow and no test would see it."""
    value: dict[str, object] = {"choice": choice}
    value |= {} if probability is None else {"probability": probability}
    value |= {"evidence": evidence} if evidence else {}
    said = json.dumps(value, ensure_ascii=False)
    found = READ(f"{before.replace('{', '(')}\n```json\n{said}\n```{after.replace('}', ')')}")
    assert found is not None
    assert (found.choice, found.probability, list(found.evidence)) == (choice, probability, evidence)


@settings(max_examples=200)
@given(
    st.lists(MEMBERS, max_size=5),
    st.sampled_from(["{}", "a {} b", "{{{}", "{} }}", "{}{}", '{} {{"choice":"N"}}', '"{}']),
)
@example([("choice", '"P"'), ("choice", '"N"')], "{}")
@example([("choice", '"P"'), ("probability", "0.5"), ("probability", "null")], "{}")
@example([("choice", '"P"'), ("evidence", '["P"]'), ("evidence", "[]")], "{}")
def test_whatever_is_read_is_what_a_careful_reader_reads(members: list[tuple[str, str]], around: str) -> None:
    said = "{" + ", ".join(f'"{name}": {value}' for name, value in members) + "}"
    text = around.format(*[said] * around.count("{}"))
    answer = POLES.parse(text)
    assert answer == parse_json(POLES, text)
    found = READ(text)
    if found is not None and isinstance(answer, Answer):
        assert (found.choice, found.probability, found.evidence[:4]) == (
            answer.choice,
            answer.probability,
            answer.evidence,
        )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "}",
        "{",
        "}{",
        "{}",
        "no",
        '{"choice":1}',
        '{"choice":"P",}',
        '{"choice":"\ud800"}',
        '{"choice":"P"}{',
        "{" * 99_999,
    ],
    ids=lambda text: json.dumps(text[:20]),
)
def test_what_is_no_object_is_none_or_read_alike(text: str) -> None:
    assert (READ(text) is not None) == (text == '{"choice":"P"}{')
    assert POLES.parse(text) == parse_json(POLES, text)


def test_names_of_keys_are_the_grammars() -> None:
    read = FlatReader("option", None, "why")
    found = read('{"option": "1", "why": ["low"]}')
    assert found is not None
    assert (found.choice, found.probability, found.evidence) == ("1", None, ("low",))
    assert read('{"option": "1", "probability": 0.5}') is None


def test_a_grammar_that_was_used_goes_to_another_process() -> None:
    said = '{"choice": "P"}'
    POLES.parse(said)
    assert pickle.loads(pickle.dumps(POLES)).parse(said) == Answer("P")  # noqa: S301 - our own bytes
