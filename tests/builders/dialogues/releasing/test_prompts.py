"""Prompts: all that a judge must know, nothing that tells what is right, and the user's own words if wanted."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from tests.support.voiced import voiced_dialogues

from earmark.builders.dialogues.records import Person
from earmark.builders.dialogues.releasing.prompts import (
    CHOSEN,
    DEFAULT_TEMPLATES,
    ROUNDS,
    Round,
    Templates,
    answer_words,
    prompt_id,
    read_templates,
    render,
)
from earmark.manifests.declarations import AUDIO, MODALITIES, NAME_PATTERN
from earmark.manifests.errors import Refused
from earmark.manifests.families.dialogues import DIALOGUES, SHOWN
from earmark.manifests.findings import Findings

WORDS = read_templates(None, Findings())
DIALOGUE = voiced_dialogues(1)[0]


def prompt(round: Round, modality: str = AUDIO) -> dict[str, str]:
    return {
        name: str(value) for name, value in render(WORDS, DIALOGUE, item="i", round=round, modality=modality).items()
    }


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("modality", MODALITIES)
@pytest.mark.parametrize("round", ROUNDS)
def test_it_tells_what_a_judge_must_know(round: Round, modality: str) -> None:
    said = prompt(round, modality)
    assert re.fullmatch(NAME_PATTERN, said["prompt_id"])
    known = [DIALOGUE.second.name, DIALOGUE.first.role, *SHOWN, "same words", WORDS.given[modality].strip()]
    if round != "round_2":
        known += [DIALOGUE.context, DIALOGUE.description]
    assert [words for words in known if words not in said["user"]] == []
    assert f"turn {4 if round == 'round_1' else 6}?" in said["user"]
    assert json.loads(said["answer"]) == DIALOGUES.grammar.describe()


@pytest.mark.parametrize("round", ROUNDS)
def test_only_the_second_round_speaks_of_a_choice(round: Round) -> None:
    said = prompt(round)["user"]
    assert said.count("$") == said.count(CHOSEN) == (round == "round_2")
    assert said.startswith("For turn 4 you chose $chosen") == (round == "round_2")


@pytest.mark.parametrize("round", ROUNDS)
def test_it_tells_neither_the_intent_nor_the_words_nor_the_tones(round: Round) -> None:
    said = " ".join(prompt(round).values())
    secret = {"secret intent", "resonant", "dissonant", DIALOGUE.title, DIALOGUE.subscale, DIALOGUE.name, "Positive"}
    secret |= {clip.text for clip in DIALOGUE.clips} | {clip.tone or "-" * 9 for clip in DIALOGUE.clips}
    assert [words for words in secret if words in said] == []


def test_nothing_favours_an_option() -> None:
    for round in ROUNDS:
        said = prompt(round)["user"]
        assert said.count("Option 1") == said.count("Option 2") == 2
        for mention in re.finditer("Option 2", said):
            assert re.search('Option 1"? (and|or) "?$', said[: mention.start()])


def test_the_answer_that_is_asked_for_is_read() -> None:
    assert re.search('"reasoning".*"selected"', answer_words())
    for shown, choice in zip(SHOWN, DIALOGUES.choices, strict=True):
        assert shown in answer_words()
        answer = DIALOGUES.grammar.parse(json.dumps({"reasoning": "It fits.", "selected": shown}))
        assert getattr(answer, "choice", None) == choice


def test_a_persona_takes_nothing_with_it() -> None:
    """The system text is replaced by a persona's, so whatever must be known stands in the user text."""
    assert not re.search(r"[Oo]ption|JSON|Turn|[$]", WORDS.system)


def test_names_and_places_stand_on_one_line_and_may_hold_a_dollar() -> None:
    odd = replace(
        DIALOGUE,
        context="A shop.\nSituation: none, $5 and $chosen",
        first=Person(name="Al\u2028an", role="", gender="male"),
    )
    said = str(render(WORDS, odd, item="i", round="round_1", modality=AUDIO)["user"])
    assert said.splitlines()[0] == "Place: A shop. Situation: none, $5 and $chosen"
    assert "spoken by Al an, turns" in said


def test_prompts_of_items_rounds_and_modalities_have_names_of_their_own() -> None:
    names = {prompt_id(item, round, modality) for item in "ab" for round in ROUNDS for modality in MODALITIES}
    assert len(names) == 2 * len(ROUNDS) * len(MODALITIES)


def test_a_file_of_ones_own_words_is_used(tmp_path: Path) -> None:
    findings = Findings()
    templates = read_templates(write(tmp_path / "t.toml", 'system = "Be just."'), findings)
    assert not len(findings)
    assert (templates.system, templates.questions) == ("Be just.", WORDS.questions)


@pytest.mark.parametrize(
    ("before", "after", "id"),
    [
        ("Situation: $situation", "Situation:", "questions.round_1"),
        ("you chose $chosen", "you chose", "questions.round_2"),
        ("$answer", "answer", "questions.round_1"),
        ("Place: $place", "Place: $place $intent", "questions.round_1"),
        ("Place: $place", "Place: $place for $ 5", "questions.round_1"),
        ('oracle = "', 'smell = "', "given.oracle"),
        ('oracle = "', 'smell = "', "given.smell"),
        (
            'transcript = "Of the turns and of both options you get the words alone."',
            'transcript = " "',
            "given.transcript",
        ),
    ],
)
def test_what_is_missing_or_unknown_is_named(tmp_path: Path, before: str, after: str, id: str) -> None:
    assert before in DEFAULT_TEMPLATES
    findings = Findings()
    read_templates(write(tmp_path / "t.toml", DEFAULT_TEMPLATES.replace(before, after, 1)), findings)
    assert findings.failed
    assert id in {finding.id for finding in findings if finding.code.name == "dialogues.template"}


def test_a_section_that_is_unknown_or_wrong_is_named(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        read_templates(write(tmp_path / "t.toml", 'system = 3\nround_1 = "x"\n[questions]\nround_9 = "y"'), Findings())
    assert {finding.id for finding in refused.value.findings} == {"[system]", "[round_1]", "[questions]"}


def test_templates_are_kept_whole() -> None:
    assert msgspec.convert(WORDS.as_recipe(), Templates) == WORDS
