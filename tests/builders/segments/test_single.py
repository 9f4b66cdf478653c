"""Single clips: what they promise, a slow twin, and each rule by example."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from tests.builders.segments import conversations
from tests.builders.segments.conversations import MANY, SHORT, SOME, TICKS, Talk, covered, laid, ordered, said, talks

from earmark.builders.segments import Channel, Count, Reason, Settings, Span, singles


def found(channel: Channel) -> tuple[list[list[Span]], list[tuple[Reason, list[Span]]]]:
    """Clips and drops as bare spans."""
    result = singles(channel)
    return [list(item.target.spans) for item in result.items], [
        (drop.reason, list(drop.spans)) for drop in result.drops
    ]


@MANY
@given(talks(), conversations.settings())
def test_clips_keep_their_limits_and_account_for_all_speech(talk: Talk, settings: Settings) -> None:
    channel = talk.channel(settings=settings)
    result = singles(channel)
    clips = [item.target for item in result.items]
    limits, vad = channel.limits, said(talk)
    for at, clip in enumerate(clips):
        assert ordered(clip.spans)
        assert clip.active == covered(vad, list(clip.spans))
        least = limits.single_tail if at + 1 == len(clips) else limits.single_close
        assert least <= clip.active <= limits.single_most
        assert all(any(start <= a and b <= end for start, end in channel.ipus) for a, b in clip.spans)
        assert all(a[1] < b[0] or channel.limits.merge_gap == 0 for a, b in pairwise(clip.spans))
    assert ordered([span for clip in clips for span in clip.spans])
    edges = {bound for span in (*channel.ipus, *channel.backchannels) for bound in span} | {*channel.cuts}
    everything = sorted(
        [span for clip in clips for span in clip.spans] + [span for drop in result.drops for span in drop.spans]
    )
    assert {bound for span in everything for bound in span} <= edges
    assert ordered([(0, 1), *((start + 1, end + 1) for start, end in everything)])
    assert all(end <= channel.frames for _, end in everything)
    assert covered(vad, everything) == sum(end - start for start, end in vad)
    assert sum(count.active_s for count in result.counts().values()) * channel.rate == pytest.approx(
        sum(end - start for start, end in vad) - sum(clip.active for clip in clips)
    )
    assert all(drop.active_s > 0 for drop in result.drops)


@MANY
@given(talks(), conversations.settings())
def test_the_slow_twin_finds_the_same(talk: Talk, settings: Settings) -> None:
    channel = talk.channel(settings=settings)
    assert found(channel) == twin(channel, said(talk))


def twin(channel: Channel, vad: list[Span]) -> tuple[list[list[Span]], list[tuple[Reason, list[Span]]]]:
    """The same clips from stretches between cuts: what fits is found by trying all, and every sum is made anew."""
    limits = channel.limits
    clips: list[list[Span]] = []
    drops = [(Reason.BACKCHANNEL, [span]) for span in channel.backchannels]
    units: list[list[Span]] = []
    for start, end in channel.ipus:
        bounds = [start, *(cut for cut in channel.cuts if start < cut < end and covered(vad, [(cut, end)])), end]
        stretches: list[Span] = []
        for stretch in pairwise(bounds):
            if covered(vad, [stretch]):
                stretches.append(stretch)
            else:
                stretches[-1] = (stretches[-1][0], stretch[1])
        units.append([])
        for stretch in stretches:
            if covered(vad, [stretch]) > limits.single_most:
                drops.append((Reason.UNCUTTABLE, [stretch]))
                units.append([])
            else:
                units[-1].append(stretch)
    clip: list[Span] = []

    def close(least: int, reason: Reason) -> None:
        if clip and covered(vad, clip) >= least:
            clips.append(list(clip))
        elif clip:
            drops.append((reason, list(clip)))
        clip.clear()

    for unit in units:
        while unit:
            taken = max(
                count
                for count in range(len(unit) + 1)
                if covered(vad, clip) + covered(vad, unit[:count]) <= limits.single_most
            )
            if taken:
                clip.append((unit[0][0], unit[taken - 1][1]))
            if taken < len(unit) or covered(vad, clip) >= limits.single_close:
                close(limits.single_close, Reason.CLOSED_SHORT)
            unit = unit[taken:]
    close(limits.single_tail, Reason.TAIL_SHORT)
    return clips, sorted(drops, key=lambda drop: drop[1])


@MANY
@given(talks(), talks(most=3))
def test_more_speech_never_changes_a_closed_clip(talk: Talk, more: Talk) -> None:
    longer = talk
    for start, end in more.vad:
        longer = longer.followed_by(30 + start % 60, end - start)
    before, _ = found(talk.channel())
    after, _ = found(longer.channel())
    closed = [clip for clip in before if covered(said(talk), clip) >= talk.channel().limits.single_close]
    assert after[: len(closed)] == closed
    assert len(before) - len(closed) in (0, 1)


@SOME
@given(talks(), conversations.settings())
def test_a_later_start_moves_every_clip(talk: Talk, settings: Settings) -> None:
    clips, drops = found(talk.channel(settings=settings))
    moved = found(talk.moved(1234).channel(settings=settings))
    assert moved == ([shifted(spans) for spans in clips], [(reason, shifted(spans)) for reason, spans in drops])


def shifted(spans: list[Span]) -> list[Span]:
    return [(start + 1234, end + 1234) for start, end in spans]


@SOME
@given(talks(), conversations.settings())
def test_the_rate_changes_nothing_but_the_unit(talk: Talk, settings: Settings) -> None:
    slow, fast = singles(talk.channel(8_000, settings)), singles(talk.channel(48_000, settings))
    assert slow == singles(talk.channel(8_000, settings))
    for low, high in zip(slow.items, fast.items, strict=True):
        assert [(6 * start, 6 * end) for start, end in low.target.spans] == list(high.target.spans)
        assert (low.target.active_s, low.target.text) == (high.target.active_s, high.target.text)
    assert slow.counts().keys() == fast.counts().keys()


def spoken(*lengths: int, gap: int = 50, words: tuple[Span, ...] = ()) -> Talk:
    """Stretches of speech in seconds, half a second apart."""
    vad = laid([(gap, TICKS * length) for length in lengths])
    return Talk(vad, words, vad[-1][1])


def seconds(talk: Talk) -> tuple[list[float], dict[Reason, Count]]:
    result = singles(talk.channel(48_000, Settings()))
    return [item.target.active_s for item in result.items], result.counts()


def test_a_clip_is_closed_at_30_s() -> None:
    assert seconds(spoken(12, 12, 12, 30, 15)) == ([36.0, 30.0, 15.0], {})
    assert seconds(spoken(12, 12, 5, 16)) == ([45.0], {})


def test_a_tail_is_kept_from_15_s() -> None:
    assert seconds(spoken(30, 14)) == ([30.0], {Reason.TAIL_SHORT: Count(1, 14.0)})
    assert seconds(spoken(14)) == ([], {Reason.TAIL_SHORT: Count(1, 14.0)})


def test_an_ipu_that_would_overrun_is_cut_at_its_last_word_gap_that_fits() -> None:
    talk = spoken(20, 40)
    words = tuple((start, start + 90) for start in range(2100, 6000, 100))
    result = singles(Talk(talk.vad, words, talk.length).channel(settings=Settings()))
    assert [item.target.spans for item in result.items] == [((50, 2050), (2100, 4595)), ((4595, 6100),)]
    assert [item.target.active_s for item in result.items] == [44.95, 15.05]
    assert result.items[1].target.text == " ".join(f"w{at}" for at in range(25, 39))


def test_without_words_it_is_cut_at_its_last_vad_gap_that_fits() -> None:
    vad = ((0, 2000), *laid([(2100, 490), *[(10, 490)] * 7]))
    result = singles(Talk(vad, (), vad[-1][1]).channel(settings=Settings()))
    assert [item.target.spans for item in result.items] == [((0, 2000), (2100, 4595))]
    assert [item.target.active_s for item in result.items] == [44.5]
    assert result.counts() == {Reason.TAIL_SHORT: Count(1, 14.7)}


def test_where_nothing_fits_a_new_clip_begins() -> None:
    assert seconds(spoken(20, 40)) == ([40.0], {Reason.CLOSED_SHORT: Count(1, 20.0)})


def test_a_stretch_that_fits_no_clip_is_dropped_and_the_clip_goes_on() -> None:
    assert seconds(spoken(20, 46, 11)) == ([31.0], {Reason.UNCUTTABLE: Count(1, 46.0)})


def test_backchannels_are_in_no_clip() -> None:
    talk = Talk(((0, 2000), (2100, 2119), (2200, 3200)), (), 3200)
    assert seconds(talk) == ([30.0], {Reason.BACKCHANNEL: Count(1, 0.19)})


def test_195_s_of_speech_make_six_clips_and_not_one() -> None:
    clips, counts = seconds(spoken(*[5] * 39))
    assert (clips, counts) == ([30.0] * 6 + [15.0], {})


def test_nothing_said_is_nothing_made() -> None:
    assert found(Talk((), ((0, 10),), 100).channel(settings=SHORT)) == ([], [])
