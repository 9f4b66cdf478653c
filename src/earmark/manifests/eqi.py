"""The taxonomy of SpeechEQ as data: composites and subscales of the EQ-i 2.0, valences, and the failures a distractor may show.

Names are looked up in tables. A slug is never cut at "_", which both its halves may hold, as in
`self_expression_emotional_expression`. The table is that of the paper's Appendix A; what each
entry means is said in our own words.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from earmark.manifests.errors import UnknownName

POSITIVE, NEGATIVE, CONFLICT = "Positive", "Negative", "Conflict"
VALENCES = (POSITIVE, NEGATIVE, CONFLICT)
"""What the first speaker brings: good news, something heavy, or a demand."""

SEPARATOR = " - "
"""Between composite and subscale in a label; the hyphen of "Self-Regard" has no spaces."""

EntryT = TypeVar("EntryT")


@dataclass(frozen=True)
class Composite:
    """One of five areas.

    Args:
        slug: Its name in data.
        name: Its name for people.
        means: What it is about.
    """

    slug: str
    name: str
    means: str


@dataclass(frozen=True)
class Subscale:
    """One of 15 facets of a release of dialogues.

    Args:
        slug: Its name in data, the composite's in front.
        name: Its name for people.
        composite: The composite it belongs to.
        means: What somebody does who is good at it.
    """

    slug: str
    name: str
    composite: Composite
    means: str

    @property
    def label(self) -> str:
        """Composite and subscale, as records of dialogues name them.

        >>> subscale_of("decision_making_impulse_control").label
        'Decision Making - Impulse Control'
        """
        return f"{self.composite.name}{SEPARATOR}{self.name}"


@dataclass(frozen=True)
class Failure:
    """A way to fail socially, which a dissonant persona embodies.

    Args:
        slug: Its name in data.
        name: The persona's name for people.
        tone: What its tone of voice is called.
        means: How it sounds.
        seldom: Whether it is the last choice: a flat voice contrasts by being nothing, not by being wrong.
    """

    slug: str
    name: str
    tone: str
    means: str
    seldom: bool = False


@dataclass(frozen=True)
class ScenarioType:
    """A corner of life that scenarios are set in.

    Args:
        slug: Its name in data.
        name: Its name for people.
        means: Who meets there, and where.
    """

    slug: str
    name: str
    means: str


SELF_PERCEPTION = Composite("self_perception", "Self-Perception", "how people see themselves")
SELF_EXPRESSION = Composite("self_expression", "Self-Expression", "how people show what they feel")
INTERPERSONAL = Composite("interpersonal", "Interpersonal", "how people relate to each other")
DECISION_MAKING = Composite("decision_making", "Decision Making", "what feelings do to decisions")
STRESS_MANAGEMENT = Composite("stress_management", "Stress Management", "how people bear strain")

COMPOSITES = (SELF_PERCEPTION, SELF_EXPRESSION, INTERPERSONAL, DECISION_MAKING, STRESS_MANAGEMENT)
"""The five areas, in the paper's order."""

SUBSCALES = (
    Subscale("self_perception_self_regard", "Self-Regard", SELF_PERCEPTION, "knows both own worth and own limits"),
    Subscale("self_perception_self_actualization", "Self-Actualization", SELF_PERCEPTION, "works on what matters"),
    Subscale(
        "self_perception_emotional_self_awareness",
        "Emotional Self-Awareness",
        SELF_PERCEPTION,
        "notices own feelings, where they come from and what they do",
    ),
    Subscale("self_expression_emotional_expression", "Emotional Expression", SELF_EXPRESSION, "lets feelings be heard"),
    Subscale("self_expression_assertiveness", "Assertiveness", SELF_EXPRESSION, "says what is wanted and holds to it"),
    Subscale("self_expression_independence", "Independence", SELF_EXPRESSION, "stands without being held up"),
    Subscale(
        "interpersonal_interpersonal_relationships",
        "Interpersonal Relationships",
        INTERPERSONAL,
        "keeps bonds of trust and care",
    ),
    Subscale("interpersonal_empathy", "Empathy", INTERPERSONAL, "takes in how others feel and answers to it"),
    Subscale(
        "interpersonal_social_responsibility", "Social Responsibility", INTERPERSONAL, "cares for the common good"
    ),
    Subscale(
        "decision_making_problem_solving", "Problem Solving", DECISION_MAKING, "decides well though feelings run high"
    ),
    Subscale("decision_making_reality_testing", "Reality Testing", DECISION_MAKING, "sees things as they are"),
    Subscale("decision_making_impulse_control", "Impulse Control", DECISION_MAKING, "waits and thinks before acting"),
    Subscale("stress_management_flexibility", "Flexibility", STRESS_MANAGEMENT, "adapts to what changes"),
    Subscale(
        "stress_management_stress_tolerance", "Stress Tolerance", STRESS_MANAGEMENT, "stays steady under pressure"
    ),
    Subscale("stress_management_optimism", "Optimism", STRESS_MANAGEMENT, "keeps hope when things go wrong"),
)
"""The 15 subscales, three of each composite, in the paper's order."""

