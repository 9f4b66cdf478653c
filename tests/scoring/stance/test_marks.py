"""Stance marks against a twin in exact fractions, against scikit-learn, and against what must hold of any judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, f1_score, roc_auc_score, roc_curve
from tests.scoring.stance.studies import (
    PROBABILITIES,
    Said,
    Study,
    Unit,
    Values,
    decisions_of,
    gold_of,
    studies,
    units,
    values_of,
)
from tests.scoring.stance.twin import expected, unit_scores

from earmark.manifests.report import OVERALL
from earmark.scoring.decisions import Outcome
from earmark.scoring.measuring import Options, measure
from earmark.scoring.stance.figures import GLOSSARY, LADDERS, QUANTILES, figures
from earmark.scoring.stance.gold import Gold
from earmark.scoring.stance.marks import balanced_accuracy, mark

if TYPE_CHECKING:
    from earmark.manifests.report import MetricEntry

SYMMETRIC = (
    "balanced_accuracy",
    "pole_consistency",
    "auroc",
    "eer",
    "order_disagreement",
    "order_disagreement_coverage",
    "failure_rate",
)


def check_equal(one: Values, other: Values) -> None:
    """The same figures with the same values, to rounding."""
    assert one.keys() == other.keys()
    for name, value in one.items():
        assert value == (None if other[name] is None else pytest.approx(other[name], abs=1e-9)), name


def answering(asked: Sequence[Unit], say: Callable[[Unit, int], tuple[str, float | None]]) -> Study:
    """A judge that answers everything, by unit and order."""
    study = Study(tuple(asked), ())
    said, presentation = [], 0
    for unit in asked:
        for orders in unit.orders:
            for order in range(orders):
                said.append(Said(presentation, 0, Outcome.OK, *say(unit, order)))
                presentation += 1
    return study.saying(said)


@given(studies())
def test_every_figure_is_that_of_the_twin_and_what_it_is_of_others(study: Study) -> None:
    """One study is held against all that must be true of its figures, since making it takes as long as each of these."""
    values = values_of(study)
    check_against_the_twin(study, values)
    check_new_figures_by_the_old(values)
    check_headline(study, values)
    check_ranges(values)


def check_against_the_twin(study: Study, values: Values) -> None:
    right = expected(study)
    for name, value in right.items():
        assert values[name] == (None if value is None else pytest.approx(float(value), abs=1e-9)), name
    asked_of_scikit_learn = ("eer", "eer_nearest_vertex", "oracle_f1", "oracle_f1_threshold", "oracle_f1_gain")
    others = {name for name in values if name not in right}
    assert {metric.removesuffix("_valid_only") for metric, *_ in others} == set(asked_of_scikit_learn)


def check_new_figures_by_the_old(values: Values) -> None:
    for (metric, facet, name), value in values.items():
        if not metric.startswith("f1_always_positive") or value is None:
            continue
        suffix = metric.removeprefix("f1_always_positive")
        oracle, accuracy = (values[other + suffix, facet, name] for other in ("oracle_f1", "balanced_accuracy"))
        recalls = [values[f"recall_{pole}{suffix}", facet, name] for pole in ("positive", "negative")]
        assert oracle is None or value <= oracle + 1e-12
        assert (accuracy is None) == (None in recalls)
        if accuracy is not None:
            assert accuracy == pytest.approx(sum(recall or 0 for recall in recalls) / 2)


def check_headline(study: Study, values: Values) -> None:
    """It is the overall figure."""
    value = values["balanced_accuracy", OVERALL, "all"]
    assert balanced_accuracy(mark(gold_of(study), decisions_of(study))) == (
        None if value is None else pytest.approx(value)
    )


def check_ranges(values: Values) -> None:
    """Shares lie in [0, 1] and scores in [-1, 1]; the oracle is an upper bound."""
    for (metric, *_), value in values.items():
        if value is not None:
            signed = metric.startswith(("score_", "pole_shift", "oracle_f1_threshold"))
            assert -signed <= value <= 1, metric
        assert not metric.startswith("oracle_f1_gain") or value is None or value >= -1e-12


@given(st.lists(st.integers(50, 100), min_size=6, max_size=6), st.permutations(range(6)))
def test_equal_scores_of_several_runs_are_ties(percent: list[int], moved: Sequence[int]) -> None:
    """Two units that get the same six answers, in whichever order and run, have one score."""
    asked = [Unit("A", n, 0, 0, positive, "role") for n, positive in enumerate((True, False))]
    given = [(n, percent[n]) for n in range(6)] + [(6 + n, percent[moved[n]]) for n in range(6)]
    said = [Said(n // 3, n % 3, Outcome.OK, "P", p / 100) for n, p in given]
    values = values_of(Study(tuple(asked), ()).saying(said))
    assert values["auroc", "A", "all"] == values["auroc_valid_only", "A", "all"] == 0.5


@settings(max_examples=60)
@given(studies(least=3, facets="A"), st.booleans())
def test_separation_is_scikit_learn_s_on_the_unit_scores(study: Study, valid_only: bool) -> None:
    scores = unit_scores(study, valid_only=valid_only)
    label = np.array([study.units[unit].positive for unit in scores])
    score = np.array([float(score) for score in scores.values()])
    assume(label.any() and not label.all())
    values = values_of(study)
    suffix = "_valid_only" if valid_only else ""

    def value(metric: str) -> float:
        found = values[metric + suffix, "A", "all"]
        assert found is not None, metric
        return found

    assert value("auroc") == pytest.approx(roc_auc_score(label, score))
    if not (score == 0).any():
        assert value("balanced_accuracy") == pytest.approx(balanced_accuracy_score(label, score > 0))
    fpr, tpr, _ = roc_curve(label, score)
    nearest = np.argmin(np.abs(1 - tpr - fpr))
    assert value("eer_nearest_vertex") == pytest.approx((fpr[nearest] + 1 - tpr[nearest]) / 2)
    fpr, tpr, _ = roc_curve(label, score, drop_intermediate=False)
    x = np.interp(0, fpr + tpr - 1, fpr)  # the curve's distance from the line FPR = 1 − TPR rises from −1 to 1
    assert value("eer") == pytest.approx(x)
    best = {t: f1_score(label, score >= t) for t in sorted(set(score.tolist()), reverse=True)}
    assert value("oracle_f1") == pytest.approx(max(best.values()))
    assert best[min(best, key=lambda t: abs(t - value("oracle_f1_threshold")))] == pytest.approx(max(best.values()))
    at_zero = f1_score(label, score > 0, zero_division=0)
    assert value("f1_at_zero") == pytest.approx(at_zero)
    assert value("oracle_f1_gain") == pytest.approx(max(best.values()) - at_zero)


@settings(max_examples=10)
@given(st.lists(st.integers(-100, 100), min_size=44, max_size=44), st.sampled_from([19, 20, 22]))
def test_overlap_is_that_of_the_twin_from_twenty_units_a_pole_on(scores: list[int], positives: int) -> None:
    asked = tuple(Unit("A", n, n, n, n < positives, f"role {n < positives}", (1,)) for n in range(44))
    asked += tuple(replace(unit, facet="B", positive=not unit.positive, role="r" + unit.role) for unit in asked)
    study = answering(asked, lambda unit, _: ("P", (scores[unit.speaker] + 100) / 200))
    values, right = values_of(study), expected(study)
    for facet in ("A", "B", OVERALL):
        assert (values["pole_overlap", facet, "all"] is None) == (positives < 20)
        if positives >= 20:
            assert values["pole_overlap", facet, "all"] == pytest.approx(
                float(right["pole_overlap", facet, "all"] or 0)
            )


def test_an_overall_figure_that_one_facet_leaves_undefined_says_that_it_is_of_one() -> None:
    asked = tuple(Unit("A", n, n, n, n % 2 == 0, f"role {n % 2}", (1,)) for n in range(40))
    asked += tuple(Unit("B", n, n, n, n % 2 == 0, f"role {2 + n % 2}", (1,)) for n in range(4))
    study = answering(asked, lambda *_: ("P", 0.8))
    entries = {
        (e.metric, e.facet): e
        for e in measure(figures(mark(gold_of(study), decisions_of(study))), LADDERS, Options(resamples=20))
    }
    assert entries["pole_overlap", "A"].value == 1
    why = "a class has fewer rows than the histogram has bins (20)"
    assert (entries["pole_overlap", "B"].value, entries["pole_overlap", "B"].reason) == (None, why)
    overall = entries["pole_overlap", OVERALL]
    assert (overall.value, overall.n, overall.reason) == (None, 44, f"of one part: {why}")


@settings(max_examples=40)
@given(studies(), st.permutations([0, 1, 2]))
def test_runs_have_no_names(study: Study, names: list[int]) -> None:
    check_equal(
        values_of(study), values_of(study.saying(replace(said, run=names[said.run] * 1000) for said in study.said))
    )


@settings(max_examples=40)
@given(studies())
def test_poles_have_no_names(study: Study) -> None:
    swapped = Study(
        tuple(replace(unit, positive=not unit.positive) for unit in study.units),
        tuple(replace(said, choice={"P": "N", "N": "P"}.get(said.choice, "-")) for said in study.said),
    )
    values, others = values_of(study), values_of(swapped)
    for (metric, facet, name), value in values.items():
        if metric.removesuffix("_valid_only") in SYMMETRIC:
            assert others[metric, facet, name] == (None if value is None else pytest.approx(value)), metric
        if metric.startswith("pole_shift"):
            assert others[metric, facet, name] == (None if value is None else pytest.approx(-value)), metric


@settings(max_examples=40)
@given(units(least=2), st.booleans())
def test_who_is_always_right_or_always_wrong(asked: tuple[Unit, ...], right: bool) -> None:
    values = values_of(answering(asked, lambda unit, _: ("P" if unit.positive == right else "N", 1.0)))
    for facet in {unit.facet for unit in asked}:
        poles = {unit.positive for unit in asked if unit.facet == facet}
        for metric in ("balanced_accuracy", "auroc"):
            assert values[metric, facet, "all"] == (float(right) if len(poles) == 2 else None)
        assert values["pole_consistency", facet, "all"] == float(right)
        assert values["failure_rate", facet, "all"] == 0
        if len(poles) == 2:
            assert values["eer", facet, "all"] == 1 - right
            assert (values["f1_always_positive", facet, "all"] or 0) <= (values["oracle_f1", facet, "all"] or 0) + 1e-12


@settings(max_examples=40)
@given(units(least=2), PROBABILITIES.filter(lambda p: p != 0.5))
def test_who_always_says_p_is_at_chance_and_never_disagrees(asked: tuple[Unit, ...], p: float | None) -> None:
    said = p is None or p > 0.5  # of a choice that is more likely wrong than right the other is meant
    values = values_of(answering(asked, lambda *_: ("P", p)))
    for facet in {unit.facet for unit in asked}:
        poles = {unit.positive for unit in asked if unit.facet == facet}
        assert values["balanced_accuracy", facet, "all"] == (0.5 if len(poles) == 2 else None)
        assert values["auroc", facet, "all"] == (0.5 if len(poles) == 2 else None)
        assert values["recall_positive", facet, "all"] == (float(said) if True in poles else None)
        assert values["recall_negative", facet, "all"] == (float(not said) if False in poles else None)
        if said:
            assert values["f1_at_zero", facet, "all"] == values["f1_always_positive", facet, "all"]
        disagreement = values["order_disagreement", facet, "all"]
        orders = {count for unit in asked if unit.facet == facet for count in unit.orders}
        assert disagreement == (None if orders == {1} else 0)


@settings(max_examples=40)
@given(units(least=2))
def test_who_follows_the_order_always_disagrees(asked: tuple[Unit, ...]) -> None:
    paired = [replace(unit, orders=(2,) * len(unit.orders)) for unit in asked]
    values = values_of(answering(paired, lambda _, order: ("PN"[order], 1.0)))
    assert values["order_disagreement", OVERALL, "all"] == 1
    assert values["order_disagreement_coverage", OVERALL, "all"] == 1
    assert values["pole_consistency", paired[0].facet, "all"] == 0  # every score is 0, and 0 is wrong


@settings(max_examples=40)
@given(studies())
def test_how_an_answer_is_lacking_does_not_matter(study: Study) -> None:
    heard = {said.presentation for said in study.said}
    lacking = [Said(n, 0, Outcome.FAILED) for n in range(len(study.presentations())) if n not in heard]
    check_equal(values_of(study), values_of(study.saying([*study.said, *lacking])))


@settings(max_examples=40)
@given(studies())
def test_no_probability_is_certainty(study: Study) -> None:
    certain = study.saying(
        replace(said, probability=1.0) if said.outcome == Outcome.OK and said.probability is None else said
        for said in study.said
    )
    check_equal(values_of(study), values_of(certain))


@settings(max_examples=40)
@given(units(least=2), st.sampled_from("PN"))
def test_who_is_never_sure_is_wrong(asked: tuple[Unit, ...], choice: str) -> None:
    values = values_of(answering(asked, lambda *_: (choice, 0.5)))
    for facet in {unit.facet for unit in asked}:
        assert values["pole_consistency", facet, "all"] == 0
        assert values["balanced_accuracy", facet, "all"] in (0, None)
        assert values["auroc", facet, "all"] in (0.5, None)


@settings(max_examples=30)
@given(studies())
def test_another_judge_changes_nothing(study: Study) -> None:
    gold, options = gold_of(study), Options(resamples=20)

    def entries(judge: Study) -> list[MetricEntry]:
        return measure(figures(mark(gold, decisions_of(judge))), LADDERS, options)

    before = entries(study)
    entries(study.saying(study.said[1:]))
    assert entries(study) == before


@settings(max_examples=30)
@given(studies(facets="A"), studies(facets="B"))
def test_a_facet_s_figures_depend_on_no_other_facet(one: Study, other: Study) -> None:
    options = Options(resamples=50)
    moved = len(one.presentations())
    both = Study(
        one.units + other.units,
        one.said + tuple(replace(said, presentation=said.presentation + moved) for said in other.said),
    )

    def entries(study: Study) -> dict[tuple[str, str], object]:
        measured = measure(figures(mark(gold_of(study), decisions_of(study))), LADDERS, options)
        return {(e.metric, e.slice): replace(e, p_adjusted=None) for e in measured if e.facet == "A"}

    assert entries(both) == entries(one)


@settings(max_examples=30)
@given(studies())
def test_what_is_not_owed_is_not_asked(study: Study) -> None:
    """A protocol that owes fewer items is a smaller study, whatever else the release holds."""
    gold, decisions = gold_of(study), decisions_of(study)
    more = Gold(  # an item of a unit of its own before all others, and one more of the first unit behind them
        items=("a", *gold.items, "z"),
        unit=np.concatenate([[0], gold.unit + 1, [1]]),
        facet=np.append("Z", gold.facet),
        positive=np.append(True, gold.positive),
        role=np.append("role Z", gold.role),
        levels={name: np.append(codes.max() + 1, codes) for name, codes in gold.levels.items()},
    )
    options = Options(resamples=20)
    wide, narrow = (measure(figures(mark(asked, decisions)), LADDERS, options) for asked in (more, gold))
    assert wide == narrow


def test_nothing_owed_is_null_with_a_reason() -> None:
    study = Study((), ())
    entries = measure(figures(mark(gold_of(study), decisions_of(study))), LADDERS, Options(resamples=20))
    assert {entry.facet for entry in entries} == {OVERALL}
    assert "balanced_accuracy" in {entry.metric for entry in entries}
    for entry in entries:
        assert (entry.value, entry.n, entry.reason) == (None, 0, "no rows")
        assert all(interval.low is None and interval.reason for interval in entry.intervals)


@settings(max_examples=50)
@given(studies())
def test_the_undefined_says_why_and_has_no_interval(study: Study) -> None:
    for entry in measure(figures(mark(gold_of(study), decisions_of(study))), LADDERS, Options(resamples=20)):
        assert (entry.value is None) == (entry.reason is not None)
        if entry.value is None:
            assert all((i.low, i.high) == (None, None) and i.reason for i in entry.intervals)
            assert entry.p is None


def test_twenty_judged_speakers_and_none_with_a_valid_answer() -> None:
    """The valid-only figures have no row, so none of the units that the others resample."""
    asked = tuple(Unit("A", n, n, n, n % 2 == 0, f"role {n % 2}") for n in range(50))
    silent = Study(asked, tuple(Said(n, 0, Outcome.FAILED) for n in range(100)))
    entries = {
        (e.metric, e.facet, e.slice): e
        for e in measure(figures(mark(gold_of(silent), decisions_of(silent))), LADDERS, Options(resamples=20))
    }
    assert entries["balanced_accuracy", "A", "all"].value == 0
    assert entries["failure_rate", "A", "all"].value == 1
    nothing = entries["balanced_accuracy_valid_only", "A", "all"]
    assert (nothing.value, nothing.n, nothing.reason) == (None, 0, "a group has no rows")


def test_every_metric_is_explained() -> None:
    study = answering((Unit("A", 0, 0, 0, True, "r"), Unit("A", 1, 1, 1, False, "s")), lambda *_: ("P", 1.0))
    metrics = {metric.removesuffix("_valid_only") for metric, *_ in values_of(study)}
    assert metrics - set(QUANTILES) | {"score_median"} == set(GLOSSARY)


@pytest.mark.parametrize(
    ("said", "score"),
    [
        ((("P", 0.8), ("N", 0.6)), 0.2),
        ((("P", 0.9), ("P", 0.7)), 0.6),
        ((("P", None), ("N", None)), 0.0),
        ((("N", 0.25), ("P", 0.75)), 0.5),
    ],
)
def test_worked_scores(said: tuple[tuple[str, float | None], ...], score: float) -> None:
    study = answering((Unit("A", 0, 0, 0, True, "r"),), lambda _, order: said[order])
    assert mark(gold_of(study), decisions_of(study)).score.tolist() == [score]
