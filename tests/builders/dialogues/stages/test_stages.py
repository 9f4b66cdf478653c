"""Each stage by itself: its form, what it asks, what it rejects, and what an answer becomes."""

from __future__ import annotations

import json
from collections import Counter
from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.builders.dialogues.written import COMMISSION, SCENARIO, SCRIPT, SELECTIONS, TONES, answers

from earmark.builders.dialogues.checks import DEFAULT_WORDS, apathetic_allowed, check_scenario
from earmark.builders.dialogues.makers import Commission
from earmark.builders.dialogues.quotas import DialoguesSection, commissions
from earmark.builders.dialogues.stages import (
    CONTEXT_TONES,
    SELECTION,
    TARGET_TONES,
    Candidates,
    Lines,
    Target,
    read_writing_templates,
)
from earmark.builders.dialogues.stages import (
    SCENARIO as SCENARIO_STAGE,
)
from earmark.builders.dialogues.stages import (
    SCRIPT as SCRIPT_STAGE,
)
from earmark.builders.dialogues.stages.largest import largest_scenario
from earmark.builders.dialogues.stages.scenario import Failing, fields, offered
from earmark.builders.dialogues.stages.templates import FIELDS
from earmark.builders.providers.shapes import strict_schema
from earmark.manifests.canonical import canonical_json
from earmark.manifests.eqi import FAILURES
from earmark.manifests.findings import Findings

LINES, FOUR = Lines(SCENARIO, SCRIPT), Target(SCENARIO, SCRIPT, 4)
CANDIDATES = Candidates(COMMISSION.name, SCENARIO, SCRIPT, TONES.target(4))


def test_sound_answers_pass_and_become_the_records() -> None:
    scenario = msgspec.convert(answers()["scenario"], SCENARIO_STAGE.shape)
    assert SCENARIO_STAGE.check(scenario, COMMISSION, DEFAULT_WORDS) == ()
    assert SCENARIO_STAGE.record(scenario, COMMISSION) == SCENARIO
    script = msgspec.convert(answers()["script"], SCRIPT_STAGE.shape)
    assert SCRIPT_STAGE.check(script, SCENARIO, DEFAULT_WORDS) == ()
    assert SCRIPT_STAGE.record(script, SCENARIO) == SCRIPT
    context = msgspec.convert(answers()["context_tones"], CONTEXT_TONES.shape)
    assert CONTEXT_TONES.check(context, LINES, DEFAULT_WORDS) == ()
    assert CONTEXT_TONES.record(context, LINES) == TONES.context
    targets = msgspec.convert(answers()["target_tones 4"], TARGET_TONES.shape)
    assert TARGET_TONES.check(targets, FOUR, DEFAULT_WORDS) == ()
    assert TARGET_TONES.record(targets, FOUR) == TONES.target(4)
    shown = {key: CANDIDATES.shown.index(getattr(SELECTIONS[0], key)) + 1 for key in ("resonant", "dissonant")}
    selection = msgspec.convert({**answers()["selection 4"], **shown}, SELECTION.shape)
    assert SELECTION.check(selection, CANDIDATES, DEFAULT_WORDS) == ()
    made = SELECTION.record(selection, CANDIDATES)
    assert (made.turn, made.resonant, made.dissonant) == (4, 1, SELECTIONS[0].dissonant)
    assert SELECTIONS[0].reasoning in made.reasoning
    assert ", ".join(map(str, CANDIDATES.shown)) in made.reasoning


@pytest.mark.parametrize(
    "shape", [s.shape for s in (SCENARIO_STAGE, SCRIPT_STAGE, CONTEXT_TONES, TARGET_TONES, SELECTION)]
)
def test_every_form_is_one_that_structured_outputs_take(shape: type[msgspec.Struct]) -> None:
    schema = json.dumps(strict_schema(shape))
    for unknown in ("prefixItems", "minItems", "default", "pattern", "const"):
        assert f'"{unknown}"' not in schema


def test_every_stage_fills_in_every_field() -> None:
    templates = read_writing_templates(None, Findings(strict=True))
    filled = {
        "scenario": SCENARIO_STAGE.fields(COMMISSION, DEFAULT_WORDS),
        "script": SCRIPT_STAGE.fields(SCENARIO, DEFAULT_WORDS),
        "context_tones": CONTEXT_TONES.fields(LINES, DEFAULT_WORDS),
        "target_tones": TARGET_TONES.fields(FOUR, DEFAULT_WORDS),
        "selection": SELECTION.fields(CANDIDATES, DEFAULT_WORDS),
    }
    for name, values in filled.items():
        assert set(values) >= FIELDS[name].required | FIELDS[name].optional, name
        assert all(values.values()), name
        prompt = templates.prompt(name, values)
        for field in FIELDS[name].required:
            assert values[field] in prompt.user, field


