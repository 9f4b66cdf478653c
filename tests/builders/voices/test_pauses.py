"""Pauses: silence is put in and taken out where words meet, and no sound is lost."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.builders.miniatures.dice import Dice
from earmark.builders.voices.espeak import SpokenWord
from earmark.builders.voices.pauses import Pause, clause_starts, paused, pauses_of

RATE = 8000
TEXT = "Well, I see. You came here today — did you?"
WORDS = tuple(
    SpokenWord(TEXT.index(word), len(word), 500 * place)
    for place, word in enumerate(["Well", "I", "see", "You", "came", "here", "today", "did", "you?"[:3]])
)


def speech(*parts: int) -> np.ndarray:
    """A tone, then silence, and so on, of so many samples each."""
    return np.concatenate([np.sin(np.arange(n)) * (place % 2 == 0) for place, n in enumerate(parts)])


def test_a_clause_starts_after_a_comma_or_a_stop() -> None:
    assert [TEXT[WORDS[place].start :][:3] for place in clause_starts(TEXT, WORDS)] == ["I s", "You", "did"]
    assert clause_starts("", ()) == []


def test_stops_are_lengthened_and_other_places_halt_by_their_share() -> None:
    dice = Dice(3)
    assert list(pauses_of(TEXT, WORDS, at_stops=0.0, hesitation=0.0, dice=dice)) == []
    assert list(pauses_of(TEXT, WORDS, at_stops=0.2, hesitation=0.0, dice=dice)) == [
        Pause(500, 0.2),
        Pause(1500, 0.2),
        Pause(3500, 0.2),
    ]
    everywhere = list(pauses_of(TEXT, WORDS, at_stops=0.0, hesitation=1.0, dice=dice))
    assert [pause.sample for pause in everywhere] == [1000, 2000, 2500, 3000, 4000]
    assert all(0.18 <= pause.seconds <= 0.4 for pause in everywhere)
    counts = [len(list(pauses_of(TEXT, WORDS, at_stops=0, hesitation=0.4, dice=Dice(seed)))) for seed in range(200)]
    assert 1.7 < np.mean(counts) < 2.3  # 5 places, 0.4 of them


@given(
    st.lists(st.tuples(st.integers(0, 4000), st.floats(0.01, 0.5)), max_size=5).map(
        lambda found: [Pause(*pause) for pause in sorted(found)]
    )
)
@settings(max_examples=25)
def test_silence_that_is_put_in_adds_its_length_and_hardly_touches_the_sound(pauses: list[Pause]) -> None:
    samples = speech(1500, 500, 1500)
    longer = paused(samples, RATE, pauses)
    assert len(longer) == len(samples) + sum(round(pause.seconds * RATE) for pause in pauses)
    lost = np.square(samples).sum() - np.square(longer).sum()
    assert -1e-9 <= lost <= len(pauses) * 0.004 * RATE


def test_silence_is_put_in_at_the_quietest_place_near_the_word() -> None:
    samples = speech(1500, 200, 1500)
    longer = paused(samples, RATE, [Pause(1750, 0.25)])
    assert np.flatnonzero(longer[1600:])[0] >= 2000
    np.testing.assert_array_equal(longer[:1490], samples[:1490])
    np.testing.assert_array_equal(longer[-1450:], samples[-1450:])


@pytest.mark.parametrize(("seconds", "left"), [(-0.05, 400), (-0.5, 160)])
def test_only_silence_is_taken_out_and_20_ms_of_it_stay(seconds: float, left: int) -> None:
    samples = speech(1501, 800, 1501)  # sin(0) is 0, so that the second tone begins with one more silent sample
    shorter = paused(samples, RATE, [Pause(2301, seconds)])
    assert len(shorter) == 1501 + left + 1501
    assert np.square(shorter).sum() == pytest.approx(np.square(samples).sum())


def test_where_there_is_no_silence_none_is_taken_out() -> None:
    samples = speech(3000)
    np.testing.assert_array_equal(paused(samples, RATE, [Pause(1500, -0.1)]), samples)
    assert len(paused(np.zeros(0), RATE, [Pause(0, 0.1)])) == 0
