"""Figures and their intervals: explicit resamples, the ladder of units, Holm over facets, and nothing from elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from earmark.manifests.report import OVERALL, MetricEntry
from earmark.scoring.measuring import FEWEST_CLUSTERS, Figure, Ladder, Numbering, Options, Part, Shared, measure
from earmark.statistics.intervals import BIASED
from earmark.statistics.quantiles import Column, Quantile
from earmark.statistics.rates import Ratio
from earmark.statistics.significance import holm
from earmark.statistics.weights import cluster_weights

Codes = NDArray[np.int64]
LADDERS: tuple[Ladder, ...] = (("speaker", "unit"), ("prompt", "conversation", "unit"))


def ratio(
    values: Sequence[float],
    facet: str = "A",
    metric: str = "share",
    chance: float | None = None,
    **levels: Sequence[int],
) -> Figure:
    """The mean of values over rows of which each is a unit and, unless said otherwise, its own speaker and prompt."""
    each = np.arange(len(values))
    every = {name: np.array(levels.get(name, each), np.int64) for name in ("speaker", "prompt", "conversation", "unit")}
    return Figure(metric, facet, (Part(every, partial(Ratio.of_rows, np.array(values, np.float64))),), chance=chance)


def one(figure: Figure, resamples: int = 50) -> MetricEntry:
    [entry] = measure([figure], LADDERS, Options(resamples=resamples))
    return entry


@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(-8, 8)), min_size=30, max_size=80),
    st.integers(0, 2**32),
    st.sampled_from([0.5, 0.95]),
)
@example(
    rows=[*[(0, 0)] * 7, *[(speaker, {5: 1, 8: -2, 16: -2}.get(speaker, 0)) for speaker in range(1, 24)]],
    seed=53,
    level=0.5,
)
def test_an_interval_is_that_of_explicit_resamples(rows: list[tuple[int, int]], seed: int, level: float) -> None:
    speakers, values = [speaker for speaker, _ in rows], [value / 8 for _, value in rows]
    figure = ratio(values, speaker=speakers, chance=0.0)
    [entry] = measure([figure], [("speaker",)], Options(resamples=40, seed=seed, level=level))
    distinct = sorted(set(speakers))
    [weights] = cluster_weights(len(distinct), 40, seed)
    draws = []
    for times in weights.astype(int):
        drawn = [s for s, count in zip(distinct, times, strict=True) for _ in range(count)]
        sample = [value for speaker in drawn for s, value in zip(speakers, values, strict=True) if s == speaker]
        draws.append(np.mean(sample))
    [interval] = entry.intervals
    assert entry.value == pytest.approx(np.mean(values))
    assert entry.n == len(values)
    ends = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    if len(distinct) > 1 and not ends[0] - 1e-9 <= np.mean(values) <= ends[1] + 1e-9:
        # Few draws and a low level can miss the value itself; such an interval is withheld, and its p with it.
        assert (interval.low, interval.high, interval.reason, entry.p) == (None, None, BIASED, None)
    elif len(distinct) > 1:
        assert (interval.low, interval.high) == (pytest.approx(ends[0]), pytest.approx(ends[1]))
        beyond = min(sum(d <= 1e-12 for d in draws), sum(d >= -1e-12 for d in draws))
        assert entry.p == pytest.approx(min(1, 2 * (beyond + 1) / 41))
    assert (interval.by, interval.clusters, interval.level, interval.method) == (
        "speaker",
        len(distinct),
        level,
        "percentile",
    )


@pytest.mark.parametrize(
    ("speakers", "by", "reason"),
    [
        (FEWEST_CLUSTERS, "speaker", None),
        (FEWEST_CLUSTERS + 1, "speaker", None),
        (FEWEST_CLUSTERS - 1, "unit", "conditional on 19 speakers"),
        (1, "unit", "conditional on 1 speaker"),
    ],
)
def test_below_twenty_speakers_a_figure_is_conditional_on_them(speakers: int, by: str, reason: str | None) -> None:
    entry = one(ratio([0.0, 1.0] * 30, speaker=[n % speakers for n in range(60)]))
    interval, _ = entry.intervals
    assert (interval.by, interval.reason) == (by, reason)
    assert interval.clusters == (60 if by == "unit" else speakers)
    assert interval.low is not None


def test_a_ladder_is_climbed_down_one_rung_at_a_time() -> None:
    by_prompt = {"prompt": [n % 5 for n in range(60)]}
    entry = one(ratio([0.0, 1.0] * 30, **by_prompt, conversation=[n % 25 for n in range(60)]))
    assert (entry.intervals[1].by, entry.intervals[1].clusters) == ("conversation", 25)
    assert entry.intervals[1].reason == "conditional on 5 prompts"
    entry = one(ratio([0.0, 1.0] * 30, **by_prompt, conversation=[n % 19 for n in range(60)]))
    assert (entry.intervals[1].by, entry.intervals[1].clusters) == ("unit", 60)
    assert entry.intervals[1].reason == "conditional on 5 prompts"


def test_too_few_of_everything_resamples_the_last_rung() -> None:
    interval, _ = one(ratio([0.0, 1.0, 1.0])).intervals
    assert (interval.by, interval.clusters, interval.reason) == ("unit", 3, "conditional on 3 speakers")
    assert interval.low is not None


def test_what_cannot_be_resampled_says_so() -> None:
    interval, _ = one(ratio([1.0])).intervals
    assert (interval.low, interval.high) == (None, None)
    assert interval.reason == "all rows are in one cluster: there is nothing to resample"


def test_the_undefined_is_null_with_a_reason() -> None:
    entry = one(ratio([], chance=0.5))
    assert (entry.value, entry.n, entry.reason, entry.p, entry.p_adjusted) == (None, 0, "no rows", None, None)
    assert [(i.by, i.clusters, i.low, i.high, i.reason) for i in entry.intervals] == [
        ("unit", 0, None, None, "no rows")
    ] * 2


def test_a_figure_without_rows_stands_beside_others_that_have_some() -> None:
    full, empty = ratio([0.0, 1.0] * 30, metric="full"), ratio([], metric="empty")
    measured = measure([full, empty], LADDERS, Options(resamples=50))
    assert [entry.value for entry in measured] == [0.5, None]
    assert measured[0] == one(full)
    assert measured[1] == one(empty)


def test_p_is_against_chance_by_the_first_ladder() -> None:
    # All of a prompt's rows are alike, so that by prompt the figure is less certain.
    figure = ratio([1.0] * 38 + [0.0] * 22, chance=0.5, prompt=[n // 2 for n in range(60)])
    assert one(replace(figure, chance=None)).p is None
    entry = one(figure, resamples=999)
    assert entry.chance == 0.5
    by_speaker, by_prompt = (measure([figure], [ladder], Options(resamples=999))[0].p for ladder in LADDERS)
    assert by_speaker is not None
    assert by_prompt is not None
    assert by_speaker < by_prompt
    assert entry.p == by_speaker
    sure = one(ratio([1.0] * 50 + [0.0] * 10, chance=0.5), resamples=999)
    assert sure.p == pytest.approx(2 / 1000)  # no replicate comes near one half


def test_holm_is_over_the_facets_of_one_metric_and_slice() -> None:
    rng = np.random.default_rng(0)
    chances = {"A": 0.5, "B": 0.62, "C": 0.8}
    shares = {facet: (rng.random(60) < chance).astype(float).tolist() for facet, chance in chances.items()}
    figures = [ratio(values, facet, chance=0.5) for facet, values in shares.items()]
    others = [
        ratio([0.0, 1.0] * 30, OVERALL, chance=0.5),
        ratio([1.0, 1.0, 0.0] * 20, "A", metric="other", chance=0.5),
        replace(ratio([1.0, 1.0, 0.0] * 20, "A", chance=0.5), slice="role:x"),
        ratio([], "D", chance=0.5),
        ratio([0.0, 1.0] * 30, "B", metric="free"),
    ]
    measured = measure([*figures, *others], LADDERS, Options(resamples=400))
    raw = [entry.p for entry in measured[:3]]
    assert [entry.p_adjusted for entry in measured[:3]] == holm(raw)
    assert [entry.p_adjusted for entry in measured[:3]] != raw
    overall, other, sliced, undefined, free = measured[3:]
    assert (overall.p is not None, overall.p_adjusted) == (True, None)
    assert other.p_adjusted == other.p
    assert sliced.p_adjusted == sliced.p
    assert (undefined.p, undefined.p_adjusted) == (None, None)
    assert (free.p, free.p_adjusted) == (None, None)


def test_a_facet_s_rows_change_nothing_elsewhere() -> None:
    rng = np.random.default_rng(1)
    values, speakers = rng.random(80).tolist(), rng.integers(0, 40, 80).tolist()
    a = ratio(values, "A", speaker=speakers)
    b = ratio(
        [1.0, 0.0] * 40, "B", speaker=[100 + n % 7 for n in range(80)], prompt=range(40, 120), unit=range(40, 120)
    )
    alone, beside = one(a), measure([b, a], LADDERS, Options(resamples=50))[1]
    assert beside == alone


def test_a_figure_s_draws_do_not_depend_on_which_others_need_its_unit() -> None:
    """Two figures of few speakers: resampling units, either is as it is without the other."""
    wide = ratio([0.0, 1.0] * 40)
    few = {"speaker": [n % 5 for n in range(10)], "unit": range(10)}
    narrow = ratio([1.0, 0.0, 0.0, 1.0, 1.0] * 2, metric="narrow", **few)
    third = ratio([1.0, 0.0] * 5, metric="third", speaker=[n % 4 for n in range(10)], unit=range(60, 70))
    together = measure([wide, narrow, third], LADDERS, Options(resamples=50))
    assert measure([wide, narrow], LADDERS, Options(resamples=50)) == together[:2]


def test_a_mean_of_parts_is_over_all_their_clusters() -> None:
    a, b = (
        ratio([1.0] * 15, "A"),
        ratio([0.0] * 45, "B", speaker=range(100, 145), prompt=range(100, 145), unit=range(100, 145)),
    )
    entry = one(Figure("share", OVERALL, (*a.parts, *b.parts)))
    assert (entry.value, entry.n) == (0.5, 60)
    assert entry.intervals[0].clusters == 60
    assert (entry.intervals[0].low, entry.intervals[0].high) == (0.5, 0.5)  # either part is all one value


def test_options_are_kept() -> None:
    options = Options()
    assert (options.resamples, options.seed, options.level) == (2000, 0, 0.95)
    figure = ratio(np.random.default_rng(2).random(60).tolist())
    same, other = (measure([figure], LADDERS, Options(resamples=50, seed=seed)) for seed in (0, 1))
    assert same != other
    assert same[0].value == other[0].value


def test_what_is_shared_is_made_once_for_rows_that_are_numbered_alike() -> None:
    made: list[int] = []
    values = np.arange(40.0)

    def column(codes: Codes, clusters: int) -> Column:
        made.append(clusters)
        return Column.of_rows(values, codes, clusters)

    shared = Shared(column)
    levels = {name: np.arange(40) for name in ("speaker", "prompt", "conversation", "unit")}
    quartiles = [Figure(f"q{q}", "A", (Part(levels, shared.into(partial(Quantile, q=q))),)) for q in (0.25, 0.5, 0.75)]
    measured = measure(quartiles, LADDERS, Options(resamples=50))
    assert made == [40, 40]  # once for each way of resampling
    for figure, entry, q in zip(quartiles, measured, (0.25, 0.5, 0.75), strict=True):
        alone = Figure(figure.metric, "A", (Part(levels, lambda codes, n, q=q: Quantile.of_rows(values, codes, n, q)),))
        assert entry == one(alone)


def test_what_is_shared_is_made_afresh_for_another_numbering() -> None:
    values = np.array([3.0, 1.0, 2.0])
    shared = Shared(lambda codes, clusters: Column.of_rows(values, codes, clusters))
    make = shared.into(partial(Quantile, q=0.0))
    first = make(np.array([0, 1, 2]), 3)
    second = make(np.array([0, 0, 1]), 2)
    assert (first.support.size, second.support.size) == (3, 2)
    assert first.replicates(np.array([[0.0, 0.0, 1.0]])).tolist() == [2.0]
    assert second.replicates(np.array([[1.0, 0.0]])).tolist() == [1.0]


ROOT = Path(__file__).resolve().parents[2]

SCRIPT = """
from tests.scoring.measuring.test_measure import ratio
import numpy as np
from earmark.scoring.measuring import Options, measure
rng = np.random.default_rng(0)
figures = [ratio(rng.random(60).tolist(), facet, metric, 0.5) for facet in "AB" for metric in "xy"]
print(measure(figures, [("speaker", "unit"), ("prompt", "unit")], Options(resamples=50)))
"""


def test_processes_agree() -> None:
    def run(hash_seed: str) -> str:
        env = {**os.environ, "PYTHONHASHSEED": hash_seed}
        return subprocess.run(
            [sys.executable, "-c", SCRIPT], env=env, check=True, capture_output=True, text=True
        ).stdout

    first = run("1")
    assert "MetricEntry" in first
    assert run("2") == first


def test_a_part_that_picks_its_rows_counts_those_alone() -> None:
    """Two figures share what is made of all rows; each is over its own, and so are its number of rows and its ladder."""
    speakers, picked = np.arange(60) % 30, np.arange(60) % 30 < 6
    levels = {"speaker": speakers, "unit": np.arange(60)}
    values = np.where(np.arange(60) % 2 == 0, 1.0, 0.0) * picked

    def make(cluster: Codes, clusters: int) -> Ratio:
        whole, part = (np.bincount(cluster, weights=w, minlength=clusters) for w in (values, picked.astype(float)))
        return Ratio(whole, part)

    apart = {name: codes[picked] for name, codes in levels.items()}
    shared = Figure("share", "A", (Part(levels, make, picked),))
    alone = Figure("share", "A", (Part(apart, partial(Ratio.of_rows, values[picked])),))
    everything = Figure("rows", "A", (Part(levels, partial(Ratio.of_rows, np.ones(60))),))
    ladders = (("speaker", "unit"),)
    one, _ = measure([shared, everything], ladders, Options(resamples=50))
    other, _ = measure([alone, everything], ladders, Options(resamples=50))
    assert one == other
    assert (one.n, one.intervals[0].by, one.intervals[0].reason) == (12, "unit", "conditional on 6 speakers")


def test_draws_may_be_another_s_and_say_what_they_are_conditional_on() -> None:
    class Twice(Numbering):
        """Every cluster comes twice, whatever is drawn."""

        numbers_level = False
        condition = "nothing at all"

        def weights(self, options: Options) -> list[NDArray[np.float64]]:
            return [np.full((options.resamples, self.clusters), 2.0)]

    figure = ratio([0.0, 1.0, 1.0, 1.0] * 10)
    [entry] = measure([figure], [("speaker",)], Options(resamples=7), number=Twice)
    [interval] = entry.intervals
    assert (interval.low, interval.high, interval.clusters) == (0.75, 0.75, 40)
    assert interval.reason == "conditional on nothing at all"
