"""BCa against SciPy on the same replicates, and what it must do to a statistic that is turned, shifted or never moves."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import bootstrap
from scipy.stats._resampling import BootstrapResult
from tests.statistics.rows import Rows, rows

from earmark.statistics.bca import Correction
from earmark.statistics.designs import Crossed
from earmark.statistics.intervals import BIASED_BCA, Interval, Statistic, intervals
from earmark.statistics.jackknife import GROUPS
from earmark.statistics.quantiles import Quantile
from earmark.statistics.ranking import Auroc
from earmark.statistics.rates import Ratio
from earmark.statistics.statistic import Floats
from earmark.statistics.weights import cluster_weights


def bca(
    statistic: Statistic, replicates: int = 200, seed: int = 0, level: float = 0.95, null: float | None = None
) -> Interval:
    nulls = None if null is None else {"it": null}
    size = statistic.support.size
    return intervals(
        {"it": statistic}, clusters=size, replicates=replicates, seed=seed, level=level, nulls=nulls, method="bca"
    )["it"]


def scipy_s(statistic: Statistic, draws: Floats, level: float, method: str) -> tuple[float, float]:
    """SciPy's ends, from our replicates and its own jackknife of whole clusters."""
    clusters = statistic.support.size

    def of(sample: Floats) -> float:
        return float(
            statistic.replicates(np.bincount(sample.astype(int), minlength=clusters)[None, :].astype(float))[0]
        )

    known = BootstrapResult(None, draws, None)
    found = bootstrap(
        (np.flatnonzero(statistic.support).astype(float),),
        of,
        n_resamples=0,
        bootstrap_result=known,
        vectorized=False,
        confidence_level=level,
        method=method,
    )
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


