"""Lines to speak, and dialogues to cast."""

from __future__ import annotations

from earmark.builders.dialogues.makers import LineToSpeak
from earmark.builders.dialogues.records import (
    Author,
    Dialogue,
    DissonantPersona,
    Gender,
    Line,
    Person,
    Scenario,
    Script,
    Selection,
    TargetTones,
    Tone,
    Tones,
)

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
    tone = Tone(instruction="calm")
    target = (tone, Tone(instruction="bored"), Tone(instruction="angry"))
    failing = DissonantPersona(failure="apathetic_wall", persona="Somebody.")
    scenario = Scenario(
        subscale="interpersonal_empathy",
        valence="Negative",
        type="workplace",
        title="A letter",
        context="At a desk.",
        description="A letter came.",
        intent="To be near.",
        first=Person(name="Kim", role="clerk", gender=first),
        second=Person(name="Lee", role="friend", gender=second),
        first_persona="Somebody.",
        resonant_persona="Somebody.",
        dissonant_personas=(failing, failing),
    )
    return Dialogue(
        name=name,
        scenario=scenario,
        script=Script(lines=tuple(Line(turn=turn, text=TEXT) for turn in range(1, 7))),
        tones=Tones(
            context=(tone, tone, tone, tone),
            targets=(TargetTones(turn=4, candidates=target), TargetTones(turn=6, candidates=target)),
        ),
        selections=(
            Selection(turn=4, resonant=1, dissonant=2, reasoning=""),
            Selection(turn=6, resonant=1, dissonant=3, reasoning=""),
        ),
        author=Author(provider="offline", model="toy"),
    )
