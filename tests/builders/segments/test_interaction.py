"""Interaction clips: turns against their plain definition, what items promise, and each rule by example."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders.segments import conversations
from tests.builders.segments.conversations import (
    MANY,
    RATES,
    SHORT,
    SOME,
    TICKS,
    Talk,
    covered,
    ordered,
    pairs,
    said,
    talks,
)

from earmark.builders.segments import (
    Channel,
    Count,
    Direction,
    Interaction,
    Reason,
    Segmentation,
    Settings,
    Span,
    interactions,
)
from earmark.builders.segments.interaction import turns_of

DEFAULT = Settings()


def within(inner: Span, outer: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def turns_by_definition(ours: Channel, theirs: Channel) -> list[tuple[bool, tuple[Span, ...]]]:
    """Runs of one speaker among the IPUs that lie in none of the other's."""
    mine = [(ipu, True) for ipu in ours.ipus if not any(within(ipu, other) and ipu != other for other in theirs.ipus)]
    other = [(ipu, False) for ipu in theirs.ipus if not any(within(ipu, own) for own in ours.ipus)]
    return [
        (ours, tuple(ipu for ipu, _ in run))
        for ours, run in groupby(sorted((*mine, *other), key=lambda entry: entry[0]), key=lambda entry: entry[1])
    ]


@MANY
@given(pairs(), conversations.settings())
def test_turns_are_what_their_definition_says(pair: tuple[Talk, Talk], settings: Settings) -> None:
    ours, theirs = (talk.channel(settings=settings) for talk in pair)
    turns, inside = turns_of(ours, theirs)
    assert [(turn.ours, turn.spans) for turn in turns] == turns_by_definition(ours, theirs)
    assert [(turn.start, turn.end) for turn in turns] == [(turn.spans[0][0], turn.spans[-1][1]) for turn in turns]
    spoken = [span for turn in turns if turn.ours for span in turn.spans]
    assert sorted((*spoken, *inside)) == list(ours.ipus)
    if not {*ours.ipus} & {*theirs.ipus}:
        mirrored, _ = turns_of(theirs, ours)
        assert [(not turn.ours, turn.spans) for turn in mirrored] == [(turn.ours, turn.spans) for turn in turns]


@MANY
@given(pairs(), conversations.settings())
def test_items_keep_their_limits_and_account_for_all_speech(pair: tuple[Talk, Talk], settings: Settings) -> None:
    ours, theirs = (talk.channel(settings=settings) for talk in pair)
    result = interactions(ours, theirs)
    limits = ours.limits
    for item in result.items:
        for clip, talk, channel in ((item.target, pair[0], ours), (item.context, pair[1], theirs)):
            assert ordered(clip.spans)
            assert clip.active == covered(said(talk), list(clip.spans))
            assert all(any(within(span, ipu) for ipu in channel.ipus) for span in clip.spans)
            edges = {bound for ipu in channel.ipus for bound in ipu} | {*channel.cuts}
            assert {bound for span in clip.spans for bound in span} <= edges
        assert limits.target_least <= item.target.active <= limits.target_most
        assert limits.context_least <= item.context.active <= limits.context_most
        first, second = item.context, item.target
        if item.direction is Direction.CONTEXT_AFTER:
            assert settings.context_after
            first, second = second, first
        assert first.spans[0][0] < second.spans[0][0] <= second.spans[-1][1]
        assert second.spans[0][0] - first.spans[-1][1] == round(item.gap_s * ours.rate)
        assert -settings.switch_overlap_s <= item.gap_s <= settings.switch_gap_s
    taken = [span for item in result.items for span in item.target.spans]
    everything = sorted(taken + [span for drop in result.drops for span in drop.spans])
    assert ordered(everything)
    assert covered(said(pair[0]), everything) == sum(end - start for start, end in pair[0].vad)
    assert all(drop.active_s > 0 for drop in result.drops)


