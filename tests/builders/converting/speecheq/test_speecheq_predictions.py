"""SpeechEQ's prediction files read: every run as it stands, what contradicts itself said, and hostile values left out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.speecheq_predictions import (
    AUDIO,
    NUMBERS,
    TURNS,
    WORDS,
    counted,
    dialogue_id,
    prediction_file,
    write_file,
)

from earmark.builders.converting.speecheq import predictions
from earmark.builders.converting.speecheq.agreement import agreed
from earmark.builders.converting.speecheq.predictions import Predicted, read_predictions
from earmark.builders.converting.speecheq.rows import answer_of
from earmark.builders.converting.speecheq.shapes import MOST_RUNS
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings

Change = Callable[[dict[str, Any]], object]


def read(path: Path, value: object) -> tuple[Predicted, Findings]:
    findings = Findings()
    return read_predictions(write_file(path, value), findings), findings


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("predictions") / "judge.json"


@pytest.mark.parametrize(
    ("kind", "modality"), [(AUDIO, "audio"), (NUMBERS, "cascade-numbers"), (WORDS, "cascade-words")]
)
def test_every_run_is_read_as_it_stands(path: Path, kind: str, modality: str) -> None:
    value = prediction_file(kind=kind, count=20)
    predicted, findings = read(path, value)
    assert findings.counts == {}
    assert (predicted.model, predicted.data_set, predicted.modality) == ("toy/Judge-7B", "toy_SpeechEQ_v2", modality)
    right = {
        (dialogue.name, target): [run.right for run in runs]
        for dialogue in predicted.dialogues.values()
        for target, runs in dialogue.runs.items()
    }
    assert right == counted(value).right
    for response in value["responses"]:
        for turn in TURNS:
            runs = predicted.dialogues[response["dataset_id"]].runs[turn.replace("sentence_", "turn ")]
            for run, result in zip(runs, response[turn]["individual_results"], strict=True):
                assert run.gold_first == (result["high_eq_option"] == "option1")
                assert run.response == result.get("raw_response")


def run_of(value: dict[str, Any], run: int = 0) -> dict[str, Any]:
    result: dict[str, Any] = value["responses"][0]["sentence_4"]["individual_results"][run]
    return result


def first(value: dict[str, Any]) -> dict[str, Any]:
    response: dict[str, Any] = value["responses"][0]
    return response


FLAWS: list[tuple[Change, str]] = [
    (lambda value: run_of(value).pop("high_eq_option"), "bad-run"),
    (lambda value: run_of(value).update(selected_option=1), "bad-run"),
    (lambda value: run_of(value).update(high_eq_option="both"), "bad-run"),
    (lambda value: first(value).pop("dataset_id"), "bad-response"),
    (lambda value: first(value).update(dataset_id="../x"), "bad-response"),
    (lambda value: first(value).update(subscale_slug="shelving"), "bad-response"),
    (lambda value: first(value).update(eq_scale="Interpersonal - Empathy"), "bad-response"),
    (lambda value: first(value).update(sentence_4={"individual_results": [{}] * (MOST_RUNS + 1)}), "bad-response"),
    (lambda value: value["responses"].append(json.loads(json.dumps(first(value)))), "repeated-dialogue"),
    (lambda value: first(value).update(sentence_4={"error": "no audio"}), "unanswered"),
    (lambda value: first(value).update(sentence_6=None), "unanswered"),
    (lambda value: run_of(value).update(correct=not run_of(value)["correct"]), "other-verdict"),
    (
        lambda value: first(value)["sentence_4"].update(correct=not first(value)["sentence_4"]["correct"]),
        "other-verdict",
    ),
    (
        lambda value: first(value)["sample_level"].update(correct=not first(value)["sample_level"]["correct"]),
        "other-verdict",
    ),
]


@pytest.mark.parametrize(("flaw", "code"), FLAWS)
def test_each_flaw_is_said_and_costs_nothing_else(path: Path, flaw: Change, code: str) -> None:
    sound, _ = read(path, prediction_file())
    value = prediction_file()
    flaw(value)
    predicted, findings = read(path, value)
    assert set(findings.counts) - {"convert.other-verdict"} == {f"convert.{code}"} - {"convert.other-verdict"}
    assert findings.counts[f"convert.{code}"] >= 1
    for number in range(1, 4):
        assert predicted.dialogues[dialogue_id(number)] == sound.dialogues[dialogue_id(number)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "not-json"),
        ('{"a": 1, "a": 2}', "not-json"),
        ('{"model": NaN}', "not-json"),
        ("[" * 5000, "not-json"),
        ("[]", "not-predictions"),
        ('{"model": "m", "responses": []}', "not-predictions"),
        ('{"dataset_name": "d", "model": "m", "responses": {}}', "not-predictions"),
        ('{"dataset_name": "d", "model": "m", "responses": []}', "no-response"),
        ('{"dataset_name": "d", "model": "m", "responses": [1, null]}', "no-response"),
        ('{"dataset_name": "../d", "model": "m", "responses": []}', "not-predictions"),
    ],
)
def test_what_is_no_prediction_file_is_refused(path: Path, text: str, code: str) -> None:
    path.write_text(text, "utf-8")
    with pytest.raises(Refused) as refused:
        read_predictions(path, Findings())
    assert f"convert.{code}" in refused.value.findings.counts


def test_a_file_that_is_too_large_is_not_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(predictions, "MOST_BYTES", 100)
    with pytest.raises(Refused, match="1 error"):
        read(path, prediction_file())


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def leaves(value: Any, place: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place, *(found for name, entry in inner for found in leaves(entry, (*place, name)))]


@settings(max_examples=60)
@given(data=st.data())
def test_whatever_stands_in_a_file_is_read_or_refused(path: Path, data: st.DataObject) -> None:
    value: Any = prediction_file(count=2)
    place = data.draw(st.sampled_from(leaves(value)[1:]))
    part = value
    for name in place[:-1]:
        part = part[name]
    part[place[-1]] = data.draw(JSON)
    findings = Findings()
    write_file(path, value)
    try:
        predicted = read_predictions(path, findings)
    except Refused:
        predicted = None
    assert predicted is not None or findings.failed
    for dialogue in predicted.dialogues.values() if predicted else ():
        for runs in dialogue.runs.values():
            for run in runs:
                answer, _ = answer_of(run)
                assert len({"response", "choice", "status"} & answer.row().keys()) == 1


def test_a_cascade_whose_file_does_not_say_so_is_asked_about(path: Path) -> None:
    value = prediction_file(kind=NUMBERS)
    value["source_file"] = "x.json"
    predicted, findings = read(path, value)
    assert (predicted.modality, findings.counts) == ("audio", {"convert.modality": 1})


@pytest.mark.parametrize(
    ("runs", "right", "vote"), [(2, 1, False), (2, 2, True), (3, 2, True), (3, 1, False), (4, 2, False)]
)
def test_a_vote_needs_more_than_half(path: Path, runs: int, right: int, vote: bool) -> None:
    value = prediction_file(kind=NUMBERS)
    results = [{"selected_option": "option1", "high_eq_option": f"option{1 + (n >= right)}"} for n in range(runs)]
    first(value)["sentence_4"] = {"individual_results": results, "correct": vote}
    first(value).pop("sample_level")
    assert read(path, value)[1].counts == {}
    first(value)["sentence_4"]["correct"] = not vote
    assert read(path, value)[1].counts == {"convert.other-verdict": 1}


def test_what_the_authors_read_wins_over_what_we_would_read(path: Path) -> None:
    value = prediction_file()
    for said, option in (('{"selected": "option1", ', "option1"), ('{"selected": "option1"}', "error")):
        run_of(value).update(raw_response=said, selected_option=option, correct=False, high_eq_option="option2")
        run = read(path, value)[0].dialogues[dialogue_id(0)].runs["turn 4"][0]
        answer, alike = answer_of(run)
        assert not alike
        assert answer.choice == ("1" if option == "option1" else None)
        assert answer.status == ("ok" if option == "option1" else "failed")


@pytest.mark.parametrize("said", ["x" * (1 << 16) + '{"selected": "option2"}', '{"selected": "option2"}\0'])
def test_a_response_that_no_row_may_hold_becomes_a_choice(path: Path, said: str) -> None:
    value = prediction_file()
    run_of(value).update(raw_response=said, selected_option="option2", correct=False, high_eq_option="option1")
    answer, _ = answer_of(read(path, value)[0].dialogues[dialogue_id(0)].runs["turn 4"][0])
    assert answer.choice == "2"


def test_files_must_be_of_the_same_dialogues(tmp_path: Path) -> None:
    def agree(change: Change, name: str = "two") -> Findings:
        value = prediction_file(kind=WORDS)
        change(value)
        (tmp_path / "other").mkdir(exist_ok=True)
        one, _ = read(tmp_path / "one.json", prediction_file())
        two, findings = read(tmp_path / "other" / f"{name}.json", value)
        try:
            named = agreed([one, two], findings)
        except Refused:
            return findings
        assert [entry.name for entry in named] == [dialogue_id(n) for n in range(4)]
        return findings

    assert agree(lambda value: None).counts == {}
    assert agree(lambda value: value["responses"].pop()).counts == {"convert.lacking": 1}
    assert agree(lambda value: first(value).update(scenario_title="Other")).counts == {"convert.other-title": 1}
    assert agree(lambda value: value.update(dataset_name="other")).counts == {"convert.other-data": 1}
    moved = {"subscale_slug": "interpersonal_empathy", "eq_scale": "Interpersonal - Empathy"}
    assert agree(lambda value: first(value).update(moved)).counts == {"convert.other-scale": 1}
    assert agree(lambda value: None, "ONE").counts == {"convert.one-name": 1}


def test_the_real_files_say_what_they_say_of_themselves(shared_data: Path) -> None:
    files = sorted((shared_data / "speecheq_predictions").glob("*.json"))
    findings = Findings()
    read_files = [read_predictions(file, findings) for file in files]
    assert findings.counts == {}
    assert [file.modality for file in read_files] == ["audio", "audio", "cascade-numbers"]
    assert len(agreed(read_files, findings)) == 15
    assert findings.counts == {}
    alike = [
        answer_of(run)[1] for file in read_files for d in file.dialogues.values() for r in d.runs.values() for run in r
    ]
    assert alike == [True] * 270