@settings(max_examples=15)
@given(rows(max_rows=40, max_clusters=12), st.integers(0, 2**32), st.sampled_from([0.5, 0.9, 0.95]))
def test_the_ends_are_scipy_s_on_the_same_replicates(given: Rows, seed: int, level: float) -> None:
    statistics: list[Statistic] = [
        Ratio.of_rows(given.score, given.cluster, given.clusters),
        Auroc.of_rows(*given.columns()),
    ]
    [weights] = cluster_weights(given.clusters, 200, seed, 200)
    for statistic in statistics:
        interval = bca(statistic, seed=seed, level=level)
        if interval.method != "bca" or interval.low is None or interval.value is None:
            continue
        draws = statistic.replicates(weights)
        draws = draws[~np.isnan(draws)]
        draws[np.abs(draws - interval.value) < 1e-9] = interval.value  # SciPy takes no two sums for equal that are not
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            expected = scipy_s(statistic, draws, level, "BCa")
        np.testing.assert_allclose([interval.low, interval.high], expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("clusters", [7, GROUPS])
def test_scipy_s_ends_of_skewed_means_and_areas(clusters: int) -> None:
    """Nothing is passed over here: both methods, both statistics."""
    rng = np.random.default_rng(clusters)
    cluster = np.concatenate([np.arange(clusters), rng.integers(0, clusters, 3 * clusters)])
    score, label = rng.exponential(size=cluster.size), np.arange(cluster.size) % 2 == 0
    mean = Ratio.of_rows(score, cluster, clusters)
    area = Auroc.of_rows(score + label, label, cluster, clusters)
    [weights] = cluster_weights(clusters, 500, 3, 500)
    for statistic in (mean, area):
        draws = statistic.replicates(weights)
        plain = intervals({"it": statistic}, clusters=clusters, replicates=500, seed=3)["it"]
        moved = bca(statistic, 500, 3)
        assert (plain.method, moved.method, moved.note) == ("percentile", "bca", None)
        np.testing.assert_allclose([plain.low, plain.high], scipy_s(statistic, draws, 0.95, "percentile"), atol=1e-12)
        np.testing.assert_allclose([moved.low, moved.high], scipy_s(statistic, draws, 0.95, "BCa"), atol=1e-9)
        assert (moved.low, moved.high) != (plain.low, plain.high)


@settings(max_examples=25)
@given(
    st.lists(st.integers(-64, 64), min_size=5, max_size=30, unique=True),
    st.sampled_from([-8.0, -1.0, 0.5, 4.0]),
    st.integers(0, 99),
)
def test_a_statistic_that_is_scaled_and_turned_takes_its_interval_along(
    values: list[int], scale: float, seed: int
) -> None:
    def interval(of: Floats, null: float) -> Interval:
        return bca(Ratio.of_rows(of, np.arange(len(of)), len(of)), seed=seed, null=null)

    score = np.array(values, float)
    one, other = interval(score, 3.0), interval(scale * score + 1, 3.0 * scale + 1)
    assert one.method == other.method
    assert (one.low is None) == (other.low is None)
    if one.low is not None and one.high is not None:
        turned = sorted([scale * one.low + 1, scale * one.high + 1])
        # A quantile between two replicates turns exactly; the levels turn but for the last bits.
        np.testing.assert_allclose([other.low, other.high], turned, rtol=0, atol=1e-5 * abs(scale) * 64)
        assert one.p == pytest.approx(other.p, abs=1e-6)


@given(st.floats(-1, 1), st.floats(-0.15, 0.15), st.floats(0.001, 0.999))
def test_levels_are_moved_there_and_back(bias: float, acceleration: float, nominal: float) -> None:
    correction = Correction(bias, acceleration)
    level = correction.level(nominal)
    assume(level is not None and 1e-9 < level < 1 - 1e-9)
    assert level is not None
    assert correction.nominal(level) == pytest.approx(nominal, abs=1e-6)
    assert Correction(0.0, 0.0).level(nominal) == pytest.approx(nominal)


def test_levels_that_nothing_stands_for() -> None:
    steep = Correction(0.0, 0.6)
    assert steep.level(0.975) is None
    assert steep.ends(np.arange(100.0), 0.95) == "its acceleration is too large"
    assert steep.nominal(0.001) == 0
    assert Correction(0.0, -0.6).nominal(0.999) == 1
    assert (steep.nominal(0.0), steep.nominal(1.0)) == (0, 1)


@settings(max_examples=25)
@given(st.lists(st.integers(-20, 20), min_size=8, max_size=30), st.integers(-12, 12), st.integers(0, 99))
def test_p_is_below_a_level_where_the_interval_of_that_level_leaves_the_null_out(
    values: list[int], null: int, seed: int
) -> None:
    mean = Ratio.of_rows(np.array(values, float), np.arange(len(values)), len(values))
    interval = bca(mean, 400, seed, level=0.9, null=float(null))
    if interval.low is None or interval.high is None:
        assert interval.p is None
        return
    assert interval.p is not None
    assert 2 / 401 <= interval.p <= 1
    if interval.low <= null <= interval.high:
        assert interval.p >= 0.1 - 1e-9
    elif interval.method == "bca":
        assert interval.p <= 0.1 + 4 * 2 / 401  # which counts the null among the replicates


def test_where_bca_is_undefined_percentiles_stand_in_and_say_why() -> None:
    never = bca(Ratio.of_rows(np.ones(30), np.arange(30), 30))
    assert (never.low, never.high, never.method) == (1, 1, "percentile")
    assert never.note == "BCa is undefined: the figure is the same without any of its clusters"
    flat = np.repeat([0.0, 1.0, 2.0], 20)
    median = bca(Quantile.of_rows(flat, np.arange(60), 60), null=0.0)
    assert median.method == "percentile"
    assert "BCa is undefined: the figure is the same without any of its clusters; the jackknife's" in str(median.note)
    plain = intervals(
        {"it": Quantile.of_rows(flat, np.arange(60), 60)}, clusters=60, replicates=200, seed=0, nulls={"it": 0.0}
    )["it"]
    assert (median.low, median.high, median.p) == (plain.low, plain.high, plain.p)
    least = bca(Quantile.of_rows(np.arange(30.0), np.arange(30), 30, q=0.0), 400)
    assert least.method in ("percentile", "bca")
    assert least.value == 0


def test_a_value_outside_its_own_bca_interval_has_none() -> None:
    """At a level of 5 % a biased statistic is outside its interval, by either method."""
    rng = np.random.default_rng(0)
    skewed = Ratio.of_rows(rng.exponential(size=12) ** 4, np.arange(12), 12)
    found = [bca(skewed, 300, seed, level=0.01) for seed in range(20)]
    for interval in found:
        assert (interval.low is None) == (interval.reason is not None)
        if interval.low is not None and interval.high is not None and interval.value is not None:
            assert interval.low - 1e-9 <= interval.value <= interval.high + 1e-9
    assert BIASED_BCA in {interval.reason for interval in found}


def test_a_crossed_design_has_a_bca_interval_and_asks_for_its_factors() -> None:
    rng = np.random.default_rng(1)
    who, what = rng.integers(0, 25, 300), rng.integers(0, 22, 300)
    design, cell = Crossed.of_rows(who, what)
    mean = {"it": Ratio.of_rows(rng.exponential(size=300), cell, design.cells)}

    def drawn(**more: object) -> Interval:
        return intervals(
            mean,
            clusters=design.cells,
            replicates=400,
            seed=2,
            weights=design.weights(400, 2),
            **more,  # type: ignore[arg-type]
        )["it"]

    plain, moved = drawn(), drawn(method="bca", factors=design.factors)
    assert (plain.method, moved.method, moved.note) == ("percentile", "bca", None)
    assert moved.low is not None
    assert plain.low is not None
    assert moved.low > plain.low  # a mean of skewed values: the interval moves up
    for wrong in ({"method": "bca"}, {"checked": ["it"]}):
        with pytest.raises(ValueError, match="no factors to leave out"):
            drawn(**wrong)
    with pytest.raises(ValueError, match="method is 'BCa', not"):
        drawn(method="BCa")
