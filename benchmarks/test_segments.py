"""Segmentation of as many conversations as the stance family samples: 2,431 of five minutes, from VAD and words to clips.

One thread computes and nothing is read, so the clock is processor time: it is the same on a busy machine.
"""

from __future__ import annotations

import random
import time
from itertools import cycle, islice
from typing import TYPE_CHECKING, NamedTuple

import pytest

from earmark.builders.segments import Channel, Settings, interactions, singles

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_benchmark.fixture import BenchmarkFixture

CONVERSATIONS = 2_431
DISTINCT = 200
SECONDS = 300.0
RATE = 48_000
SETTINGS = Settings()


class Token(NamedTuple):
    """A word of a transcript."""

    text: str
    start: float | None
    end: float | None


class Talk(NamedTuple):
    """One side: VAD in seconds and words."""

    vad: list[tuple[float, float]]
    words: list[Token]


def conversation(seed: int) -> tuple[Talk, Talk]:
    """Five minutes of about 80 turns: 3 s a turn in stretches of about 1 s, 0.2 s between turns, three words a second."""
    rng = random.Random(seed)  # noqa: S311 (a benchmark's input, not a secret)
    sides = (Talk([], []), Talk([], []))
    at, who = 0.5, 0
    while at < SECONDS - 12:
        talk = sides[who]
        until = at + min(10.0, rng.expovariate(1 / 3))
        while at < until:
            start = max(at, talk.vad[-1][1] + 0.05 if talk.vad else 0.0)
            at = round(start + rng.uniform(0.1, 1.8), 2)
            talk.vad.append((round(start, 2), at))
            talk.words.extend(spoken(rng, start, at))
            at += rng.choice((0.08, 0.15, 0.25, 0.4, 0.7))
        at = max(0.0, at + rng.gauss(-0.1, 0.3))
        who = 1 - who
    return sides


def spoken(rng: random.Random, start: float, end: float) -> Iterator[Token]:
    """Words that fill a stretch, one in fifty without times."""
    while start + 0.1 < end:
        stop = min(end, start + rng.uniform(0.1, 0.5))
        yield Token("word", start, stop) if rng.random() > 0.02 else Token("word", None, None)
        start = stop + rng.choice((0.0, 0.02, 0.06))


def segmented(talks: tuple[Talk, Talk]) -> tuple[int, int, float, float]:
    """Both sides of one conversation: single clips, interactions, and the seconds of speech in the targets of each."""
    a, b = (
        Channel.of(talk.vad, talk.words, rate=RATE, frames=int(RATE * SECONDS), settings=SETTINGS) for talk in talks
    )
    alone = [item.target.active_s for side in (a, b) for item in singles(side).items]
    switched = [item.target.active_s for sides in ((a, b), (b, a)) for item in interactions(*sides).items]
    return len(alone), len(switched), sum(alone), sum(switched)


@pytest.mark.benchmark(timer=time.process_time)
def test_segments_of_all_conversations(benchmark: BenchmarkFixture) -> None:
    talks = [conversation(seed) for seed in range(DISTINCT)]
    many = list(islice(cycle(talks), CONVERSATIONS))
    made = benchmark.pedantic(lambda: [segmented(pair) for pair in many], rounds=3, iterations=1)
    alone, switched, alone_s, switched_s = (sum(column) for column in zip(*made, strict=True))
    spoken_s = sum(end - start for pair in many for talk in pair for start, end in talk.vad)
    each = {
        "VAD intervals": sum(len(talk.vad) for pair in many for talk in pair),
        "words": sum(len(talk.words) for pair in many for talk in pair),
        "single clips": alone,
        "interactions": switched,
    }
    benchmark.extra_info |= {
        f"{name} per conversation": round(count / CONVERSATIONS, 1) for name, count in each.items()
    }
    benchmark.extra_info |= {
        "share of speech in single clips": round(alone_s / spoken_s, 3),
        "share of speech in interaction targets": round(switched_s / spoken_s, 3),
    }
    print(benchmark.extra_info)
    assert alone > CONVERSATIONS
    assert switched > CONVERSATIONS
