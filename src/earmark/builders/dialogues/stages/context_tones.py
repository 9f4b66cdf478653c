"""The third stage: how the lines of turns 1, 2, 3 and 5 are said.

They are asked for in one call: all four belong to one curve, which a call for each would not see, and would cost four times.
"""

from __future__ import annotations

from dataclasses import dataclass

from earmark.builders.dialogues.checks import WordLists, check_context_tones
from earmark.builders.dialogues.records import TURNS, Scenario, Script, Tone
from earmark.builders.dialogues.stages import wording
from earmark.builders.dialogues.stages.stage import Shape, Stage


@dataclass(frozen=True)
class Lines:
    """What tones are written for.

    Args:
        scenario: The scenario.
        script: Its lines.
    """

    scenario: Scenario
    script: Script


class ContextTonesAnswer(Shape, frozen=True):
    """The tones as a model writes them, by turn."""

    turn_1: str
    turn_2: str
    turn_3: str
    turn_5: str


def fields(lines: Lines, words: WordLists) -> dict[str, str]:
    """What is filled in."""
    scenario = lines.scenario
    return {
        **wording.place(scenario),
        **wording.valence(scenario),
        **wording.people(scenario),
        "script": wording.conversation(lines.script, scenario, TURNS),
        "bland": wording.bland(words),
    }


def record(answer: ContextTonesAnswer, _: Lines) -> tuple[Tone, Tone, Tone, Tone]:
    """What an answer becomes."""
    one, two, three, five = (
        Tone(instruction=text.strip()) for text in (answer.turn_1, answer.turn_2, answer.turn_3, answer.turn_5)
    )
    return one, two, three, five


def check(answer: ContextTonesAnswer, lines: Lines, words: WordLists) -> tuple[str, ...]:
    """What is wrong with an answer."""
    return check_context_tones(record(answer, lines), words)


CONTEXT_TONES = Stage("context_tones", ContextTonesAnswer, fields, record, check)
