"""How the parts of a dialogue are put into a prompt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from earmark.builders.dialogues.checks import WordLists
from earmark.builders.dialogues.records import Person, Scenario, Script
from earmark.manifests.eqi import CONFLICT, NEGATIVE, POSITIVE

VALENCE_MEANS: Mapping[str, str] = {
    POSITIVE: "Something good has happened, and the joy wants company.",
    NEGATIVE: "Something weighs heavily: a loss, a fear, a shame that is hard to say.",
    CONFLICT: "A demand, a reproach or plain panic, pressed onto the second speaker.",
}


def person(one: Person) -> str:
    """Somebody in a few words.

    >>> person(Person(name="Maya", role="a neighbour", gender="female"))
    'Maya (a neighbour, female)'
    """
    return f"{one.name} ({one.role}, {one.gender})"


def conversation(script: Script, scenario: Scenario, turns: Iterable[int]) -> str:
    """Some lines of a script, numbered, each with the name of whoever says it."""
    return "\n".join(f"{turn}. {scenario.speaker(turn).name}: {script.line(turn)}" for turn in turns)


def valence(scenario: Scenario) -> dict[str, str]:
    """The valence and what it means."""
    return {"valence": scenario.valence, "valence_means": VALENCE_MEANS.get(scenario.valence, "")}


def place(scenario: Scenario) -> dict[str, str]:
    """Where a scenario stands and what happens."""
    return {"context": scenario.context, "description": scenario.description}


def people(scenario: Scenario) -> dict[str, str]:
    """Both speakers and how they are."""
    return {
        "first": person(scenario.first),
        "second": person(scenario.second),
        "first_persona": scenario.first_persona,
        "second_persona": scenario.resonant_persona,
    }


def bland(words: WordLists) -> str:
    """The words that no tone may use."""
    return ", ".join(entry.rstrip("*") for entry in words.bland)
