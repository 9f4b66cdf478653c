"""The fourth stage, once for turn 4 and once for turn 6: three ways to say a line, one that fits and two that fail."""

from __future__ import annotations

from dataclasses import dataclass

from earmark.builders.dialogues.checks import WordLists, check_target_tones
from earmark.builders.dialogues.records import TURNS, Scenario, Script, TargetTones, Tone
from earmark.builders.dialogues.stages import wording
from earmark.builders.dialogues.stages.stage import Shape, Stage
from earmark.manifests.eqi import failure_of


@dataclass(frozen=True)
class Target:
    """A line that is said in several ways.

    Args:
        scenario: The scenario.
        script: Its lines.
        turn: 4 or 6.
    """

    scenario: Scenario
    script: Script
    turn: int


class TargetTonesAnswer(Shape, frozen=True):
    """The tones as a model writes them: the one that fits, and those of the two dissonant personas in their order."""

    resonant: str
    dissonant: str
    other_dissonant: str


def fields(target: Target, words: WordLists) -> dict[str, str]:
    """What is filled in."""
    scenario = target.scenario
    one, other = scenario.dissonant_personas
    return {
        **wording.place(scenario),
        **wording.valence(scenario),
        "intent": scenario.intent,
        "script": wording.conversation(target.script, scenario, TURNS),
        "turn": str(target.turn),
        "line": target.script.line(target.turn),
        "second_persona": scenario.resonant_persona,
        "dissonant_persona": one.persona,
        "failure": failure_of(one.failure).tone,
        "failure_means": failure_of(one.failure).means,
        "other_dissonant_persona": other.persona,
        "other_failure": failure_of(other.failure).tone,
        "other_failure_means": failure_of(other.failure).means,
        "bland": wording.bland(words),
    }


def record(answer: TargetTonesAnswer, target: Target) -> TargetTones:
    """What an answer becomes."""
    one, other = target.scenario.dissonant_personas
    return TargetTones(
        turn=target.turn,
        candidates=(
            Tone(instruction=answer.resonant.strip()),
            Tone(instruction=answer.dissonant.strip(), failure=one.failure),
            Tone(instruction=answer.other_dissonant.strip(), failure=other.failure),
        ),
    )


def check(answer: TargetTonesAnswer, target: Target, words: WordLists) -> tuple[str, ...]:
    """What is wrong with an answer."""
    return check_target_tones(target.turn, record(answer, target), target.script, target.scenario, words)


TARGET_TONES = Stage("target_tones", TargetTonesAnswer, fields, record, check)