@SOME
@given(pairs(), conversations.settings())
def test_the_context_is_what_the_partner_said_just_before(pair: tuple[Talk, Talk], settings: Settings) -> None:
    ours, theirs = (talk.channel(settings=settings) for talk in pair)
    turns = turns_by_definition(ours, theirs)
    for item in interactions(ours, theirs).items:
        at = next(
            at for at, (mine, spans) in enumerate(turns) if mine and any(within(item.target.spans[0], s) for s in spans)
        )
        if item.direction is Direction.CONTEXT_BEFORE:
            assert item.target.spans[0][0] == turns[at][1][0][0]
            assert item.context.spans[-1][1] == turns[at - 1][1][-1][1]
            assert all(any(within(span, ipu) for ipu in turns[at - 1][1]) for span in item.context.spans)
        else:
            assert item.target.spans[-1][1] == turns[at][1][-1][1]
            assert item.context.spans[0][0] == turns[at + 1][1][0][0]
            assert all(any(within(span, ipu) for ipu in turns[at + 1][1]) for span in item.context.spans)
        assert all(any(within(span, ipu) for ipu in turns[at][1]) for span in item.target.spans)


@MANY
@given(pairs(), conversations.settings())
def test_a_target_holds_all_of_its_turn_that_fits(pair: tuple[Talk, Talk], settings: Settings) -> None:
    ours, theirs = (talk.channel(settings=replace(settings, context_after=False)) for talk in pair)
    items = {item.target.spans[0][0]: item for item in interactions(ours, theirs).items}
    turns, _ = turns_of(ours, theirs)
    for before, turn in pairwise(turns):
        if turn.ours:
            expected = (
                trimmed(theirs, said(pair[1]), before.spans, theirs.limits.context_most, last=True),
                trimmed(ours, said(pair[0]), turn.spans, ours.limits.target_most, last=False),
            )
            gap = (turn.start - before.end) / TICKS
            good = (
                -settings.switch_overlap_s <= gap <= settings.switch_gap_s
                and covered(said(pair[1]), expected[0]) >= theirs.limits.context_least
                and covered(said(pair[0]), expected[1]) >= ours.limits.target_least
            )
            item = items.pop(turn.spans[0][0], None)
            assert (item is not None) is good
            if item:
                assert (list(item.context.spans), list(item.target.spans)) == expected
    assert not items


def trimmed(channel: Channel, vad: list[Span], spans: tuple[Span, ...], most: int, *, last: bool) -> list[Span]:
    """All ways to cut a turn, the longest that fits."""
    bounds = sorted(
        {bound for span in spans for bound in span} | {c for c in channel.cuts if any(a < c < b for a, b in spans)}
    )
    ways = [
        [(max(a, low), min(b, high)) for a, b in spans if max(a, low) < min(b, high)]
        for low, high in (
            [(bound, bounds[-1]) for bound in bounds] if last else [(bounds[0], bound) for bound in bounds]
        )
    ]
    return max((way for way in ways if covered(vad, way) <= most), key=lambda way: sum(b - a for a, b in way))


@MANY
@given(pairs(), talks(most=2), st.booleans(), conversations.settings())
def test_more_speech_changes_only_the_last_item(
    pair: tuple[Talk, Talk], more: Talk, ours_speaks: bool, settings: Settings
) -> None:
    longer = list(pair)
    who = 0 if ours_speaks else 1
    for start, end in more.vad:
        after = max(talk.length for talk in longer)
        longer[who] = longer[who].followed_by(60 + start % 60, end - start, after=after)
    before = interactions(*(talk.channel(settings=settings) for talk in pair)).items
    after_items = interactions(*(talk.channel(settings=settings) for talk in longer)).items
    assert after_items[: len(before) - 1] == before[:-1]
    assert len(after_items) >= len(before)


@SOME
@given(pairs(), conversations.settings())
def test_the_other_direction_only_adds(pair: tuple[Talk, Talk], settings: Settings) -> None:
    plain, both = (
        interactions(*(talk.channel(settings=replace(settings, context_after=flag)) for talk in pair)).items
        for flag in (False, True)
    )
    assert [item for item in both if item.direction is Direction.CONTEXT_BEFORE] == list(plain)


@SOME
@given(pairs(), conversations.settings())
def test_a_later_start_moves_every_clip(pair: tuple[Talk, Talk], settings: Settings) -> None:
    here = interactions(*(talk.channel(settings=settings) for talk in pair))
    there = interactions(*(talk.moved(777).channel(settings=settings) for talk in pair))
    assert bare(there, 0) == bare(here, 777)


