"""What a reader is asked about a turn, and what it is not told: which option is right, and which failure the other shows.

Both turns are asked twice. Which option stands first in the first order is drawn for each turn by itself; in the second order
both turns are turned round. So an answer that goes by place is right in one order and wrong in the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, Protocol, TypeAlias

from earmark.builders.dialogues.records import CONTEXT_TURNS, TARGET_TURNS, Dialogue
from earmark.builders.ledger.calls import CallRequest, RequestRefused
from earmark.manifests.attempts import CONTEXT, DISSONANT, RESONANT
from earmark.manifests.keys import rank

Choice: TypeAlias = Literal[1, 2]
Order: TypeAlias = Literal[1, 2]
ORDERS: tuple[Order, Order] = (1, 2)


class Arm(StrEnum):
    """What a reader is shown."""

    FULL = "full"
    """Scenario, what was said before and how, and both options: the same words with two tone instructions."""

    WORDS = "words"
    """The same without a tone: two options that are one, so that whoever is right more often than not knows too much."""

    TONES = "tones"
    """The two tone instructions alone: whoever is right here needed no scenario."""


@dataclass(frozen=True)
class Heard:
    """A line that was said before.

    Args:
        speaker: Who said it.
        text: What.
        tone: How; None where that is not shown.
    """

    speaker: str
    text: str
    tone: str | None


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is asked about a turn. Nothing in it tells the answer but the texts themselves.

    Args:
        dialogue: Name of the dialogue; for the ledger, not for the reader's judgement.
        arm: What is shown.
        turn: 4 or 6.
        order: Which of the two orders of options this is.
        context: The place; None where no scenario is shown.
        description: What happens; likewise.
        heard: What was said before, the reader's own choice of turn 4 included.
        speaker: Who speaks now; None where no scenario is shown.
        line: What is said in both options; likewise.
        tones: Tone of the first and of the second option; None where no tone is shown.
    """

    dialogue: str
    arm: Arm
    turn: int
    order: Order
    context: str | None
    description: str | None
    heard: tuple[Heard, ...]
    speaker: str | None
    line: str | None
    tones: tuple[str, str] | None


@dataclass(frozen=True)
class Reply:
    """What a reader says.

    Args:
        choice: The option it takes; None where it gave no answer that can be used.
        reasoning: Why; or what was wrong with its answers.
        refused: What the server said where it would not answer this question.
    """

    choice: Choice | None
    reasoning: str
    refused: RequestRefused | None = None


class Reader(Protocol):
    """Somebody who reads a question and takes an option."""

    @property
    def provider(self) -> str:
        """Address of a server, or a name that stands for it."""
        ...

    @property
    def model(self) -> str:
        """Model or rule set, with its version."""
        ...

    async def read(self, question: Question) -> Reply:
        """Answer a question."""
        ...

    def planned(self, question: Question) -> Sequence[CallRequest]:
        """The calls that it takes at least: what a dry run prices. None offline."""
        ...


def right_choice(dialogue: str, turn: int, order: Order, seed: int) -> Choice:
    """The option that is the resonant one.

    Args:
        dialogue: Name of the dialogue.
        turn: 4 or 6.
        order: Which of the two orders.
        seed: Of the draw.
    """
    drawn = rank(b"", seed, "oracle", f"{dialogue} {turn}") & 1
    return 1 if drawn == order - 1 else 2


def question(dialogue: Dialogue, arm: Arm, turn: int, order: Order, *, seed: int, chosen: Choice | None) -> Question:
    """What is asked about a turn of a dialogue.

    Args:
        dialogue: The dialogue.
        arm: What is shown.
        turn: 4 or 6.
        order: Which of the two orders.
        seed: Of the draw of places.
        chosen: What the reader took at turn 4, for turn 6; None where it gave no answer: its turn 4 then has no tone.
    """
    right = right_choice(dialogue.name, turn, order, seed)
    options = (RESONANT, DISSONANT) if right == 1 else (DISSONANT, RESONANT)
    shown = (dialogue.tone(turn, options[0]).instruction, dialogue.tone(turn, options[1]).instruction)
    if arm is Arm.TONES:
        return Question(
            dialogue=dialogue.name,
            arm=arm,
            turn=turn,
            order=order,
            context=None,
            description=None,
            heard=(),
            speaker=None,
            line=None,
            tones=shown,
        )
    return Question(
        dialogue=dialogue.name,
        arm=arm,
        turn=turn,
        order=order,
        context=dialogue.scenario.context,
        description=dialogue.scenario.description,
        heard=tuple(_heard(dialogue, arm, before, order, seed, chosen) for before in range(1, turn)),
        speaker=dialogue.scenario.speaker(turn).name,
        line=dialogue.script.line(turn),
        tones=shown if arm is Arm.FULL else None,
    )


def _heard(dialogue: Dialogue, arm: Arm, turn: int, order: Order, seed: int, chosen: Choice | None) -> Heard:
    tone: str | None = None
    if arm is Arm.FULL and turn in CONTEXT_TURNS:
        tone = dialogue.tone(turn, CONTEXT).instruction
    elif arm is Arm.FULL and chosen is not None and turn in TARGET_TURNS:
        taken = RESONANT if chosen == right_choice(dialogue.name, turn, order, seed) else DISSONANT
        tone = dialogue.tone(turn, taken).instruction
    return Heard(dialogue.scenario.speaker(turn).name, dialogue.script.line(turn), tone)
