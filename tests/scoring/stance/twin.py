"""The slow, obviously right twin of the stance marks: exact fractions, dictionaries of lists, the words of the definitions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from math import ceil, floor

from tests.scoring.stance.studies import Said, Study, Unit

from earmark.scoring.decisions import Outcome

Value = Fraction | None
QUANTILES = {"score_q05": "0.05", "score_q25": "0.25", "score_median": "0.5", "score_q75": "0.75", "score_q95": "0.95"}


def mean(values: Iterable[Fraction | int | bool | None]) -> Value:
    """The mean; None of nothing."""
    every = [Fraction(value) for value in values if value is not None]
    return sum(every, Fraction(0)) / len(every) if every else None


def signed(said: Said) -> Fraction:
    """s(2p − 1), p = 1 where none is stated."""
    p = Fraction(1) if said.probability is None else Fraction(str(said.probability))
    return (1 if said.choice == "P" else -1) * (2 * p - 1)


def unit_scores(study: Study, *, valid_only: bool) -> dict[int, Fraction]:
    """Runs averaged within presentations, those within items, those within units; worst for what is not ok, or left out."""
    runs: dict[int, list[Said]] = defaultdict(list)
    for said in study.said:
        runs[said.presentation].append(said)
    of_item: dict[int, list[Fraction]] = defaultdict(list)
    for presentation, item in enumerate(study.presentations()):
        worst = Fraction(-1 if study.units[study.items()[item]].positive else 1)
        given = [signed(said) if said.outcome == Outcome.OK else None for said in runs[presentation]] or [None]
        if valid_only:
            scores = [score for score in given if score is not None]
        else:
            scores = [worst if score is None else score for score in given]
        if scores:
            of_item[item].append(sum(scores, Fraction(0)) / len(scores))
    of_unit: dict[int, list[Fraction]] = defaultdict(list)
    for item, scores in of_item.items():
        of_unit[study.items()[item]].append(sum(scores, Fraction(0)) / len(scores))
    return {unit: sum(scores, Fraction(0)) / len(scores) for unit, scores in of_unit.items()}


def right(score: Fraction, unit: Unit) -> bool:
    """Whether the score has the sign of the pole; 0 has none."""
    return score > 0 if unit.positive else score < 0


def quantile(scores: list[Fraction], q: str) -> Value:
    """The least score that a share q of the scores does not exceed."""
    return sorted(scores)[max(1, ceil(Fraction(q) * len(scores))) - 1] if scores else None


def cell(score: Fraction) -> int:
    """Which of twenty equal parts of [−1, 1]."""
    return min(19, floor((score + 1) * 10))


def separation(study: Study, facet: str, *, valid_only: bool) -> dict[str, Value]:
    """How well the scores tell the poles apart, but for what scikit-learn is asked."""
    scores = {
        unit: score
        for unit, score in unit_scores(study, valid_only=valid_only).items()
        if study.units[unit].facet == facet
    }
    poles: dict[bool, list[Fraction]] = {
        pole: [score for unit, score in scores.items() if study.units[unit].positive == pole] for pole in (True, False)
    }
    hits = {pole: mean(score > 0 if pole else score < 0 for score in poles[pole]) for pole in poles}
    both = bool(poles[True] and poles[False])
    told = min(len(poles[True]), len(poles[False])) >= 20  # as many as cells
    called = [unit for unit, score in scores.items() if score > 0]
    true = [unit for unit in called if study.units[unit].positive]
    shares = {pole: [mean(cell(score) == n for score in poles[pole]) for n in range(20)] for pole in poles}
    return {
        "balanced_accuracy": mean([hits[True], hits[False]]) if both else None,
        "pole_consistency": mean(right(score, study.units[unit]) for unit, score in scores.items()),
        "recall_positive": hits[True],
        "recall_negative": hits[False],
        "f1_always_positive": (
            Fraction(2 * len(poles[True]), len(poles[True]) + len(scores)) if scores else None  # 2π / (1 + π)
        ),
        "auroc": mean(
            Fraction(1 if p > n else 0) if p != n else Fraction(1, 2) for p in poles[True] for n in poles[False]
        ),
        "f1_at_zero": (
            Fraction(2 * len(true), len(called) + len(poles[True])) if len(called) + len(poles[True]) else None
        ),
        "pole_shift": mean([mean(poles[True]), mean(poles[False])]) if both else None,
        "pole_overlap": sum((min(p, n) for p, n in zip(*shares.values(), strict=True)), Fraction(0)) if told else None,
    }


def agreement(study: Study, facet: str | None) -> dict[str, Value]:
    """Order disagreement with its coverage, and the failure rate."""
    answered: dict[tuple[int, int], list[str]] = defaultdict(list)
    for said in study.said:
        if said.outcome == Outcome.OK:
            answered[study.presentations()[said.presentation], said.run].append(said.choice)
    shares, items, failures = [], 0, []
    for item, unit in enumerate(study.items()):
        if facet not in (None, study.units[unit].facet):
            continue
        items += 1
        orders = study.presentations().count(item)
        whole = [choices for (of, _), choices in answered.items() if of == item and len(choices) == orders > 1]
        if whole:
            shares.append(mean(len(set(choices)) > 1 for choices in whole))
    for presentation, item in enumerate(study.presentations()):
        if facet in (None, study.units[study.items()[item]].facet):
            runs = [said.outcome for said in study.said if said.presentation == presentation]
            failures.append(not runs or any(outcome != Outcome.OK for outcome in runs))
    return {
        "order_disagreement": mean(shares),
        "order_disagreement_coverage": Fraction(len(shares), items),
        "failure_rate": mean(failures),
    }


def spread(study: Study, facet: str) -> dict[tuple[str, str], Value]:
    """Quantiles of unit scores by pole and by role."""
    scores = unit_scores(study, valid_only=False)
    here = {unit: study.units[unit] for unit in scores if study.units[unit].facet == facet}
    slices = {
        f"pole:{'P' if pole else 'N'}": [n for n, unit in here.items() if unit.positive == pole]
        for pole in (True, False)
    }
    for role in {unit.role for unit in here.values()}:
        slices[f"role:{role}"] = [n for n, unit in here.items() if unit.role == role]
    return {
        (metric, name): quantile([scores[unit] for unit in units], q)
        for name, units in slices.items()
        for metric, q in QUANTILES.items()
    }


def expected(study: Study) -> dict[tuple[str, str, str], Value]:
    """Every figure that needs no outside implementation, by metric, facet and slice."""
    every: dict[tuple[str, str, str], Value] = {}
    facets = sorted({unit.facet for unit in study.units})
    for facet in facets:
        for suffix in ("", "_valid_only"):
            for metric, value in separation(study, facet, valid_only=bool(suffix)).items():
                every[metric + suffix, facet, "all"] = value
        every |= {(metric, facet, "all"): value for metric, value in agreement(study, facet).items()}
        every |= {(metric, facet, name): value for (metric, name), value in spread(study, facet).items()}
    every |= {(metric, "overall", "all"): value for metric, value in agreement(study, None).items()}
    for metric in (
        name + suffix for suffix in ("", "_valid_only") for name in separation(study, facets[0], valid_only=False)
    ):
        parts = [every[metric, facet, "all"] for facet in facets]
        every[metric, "overall", "all"] = None if None in parts else mean(part for part in parts if part is not None)
    return every
