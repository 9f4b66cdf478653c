"""What statistics share: made once, and never taken for another."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from tests.statistics.rows import Rows, rows

from earmark.statistics.quantiles import Column, Quantile
from earmark.statistics.ranking import Auroc, EerInterpolated, EerNearest, OracleF1, OracleThreshold
from earmark.statistics.roc import Roc
from earmark.statistics.statistic import Latest, Statistic


def test_the_latest_result_is_kept_for_the_same_object_only() -> None:
    asked: list[list[int]] = []
    total = Latest(lambda numbers: asked.append(numbers) or sum(numbers))
    first, equal = [1, 2], [1, 2]
    assert [total(first), total(first)] == [3, 3]
    assert len(asked) == 1
    assert total(equal) == 3
    assert total(first) == 3
    assert [id(numbers) for numbers in asked] == [id(first), id(equal), id(first)]


@given(rows())
def test_statistics_that_share_a_curve_or_a_column_are_those_that_do_not(given: Rows) -> None:
    curve = Roc.of_rows(*given.columns())
    column = Column.of_rows(given.score, given.cluster, given.clusters)
    shared: list[Statistic] = [
        Auroc.of(curve),
        Auroc(curve),
        EerInterpolated(curve),
        EerNearest(curve),
        OracleF1(curve),
        OracleThreshold(curve),
        Quantile(column, 0.25),
        Quantile(column, 0.75),
    ]
    alone: list[Statistic] = [
        *(
            kind.of_rows(*given.columns())
            for kind in (Auroc, Auroc, EerInterpolated, EerNearest, OracleF1, OracleThreshold)
        ),
        *(Quantile.of_rows(given.score, given.cluster, given.clusters, q) for q in (0.25, 0.75)),
    ]
    other = given.weights[::-1] + 1
    for weights in (given.weights, other, given.weights):
        for one, another in zip(shared, alone, strict=True):
            np.testing.assert_allclose(one.replicates(weights), another.replicates(weights.copy()), rtol=1e-14)
