"""The apathetic failure, which at most a tenth of all dialogues may have: it contrasts by being nothing, not by being wrong.

Which dialogues may have it follows from their names alone, so that each can be written without knowing of the others.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from hashlib import blake2b

from earmark.builders.dialogues.records import Dialogue
from earmark.manifests.eqi import FAILURES

MOST = 10
"""At most one dialogue of so many has it."""

_EVERY = 11  # no divisor of it goes round with the three valences and the ten scenario types, whose cells take turns

_NUMBERED = re.compile(r".*-(\d+)")
_REPLACING = re.compile(r".*-r\d+")
_SELDOM = frozenset(failure.slug for failure in FAILURES if failure.seldom)


def is_apathetic(failure: str | None) -> bool:
    """Whether a failure is one of those that are the last choice."""
    return failure in _SELDOM


def apathetic_allowed(name: str) -> bool:
    """Whether the dialogue of a name may have it: every eleventh of a subscale, and no replacement of another dialogue.

    Names that carry no number are drawn by their hash.

    >>> [n for n in range(1, 31) if apathetic_allowed(f"interpersonal_empathy-{n:04d}")]
    [10, 21]
    """
    if _REPLACING.fullmatch(name):
        return False
    numbered = _NUMBERED.fullmatch(name)
    drawn = int(numbered[1]) if numbered else int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big")
    return drawn % _EVERY == _EVERY - 1


def check_apathetic_share(dialogues: Collection[Dialogue]) -> tuple[str, ...]:
    """What is wrong with all dialogues of a build together: whether more than a tenth have it."""
    having = sum(any(is_apathetic(p.failure) for p in d.scenario.dissonant_personas) for d in dialogues)
    if having * MOST <= len(dialogues):
        return ()
    return (f"{having} of {len(dialogues)} dialogues have the apathetic failure: at most one in {MOST} does",)
