"""Figures of dialogues against a slow twin in exact fractions, and what must hold of any judge."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scoring.dialogues.slow_dialogues import OneDialogue, chances, expected, swapped
from tests.scoring.dialogues.studies import (
    Said,
    Study,
    coin,
    decisions_of,
    mistaken,
    perfect,
    release_of,
    shown,
    studies,
)
from tests.support.dialogue_releases import Presented, Spoken, dialogue_rows, in_memory, some_dialogues

from earmark.manifests.errors import ReleaseError
from earmark.scoring.decisions import Outcome
from earmark.scoring.dialogues import GLOSSARY, evaluate, headline
from earmark.scoring.dialogues.figures import CHANCE, figures, number
from earmark.scoring.dialogues.gold import read_gold
from earmark.scoring.dialogues.marks import mark
from earmark.scoring.measuring import Options

Values = dict[tuple[str, str, str], float | None]
SIGNED = ("context_loss", "history_gap", "flattening", "flattening_level")
LINKED = ("sequential-2", "sequential-4")


def values_of(study: Study, order: list[int] | None = None) -> Values:
    """The value of every figure, by metric, facet and slice."""
    every = figures(mark(read_gold(release_of(study)), decisions_of(study, order)))
    numbering = number("dialogue", every)
    return {(figure.metric, figure.facet, figure.slice): figure.statistic(numbering).value() for figure in every}


def close(value: float | None, right: Fraction | float | None) -> bool:
    return (value is None) == (right is None) and (
        value is None or right is None or value == pytest.approx(float(right), abs=1e-9)
    )


def whole(values: Values, facet: str = "overall") -> dict[str, float | None]:
    return {metric: value for (metric, at, name), value in values.items() if (at, name) == (facet, "all")}


@settings(max_examples=25)
@given(studies())
def test_every_figure_is_that_of_the_twin(study: Study) -> None:
    values, right = values_of(study), expected(study)
    assert values.keys() == right.keys()
    assert {place: (values[place], value) for place, value in right.items() if not close(values[place], value)} == {}


@settings(max_examples=20)
@given(studies())
def test_chance_of_a_vote_is_that_of_as_many_coins(study: Study) -> None:
    every = figures(mark(read_gold(release_of(study)), decisions_of(study)))
    found = {f.metric: f.chance for f in every if (f.facet, f.slice) == ("overall", "all") and f.chance is not None}
    right = chances([OneDialogue(n, study) for n in range(len(study.dialogues))])
    assert found == pytest.approx({**CHANCE, **{metric: float(chance) for metric, chance in right.items()}})


@settings(max_examples=25)
@given(studies(rectangular=True))
def test_what_holds_of_any_judge(study: Study) -> None:
    values = values_of(study)
    for (metric, facet, name), value in values.items():
        if value is not None:
            assert -1e-12 - (metric in SIGNED) <= value <= 1 + 1e-12, (metric, facet, name)
    for facet in {"overall", *(dialogue.facet for dialogue in study.dialogues)}:
        here = whole(values, facet)
        both, one, two = (here[metric] or 0.0 for metric in ("acc_traj", "acc_1", "acc_2"))
        assert max(0.0, one + two - 1) - 1e-9 <= both <= min(one, two) + 1e-9
        assert here["acc_all"] == pytest.approx((one + two) / 2)
        assert here["context_loss"] == pytest.approx(one - two)
        assert both == pytest.approx(one * (here["acc_2_given_right"] or 0.0))
        assert (here["acc_traj_vote"] or 0.0) <= min(here["acc_1_vote"] or 0.0, here["acc_2_vote"] or 0.0)


@settings(max_examples=25)
@given(studies(), st.booleans())
def test_exchanging_the_options_everywhere_changes_nothing_but_their_numbers(study: Study, stored: bool) -> None:
    values, mirrored = values_of(study), values_of(swapped(study, stored=stored))
    assert values.keys() == mirrored.keys()
    for place, value in values.items():
        other = mirrored[place]
        if place[0] == "position_share" and other is not None:
            other = 1 - other
        assert close(value, other), place


@settings(max_examples=15)
@given(st.data())
def test_the_order_of_rows_is_nothing(data: st.DataObject) -> None:
    study = data.draw(studies())
    heard = {said.id for said in study.said}
    rows = len(study.said) + sum(each.id not in heard for each in study.presented)
    mixed = values_of(study, data.draw(st.permutations(range(rows))))
    for place, value in values_of(study).items():
        assert close(mixed[place], value), place


@pytest.mark.parametrize("chain", ["sequential-2", "sequential-4", "direct", "unlinked"])
def test_perfect_constant_and_context_free_judges(chain: str) -> None:
    asked = Study(some_dialogues(32), chain)
    right = whole(values_of(asked.saying(perfect, runs=2)))
    assert {right[m] for m in ("acc_traj", "acc_1", "acc_2_vote", "acc_traj_vote", "acc_2_given_right")} == {1}
    assert {right[m] for m in ("swap_consistency", "swap_coverage")} == {1}
    assert right["position_share"] == 0.5
    assert {right[m] for m in (*SIGNED[2:], "context_loss", "failure_rate")} == {0}
    assert right["acc_2_given_wrong"] is right["history_gap"] is None
    first = whole(values_of(asked.saying(lambda *_: "1")))
    assert first["acc_1"] == first["acc_2"] == 0.5
    assert first["swap_consistency"] == 0
    assert first["position_share"] == 1
    assert first["acc_traj_vote"] == first["acc_1_vote"] == 0  # half of the answers are wrong
    if chain in ("sequential-4", "direct", "unlinked"):
        assert first["acc_traj"] == 0.25
    stored = whole(values_of(asked.saying(lambda study, each, run: shown("first", each.order))))
    assert stored["swap_consistency"] == 1
    assert stored["acc_1"] == stored["acc_1_vote"] == 0.5


def test_a_coin_has_a_quarter() -> None:
    study = Study(some_dialogues(150), "sequential-4").saying(coin, runs=3)
    found = whole(values_of(study))
    assert found["acc_traj"] == pytest.approx(0.25, abs=0.03)
    assert found["acc_1"] == pytest.approx(0.5, abs=0.04)
    assert found["swap_consistency"] == pytest.approx(0.5, abs=0.03)
    assert found["acc_2_given_right"] == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize("bad", ["missing", "failed", "abstained", "unparsable", "conflicting"])
@pytest.mark.parametrize("chain", LINKED)
def test_what_is_not_ok_is_wrong_and_stays_in_every_denominator(bad: str, chain: str) -> None:
    study = Study((Spoken(),), chain).saying(perfect)
    [first, *_] = [each.id for each in study.presented if each.turn == 0]
    kept = [said for said in study.said if said.id != first]
    if bad != "missing":
        kept.append(Said(first, 0, "-", Outcome[bad.upper()]))
    found = whole(values_of(replace(study, said=tuple(kept))))
    assert (found["acc_1"], found["acc_2"], found["acc_traj"]) == (0.5, 1, 0.5)
    assert found["failure_rate"] == pytest.approx(1 / len(study.presented))
    assert found["swap_coverage"] == 0.5
    assert found["acc_1_vote"] == 0
    assert found["acc_2_given_right"] == 1
    assert found["acc_2_given_wrong"] is None  # what is not answered is not answered wrongly


def test_turn_6_counts_with_its_own_history_in_its_own_run() -> None:
    """Right at turn 4 in one conversation and at turn 6 in the other, or in another run, is no trajectory."""
    study = Study((Spoken(),), "sequential-2")
    one, other = [each for each in study.presented if each.turn == 0]
    then = {each.after: each for each in study.presented if each.turn == 1}

    def said(*right: str) -> Study:
        def say(study: Study, each: Presented, run: int) -> str:
            return (perfect if f"{each.id} {run}" in right else mistaken)(study, each, run)

        return study.saying(say, runs=2)

    apart = whole(values_of(said(f"{one.id} 0", f"{then[other.id].id} 0", f"{then[one.id].id} 1")))
    assert (apart["acc_1"], apart["acc_2"], apart["acc_traj"]) == (0.25, 0.5, 0)
    together = whole(values_of(said(f"{one.id} 0", f"{then[one.id].id} 0")))
    assert (together["acc_traj"], together["acc_2_given_right"], together["acc_2_given_wrong"]) == (0.25, 1, 0)


def test_three_runs_of_one_order_each_are_voted_and_paired_by_run() -> None:
    """As the paper's public predictions are: an order for each turn and run, drawn apart, and no history known."""
    study = Study((Spoken(),), "unlinked")
    orders = {0: ("12", "21", "12"), 1: ("21", "12", "12")}
    right = {0: (True, True, False), 1: (True, False, True)}
    said = [
        Said(each.id, run, (perfect if good else mistaken)(study, each, run))
        for each in study.presented
        for run, (order, good) in enumerate(zip(orders[each.turn], right[each.turn], strict=True))
        if order == each.order
    ]
    found = whole(values_of(replace(study, said=tuple(said))))
    assert (found["acc_1_vote"], found["acc_2_vote"], found["acc_traj_vote"]) == (1, 1, 1)
    assert found["acc_traj"] == pytest.approx(1 / 3)


