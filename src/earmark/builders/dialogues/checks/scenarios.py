"""What a scenario must be: known names, two people, two different failures, and a description that does not tell the answer."""

from __future__ import annotations

from collections.abc import Iterator

from earmark.builders.dialogues.checks.apathy import is_apathetic
from earmark.builders.dialogues.checks.phrases import is_no_prose, is_too_long, quoted, said_of_second
from earmark.builders.dialogues.checks.word_lists import DEFAULT_WORDS, WordLists, found_in, words_of
from earmark.builders.dialogues.records import GENDERS, Scenario
from earmark.manifests.eqi import FAILURES, SCENARIO_TYPES, SUBSCALES, VALENCES

MOST_WORDS = {"title": 12, "context": 60, "description": 120, "intent": 40, "persona": 60, "name": 3, "role": 10}
"""Most words of each text of a scenario."""

_PARTS = tuple(f"speaker {which}" for which in ("1", "2", "one", "two", "a", "b"))


def check_scenario(scenario: Scenario, words: WordLists = DEFAULT_WORDS, *, apathetic: bool = True) -> tuple[str, ...]:
    """What is wrong with a scenario, in words that whoever wrote it can act on; none where it is sound.

    Args:
        scenario: What was written.
        words: Lists of words.
        apathetic: Whether one of its personas may be the apathetic failure, see `apathetic_allowed`.
    """
    return (
        *_names(scenario),
        *_texts(scenario),
        *_people(scenario, words),
        *_failures(scenario, apathetic=apathetic),
        *check_told(scenario, words),
    )


def check_told(scenario: Scenario, words: WordLists = DEFAULT_WORDS) -> tuple[str, ...]:
    """What of the answer is told by the texts that judges read; of a scenario that was read, this is all that can be asked."""
    return tuple(_told(scenario, words))


def _names(scenario: Scenario) -> Iterator[str]:
    known = (
        ("subscale", scenario.subscale, [subscale.slug for subscale in SUBSCALES]),
        ("valence", scenario.valence, VALENCES),
        ("scenario type", scenario.type, [type.slug for type in SCENARIO_TYPES]),
    )
    for what, value, valid in known:
        if value not in valid:
            yield f"the {what} {value!r} is unknown: it is one of {', '.join(valid)}"


def _texts(scenario: Scenario) -> Iterator[str]:
    texts = {
        "title": ("title", scenario.title),
        "context": ("context", scenario.context),
        "description": ("description", scenario.description),
        "intent": ("intent", scenario.intent),
        "first speaker's name": ("name", scenario.first.name),
        "second speaker's name": ("name", scenario.second.name),
        "first speaker's role": ("role", scenario.first.role),
        "second speaker's role": ("role", scenario.second.role),
        "first speaker's persona": ("persona", scenario.first_persona),
        "resonant persona": ("persona", scenario.resonant_persona),
        "first dissonant persona": ("persona", scenario.dissonant_personas[0].persona),
        "second dissonant persona": ("persona", scenario.dissonant_personas[1].persona),
    }
    for what, (kind, text) in texts.items():
        if not words_of(text):
            yield f"the {what} is empty"
        elif is_too_long(text, MOST_WORDS[kind]):
            yield f"the {what} is too long: it has at most {MOST_WORDS[kind]} words"
        elif is_no_prose(text):
            yield f"the {what} has line breaks, brackets or other signs that are no prose"


def _people(scenario: Scenario, words: WordLists) -> Iterator[str]:
    first, second = scenario.first, scenario.second
    if words_of(first.name) == words_of(second.name):
        yield f"both speakers are called {first.name!r}: they have different names"
    for person in (first, second):
        if person.gender not in GENDERS:
            yield f"the gender of {person.name} is {person.gender!r}: it is one of {', '.join(GENDERS)}"
        named = (*words.judging, *words.skills.get(scenario.subscale, ()), *_PARTS)
        if told := found_in(f"{person.name}, {person.role}", named):
            yield f"{person.name} ({person.role}) is named after the task ({quoted(told)}), and judges read it: take a person"


def _failures(scenario: Scenario, *, apathetic: bool) -> Iterator[str]:
    known = [failure.slug for failure in FAILURES]
    failures = [persona.failure for persona in scenario.dissonant_personas]
    for failure in failures:
        if failure not in known:
            yield f"the failure {failure!r} is unknown: it is one of {', '.join(known)}"
    if len(set(failures)) < len(failures):
        yield f"both dissonant personas show the failure {failures[0]!r}: they show two different ones"
    personas = {words_of(persona.persona) for persona in scenario.dissonant_personas}
    if len({words_of(scenario.resonant_persona), *personas}) < 3:
        yield "two personas of the second speaker have the same words: the three are different people"
    if not apathetic and any(map(is_apathetic, failures)):
        yield "the apathetic failure is for few dialogues and not for this one: take another failure"


def _told(scenario: Scenario, words: WordLists) -> Iterator[str]:
    name = scenario.second.name
    for what, text in (("title", scenario.title), ("context", scenario.context), ("description", scenario.description)):
        if skill := found_in(text, words.skills.get(scenario.subscale, ())):
            yield f"the {what} names the skill ({quoted(skill)}), and judges read it: leave it out"
        if judged := found_in(text, words.judging):
            yield f"the {what} says what would be right ({quoted(judged)}), and judges read it: say only what happens"
        if owed := said_of_second(text, words.obligation, scenario.first, scenario.second):
            yield f"the {what} says what {name} ought to do ({quoted(owed)}), and judges read it: leave it out"
        if answer := said_of_second(text, words.answering, scenario.first, scenario.second):
            yield f"the {what} says how {name} answers ({quoted(answer)}), and judges read it: end before that"
