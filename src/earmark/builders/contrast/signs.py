"""Which of two options is the louder, higher, longer, faster and brighter one: signed differences, resonant less dissonant."""

from __future__ import annotations

from collections.abc import Mapping
from math import log
from typing import TypeAlias

from earmark.builders.contrast.features import EARMARK, Features

SIGNED = ("louder", "higher", "longer", "faster", "brighter")
"""What a positive difference says of the resonant option."""

Signed: TypeAlias = tuple[float | None, ...]
"""One difference for each of `SIGNED`: in dB for louder, else the logarithm of a ratio; None where it is undefined."""


def measures_of(front: str) -> Mapping[str, str]:
    """What each of `SIGNED` reads. Faster is never read off zero crossings, which follow brightness and not pace."""
    pace = "syllables_per_second" if front == EARMARK else "words_per_second"
    return dict(zip(SIGNED, ("level", "f0", "seconds", pace, "centroid"), strict=True))


def signed(resonant: Features, dissonant: Features, *, front: str = EARMARK) -> Signed:
    """How far the resonant option is above the dissonant one in each respect.

    Args:
        resonant: features of the resonant clip.
        dissonant: features of the dissonant one.
        front: the front end that measured both.

    >>> signed(Features(level=-20.0, seconds=2.0), Features(level=-23.0, seconds=2.0))
    (3.0, None, 0.0, None, None)
    """
    found: list[float | None] = []
    for name, measure in measures_of(front).items():
        a, b = getattr(resonant, measure), getattr(dissonant, measure)
        if a is None or b is None:
            found.append(None)
        elif name == "louder":
            found.append(a - b)
        else:
            found.append(log(a) - log(b) if a > 0 and b > 0 else None)
    return tuple(found)


def signs_of(differences: Signed) -> tuple[int, ...]:
    """1, −1, or 0 where a difference is 0 or undefined.

    >>> signs_of((0.5, None, -2.0, 0.0, 1.0))
    (1, 0, -1, 0, 1)
    """
    return tuple(0 if value is None else int(value > 0) - int(value < 0) for value in differences)
