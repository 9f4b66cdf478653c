"""Words in time: which words a span holds, and where speech may be cut without splitting one.

A word is in a span if its midpoint is. A word without usable times gets the midpoint that interpolation between its timed
neighbours, by count of words, gives it; before the first or after the last timed word it shares that one's. A transcript
without any timed word is in no span. A word gap is the time, possibly none, between the end of all words so far and the start
of the next; it is no gap if a word without times stands there, for nobody knows where that one is.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from earmark.builders.segments.clips import Span
from earmark.builders.segments.settings import samples


class Word(Protocol):
    """A word of a transcript; start and end in seconds, None where the aligner gave none."""

    @property
    def text(self) -> str:
        """As the corpus writes it."""

    @property
    def start(self) -> float | None:
        """Seconds from the file's start."""

    @property
    def end(self) -> float | None:
        """Seconds from the file's start."""


@dataclass(frozen=True, slots=True)
class Words:
    """The transcript of one channel on its time line.

    Args:
        texts: The words' texts, by midpoint.
        midpoints: Their midpoints in native samples, ascending; empty where no word has times.
        cuts: Middles of the word gaps, ascending.
        stretches: Maximal stretches of words that overlap, ascending and disjoint; a cut strictly within one splits a word.
    """

    texts: tuple[str, ...]
    midpoints: tuple[int, ...]
    cuts: tuple[int, ...]
    stretches: tuple[Span, ...]

    @classmethod
    def of(cls, words: Sequence[Word], rate: int) -> Words:
        """Place a transcript in time.

        Args:
            words: In the corpus's order. Times that are absent, negative, reversed or not finite are no times.
            rate: Native sampling rate, Hz.
        """
        placed = _in_order([_place(word, rate) for word in words])
        middles = _midpoints([place for _, place in placed])
        by_middle = sorted(zip(middles, (index for index, _ in placed), strict=True)) if middles else []
        cuts, stretches = _gaps(place for _, place in placed)
        return cls(
            tuple(words[index].text for _, index in by_middle),
            tuple(middle for middle, _ in by_middle),
            tuple(cuts),
            tuple(stretches),
        )

    def within(self, spans: Iterable[Span]) -> list[str]:
        """The texts of the words in the spans, span by span, each by midpoint."""
        texts: list[str] = []
        for start, end in spans:
            texts += self.texts[bisect_left(self.midpoints, start) : bisect_left(self.midpoints, end)]
        return texts

    def splits(self, sample: int) -> bool:
        """Whether a cut before this sample would split a word."""
        at = bisect_left(self.stretches, (sample, 0)) - 1
        return at >= 0 and sample < self.stretches[at][1]


def _place(word: Word, rate: int) -> Span | None:
    """A word's start and end in samples; None where it has no usable times."""
    start, end = word.start, word.end
    if start is None or end is None or not 0 <= start <= end < math.inf:
        return None
    return samples(start, rate), samples(end, rate)


def _in_order(places: list[Span | None]) -> list[tuple[int, Span | None]]:
    """Indices and places by start; a word without times stays behind the word it follows."""
    starts, last = [], 0
    for place in places:
        last = place[0] if place else last
        starts.append(last)
    order = sorted(range(len(places)), key=starts.__getitem__)
    return [(index, places[index]) for index in order]


def _midpoints(places: list[Span | None]) -> list[int]:
    """Midpoints in samples, interpolated where there are no times; empty if no place is known."""
    known = [(at, (place[0] + place[1]) // 2) for at, place in enumerate(places) if place]
    if not known:
        return []
    (first, low), (last, high) = known[0], known[-1]
    middles = [low] * (first + 1)
    for (left, before), (right, after) in pairwise(known):
        middles += [before + (after - before) * step // (right - left) for step in range(1, right - left + 1)]
    return middles + [high] * (len(places) - 1 - last)


def _gaps(places: Iterable[Span | None]) -> tuple[list[int], list[Span]]:
    """Middles of the word gaps, and the stretches of overlapping words between."""
    cuts: list[int] = []
    stretches: list[Span] = []
    start = reach = -1
    unplaced = False
    for place in places:
        if place is None:
            unplaced = True
            continue
        if reach < 0:
            start, reach = place
        elif place[0] < reach:
            reach = max(reach, place[1])
        else:
            if not unplaced:
                cuts.append((reach + place[0]) // 2)
            stretches.append((start, reach))
            start, reach = place
        unplaced = False
    if reach >= 0:
        stretches.append((start, reach))
    return cuts, stretches