FAILURES = (
    Failure("toxic_optimist", "Toxic Optimist", "Toxic Positivity", "loud cheer where it is out of place"),
    Failure("defensive_reactor", "Defensive/Snappy Reactor", "Defensive/Snappy", "clipped, tight and hostile"),
    Failure("condescending_explainer", "Condescending Explainer", "Condescending", "sighs and talks down"),
    Failure("impatient_evader", "Impatient Evader", "Impatient/Rushed", "hurries to get away"),
    Failure("anxious_spiraler", "Anxious Spiraler", "Anxious/Panicked", "high, strained and trembling"),
    Failure("apathetic_wall", "Apathetic Wall", "Apathetic", "flat, as if nothing mattered", seldom=True),
)
"""The six failures, the apathetic one last."""

SCENARIO_TYPES = (
    ScenarioType(
        "workplace", "Workplace", "colleagues, or somebody and the boss, in an office, a workshop or a kitchen"
    ),
    ScenarioType("medical", "Medical", "patients, relatives and staff in a practice, a ward or a pharmacy"),
    ScenarioType("education", "Education", "pupils, students and teachers in a school, a library or a training course"),
    ScenarioType("family", "Family", "relatives of any age at home, on the telephone or at a family occasion"),
    ScenarioType("friendship", "Friendship", "friends who meet, move house, or sit together late"),
    ScenarioType("neighbourhood", "Neighbourhood", "people of one house or street: stairs, gardens, a local club"),
    ScenarioType("service", "Service", "customers and staff in a shop, a garage, a restaurant or a bank"),
    ScenarioType("travel", "Travel", "people under way: stations, airports, hotels, a car on a long drive"),
    ScenarioType("sport", "Sport", "team mates, trainers and rivals at practice, in a match or after it"),
    ScenarioType("public_office", "Public office", "citizens and officials at a counter, in a court or at the police"),
)
"""Where scenarios are set; the table is Earmark's own."""

_COMPOSITES = {entry.slug: entry for entry in COMPOSITES}
_SUBSCALES = {entry.slug: entry for entry in SUBSCALES}
_LABELS = {entry.label: entry for entry in SUBSCALES}
_FAILURES = {entry.slug: entry for entry in FAILURES}
_TYPES = {entry.slug: entry for entry in SCENARIO_TYPES}


def composite_of(slug: str) -> Composite:
    """The composite of a slug.

    Raises:
        UnknownName: If there is none; the nearest names come first.
    """
    return _find("composite", slug, _COMPOSITES)


def subscale_of(slug: str) -> Subscale:
    """The subscale of a slug.

    Raises:
        UnknownName: If there is none; the nearest names come first.

    >>> subscale_of("self_expression_emotional_expression").composite.name
    'Self-Expression'
    """
    return _find("subscale", slug, _SUBSCALES)


def subscale_labelled(label: str) -> Subscale:
    """The subscale of a label, "Composite - Subscale".

    Raises:
        UnknownName: If there is none; the nearest labels come first.

    >>> subscale_labelled("Self-Perception - Self-Regard").slug
    'self_perception_self_regard'
    """
    return _find("subscale", label, _LABELS)


def failure_of(slug: str) -> Failure:
    """The failure of a slug.

    Raises:
        UnknownName: If there is none; the nearest names come first.
    """
    return _find("failure", slug, _FAILURES)


def scenario_type_of(slug: str) -> ScenarioType:
    """The scenario type of a slug.

    Raises:
        UnknownName: If there is none; the nearest names come first.

    >>> scenario_type_of("public_office").name
    'Public office'
    """
    return _find("scenario type", slug, _TYPES)


def _find(what: str, name: str, table: Mapping[str, EntryT]) -> EntryT:
    if name in table:
        return table[name]
    near = difflib.get_close_matches(name, table, n=3, cutoff=0.6)
    raise UnknownName(what, name, (*near, *(other for other in table if other not in near)))
