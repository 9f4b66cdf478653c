"""The scale of each metric that Earmark's families have: the values it can take, and which end is better.

A figure outside its scale did not come of marking. A metric of somebody else's family has no scale here and is only held to be
a number.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from earmark.scoring.norms import CEILING, FLOOR


class Better(StrEnum):
    """Which end of a scale is the better one."""

    HIGH = "high"
    LOW = "low"
    NEITHER = "neither"


@dataclass(frozen=True)
class Scale:
    """What a metric can be.

    Args:
        low: Least value.
        high: Greatest value.
        better: Which end is better.
    """

    low: float
    high: float
    better: Better = Better.HIGH

    def holds(self, value: float) -> bool:
        """Whether a value lies on it, give or take the six digits of a report."""
        return self.low - _ROUNDING <= value <= self.high + _ROUNDING


_ROUNDING = 1e-5
_SHARE, _RATE, _NEUTRAL = Scale(0, 1), Scale(0, 1, Better.LOW), Scale(0, 1, Better.NEITHER)
_SIGNED = Scale(-1, 1, Better.NEITHER)
_CORRELATION = Scale(-1, 1)
_AMOUNT = Scale(0, float("inf"), Better.NEITHER)
"""What calls take and cost is reported and never ranks, so that it has no better end here."""

_SCALES = {
    **dict.fromkeys(
        (
            "acc_1", "acc_2", "acc_2_given_right", "acc_2_given_wrong", "acc_all", "acc_traj", "accuracy", "accuracy_a",
            "accuracy_b", "accuracy_both_bad", "accuracy_both_good", "accuracy_cross", "accuracy_micro", "accuracy_non_tie",
            "accuracy_non_tie_cross", "accuracy_non_tie_same", "accuracy_rated", "accuracy_same", "accuracy_tie",
            "accuracy_tie_cross", "accuracy_tie_same", "auroc", "balanced_accuracy", "class_balanced_accuracy", "consistency",
            "consistent_accuracy", "f1_at_zero", "oracle_f1", "pole_consistency", "recall_negative", "recall_positive",
            "swap_consistency", "swap_consistency_1", "swap_consistency_2", "tie_f1", "tie_precision", "tie_recall",
            "vote_accuracy", "vote_accuracy_by_order", "vote_accuracy_equal_is_tie",
        ),
        _SHARE,
    ),
    **dict.fromkeys(
        ("eer", "eer_nearest_vertex", "failure_rate", "letter_stickiness", "order_disagreement", "pole_overlap"), _RATE
    ),
    **dict.fromkeys(
        (
            "cost_coverage", "detectable_difference", "f1_always_positive", "human_accuracy", "human_accuracy_non_tie",
            "human_accuracy_tie", "human_coverage", "human_vote_accuracy", "latency_coverage", "order_disagreement_coverage",
            "position_share", "rater_exact", "rater_sign", "swap_coverage", "tie_share_a", "tie_share_b", "tokens_coverage",
        ),
        _NEUTRAL,
    ),
    **dict.fromkeys(
        (
            "context_loss", "flattening", "flattening_level", "history_gap", "human_gap", "human_kappa", "kind_gap",
            "oracle_f1_gain", "pole_shift", "position_gap", "position_gap_non_tie", "rater_spearman",
            "rater_spearman_weighted", "transcript_gap", "transcript_gap_non_tie", "transcript_gap_tie",
        ),
        _SIGNED,
    ),
    **dict.fromkeys(
        (
            "cost_per_100_calls", "cost_per_100_items", "latency_mean", "latency_median", "latency_p95",
            "output_tokens_per_second",
        ),
        _AMOUNT,
    ),
    "human_spearman": _CORRELATION,
    "seq": Scale(float(FLOOR), float(CEILING)),
}  # fmt: skip
_VARIANTS = ("_valid_only", "_vote")


def scale_of(metric: str) -> Scale | None:
    """The scale of a metric, None where it is open or unknown here.

    >>> scale_of("eer_valid_only")
    Scale(low=0, high=1, better=<Better.LOW: 'low'>)
    >>> scale_of("accuracy_z") is None
    True
    """
    for variant in _VARIANTS:
        metric = metric.removesuffix(variant)
    return _SCALES.get(metric)
