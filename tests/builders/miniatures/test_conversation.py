"""Conversations: two tracks on one time axis, turns that alternate, voice activity that is heard."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.builders.miniatures.conversation import (
    FRAME,
    RATE,
    Member,
    Plan,
    Speaker,
    Track,
    active_frames,
    hum,
    lay_out,
    plan,
)
from earmark.builders.miniatures.deliveries import POLES, Pole
from earmark.builders.miniatures.dice import Dice
from earmark.builders.miniatures.sentences import BACKCHANNEL

SPEAKER = Speaker("en-us+f1", 50, 1.0, 1.0)
ROOM = 4  # steps of room tone at most


def staged(seed: int, poles: tuple[Pole, Pole], seconds: float = 12.0) -> tuple[Plan, tuple[Track, Track]]:
    dice = Dice(seed)
    planned = plan(
        dice, (Member("a", SPEAKER, poles[0].delivery, seconds), Member("b", SPEAKER, poles[1].delivery, seconds))
    )
    return planned, lay_out(dice, planned, [hum(utterance) for utterance in planned.script])


POLE_PAIRS = st.tuples(st.sampled_from(POLES), st.sampled_from(POLES))
FEW = settings(deadline=None, max_examples=25)


@FEW
@given(seed=st.integers(0, 10**6), poles=POLE_PAIRS)
def test_tracks_share_one_axis_and_activity_is_in_order(seed: int, poles: tuple[Pole, Pole]) -> None:
    _, tracks = staged(seed, poles)
    assert len(tracks[0].samples) == len(tracks[1].samples)
    for track in tracks:
        assert track.vad[0][0] > 0
        assert track.vad[-1][1] * RATE <= len(track.samples)
        assert all(start < end for start, end in track.vad)
        assert all(before[1] < after[0] for before, after in pairwise(track.vad))


@FEW
@given(seed=st.integers(0, 10**6), poles=POLE_PAIRS)
def test_there_is_sound_where_there_is_activity_and_nowhere_else(seed: int, poles: tuple[Pole, Pole]) -> None:
    _, tracks = staged(seed, poles)
    for track in tracks:
        quiet = np.ones(len(track.samples), dtype=bool)
        for start, end in track.vad:
            here = slice(round(start * RATE), round(end * RATE))
            assert np.abs(track.samples[here].astype(int)).max() > 10 * ROOM
            quiet[here] = False
        assert 0 < np.abs(track.samples[quiet].astype(int)).max() <= ROOM


@FEW
@given(seed=st.integers(0, 10**6), poles=POLE_PAIRS)
def test_turns_alternate_with_small_gaps_and_smaller_overlaps(seed: int, poles: tuple[Pole, Pole]) -> None:
    planned, tracks = staged(seed, poles)
    lines = [[line for line in track.lines if line.text != BACKCHANNEL] for track in tracks]
    spans = []
    for turn in planned.turns:
        own = [lines[turn.member].pop(0) for _ in turn.utterances]
        assert [line.text for line in own] == [utterance.text for utterance in turn.utterances]
        spans.append((turn.member, own[0].start, own[-1].end))
    assert lines == [[], []]
    for before, after in pairwise(spans):
        assert before[0] != after[0]
        assert -0.41 <= after[1] - before[2] <= 1.51


@FEW
@given(seed=st.integers(0, 10**6), poles=POLE_PAIRS)
def test_words_are_the_text_in_order_within_their_line(seed: int, poles: tuple[Pole, Pole]) -> None:
    _, tracks = staged(seed, poles)
    for line in (line for track in tracks for line in track.lines):
        assert " ".join(word.text for word in line.words) == line.text
        times = [time for word in line.words for time in (word.start, word.end)]
        assert times == sorted(times)
        assert line.start - 0.001 <= times[0] < times[-1] <= line.end + 0.001


def test_listeners_are_heard_in_the_middle_of_a_turn() -> None:
    backchannels = 0
    for seed in range(8):
        _, tracks = staged(seed, (POLES[0], POLES[1]), seconds=30.0)
        for track, other in (tracks, tracks[::-1]):
            for line in (line for line in track.lines if line.text == BACKCHANNEL):
                backchannels += 1
                assert any(their.start < line.start < their.end for their in other.lines) or any(
                    before.end <= line.start <= after.start for before, after in pairwise(other.lines)
                )
    assert backchannels > 8


def test_everybody_says_about_as_much_as_they_are_to() -> None:
    _, tracks = staged(4, (POLES[0], POLES[9]), seconds=40.0)
    for track in tracks:
        assert sum(end - start for start, end in track.vad) == pytest.approx(42, abs=4)


def test_a_taciturn_partner_takes_short_turns() -> None:
    withdrawn, sociable = (next(pole for pole in POLES if (pole.dimension, pole.pole) == ("S6", end)) for end in "NP")
    dice = Dice(1)
    planned = plan(dice, (Member("a", SPEAKER, withdrawn.delivery, 8.0), Member("b", SPEAKER, sociable.delivery, 20.0)))
    said = [sum(len(turn.utterances) for turn in planned.turns if turn.member == member) for member in (0, 1)]
    assert said[0] < 0.6 * said[1]


@given(edges=st.lists(st.integers(1, 60), min_size=1, max_size=6, unique=True))
def test_active_frames_split_at_pauses_only(edges: list[int]) -> None:
    """Bursts of 20 frames with the given gaps between them."""
    pieces, expected, at = [np.zeros(5 * FRAME)], [], 5
    for gap in edges:
        pieces += [np.full(20 * FRAME, 3000.0), np.zeros(gap * FRAME)]
        if expected and at - expected[-1][1] < 12:
            expected[-1] = (expected[-1][0], at + 20)
        else:
            expected.append((at, at + 20))
        at += 20 + gap
    assert active_frames(np.concatenate(pieces).astype(np.int16)) == expected