def bare(result: Segmentation[Interaction], moved: int) -> list[object]:
    """Items and drops as plain values, moved in time."""

    def spans(spans: tuple[Span, ...]) -> list[Span]:
        return [(start + moved, end + moved) for start, end in spans]

    return [
        *(
            (spans(i.context.spans), i.context.text, spans(i.target.spans), i.target.text, i.gap_s)
            for i in result.items
        ),
        *((drop.reason, spans(drop.spans)) for drop in result.drops),
    ]


@SOME
@given(pairs(), st.sampled_from(RATES[1:]), st.sampled_from(RATES[1:]))
def test_sides_may_differ_in_rate(pair: tuple[Talk, Talk], ours: int, theirs: int) -> None:
    mixed = interactions(pair[0].channel(ours), pair[1].channel(theirs))
    plain = interactions(pair[0].channel(ours), pair[1].channel(ours))
    assert [item.target for item in mixed.items] == [item.target for item in plain.items]
    assert [item.gap_s for item in mixed.items] == [item.gap_s for item in plain.items]
    for item, other in zip(mixed.items, plain.items, strict=True):
        # The middle of a gap may lie between two samples of one rate and on a sample of the other.
        assert item.context.active_s == pytest.approx(other.context.active_s, abs=1 / min(ours, theirs))
    assert all(item.context.rate == theirs for item in mixed.items)
    assert mixed.drops == plain.drops


def test_both_sides_have_the_same_settings() -> None:
    talk = Talk((), (), 0)
    with pytest.raises(ValueError, match="the same settings"):
        interactions(talk.channel(settings=SHORT), talk.channel(settings=Settings()))


def made(partner: list[Span], speaker: list[Span], settings: Settings = DEFAULT) -> Segmentation[Interaction]:
    """Interactions of two sides in ticks, without words, at 48 kHz."""
    end = max(stop for _, stop in (*partner, *speaker))
    ours, theirs = (Talk(tuple(vad), (), end).channel(48_000, settings) for vad in (speaker, partner))
    return interactions(ours, theirs)


def lengths(result: Segmentation[Interaction]) -> list[tuple[float, float, float]]:
    return [(item.context.active_s, item.target.active_s, item.gap_s) for item in result.items]


@pytest.mark.parametrize(
    ("start", "kept"),
    [(700, True), (701, False), (450, True), (449, False), (500, True)],
    ids=["gap", "gap+", "over", "over+", "none"],
)
def test_a_switch_has_at_most_2_s_of_silence_or_half_a_second_of_overlap(start: int, kept: bool) -> None:
    result = made([(0, 500)], [(start, start + 300)])
    assert lengths(result) == ([(5.0, 3.0, (start - 500) / TICKS)] if kept else [])
    assert result.counts() == ({} if kept else {Reason.GAP if start > 500 else Reason.OVERLAP: Count(1, 3.0)})


@pytest.mark.parametrize(("length", "kept"), [(199, False), (200, True)])
def test_a_target_has_2_s(length: int, kept: bool) -> None:
    result = made([(0, 500)], [(510, 510 + length)])
    assert bool(result.items) is kept
    assert result.counts() == ({} if kept else {Reason.TARGET_SHORT: Count(1, length / TICKS)})


@pytest.mark.parametrize(("length", "kept"), [(99, False), (100, True)])
def test_a_context_has_1_s(length: int, kept: bool) -> None:
    result = made([(0, length)], [(length, length + 300)])
    assert bool(result.items) is kept
    assert result.counts() == ({} if kept else {Reason.CONTEXT_SHORT: Count(1, 3.0)})


def test_the_last_10_s_before_and_the_first_15_s_after() -> None:
    partner = [(0, 400), (440, 840), (880, 1280)]
    speaker = [(1300, 1900), (1950, 2550), (2600, 3200)]
    result = made(partner, speaker)
    (item,) = result.items
    assert [(a / 480, b / 480) for a, b in item.context.spans] == [(440, 840), (880, 1280)]
    assert [(a / 480, b / 480) for a, b in item.target.spans] == [(1300, 1900), (1950, 2550)]
    assert (item.target.duration_s, item.gap_s, item.direction) == (12.25, 0.2, Direction.CONTEXT_BEFORE)
    assert result.counts() == {Reason.BEYOND_TARGET: Count(1, 6.0)}


