"""The notebook's measures against scikit-learn and against its own sweep, value and every replicate."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from sklearn.metrics import accuracy_score, roc_auc_score, roc_curve
from tests.scoring.papers.studies import midpoint_f1
from tests.statistics.rows import Rows, check_against_twin, rows

from earmark.scoring.papers.stancebench.accuracy import ACCURACIES, MidpointF1, accuracy
from earmark.statistics.ranking import OracleF1


@given(rows())
def test_midpoint_f1_is_the_sweep_under_every_weighting(drawn: Rows) -> None:
    def sweep(sample: np.ndarray) -> float | None:
        return midpoint_f1(drawn.score[sample].tolist(), drawn.label[sample].tolist())

    check_against_twin(MidpointF1.of_rows(*drawn.columns()), sweep, drawn)


@given(rows())
def test_midpoint_f1_is_never_above_the_upper_bound(drawn: Rows) -> None:
    ours, bound = MidpointF1.of_rows(*drawn.columns()).value(), OracleF1.of_rows(*drawn.columns()).value()
    assert ours is None or (bound is not None and ours <= bound + 1e-12)


def test_midpoint_f1_misses_what_calling_all_positive_gives() -> None:
    score, positive = np.array([0.1, 0.3, 0.4, 0.5, 0.45]), np.array([True] * 4 + [False])
    assert OracleF1.of_rows(score, positive, np.arange(5), 5).value() == pytest.approx(8 / 9)
    assert accuracy("oracle_f1", score, positive) == pytest.approx(6 / 8)


@given(rows())
def test_the_others_are_scikit_learn_s(drawn: Rows) -> None:
    score, label = drawn.score, drawn.label
    if label.size:
        assert accuracy("pole_consistency", score, label) == pytest.approx(
            accuracy_score(label, np.where(score >= 0, 1, -1) == 1)
        )
    else:
        assert accuracy("pole_consistency", score, label) is None
    if label.all() or not label.any():
        assert accuracy("auroc", score, label) is None
        assert accuracy("eer_nearest_vertex", score, label) is None
        return
    assert accuracy("auroc", score, label) == pytest.approx(roc_auc_score(label, score))
    fpr, tpr, _ = roc_curve(label, score)
    nearest = np.argmin(np.abs(1 - tpr - fpr))
    assert accuracy("eer_nearest_vertex", score, label) == pytest.approx((fpr[nearest] + 1 - tpr[nearest]) / 2)


def test_zero_is_positive() -> None:
    assert accuracy("pole_consistency", np.zeros(3), np.array([True, False, False])) == pytest.approx(1 / 3)


def test_only_auroc_has_a_known_chance() -> None:
    assert {name: chance for name, (_, chance) in ACCURACIES.items() if chance is not None} == {"auroc": 0.5}
