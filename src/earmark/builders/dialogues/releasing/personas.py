"""Personas: who a judge is told to be, as conditions of a submission. The words are ours; the characters' deficits SpeechEQ's."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

import msgspec

from earmark.manifests.eqi import composite_of


class Persona(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A persona.

    Args:
        name: What it is called.
        text: The system text.
        lacks: Slug of the composite in which it is weak; None of one that is weak in none or in all.

    Raises:
        UnknownName: If there is no such composite.
    """

    name: str
    text: str
    lacks: str | None = None

    def __post_init__(self) -> None:
        if self.lacks is not None:
            composite_of(self.lacks)


@cache
def all_personas() -> dict[str, Persona]:
    """The personas by slug: one that is good at everything, one at nothing, and one for each composite.

    >>> list(all_personas())[:3]
    ['adaptive', 'deficit', 'self_perception']
    """
    value = tomllib.loads(files(__package__).joinpath("personas.toml").read_text(encoding="utf-8"))
    return msgspec.convert(value, dict[str, Persona])


def personas() -> dict[str, str]:
    """The system text of each persona by its slug."""
    return {slug: persona.text.strip() for slug, persona in all_personas().items()}
