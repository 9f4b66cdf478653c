"""The fifth stage, once for turn 4 and once for turn 6: which candidates become the two options.

The candidates are shown in an order drawn by the dialogue's name and without their kinds, so that whoever selects has to judge
what they say; a selection that takes a failing one for the one that fits is rejected.
"""

from __future__ import annotations

from dataclasses import dataclass

from earmark.builders.dialogues.checks import WordLists, check_selection
from earmark.builders.dialogues.records import Scenario, Script, Selection, TargetTones
from earmark.builders.dialogues.stages import wording
from earmark.builders.dialogues.stages.stage import Shape, Stage
from earmark.manifests.keys import rank


@dataclass(frozen=True)
class Candidates:
    """What is selected from.

    Args:
        name: Name of the dialogue.
        scenario: The scenario.
        script: Its lines.
        targets: The candidates of one turn.
    """

    name: str
    scenario: Scenario
    script: Script
    targets: TargetTones

    @property
    def shown(self) -> tuple[int, int, int]:
        """The numbers of the candidates in the order in which they are shown."""
        stratum = f"candidates of turn {self.targets.turn} of {self.name}"
        one, two, three = sorted((1, 2, 3), key=lambda number: rank(b"", 0, stratum, str(number)))
        return one, two, three


class SelectionAnswer(Shape, frozen=True):
    """A selection as a model makes it, by the numbers that it was shown; it reasons before it decides."""

    reasoning: str
    resonant: int
    dissonant: int


def fields(given: Candidates, _: WordLists) -> dict[str, str]:
    """What is filled in."""
    turn, candidates = given.targets.turn, given.targets.candidates
    shown = [candidates[number - 1].instruction for number in given.shown]
    return {
        **wording.place(given.scenario),
        "intent": given.scenario.intent,
        "before": wording.conversation(given.script, given.scenario, range(1, turn)),
        "turn": str(turn),
        "line": given.script.line(turn),
        "candidates": "\n".join(f"{number}. {text}" for number, text in enumerate(shown, start=1)),
    }


def record(answer: SelectionAnswer, given: Candidates) -> Selection:
    """What an answer becomes: the candidates by their own numbers, and beside the reasons the order in which they were shown."""
    order = given.shown
    return Selection(
        turn=given.targets.turn,
        resonant=order[answer.resonant - 1],
        dissonant=order[answer.dissonant - 1],
        reasoning=f"[shown as 1, 2, 3: candidates {', '.join(map(str, order))}] {answer.reasoning.strip()}",
    )


def check(answer: SelectionAnswer, given: Candidates, words: WordLists) -> tuple[str, ...]:
    """What is wrong with an answer, by the numbers that were shown."""
    one, two, three = (given.targets.candidates[number - 1] for number in given.shown)
    shown = TargetTones(turn=given.targets.turn, candidates=(one, two, three))
    selection = Selection(
        turn=shown.turn, resonant=answer.resonant, dissonant=answer.dissonant, reasoning=answer.reasoning
    )
    return check_selection(selection, shown, words)


SELECTION = Stage("selection", SelectionAnswer, fields, record, check)
