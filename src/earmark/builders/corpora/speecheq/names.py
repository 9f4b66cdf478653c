"""How SpeechEQ's records spell what we have a name for: genders, failures, renderings and generations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias

from earmark.manifests.attempts import CONTEXT, DISSONANT, RESONANT
from earmark.manifests.eqi import FAILURES

NAME = "speecheq"
"""Name of the corpus."""

LICENCE = "none stated"
"""Neither the data nor the code says under which terms they may be used, so that nothing of them is ever published."""

ID_FORM = "8 to 100 letters, digits and _.-, a digit among them, such as 20251208_140448_000001_e4e4d448"
_ID = re.compile(r"(?=.*[0-9])[A-Za-z0-9][A-Za-z0-9_.-]{7,99}")  # no word that a prompt may have
_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,60}\.(mp3|wav|flac)")

Gender: TypeAlias = Literal["female", "male", "nonbinary"]

TURNS, TARGET_TURNS = (1, 2, 3, 4, 5, 6), (4, 6)
"""The turns of a dialogue, and those that have two options."""

LEVELS: Mapping[str, str] = {"high": RESONANT, "low": DISSONANT}
"""What `eq_level` says of a target turn's option; of other turns it says nothing, whatever stands there."""

NUMBERS: Mapping[tuple[int, str], str] = {
    (1, CONTEXT): "01",
    (2, CONTEXT): "02",
    (3, CONTEXT): "03",
    (4, RESONANT): "04",
    (4, DISSONANT): "05",
    (5, CONTEXT): "06",
    (6, RESONANT): "07",
    (6, DISSONANT): "08",
}
"""Stem of the file of each rendering, by turn and option: 04 and 07 are the resonant ones in every record."""

_GENDERS: Mapping[str, Gender] = {"female": "female", "male": "male", "nonbinary": "nonbinary"}
GENDER_FORMS = "one of female, male and non-binary, in any case, with or without the hyphen"
FIRST_GENERATION = "v1"
"""What a record is of that names no generation."""

_GENERATION = re.compile(r"v[0-9]{1,3}")


def is_id(name: str) -> bool:
    """Whether a name can be a dialogue's."""
    return _ID.fullmatch(name) is not None


def file_of(audio_path: str) -> str | None:
    """The name of the file that an audio path means; None where it is none.

    The folders in front of it are those of whoever made the data, and lead nowhere.

    >>> file_of("/Users/somebody/v2_data/a/b/audio/04.mp3"), file_of("audio/../..")
    ('04.mp3', None)
    """
    name = re.split(r"[/\\]", audio_path)[-1]
    return name if _FILE.fullmatch(name) else None


def gender_named(spelling: str) -> Gender | None:
    """The gender of a spelling; None of an unknown one.

    >>> gender_named("Non-binary"), gender_named("male"), gender_named("Female")
    ('nonbinary', 'male', 'female')
    """
    return _GENDERS.get(re.sub(r"[\s_-]+", "", spelling).casefold())


def generation_named(spelling: str | None) -> str | None:
    """The generation of a record; None where what it says is no generation.

    >>> generation_named(None), generation_named("v2"), generation_named("two")
    ('v1', 'v2', None)
    """
    if spelling is None:
        return FIRST_GENERATION
    return spelling if _GENERATION.fullmatch(spelling) else None


def failure_of_persona(persona: str) -> str | None:
    """Slug of the failure that a dissonant persona opens with; None where it names none.

    >>> failure_of_persona("The Toxic Optimist - cheers whatever is said"), failure_of_persona("Sam is short with her.")
    ('toxic_optimist', None)
    """
    said = " ".join(persona.split()).casefold().removeprefix("the ")
    for failure in FAILURES:
        name = failure.name.casefold()
        if said.startswith(name) and not said[len(name) : len(name) + 1].isalnum():
            return failure.slug
    return None


def option_of(turn: int, level: str) -> str | None:
    """The option of a rendering by its turn and `eq_level`; None where a target turn's level is none.

    >>> option_of(4, "low"), option_of(4, "middle"), option_of(1, "low")
    ('dissonant', None, 'context')
    """
    return LEVELS.get(level) if turn in TARGET_TURNS else CONTEXT
