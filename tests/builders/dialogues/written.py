"""One sound dialogue, as records and as the answers of a model that wrote it."""

from __future__ import annotations

import json
from collections.abc import Mapping

from tests.support.provider_server import Asked, Reply, completion

from earmark.builders.dialogues.makers import Cell, Commission
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

CELL = Cell("interpersonal_empathy", "Negative", "family")
COMMISSION = Commission("interpersonal_empathy-0001", CELL)

SCENARIO = Scenario(
    subscale=CELL.subscale,
    valence=CELL.valence,
    type=CELL.type,
    title="The empty workshop",
    context="In their late father's workshop, on a wet Sunday in November.",
    description="Ruth has come to sort the tools and has found a half-made cradle under the bench. She shows it to Tom.",
    intent="Sink low and slow beside her, and leave room.",
    first=Person(name="Ruth", role="older sister", gender="female"),
    second=Person(name="Tom", role="younger brother", gender="male"),
    first_persona="Holds herself upright until she cannot.",
    resonant_persona="Somebody who stops what he does and stays.",
    dissonant_personas=(
        DissonantPersona(failure="toxic_optimist", persona="Somebody who makes every room a party."),
        DissonantPersona(failure="impatient_evader", persona="Somebody who has a train to catch."),
    ),
)

SCRIPT = Script(
    lines=(
        Line(turn=1, text="I got as far as the bench. Then I found this under the sheet."),
        Line(turn=2, text="What is it? I can't see from here."),
        Line(turn=3, text="It's a cradle. He was making it for me, Tom, and I never told him there would be no baby."),
        Line(turn=4, text="So that is what he was doing out here all winter."),
        Line(turn=5, text="He'd cut the little stars already. I can't put it in the van. I can't leave it either."),
        Line(turn=6, text="Then we put it on the table and look at it first."),
    )
)

TONES = Tones(
    context=(
        Tone(instruction="Speak in a low, held voice, each phrase ending short of breath."),
        Tone(instruction="Call over lightly, at an easy pace, the pitch rising at the end."),
        Tone(instruction="Let the voice crack and drop, long pauses, breath running out."),
        Tone(instruction="Push the sentences out unevenly, high and thin, close to tears."),
    ),
    targets=(
        TargetTones(
            turn=4,
            candidates=(
                Tone(instruction="Go down to a husky half-voice, very slow, leaving room after each phrase."),
                Tone(
                    instruction="Ring out loud and sunny, bouncing pitch, as if at a birthday party.",
                    failure="toxic_optimist",
                ),
                Tone(
                    instruction="Rattle it off breathless and clipped, already turning toward the door.",
                    failure="impatient_evader",
                ),
            ),
        ),
        TargetTones(
            turn=6,
            candidates=(
                Tone(instruction="Breathe out first, then a dark, unhurried murmur that holds her up."),
                Tone(
                    instruction="Sing it nearly, bright and bouncy, laughing over the last syllables.",
                    failure="toxic_optimist",
                ),
                Tone(
                    instruction="Rush and bite off the consonants, sighing sharply with the car keys.",
                    failure="impatient_evader",
                ),
            ),
        ),
    ),
)

SELECTIONS = (
    Selection(turn=4, resonant=1, dissonant=2, reasoning="The party in the second one would hurt most."),
    Selection(turn=6, resonant=1, dissonant=3, reasoning="The third one leaves her alone with it."),
)

DIALOGUE = Dialogue(
    name=COMMISSION.name,
    scenario=SCENARIO,
    script=SCRIPT,
    tones=TONES,
    selections=SELECTIONS,
    author=Author(provider="toy", model="toy-1"),
)


def answers() -> dict[str, dict[str, object]]:
    """What a model says at each stage, by stage and turn, to write the dialogue; selections by the candidates' own numbers."""
    person = {who: {"name": p.name, "role": p.role, "gender": p.gender} for who, p in _people().items()}
    one, other = ({"failure": p.failure, "persona": p.persona} for p in SCENARIO.dissonant_personas)
    texts = {
        key: getattr(SCENARIO, key)
        for key in ("title", "context", "description", "intent", "first_persona", "resonant_persona")
    }
    lines = [
        {"turn": line.turn, "speaker": "first" if line.turn % 2 else "second", "text": line.text}
        for line in SCRIPT.lines
    ]
    said: dict[str, dict[str, object]] = {
        "scenario": {**texts, **person, "dissonant_persona": one, "other_dissonant_persona": other},
        "script": {"lines": lines},
        "context_tones": {f"turn_{n}": t.instruction for n, t in zip((1, 2, 3, 5), TONES.context, strict=True)},
    }
    for targets, selection in zip(TONES.targets, SELECTIONS, strict=True):
        names = ("resonant", "dissonant", "other_dissonant")
        said[f"target_tones {targets.turn}"] = {
            n: t.instruction for n, t in zip(names, targets.candidates, strict=True)
        }
        said[f"selection {targets.turn}"] = {
            "reasoning": selection.reasoning,
            "resonant": selection.resonant,
            "dissonant": selection.dissonant,
        }
    return said


_SHAPES = {
    "ScenarioAnswer": "scenario",
    "ScriptAnswer": "script",
    "ContextTonesAnswer": "context_tones",
    "TargetTonesAnswer": "target_tones",
    "SelectionAnswer": "selection",
}


def stage_of(asked: Asked) -> str:
    """The stage and turn that a request is for."""
    form = asked.body["response_format"]
    assert isinstance(form, dict)
    stage = _SHAPES[form["json_schema"]["name"]]
    if stage not in ("target_tones", "selection"):
        return stage
    text = json.dumps(asked.body)
    return f"{stage} {4 if f'The line: {SCRIPT.line(4)}' in text else 6}"


def reply(asked: Asked, said: Mapping[str, Mapping[str, object]]) -> Reply:
    """The answer to a request."""
    stage = stage_of(asked)
    return completion(json.dumps(as_shown(asked, stage, said[stage]) if "selection" in stage else said[stage]))


def as_shown(asked: Asked, stage: str, said: Mapping[str, object]) -> Mapping[str, object]:
    """A selection by the numbers under which the request shows the candidates."""
    messages = asked.body["messages"]
    assert isinstance(messages, list)
    text = messages[-1]["content"]
    instructions = [tone.instruction for tone in TONES.target(int(stage[-1])).candidates]
    places = sorted((1, 2, 3), key=lambda number: text.index(instructions[number - 1]))
    numbers = {number: place for place, number in enumerate(places, start=1)}
    return {key: numbers[value] if isinstance(value, int) else value for key, value in said.items()}


def _people() -> dict[str, Person]:
    return {"first": SCENARIO.first, "second": SCENARIO.second}
