"""A whole report on pairs at the size of ParaPairAudioBench: five criteria, both orders, every figure with its dyadic interval.

`pytest benchmarks/test_pairs_marking.py --benchmark-only -s` prints the time and fails where it exceeds what is promised, held
against the processor's clock: the work is done by one thread. Beside it stands a plain loop that draws speakers, clips within
them and with both the pairs, for one figure of each criterion.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from earmark.scoring.decisions import Decisions, Owed
from earmark.scoring.measuring import Options
from earmark.scoring.pairs import evaluate_marked
from earmark.scoring.pairs.gold import Gold
from earmark.scoring.pairs.marks import mark
from earmark.statistics.dyads import Dyads

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

SIZES = {"style": (720, 720), "rate": (375, 0), "emphasis": (415, 445), "age": (750, 750), "gender": (500, 500)}
"""Pairs with a preferred clip and ties, per criterion: 5,175."""
SPEAKERS = {"style": 4, "rate": 6, "emphasis": 4, "age": 572, "gender": 644}
CLIPS = {"style": 495, "rate": 180, "emphasis": 77, "age": 2_600, "gender": 1_800}
REPLICATES, FEWER = 10_000, 50
MOST_SECONDS = 5.0


def gold(seed: int = 0) -> Gold:
    """Pairs of clips drawn at random, with the corpora's numbers of speakers and clips."""
    rng = np.random.default_rng(seed)
    facet, right, kind, clip, speaker = [], [], [], [], []
    for at, (name, (non_tie, tie)) in enumerate(SIZES.items()):
        pairs = non_tie + tie
        owner = np.sort(rng.integers(0, SPEAKERS[name], CLIPS[name]))
        drawn = np.array([rng.choice(CLIPS[name], 2, replace=False) for _ in range(pairs)])
        facet += [name] * pairs
        right += [*rng.integers(0, 2, non_tie).tolist(), *[2] * tie]
        kind += [*["non_tie"] * non_tie, *rng.choice(["both_good", "both_bad"], tie).tolist()]
        clip.append(drawn + at * 10_000)
        speaker.append(owner[drawn] + at * 1_000)
    every, who = np.concatenate(clip), np.concatenate(speaker)
    count = len(facet)
    return Gold(
        items=tuple(f"i{n:05d}" for n in range(count)),
        facet=np.array(facet),
        gold=np.array(right),
        kind=np.array(kind),
        transcript=rng.choice(["same", "cross"], count),
        speakers=np.where(who[:, 0] == who[:, 1], "same", "different"),
        sex=rng.choice(["female", "male", "mixed"], count),
        variant=np.where(rng.random(count) < 0.1, "hard", "main"),
        clip=every,
        speaker=who,
        offered={f"p{n:05d}": frozenset(("A", "B", "Tie")) for n in range(2 * count)},
    )


def decisions(asked: Gold, seed: int = 1) -> Decisions:
    """A judge that is right half of the time and else says anything, and that fails once in fifty times."""
    rng = np.random.default_rng(seed)
    item = np.repeat(np.arange(len(asked.items)), 2)
    stored = np.tile([True, False], len(asked.items))
    perfect = np.where(asked.gold[item] == 2, 2, (asked.gold[item] == 0) != stored)
    choice = np.where(rng.random(item.size) < 0.5, perfect, rng.integers(0, 3, item.size))
    failed = rng.random(item.size) < 0.02
    return Decisions(
        owed=Owed(
            "both-orders",
            tuple(f"p{n:05d}" for n in range(item.size)),
            tuple(asked.items[n] for n in item),
            ("12", "21") * len(asked.items),
        ),
        presentation=np.arange(item.size),
        run=np.zeros(item.size, np.int64),
        outcome=np.where(failed, 2, 0),
        choice=np.where(failed, -1, choice),
        probability=np.full(item.size, np.nan),
        choices=("A", "B", "Tie"),
    )


def loop(asked: Gold, right: np.ndarray, replicates: int) -> int:
    """The same draws for one figure of each criterion, a replicate at a time in plain NumPy; how many values were had."""
    rng = np.random.default_rng(0)
    values = 0
    for name in SIZES:
        here = asked.facet == name
        dyads = Dyads.of(asked.clip[here], asked.speaker[here])
        (one, other), many = dyads.clip.T, np.bincount(dyads.speaker)
        who, whom = dyads.speaker[one], dyads.speaker[other]
        for _ in range(replicates):
            times = np.bincount(rng.integers(0, len(many), len(many)), minlength=len(many))
            drawn = np.concatenate([np.bincount(rng.integers(0, m, m), minlength=m) for m in many])
            weight = (
                times[who]
                * np.where(who == whom, 1, times[whom])
                * drawn[one]
                * np.where(one == other, 1, drawn[other])
            )
            values += bool(np.isfinite(np.average(right[here], weights=weight))) if weight.any() else 0
    return values


def test_marking(benchmark: BenchmarkFixture) -> None:
    asked = gold()
    said = decisions(asked)
    processor = []

    def timed() -> int:
        begun = time.process_time()
        count = len(evaluate_marked(mark(asked, said), Options(resamples=REPLICATES)))
        processor.append(time.process_time() - begun)
        return count

    count = benchmark.pedantic(timed, rounds=3)
    begun = time.process_time()
    assert loop(asked, mark(asked, said).right, FEWER) > 0
    slow = (time.process_time() - begun) * REPLICATES / FEWER
    benchmark.extra_info.update(figures=count, processor=min(processor), loop=slow)
    print(
        f"\n{count} figures: {min(processor):.2f} s; a loop for 5 of them: {slow:.0f} s, scaled from {FEWER} replicates"
    )
    assert count > 400
    assert min(processor) < MOST_SECONDS
