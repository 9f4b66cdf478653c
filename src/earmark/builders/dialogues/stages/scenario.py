"""The first stage: a scenario for a cell of the quotas.

Models fall back on a few names and one kind of people, so initials and genders are drawn by the dialogue's name, and so is the
order in which failures are offered.
"""

from __future__ import annotations

from typing import Literal

from earmark.builders.dialogues.checks import WordLists, apathetic_allowed, check_scenario
from earmark.builders.dialogues.makers import Commission
from earmark.builders.dialogues.records import DissonantPersona, Gender, Person, Scenario
from earmark.builders.dialogues.stages.stage import Shape, Stage
from earmark.builders.dialogues.stages.wording import VALENCE_MEANS
from earmark.manifests.eqi import FAILURES, Failure, scenario_type_of, subscale_of
from earmark.manifests.keys import rank

Failing = Literal[
    "toxic_optimist",
    "defensive_reactor",
    "condescending_explainer",
    "impatient_evader",
    "anxious_spiraler",
    "apathetic_wall",
]
"""Slugs of the failures, as a form of answer can name them."""

INITIALS = "ABCDEFGHIJKLMNOPRSTVWYZ"
_GENDERS: tuple[Gender, ...] = (*("female", "male") * 4, "nonbinary")


class PersonAnswer(Shape, frozen=True):
    """A speaker."""

    name: str
    role: str
    gender: Gender


class PersonaAnswer(Shape, frozen=True):
    """Somebody who fails."""

    failure: Failing
    persona: str


class ScenarioAnswer(Shape, frozen=True):
    """A scenario as a model writes it; see `records.Scenario`."""

    title: str
    context: str
    description: str
    intent: str
    first: PersonAnswer
    second: PersonAnswer
    first_persona: str
    resonant_persona: str
    dissonant_persona: PersonaAnswer
    other_dissonant_persona: PersonaAnswer


def offered(name: str) -> tuple[Failure, ...]:
    """The failures that a dialogue may take, in an order drawn by its name; the apathetic one is offered to few."""
    may = [failure for failure in FAILURES if not failure.seldom or apathetic_allowed(name)]
    return tuple(sorted(may, key=lambda failure: rank(b"", 0, f"failures of {name}", failure.slug)))


def fields(commission: Commission, _: WordLists) -> dict[str, str]:
    """What is filled in."""
    cell, name = commission.cell, commission.name
    subscale = subscale_of(cell.subscale)
    first, second = sorted(INITIALS, key=lambda letter: rank(b"", 0, f"initials of {name}", letter))[:2]
    genders = [_GENDERS[rank(b"", 0, f"genders of {name}", who) % len(_GENDERS)] for who in ("first", "second")]
    return {
        "scale": subscale.label,
        "scale_means": subscale.means,
        "valence": cell.valence,
        "valence_means": VALENCE_MEANS.get(cell.valence, ""),
        "type": scenario_type_of(cell.type).name,
        "type_means": scenario_type_of(cell.type).means,
        "first_initial": first,
        "second_initial": second,
        "first_gender": genders[0],
        "second_gender": genders[1],
        "failures": "\n".join(f"- {failure.slug}: {failure.means}" for failure in offered(name)),
    }


def record(answer: ScenarioAnswer, commission: Commission) -> Scenario:
    """What an answer becomes."""
    cell = commission.cell
    return Scenario(
        subscale=cell.subscale,
        valence=cell.valence,
        type=cell.type,
        title=answer.title.strip(),
        context=answer.context.strip(),
        description=answer.description.strip(),
        intent=answer.intent.strip(),
        first=_person(answer.first),
        second=_person(answer.second),
        first_persona=answer.first_persona.strip(),
        resonant_persona=answer.resonant_persona.strip(),
        dissonant_personas=(_persona(answer.dissonant_persona), _persona(answer.other_dissonant_persona)),
    )


def check(answer: ScenarioAnswer, commission: Commission, words: WordLists) -> tuple[str, ...]:
    """What is wrong with an answer."""
    return check_scenario(record(answer, commission), words, apathetic=apathetic_allowed(commission.name))


def _person(answer: PersonAnswer) -> Person:
    return Person(name=answer.name.strip(), role=answer.role.strip(), gender=answer.gender)


def _persona(answer: PersonaAnswer) -> DissonantPersona:
    return DissonantPersona(failure=answer.failure, persona=answer.persona.strip())


SCENARIO = Stage("scenario", ScenarioAnswer, fields, record, check)
