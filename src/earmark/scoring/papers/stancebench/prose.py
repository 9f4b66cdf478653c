"""The figures in StanceBench's prose. Its result tables were never published with the code, so this is all that is printed.

A range is over the judges of one dimension, or over the dimensions of one judge. The AUROCs of GPT that are marked so are not
printed beside its name: the paper calls it the best judge of five dimensions, and the upper end of a range is the best judge's.
"""

from __future__ import annotations

from earmark.scoring.papers.records import Printed

ALL_JUDGES = "all judges"
QWEN, KIMI, GRANITE, GPT, GEMINI = (
    "Qwen2.5-Omni-7B",
    "Kimi-Audio-7B-Instruct",
    "granite-speech-3.3-8b",
    "gpt-audio",
    "Gemini-2.5-Flash",
)
QWEN_WORDS = "Qwen2.5-Omni-7B, transcripts only"

OUTPUT = "results, reliability of structured output"
ORDER = "results, pole-order sensitivity"
COMMERCIAL = "results, commercial judges"
OPEN = "results, open-weight judges and the cascade"
ABLATION_SINGLE = "ablation, category 1"
ABLATION_INTERACTION = "ablation, category 2"

BEST = "inferred: named the best judge of this dimension"
MATCHED = "over the clips that both versions of Qwen answered"

_AUROC_AND_HUMAN = {
    "S0": ((0.66, 0.81), (0.53, 0.80)),
    "S1": ((0.87, 0.96), (0.56, 0.97)),
    "S2": ((0.85, 0.94), (0.52, 0.90)),
    "S3": ((0.73, 0.88), (0.47, 0.69)),
    "S4": ((0.50, 0.72), (0.08, 0.88)),
    "S5": ((0.76, 0.92), (-0.003, 0.40)),
    "S6": ((0.67, 0.73), (0.40, 0.85)),
    "S7": ((0.56, 0.86), (0.29, 0.82)),
    "S8": ((0.62, 0.84), (0.56, 0.97)),
}


def _of_dimension(facet: str) -> str:
    return f"results, {facet}"


def _one(metric: str, facet: str, judge: str, value: float, place: str, note: str = "") -> Printed:
    return Printed(metric, facet, judge, value, value, place, note)


def _ranges() -> list[Printed]:
    """What is printed of each dimension over all judges."""
    found = []
    for facet, (auroc, human) in _AUROC_AND_HUMAN.items():
        found.append(Printed("auroc", facet, ALL_JUDGES, *auroc, _of_dimension(facet)))
        found.append(Printed("human_spearman", facet, ALL_JUDGES, *human, _of_dimension(facet)))
    found += [
        Printed(metric, facet, ALL_JUDGES, low, high, _of_dimension(facet))
        for metric, facet, low, high in (
            ("eer", "S1", 0.06, None),
            ("order_disagreement", "S4", None, 0.29),
            ("pole_consistency", "S5", 0.76, 0.88),
            ("oracle_f1", "S5", 0.82, 0.89),
            ("pole_consistency", "S6", 0.37, 0.64),
            ("pole_consistency", "S8", 0.43, 0.70),
            ("oracle_f1", "S8", 0.58, 0.69),
            ("order_disagreement", "S8", None, 0.22),
        )
    ]
    return found


def _judges() -> list[Printed]:
    """What is printed of a judge."""
    failures = ((GPT, 0.0, 0.005), (GEMINI, 0.0, 0.02), (GRANITE, 0.0, 0.05), (QWEN, 0.03, 0.30), (KIMI, 0.01, 0.44))
    return [
        *(Printed("failure_rate", None, judge, low, high, OUTPUT) for judge, low, high in failures),
        _one("failure_rate", "S3", KIMI, 0.44, OUTPUT),
        _one("order_disagreement", "S3", QWEN, 0.01, ORDER),
        _one("order_disagreement", "S5", QWEN, 0.01, ORDER),
        _one("order_disagreement", "S8", QWEN, 0.22, ORDER),
        _one("order_disagreement", "S4", GRANITE, 0.29, ORDER),
        _one("order_disagreement", "S7", GPT, 0.18, ORDER),
        *(
            _one("auroc", facet, GPT, _AUROC_AND_HUMAN[facet][0][1], COMMERCIAL, BEST)
            for facet in ("S0", "S2", "S3", "S4", "S5")
        ),
        _one("auroc", "S7", GPT, 0.79, COMMERCIAL),
        _one("auroc", "S1", GEMINI, 0.96, COMMERCIAL),
        _one("eer", "S1", GEMINI, 0.06, COMMERCIAL),
        _one("auroc", "S5", GEMINI, 0.76, COMMERCIAL),
        _one("auroc", "S7", GEMINI, 0.86, COMMERCIAL),
        _one("eer", "S7", GEMINI, 0.23, COMMERCIAL),
        *(
            _one("auroc", facet, QWEN, value, OPEN)
            for facet, value in (("S0", 0.66), ("S4", 0.64), ("S7", 0.56), ("S8", 0.62))
        ),
        _one("pole_consistency", "S0", KIMI, 0.77, OPEN),
        _one("eer", "S0", KIMI, 0.23, OPEN),
        _one("order_disagreement", "S0", KIMI, 0.19, OPEN),
        _one("order_disagreement", "S4", KIMI, 0.17, OPEN),
        *(_one("auroc", facet, KIMI, value, OPEN) for facet, value in (("S0", 0.79), ("S5", 0.87), ("S6", 0.73))),
        *(
            _one("auroc", facet, GRANITE, value, OPEN)
            for facet, value in (("S1", 0.87), ("S2", 0.85), ("S4", 0.50), ("S6", 0.73))
        ),
        _one("pole_consistency", "S6", GRANITE, 0.64, OPEN),
    ]


def _ablation() -> list[Printed]:
    """Qwen with audio, and with transcripts alone."""
    found = []
    for metric, facet, heard, read, place in (
        ("auroc", "S0", 0.74, 0.69, ABLATION_SINGLE),
        ("auroc", "S1", 0.85, 0.82, ABLATION_SINGLE),
        ("auroc", "S2", 0.91, 0.87, ABLATION_SINGLE),
        ("auroc", "S4", 0.71, 0.63, ABLATION_SINGLE),
        ("auroc", "S5", 0.73, 0.70, ABLATION_SINGLE),
        ("human_spearman", "S0", 0.81, 0.24, ABLATION_SINGLE),
        ("auroc", "S6", 0.68, 0.65, ABLATION_INTERACTION),
        ("auroc", "S7", 0.56, 0.54, ABLATION_INTERACTION),
        ("auroc", "S8", 0.62, 0.67, ABLATION_INTERACTION),
        ("eer", "S8", 0.46, 0.38, ABLATION_INTERACTION),
    ):
        found.append(_one(metric, facet, QWEN, heard, place, MATCHED))
        found.append(_one(metric, facet, QWEN_WORDS, read, place, MATCHED))
    return found


PRINTED = tuple(
    sorted(
        (*_ranges(), *_judges(), *_ablation()),
        key=lambda one: (one.facet or "", one.metric, one.judge != ALL_JUDGES, one.judge, one.place),
    )
)
"""Every figure in the prose, by dimension; ranges over dimensions first."""

CAVEAT = (
    "The paper's accuracies are over the speakers that its filters leave, which differ from judge to judge, and its row "
    "intersection alone moves the same judge's AUROC by up to 0.08 (S0: 0.66 among all judges, 0.74 in the ablation). Only the "
    "figures of a report's paper mode are taken in the same way; the others are shown with a star."
)
