"""Accuracies against counts made by hand, and the findings of arms that are where they must not be."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.dialogues.oracle.toys import Told, check, dialogue, knows

from earmark.builders.dialogues.oracle import Arm, OracleReport, Question, Reply, oracle_report
from earmark.builders.dialogues.oracle.checking import Verdict
from earmark.builders.dialogues.oracle.questions import right_choice
from earmark.manifests.findings import Findings

SEED = 3


def report(verdicts: tuple[Verdict, ...], *, arms: tuple[Arm, ...] = tuple(Arm)) -> tuple[OracleReport, Findings]:
    findings = Findings()
    made = oracle_report(
        verdicts, provider="test", model="told", drop_if_wrong="majority", arms=arms, seed=SEED, findings=findings
    )
    return made, findings


def value(made: OracleReport, arm: Arm, metric: str) -> float | None:
    (figure,) = (one for one in made.figures if (one.arm, one.metric) == (arm, metric))
    return figure.accuracy.value


@given(st.lists(st.tuples(*[st.sampled_from((True, False, None))] * 4), min_size=1, max_size=6))
@settings(max_examples=25)
def test_accuracies_are_counts(answers: list[tuple[bool | None, ...]]) -> None:
    """`answers`: turn 4 and turn 6 of the first order, then of the second; None cannot be used."""
    names = [f"d{n}" for n in range(len(answers))]

    def answer(q: Question) -> Reply:
        right = answers[names.index(q.dialogue)][(q.order - 1) * 2 + (q.turn == 6)]
        gold = right_choice(q.dialogue, q.turn, q.order, SEED)
        return Reply(None if right is None else gold if right else 2 if gold == 1 else 1, "")

    made, findings = report(check([dialogue(name) for name in names], Told(answer), arms=[Arm.FULL]), arms=(Arm.FULL,))
    flat = [bool(right) for four in answers for right in four]
    turn_4, turn_6 = flat[0::2], flat[1::2]
    whole = [a and b for a, b in zip(turn_4, turn_6, strict=True)]
    for metric, marks in (("acc_1", turn_4), ("acc_2", turn_6), ("acc_all", flat), ("acc_traj", whole)):
        assert value(made, Arm.FULL, metric) == pytest.approx(float(Fraction(sum(marks), len(marks))))
    unusable = sum(right is None for four in answers for right in four)
    assert made.arms[0].unusable == unusable
    assert ("oracle.unusable" in findings.counts) is bool(unusable)
    kept = [name for name, four in zip(names, answers, strict=True) if sum(map(bool, four)) > 2]
    assert set(made.dropped) == set(names) - set(kept)


def test_a_reader_that_understands() -> None:
    made, findings = report(check([dialogue(f"d{n}") for n in range(12)], Told(knows)))
    assert value(made, Arm.FULL, "acc_traj") == 1
    assert value(made, Arm.WORDS, "acc_all") == 0.5
    assert value(made, Arm.TONES, "acc_all") == 1
    assert findings.counts == {"oracle.tones": 1}
    assert made.dropped == ()
    by_arm = {arm.arm: arm for arm in made.arms}
    assert (by_arm[Arm.FULL].same, by_arm[Arm.WORDS].same) == (1, 0)
    assert by_arm[Arm.WORDS].first == 1
    assert by_arm[Arm.FULL].first == 0.5


def test_words_that_tell_the_answer_are_found() -> None:
    peeks = Told(lambda q: Reply(right_choice(q.dialogue, q.turn, q.order, SEED), ""))
    _, findings = report(check([dialogue(f"d{n}") for n in range(12)], peeks))
    assert "oracle.words" in findings.counts


def test_three_dialogues_are_too_few_to_say_so() -> None:
    """An interval of three equal dialogues has no width; the exact test knows better."""
    peeks = Told(lambda q: Reply(right_choice(q.dialogue, q.turn, q.order, SEED), ""))
    made, findings = report(check([dialogue(f"d{n}") for n in range(3)], peeks))
    assert not findings.counts
    assert {arm.p for arm in made.arms} == {0.25}


def test_a_reader_that_goes_by_place_understands_nothing() -> None:
    made, findings = report(check([dialogue(f"d{n}") for n in range(12)], Told(lambda q: Reply(1, ""))))
    assert {value(made, arm, "acc_all") for arm in Arm} == {0.5}
    assert findings.counts == {"oracle.full": 1}
    assert len(made.dropped) == 12


def test_no_dialogue_is_no_figure() -> None:
    made, findings = report(())
    assert {figure.accuracy.value for figure in made.figures} == {None}
    assert all(figure.accuracy.reason for figure in made.figures)
    assert not findings.counts


def test_the_report_is_plain_values() -> None:
    import json

    made, _ = report(check([dialogue(f"d{n}") for n in range(2)], Told(knows)))
    said = json.loads(json.dumps(made.as_report(), allow_nan=False))
    assert said["reader"] == "told at test"
    assert len(said["accuracies"]) == 12
