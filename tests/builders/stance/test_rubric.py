"""Rubrics: the default one favours no pole, a user's is checked whole, and StanceBench's is read as it is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.builders.stance.dimensions import CATEGORY_OF
from earmark.builders.stance.mapping import PAPER
from earmark.builders.stance.rubric import (
    OF_AUDIO,
    SWAPPABLE,
    Criterion,
    Rubric,
    default_rubric,
    read_rubric,
    read_stancebench,
)
from earmark.manifests.findings import Findings

CRITERIA = default_rubric().criteria
FUNCTION_WORDS = frozenset(["a", "an", "and", "for", "from", "in", "is", "it", "of", "on", "or", "the", "to", "with"])


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z'-]+", text.lower()))


def told(findings: Findings) -> list[tuple[str, str | None, str | None]]:
    return [(finding.code.name, finding.column or finding.id, finding.found) for finding in findings]


def test_the_default_rubric_goes_with_the_paper_s_mapping_in_both_modalities():
    findings = Findings()
    default_rubric().check(PAPER, findings, modalities=("audio", "transcript"))
    assert not len(findings)
    assert default_rubric().swaps == set(SWAPPABLE)


@pytest.mark.parametrize("criterion", CRITERIA, ids=lambda criterion: criterion.id)
def test_a_default_question_leans_to_no_pole(criterion: Criterion):
    question = words(criterion.question.replace("{first}", "").replace("{second}", "")) - FUNCTION_WORDS
    one_sided = words(criterion.positive) ^ words(criterion.negative)
    assert not question & one_sided
    assert criterion.question.index("{first}") < criterion.question.index("{second}")


@pytest.mark.parametrize("criterion", CRITERIA, ids=lambda criterion: criterion.id)
def test_default_descriptions_are_built_alike(criterion: Criterion):
    assert abs(len(criterion.positive) - len(criterion.negative)) <= 3
    assert criterion.positive.startswith("The TARGET speaker")
    assert criterion.negative.startswith("The TARGET speaker")


@pytest.mark.parametrize("criterion", CRITERIA, ids=lambda criterion: criterion.id)
def test_default_texts_hold_no_role_and_no_word_of_audio(criterion: Criterion):
    for text in (criterion.question, criterion.positive, criterion.negative):
        assert not OF_AUDIO.search(text)
        for role in CATEGORY_OF:
            assert not re.search(rf"\b{re.escape(role)}\b", text, re.IGNORECASE), role


def test_default_texts_share_no_phrase_with_stancebench(shared_data: Path):
    def phrases(texts: list[str]) -> set[tuple[str, ...]]:
        split = [re.findall(r"[a-z'’-]+", text.lower()) for text in texts]
        return {tuple(text[at : at + 5]) for text in split for at in range(len(text) - 4)}

    published = json.loads((shared_data / "stancebench" / "questions_main.json").read_text(encoding="utf-8"))
    theirs = [
        text
        for entry in published["outside_judge"]
        for value in entry.values()
        for text in (value if isinstance(value, list) else [value])
        if isinstance(text, str)
    ]
    ours = [text for entry in CRITERIA for text in (entry.question, entry.positive, entry.negative)]
    assert not phrases(ours) & phrases(theirs)


# A rubric of one's own

LINES = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=20).filter(
    lambda text: "{" not in text
)
IDS = st.from_regex(r"[A-Za-z][A-Za-z0-9]{0,5}", fullmatch=True)


@st.composite
def rubrics(draw: st.DrawFn) -> Rubric:
    swaps = draw(st.frozensets(st.sampled_from(SWAPPABLE)))
    ids = draw(st.lists(IDS, min_size=1, max_size=4, unique_by=str.casefold))
    slots = " {second} {first}" if "question" in swaps else ""
    categories = st.lists(st.sampled_from(sorted(set(CATEGORY_OF.values()))), max_size=3, unique=True).map(tuple)
    criteria = tuple(Criterion(id, draw(LINES) + slots, draw(LINES), draw(LINES), draw(categories)) for id in ids)
    return Rubric(draw(LINES), criteria, swaps)


@given(rubrics())
def test_a_rubric_comes_back_from_its_recipe_without_a_word(rubric):
    findings = Findings()
    assert read_rubric(json.loads(json.dumps(rubric.as_recipe())), findings) == rubric
    assert not len(findings)


def test_every_slip_at_once(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        """
        swaps = ["definition", "question"]
        [[criterion]]
        id = "S0"
        question = "Which of {first}?"
        positive = ""
        negative = "one\\ntwo"
        extra = 1
        [[criterion]]
        id = "a/b"
        question = "Which, {first} or {second}?"
        positive = "x"
        negative = 5
        categories = "Warmth"
        """,
        encoding="utf-8",
    )
    findings = Findings()
    assert read_rubric(path, findings) is None
    assert sorted(told(findings)) == sorted(
        [
            ("rubric.bad-value", "name", "nothing"),
            ("rubric.bad-value", "swaps", "definition"),
            ("rubric.unknown-key", "criterion[1].extra", "extra"),
            ("rubric.bad-value", "criterion[1].question", "Which of {first}?"),
            ("rubric.bad-value", "criterion[1].positive", ""),
            ("rubric.bad-value", "criterion[1].negative", "one\ntwo"),
            ("rubric.bad-value", "criterion[2].id", "a/b"),
            ("rubric.bad-value", "criterion[2].negative", "5"),
            ("rubric.bad-value", "criterion[2].categories", "Warmth"),
        ]
    )


@pytest.mark.parametrize(
    ("swaps", "question"),
    [(["question"], "Which?"), (["question"], "{first} {first} {second}"), ([], "Which, {first} or {second}?")],
)
def test_slots_stand_exactly_where_the_question_is_swapped(swaps, question):
    criterion = {"id": "S0", "question": question, "positive": "x", "negative": "y"}
    findings = Findings()
    assert read_rubric({"name": "mine", "swaps": swaps, "criterion": [criterion]}, findings) is None
    assert told(findings) == [("rubric.bad-value", "criterion[1].question", question)]


def test_two_criteria_of_one_id_are_refused():
    criterion = {"id": "S0", "question": "Which?", "positive": "x", "negative": "y"}
    table = {"name": "mine", "swaps": [], "criterion": [criterion, {**criterion, "id": "s0"}]}
    findings = Findings()
    assert read_rubric(table, findings) is None
    assert told(findings) == [("rubric.repeated-id", "S0", "S0, s0")]


def test_a_rubric_is_held_against_the_mapping():
    criteria = (
        Criterion("S0", "Does it sound so?", "x", "a voice", ("Warmth", "Rudeness")),
        Criterion("S9", "Which?", "x", "y"),
        *(Criterion(f"S{n}", "Which?", "x", "y") for n in range(1, 8)),
    )
    findings = Findings()
    rubric = Rubric("mine", criteria, frozenset())
    rubric.check(PAPER, findings, modalities=("audio", "transcript"))
    assert told(findings) == [
        ("rubric.dimension-missing", "S8", None),
        ("rubric.categories-differ", "S0", "Warmth, Rudeness"),
        ("rubric.speaks-of-audio", "S0", "sound, voice"),
        ("rubric.dimension-unused", "S9", None),
    ]
    only_audio = Findings()
    rubric.check(PAPER, only_audio)
    assert "rubric.speaks-of-audio" not in only_audio.counts
    with pytest.raises(KeyError, match="mine asks nothing about 'S8'"):
        rubric.criterion("S8")


# StanceBench's file


def question(**changes: object) -> dict[str, object]:
    entry: dict[str, object] = {
        "index": 0,
        "question": "Which?",
        "related_categories": ["Warmth", "Coldness"],
        "positive_followups": ["a", "b", "c", "d"],
        "negative_followups": ["a", "b", "c", "d"],
        "positive_defination": "x",
        "negative_defination": "y",
        "source_index": 0,
        "stance_id": "S0",
    }
    return {name: value for name, value in {**entry, **changes}.items() if value is not None}


def stancebench(tmp_path: Path, *entries: object) -> tuple[Rubric | None, Findings]:
    path, findings = tmp_path / "questions.json", Findings()
    path.write_text(json.dumps({"outside_judge": list(entries)}), encoding="utf-8")
    return read_rubric(path, findings), findings


def test_a_question_file_of_stancebench_swaps_its_definitions_only(tmp_path):
    rubric, findings = stancebench(tmp_path, question())
    assert rubric == Rubric(
        "stancebench", (Criterion("S0", "Which?", "x", "y", ("Warmth", "Coldness")),), frozenset({"definitions"})
    )
    assert not len(findings)


@pytest.mark.parametrize(
    ("changes", "code", "column", "found"),
    [
        ({"question": 3}, "rubric.bad-value", "question", "3"),
        ({"question": None}, "rubric.bad-value", "question", "nothing"),
        ({"positive_defination": " "}, "rubric.bad-value", "positive_defination", " "),
        ({"negative_definition": "y"}, "rubric.unknown-key", "negative_definition", "negative_definition"),
        ({"positive_followups": ["a"]}, "rubric.bad-value", "positive_followups", "1"),
        ({"negative_followups": ["a", 2, "c", "d"]}, "rubric.bad-value", "negative_followups", "2"),
        ({"related_categories": ["Warmth"]}, "rubric.bad-value", "related_categories", "1"),
        ({"index": "0"}, "rubric.bad-value", "index", "0"),
        ({"source_index": True}, "rubric.bad-value", "source_index", "True"),
        ({"stance_id": "../S0"}, "rubric.bad-value", "stance_id", "../S0"),
        ({"question": "x\x1b[2J"}, "rubric.bad-value", "question", "x\x1b[2J"),
    ],
)
def test_a_slip_in_a_question_file_is_named(tmp_path, changes, code, column, found):
    rubric, findings = stancebench(tmp_path, question(**changes))
    assert rubric is None
    assert (code, f"outside_judge[1].{column}", found) in told(findings)


def test_a_text_without_end_is_refused(tmp_path):
    rubric, findings = stancebench(tmp_path, question(question="x" * 4001))
    assert rubric is None
    (finding,) = findings
    assert (finding.code.name, finding.expected) == ("rubric.bad-value", "a text of at most 4000 characters")


def test_two_questions_of_one_id_are_refused(tmp_path):
    rubric, findings = stancebench(tmp_path, question(), question(index=1))
    assert rubric is None
    assert set(findings.counts) == {"rubric.repeated-id"}


@pytest.mark.parametrize(
    "data",
    [
        b"{",
        b"[1]",
        b'{"outside_judge": 1, "outside_judge": 2}',
        b'{"a": NaN}',
        b"\xff",
        b'{"a": "\\ud800"}',
        b"[" * 100_000,
    ],
)
def test_what_is_no_strict_json_object_is_a_finding(tmp_path, data):
    path, findings = tmp_path / "questions.JSON", Findings()
    path.write_bytes(data)
    assert read_rubric(path, findings) is None
    assert set(findings.counts) == {"rubric.unreadable"}


def test_so_is_a_file_that_is_not_there(tmp_path):
    for name in ("none.json", "none.toml"):
        findings = Findings()
        assert read_rubric(tmp_path / name, findings) is None
        assert set(findings.counts) == {"rubric.unreadable"}


def test_the_published_question_file_is_read_word_for_word(shared_data: Path):
    path, findings = shared_data / "stancebench" / "questions_main.json", Findings()
    rubric = read_stancebench(path, findings)
    assert rubric is not None
    published = json.loads(path.read_text(encoding="utf-8"))["outside_judge"]
    assert [(entry.id, entry.question, entry.positive, entry.negative) for entry in rubric.criteria] == [
        (entry["stance_id"], entry["question"], entry["positive_defination"], entry["negative_defination"])
        for entry in published
    ]
    rubric.check(PAPER, findings)
    assert not len(findings)
    rubric.check(PAPER, findings, modalities=("transcript",))
    assert findings.counts == {"rubric.speaks-of-audio": 9}
