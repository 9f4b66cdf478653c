"""One line as the offline voice renders it: what the engine is told, what is done to its samples, and what both depend on.

An attempt beyond the first must come out another way and further from how the voice speaks untold: all steps of the tone are
taken 1 + 0.35 x attempt times, and the scatter around them, drawn from the line's seed, is 1 + attempt times as wide.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import blake2b
from importlib.metadata import version
from typing import TYPE_CHECKING

from earmark.builders.dialogues.speakers.offline_voices import VOICES
from earmark.builders.miniatures.dice import Dice
from earmark.builders.voices.delivery import Delivery, delivery_of
from earmark.builders.voices.espeak import Utterance, render_script
from earmark.builders.voices.lexicon import steps_of
from earmark.builders.voices.shaping import VERSION, shape
from earmark.manifests.canonical import Json, canonical_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from earmark.builders.dialogues.makers import LineToSpeak

RATE = 22_050
"""Hz."""

STRONGER = 0.35
"""By how much each attempt departs further from the neutral delivery than the first one does, a share of its steps."""

MOST_STRENGTH = 2.4
"""The strongest that a tone is taken."""

SCATTER = {"rate": 0.2, "pitch": 0.25, "range": 0.25, "level": 0.25, "tilt": 0.2}
"""Standard deviation of what is drawn for a first attempt, in steps of the lexicon."""

_WORDS_PER_MINUTE = 175.0
_GAP = 0.01  # s: the engine's unit of a word gap
_TURNED = 0.3  # contour from which another mark ends the line


@dataclass(frozen=True, kw_only=True)
class Rendering:
    """All that decides the samples of a line.

    Args:
        utterance: What the engine is told.
        delivery: How the line is delivered.
        gain: dB that bring the voice to its ordinary level.
        seed: Of whatever is drawn on the way.
        attempt: From 0; draws differ from attempt to attempt even if the seed does not.
    """

    utterance: Utterance
    delivery: Delivery
    gain: float
    seed: int
    attempt: int

    @property
    def key(self) -> str:
        """32 hex digits that change with the samples, as far as that can be known without making them."""
        utterance: dict[str, Json] = asdict(self.utterance)
        delivery: dict[str, Json] = asdict(self.delivery)
        decided: list[Json] = [utterance, delivery, self.gain, self.seed, self.attempt, VERSION, engine_version()]
        return blake2b(canonical_json(decided), digest_size=16).hexdigest()

    def render(self) -> NDArray[np.int16] | None:
        """The samples, 16 bit at `RATE`; None where nothing can be heard.

        Raises:
            VoiceFailed: The engine does not speak.
            MissingExtra: It is not installed.
        """
        (speech,) = render_script([self.utterance])
        dice = Dice(self.seed).within(self.attempt)
        return shape(speech, self.utterance.text, self.delivery, gain=self.gain, dice=dice)


def rendering_of(line: LineToSpeak) -> Rendering:
    """What a line comes to.

    Raises:
        ValueError: There is no such voice, or nothing to say.
    """
    delivery = delivery_for(line.tone, attempt=line.attempt, seed=line.seed)
    return rendering_with(line.text, line.voice, delivery, seed=line.seed, attempt=line.attempt)


def rendering_with(text: str, voice: str, delivery: Delivery, *, seed: int = 0, attempt: int = 0) -> Rendering:
    """What a text comes to in a voice and a delivery.

    Args:
        text: What is said.
        voice: One of `offline_voices.VOICES`.
        delivery: How.
        seed: Of breath, tremor and halts.
        attempt: From 0.

    Raises:
        ValueError: There is no such voice, or nothing to say.
    """
    own = VOICES.get(voice)
    if own is None:
        raise ValueError(f"there is no offline voice {voice!r}; they are {', '.join(VOICES)}")
    range = _held(50 * delivery.range, 0, 100)
    utterance = Utterance(
        _ended(text, delivery.contour),
        own.variant.engine,
        rate=_held(_WORDS_PER_MINUTE * delivery.rate, 80, 450),
        pitch=_held(own.variant.pitch_for(own.f0 * 2 ** (delivery.pitch / 12), range), 0, 99),
        range=range,
        word_gap=_held(delivery.gap / _GAP, 0, 500),
    )
    return Rendering(utterance=utterance, delivery=delivery, gain=own.variant.gain, seed=seed, attempt=attempt)


def delivery_for(tone: str, *, attempt: int, seed: int) -> Delivery:
    """The delivery of an attempt at a tone: stronger with each attempt, and scattered by what the seed draws."""
    strength = min(MOST_STRENGTH, 1 + STRONGER * attempt)
    dice = Dice(seed).within(attempt, "scatter")
    steps = {name: strength * count for name, count in steps_of(tone).items()}
    for name, deviation in SCATTER.items():
        steps[name] += (1 + attempt) * deviation * max(-2.0, min(2.0, dice.normal(name)))
    return delivery_of(steps)


@lru_cache(maxsize=1)
def engine_version() -> str:
    """The engine's package and version, as far as it is installed."""
    try:
        return f"espeakng-loader {version('espeakng-loader')}"
    except ModuleNotFoundError:
        return "espeakng-loader"


def _ended(text: str, contour: float) -> str:
    """A line whose last mark makes the engine end it rising or falling; as long as before, so that words stay in place."""
    stripped = text.rstrip()
    if not stripped or abs(contour) < _TURNED or stripped[-1] not in ".!?":
        return text
    return stripped[:-1] + ("?" if contour > 0 else ".")


def _held(value: float, low: int, high: int) -> int:
    return min(high, max(low, round(value)))
