"""A whole stance report at the size of the corpus's published selection: nine dimensions, every figure, both intervals.

`pytest benchmarks/test_report.py --benchmark-only -s` prints time and memory, and fails where they exceed what is promised.
The time promised is held against the processor's, which is nearly the same on a busy machine: the work is done by one thread.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from earmark.scoring.decisions import Decisions, Owed
from earmark.scoring.measuring import Options, measure
from earmark.scoring.stance.figures import LADDERS, figures
from earmark.scoring.stance.gold import Gold
from earmark.scoring.stance.marks import mark

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

CONVERSATIONS, SPEAKERS, PROMPTS, FACETS, ROLES, ITEMS = 2_431, 484, 538, 9, 68, 5_000
ORDERS = ("PN", "NP")
REPLICATES = 10_000
MOST_SECONDS, MOST_MEGABYTES = 10.0, 500.0
TIMES, MOST_GROWTH = 10, 11.5
MOST_SECONDS_OF_TIMES, MOST_MEGABYTES_OF_TIMES = 30.0, 2000.0


def gold(times: int = 1, seed: int = 0) -> Gold:
    """One judged speaker per conversation and dimension, roles dealt evenly, two items for most; so many times as many of all."""
    rng = np.random.default_rng(seed)
    conversations, items = CONVERSATIONS * times, ITEMS * times
    conversation = np.arange(conversations)
    speaker = rng.integers(0, SPEAKERS * times, conversations)
    prompt = rng.integers(0, PROMPTS * times, conversations)
    role = rng.integers(0, ROLES, conversations)
    facet = role % FACETS
    unit = np.sort(np.append(conversation, rng.integers(0, conversations, items - conversations)))
    return Gold(
        items=tuple(f"i{n:05d}" for n in range(items)),
        unit=unit,
        facet=np.char.add("S", facet.astype(np.str_)),
        positive=role // FACETS % 2 == 0,
        role=np.char.add("role ", role.astype(np.str_)),
        levels={"speaker": speaker, "conversation": conversation, "prompt": prompt, "unit": conversation},
    )


def decisions(asked: Gold, seed: int = 1) -> Decisions:
    """A judge that hears something, whose probabilities have two decimals, and that fails once in fifty times."""
    rng = np.random.default_rng(seed)
    item = np.repeat(np.arange(len(asked.items)), len(ORDERS))
    heard = rng.normal(size=len(asked.positive)) + asked.positive - 0.5
    score = heard[asked.unit[item]] + 0.5 * rng.normal(size=item.size)
    failed = rng.random(item.size) < 0.02
    return Decisions(
        owed=Owed(
            "both-orders",
            tuple(f"p{n:05d}" for n in range(item.size)),
            tuple(asked.items[n] for n in item),
            ORDERS * len(asked.items),
        ),
        presentation=np.arange(item.size),
        run=np.zeros(item.size, np.int64),
        outcome=np.where(failed, 2, 0),
        choice=np.where(failed, -1, np.where(score > 0, 0, 1)),
        probability=np.where(failed, np.nan, np.round(1 / (1 + np.exp(-np.abs(score))), 2)),
        choices=("P", "N"),
    )


def report(replicates: int = REPLICATES, times: int = 1) -> int:
    """Marks and figures of one submission; how many figures there are."""
    asked = gold(times)
    return len(measure(figures(mark(asked, decisions(asked))), LADDERS, Options(resamples=replicates)))


def test_nine_dimensions(benchmark: BenchmarkFixture) -> None:
    processor = []

    def timed() -> int:
        begun = time.process_time()
        count = report()
        processor.append(time.process_time() - begun)
        return count

    count = benchmark.pedantic(timed, rounds=3)
    benchmark.extra_info.update(figures=count, processor=min(processor))
    print(f"\n{count} figures in {benchmark.stats.stats.min:.1f} s, {min(processor):.1f} s of processor time")
    assert count > 600
    assert min(processor) < MOST_SECONDS


def test_growth(benchmark: BenchmarkFixture) -> None:
    """Ten times the presentations, speakers and prompts, and ten times the replicates; ratios of one run, least of two rounds."""

    def seconds(replicates: int, times: int) -> float:
        begun = time.process_time()
        assert report(replicates, times) > 600
        return time.process_time() - begun

    def least(replicates: int, times: int) -> float:
        return min(seconds(replicates, times) for _ in range(2))

    small, large = least(REPLICATES, 1), benchmark.pedantic(least, (REPLICATES, TIMES), rounds=1)
    few = least(REPLICATES // 10, TIMES)
    presentations = len(ORDERS) * ITEMS * TIMES
    print(
        f"\n{presentations:,} presentations, B = {REPLICATES:,}: {large:.1f} s, {large / small:.1f} times {small:.1f} s"
    )
    print(f"of a tenth of them, {large / few:.1f} times {few:.1f} s of a tenth of the replicates")
    benchmark.extra_info.update(small=small, large=large, few=few)
    assert large / small < MOST_GROWTH
    assert large / few < MOST_GROWTH
    assert large < MOST_SECONDS_OF_TIMES


PEAK = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import test_report
def peak():
    return next(int(line.split()[1]) // 1024 for line in Path("/proc/self/status").open() if line.startswith("VmHWM"))
before = peak()
test_report.report(times=int(sys.argv[2]))
print(before, peak())
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc, which is Linux's")
@pytest.mark.parametrize(("times", "most"), [(1, MOST_MEGABYTES), (TIMES, MOST_MEGABYTES_OF_TIMES)])
def test_memory(benchmark: BenchmarkFixture, times: int, most: float) -> None:
    def peak() -> tuple[int, ...]:
        command = [sys.executable, "-c", PEAK, str(Path(__file__).parent), str(times)]
        run = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 (our own interpreter)
        return tuple(map(int, run.stdout.split()))

    before, after = benchmark.pedantic(peak, rounds=1)
    print(f"\n{after} MB at the peak, {before} MB of them imports")
    assert after < most
