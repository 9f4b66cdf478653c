"""Lines to speak, and dialogues to cast."""

from __future__ import annotations

from msgspec.structs import replace
from tests.builders.dialogues.written import DIALOGUE, SCENARIO

from earmark.builders.dialogues.makers import LineToSpeak
from earmark.builders.dialogues.records import Dialogue, Gender

TEXT = "I heard about it, and I will call you tomorrow morning."


def line(
    *,
    tone: str = "",
    turn: int = 4,
    option: str = "resonant",
    attempt: int = 0,
    text: str = TEXT,
    voice: str = "male-3",
    seed: int = 5,
    dialogue: str = "d-0001",
) -> LineToSpeak:
    """A line, ready but for what is said of it."""
    return LineToSpeak(
        dialogue=dialogue, turn=turn, option=option, attempt=attempt, text=text, tone=tone, voice=voice, seed=seed
    )


def dialogue(name: str, first: Gender, second: Gender) -> Dialogue:
    """A dialogue of that name between people of these genders; nothing else of it is of interest."""
    people = {"first": replace(SCENARIO.first, gender=first), "second": replace(SCENARIO.second, gender=second)}
    return replace(DIALOGUE, name=name, scenario=replace(SCENARIO, **people))
