"""Tones that SpeechEQ's authors had a neural voice speak: ours follows them the same way more often than not."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from tests.builders.dialogues.speakers.lines import line

from earmark.audio.acoustics.measures import measure
from earmark.audio.decode import probe, read_span
from earmark.builders.contrast.features import Features, of_acoustics
from earmark.builders.contrast.points import contrast
from earmark.builders.contrast.profile import shipped
from earmark.builders.contrast.signs import SIGNED, Signed, signed
from earmark.builders.dialogues.speakers.rendering import RATE, rendering_of
from earmark.builders.voices.lexicon import known_words, steps_of

pytest.importorskip("espeakng_loader")
pytest.importorskip("parselmouth")

PAIRS = ((3, 4), (6, 7))
"""Resonant and dissonant clip of turns 4 and 6, among eight."""


class Told(NamedTuple):
    """A clip, and what was to be said how."""

    text: str
    tone: str
    path: Path
    female: bool


@pytest.fixture(scope="module")
def told(shared_data: Path) -> list[list[Told]]:
    """The eight clips of each dialogue."""
    dialogues = []
    for path in sorted((shared_data / "speecheq").glob("*/metadata.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        female = record["scenario"]["speaker2_gender"].lower() == "female"
        dialogues.append(
            [
                Told(clip["text"], clip["tone_description"], path.parent / "audio" / f"{number:02}.mp3", female)
                for number, clip in enumerate(record["audio_files"], 1)
            ]
        )
    return dialogues


def test_every_tone_of_theirs_moves_something(told: list[list[Told]]) -> None:
    tones = [clip.tone for dialogue in told for clip in dialogue]
    assert len(tones) == 96
    assert all(any(steps_of(tone).values()) for tone in tones)
    assert np.mean([len(known_words(tone)) for tone in tones]) > 3


@pytest.mark.slow
def test_ours_is_louder_higher_and_longer_where_theirs_is(told: list[list[Told]]) -> None:
    def theirs(clip: Told) -> Features:
        return of_acoustics(measure(read_span(clip.path), probe(clip.path).rate, loud=False))

    def ours(clip: Told) -> Features:
        voice = "female-2" if clip.female else "male-3"
        samples = rendering_of(line(tone=clip.tone, text=clip.text, voice=voice, seed=3)).render()
        assert samples is not None
        return of_acoustics(measure(samples, RATE, loud=False))

    clips = [dialogue[number] for dialogue in told for pair in PAIRS for number in pair]
    with ThreadPoolExecutor(2) as pool:
        real, made = list(pool.map(theirs, clips)), list(pool.map(ours, clips))

    def pairs(features: list[Features]) -> list[tuple[Features, Features]]:
        return list(zip(features[::2], features[1::2], strict=True))

    def column(found: list[Signed], name: str) -> np.ndarray:
        return np.array([row[SIGNED.index(name)] for row in found], dtype=float)

    profile = shipped("default")
    assert sum(contrast(*pair, profile).passed for pair in pairs(made)) >= 0.8 * len(pairs(made))
    rows = [[signed(*pair) for pair in pairs(features)] for features in (real, made)]
    for name in ("louder", "higher", "longer"):
        one, other = (column(found, name) for found in rows)
        assert np.mean(np.sign(one) == np.sign(other)) >= 0.6, name
    one, other = (column(found, "higher") for found in rows)
    assert np.corrcoef(one, other)[0, 1] > 0.4