def test_an_overlong_stretch_is_cut_at_word_gaps_from_the_switch() -> None:
    partner = Talk(((0, 2000),), tuple((at, at + 90) for at in range(0, 2000, 100)), 2000)
    speaker = Talk(((2000, 4000),), tuple((at, at + 90) for at in range(2000, 4000, 100)), 4000)
    result = interactions(speaker.channel(settings=Settings()), partner.channel(settings=Settings()))
    (item,) = result.items
    assert (item.context.spans, item.target.spans) == (((1095, 2000),), ((2000, 3495),))
    assert item.context.text == "w11 w12 w13 w14 w15 w16 w17 w18 w19"
    assert item.target.text == " ".join(f"w{at}" for at in range(15))


def test_without_a_gap_an_overlong_stretch_is_dropped() -> None:
    assert made([(0, 500)], [(500, 2001)]).counts() == {Reason.UNCUTTABLE: Count(1, 15.01)}
    assert made([(0, 1001)], [(1001, 1301)]).counts() == {Reason.CONTEXT_SHORT: Count(1, 3.0)}


def test_what_does_not_end_a_turn() -> None:
    silence = made([(0, 300), (5000, 5300)], [(5310, 5610)])
    assert lengths(silence) == [(6.0, 3.0, 0.1)]
    backchannel = made([(0, 300), (400, 700)], [(340, 359), (710, 1010)])
    assert (lengths(backchannel), backchannel.counts()) == ([(6.0, 3.0, 0.1)], {Reason.BACKCHANNEL: Count(1, 0.19)})
    inside = made([(0, 300), (400, 700)], [(100, 300), (710, 1010)])
    assert (lengths(inside), inside.counts()) == ([(6.0, 3.0, 0.1)], {Reason.WITHIN_PARTNER: Count(1, 2.0)})


def test_speaking_alone_ends_a_turn() -> None:
    result = made([(0, 300), (400, 700)], [(340, 380), (710, 1010)])
    assert lengths(result) == [(3.0, 3.0, 0.1)]
    assert result.counts() == {Reason.TARGET_SHORT: Count(1, 0.4)}


def test_nobody_answers_nobody() -> None:
    assert made([(400, 700)], [(0, 300)]).counts() == {Reason.NO_SWITCH: Count(1, 3.0)}


def test_the_context_after_takes_what_is_left_of_a_turn() -> None:
    both = Settings(context_after=True)
    partner, speaker = [(0, 500), (3310, 4000)], [(510, 1400), (1450, 2350), (2400, 3300)]
    plain = made(partner, speaker)
    assert plain.counts() == {Reason.BEYOND_TARGET: Count(1, 18.0)}
    result = made(partner, speaker, both)
    assert [(item.direction, item.target.active_s) for item in result.items] == [
        (Direction.CONTEXT_BEFORE, 8.9),
        (Direction.CONTEXT_AFTER, 9.0),
    ]
    assert result.counts() == {Reason.BEYOND_TARGET: Count(1, 9.0)}


def test_the_context_after_needs_none_before() -> None:
    both = Settings(context_after=True)
    whole = made([(310, 900)], [(0, 300)], both)
    assert (lengths(whole), whole.counts()) == ([(5.9, 3.0, 0.1)], {})
    part = made([(1910, 2500)], [(0, 900), (1000, 1900)], both)
    assert (lengths(part), part.counts()) == ([(5.9, 9.0, 0.1)], {Reason.BEYOND_TARGET: Count(1, 9.0)})


def test_a_least_length_below_a_sample_still_asks_for_speech() -> None:
    tiny = Settings(context_least_s=1e-6, target_least_s=1e-6, switch_overlap_s=0.0)
    assert made([(0, 500)], [(500, 2001)], tiny).counts() == {Reason.UNCUTTABLE: Count(1, 15.01)}
    assert made([(0, 1001)], [(1001, 1301)], tiny).counts() == {Reason.CONTEXT_SHORT: Count(1, 3.0)}
