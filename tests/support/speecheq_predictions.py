"""Prediction files in the layout of SpeechEQ's authors, of systems that were made up, and their marks counted the slow way."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from earmark.builders.miniatures.dice import Dice
from earmark.manifests.eqi import SUBSCALES

DATA_SET = "toy_SpeechEQ_v2"
AUDIO, NUMBERS, WORDS = "_001.json", "_001_ser_raw_llm.json", "_001_ser_llm.json"
TURNS = ("sentence_4", "sentence_6")


def dialogue_id(number: int) -> str:
    """Name of a dialogue, from 0."""
    return f"20260101_{number:06d}_{number:012x}"


def prediction_file(
    model: str = "toy/Judge-7B", *, seed: int = 1, count: int = 4, kind: str = AUDIO, swap: bool = True
) -> dict[str, Any]:
    """A prediction file: three runs of each turn, the second in the order that the first was not asked in.

    Args:
        model: Its judge.
        seed: Decides orders and answers.
        count: Dialogues.
        kind: What `source_file` ends in.
        swap: Whether the second run is swapped, or every run's order is drawn.
    """
    dice = Dice(seed, (model, kind))
    responses = []
    for number in range(count):
        subscale = SUBSCALES[number % len(SUBSCALES)]
        turns = {turn: _turn(dice.within(number, turn), kind, swap) for turn in TURNS}
        both = all(turns[turn]["correct"] for turn in TURNS)
        responses.append(
            {
                "dataset_id": dialogue_id(number),
                "subscale_slug": subscale.slug,
                "found": True,
                "eq_scale": subscale.label,
                "scenario_title": f"Shelf {number}",
                **turns,
                "sample_level": {"correct": both},
                "overall": {"correct": sum(turns[turn]["correct"] for turn in TURNS), "total": 2, "accuracy": 0.0},
            }
        )
    return {
        "dataset_name": DATA_SET,
        "model": model,
        "source_file": f"{DATA_SET}_{model.rpartition('/')[2]}{kind}",
        "selected_count": count,
        "matched_count": count,
        "responses": responses,
    }


def _turn(dice: Dice, kind: str, swap: bool) -> dict[str, Any]:
    first = dice.chance(0.5, "order")
    orders = [first, not first if swap else dice.chance(0.5, "order", 1), dice.chance(0.5, "order", 2)]
    results = [_result(dice.within(run), gold_first, kind) for run, gold_first in enumerate(orders)]
    right = sum(result["correct"] for result in results)
    return {
        "correct": right >= 2,
        "selected_eq_level": "high" if right >= 2 else "low",
        "vote_breakdown": {"correct_votes": right, "wrong_votes": 3 - right, "total_runs": 3},
        "individual_results": results,
        "error": None,
    }


def _result(dice: Dice, gold_first: bool, kind: str) -> dict[str, Any]:
    high, low = ("option1", "option2") if gold_first else ("option2", "option1")
    selected = high if dice.chance(0.6, "right") else low
    result: dict[str, Any] = {
        "correct": selected == high,
        "selected_option": selected,
        "high_eq_option": high,
        "reasoning": f"It is about shelf {dice.whole(1, 99, 'reason')}.",
    }
    if kind == AUDIO:
        shown = dice.pick(
            (selected, selected.replace("option", "Option "), selected.replace("option", "option ")), "shown"
        )
        said = json.dumps({"reasoning": result["reasoning"], "selected": shown})
        if dice.chance(0.2, "unread"):
            said = json.dumps({"selected": dice.pick(("Neither", "Option 1 or Option 2"), "unread")})
            result |= {"correct": False, "selected_option": "error"}
        fenced = f"```json\n{said}\n```" if dice.chance(0.3, "fence") else said
        result |= {"sentence_number": 4, "raw_response": fenced, "evaluation_method": "audio-model"}
    return result


def write_file(path: Path, value: object) -> Path:
    """Write a prediction file."""
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


class Counted(NamedTuple):
    """A prediction file counted from its own words alone.

    Attributes:
        votes: Dialogues whose vote is right, at turn 4, at turn 6, and at both.
        right: By dialogue and turn, whether each run is right.
        swapped: Turns whose second run was in the other order.
        alike: Those of them where both runs came to the same verdict.
    """

    votes: tuple[int, int, int]
    right: Mapping[tuple[str, str], Sequence[bool]]
    swapped: int
    alike: int


def counted(value: Mapping[str, Any]) -> Counted:
    """Count a prediction file; an answer that nobody could read is wrong."""
    right: dict[tuple[str, str], list[bool]] = {}
    first = second = both = swapped = alike = 0
    for response in value["responses"]:
        verdicts = []
        for turn in TURNS:
            results = response[turn]["individual_results"]
            runs = [result["selected_option"] == result["high_eq_option"] for result in results]
            right[response["dataset_id"], turn.replace("sentence_", "turn ")] = runs
            verdicts.append(sum(runs) > len(runs) - sum(runs))
            if results[0]["high_eq_option"] != results[1]["high_eq_option"]:
                swapped += 1
                alike += runs[0] == runs[1]
        first, second, both = first + verdicts[0], second + verdicts[1], both + all(verdicts)
    return Counted((first, second, both), right, swapped, alike)
