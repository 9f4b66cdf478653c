"""Levels against a loop, and speech found where it was put."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from tests.audio.acoustics.sounds import Floats, noise, silence, tone

from earmark.audio.acoustics.settings import DEFAULTS
from earmark.audio.acoustics.silence import Span, levels, speech_span

RATE = 8000
HOP = 40


def looped(samples: Floats, hop: int, width: int) -> tuple[list[float], list[float], float | None]:
    """The definition, sample by sample."""
    padded = [*samples, *([0.0] * (-len(samples) % hop))]
    blocks = [sum(x * x for x in padded[at : at + hop]) / hop for at in range(0, len(padded), hop)]
    runs = [blocks[at : at + width] for at in range(len(blocks) - width + 1)]
    frames = [sum(run) / width for run in runs]
    quiet = sorted(frame for frame, run in zip(frames, runs, strict=True) if min(run) > 0)
    if not quiet:
        return blocks, frames, None
    place = 0.1 * (len(quiet) - 1)
    low, high = quiet[int(place)], quiet[min(int(place) + 1, len(quiet) - 1)]
    return blocks, frames, low + (high - low) * (place - int(place))


@given(npst.arrays(np.float64, st.integers(1, 900), elements=st.sampled_from([0.0, 0.5, -0.25, 0.001])))
def test_levels_are_those_of_a_loop(samples: Floats) -> None:
    found = levels(samples, RATE, DEFAULTS)
    blocks, frames, floor = looped(samples, HOP, 6)
    assert found.hop == HOP
    assert np.allclose(found.blocks, blocks, rtol=1e-12, atol=0)
    assert np.allclose(found.frames, frames, rtol=1e-12, atol=0)
    assert (found.floor is None) == (floor is None)
    assert found.floor == pytest.approx(floor, rel=1e-9) if floor else True


def span_of(samples: Floats, rate: int = RATE) -> Span | None:
    return speech_span(levels(samples, rate, DEFAULTS), len(samples), DEFAULTS)


@given(lead=st.integers(0, 4000), speech=st.integers(800, 4000), trail=st.integers(0, 4000))
def test_speech_is_found_to_within_a_block(lead: int, speech: int, trail: int) -> None:
    sound = np.sign(np.sin(np.arange(speech) + 0.5)) * 0.3
    found = span_of(np.concatenate([np.zeros(lead), sound, np.zeros(trail)]))
    assert found is not None
    assert 0 <= lead - found.start < HOP
    assert 0 <= found.end - (lead + speech) < HOP
    assert found.end <= lead + speech + trail


def test_a_click_is_no_speech_and_ends_no_silence() -> None:
    sound = np.concatenate([silence(RATE, 0.5), tone(RATE, 200, 0.5, -6.0), silence(RATE, 0.5)])
    clicked = sound.copy()
    clicked[[1000, -1000]] = 0.5
    assert span_of(clicked) == span_of(sound)
    alone = np.zeros(RATE)
    alone[4000] = 0.5
    assert span_of(alone) == Span(4000, 4000 + HOP)


@pytest.mark.parametrize(("level", "found"), [(-80.0, True), (-50.0, True), (-10.0, False)])
def test_speech_stands_out_of_noise_or_all_is_speech(level: float, found: bool) -> None:
    sound = np.concatenate([silence(RATE, 0.5), tone(RATE, 200, 0.5), silence(RATE, 0.5)])
    span = span_of(sound + noise(RATE, 1.5, level))
    assert span == (Span(4000, 8000) if found else Span(0, len(sound)))


def test_the_threshold_follows_the_noise_floor() -> None:
    """Noise 35 dB below the speech is quiet beside it; the same noise would sound if nothing were known of the floor."""
    sound = np.concatenate([silence(RATE, 0.5), tone(RATE, 200, 0.5), silence(RATE, 0.5)]) + noise(RATE, 1.5, -40.0)
    assert span_of(sound) == Span(4000, 8000)
    fixed = replace(DEFAULTS, speech_margin=-100.0)
    assert speech_span(levels(sound, RATE, fixed), len(sound), fixed) == Span(0, len(sound))


@pytest.mark.parametrize("rate", [8000, 16_000, 44_100, 96_000])
@pytest.mark.parametrize("level", [-90.0, -50.0])
def test_the_noise_floor_is_the_level_of_the_noise(rate: int, level: float) -> None:
    sound = np.concatenate([silence(rate, 0.4), tone(rate, 200, 0.6), silence(rate, 0.4)]) + noise(rate, 1.4, level)
    floor = levels(sound, rate, DEFAULTS).floor
    assert floor is not None
    assert 10 * np.log10(floor) == pytest.approx(level, abs=0.7)


def test_digital_silence_is_no_noise_floor_and_no_speech() -> None:
    sound = noise(RATE, 0.5, -50.0)
    padded = np.concatenate([np.zeros(4000), sound, np.zeros(8000)])
    assert levels(padded, RATE, DEFAULTS).floor == levels(sound, RATE, DEFAULTS).floor
    assert levels(np.zeros(4000), RATE, DEFAULTS).floor is None
    assert span_of(np.zeros(4000)) is None


@given(st.integers(1, 5 * HOP))
def test_what_is_shorter_than_a_frame_has_neither(samples: int) -> None:
    short = levels(np.ones(samples), RATE, DEFAULTS)
    assert (short.floor, len(short.frames)) == (None, 0)
    assert speech_span(short, samples, DEFAULTS) is None