@settings(max_examples=6)
@given(studies())
def test_the_headline_is_the_figure_of_that_name(study: Study) -> None:
    release = release_of(study)
    entries = evaluate(release, decisions_of(study), Options(resamples=20))
    [found] = [e for e in entries if (e.metric, e.facet, e.slice) == ("acc_traj", "overall", "all")]
    assert close(headline(release, decisions_of(study)), found.value)
    assert {entry.metric for entry in entries} <= GLOSSARY.keys()
    assert all(entry.reason for entry in entries if entry.value is None)
    assert len({(e.metric, e.facet, e.slice) for e in entries}) == len(entries)
    assert {interval.by for entry in entries for interval in entry.intervals} == {"dialogue"}


def test_intervals_of_few_dialogues_say_so() -> None:
    for count, reason in ((19, "conditional on fewer than 20 dialogues"), (20, None)):
        study = Study(tuple(replace(each, facet="interpersonal_empathy") for each in some_dialogues(count)))
        judged = study.saying(lambda s, each, run: perfect(s, each, run) if each.dialogue % 3 else "1")
        entries = evaluate(release_of(judged), decisions_of(judged), Options(resamples=50))
        [found] = [e for e in entries if (e.metric, e.facet, e.slice) == ("acc_1", "overall", "all")]
        assert found.intervals[0].reason == reason
        assert found.n == count


