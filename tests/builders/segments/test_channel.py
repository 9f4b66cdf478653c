"""Channels: IPUs, active speech and cuts, against definitions taken sample by sample."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders.segments import conversations
from tests.builders.segments.conversations import SOME, Talk, covered, ordered, said, talks

from earmark.builders.segments import Channel, Clip, Settings, Span, duration


def grid(vad: list[Span], frames: int) -> list[bool]:
    """Speech or not, sample by sample."""
    return [any(start <= at < end for start, end in vad) for at in range(frames)]


def runs(grid: list[bool], value: bool) -> list[Span]:
    """Maximal runs of one value."""
    edges = [
        at
        for at in range(len(grid) + 1)
        if (at < len(grid) and grid[at] is value) != (at > 0 and grid[at - 1] is value)
    ]
    return list(zip(edges[::2], edges[1::2], strict=True))


@SOME
@given(talks(most=12), conversations.settings())
def test_ipus_are_vad_without_its_short_gaps(talk: Talk, settings: Settings) -> None:
    channel = talk.channel(settings=settings)
    filled = grid(said(talk), talk.length)
    for start, end in runs(filled, False):
        if start > 0 and end < talk.length and end - start < channel.limits.merge_gap:
            filled[start:end] = [True] * (end - start)
    if channel.limits.merge_gap > 0:
        assert sorted((*channel.ipus, *channel.backchannels)) == runs(filled, True)
    assert ordered(sorted((*channel.ipus, *channel.backchannels)))
    assert all(end - start >= channel.limits.backchannel for start, end in channel.ipus)
    assert all(end - start < channel.limits.backchannel for start, end in channel.backchannels)


@SOME
@given(talks(most=12), conversations.settings())
def test_cuts_are_middles_of_gaps_that_split_no_word(talk: Talk, settings: Settings) -> None:
    channel = talk.channel(settings=settings)
    timed = [word for word in talk.words if word]
    pauses = [
        (start + end) // 2
        for start, end in runs(grid(said(talk), talk.length), False)
        if start > 0 and end < talk.length and end - start < channel.limits.merge_gap
    ]
    whole = [at for at in pauses if not any(start < at < end for start, end in timed)]
    assert list(channel.cuts) == sorted({*whole, *(channel.words.cuts if channel.words else ())})
    for cut in channel.cuts:
        assert not any(start < cut < end for start, end in timed)


@SOME
@given(talks(), st.lists(st.integers(0, 4000), min_size=2, max_size=2).map(sorted), st.integers(0, 1000))
def test_active_speech_and_the_two_ways_to_cut(talk: Talk, bounds: list[int], most: int) -> None:
    channel = talk.channel()
    start, end = bounds
    assert channel.vad.active([(start, end)]) == covered(said(talk), [(start, end)])
    inside = [cut for cut in channel.cuts if start < cut < end]
    ends = [at for at in (*inside, end) if covered(said(talk), [(start, at)]) <= most]
    assert channel.last_cut((start, end), most) == max(ends, default=start)
    starts = [at for at in (start, *inside) if covered(said(talk), [(at, end)]) <= most]
    assert channel.first_cut((start, end), most) == min(starts, default=end)
    following = min((*inside, end))
    silent = [at for at in (*inside, end) if at >= following and not covered(said(talk), [(following, at)])]
    assert channel.next_cut((start, end)) == max(silent)


@pytest.mark.parametrize(("gap", "ipus"), [(29, 1), (30, 2), (31, 2)])
def test_a_gap_of_300_ms_separates(gap: int, ipus: int) -> None:
    assert len(Talk(((0, 50), (50 + gap, 150)), (), 150).channel(48_000, Settings()).ipus) == ipus


@pytest.mark.parametrize(("length", "backchannels"), [(19, 1), (20, 0)])
def test_a_backchannel_is_shorter_than_200_ms(length: int, backchannels: int) -> None:
    channel = Talk(((100, 100 + length),), (), 200).channel(44_100, Settings())
    assert (len(channel.backchannels), len(channel.ipus)) == (backchannels, 1 - backchannels)


def test_touching_intervals_are_speech_without_a_gap() -> None:
    channel = Talk(((0, 50), (50, 100)), (), 100).channel(settings=Settings())
    assert (channel.ipus, channel.cuts) == (((0, 100),), ())


def test_times_become_the_nearest_sample_once() -> None:
    channel = Channel.of([(0.00006, 0.5), (0.9, 0.90001)], [], rate=8_000, frames=8_000, settings=Settings())
    assert channel.ipus == ((0, 4_000),)
    assert channel.backchannels == ()


@pytest.mark.parametrize(
    "vad", [[(-0.1, 1.0)], [(0.5, 0.4)], [(0.0, 1.0), (0.9, 1.5)], [(1.0, 2.0), (0.0, 0.5)], [(0.0, 2.5)]]
)
def test_vad_that_breaks_its_promise_is_refused(vad: list[tuple[float, float]]) -> None:
    with pytest.raises(ValueError, match=r"overlaps the interval before or is not within the file of 2\.0 s"):
        Channel.of(vad, [], rate=8_000, frames=16_000, settings=Settings())


def test_a_rate_is_positive() -> None:
    with pytest.raises(ValueError, match="more than 0 Hz, not 0"):
        Channel.of([], [], rate=0, frames=0, settings=Settings())


def test_a_clip_knows_its_text_and_its_lengths() -> None:
    talk = Talk(((0, 100), (200, 300)), ((10, 40), (50, 90), (210, 260)), 300)
    clip = talk.channel(settings=Settings()).clip([(0, 45), (200, 300)])
    assert clip == Clip(spans=((0, 45), (200, 300)), joining_silence=25, rate=100, active=145, text="w0 w2")
    assert (clip.active_s, clip.frames, clip.duration_s) == (1.45, 170, 1.7)
    assert Talk(talk.vad, (), 300).channel().clip([(0, 45)]).text is None
    assert talk.channel().clip([(45, 50)]).text == ""


@SOME
@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 50)), min_size=1), st.integers(0, 30))
def test_duration_is_the_length_of_what_is_joined(steps: list[tuple[int, int]], silence: int) -> None:
    spans = conversations.laid(steps)
    joined: list[int] = []
    for start, end in spans:
        joined += [0] * (silence if joined else 0) + [1] * (end - start)
    assert duration(spans, silence) == len(joined)
