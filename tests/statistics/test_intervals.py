"""The engine: one draw for all statistics, and an honest answer where there is none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.statistics.rows import Rows, repeated, rows

from earmark.statistics.intervals import BIASED, Difference, Interval, Statistic, intervals
from earmark.statistics.quantiles import Quantile
from earmark.statistics.ranking import Auroc, Overlap
from earmark.statistics.rates import MeanOfRatios, Ratio
from earmark.statistics.statistic import Bools, Floats, Mean, in_blocks
from earmark.statistics.weights import cluster_weights


@dataclass(frozen=True)
class Scripted:
    """A statistic whose replicates are known beforehand."""

    draws: Floats
    clusters: int = 3
    supported: int = 3
    at: float = 0.5

    @property
    def support(self) -> Bools:
        return np.arange(self.clusters) < self.supported

    def value(self) -> float | None:
        return self.at

    def reason(self) -> str | None:
        return None

    def replicates(self, weights: Floats) -> Floats:
        return self.draws[: len(weights)]


def scripted(
    draws: Floats, supported: int = 3, level: float = 0.95, null: float | None = None, at: float = 0.5
) -> Interval:
    statistic: Statistic = Scripted(np.asarray(draws, np.float64), supported=supported, at=at)
    nulls = None if null is None else {"it": null}
    return intervals({"it": statistic}, clusters=3, replicates=len(draws), seed=0, level=level, nulls=nulls)["it"]


@given(rows(), st.integers(1, 40), st.integers(0, 2**64 - 1), st.sampled_from([0.5, 0.9, 0.95]))
def test_an_interval_is_the_percentiles_of_explicit_resamples(
    given: Rows, replicates: int, seed: int, level: float
) -> None:
    statistic = Ratio.of_rows(given.score, given.cluster, given.clusters)
    interval = intervals({"m": statistic}, clusters=given.clusters, replicates=replicates, seed=seed, level=level)["m"]
    [weights] = cluster_weights(given.clusters, replicates, seed)
    means = [given.score[s].mean() for weight in weights if (s := repeated(given.cluster, weight)).size]
    assert interval.undefined == replicates - len(means)
    assert interval.clusters == len(set(given.cluster.tolist()))
    assert (interval.level, interval.method) == (level, "percentile")
    if given.score.size:
        assert interval.value == pytest.approx(given.score.mean(), abs=1e-12)
    if interval.clusters >= 2 and replicates - len(means) <= replicates / 100:
        low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
        if low - 1e-9 <= given.score.mean() <= high + 1e-9:
            np.testing.assert_allclose([interval.low, interval.high], [low, high], rtol=0, atol=1e-12)
            assert interval.reason is None
        else:
            assert (interval.low, interval.high, interval.p, interval.reason) == (None, None, None, BIASED)
    else:
        assert (interval.low, interval.high, interval.p) == (None, None, None)
        assert interval.reason


def test_neither_company_nor_blocks_matter() -> None:
    rng = np.random.default_rng(0)
    label, score, cluster = rng.random(3000) < 0.5, rng.normal(size=3000), rng.integers(0, 2000, 3000)
    statistics = {
        "auroc": Auroc.of_rows(score, label, cluster, 2000),
        "median": Quantile.of_rows(score, cluster, 2000),
        "shift": MeanOfRatios.of_rows(score, label, cluster, 2000),
    }
    together = intervals(statistics, clusters=2000, replicates=600, seed=5, nulls={"auroc": 0.5})
    assert list(together) == list(statistics)
    [weights] = cluster_weights(2000, 600, 5, block=600)
    for name, statistic in statistics.items():
        nulls = {"auroc": 0.5} if name == "auroc" else None
        alone = intervals({name: statistic}, clusters=2000, replicates=600, seed=5, nulls=nulls)
        assert alone[name] == together[name]
        low, high = np.quantile(statistic.replicates(weights), [0.025, 0.975])
        assert (together[name].low, together[name].high) == (pytest.approx(low), pytest.approx(high))


def test_one_percent_of_undefined_replicates_is_tolerated() -> None:
    draws = np.linspace(0, 1, 200)
    draws[[3, 7]] = np.nan
    kept = scripted(draws)
    assert (kept.undefined, kept.reason) == (2, None)
    assert [kept.low, kept.high] == pytest.approx(np.nanquantile(draws, [0.025, 0.975]))
    draws[11] = np.nan
    refused = scripted(draws, null=0.5)
    assert refused == Interval(0.5, None, None, 0.95, "percentile", 3, None, "undefined in 3 of 200 replicates", 3)


def test_one_cluster_is_nothing_to_resample() -> None:
    lone = scripted(np.full(10, 0.5), supported=1, null=0.0)
    assert lone == Interval(
        0.5, None, None, 0.95, "percentile", 1, None, "all rows are in one cluster: there is nothing to resample", 0
    )


def test_an_undefined_value_says_why() -> None:
    nothing = Ratio(np.zeros(4), np.zeros(4))
    interval = intervals({"it": nothing}, clusters=4, replicates=10, seed=0)["it"]
    assert interval == Interval(None, None, None, 0.95, "percentile", 0, None, "no rows", 10)


@pytest.mark.parametrize(
    ("null", "p"),
    [
        (0.5, 2 * 1 / 100),  # beyond every replicate
        (99.5, 2 * 1 / 100),
        (1.0, 2 * 2 / 100),  # a replicate equal to the null counts on both sides
        (10.5, 2 * 11 / 100),
        (50.0, 1.0),
    ],
)
def test_p_inverts_the_interval(null: float, p: float) -> None:
    assert scripted(np.arange(1, 100), null=null, at=50).p == pytest.approx(p)


@pytest.mark.parametrize("rounding", [-2e-16, 0.0, 5.5e-17])
def test_p_counts_replicates_that_are_the_null_but_for_rounding_on_both_sides(rounding: float) -> None:
    """As those of two judges that differ in one cluster, where it is not drawn."""
    draws = np.array([0.1] * 60 + [rounding] * 39)
    assert scripted(draws, null=0.0, at=0.1).p == pytest.approx(2 * 40 / 100)


def test_p_is_over_the_defined_replicates() -> None:
    draws = np.arange(1.0, 301)
    draws[:2] = np.nan
    assert scripted(draws, null=0.0, at=150).p == pytest.approx(2 / 299)


@given(
    st.lists(st.integers(-50, 50), min_size=1, max_size=40),
    st.integers(-60, 60),
    st.sampled_from([0.5, 0.9, 0.95]),
    st.sampled_from([None, 0.0]),
)
def test_an_interval_encloses_its_value_or_is_none(draws: list[int], at: int, level: float, null: float | None) -> None:
    """Also with p, and whatever the replicates: they are never told as the uncertainty of a value that they miss."""
    interval = scripted(np.array(draws, float), level=level, null=null, at=at)
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    assert interval.value == at
    if low - 1e-9 <= at <= high + 1e-9:
        assert (interval.low, interval.high, interval.reason) == (low, high, None)
        assert (interval.p is None) == (null is None)
    else:
        assert (interval.low, interval.high, interval.p, interval.reason) == (None, None, None, BIASED)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e6])
def test_rounding_is_no_bias(scale: float) -> None:
    """Replicates that are all the value but for the order of a sum keep their interval."""
    draws = np.full(50, np.nextafter(0.3 * scale, np.inf))
    assert scripted(draws, at=0.3 * scale).low == draws[0]
    assert scripted(draws + 1e-6 * max(1.0, scale), at=0.3 * scale).reason == BIASED


def test_an_overlap_that_resampling_only_lowers_is_without_interval() -> None:
    """Two poles of the very same scores overlap wholly; no draw of them apart does."""
    score, label = np.repeat(np.linspace(-1, 1, 60), 2), np.arange(120) % 2 == 0
    overlap = Overlap.of_rows(score, label, np.arange(120), 120)
    interval = intervals({"it": overlap}, clusters=120, replicates=400, seed=0, nulls={"it": 1.0})["it"]
    assert interval.value == pytest.approx(1)
    assert (interval.low, interval.high, interval.p, interval.reason) == (None, None, None, BIASED)


def test_p_is_about_uniform_under_the_null_and_small_away_from_it() -> None:
    rng = np.random.default_rng(11)
    cluster = np.arange(60)
    ps = []
    for _ in range(200):
        statistic = Ratio.of_rows(rng.normal(size=60), cluster, 60)
        ps.append(intervals({"m": statistic}, clusters=60, replicates=199, seed=1, nulls={"m": 0.0})["m"].p)
    assert 0.02 < np.mean(np.array(ps, float) < 0.05) < 0.10
    away = Ratio.of_rows(rng.normal(1, 1, 60), cluster, 60)
    assert intervals({"m": away}, clusters=60, replicates=999, seed=1, nulls={"m": 0.0})["m"].p == 2 / 1000


@given(rows())
def test_a_difference_is_paired(given: Rows) -> None:
    mean = Ratio.of_rows(given.score, given.cluster, given.clusters)
    shifted = Ratio.of_rows(given.score + 0.25, given.cluster, given.clusters)
    gap = Difference(shifted, mean)
    expected = shifted.replicates(given.weights) - mean.replicates(given.weights)
    np.testing.assert_array_equal(gap.replicates(given.weights), expected)
    assert not np.any(np.abs(expected - 0.25) > 1e-12)
    assert gap.support.tolist() == mean.support.tolist()
    assert gap.reason() == mean.reason()
    assert (gap.value() is None) == (given.score.size == 0)


def test_a_difference_of_unlike_sides() -> None:
    rated, unrated = Ratio(np.ones(2), np.array([1.0, 0.0])), Ratio(np.zeros(2), np.zeros(2))
    gap = Difference(rated, unrated)
    assert (gap.value(), gap.reason(), gap.support.tolist()) == (None, "no rows", [True, True])
    with pytest.raises(ValueError, match="2 clusters cannot be paired with 3"):
        Difference(rated, Ratio(np.ones(3), np.ones(3)))


@given(rows())
def test_a_mean_is_under_the_same_draw(given: Rows) -> None:
    parts = (
        Ratio.of_rows(given.score, given.cluster, given.clusters),
        Auroc.of_rows(*given.columns()),
        Quantile.of_rows(given.score[given.label], given.cluster[given.label], given.clusters),
    )
    mean = Mean(parts)
    expected = np.mean([part.replicates(given.weights) for part in parts], axis=0)
    np.testing.assert_allclose(mean.replicates(given.weights), expected, rtol=0, atol=1e-12)
    assert mean.support.tolist() == parts[0].support.tolist()
    assert mean.reason() == next((f"of one part: {part.reason()}" for part in parts if part.value() is None), None)
    assert (mean.value() is None) == (mean.reason() is not None)


@pytest.mark.parametrize("sizes", [(), (2, 3)])
def test_a_mean_over_unlike_clusters(sizes: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"a mean needs at least one statistic"):
        Mean(tuple(Ratio(np.ones(n), np.ones(n)) for n in sizes))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"replicates": 0}, "replicates is 0, less than 1"),
        ({"level": 1.0}, r"level is 1.0, not in \(0, 1\)"),
        ({"level": 0.0}, r"level is 0.0"),
        ({"clusters": 5}, "m is over 4 clusters, not 5"),
        ({"nulls": {"n": 0.5}}, r"nulls name \['n'\], which are not among the statistics \['m'\]"),
    ],
)
def test_wrong_arguments(options: dict[str, object], message: str) -> None:
    arguments: dict[str, object] = {"clusters": 4, "replicates": 10, "seed": 0, **options}
    with pytest.raises(ValueError, match=message):
        intervals({"m": Ratio(np.ones(4), np.ones(4))}, **arguments)  # type: ignore[arg-type]  # wrong on purpose


def test_blocks_cover_every_replicate_once() -> None:
    weights = np.arange(30.0).reshape(10, 3)
    for width in (1, 2**17, 2**18, 2**20):
        seen = in_blocks(weights, width, lambda counts: counts.sum(axis=1).astype(float))
        np.testing.assert_array_equal(seen, weights.sum(axis=1))
    assert in_blocks(weights[:0], 5, lambda counts: counts.sum(axis=1).astype(float)).shape == (0,)
