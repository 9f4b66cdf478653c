"""Strategies for conversations on a grid of 10 ms, and settings small enough for short ones to meet every limit."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from tests.support.examples import many

from earmark.builders.segments import Channel, Settings, Span

TICKS = 100
"""Ticks per second, as voice activity is published."""

RATES = (100, 8_000, 16_000, 44_100, 48_000)
"""Rates with a whole number of samples in a tick."""

MANY = hypothesis_settings(max_examples=many(1000), deadline=None)
"""For the promises that matter most."""

SOME = hypothesis_settings(max_examples=100, deadline=None)
"""For the rest."""

SHORT = Settings(
    single_close_s=3.0,
    single_most_s=4.5,
    single_tail_s=1.5,
    context_least_s=0.5,
    context_most_s=1.5,
    target_least_s=0.6,
    target_most_s=2.0,
    switch_gap_s=0.5,
    switch_overlap_s=0.3,
    context_after=True,
)


@dataclass(frozen=True)
class Token:
    """A word of a transcript."""

    text: str
    start: float | None
    end: float | None


@dataclass(frozen=True)
class Talk:
    """One side in ticks: VAD, words (None in place of times the aligner did not give), and the file's length."""

    vad: tuple[Span, ...]
    words: tuple[Span | None, ...]
    length: int

    def moved(self, ticks: int) -> Talk:
        return Talk(
            tuple((start + ticks, end + ticks) for start, end in self.vad),
            tuple(word and (word[0] + ticks, word[1] + ticks) for word in self.words),
            self.length + ticks,
        )

    def followed_by(self, gap: int, length: int, *, after: int = 0) -> Talk:
        """With one more stretch of speech, `gap` ticks behind the end of all that was said."""
        start = max(self.length, after) + gap
        return replace(self, vad=(*self.vad, (start, start + length)), length=start + length)

    def channel(self, rate: int = TICKS, settings: Settings = SHORT) -> Channel:
        return Channel.of(
            [(start / TICKS, end / TICKS) for start, end in self.vad],
            [
                Token(f"w{at}", word[0] / TICKS, word[1] / TICKS) if word else Token(f"w{at}", None, None)
                for at, word in enumerate(self.words)
            ],
            rate=rate,
            frames=self.length * rate // TICKS,
            settings=settings,
        )


def laid(steps: list[tuple[int, int]]) -> tuple[Span, ...]:
    """Spans from (gap before, length)."""
    spans, at = [], 0
    for gap, length in steps:
        spans.append((at + gap, at + gap + length))
        at += gap + length
    return tuple(spans)


@st.composite
def chunks(draw: st.DrawFn, most: int, size: int) -> list[tuple[int, ...]]:
    """Up to `most` tuples of `size` bytes.

    Their number is drawn before: Hypothesis's own lists seldom grow past five, and most rules need more speech than that.
    """
    count = draw(st.integers(0, most))
    drawn = draw(st.binary(min_size=count * size, max_size=count * size))
    return [tuple(drawn[at : at + size]) for at in range(0, len(drawn), size)]


def pause(byte: int) -> int:
    """Mostly short, often about where two IPUs separate, now and then long."""
    return 1 + byte % 29 if byte < 110 else 20 + byte % 21 if byte < 180 else 30 + (byte - 180) * 4


def stretch(byte: int) -> int:
    """Mostly short, often about where a backchannel ends, now and then long."""
    return 1 + byte % 30 if byte < 80 else 15 + byte if byte < 170 else 100 + (byte - 170) * 6


def spoken_words(drawn: list[tuple[int, ...]]) -> tuple[Span | None, ...]:
    """Words from (skip, length, timed): many touch, some overlap or lie within another, one in ten has no times."""
    words: list[Span | None] = []
    at = 0
    for skip, long, timed in drawn:
        start = max(0, at + (0 if skip < 90 else skip - 120 if skip < 120 else (skip - 120) * 2))
        at = start + long // 3
        words.append(None if timed % 10 == 9 else (start, at))
    return tuple(words)


@st.composite
def talks(draw: st.DrawFn, most: int = 25) -> Talk:
    """A side: stretches of speech, and words that need not agree with them."""
    vad = laid([(pause(gap), stretch(length)) for gap, length in draw(chunks(most, 2))])
    words = spoken_words(draw(chunks(2 * most, 3)))
    return Talk(vad, words, (vad[-1][1] if vad else 0) + draw(st.integers(0, 50)))


@st.composite
def pairs(draw: st.DrawFn, most: int = 20) -> tuple[Talk, Talk]:
    """Two sides that mostly take turns, with overlaps, backchannels and silences."""
    sides: tuple[list[Span], list[Span]] = ([], [])
    last = [-1, -1]
    at = 0
    for kind, step, gap, long in draw(chunks(most, 4)):
        who = kind & 1
        start = max(0, last[who] + 1, at + (step - 60 if step < 180 else 4 * (step - 210)))
        for _ in range(1 + kind // 2 % 3):
            sides[who].append((start, start + stretch(long)))
            last[who] = start + stretch(long)
            start = last[who] + 5 + gap % 56
        at = last[who]
    length = max(*last, 0) + 10
    ours, theirs = (Talk(tuple(vad), spoken_words(draw(chunks(2 * most, 3))), length) for vad in sides)
    return ours, theirs


def lengths(low: float, high: float) -> st.SearchStrategy[float]:
    """Lengths in seconds on the grid."""
    return st.integers(round(low * TICKS), round(high * TICKS)).map(lambda ticks: ticks / TICKS)


@st.composite
def settings(draw: st.DrawFn) -> Settings:
    """Settings that keep every order `Settings` asks for; the short ones and the defaults among them."""
    known = draw(st.sampled_from([None, None, SHORT, SHORT, Settings()]))
    if known:
        return replace(known, context_after=draw(st.booleans()))
    tail, close, most = sorted(draw(st.tuples(lengths(0.01, 4), lengths(0.01, 6), lengths(0.01, 8))))
    context = sorted(draw(st.tuples(lengths(0.01, 1.5), lengths(0.01, 3))))
    target = sorted(draw(st.tuples(lengths(0.01, 1.5), lengths(0.01, 4))))
    return Settings(
        merge_gap_s=draw(lengths(0, 0.5)),
        backchannel_s=draw(lengths(0, 0.4)),
        joining_silence_s=draw(lengths(0, 0.5)),
        single_close_s=close,
        single_most_s=most,
        single_tail_s=tail,
        context_least_s=context[0],
        context_most_s=context[1],
        target_least_s=target[0],
        target_most_s=target[1],
        switch_gap_s=draw(lengths(0, 3)),
        switch_overlap_s=draw(lengths(0, min(context[0], target[0]) - 0.01)),
        context_after=draw(st.booleans()),
    )


def said(talk: Talk, rate: int = TICKS) -> list[Span]:
    """The VAD in samples."""
    scale = rate // TICKS
    return [(start * scale, end * scale) for start, end in talk.vad]


def covered(vad: list[Span], spans: list[Span]) -> int:
    """VAD time in spans, the long way round."""
    return sum(max(0, min(end, stop) - max(start, begin)) for begin, stop in vad for start, end in spans)


def ordered(spans: tuple[Span, ...] | list[Span]) -> bool:
    """Whether spans are non-empty, in order and disjoint."""
    bounds = [bound for span in spans for bound in span]
    return bounds == sorted(bounds) and all(start < end for start, end in spans)