@given(st.sampled_from(['"', "\\", "ä", "語", "\u0001", "word"]), st.integers(1, 900))
@settings(max_examples=25)
def test_no_scenario_that_passes_is_larger_than_a_dry_run_takes_it_to_be(part: str, times: int) -> None:
    scenario = replace(
        SCENARIO, description=f"Ruth. {part * times}", intent=f"Go. {part * times}", title=f"No {part * times}"
    )
    if not any("too long" in reason for reason in check_scenario(scenario)):
        sizes = [
            len(canonical_json(dict(SCRIPT_STAGE.fields(s, DEFAULT_WORDS))))
            for s in (scenario, largest_scenario(COMMISSION.cell))
        ]
        assert sizes[0] <= sizes[1]
    assert len(canonical_json(scenario.title)) <= 2 + 12 * 12 or check_scenario(scenario)


def test_lines_have_the_right_speakers() -> None:
    lines = answers()["script"]["lines"]
    assert isinstance(lines, list)
    swapped = [{**line, "speaker": "first"} for line in lines]
    answer = msgspec.convert({"lines": swapped}, SCRIPT_STAGE.shape)
    (reason,) = SCRIPT_STAGE.check(answer, SCENARIO, DEFAULT_WORDS)
    assert "they take turns" in reason
    short = msgspec.convert({"lines": lines[:5]}, SCRIPT_STAGE.shape)
    assert any("it has six" in reason for reason in SCRIPT_STAGE.check(short, SCENARIO, DEFAULT_WORDS))


def test_the_failures_that_a_form_names_are_those_of_the_taxonomy() -> None:
    assert set(get_args(Failing)) == {failure.slug for failure in FAILURES}


def test_the_apathetic_failure_is_offered_and_taken_where_it_may_be() -> None:
    for number in range(1, 30):
        commission = Commission(f"interpersonal_empathy-{number:04d}", COMMISSION.cell)
        may = apathetic_allowed(commission.name)
        assert any(failure.seldom for failure in offered(commission.name)) == may
        persona = {"failure": "apathetic_wall", "persona": "Somebody who looks through her."}
        answer = msgspec.convert({**answers()["scenario"], "dissonant_persona": persona}, SCENARIO_STAGE.shape)
        assert bool(SCENARIO_STAGE.check(answer, commission, DEFAULT_WORDS)) != may


def test_names_and_genders_are_drawn_and_do_not_collapse() -> None:
    asked = [fields(commission, DEFAULT_WORDS) for commission in commissions(DialoguesSection(per_subscale=20))]
    assert fields(COMMISSION, DEFAULT_WORDS) == fields(COMMISSION, DEFAULT_WORDS)
    for who in ("first", "second"):
        genders = Counter(values[f"{who}_gender"] for values in asked)
        assert set(genders) == {"female", "male", "nonbinary"}
        assert min(genders["female"], genders["male"]) > 3 * genders["nonbinary"] / 2
        initials = Counter(values[f"{who}_initial"] for values in asked)
        assert max(initials.values()) < len(asked) / 8
    assert all(values["first_initial"] != values["second_initial"] for values in asked)


def test_candidates_are_shown_in_an_order_of_their_own_and_without_their_kinds() -> None:
    orders = Counter(
        Candidates(f"d-{number}", SCENARIO, SCRIPT, targets).shown for number in range(60) for targets in TONES.targets
    )
    assert len(orders) == 6
    shown = SELECTION.fields(CANDIDATES, DEFAULT_WORDS)["candidates"]
    assert [line[3:] for line in shown.splitlines()] == [
        TONES.target(4).candidates[number - 1].instruction for number in CANDIDATES.shown
    ]
    assert not any(failure.slug in shown for failure in FAILURES)


def test_a_selection_is_rejected_by_the_numbers_that_were_shown() -> None:
    fits = CANDIDATES.shown.index(1) + 1
    wrong = next(number for number in (1, 2, 3) if number != fits)
    answer = msgspec.convert({"reasoning": "So.", "resonant": wrong, "dissonant": fits}, SELECTION.shape)
    reasons = SELECTION.check(answer, CANDIDATES, DEFAULT_WORDS)
    for number, reason in zip((wrong, fits), reasons, strict=True):
        assert f"candidate {number} of turn 4 is named as" in reason
    answer = msgspec.convert({"reasoning": "So.", "resonant": 7, "dissonant": fits}, SELECTION.shape)
    assert SELECTION.check(answer, CANDIDATES, DEFAULT_WORDS)
