"""Dialogues and readers for the tests of the oracle check."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from earmark.builders.dialogues.oracle import Arm, Question, Reply, Verdict, check_dialogues
from earmark.builders.dialogues.oracle.section import Dropping
from earmark.builders.dialogues.records import (
    Author,
    Dialogue,
    DissonantPersona,
    Line,
    Person,
    Scenario,
    Script,
    Selection,
    TargetTones,
    Tone,
    Tones,
)
from earmark.builders.ledger.calls import CallRequest

RESONANT = "Low, slow and warm, with steady breath and gentle pauses."
DISSONANT = "Clipped, rushed and cold, each word bitten off with an impatient sigh."


def dialogue(name: str, *, resonant: str = RESONANT, dissonant: str = DISSONANT) -> Dialogue:
    """A dialogue about a loss, whose tones do not say which is which by where they stand."""
    tones = tuple(
        TargetTones(turn=turn, candidates=(Tone(instruction=resonant), *(_failing(dissonant, n) for n in (1, 2))))
        for turn in (4, 6)
    )
    selections = tuple(Selection(turn=turn, resonant=1, dissonant=2, reasoning="It fails.") for turn in (4, 6))
    personas = tuple(
        DissonantPersona(failure=slug, persona="Fails.") for slug in ("impatient_evader", "toxic_optimist")
    )
    texts = ("Hello.", "Hi there.", "My dog died last night.", "Right.", "I was so alone.", "I see.")
    return Dialogue(
        name=name,
        scenario=Scenario(
            subscale="interpersonal_empathy",
            valence="Negative",
            type="friends",
            title="Bad news",
            context="A kitchen.",
            description="Ann has had a loss and tells Bo.",
            intent="Slow down.",
            first=Person(name="Ann", role="a friend", gender="female"),
            second=Person(name="Bo", role="a friend", gender="male"),
            first_persona="Sad.",
            resonant_persona="Kind.",
            dissonant_personas=(personas[0], personas[1]),
        ),
        script=Script(lines=tuple(Line(turn=turn, text=text) for turn, text in enumerate(texts, 1))),
        tones=Tones(
            context=tuple(Tone(instruction=f"Said like number {turn}.") for turn in (1, 2, 3, 5)),  # type: ignore[arg-type]
            targets=tones,  # type: ignore[arg-type]
        ),
        selections=selections,  # type: ignore[arg-type]
        author=Author(provider="test", model="test"),
    )


def _failing(instruction: str, number: int) -> Tone:
    return Tone(instruction=instruction, failure=("impatient_evader", "toxic_optimist")[number - 1])


@dataclass
class Told:
    """A reader that answers as it is told, and remembers what it was asked."""

    answer: Callable[[Question], Reply]
    asked: list[Question] = field(default_factory=list)
    provider: str = "test"
    model: str = "told"

    async def read(self, question: Question) -> Reply:
        self.asked.append(question)
        return self.answer(question)

    def planned(self, question: Question) -> Sequence[CallRequest]:
        return ()


def knows(question: Question) -> Reply:
    """Right wherever tones are shown; else the first option."""
    return Reply(1 if question.tones is None or question.tones[0] == RESONANT else 2, "")


def check(
    dialogues: Sequence[Dialogue], reader: Told, *, arms: Sequence[Arm] = tuple(Arm), drop: Dropping = "majority"
) -> tuple[Verdict, ...]:
    return asyncio.run(
        check_dialogues(
            dialogues,
            reader,
            arms=arms,
            drop_if_wrong=drop,
            seed=3,
            workers=4,
            progress=lambda *_: None,
        )
    )
