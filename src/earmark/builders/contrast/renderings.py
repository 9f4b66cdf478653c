"""Speech to calibrate a profile on: the same words by the offline voice, with one tone twice and with two tones.

The tones are the eighteen deliveries of the miniature corpora (two poles of nine stance dimensions), the words are made up for
this, and the voice is one of four. eSpeak NG repeats a setting almost exactly, as no model that is asked twice does; so
each rendering scatters around its tone by as much as one speaker's sentences do in those corpora.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import exp
from typing import NamedTuple

from earmark.audio.acoustics.measures import measure
from earmark.builders.contrast.features import Features, of_acoustics
from earmark.builders.miniatures.deliveries import POLES, Delivery
from earmark.builders.miniatures.dice import Dice
from earmark.builders.voices.espeak import Utterance, render_scripts
from earmark.manifests.text import word_count

VOICES = (("en-us", 42), ("en-us+m3", 40), ("en-us+f2", 52), ("en-us+f3", 50))
"""Voices, and the base pitch of each."""

TEXTS = (
    "I heard about it this morning. Let us see what we can still do.",
    "That is a lot to take in, and I think you should decide.",
    "Well, the letter came on Friday, so everybody knows by now.",
    "You did say that you would call. I was waiting by the phone.",
    "They want an answer by the evening, and I have not slept on it.",
    "Fine. Put the boxes next to the door and we will talk later.",
)

SCATTER_RATE, SCATTER_VOLUME, SCATTER_PITCH, SCATTER_RANGE = 0.04, 0.08, 3.0, 4.0
"""Standard deviations within a tone: of the logarithms of rate and volume, and of pitch and range in the voice's steps."""


class Rendering(NamedTuple):
    """One tone, spoken once.

    Attributes:
        text: number of its text.
        voice: number of its voice.
        tone: number of its tone.
        take: 0 or 1: every tone is spoken twice.
        features: what was measured, by the front end `earmark`.
    """

    text: int
    voice: int
    tone: int
    take: int
    features: Features


class Renderings(NamedTuple):
    """Pairs of clips of one text in one voice.

    Attributes:
        same: two takes of one tone.
        different: the first takes of two tones.
    """

    same: tuple[tuple[Features, Features], ...]
    different: tuple[tuple[Features, Features], ...]


def render(seed: int = 0, *, texts: Sequence[str] = TEXTS, jobs: int = 2) -> list[Rendering]:
    """Speak every text in every voice and tone, twice, and measure it.

    Args:
        seed: of the scatter.
        texts: what is said.
        jobs: voices at work at a time.

    Raises:
        MissingExtra: The voice is not installed.
        VoiceFailed: It does not speak.
    """
    scripts = [
        [
            _utterance(words, VOICES[voice], pole.delivery, Dice(seed).within(text, voice, tone, take))
            for tone, pole in enumerate(POLES)
            for take in (0, 1)
        ]
        for text, words in enumerate(texts)
        for voice in range(len(VOICES))
    ]
    made: list[Rendering] = []
    for place, speeches in enumerate(render_scripts(scripts, jobs)):
        text, voice = divmod(place, len(VOICES))
        for number, speech in enumerate(speeches):
            measured = measure(speech.samples, speech.rate, words=word_count(texts[text]))
            made.append(Rendering(text, voice, number // 2, number % 2, of_acoustics(measured)))
    return made


def pairs_of(made: Sequence[Rendering]) -> Renderings:
    """All pairs of two takes of a tone, and of first takes of two tones, of one text in one voice."""
    said: dict[tuple[int, int], dict[tuple[int, int], Features]] = {}
    for rendering in made:
        said.setdefault((rendering.text, rendering.voice), {})[rendering.tone, rendering.take] = rendering.features
    same, different = [], []
    for takes in said.values():
        tones = sorted({tone for tone, _ in takes})
        same += [(takes[tone, 0], takes[tone, 1]) for tone in tones]
        different += [(takes[one, 0], takes[other, 0]) for one, other in combinations(tones, 2)]
    return Renderings(tuple(same), tuple(different))


def _utterance(text: str, voice: tuple[str, int], tone: Delivery, dice: Dice) -> Utterance:
    name, pitch = voice
    return Utterance(
        text,
        name,
        rate=_held(tone.rate * exp(SCATTER_RATE * dice.normal("rate")), 80, 450),
        pitch=_held(pitch + tone.pitch + SCATTER_PITCH * dice.normal("pitch"), 0, 99),
        range=_held(tone.range + SCATTER_RANGE * dice.normal("range"), 0, 100),
        volume=_held(tone.volume * exp(SCATTER_VOLUME * dice.normal("volume")), 10, 150),
    )


def _held(value: float, low: int, high: int) -> int:
    return min(high, max(low, round(value)))
