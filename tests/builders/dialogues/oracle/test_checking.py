"""What a reader is shown, what it is not, and which dialogues are kept."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.dialogues.oracle.toys import DISSONANT, RESONANT, Told, check, dialogue, knows

from earmark.builders.dialogues.oracle import Arm, Question, Reply, check_dialogues
from earmark.builders.dialogues.oracle.questions import question, right_choice
from earmark.builders.dialogues.oracle.section import Dropping, OracleSection

ONE = dialogue("one")
NAMES = st.text(min_size=1, max_size=20)


@given(name=NAMES, turn=st.sampled_from((4, 6)), seed=st.integers(0, 99))
@settings(max_examples=25)
def test_each_option_stands_first_in_one_of_the_two_orders(name: str, turn: int, seed: int) -> None:
    assert {right_choice(name, turn, 1, seed), right_choice(name, turn, 2, seed)} == {1, 2}


def test_places_are_drawn_for_each_turn_by_itself() -> None:
    drawn = Counter((right_choice(f"d{n}", 4, 1, 0), right_choice(f"d{n}", 6, 1, 0)) for n in range(400))
    assert len(drawn) == 4
    assert min(drawn.values()) > 60  # 100 each are expected; 60 is more than four standard deviations below


@pytest.mark.parametrize("arm", Arm)
def test_every_arm_asks_both_turns_in_both_orders(arm: Arm) -> None:
    reader = Told(knows)
    check([ONE], reader, arms=(Arm.FULL, arm) if arm is not Arm.FULL else (arm,))
    asked = Counter((q.turn, q.order) for q in reader.asked if q.arm is arm)
    assert asked == {(4, 1): 1, (4, 2): 1, (6, 1): 1, (6, 2): 1}


def test_the_second_round_holds_the_readers_own_choice() -> None:
    reader = Told(lambda q: Reply(1, ""))
    check([ONE], reader, arms=[Arm.FULL])
    for order in (1, 2):
        first, second = (next(q for q in reader.asked if (q.turn, q.order) == (turn, order)) for turn in (4, 6))
        assert first.tones is not None
        assert second.heard[3].tone == first.tones[0]
        assert [line.text for line in second.heard] == [ONE.script.line(turn) for turn in range(1, 6)]
        assert [line.tone for line in second.heard[:3]] == [f"Said like number {n}." for n in (1, 2, 3)]


def test_without_an_answer_turn_4_has_no_tone_in_the_history() -> None:
    reader = Told(lambda q: Reply(None, "refused"))
    check([ONE], reader, arms=[Arm.FULL])
    assert {q.heard[3].tone for q in reader.asked if q.turn == 6} == {None}


def test_the_arms_show_no_more_than_they_should() -> None:
    reader = Told(knows)
    check([ONE], reader)
    for q in reader.asked:
        if q.arm is Arm.WORDS:
            assert q.tones is None
            assert all(line.tone is None for line in q.heard)
            assert q.line == ONE.script.line(q.turn)
        if q.arm is Arm.TONES:
            assert (q.context, q.description, q.heard, q.speaker, q.line) == (None, None, (), None, None)
            assert set(q.tones or ()) == {RESONANT, DISSONANT}


def test_a_question_names_no_answer() -> None:
    """Turned round, the same options give the same question but for their places."""
    asked = [question(ONE, Arm.FULL, 4, order, seed=0, chosen=None) for order in (1, 2)]
    assert asked[0].tones == tuple(reversed(asked[1].tones or ()))
    hidden = ("impatient_evader", ONE.scenario.intent, ONE.scenario.resonant_persona, "Negative", "It fails.")
    assert not any(word in repr(one) for one in asked for word in hidden)


@pytest.mark.parametrize(
    ("drop", "kept_from"),
    [("all", 4), ("majority", 3), ("never", 0)],
)
@pytest.mark.parametrize("right", range(5))
def test_what_is_dropped_depends_on_how_many_of_four_answers_are_right(
    drop: Dropping, kept_from: int, right: int
) -> None:
    places = [(4, 1), (6, 1), (4, 2), (6, 2)]

    def answer(q: Question) -> Reply:
        gold = right_choice(q.dialogue, q.turn, q.order, 3)
        wrong: Reply = Reply(None, "") if q.turn == 4 else Reply(2 if gold == 1 else 1, "")
        return Reply(gold, "") if places.index((q.turn, q.order)) < right else wrong

    (verdict,) = check([ONE], Told(answer), arms=[Arm.FULL], drop=drop)
    assert sum(one.correct for one in verdict.of(Arm.FULL)) == right
    assert (verdict.dropped is None) is (right >= kept_from)
    if verdict.dropped is not None:
        assert f"{right} of 4" in verdict.dropped


def test_the_other_arms_do_not_decide() -> None:
    def answer(q: Question) -> Reply:
        return knows(q) if q.arm is Arm.FULL else Reply(None, "")

    (verdict,) = check([ONE], Told(answer), drop="all")
    assert verdict.dropped is None
    assert not any(one.correct for arm in (Arm.WORDS, Arm.TONES) for one in verdict.of(arm))


def test_what_was_read_before_is_not_read_again() -> None:
    import asyncio

    first = check([ONE], Told(knows))
    reader = Told(knows)
    two = dialogue("two")
    verdicts = asyncio.run(
        check_dialogues(
            [two, ONE],
            reader,
            arms=tuple(Arm),
            drop_if_wrong="never",
            seed=3,
            workers=1,
            progress=lambda *_: None,
            known={"one": first[0]},
        )
    )
    assert [verdict.dialogue for verdict in verdicts] == ["two", "one"]
    assert verdicts[1] is first[0]
    assert {q.dialogue for q in reader.asked} == {"two"}


def test_a_section_that_cannot_be_is_refused() -> None:
    for wrong, said in (
        ({"provider": "openai"}, "model id"),
        ({"tries": 0}, "tries"),
        ({"arms": (Arm.WORDS,)}, "full"),
        ({"arms": (Arm.FULL, Arm.FULL)}, "once"),
    ):
        with pytest.raises(ValueError, match=said):
            OracleSection(**wrong)  # type: ignore[arg-type]
    assert (OracleSection().provider, OracleSection().dropping) == ("offline", "never")
    assert OracleSection(provider="openai", model="m").dropping == "majority"
    assert OracleSection(drop_if_wrong="all").dropping == "all"
