"""Figures of pairs against a slow twin in exact fractions, scikit-learn, and what must hold of any judge."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, precision_recall_fscore_support
from tests.scoring.pairs.slow_pairs import expected, letters, swapped
from tests.scoring.pairs.studies import Pair, Said, Study, decisions_of, pairs, release_of, right_letter, studies

from earmark.manifests.release import Release
from earmark.scoring.measuring import Numbering, Options
from earmark.scoring.pairs import GLOSSARY, evaluate, headline
from earmark.scoring.pairs.figures import figures
from earmark.scoring.pairs.gold import Gold, read_gold
from earmark.scoring.pairs.marks import mark

Values = dict[tuple[str, str, str], float | None]
MIRRORED = {"accuracy_a": "accuracy_b", "tie_share_a": "tie_share_b"}
AS_STORED = ("accuracy_a", "accuracy_b", "position_gap")
CLIPS = ((0, 0), (1, 0))
BOUNDED = ("accuracy", "consist", "tie_", "vote", "letter", "failure", "class")


def gold_of(study: Study) -> Gold:
    return read_gold(release_of(study))


def values_of(study: Study) -> Values:
    """The value of every figure, by metric, facet and slice."""
    every = figures(mark(gold_of(study), decisions_of(study)))
    numbering = Numbering("pair", every)
    return {(figure.metric, figure.facet, figure.slice): figure.statistic(numbering).value() for figure in every}


def close(value: float | None, right: object) -> bool:
    return (value is None) == (right is None) and (value is None or value == pytest.approx(float(right), abs=1e-9))  # type: ignore[arg-type]  # a number


@settings(max_examples=30)
@given(studies())
def test_every_figure_is_that_of_the_twin(study: Study) -> None:
    values, right = values_of(study), expected(study)
    assert {place: value for place, value in right.items() if not close(values[place], value)} == {}
    unforeseen = {place: values[place] for place in values.keys() - right.keys() if place[0] != "tie_precision"}
    assert unforeseen in ({}, {("accuracy", "overall", "all"): None})  # undefined where all pairs are controls


@settings(max_examples=25)
@given(studies(facets=("style", "rate"), rectangular=True))
def test_ties_and_classes_are_scikit_learn_s(study: Study) -> None:
    study = replace(study, said=tuple(said for said in study.said if said.run == 0))
    for facet in ("style", "rate"):
        here = replace(study, said=tuple(said for said in study.said if study.pairs[said.pair].facet == facet))
        right, said = letters(here)
        if not right:
            continue
        values = {
            metric: value for (metric, at, name), value in values_of(study).items() if (at, name) == (facet, "all")
        }
        known = [label for label in ("A", "B", "Tie") if label in right]
        recalls = precision_recall_fscore_support(right, said, labels=known, average="macro", zero_division=0)[1]
        assert values["class_balanced_accuracy"] == pytest.approx(recalls)
        if set(said) <= set(right) and len(set(right)) > 1:  # of one class it warns
            assert values["class_balanced_accuracy"] == pytest.approx(balanced_accuracy_score(right, said))
        if "Tie" in right:
            each = precision_recall_fscore_support(right, said, labels=["Tie"], average="macro", zero_division=0)
            precision, recall, f1, _ = each
            assert (values["tie_precision"] or 0.0) == pytest.approx(precision)
            assert (values["tie_precision"] is None) == ("Tie" not in said)
            assert values["tie_recall"] == values["accuracy_tie"] == pytest.approx(recall)
            assert values["tie_f1"] == pytest.approx(f1)
        else:
            assert values["tie_precision"] is values["tie_recall"] is values["tie_f1"] is None


@settings(max_examples=25)
@given(studies(rectangular=True))
def test_what_holds_of_any_judge(study: Study) -> None:
    values = values_of(study)
    for (metric, facet, name), value in values.items():
        if value is not None and metric.startswith(BOUNDED):
            assert -1e-12 <= value <= 1 + 1e-12, metric
        if metric.startswith(("position_gap", "kind_gap", "transcript_gap")) and value is not None:
            assert -1 - 1e-12 <= value <= 1 + 1e-12
        if (metric, name) != ("accuracy", "all") or facet == "overall":
            continue
        here = {m: v for (m, f, n), v in values.items() if (f, n) == (facet, "all")}
        asked = [pair for pair in study.pairs if pair.facet == facet]
        for one, other, is_one in (
            ("non_tie", "tie", lambda pair: pair.kind == "non_tie"),
            ("same", "cross", lambda pair: pair.transcript == "same"),
        ):
            share = sum(map(is_one, asked)) / len(asked)
            parts = share * (here[f"accuracy_{one}"] or 0) + (1 - share) * (here[f"accuracy_{other}"] or 0)
            assert value == pytest.approx(parts)
        a, b, both, alike = (here[m] or 0.0 for m in ("accuracy_a", "accuracy_b", "consistent_accuracy", "consistency"))
        assert value == pytest.approx((a + b) / 2)
        assert here["position_gap"] == pytest.approx(a - b)
        assert max(0.0, a + b - 1) - 1e-9 <= both <= min(a, b) + 1e-9
        assert both <= alike + 1e-9
        assert alike <= 1 - (here["failure_rate"] or 0.0) / 2 + 1e-9 or study.said == ()


@settings(max_examples=25)
@given(studies(), st.booleans())
def test_exchanging_a_and_b_everywhere_mirrors_every_figure(study: Study, stored: bool) -> None:
    values, mirrored = values_of(study), values_of(swapped(study, stored=stored))
    both_ways = {**MIRRORED, **{there: here for here, there in MIRRORED.items()}}
    assert values.keys() == mirrored.keys()
    for place, value in values.items():
        metric, facet, name = place
        if stored and metric in AS_STORED:
            continue  # @A of a tie pair is its stored order, whichever that is
        other = mirrored[both_ways.get(metric, metric), facet, name]
        sign = -1 if metric.startswith("position_gap") else 1
        assert close(value, None if other is None else sign * other), place


@given(pairs(least=3, most=8))
@settings(max_examples=25)
def test_constant_and_perfect_judges(asked: tuple[Pair, ...]) -> None:
    study = Study(asked)
    ties = [pair.gold == "tie" for pair in asked if pair.facet == "style"]
    if not ties:
        return
    share = sum(ties) / len(ties)

    def style(judged: Study) -> dict[str, float | None]:
        return {
            metric: v for (metric, facet, name), v in values_of(judged).items() if (facet, name) == ("style", "all")
        }

    perfect = style(study.saying(lambda pair, order, _: right_letter(pair, order)))
    assert {perfect[m] for m in ("accuracy", "accuracy_a", "consistency", "consistent_accuracy", "vote_accuracy")} == {
        1
    }
    assert {perfect[m] for m in ("tie_f1", "tie_precision", "accuracy_non_tie", "accuracy_tie")} <= {1, None}
    assert {perfect[m] for m in ("letter_stickiness", "position_gap", "failure_rate")} == {0}
    always_tie = style(study.saying(lambda *_: "Tie"))
    assert always_tie["accuracy"] == pytest.approx(share)
    assert (always_tie["consistency"], always_tie["letter_stickiness"]) == (1, 0)
    assert always_tie["tie_precision"] == (pytest.approx(share) if share else None)
    always_a = style(study.saying(lambda *_: "A"))
    assert always_a["accuracy"] == pytest.approx((1 - share) / 2)
    assert always_a["position_gap"] == pytest.approx(1 - share)
    assert always_a["position_gap_non_tie"] == (1 if share < 1 else None)
    assert always_a["letter_stickiness"] == 1
    assert always_a["consistency"] == always_a["consistent_accuracy"] == 0
    assert always_a["tie_share_a"] == (1 if share else None)
    assert always_a["vote_accuracy"] == 0  # one vote for each clip
    assert always_a["vote_accuracy_equal_is_tie"] == pytest.approx(share)


@pytest.mark.parametrize("bad", ["missing", "failed", "abstained", "unparsable", "conflicting"])
def test_what_is_not_ok_is_wrong_and_stays_in_every_denominator(bad: str) -> None:
    from earmark.scoring.decisions import Outcome

    asked = (Pair("style", CLIPS, "first", "non_tie"), Pair("style", CLIPS, "tie", "both_bad"))
    said = [Said(n, order, 0, right_letter(pair, order)) for n, pair in enumerate(asked) for order in ("12", "21")]
    rest = [] if bad == "missing" else [replace(said[0], choice="-", outcome=Outcome[bad.upper()])]
    values = values_of(Study(asked, (*rest, *said[1:])))
    found = {metric: v for (metric, facet, name), v in values.items() if (facet, name) == ("style", "all")}
    assert found["accuracy"] == 0.75
    assert (found["accuracy_a"], found["accuracy_b"]) == (0.5, 1)
    assert found["consistency"] == found["consistent_accuracy"] == 0.5
    assert found["failure_rate"] == 0.25
    assert (found["accuracy_non_tie"], found["accuracy_tie"]) == (0.5, 1)
    assert found["vote_accuracy"] == 1  # the other order outvotes nobody


def test_controls_are_a_facet_of_their_own() -> None:
    asked = (
        Pair("style", CLIPS, "first", "non_tie"),
        Pair("control", ((0, 0), (0, 0)), "tie", "both_bad", variant="identical"),
    )
    study = Study(asked).saying(lambda pair, order, _: right_letter(pair, order) if pair.facet == "style" else "A")
    values = values_of(study)
    assert values["accuracy", "control", "all"] == values["accuracy", "control", "variant:identical"] == 0
    assert values["accuracy", "overall", "all"] == values["accuracy_micro", "overall", "all"] == 1
    assert ("accuracy", "overall", "variant:identical") not in values
    assert headline(release_of(study), decisions_of(study)) == 1
    lone = Study(asked[1:]).saying(lambda *_: "A")
    assert headline(release_of(lone), decisions_of(lone)) is None
    assert values_of(lone)["accuracy_micro", "overall", "all"] is None


def test_chance_is_that_of_what_is_offered() -> None:
    asked = (
        Pair("style", CLIPS, "first", "non_tie"),
        Pair("style", CLIPS, "tie", "both_bad"),
        Pair("rate", CLIPS, "second", "non_tie", ties=False),
        Pair("age", CLIPS, "tie", "both_bad", ties=False),
    )
    study = Study(asked).saying(lambda *_: "A")
    entries = evaluate(release_of(study), decisions_of(study), Options(resamples=20))
    chance = {(entry.metric, entry.facet): entry.chance for entry in entries if entry.slice == "all"}
    assert chance["accuracy", "style"] == chance["accuracy_tie", "style"] == pytest.approx(1 / 3)
    assert chance["accuracy", "rate"] == chance["accuracy_a", "rate"] == 0.5
    assert chance["accuracy", "age"] == 0  # right would be Tie, which is not offered
    assert chance["accuracy", "overall"] == pytest.approx((1 / 3 + 1 / 2) / 3)
    assert chance["accuracy_micro", "overall"] == pytest.approx((2 / 3 + 1 / 2) / 4)
    assert chance["consistency", "style"] is None


@settings(max_examples=10)
@given(studies())
def test_the_headline_is_the_figure_of_that_name(study: Study) -> None:
    release: Release = release_of(study)
    entries = evaluate(release, decisions_of(study), Options(resamples=20))
    [accuracy] = [e for e in entries if (e.metric, e.facet, e.slice) == ("accuracy", "overall", "all")]
    found = headline(release, decisions_of(study))
    assert close(found, accuracy.value)
    assert {entry.metric for entry in entries} <= GLOSSARY.keys()
    assert all(entry.reason for entry in entries if entry.value is None)
    assert len({(e.metric, e.facet, e.slice) for e in entries}) == len(entries)


@given(st.data())
@settings(max_examples=20)
def test_another_protocol_owes_fewer_pairs(data: st.DataObject) -> None:
    study = data.draw(studies(least=3))
    kept = data.draw(st.sets(st.sampled_from(range(len(study.pairs))), min_size=1))
    number = {n: place for place, n in enumerate(sorted(kept))}
    fewer = Study(
        tuple(study.pairs[n] for n in sorted(kept)),
        tuple(replace(said, pair=number[said.pair]) for said in study.said if said.pair in kept),
    )
    gold = gold_of(study).narrowed({f"i{n:05d}" for n in kept})
    alone = gold_of(fewer)
    for name in ("facet", "gold", "kind", "transcript", "speakers", "sex", "variant"):
        assert getattr(gold, name).tolist() == getattr(alone, name).tolist()
    assert list(gold.items) == sorted(gold.items, key=lambda i: (study.pairs[int(i[1:])].facet, i))