@pytest.mark.parametrize(
    ("table", "change", "says"),
    [
        ("items", {"target": "turn 5"}, "is not turn 4 or turn 6 of one dialogue"),
        ("items", {"group": None}, "is not turn 4 or turn 6 of one dialogue"),
        ("answers", None, "has no gold"),
        ("items", None, "has not both turns"),
    ],
)
def test_an_unsound_release_is_refused(table: str, change: dict[str, object] | None, says: str) -> None:
    rows = dialogue_rows((Spoken(),))
    rows[table][0:1] = [] if change is None else [rows[table][0] | change]
    with pytest.raises(ReleaseError, match=says):
        read_gold(in_memory(rows))


def test_an_unsound_protocol_is_refused() -> None:
    study = Study((Spoken(),)).saying(perfect)
    gold, decisions = read_gold(release_of(study)), decisions_of(study)
    item = gold.items[0][0]
    kept = [n for n, of in enumerate(decisions.owed.item) if of != item]
    ids = [decisions.owed.ids[n] for n in kept]
    half = replace(study, said=tuple(said for said in study.said if said.id in ids))
    owed = replace(decisions.owed, ids=tuple(ids), item=tuple(decisions.owed.item[n] for n in kept), order=("12", "21"))
    with pytest.raises(ReleaseError, match="owes one turn alone of dialogue"):
        mark(gold, replace(decisions_of(half), owed=owed))
    with pytest.raises(ReleaseError, match="which the protocol does not owe"):
        mark(replace(gold, after={decisions.owed.ids[0]: "p-elsewhere"}), decisions)


@settings(max_examples=3)
@given(studies())
def test_a_protocol_that_owes_nothing_is_null_with_reasons(study: Study) -> None:
    release, decisions = release_of(study), decisions_of(replace(study, said=()))
    none = replace(
        decisions,
        owed=replace(decisions.owed, ids=(), item=(), order=()),
        **{name: getattr(decisions, name)[:0] for name in ("presentation", "run", "outcome", "choice", "probability")},
    )
    entries = evaluate(release, none, Options(resamples=20))
    assert "acc_traj" in {entry.metric for entry in entries}
    assert all(entry.value is None and entry.reason for entry in entries)
    assert headline(release, none) is None
