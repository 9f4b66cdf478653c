"""How a line is rendered: each control of a delivery moves what it names, measured by Praat, in a woman's and a man's voice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from itertools import product
from math import log2
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.dialogues.speakers.lines import TEXT, line

from earmark.audio.acoustics.measures import Acoustics, measure
from earmark.builders.dialogues.speakers import rendering
from earmark.builders.dialogues.speakers.offline_voices import VOICES
from earmark.builders.dialogues.speakers.rendering import RATE, SCATTER, delivery_for, rendering_of, rendering_with
from earmark.builders.voices import espeak
from earmark.builders.voices.delivery import NEUTRAL, Delivery
from earmark.builders.voices.espeak import Speech, Utterance
from earmark.builders.voices.lexicon import lexicon

pytest.importorskip("espeakng_loader")
parselmouth = pytest.importorskip("parselmouth")

CASTS = ("female-2", "male-3")
DELIVERIES = {
    "neutral": NEUTRAL,
    "slow": Delivery(rate=0.75),
    "fast": Delivery(rate=1.4),
    "low": Delivery(pitch=-3.0),
    "high": Delivery(pitch=5.0),
    "flat": Delivery(range=0.2),
    "wide": Delivery(range=1.8),
    "quiet": Delivery(level=-8.0),
    "loud": Delivery(level=5.0),
    "breathy": Delivery(breath=0.8),
    "dark": Delivery(tilt=-2.5),
    "bright": Delivery(tilt=2.5),
    "pausing": Delivery(pause=0.5),
    "gaps": Delivery(gap=0.1),
    "halting": Delivery(hesitation=0.5),
    "trembling": Delivery(tremor=1.0),
    "rising": Delivery(contour=1.0),
    "falling": Delivery(contour=-1.0),
    "stressed": Delivery(emphasis=1.0),
}
Clips: TypeAlias = dict[tuple[str, str], np.ndarray]
Measured: TypeAlias = dict[tuple[str, str], Acoustics]


@pytest.fixture(scope="module")
def clips() -> Iterator[Clips]:
    def render(key: tuple[str, str]) -> np.ndarray:
        samples = rendering_with(TEXT, key[0], DELIVERIES[key[1]], seed=5).render()
        assert samples is not None
        return samples

    said: dict[Utterance, list[Speech]] = {}

    def once(script: list[Utterance]) -> list[Speech]:
        """What the engine says; half of the deliveries ask the same of it, and what it says does not change."""
        (utterance,) = script
        if utterance not in said:
            said[utterance] = espeak.render_script(script)
        return said[utterance]

    keys = list(product(CASTS, DELIVERIES))
    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(2) as pool:
        patch.setattr(rendering, "render_script", once)
        yield dict(zip(keys, pool.map(render, keys), strict=True))


@pytest.fixture(scope="module")
def measured(clips: Clips) -> Measured:
    return {key: measure(samples, RATE, loud=False) for key, samples in clips.items()}


def f0(found: Acoustics) -> float:
    assert found.f0_mean is not None
    return found.f0_mean


def f0_range(found: Acoustics) -> float:
    assert found.f0_range is not None
    return found.f0_range


def level(found: Acoustics) -> float:
    assert found.level is not None
    return found.level


def centroid(found: Acoustics) -> float:
    assert found.spectral_centroid is not None
    return found.spectral_centroid


def pace(found: Acoustics) -> float:
    assert found.syllables_per_second is not None
    return found.syllables_per_second


def seconds(found: Acoustics) -> float:
    assert found.speech is not None
    return found.speech


def hnr(samples: np.ndarray) -> float:
    """Harmonics to noise, dB."""
    found = parselmouth.Sound(samples / 32768, RATE).to_harmonicity_cc().values
    return float(found[found > -200].mean())


def last_f0(samples: np.ndarray) -> float:
    """Median F0 of the last quarter second that is voiced, Hz."""
    contour = parselmouth.Sound(samples / 32768, RATE).to_pitch_ac(0.01, 75, pitch_ceiling=600)
    voiced = contour.selected_array["frequency"]
    return float(np.median(voiced[voiced > 0][-12:]))


@pytest.mark.parametrize("voice", CASTS)
@pytest.mark.parametrize(
    ("down", "up", "value", "least"),
    [
        ("slow", "fast", lambda found: log2(pace(found)), 0.5),
        ("fast", "slow", lambda found: log2(seconds(found)), 0.6),
        ("low", "high", lambda found: 12 * log2(f0(found)), 7.0),
        ("flat", "wide", f0_range, 3.0),
        ("quiet", "loud", level, 12.9),
        ("dark", "bright", lambda found: log2(centroid(found)), 0.3),
    ],
)
def test_a_control_moves_what_it_names_both_ways(
    measured: Measured, voice: str, down: str, up: str, value: Callable[[Acoustics], float], least: float
) -> None:
    low, neutral, high = (value(measured[voice, name]) for name in (down, "neutral", up))
    assert low < neutral < high
    assert high - low > least


@pytest.mark.parametrize("voice", CASTS)
def test_pitch_is_in_semitones_and_level_in_decibels(measured: Measured, clips: Clips, voice: str) -> None:
    neutral = measured[voice, "neutral"]
    for name in ("low", "high"):
        assert 12 * log2(f0(measured[voice, name]) / f0(neutral)) == pytest.approx(DELIVERIES[name].pitch, abs=0.6)
    for name in ("quiet", "loud"):
        assert level(measured[voice, name]) - level(neutral) == pytest.approx(DELIVERIES[name].level, abs=0.03)
        assert len(clips[voice, name]) == len(clips[voice, "neutral"])


@pytest.mark.parametrize("voice", CASTS)
def test_breath_takes_harmonics_away_and_leaves_a_pitch(measured: Measured, clips: Clips, voice: str) -> None:
    assert hnr(clips[voice, "breathy"]) < hnr(clips[voice, "neutral"]) - 3
    assert f0(measured[voice, "breathy"]) == pytest.approx(f0(measured[voice, "neutral"]), rel=0.04)


@pytest.mark.parametrize("voice", CASTS)
def test_pauses_gaps_and_halts_take_time(measured: Measured, voice: str) -> None:
    neutral = seconds(measured[voice, "neutral"])
    assert seconds(measured[voice, "pausing"]) - neutral == pytest.approx(0.5, abs=0.06)  # one comma
    assert seconds(measured[voice, "gaps"]) - neutral > 0.4
    assert seconds(measured[voice, "halting"]) - neutral > 0.3


@pytest.mark.parametrize("voice", CASTS)
def test_what_colours_a_voice_keeps_its_level_its_length_and_its_pitch(measured: Measured, voice: str) -> None:
    neutral = measured[voice, "neutral"]
    for name in ("dark", "bright", "breathy", "stressed", "trembling"):
        found = measured[voice, name]
        assert level(found) == pytest.approx(level(neutral), abs=0.15), name
        assert seconds(found) == pytest.approx(seconds(neutral), abs=0.12), name
        assert f0(found) == pytest.approx(f0(neutral), rel=0.04), name


@pytest.mark.parametrize("voice", CASTS)
def test_a_line_ends_rising_or_falling(clips: Clips, voice: str) -> None:
    assert last_f0(clips[voice, "rising"]) > 1.1 * last_f0(clips[voice, "neutral"])
    np.testing.assert_array_equal(clips[voice, "falling"], clips[voice, "neutral"])  # the text ends with a full stop
    asked, told = (rendering_with("You will?", voice, Delivery(contour=contour)) for contour in (0.0, -1.0))
    assert (asked.utterance.text, told.utterance.text) == ("You will?", "You will.")


def test_no_clip_is_clipped_and_all_begin_and_end_within_the_margin(measured: Measured) -> None:
    for name, found in measured.items():
        assert found.peak is not None
        assert found.peak < -1, name
        assert found.clipped == 0
        assert found.lead is not None
        assert found.trail is not None
        assert 0.04 < found.lead < 0.1, name
        assert 0.04 < found.trail < 0.2, name


deliveries = st.builds(Delivery, **{name: st.floats(step.low, step.high) for name, step in lexicon().steps.items()})


@given(deliveries, st.sampled_from(sorted(VOICES)))
@settings(max_examples=25)
def test_every_delivery_of_every_voice_is_within_what_the_engine_can_do(delivery: Delivery, voice: str) -> None:
    told = rendering_with(TEXT, voice, delivery).utterance
    assert told.rate == pytest.approx(175 * delivery.rate, abs=0.51)
    variant, f0 = VOICES[voice]
    modelled = variant.moved * 2 ** ((told.pitch - 50) / 50) + variant.fixed + variant.spread * told.range / 50
    assert told.pitch in (0, 99) or 12 * log2(modelled / f0) == pytest.approx(delivery.pitch, abs=0.13)
    assert len(told.text) == len(TEXT)


@given(st.integers(0, 2**31), st.integers(0, 4))
@settings(max_examples=25)
def test_a_tone_that_says_nothing_is_scattered_a_little_and_more_with_each_attempt(seed: int, attempt: int) -> None:
    found = delivery_for("", attempt=attempt, seed=seed)
    again, other = (delivery_for("", attempt=attempt + n, seed=seed) for n in (0, 1))
    assert found == again != other
    for name, value in asdict(found).items():
        if name not in SCATTER:
            assert value == getattr(NEUTRAL, name)
    for name in ("pitch", "level", "tilt"):
        most = (1 + attempt) * 2 * SCATTER[name] * lexicon().steps[name].step
        assert abs(getattr(found, name)) <= most + 1e-9


def test_the_scatter_is_of_the_size_that_is_said_and_widens_with_each_attempt() -> None:
    for attempt in (0, 2):
        drawn = [delivery_for("", attempt=attempt, seed=seed).level for seed in range(300)]
        deviation = SCATTER["level"] * lexicon().steps["level"].step * (1 + attempt)
        assert abs(np.mean(drawn)) < 0.25 * deviation
        assert np.std(drawn) == pytest.approx(deviation, rel=0.15)


def test_each_attempt_departs_further() -> None:
    def mean(name: str, attempt: int) -> float:
        tone = "quick, high and loud"
        return float(np.mean([asdict(delivery_for(tone, attempt=attempt, seed=seed))[name] for seed in range(60)]))

    for name in ("rate", "pitch", "level"):
        assert mean(name, 0) < mean(name, 1) < mean(name, 2) < mean(name, 4)
        assert mean(name, 4) <= lexicon().steps[name].high


def test_the_key_changes_with_whatever_decides_the_samples() -> None:
    plain = line(tone="calm, low")
    changes: list[dict[str, object]] = [
        {"tone": "calm, high"},
        {"seed": 6},
        {"attempt": 1},
        {"voice": "male-4"},
        {"text": "No."},
    ]
    keys = {rendering_of(replace(plain, **change)).key for change in [{}, *changes]}  # type: ignore[arg-type]
    assert len(keys) == 6
    one, other = (rendering_with(TEXT, "male-3", NEUTRAL, seed=seed) for seed in (1, 2))
    assert one.key != other.key  # breath and halts are drawn from it
    for change in ({"dialogue": "e"}, {"turn": 6}, {"option": "dissonant"}, {"tone": "low, calm"}):
        assert rendering_of(replace(plain, **change)).key == rendering_of(plain).key


def test_a_voice_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="'nova'; they are female-1, "):
        rendering_of(line(voice="nova"))


@pytest.mark.slow
def test_every_voice_has_a_pitch_and_the_same_level_and_its_gender_can_be_heard() -> None:
    keys = [(voice, delivery) for voice in VOICES for delivery in (NEUTRAL, Delivery(pitch=-3.0), Delivery(pitch=4.0))]

    def found(key: tuple[str, Delivery]) -> Acoustics:
        samples = rendering_with(TEXT, *key).render()
        assert samples is not None
        return measure(samples, RATE)

    with ThreadPoolExecutor(2) as pool:
        every = dict(zip(keys, pool.map(found, keys), strict=True))
    heights = {voice: f0(every[voice, NEUTRAL]) for voice in VOICES}
    for voice, height in heights.items():
        assert level(every[voice, NEUTRAL]) == pytest.approx(-27, abs=2.0), voice
        for delivery in (Delivery(pitch=-3.0), Delivery(pitch=4.0)):
            moved = 12 * log2(f0(every[voice, delivery]) / height)
            assert moved == pytest.approx(delivery.pitch, abs=0.5), (voice, moved)
    for kind, low, high in (("male", 110, 130), ("mid", 130, 165), ("female", 168, 250)):
        assert all(low < height < high for voice, height in heights.items() if voice.startswith(kind)), heights
