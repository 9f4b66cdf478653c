"""Rows to try the statistics on, and the slow twin of every replicate: the rows themselves, repeated."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable

    from earmark.statistics.statistic import Bools, Floats, Ints, Statistic


class Rows(NamedTuple):
    """Scored rows of two classes in clusters, and a few weightings of the clusters."""

    score: Floats
    label: Bools
    cluster: Ints
    clusters: int
    weights: Floats

    def columns(self) -> tuple[Floats, Bools, Ints, int]:
        return self.score, self.label, self.cluster, self.clusters


@st.composite
def rows(draw: st.DrawFn, max_rows: int = 30, max_clusters: int = 6) -> Rows:
    """Few or many ties, empty clusters, missing classes, no rows at all; scores are multiples of 1/8 or of 1/4096 in [−1, 1]."""
    n = draw(st.integers(0, max_rows))
    clusters = draw(st.integers(1, max_clusters))
    steps = draw(st.sampled_from([4, 8, 4096]))
    score = np.array(draw(st.lists(st.integers(-steps, steps), min_size=n, max_size=n)), np.float64) / steps
    label = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)), np.bool_)
    cluster = np.array(draw(st.lists(st.integers(0, clusters - 1), min_size=n, max_size=n)), np.int64)
    weight = st.lists(st.integers(0, 3), min_size=clusters, max_size=clusters)
    weights = np.array(draw(st.lists(weight, min_size=1, max_size=4)), np.float64)
    return Rows(score, label, cluster, clusters, weights)


def repeated(cluster: Ints, weight: Floats) -> Ints:
    """Indices of the rows, each as often as its cluster is drawn."""
    return np.repeat(np.arange(cluster.size), weight[cluster].astype(int))


def check_against_twin(
    statistic: Statistic, of_sample: Callable[[Ints], float | None], given: Rows, tolerance: float = 1e-12
) -> None:
    """Value and replicates equal `of_sample` of the indices of the explicitly repeated rows (None: undefined)."""
    everything = of_sample(np.arange(given.cluster.size))
    assert (statistic.value() is None) == (everything is None)
    assert (statistic.reason() is None) == (everything is not None)
    if everything is not None:
        np.testing.assert_allclose(statistic.value(), everything, rtol=0, atol=tolerance)
    expected = [of_sample(repeated(given.cluster, weight)) for weight in given.weights]
    fast = statistic.replicates(given.weights)
    assert fast.shape == (len(given.weights),)
    np.testing.assert_allclose(fast, [np.nan if e is None else e for e in expected], rtol=0, atol=tolerance)
