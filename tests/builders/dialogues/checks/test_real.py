"""The checks on public dialogues of SpeechEQ: only the descriptions of the later ones tell the answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.builders.dialogues.written import SCENARIO

from earmark.builders.dialogues.checks import check_scenario, check_script, word_count
from earmark.builders.dialogues.checks.word_lists import DEFAULT_WORDS, found_in
from earmark.builders.dialogues.records import Line, Script
from earmark.manifests.eqi import subscale_labelled

TELLING = ("what would be right", "ought to do", "answers (", "names the skill")


@pytest.fixture(scope="module")
def records(shared_data: Path) -> list[dict[str, object]]:
    files = sorted((shared_data / "speecheq").glob("*/metadata.json"))
    if not files:
        pytest.skip("the public dialogues are not here")
    return [json.loads(file.read_text(encoding="utf-8")) for file in files]


def _scenario(record: dict[str, object]) -> dict[str, str]:
    value = record["scenario"]
    assert isinstance(value, dict)
    return value


def _later(record: dict[str, object]) -> bool:
    return "scenario_valence" in _scenario(record)


def _tones(record: dict[str, object]) -> list[str]:
    files = record["audio_files"]
    assert isinstance(files, list)
    return [file["tone_description"] for file in files]


def test_descriptions_that_tell_the_answer_are_those_of_the_later_ones(records: list[dict[str, object]]) -> None:
    for record in records:
        said = _scenario(record)
        scenario = replace(
            SCENARIO,
            subscale=subscale_labelled(str(record["eq_scale"])).slug,
            title="",
            description=said["description"],
            first=replace(SCENARIO.first, name=said["speaker1_name"]),
            second=replace(SCENARIO.second, name=said["speaker2_name"]),
        )
        telling = [reason for reason in check_scenario(scenario) if any(part in reason for part in TELLING)]
        assert bool(telling) == _later(record), telling


def test_every_script_has_its_turns_and_the_later_ones_shout_at_targets(records: list[dict[str, object]]) -> None:
    for record in records:
        turns = record["conversation"]
        assert isinstance(turns, list)
        script = Script(lines=tuple(Line(turn=turn["sentence_number"], text=turn["text"]) for turn in turns))
        reasons = check_script(script, SCENARIO)
        assert not any(part in reason for reason in reasons for part in ("psychology", "how somebody speaks", "signs"))
        if _later(record):
            assert any("exclamation mark" in reason for reason in reasons)


def test_the_later_tones_are_of_the_length_and_the_earlier_ones_are_bland(records: list[dict[str, object]]) -> None:
    later = [tone for record in records if _later(record) for tone in _tones(record)]
    earlier = [tone for record in records if not _later(record) for tone in _tones(record)]
    assert all(8 <= word_count(tone) <= 15 for tone in later)
    assert not any(found_in(tone, DEFAULT_WORDS.bland) for tone in later)
    assert sum(bool(found_in(tone, DEFAULT_WORDS.bland)) for tone in earlier) > len(earlier) / 4
