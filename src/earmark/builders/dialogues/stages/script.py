"""The second stage: six lines for a scenario."""

from __future__ import annotations

from typing import Literal

from earmark.builders.dialogues.checks import WordLists, check_script
from earmark.builders.dialogues.records import TURNS, Line, Scenario, Script
from earmark.builders.dialogues.stages import wording
from earmark.builders.dialogues.stages.stage import Shape, Stage

Who = Literal["first", "second"]


class LineAnswer(Shape, frozen=True):
    """A line: its turn, 1 to 6, who says it, and what is said."""

    turn: int
    speaker: Who
    text: str


class ScriptAnswer(Shape, frozen=True):
    """A script as a model writes it."""

    lines: list[LineAnswer]


def fields(scenario: Scenario, _: WordLists) -> dict[str, str]:
    """What is filled in."""
    return {**wording.place(scenario), **wording.valence(scenario), **wording.people(scenario)}


def record(answer: ScriptAnswer, _: Scenario) -> Script:
    """What an answer becomes."""
    return Script(lines=tuple(Line(turn=line.turn, text=line.text.strip()) for line in answer.lines))


def check(answer: ScriptAnswer, scenario: Scenario, words: WordLists) -> tuple[str, ...]:
    """What is wrong with an answer."""
    speakers = tuple(line.speaker for line in answer.lines)
    taking_turns: tuple[Who, ...] = tuple("first" if turn % 2 else "second" for turn in TURNS)
    wrong = (
        () if speakers == taking_turns else (f"the speakers are {', '.join(speakers)}: they take turns, first first",)
    )
    return (*wrong, *check_script(record(answer, scenario), scenario, words))


SCRIPT = Stage("script", ScriptAnswer, fields, record, check)
