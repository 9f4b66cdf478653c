"""The printed figures, typed once more."""

from __future__ import annotations

from collections import Counter

import pytest

from earmark.scoring.papers.stancebench.prose import ALL_JUDGES, BEST, PRINTED, QWEN, QWEN_WORDS

AUROC_RANGES = {
    "S0": (0.66, 0.81), "S1": (0.87, 0.96), "S2": (0.85, 0.94), "S3": (0.73, 0.88), "S4": (0.50, 0.72),
    "S5": (0.76, 0.92), "S6": (0.67, 0.73), "S7": (0.56, 0.86), "S8": (0.62, 0.84),
}  # fmt: skip
NAMED = {
    ("auroc", "S0"): {"Qwen": 0.66, "Kimi": 0.79, "gpt": 0.81},
    ("auroc", "S1"): {"granite": 0.87, "Gemini": 0.96},
    ("auroc", "S2"): {"granite": 0.85, "gpt": 0.94},
    ("auroc", "S3"): {"gpt": 0.88},
    ("auroc", "S4"): {"Qwen": 0.64, "granite": 0.50, "gpt": 0.72},
    ("auroc", "S5"): {"Kimi": 0.87, "Gemini": 0.76, "gpt": 0.92},
    ("auroc", "S6"): {"Kimi": 0.73, "granite": 0.73},
    ("auroc", "S7"): {"Qwen": 0.56, "gpt": 0.79, "Gemini": 0.86},
    ("auroc", "S8"): {"Qwen": 0.62},
    ("eer", "S0"): {"Kimi": 0.23},
    ("eer", "S1"): {"Gemini": 0.06},
    ("eer", "S7"): {"Gemini": 0.23},
    ("pole_consistency", "S0"): {"Kimi": 0.77},
    ("pole_consistency", "S6"): {"granite": 0.64},
    ("failure_rate", "S3"): {"Kimi": 0.44},
    ("order_disagreement", "S0"): {"Kimi": 0.19},
    ("order_disagreement", "S3"): {"Qwen": 0.01},
    ("order_disagreement", "S4"): {"granite": 0.29, "Kimi": 0.17},
    ("order_disagreement", "S5"): {"Qwen": 0.01},
    ("order_disagreement", "S7"): {"gpt": 0.18},
    ("order_disagreement", "S8"): {"Qwen": 0.22},
}
ABLATION = {
    ("auroc", "S0"): (0.74, 0.69), ("auroc", "S1"): (0.85, 0.82), ("auroc", "S2"): (0.91, 0.87),
    ("auroc", "S4"): (0.71, 0.63), ("auroc", "S5"): (0.73, 0.70), ("auroc", "S6"): (0.68, 0.65),
    ("auroc", "S7"): (0.56, 0.54), ("auroc", "S8"): (0.62, 0.67), ("eer", "S8"): (0.46, 0.38),
    ("human_spearman", "S0"): (0.81, 0.24),
}  # fmt: skip


def test_ranges_over_judges() -> None:
    ranges = {one.facet: (one.low, one.high) for one in PRINTED if (one.metric, one.judge) == ("auroc", ALL_JUDGES)}
    assert ranges == AUROC_RANGES


@pytest.mark.parametrize(("metric", "facet"), NAMED)
def test_figures_beside_a_name(metric: str, facet: str) -> None:
    found = {
        one.judge.split("-")[0].split("2")[0]: one.low
        for one in PRINTED
        if (one.metric, one.facet) == (metric, facet) and one.judge != ALL_JUDGES and "ablation" not in one.place
    }
    assert found == NAMED[metric, facet]


def test_ablation() -> None:
    found: dict[tuple[str, str | None], dict[str, float | None]] = {}
    for one in PRINTED:
        if "ablation" in one.place:
            found.setdefault((one.metric, one.facet), {})[one.judge] = one.low
    assert {place: (pair[QWEN], pair[QWEN_WORDS]) for place, pair in found.items()} == ABLATION


def test_named_figures_lie_in_their_range_and_the_best_at_its_top() -> None:
    for one in PRINTED:
        if one.metric == "auroc" and one.facet is not None and "ablation" not in one.place:
            low, high = AUROC_RANGES[one.facet]
            assert one.low is not None
            assert low <= one.low <= high
            if one.note == BEST:
                assert one.low == high


def test_failure_ranges_and_all_nine_human_ranges() -> None:
    failures = {one.judge.split("-")[0]: (one.low, one.high) for one in PRINTED if one.facet is None}
    assert failures == {
        "gpt": (0.0, 0.005),
        "Gemini": (0.0, 0.02),
        "granite": (0.0, 0.05),
        "Qwen2.5": (0.03, 0.30),
        "Kimi": (0.01, 0.44),
    }
    human = [one for one in PRINTED if one.metric == "human_spearman" and one.judge == ALL_JUDGES]
    assert [one.facet for one in human] == [f"S{n}" for n in range(9)]
    assert (human[5].low, human[5].high) == (-0.003, 0.40)


def test_everything_has_a_place_and_stands_once() -> None:
    assert all(one.place.startswith(("results, ", "ablation, ")) for one in PRINTED)
    assert max(Counter((one.metric, one.facet, one.judge, one.place) for one in PRINTED).values()) == 1
    assert all(one.low is None or one.high is None or one.low <= one.high for one in PRINTED)
