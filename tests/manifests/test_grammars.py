"""Answer grammars: exact, never guessing, and safe to run on whatever a judge said."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.manifests.slow_grammars import parse_json, parse_marks

from earmark.manifests import embedded
from earmark.manifests.grammars import MOST_EVIDENCE, Answer, JsonGrammar, MarksGrammar, Unparsable, is_probability

POLES = JsonGrammar(("P", "N"))
SHOWN = JsonGrammar(("1", "2"), shown=("Option 1", "Option 2"))
ANY_CASE = MarksGrammar(
    (("[[A]]", "A"), ("[[B]]", "B"), ("[[Tie]]", "Tie"), ("s", "s"), ("[[A]]+", "more")), ignore_case=True
)
PLAIN = JsonGrammar(("1", "2"), choice="option", probability=None, evidence=None)
MARKS = MarksGrammar((("[[A]]", "A"), ("[[B]]", "B"), ("[[Tie]]", "Tie")))

JUNK = st.lists(
    st.sampled_from(
        [
            *'{}[]:,"\\ \n',
            '{"choice":',
            '"P"',
            '"N"',
            '"probability":',
            "0.5",
            "NaN",
            "9" * 400,
            "```json\n",
            '"choice"',
            "[[A]]",
            "[[B]]",
            "\ud800",
        ]
    ),
    max_size=30,
).map("".join)
# Prose holds no brace that could open an object and no quote that could open a string.
PROSE = st.text(st.characters(exclude_characters='{"', exclude_categories=["Cs"]), max_size=20)
OBJECTS = st.fixed_dictionaries(
    {"choice": st.sampled_from(["P", "N"])},
    optional={
        "probability": st.floats(0, 1) | st.sampled_from([0, 1]),
        "evidence": st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=9), max_size=6),
        "why": st.recursive(st.text(max_size=5), lambda inner: st.dictionaries(st.text(max_size=3), inner, max_size=2)),
    },
)
FENCES = st.sampled_from(["{}", "```json\n{}\n```", "**{}**", "\\boxed{{{}}}", "<answer>{}</answer>", "{{ {}", "[{}]"])


def wanted(value: dict[str, object]) -> Answer:
    probability = value.get("probability")
    evidence = value.get("evidence", [])
    assert isinstance(evidence, list)
    assert probability is None or isinstance(probability, int | float)
    return Answer(
        str(value["choice"]), None if probability is None else float(probability), tuple(evidence[:MOST_EVIDENCE])
    )


# Pieces of objects, whole ones among them, so that most texts hold some that are good and some that only begin so.
PIECES = st.lists(
    st.sampled_from(
        [
            *(
                '{"choice": "P"}',
                '{"choice": "N", "probability": 0.5}',
                '{"choice": "option 2"}',
                '{"option": "2"}',
                "{}",
                "{ }",
            ),
            *(
                '{"choice": "P", "choice": "N"}',
                '{"a": {"b": 1, "b": 2}, "choice": "P"}',
                '{"choice": "P", "a": {"choice": "N"}}',
            ),
            *(
                "{",
                "}",
                '"',
                '{"',
                '{"choice":',
                "[",
                "]",
                ",",
                "\\",
                '\\"',
                "\n",
                "\u2028",
                "\x1c",
                " ",
                "é",
                "NaN",
                "9" * 4400,
            ),
            *(
                '{"a":' * 33,
                '{"a":' * 32 + "1" + "}" * 32,
                '{"choice":"P","a":' + "[" * 64 + "]" * 64 + "}",
                '{"x":"[[{{"}',
            ),
            *(
                '{"choice": "P", "evidence": ["\\ud800", 1]}',
                '{"choice": "P", "probability": 1e999}',
                '{"choice": "\t"}',
            ),
            *("[[A]]", "[[b]]", "[[Tie]]", "[[tIE]]", "[[", "]]", "[[A]]\r[[B]]", "[[A]]\v", "ſ", "K"),
        ]
    ),
    max_size=8,
).map("".join)


@given(st.text(st.characters()) | JUNK | PIECES)
@settings(max_examples=150)
def test_what_is_quick_says_what_is_slow(text: str) -> None:
    for grammar in (POLES, PLAIN, SHOWN):
        assert grammar.parse(text) == parse_json(grammar, text)
    for marks in (MARKS, ANY_CASE):
        assert marks.parse(text) == parse_marks(marks, text)


@given(st.text(st.characters()) | JUNK)
@example('{"choice":"P","probability":' + "9" * 400 + "}")
@example('{"choice":"P","probability":' + "9" * 5000 + "}")
@example('{"choice":"P","probability":NaN}')
@example('{"choice":"P","evidence":["\\ud800"]}')
def test_any_text_is_an_answer_or_a_reason(text: str) -> None:
    for grammar in (POLES, PLAIN, MARKS):
        read = grammar.parse(text)
        if isinstance(read, Answer):
            assert read.choice in grammar.labels
            assert read.probability is None or 0 <= read.probability <= 1
            "".join(read.evidence).encode()
        else:
            assert 0 < len(read.reason) < 200
            read.reason.encode()


@given(PROSE, FENCES, OBJECTS, PROSE, st.booleans())
def test_an_object_is_found_in_prose_and_fences(
    before: str, fence: str, value: dict[str, object], after: str, ascii: bool
) -> None:
    text = before + fence.format(json.dumps(value, ensure_ascii=ascii)) + after
    assert POLES.parse(text) == wanted(value)


@given(st.lists(OBJECTS, min_size=1, max_size=4), PROSE)
def test_the_last_object_counts(values: list[dict[str, object]], between: str) -> None:
    text = between.join(json.dumps(value) for value in values)
    assert POLES.parse(text) == wanted(values[-1])
    assert POLES.parse(text + ' {"note": "done"} {} ') == wanted(values[-1]), "an object without the key is no answer"


@given(OBJECTS, st.integers(1, 9))
def test_what_is_inside_another_object_is_no_answer_of_its_own(value: dict[str, object], depth: int) -> None:
    nested = json.dumps(value)
    for _ in range(depth):
        nested = f'{{"inner": {nested}}}'
    assert isinstance(POLES.parse(nested), Unparsable)
    assert POLES.parse(f'{{"choice": "P", "draft": {nested}}}') == Answer("P")


@pytest.mark.parametrize(
    "label", ["None", "n", "N ", "", " N", "Positive", "P/N", "Ｎ", "Ν"]
)  # the last is a Greek letter
def test_labels_are_exact(label: str) -> None:
    assert POLES.parse(json.dumps({"choice": label})) == Unparsable(f"choice is {label!r}, not one of P, N")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no JSON object with the key 'choice'"),
        ("P", "no JSON object with the key 'choice'"),
        ('{"Choice": "P"}', "no JSON object with the key 'choice'"),
        ("{'choice': 'P'}", "no JSON object with the key 'choice'"),
        ('{"choice": "P"', "no JSON object with the key 'choice'"),
        ('{"choice": "P",}', "no JSON object with the key 'choice'"),
        ('{"choice": "P", "choice": "P"}', "the key 'choice' stands twice in one object"),
        ('{"choice": "P", "a": [{"b": 1, "b": 2}]}', "the key 'b' stands twice in one object"),
        ('{"choice": "P", "choice": "N"} {"choice": "N"', "the key 'choice' stands twice in one object"),
        ('{"choice": ["P"]}', "choice is ['P'], not one of P, N"),
        ('{"choice": true}', "choice is True, not one of P, N"),
        ('{"choice": "%s"}' % ("x" * 99), "choice is '" + "x" * 39 + "…, not one of P, N"),
        ('{"choice": "P", "probability": 1.01}', "probability is 1.01, not a number in [0, 1]"),
        ('{"choice": "P", "probability": -1e-9}', "probability is -1e-09, not a number in [0, 1]"),
        ('{"choice": "P", "probability": "0.5"}', "probability is '0.5', not a number in [0, 1]"),
        ('{"choice": "P", "probability": true}', "probability is True, not a number in [0, 1]"),
        ('{"choice": "P", "probability": NaN}', "probability is nan, not a number in [0, 1]"),
        ('{"choice": "P", "probability": 1e999}', "probability is inf, not a number in [0, 1]"),
    ],
)
def test_reasons(text: str, reason: str) -> None:
    assert POLES.parse(text) == Unparsable(reason)


def test_a_duplicate_key_matters_only_in_the_object_that_counts() -> None:
    assert POLES.parse('{"choice": "P", "choice": "P"} {"choice": "N"}') == Answer("N")
    assert POLES.parse('{"choice": "N"} {"note": 1, "note": 2}') == Answer("N")


def test_null_is_as_good_as_absent() -> None:
    assert POLES.parse('{"choice": "P", "probability": null, "evidence": null}') == Answer("P")


def test_evidence_is_shown_and_never_decides() -> None:
    read = POLES.parse('{"choice": "P", "evidence": ["a", 1, "b", null, "c", "d", "e"]}')
    assert read == Answer("P", None, ("a", "b", "c", "d"))
    assert POLES.parse('{"choice": "P", "evidence": "one string"}') == Answer("P")
    assert POLES.parse('{"choice": "P", "evidence": ["\\ud800!"]}') == Answer("P", None, ("?!",))


def test_a_grammar_without_probability_and_evidence() -> None:
    assert PLAIN.parse('{"option": "2", "probability": "high", "evidence": ["a"]}') == Answer("2")
    assert PLAIN.describe() == {
        "type": "object",
        "properties": {"option": {"type": "string", "enum": ["1", "2"]}},
        "required": ["option"],
    }


def test_the_description_is_a_json_schema() -> None:
    assert POLES.describe() == {
        "type": "object",
        "properties": {
            "choice": {"type": "string", "enum": ["P", "N"]},
            "probability": {"type": "number", "minimum": 0, "maximum": 1},
            "evidence": {"type": "array", "items": {"type": "string"}, "maxItems": 4},
        },
        "required": ["choice", "probability"],
    }
    assert MARKS.describe() == {"marks": {"[[A]]": "A", "[[B]]": "B", "[[Tie]]": "Tie"}}


def test_nesting() -> None:
    good = '{"choice": "N"}'
    assert POLES.parse('{"choice": "P", "a": ' + "[" * 63 + "]" * 63 + "}") == Answer("P")
    deep = '{"choice": "P", "a": ' + "[" * 64 + "]" * 64 + "}"
    assert isinstance(POLES.parse(deep), Unparsable)
    assert POLES.parse(deep + good) == Answer("N")
    for opening in ("{", "[", '{"a":', '{"a":['):
        assert POLES.parse(opening * 100 + "\n" + good) == Answer("N"), (
            "what no bracket closes does not hide what follows"
        )
        assert isinstance(POLES.parse(opening * 100_000), Unparsable)


@pytest.mark.parametrize(
    "text",
    [
        "{" * 65_536,
        '{"' * 32_768,
        '{"":' * 16_384,
        '{"a":{"b":[' * 6_000,
        '{"":' * 60 + "[],[]," * 10_900,
        '{"\\' * 21_845,
        '{"a\\"' * 13_107,
        '{" ' * 21_845 + '"',
        "{" + " " * 65_534,
        "{ " * 32_768,
        '{"a":1}' * 9_362,
        '{"a":{}' * 9_362,
        '{"x":"' + '{\\"y\\":' * 9_000,
    ],
    ids=lambda text: text[:12],
)
def test_adversarial_braces_are_followed_twice_at_most(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    followed = 0

    def counting(match: Callable[[str, int], re.Match[str] | None]) -> Callable[[str, int], re.Match[str] | None]:
        def counted(text: str, at: int) -> re.Match[str] | None:
            nonlocal followed
            found = match(text, at)
            followed += 1 if found is None else found.end() - at
            return found

        return counted

    for name in ("_WITHIN", "_BEHIND"):
        monkeypatch.setattr(embedded, name, {kind: counting(match) for kind, match in getattr(embedded, name).items()})
    text = text + '"' + text + '{"choice":'
    assert isinstance(POLES.parse(text), Unparsable)
    assert followed <= 2 * len(text)


def test_many_open_braces_hide_nothing() -> None:
    for open in ('{"', '"{"', '{"":', '{"a":[', '{"":' * 60 + "[],[]," * 500, '{"":"' + '{\\"":' * 9):
        assert POLES.parse(open * 100 + '{"choice":"P"}') == Answer("P")


@pytest.mark.parametrize("empty", ["0", "[]", "{ }", '{"":[]}', '[{"":0}, 1]'])
@pytest.mark.parametrize(
    ("open", "close"), [("[", "]"), ('{"choice":"N","a":', "}"), ('{"":', "}"), ('[0,{"b":', "}]")]
)
def test_the_deepest_that_is_read_is_the_same_whatever_stands_before(open: str, close: str, empty: str) -> None:
    for depth in range(29, 68):
        text = '{"choice":"P","choice":"P"} {"choice":"N","a":' + open * depth + empty + close * depth + "}"
        assert POLES.parse(text) == parse_json(POLES, text), depth


@pytest.mark.parametrize(
    "number", ["9" * 4300, "9" * 4301, "-" + "9" * 4300, "-" + "9" * 4301, "9" * 5000 + ".5", "01", "1.", "-"]
)
def test_a_number_of_very_many_digits_is_the_same_whatever_stands_before(number: str) -> None:
    text = '{"choice":"P","choice":"P"} {"a": {"choice":"P"}, "b": [{"choice":"N", "c": ' + number + "}]}"
    assert POLES.parse(text) == parse_json(POLES, text)
    assert POLES.parse(text[:-2]) == parse_json(POLES, text[:-2])


DEEP = st.lists(
    st.sampled_from(
        [
            '{"a":' * 31,
            '{"choice":"P","b":',
            "[" * 32,
            "[[",
            "[0,",
            "[]",
            "{}",
            "{ }",
            "1",
            '"{"',
            ",",
            '"c":',
            "] ",
            "}}",
        ]
    ),
    max_size=9,
).map("".join)


@given(DEEP, st.integers(60, 67), st.booleans())
@settings(max_examples=12)
def test_what_is_too_deep_by_one_is_told_from_what_is_not(middle: str, depth: int, empty: bool) -> None:
    for open, close in (("[", "]"), ('{"choice":"N","a":', "}"), ('{"":', "}")):
        text = '{"choice":"P","choice":"P"}' + open * depth + ("[]" if empty else "0") + middle + close * depth
        assert POLES.parse(text) == parse_json(POLES, text)


@given(
    st.lists(st.lists(st.sampled_from(["[[A]]", "[[B]]", "[[Tie]]", "[A]", "[[a]]", "words"]), max_size=3), max_size=5)
)
def test_marks_on_the_last_line_that_has_any(lines: list[list[str]]) -> None:
    marks = [found for line in lines if (found := {word for word in line if word in dict(MARKS.marks)})]
    read = MARKS.parse("\n".join(map(" ".join, lines)))
    if not marks:
        assert read == Unparsable("none of the marks [[A]], [[B]], [[Tie]]")
    elif len(marks[-1]) > 1:
        assert read == Unparsable(f"different marks on one line: {', '.join(sorted(marks[-1]))}")
    else:
        assert read == Answer(dict(MARKS.marks)[marks[-1].pop()])


def test_the_longest_mark_counts() -> None:
    grammar = MarksGrammar((("A", "one"), ("A+", "two"), ("*", "three")))
    assert grammar.parse("so: A+") == Answer("two")
    assert grammar.parse("so: *") == Answer("three")
    assert grammar.labels == ("one", "two", "three")


@pytest.mark.parametrize(
    ("value", "good"),
    [
        (0, True),
        (1, True),
        (0.5, True),
        (-0.0, True),
        (2, False),
        (10**400, False),
        (True, False),
        (None, False),
        ("1", False),
        ([], False),
        (float("nan"), False),
        (float("inf"), False),
    ],
)
def test_probabilities(value: object, good: bool) -> None:
    assert is_probability(value) is good  # type: ignore[arg-type]  # JSON values
