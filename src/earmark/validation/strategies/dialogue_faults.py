"""One fault of a release of dialogues for each code that its invariants know: a name, the code, and what is done to the rows."""

from __future__ import annotations

from collections.abc import Callable

from earmark.manifests.attempts import ATTEMPTS, CONTEXT, DISSONANT, RESONANT
from earmark.manifests.families.dialogues import SEQUENTIAL_2, TURN_4, TURN_6
from earmark.manifests.rows import texts
from earmark.validation.strategies.cells import Row
from earmark.validation.strategies.sketches import Rows


def _items(rows: Rows, target: str) -> list[Row]:
    return [row for row in rows["items"] if row["target"] == target]


def _other_target(rows: Rows) -> None:
    rows["items"][0]["target"] = "turn 2"


def _alone(rows: Rows) -> None:
    rows["items"][0]["group"] = "g" + "a" * 26


def _fewer_clips(rows: Rows) -> None:
    at = next(n for n, row in enumerate(rows["item_clips"]) if row["role"] == "context")
    del rows["item_clips"][at]


def _turned(rows: Rows) -> None:
    clips = texts(rows["presentations"][0], "clips")
    rows["presentations"][0]["clips"] = [*clips[:-2], *clips[:-3:-1]]


def _after_itself(rows: Rows) -> None:
    six = {row["item_id"] for row in _items(rows, TURN_6)}
    chained = [row for row in rows["presentations"] if row["item_id"] in six and row["after"] is not None]
    chained[0]["after"] = chained[1]["presentation_id"]


def _broken_chain(rows: Rows) -> None:
    six = {row["item_id"] for row in _items(rows, TURN_6)}
    for row in rows["presentations"]:
        if row["item_id"] in six and SEQUENTIAL_2 in texts(row, "protocols"):
            row["protocols"] = [name for name in texts(row, "protocols") if name != SEQUENTIAL_2]
            return


def _other_words(rows: Rows) -> None:
    four = _items(rows, TURN_4)[0]["item_id"]
    row = next(row for row in rows["presentations"] if row["item_id"] == four)
    prompt = next(prompt for prompt in rows["prompts"] if prompt["prompt_id"] == row["prompt_id"])
    rows["prompts"].append({**prompt, "prompt_id": "other-words"})
    row["prompt_id"] = "other-words"


def _other_form(rows: Rows) -> None:
    rows["prompts"][0]["answer"] = '{"type": "object", "properties": {"selected": {"enum": ["A", "B"]}}}'


def _tone_in_a_prompt(rows: Rows) -> None:
    shown = rows["presentations"][0]
    tones = [source["tone_text"] for source in rows["sources"] if source["clip_id"] in texts(shown, "clips")]
    prompt = next(prompt for prompt in rows["prompts"] if prompt["prompt_id"] == shown["prompt_id"])
    prompt["user"] = f"One of them was told: {tones[-1]}"


def _other_gold(rows: Rows) -> None:
    gold = rows["answers"][0]["gold"]
    rows["answers"][0]["gold"] = "second" if gold == "first" else "first"


def _clip_of_another_turn(rows: Rows) -> None:
    next(row for row in rows["sources"] if row["option"] == CONTEXT)["turn"] = 6


def _other_text(rows: Rows) -> None:
    next(row for row in rows["sources"] if row["option"] == DISSONANT)["text"] = "Other words."


def _unused(rows: Rows) -> None:
    if not rows["attempts"]:  # nothing was known of any attempt, so a clip of another dialogue is said to be used
        name = rows["sources"][0]["conversation"]
        empty: Row = {column.name: None for column in ATTEMPTS.columns}
        told = {"dialogue": name, "turn": 4, "option": RESONANT, "attempt": 9, "used": True}
        rows["attempts"].append({**empty, **told, **dict.fromkeys(("provider", "model", "voice", "tone"), "made up")})
        return
    last = rows["attempts"][-1]
    last["used"] = not last["used"]


def _unlisted(rows: Rows) -> None:
    rows["dialogues"][0]["dropped"] = "by mistake"


DIALOGUE_FAULTS: tuple[tuple[str, str, Callable[[Rows], None]], ...] = (
    ("a turn that nobody is asked about", "dialogues.facet", _other_target),
    ("an item in a group of its own", "dialogues.group", _alone),
    ("a turn of the context is gone", "dialogues.clips", _fewer_clips),
    ("options the other way round", "dialogues.order", _turned),
    ("turn 6 after turn 6", "dialogues.after", _after_itself),
    ("half a chain", "dialogues.chain", _broken_chain),
    ("other words in one order of a turn", "dialogues.words", _other_words),
    ("an answer that nobody reads", "dialogues.form", _other_form),
    ("a tone in a prompt", "dialogues.tone-told", _tone_in_a_prompt),
    ("the rendering that fails as gold", "dialogues.gold", _other_gold),
    ("a clip of another turn", "dialogues.rendering", _clip_of_another_turn),
    ("options of different words", "dialogues.tone-alone", _other_text),
    ("an attempt that is not the one in the release", "dialogues.attempt", _unused),
    ("a dialogue of the release called dropped", "dialogues.listed", _unlisted),
)
"""A fault for every code of the family."""
