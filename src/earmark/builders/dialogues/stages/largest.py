"""The largest records that the checks let through: what a dry run asks about, since nothing is written yet."""

from __future__ import annotations

from earmark.builders.dialogues.checks import scenarios, scripts, tones
from earmark.builders.dialogues.checks.phrases import BYTES_PER_WORD
from earmark.builders.dialogues.makers import Cell
from earmark.builders.dialogues.records import (
    GENDERS,
    TARGET_TURNS,
    TURNS,
    DissonantPersona,
    Line,
    Person,
    Scenario,
    Script,
    TargetTones,
    Tone,
)
from earmark.manifests.eqi import FAILURES


def _filled(most_words: int) -> str:
    return "m" * (most_words * BYTES_PER_WORD)


def _text(kind: str) -> str:
    return _filled(scenarios.MOST_WORDS[kind])


_PERSON = Person(name=_text("name"), role=_text("role"), gender=max(GENDERS, key=len))
_FAILURE = max(FAILURES, key=lambda failure: len(failure.tone) + len(failure.means))
_PERSONA = DissonantPersona(failure=_FAILURE.slug, persona=_text("persona"))
_TONE = Tone(instruction=_filled(2 * tones.MOST_WORDS))


def largest_scenario(cell: Cell) -> Scenario:
    """A scenario of a cell, each of whose texts is as long as it may be."""
    return Scenario(
        subscale=cell.subscale,
        valence=cell.valence,
        type=cell.type,
        title=_text("title"),
        context=_text("context"),
        description=_text("description"),
        intent=_text("intent"),
        first=_PERSON,
        second=_PERSON,
        first_persona=_text("persona"),
        resonant_persona=_text("persona"),
        dissonant_personas=(_PERSONA, _PERSONA),
    )


LARGEST_SCRIPT = Script(
    lines=tuple(
        Line(turn=turn, text=_filled(scripts.MOST_TARGET_WORDS if turn in TARGET_TURNS else scripts.MOST_WORDS))
        for turn in TURNS
    )
)
"""A script each of whose lines is as long as it may be."""


def largest_targets(turn: int) -> TargetTones:
    """Candidates each of which is as long as it may be."""
    return TargetTones(turn=turn, candidates=(_TONE, _TONE, _TONE))
