"""Speaker-clustered AUROC intervals beside other ways to get them, and a whole report's worth of statistics.

Peers run fewer replicates and are scaled to a thousand; every one of their replicates costs the same. A ratio is the
peer's time over ours, both taken in the same run; `pytest benchmarks/test_intervals.py --benchmark-only -s` prints it,
and fails where it falls short of what the README promises.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from earmark.statistics.intervals import Statistic, intervals
from earmark.statistics.quantiles import Quantile
from earmark.statistics.ranking import Auroc, EerInterpolated, EerNearest, OracleF1, Overlap
from earmark.statistics.rates import MeanOfRatios, Ratio, f1

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray
    from pytest_benchmark.fixture import BenchmarkFixture

REPLICATES = 1000
SPEAKERS = 484


class Scores(NamedTuple):
    """Untied scores in (−1, 1) of two equally frequent classes, with an effect of the speaker."""

    score: NDArray[np.float64]
    label: NDArray[np.bool_]
    speaker: NDArray[np.int64]


def scores(n: int, seed: int = 0) -> Scores:
    rng = np.random.default_rng(seed)
    speaker = rng.integers(0, SPEAKERS, n)
    label = rng.random(n) < 0.5
    return Scores(np.tanh(rng.normal(size=n) + label + 0.5 * rng.normal(size=SPEAKERS)[speaker]), label, speaker)


def ours(rows: Scores) -> None:
    auroc = Auroc.of_rows(rows.score, rows.label, rows.speaker, SPEAKERS)
    intervals({"auroc": auroc}, clusters=SPEAKERS, replicates=REPLICATES, seed=0)


def package(rows: Scores, replicates: int) -> None:
    """The package's own bootstrap over conditions; it also resamples the rows of each."""
    from confidence_intervals import Bootstrap

    Bootstrap(replicates, roc_auc_score).run(rows.score, rows.label, rows.speaker)


def loop(rows: Scores, replicates: int) -> None:
    """As fast as a loop over scikit-learn gets: the rows of each speaker are looked up once."""
    rng = np.random.default_rng(0)
    members = np.split(np.argsort(rows.speaker), np.cumsum(np.bincount(rows.speaker, minlength=SPEAKERS))[:-1])
    for _ in range(replicates):
        drawn = np.concatenate([members[speaker] for speaker in rng.integers(0, SPEAKERS, SPEAKERS)])
        roc_auc_score(rows.label[drawn], rows.score[drawn])


@pytest.mark.parametrize(
    ("n", "peer", "replicates", "promised"),
    [
        pytest.param(2_431, package, 10, 500, id="2431 rows beside confidence-intervals"),
        pytest.param(2_431, loop, 100, 40, id="2431 rows beside a scikit-learn loop"),
        pytest.param(100_000, loop, 20, 40, id="100000 rows beside a scikit-learn loop"),
    ],
)
def test_auroc(
    benchmark: BenchmarkFixture, n: int, peer: Callable[[Scores, int], None], replicates: int, promised: float
) -> None:
    if peer is package:
        pytest.importorskip("confidence_intervals", reason="pip install confidence-intervals")
    rows = scores(n)
    benchmark.pedantic(ours, (rows,), rounds=7, warmup_rounds=1)
    peer(rows, 1)
    began = time.perf_counter()
    peer(rows, replicates)
    seconds = (time.perf_counter() - began) / replicates * REPLICATES
    ratio = seconds / benchmark.stats.stats.median
    benchmark.extra_info.update(peer_seconds=seconds, peer_replicates=replicates, ratio=ratio)
    print(
        f"\n{n} rows: {benchmark.stats.stats.median:.3f} s, {peer.__name__} {seconds:.1f} s: {ratio:.0f} times as fast"
    )
    assert ratio >= promised


def nine_dimensions(rows: int) -> dict[str, Statistic]:
    """All that a stance report says of a dimension, nine times."""
    statistics: dict[str, Statistic] = {}
    for dimension in range(9):
        score, label, speaker = scores(rows, seed=dimension)
        columns = score, label, speaker, SPEAKERS
        right = (score > 0) == label
        statistics |= {
            f"{dimension} auroc": Auroc.of_rows(*columns),
            f"{dimension} eer": EerInterpolated.of_rows(*columns),
            f"{dimension} eer, nearest": EerNearest.of_rows(*columns),
            f"{dimension} oracle f1": OracleF1.of_rows(*columns),
            f"{dimension} f1": f1(score > 0, label, speaker, SPEAKERS),
            f"{dimension} overlap": Overlap.of_rows(*columns),
            f"{dimension} shift": MeanOfRatios.of_rows(*columns),
            f"{dimension} balanced": MeanOfRatios.of_rows(right, label, speaker, SPEAKERS),
            f"{dimension} consistency": Ratio.of_rows(right, speaker, SPEAKERS),
        }
        for q in (0.05, 0.25, 0.5, 0.75, 0.95):
            statistics[f"{dimension} P {q}"] = Quantile.of_rows(score[label], speaker[label], SPEAKERS, q)
            statistics[f"{dimension} N {q}"] = Quantile.of_rows(score[~label], speaker[~label], SPEAKERS, q)
    return statistics


def test_nine_dimensions(benchmark: BenchmarkFixture) -> None:
    def report() -> int:
        statistics = nine_dimensions(540)
        return len(intervals(statistics, clusters=SPEAKERS, replicates=10_000, seed=0))

    assert benchmark.pedantic(report, rounds=2) == 9 * 19
    assert benchmark.stats.stats.min < 10
