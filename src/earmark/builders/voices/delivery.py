"""How a line is delivered: what a tone instruction says of pace, pitch, level, breath, pauses and the rest, as figures.

The words and their steps are those of `lexicon`. The steps of all words are summed, and each sum is bent by tanh towards the ends
of its parameter, so that every further word still moves it a little and none moves it out of what a voice can do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, log, tanh

from earmark.builders.voices.lexicon import PARAMETERS, Step, lexicon, steps_of

_FACTORS = ("rate", "range")


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """A way to say something, relative to how a voice says it without being told.

    Args:
        rate: Factor of the pace, 0.7 to 1.45.
        pitch: Shift of the pitch, semitones, -3 to 6.
        range: Factor of how far the pitch moves, 0.1 to 2.
        level: Change of level, dB, -9 to 6.
        breath: Breath in the voice, 0 to 1, nearly a whisper.
        tilt: Slope of the spectrum, dB per octave, -3 (dark, soft) to 3 (bright, pressed).
        pause: Seconds more at each comma and stop, -0.12 (less) to 0.5.
        gap: Seconds between any two words, 0 to 0.12.
        hesitation: Share of the places between words at which the voice halts, 0 to 0.5.
        tremor: 0 to 1.
        contour: How it ends, -1 (falling) to 1 (rising).
        emphasis: How far one word of each clause stands out, 0 to 1.
    """

    rate: float = 1.0
    pitch: float = 0.0
    range: float = 1.0
    level: float = 0.0
    breath: float = 0.0
    tilt: float = 0.0
    pause: float = 0.0
    gap: float = 0.0
    hesitation: float = 0.0
    tremor: float = 0.0
    contour: float = 0.0
    emphasis: float = 0.0


NEUTRAL = Delivery()
"""As a voice speaks without being told."""


def read_tone(instruction: str, strength: float = 1.0) -> Delivery:
    """The delivery that an instruction asks for; the neutral one where no word of it is known.

    Args:
        instruction: English text, such as "low and unhurried, with a soft edge of worry".
        strength: Factor of all steps, > 0.

    >>> slow, slower = read_tone("slow"), read_tone("very slow")
    >>> NEUTRAL.rate > slow.rate > slower.rate
    True
    """
    return delivery_of({name: strength * steps for name, steps in steps_of(instruction).items()})


def delivery_of(steps: Mapping[str, float]) -> Delivery:
    """The delivery that so many steps of each parameter come to; one that is not named stays neutral.

    Raises:
        ValueError: A parameter is unknown.
    """
    if unknown := sorted(steps.keys() - set(PARAMETERS)):
        raise ValueError(f"no parameters of a delivery: {', '.join(unknown)}; they are {', '.join(PARAMETERS)}")
    known = lexicon().steps
    return Delivery(**{name: _bent(name, count, known[name]) for name, count in steps.items()})


def _bent(name: str, count: float, step: Step) -> float:
    if name in _FACTORS:
        return exp(_towards(count * log(step.step), log(step.low), log(step.high)))
    return _towards(count * step.step, step.low, step.high)


def _towards(amount: float, low: float, high: float) -> float:
    end = high if amount > 0 else -low
    if not amount or not end:
        return 0.0
    return end * tanh(amount / end)
