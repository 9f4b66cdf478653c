"""Prompts: two orders that differ in nothing but the order, and a text-only judge who is told of no sound."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.builders.stance.mapping import PAPER
from earmark.builders.stance.prompts import Prompt, labels, render
from earmark.builders.stance.rubric import OF_AUDIO, SWAPPABLE, Criterion, Rubric, default_rubric, read_stancebench
from earmark.manifests.declarations import MODALITIES, PROMPTS
from earmark.manifests.families.stance import STANCE
from earmark.manifests.findings import Findings
from earmark.manifests.grammars import Answer

IDS = [criterion.id for criterion in default_rubric().criteria]
MODALITY = ("audio", "transcript")
LAYOUT = ("single", "context_before", "context_after")
EVERY = list(itertools.product(IDS, MODALITY, LAYOUT))


def both(rubric: Rubric, id: str, modality: str, layout: str) -> tuple[Prompt, Prompt]:
    pn, np = (render(rubric, id, order=order, modality=modality, layout=layout) for order in ("PN", "NP"))
    return pn, np


def text(prompt: Prompt) -> str:
    return f"{prompt.system}\n{prompt.user}"


def unlabelled(prompt: Prompt) -> Counter[str]:
    """The lines of a prompt with both labels made one."""
    return Counter(re.sub(r"\b[PN]\b", "·", text(prompt)).splitlines())


@pytest.mark.parametrize(("id", "modality", "layout"), EVERY)
def test_the_two_orders_are_the_same_lines_and_the_same_characters(id, modality, layout):
    pn, np = both(default_rubric(), id, modality, layout)
    assert text(pn) != text(np)
    assert unlabelled(pn) == unlabelled(np)
    assert Counter(text(pn)) == Counter(text(np))
    assert Counter(re.findall(r"\w+", text(pn))) == Counter(re.findall(r"\w+", text(np)))


@pytest.mark.parametrize(("id", "modality", "layout"), EVERY)
def test_everywhere_the_first_label_stands_first_and_as_often_as_the_second(id, modality, layout):
    for prompt, order in zip(both(default_rubric(), id, modality, layout), ("PN", "NP"), strict=True):
        named = re.findall(r"\b[PN]\b", text(prompt))
        assert named == list(order) * (len(named) // 2)
        assert json.loads(prompt.answer)["properties"]["choice"]["enum"] == list(order)


@pytest.mark.parametrize(("id", "modality", "layout"), EVERY)
def test_each_definition_stands_once_under_its_own_label(id, modality, layout):
    criterion = default_rubric().criterion(id)
    for prompt in both(default_rubric(), id, modality, layout):
        for label, definition in (("P", criterion.positive), ("N", criterion.negative)):
            assert text(prompt).count(definition) == 1
            assert f"\n{label}: {definition}\n" in prompt.user


@pytest.mark.parametrize(("id", "layout"), list(itertools.product(IDS, LAYOUT)))
def test_a_transcript_judge_is_told_of_no_sound(id, layout):
    audio, transcript = (
        render(default_rubric(), id, order="PN", modality=modality, layout=layout) for modality in MODALITY
    )
    assert OF_AUDIO.search(text(audio))
    assert not OF_AUDIO.search(text(transcript))
    assert "transcript" in transcript.system
    assert "transcript" not in audio.system
    assert transcript.user == audio.user


@pytest.mark.parametrize("modality", MODALITY)
def test_the_judge_is_told_how_many_clips_there_are_and_which_is_which(modality):
    noun = {"audio": "recording", "transcript": "transcript"}[modality]
    for layout, how_many, when in [
        ("single", f"one {noun},", None),
        ("context_before", f"two {noun}s,", "just before"),
        ("context_after", f"two {noun}s,", "just after"),
    ]:
        system = render(default_rubric(), "S6", order="PN", modality=modality, layout=layout).system
        assert how_many in system
        announced = re.findall(r"^(TARGET|CONTEXT): ", system, re.MULTILINE)
        assert tuple(announced) == labels(layout)
        assert [word for word in ("just before", "just after") if word in system] == ([when] if when else [])
        assert "$" not in system


@pytest.mark.parametrize("order", ["PN", "NP"])
def test_the_examples_are_answers_that_favour_no_label(order):
    system = render(default_rubric(), "S0", order=order, modality="audio", layout="single").system
    examples = [STANCE.grammar.parse(line) for line in system.splitlines() if line.startswith("{")]
    assert all(isinstance(example, Answer) for example in examples)
    assert [example.choice for example in examples] == list(order)
    assert len({(example.probability, example.evidence) for example in examples}) == 1


@pytest.mark.parametrize("order", ["PN", "NP"])
def test_the_form_of_the_answer_is_the_family_s(order):
    answer = json.loads(render(default_rubric(), "S0", order=order, modality="audio", layout="single").answer)
    answer["properties"]["choice"]["enum"].sort(reverse=True)
    assert answer == STANCE.grammar.describe()


def test_every_prompt_has_a_name_of_its_own_and_fits_the_table():
    prompts = [
        render(default_rubric(), id, order=order, modality=modality, layout=layout)
        for id in IDS
        for order in STANCE.orders
        for modality in MODALITY
        for layout in (("single",) if PAPER.dimension(id).mode == "single" else LAYOUT[1:])
    ]
    names = [prompt.prompt_id for prompt in prompts]
    assert len(set(names)) == len(names) == 6 * 2 * 2 + 3 * 2 * 2 * 2
    assert {"S0-PN-audio", "S6-NP-transcript", "S6-PN-audio-after"} <= set(names)
    assert PROMPTS.from_rows(prompt.as_row() for prompt in prompts).num_rows == len(prompts)
    assert {protocol.modality for protocol in STANCE.protocols} == set(MODALITY) <= set(MODALITIES)


@given(st.frozensets(st.sampled_from(SWAPPABLE)))
def test_what_is_not_declared_as_swapped_stays(swaps):
    asked = "Which, {first} or {second}?" if "question" in swaps else "Which, P or N?"
    rubric = Rubric("mine", (Criterion("S0", asked, "$first {second}", "$question"),), swaps)
    pn, np = both(rubric, "S0", "audio", "single")
    assert (pn.system != np.system) == ("examples" in swaps) == (pn.answer != np.answer)
    question_pn, question_np = (prompt.user.splitlines()[0] for prompt in (pn, np))
    assert question_pn == "Question: Which, P or N?"
    assert question_np == ("Question: Which, N or P?" if "question" in swaps else question_pn)
    definitions = ["P: $first {second}", "N: $question"]
    assert pn.user.splitlines()[3:5] == definitions
    assert np.user.splitlines()[3:5] == (definitions[::-1] if "definitions" in swaps else definitions)


def test_stancebench_s_prompts_change_the_order_of_two_lines_only(shared_data: Path):
    rubric = read_stancebench(shared_data / "stancebench" / "questions_main.json", Findings())
    assert rubric is not None
    for dimension in PAPER.dimensions:
        pn, np = both(rubric, dimension.id, "audio", "single")
        assert (pn.system, pn.answer) == (np.system, np.answer)
        changed = [(a, b) for a, b in zip(pn.user.splitlines(), np.user.splitlines(), strict=True) if a != b]
        assert len(changed) == 2
        assert changed[0] == changed[1][::-1]
        assert rubric.criterion(dimension.id).question in pn.user


@pytest.mark.parametrize("bad", [{"order": "AB"}, {"modality": "oracle"}, {"layout": "both"}, {"dimension": "S9"}])
def test_what_there_is_no_prompt_for_is_a_key_error(bad):
    arguments = {"dimension": "S0", "order": "PN", "modality": "audio", "layout": "single", **bad}
    with pytest.raises(KeyError):
        render(default_rubric(), arguments.pop("dimension"), **arguments)
