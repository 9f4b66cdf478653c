"""Every check: what is sound passes, and each fault is found, with its own reason and no other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.builders.dialogues.written import DIALOGUE, SCENARIO, SCRIPT, SELECTIONS, TONES

from earmark.builders.dialogues.checks import (
    DEFAULT_WORDS,
    apathetic_allowed,
    check_apathetic_share,
    check_dialogue,
    check_neutral,
    check_scenario,
    check_script,
    check_selection,
    check_tones,
    is_monotone,
    leaks,
    read_word_lists,
    word_count,
)
from earmark.builders.dialogues.checks.word_lists import found_in
from earmark.builders.dialogues.records import Dialogue, DissonantPersona, Line, Script, TargetTones, Tone
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings


def test_a_sound_dialogue_passes_every_check() -> None:
    assert check_scenario(SCENARIO) == ()
    assert check_script(SCRIPT, SCENARIO) == ()
    assert check_tones(TONES, SCRIPT, SCENARIO) == ()
    assert check_dialogue(DIALOGUE) == ()


def the(reasons: tuple[str, ...], part: str) -> None:
    """There is one reason, and it says so."""
    assert len(reasons) == 1, reasons
    assert part in reasons[0]


WALL = DissonantPersona(failure="apathetic_wall", persona="Somebody who looks through her.")
ONE, OTHER = SCENARIO.dissonant_personas

SCENARIOS: dict[str, tuple[dict[str, object], str]] = {
    "subscale": ({"subscale": "interpersonal"}, "the subscale 'interpersonal' is unknown"),
    "valence": ({"valence": "negative"}, "one of Positive, Negative, Conflict"),
    "type": ({"type": "office"}, "the scenario type 'office'"),
    "empty": ({"intent": " … "}, "the intent is empty"),
    "long": ({"title": "a very long title " * 4}, "the title is too long"),
    "long word": ({"title": "m" * 200}, "the title is too long"),
    "markup": ({"context": "In a **kitchen**, at noon."}, "no prose"),
    "one name": ({"second": replace(SCENARIO.second, name="RUTH")}, "both speakers are called 'Ruth'"),
    "gender": ({"first": replace(SCENARIO.first, gender="Female")}, "one of female, male, nonbinary"),
    "a part": ({"second": replace(SCENARIO.second, role="Test Subject")}, "named after the task (“test subject”)"),
    "a number": ({"first": replace(SCENARIO.first, name="Speaker A")}, "named after the task (“speaker a”)"),
    "a skilled role": ({"second": replace(SCENARIO.second, role="empathetic brother")}, "(“empathetic”), and judges"),
    "failure": ({"dissonant_personas": (ONE, replace(OTHER, failure="grump"))}, "the failure 'grump' is unknown"),
    "one failure": ({"dissonant_personas": (ONE, replace(OTHER, failure=ONE.failure))}, "two different ones"),
    "one persona": ({"resonant_persona": ONE.persona}, "the same words"),
    "owed": ({"description": "Ruth shows Tom a cradle. Tom must stay with her."}, "what Tom ought to do (“must”)"),
    "owed by number": ({"description": "Ruth is here. Speaker 2 needs to listen."}, "ought to do (“needs to”)"),
    "answers": (
        {"description": "Ruth shows a cradle, and Tom responds in a low voice."},
        "how Tom answers (“responds”)",
    ),
    "skill": ({"description": "Ruth shows Tom a cradle, and empathy is at stake."}, "names the skill (“empathy”)"),
    "skill in the title": ({"title": "Empathetic brother"}, "the title names the skill"),
    "judged": (
        {"description": "Ruth shows Tom a cradle. The moment calls for quiet."},
        "what would be right (“calls for”)",
    ),
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_each_fault_of_a_scenario_is_said(name: str) -> None:
    changes, part = SCENARIOS[name]
    the(check_scenario(replace(SCENARIO, **changes)), part)


@pytest.mark.parametrize(
    "description",
    [
        "Ruth must be out of the house by noon. Tom is packing.",
        "Tom is packing. His sister Ruth has to tell him something.",
    ],
)
def test_what_the_first_speaker_owes_may_be_told(description: str) -> None:
    assert check_scenario(replace(SCENARIO, description=description)) == ()


def test_the_apathetic_failure_is_for_few() -> None:
    scenario = replace(SCENARIO, dissonant_personas=(ONE, WALL))
    assert check_scenario(scenario) == ()
    the(check_scenario(scenario, apathetic=False), "for few dialogues")


SCRIPTS: dict[str, tuple[int, str, str]] = {
    "empty": (1, "…", "of 0 words"),
    "long": (1, "and " * 61, "of 61 words"),
    "short target": (4, "I see.", "of 2 words"),
    "long target": (6, "so " * 31, "of 31 words"),
    "direction": (1, "[pauses] I found this.", "signs that nobody says"),
    "aside": (3, "It's a cradle (she sobs) he made.", "signs that nobody says"),
    "key=value": (2, "pitch=high what is it?", "signs that nobody says"),
    "two lines": (2, "What is it?\nI can't see.", "signs that nobody says"),
    "label": (1, "Ruth: I found this.", "a name and a colon"),
    "psychology": (3, "My therapist says it is a coping mechanism.", "words of psychology (“coping mechanism”)"),
    "skill": (2, "You have no empathy.", "words of psychology (“empathy”)"),
    "voice": (5, "Don't take that tone with me.", "how somebody speaks (“tone”)"),
    "exclamation": (4, "So that is what he was doing!", "exclamation mark"),
    "feeling": (6, "Then we put the sad thing on the table.", "names a feeling (“sad”)"),
    "manner": (4, "So he worked out here quietly.", "names a feeling (“quietly”)"),
    "capitals": (4, "So that is what he did ALL winter, EVERY day.", "in capitals (“EVERY”)"),
    "alike": (5, "what is it — I can't see from here", "turn 5 says what turn 2 says"),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_each_fault_of_a_script_is_said(name: str) -> None:
    turn, text, part = SCRIPTS[name]
    lines = tuple(replace(line, text=text) if line.turn == turn else line for line in SCRIPT.lines)
    reasons = check_script(Script(lines=lines), SCENARIO)
    the(reasons, part)
    assert f"turn {turn}" in reasons[0]


@pytest.mark.parametrize("turns", [(), (1, 2, 3, 4, 5), (1, 2, 3, 4, 5, 6, 7), (1, 2, 4, 3, 5, 6)])
def test_a_script_has_six_turns_in_order(turns: tuple[int, ...]) -> None:
    script = Script(lines=tuple(Line(turn=turn, text=f"This is what {turn} says.") for turn in turns))
    the(check_script(script, SCENARIO), "it has six, numbered 1 to 6, in order")
    assert "it has six" in " ".join(check_dialogue(replace(DIALOGUE, script=script)))


def test_context_turns_may_feel_and_shout() -> None:
    assert check_script(_with(3, "I'm so HAPPY I could weep! It's wonderful!"), SCENARIO) == ()


def _with(turn: int, text: str) -> Script:
    return Script(lines=tuple(replace(line, text=text) if line.turn == turn else line for line in SCRIPT.lines))


def _candidate(number: int, **changes: object) -> TargetTones:
    tones = TONES.target(4).candidates
    one, two, three = (replace(t, **changes) if n == number else t for n, t in enumerate(tones, start=1))
    return TargetTones(turn=4, candidates=(one, two, three))


def _context(number: int, **changes: object) -> tuple[Tone, Tone, Tone, Tone]:
    one, two, three, four = (replace(t, **changes) if n == number else t for n, t in enumerate(TONES.context))
    return one, two, three, four


TONE_FAULTS: dict[str, tuple[Callable[[], dict[str, object]], str]] = {
    "short": (lambda: {"context": _context(0, instruction="Speak low and slow.")}, "the tone of turn 1 has 4 words"),
    "long": (lambda: {"context": _context(1, instruction="loud " * 16)}, "the tone of turn 2 has 16 words"),
    "bland": (
        lambda: {
            "context": _context(2, instruction="Speak in a pleasant and politely even voice throughout the phrase.")
        },
        "the tone of turn 3 uses words that say nothing about a voice (“pleasant”, “politely”)",
    ),
    "brackets": (
        lambda: {"context": _context(3, instruction="[sobbing] Push it out unevenly, high and thin, near tears.")},
        "the tone of turn 5 has brackets",
    ),
    "key=value": (
        lambda: {"context": _context(3, instruction="pitch=high and rate=fast as if nothing else mattered now.")},
        "key=value",
    ),
    "context failure": (lambda: {"context": _context(0, failure="apathetic_wall")}, "a context turn shows none"),
    "resonant failure": (
        lambda: {"targets": _targets(_candidate(1, failure="toxic_optimist"))},
        "it is the resonant one",
    ),
    "one failure": (
        lambda: {"targets": _targets(_candidate(3, failure="toxic_optimist"))},
        "show the personas' failures",
    ),
    "another failure": (lambda: {"targets": _targets(_candidate(3, failure="anxious_spiraler"))}, "impatient_evader"),
    "no failure": (lambda: {"targets": _targets(_candidate(2, failure=None))}, "show None, impatient_evader"),
    "alike": (
        lambda: {
            "targets": _targets(
                _candidate(3, instruction="Loud and sunny, ring out, bouncing pitch, as at a birthday party.")
            )
        },
        "candidates 2 and 3 of turn 4 say nearly the same",
    ),
    "leak": (
        lambda: {
            "targets": _targets(
                _candidate(1, instruction="Go down to a wintry half-voice, the winter in it, very slow.")
            )
        },
        "turn 4 says what candidate 1 tells the voice (“winter”)",
    ),
    "other turn": (lambda: {"targets": _targets(replace(TONES.target(4), turn=6))}, "said to be of turn 6"),
}


def _targets(four: TargetTones) -> tuple[TargetTones, TargetTones]:
    return four, TONES.target(6)


@pytest.mark.parametrize("name", TONE_FAULTS)
def test_each_fault_of_tones_is_said(name: str) -> None:
    changes, part = TONE_FAULTS[name]
    the(check_tones(replace(TONES, **changes()), SCRIPT, SCENARIO), part)


FOUR = TONES.target(4)
SELECTION_FAULTS: dict[str, tuple[dict[str, object], TargetTones, str]] = {
    "one option twice": ({"resonant": 2}, FOUR, "is named twice"),
    "no candidate": ({"dissonant": 4}, FOUR, "has no candidate 4"),
    "zero": ({"resonant": 0}, FOUR, "has no candidate 0"),
    "a failure as resonant": ({"resonant": 3}, FOUR, "named as resonant and shows a failure"),
    "other turn": ({"turn": 6}, FOUR, "the selection is of turn 6"),
    "no reason": ({"reasoning": " "}, FOUR, "gives no reason"),
    "apathetic": ({}, _candidate(2, failure="apathetic_wall"), "3 fails actively, take that one"),
    "monotone": (
        {},
        _candidate(2, instruction="Flat and deadpan, no breath moves, one note to the very end."),
        "candidate 2 of turn 4 shows nothing",
    ),
}


@pytest.mark.parametrize("name", SELECTION_FAULTS)
def test_each_fault_of_a_selection_is_said(name: str) -> None:
    changes, targets, part = SELECTION_FAULTS[name]
    reasons = check_selection(replace(SELECTIONS[0], **changes), targets)
    assert any(part in reason for reason in reasons)
    assert len(reasons) <= 2


def test_a_resonant_candidate_is_no_distractor() -> None:
    reasons = check_selection(replace(SELECTIONS[0], resonant=2, dissonant=1), FOUR)
    assert [reason.partition(" and ")[0] for reason in reasons] == [
        "candidate 2 of turn 4 is named as resonant",
        "candidate 1 of turn 4 is named as dissonant",
    ]


def test_a_monotone_distractor_passes_where_nothing_else_fails() -> None:
    flat = "Flat and deadpan, no breath moves, one note to the very end."
    resonant = FOUR.candidates[0]
    both = TargetTones(
        turn=4,
        candidates=(
            resonant,
            Tone(instruction=flat, failure="apathetic_wall"),
            Tone(instruction=flat, failure="toxic_optimist"),
        ),
    )
    assert is_monotone(both.candidates[2])
    assert check_selection(SELECTIONS[0], both) == ()


def test_a_dialogue_says_the_faults_of_all_its_stages() -> None:
    broken = replace(
        DIALOGUE,
        scenario=replace(SCENARIO, title=""),
        script=_with(4, "So that is what he was doing!"),
        tones=replace(TONES, context=_context(0, instruction="Low.")),
        selections=(replace(SELECTIONS[0], reasoning=""), replace(SELECTIONS[1], dissonant=1)),
    )
    reasons = check_dialogue(broken)
    for part in ("title", "exclamation", "the tone of turn 1", "turn 4 gives no reason", "named twice"):
        assert any(part in reason for reason in reasons), part


def _apathetic(name: str) -> Dialogue:
    return replace(DIALOGUE, name=name, scenario=replace(SCENARIO, dissonant_personas=(ONE, WALL)))


@given(st.integers(1, 400), st.sampled_from(["interpersonal_empathy", "stress_management_optimism"]))
@settings(max_examples=25)
def test_never_more_than_a_tenth_of_a_subscale_may_have_the_apathetic_failure(count: int, subscale: str) -> None:
    may = sum(apathetic_allowed(f"{subscale}-{number:04d}") for number in range(1, count + 1))
    assert count // 12 <= may <= count / 10


def test_no_replacement_may_have_it() -> None:
    assert not any(apathetic_allowed(f"interpersonal_empathy-conflict-sport-r{number}") for number in range(1, 100))


def test_the_names_that_may_have_it_go_through_all_valences_and_types() -> None:
    allowed = [number - 1 for number in range(1, 500) if apathetic_allowed(f"x-{number:04d}")]
    assert {number % 3 for number in allowed} == set(range(3))
    assert {number % 10 for number in allowed} == set(range(10))


def test_the_share_of_a_whole_build_is_checked() -> None:
    others = [replace(DIALOGUE, name=f"d-{number}") for number in range(9)]
    assert check_apathetic_share([*others, _apathetic("a")]) == ()
    the(check_apathetic_share([*others[1:], _apathetic("a")]), "1 of 9 dialogues")
    assert check_apathetic_share([]) == ()


@given(st.text(max_size=80))
@settings(max_examples=25)
def test_no_text_crashes_a_check(text: str) -> None:
    text = text.encode("utf-8", "ignore").decode()
    check_scenario(replace(SCENARIO, description=text, title=text, first=replace(SCENARIO.first, name=text)))
    check_script(_with(4, text), SCENARIO)
    check_tones(replace(TONES, context=_context(0, instruction=text)), SCRIPT, SCENARIO)
    assert leaks(text, text) == leaks(text.upper(), text) or not text.isascii()


@given(st.lists(st.sampled_from(["low", "slow", "half-voice", "—", "husky", ",", "…", "breath"]), max_size=20))
@settings(max_examples=25)
def test_words_of_a_tone_are_counted_between_spaces(parts: list[str]) -> None:
    assert word_count("  ".join(parts)) == sum(part not in {"—", ",", "…"} for part in parts)


def test_lists_are_found_by_whole_words_and_by_any_ending() -> None:
    assert found_in("The gladiolus is unglad, we're glad", ("glad",)) == ("glad",)
    assert found_in("Exciting! She's EXCITED.", ("excit*",)) == ("exciting", "excited")
    assert found_in("thank-God it's over; oh, no", ("thank god", "oh no")) == ("thank god", "oh no")
    assert found_in("anything", ()) == ()


def test_target_lines_without_feeling_are_neutral() -> None:
    assert check_neutral(4, "Okay. Tell me again what the letter says.") == ()


def test_lists_of_ones_own_replace_those_that_they_name(tmp_path: Path) -> None:
    path = tmp_path / "words.toml"
    path.write_text('bland = ["husky"]\n[skills]\ninterpersonal_empathy = ["cradle*"]\n', encoding="utf-8")
    words = read_word_lists(path, Findings(strict=True))
    assert words.bland == ("husky",)
    assert words.emotion == DEFAULT_WORDS.emotion
    assert words.skills["stress_management_optimism"] == DEFAULT_WORDS.skills["stress_management_optimism"]
    the(check_scenario(SCENARIO, words), "names the skill (“cradle”)")
    the(check_tones(TONES, SCRIPT, SCENARIO, words), "“husky”")


def test_all_that_is_wrong_with_lists_is_said_at_once(tmp_path: Path) -> None:
    path = tmp_path / "words.toml"
    path.write_text('bland = ["", "a**"]\n[skills]\ninterpersonal_empaty = ["x"]\n', encoding="utf-8")
    findings = Findings()
    read_word_lists(path, findings)
    assert findings.counts == {"dialogues.word-list": 3}
    path.write_text('bland = "nice"\nblend = ["x"]\n', encoding="utf-8")
    with pytest.raises(Refused) as raised:
        read_word_lists(path, Findings())
    assert len(raised.value.findings) == 2


def test_lists_go_through_the_recipe_unchanged() -> None:
    recipe = DEFAULT_WORDS.as_recipe()
    assert msgspec.convert(msgspec.json.decode(msgspec.json.encode(recipe)), type(DEFAULT_WORDS)) == DEFAULT_WORDS
