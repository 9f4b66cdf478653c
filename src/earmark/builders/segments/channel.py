"""A channel: one speaker's voice activity and words on a time line of native samples, its IPUs, and where to cut them.

An inter-pausal unit (IPU) is VAD merged over gaps shorter than 0.30 s; one shorter than 0.20 s is a backchannel. Active
speech is VAD time within spans: there is no second threshold inside a clip. Speech is cut only where no word is split: in the
middle of a word gap or, where the transcript has none, in the middle of a VAD gap that no timed word spans.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from earmark.builders.segments.clips import Clip, Drop, Reason, Span
from earmark.builders.segments.settings import Limits, Settings, samples
from earmark.builders.segments.words import Word, Words


class Vad(NamedTuple):
    """Voice activity on a time line; sums of it are exact.

    Attributes:
        starts: Starts of the intervals, native samples, ascending.
        ends: Their ends.
        before: VAD time before each start.
    """

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    before: tuple[int, ...]

    def until(self, sample: int) -> int:
        """VAD time before this sample."""
        at = bisect_right(self.starts, sample) - 1
        if at < 0:
            return 0
        end = self.ends[at]
        return self.before[at] + (sample if sample < end else end) - self.starts[at]

    def active(self, spans: Iterable[Span]) -> int:
        """VAD time in the spans."""
        total = 0
        for start, end in spans:
            total += self.until(end) - self.until(start)
        return total


@dataclass(frozen=True, slots=True)
class Channel:
    """One speaker's side of a conversation, ready to be segmented.

    Args:
        settings: Where clips begin and end.
        limits: The same in native samples.
        rate: Native sampling rate, Hz.
        frames: Length of the file, native samples.
        vad: Voice activity.
        words: The transcript; None where the corpus has none.
        ipus: IPUs that are no backchannels, in order.
        backchannels: The other IPUs.
        cuts: Where speech may be cut, ascending.
    """

    settings: Settings
    limits: Limits
    rate: int
    frames: int
    vad: Vad
    words: Words | None
    ipus: tuple[Span, ...]
    backchannels: tuple[Span, ...]
    cuts: tuple[int, ...]

    @classmethod
    def of(
        cls, vad: Sequence[tuple[float, float]], words: Sequence[Word], *, rate: int, frames: int, settings: Settings
    ) -> Channel:
        """Put a channel on its time line.

        Args:
            vad: Voice activity as (start, end) in seconds, sorted, merged and within the file. Every time becomes the
                nearest sample, halves up; an interval without a sample is none.
            words: The transcript in the corpus's order, empty where there is none.
            rate: Native sampling rate, Hz.
            frames: Length of the file, native samples.
            settings: Where clips begin and end.

        Raises:
            ValueError: If an interval is reversed, overlaps the one before or runs out of the file, or the rate is no rate.
        """
        if rate <= 0:
            raise ValueError(f"a sampling rate is more than 0 Hz, not {rate}")
        limits = settings.at(rate)
        intervals: list[Span] = []
        reached = 0
        for seconds in vad:
            start, end = samples(seconds[0], rate), samples(seconds[1], rate)
            if not reached <= start <= end <= frames:
                raise ValueError(
                    f"VAD {seconds} s overlaps the interval before or is not within the file of {frames / rate} s"
                )
            if start < end:
                intervals.append((start, end))
                reached = end
        script = Words.of(words, rate) if words else None
        ipus, pauses = _merged(intervals, limits.merge_gap)
        split = script.splits if script else lambda _: False
        return cls(
            settings=settings,
            limits=limits,
            rate=rate,
            frames=frames,
            vad=_summed(intervals),
            words=script,
            ipus=tuple(span for span in ipus if span[1] - span[0] >= limits.backchannel),
            backchannels=tuple(span for span in ipus if span[1] - span[0] < limits.backchannel),
            cuts=tuple(sorted({*(script.cuts if script else ()), *(at for at in pauses if not split(at))})),
        )

    def clip(self, spans: Sequence[Span]) -> Clip:
        """The recipe for these spans."""
        text = None if self.words is None else " ".join(self.words.within(spans))
        return Clip(tuple(spans), self.limits.joining_silence, self.rate, self.vad.active(spans), text)

    def drop(self, reason: Reason, spans: Sequence[Span]) -> Drop:
        """The record that these spans are in no target."""
        return Drop(reason, tuple(spans), self.vad.active(spans) / self.rate)

    def last_cut(self, span: Span, most: int) -> int:
        """Where to end a span that may have `most` samples of active speech: its end, its last cut that fits, or its start."""
        start, end = span
        until = self.vad.until
        allowed = until(start) + most
        if until(end) <= allowed:
            return end
        low, high = self._cuts_within(span)
        at = bisect_right(self.cuts, allowed, low, high, key=until) - 1
        return self.cuts[at] if at >= low else start

    def first_cut(self, span: Span, most: int) -> int:
        """Where to begin a span that may have `most` samples of active speech: its start, its first cut that fits, or its end."""
        start, end = span
        until = self.vad.until
        needed = until(end) - most
        if until(start) >= needed:
            return start
        low, high = self._cuts_within(span)
        at = bisect_left(self.cuts, needed, low, high, key=until)
        return self.cuts[at] if at < high else end

    def next_cut(self, span: Span) -> int:
        """Where the first stretch of a span ends that cannot be cut, the silence behind it included."""
        low, high = self._cuts_within(span)
        first = self.cuts[low] if low < high else span[1]
        return self.last_cut(span, self.vad.active([(span[0], first)]))

    def _cuts_within(self, span: Span) -> tuple[int, int]:
        """The cuts strictly within a span, as a range of indices."""
        return bisect_right(self.cuts, span[0]), bisect_left(self.cuts, span[1])


def _merged(intervals: Sequence[Span], gap: int) -> tuple[list[Span], list[int]]:
    """Intervals merged over gaps shorter than `gap`, and the middles of the gaps that were merged over."""
    merged: list[Span] = []
    middles: list[int] = []
    for start, end in intervals:
        if merged and start - merged[-1][1] < gap:
            first, reached = merged[-1]
            if start > reached:
                middles.append((reached + start) // 2)
            merged[-1] = (first, end)
        else:
            merged.append((start, end))
    return merged, middles


def _summed(intervals: Sequence[Span]) -> Vad:
    """Intervals with the VAD time before each."""
    before, total = [], 0
    for start, end in intervals:
        before.append(total)
        total += end - start
    return Vad(tuple(start for start, _ in intervals), tuple(end for _, end in intervals), tuple(before))
