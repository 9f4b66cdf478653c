"""Words in time: midpoints, untimed words, and gaps that split no word."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders.segments.conversations import SOME, TICKS, Talk, Token, laid, talks

from earmark.builders.segments.words import Words


def words(*tokens: tuple[str, float | None, float | None]) -> Words:
    return Words.of([Token(*token) for token in tokens], TICKS)


def test_a_word_is_where_its_midpoint_is() -> None:
    placed = words(("a", 0.0, 0.4), ("b", 0.4, 0.8), ("c", 1.0, 1.2))
    assert placed.within([(0, 60)]) == ["a"]
    assert placed.within([(0, 61)]) == ["a", "b"]
    assert placed.within([(20, 21), (110, 120)]) == ["a", "c"]
    assert placed.within([(21, 60)]) == []


def test_words_without_times_stand_between_their_neighbours() -> None:
    placed = words(
        ("first", None, None),
        ("a", 1.0, 1.2),
        ("b", None, None),
        ("c", None, None),
        ("d", 1.6, 1.8),
        ("last", None, 2.0),
    )
    assert placed.midpoints == (110, 110, 130, 150, 170, 170)
    assert placed.texts == ("first", "a", "b", "c", "d", "last")


@pytest.mark.parametrize(
    ("start", "end"), [(None, 1.0), (1.0, None), (-0.1, 1.0), (2.0, 1.0), (math.nan, 1.0), (1.0, math.inf)]
)
def test_times_that_make_no_sense_are_no_times(start: float | None, end: float | None) -> None:
    assert words(("a", 0.0, 0.2), ("b", start, end), ("c", 0.6, 0.8)).midpoints == (10, 40, 70)


def test_a_transcript_without_times_is_in_no_span() -> None:
    placed = words(("a", None, None), ("b", None, None))
    assert (placed.within([(0, 10**9)]), placed.cuts) == ([], ())


def test_cuts_are_the_middles_of_gaps() -> None:
    touching, apart, overlapping, untimed = ("b", 0.5, 0.9), ("c", 1.1, 1.5), ("d", 1.4, 1.6), ("e", None, None)
    placed = words(("a", 0.1, 0.5), touching, apart, overlapping, untimed, ("f", 1.8, 2.0))
    assert placed.cuts == (50, 100)
    assert placed.stretches == ((10, 50), (50, 90), (110, 160), (180, 200))


def test_a_word_within_another_opens_no_gap() -> None:
    placed = words(("long", 0.0, 1.0), ("within", 0.2, 0.4), ("behind", 0.6, 0.8), ("after", 1.2, 1.4))
    assert (placed.cuts, placed.stretches) == ((110,), ((0, 100), (120, 140)))


def test_words_out_of_order_are_put_in_order() -> None:
    late, early = ("late", 1.0, 1.4), ("early", 0.2, 0.4)
    assert words(late, ("x", None, None), early).texts == ("early", "late", "x")
    assert words(("x", None, None), late, early).within([(0, 50)]) == ["x", "early"]


@SOME
@given(talks())
def test_no_cut_splits_a_word_and_splits_knows(talk: Talk) -> None:
    placed = Words.of(
        [Token("w", w[0] / TICKS, w[1] / TICKS) if w else Token("w", None, None) for w in talk.words], TICKS
    )
    timed = [word for word in talk.words if word]
    assert list(placed.cuts) == sorted(placed.cuts)
    for cut in placed.cuts:
        assert not any(start < cut < end for start, end in timed)
    for sample in range(0, 3000, 7):
        assert placed.splits(sample) == any(start < sample < end for start, end in timed)


@SOME
@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 40)), min_size=1, max_size=20), st.data())
def test_spans_that_cover_all_time_hold_every_word_once(steps: list[tuple[int, int]], data: st.DataObject) -> None:
    spans = laid(steps)
    placed = Words.of([Token(f"{at}", s / TICKS, e / TICKS) for at, (s, e) in enumerate(spans)], TICKS)
    end = spans[-1][1] + 1
    bounds = [0, *sorted(data.draw(st.lists(st.integers(0, end), max_size=5))), end]
    assert placed.within(pairwise(bounds)) == [f"{at}" for at in range(len(spans))]
