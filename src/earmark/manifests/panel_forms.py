"""What a panel is asked beside the judge's own question: criteria that a unit passes or fails, and systems that are ranked."""

from __future__ import annotations

import re
from string import Template, ascii_uppercase

import msgspec

PASS, FAIL = "pass", "fail"
"""The answers to a criterion, unless a form says otherwise; the first one is that it is met."""

RIGHT_CHOICES = "paralinguistic_accuracy"
"""The criterion that nobody is asked about: a rater meets it whose own choices in a unit are all right."""

LETTERS = ascii_uppercase
"""What sheets call systems."""

MOST_SYSTEMS = 9
"""Most systems that are ranked on one screen: as many as there are number keys."""

MOST_CHOICES = 9
"""Most answers of a criterion."""

FACET = "facet"
"""The one placeholder of a criterion's question: `$facet` is the name of the unit's facet."""

_SLUG = r"[a-z][a-z0-9_]{0,39}"
_CHOICE = r"[A-Za-z0-9][A-Za-z0-9 _-]{0,39}"


class Criterion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A criterion that is asked of every unit.

    Args:
        slug: Its name in data.
        asks: The question; `$facet` stands in it for the name of the unit's facet.
        choices: The answers, of which the first says that the unit meets it.
    """

    slug: str
    asks: str
    choices: tuple[str, ...] = (PASS, FAIL)

    def __post_init__(self) -> None:
        if not re.fullmatch(_SLUG, self.slug) or self.slug == RIGHT_CHOICES:
            raise ValueError(f"slug {self.slug!r} must match {_SLUG} and not be {RIGHT_CHOICES}")
        template = Template(self.asks)
        if not self.asks.strip() or not template.is_valid() or set(template.get_identifiers()) - {FACET}:
            raise ValueError(f"the question of {self.slug} must be words in which $ stands only in ${FACET} and $$")
        if not 2 <= len(self.choices) <= MOST_CHOICES or len(set(self.choices)) < len(self.choices):
            raise ValueError(f"{self.slug} must have 2 to {MOST_CHOICES} choices that differ")
        for choice in self.choices:
            if not re.fullmatch(_CHOICE, choice):
                raise ValueError(f"choice {choice!r} of {self.slug} must match {_CHOICE}")

    def question(self, facet: str) -> str:
        """The question of a unit of some facet.

        >>> Criterion(slug="fits", asks="Does it test $facet?").question("Empathy")
        'Does it test Empathy?'
        """
        return Template(self.asks).substitute({FACET: facet})


class Said(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a system said to one presentation.

    Args:
        presentation: Id of it.
        choice: Its choice; None where it gave no answer that can be read.
        reasons: Its reasons in its own words, where it gave any.
    """

    presentation: str
    choice: str | None
    reasons: str = ""


class System(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A system whose answers are ranked, which sheets call by a letter only.

    Args:
        name: Its name, for whoever runs the panel.
        file: sha256 of its prediction file.
        said: What it said to the panel's presentations.
    """

    name: str
    file: str
    said: tuple[Said, ...]
