"""The rule reader reads texts, and nothing but texts."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.dialogues.oracle.toys import DISSONANT, RESONANT, dialogue

from earmark.builders.dialogues.oracle import Arm, Question, RuleReader
from earmark.builders.dialogues.oracle.lexicon import MOOD_OF_TONE, STORY, TONE, WANTED, Axis, Mood
from earmark.builders.dialogues.oracle.questions import Heard, question, right_choice
from earmark.builders.dialogues.oracle.rule_reader import moods_of, voice_of

READER = RuleReader()
TONES = st.lists(st.sampled_from(sorted(TONE)), min_size=1, max_size=6).map(" ".join)


def read(asked: Question) -> int | None:
    return asyncio.run(READER.read(asked)).choice


def asked(tones: tuple[str, str], *, said: str = "My dog died last night.", arm: Arm = Arm.FULL) -> Question:
    one = question(dialogue("d"), arm, 4, 1, seed=0, chosen=None)
    heard = tuple(replace(line, text=said, tone=None) for line in one.heard)
    return replace(one, tones=tones, heard=heard, context="A room.", description="Two people talk.")


@given(tones=st.tuples(TONES, TONES), name=st.text(max_size=9), order=st.sampled_from((1, 2)))
@settings(max_examples=25)
def test_turning_the_options_round_turns_the_answer_round(tones: tuple[str, str], name: str, order: int) -> None:
    one = asked(tones)
    there = read(replace(one, dialogue=name, order=1 if order == 1 else 2))
    back = read(replace(one, tones=(tones[1], tones[0])))
    tied = sum(read(asked(pair)) or 0 for pair in ((tones[0], tones[1]), (tones[1], tones[0]))) == 2
    assert (there, back) == (1, 1) if tied else there != back


def test_words_alone_leave_it_at_chance() -> None:
    one = dialogue("d")
    choices = [
        read(question(one, Arm.WORDS, turn, order, seed=0, chosen=None)) == right_choice("d", turn, order, 0)
        for turn in (4, 6)
        for order in (1, 2)
    ]
    assert sum(choices) == 2


def test_what_suits_depends_on_the_moment() -> None:
    """The same two tones, neither of them unkind: the story decides."""
    lively, still = "Bright and quick, with a soaring pitch.", "Slow and low, with quiet pauses."
    assert read(asked((lively, still), said="I got the job! I am so happy, we must celebrate!")) == 1
    assert read(asked((lively, still), said="My dog died last night and I feel so alone.")) == 2


def test_how_the_other_person_speaks_is_read_as_well() -> None:
    one = asked(("Bright and quick, with a soaring pitch.", "Slow and low, with quiet pauses."), said="Guess what.")
    loud = replace(one, heard=tuple(replace(line, tone="Bubbly, bright and laughing.") for line in one.heard))
    low = replace(one, heard=tuple(replace(line, tone="Trembling, faint and low.") for line in one.heard))
    assert (read(loud), read(low)) == (1, 2)


def test_how_the_answering_person_spoke_before_is_not() -> None:
    one = asked((RESONANT, DISSONANT))
    own = [line for line in one.heard if line.speaker == one.speaker]
    assert own
    cheered = tuple(
        replace(line, tone="Bubbly and bright.") if line.speaker == one.speaker else line for line in one.heard
    )
    assert moods_of(replace(one, heard=cheered)) == moods_of(one)


@pytest.mark.parametrize(
    ("tone", "axis", "value"),
    [
        ("Without any rush.", Axis.PACE, -1),
        ("Never sharp.", Axis.WARMTH, 1),
        ("Not slow.", Axis.PACE, 1),
        ("High energy.", Axis.LOUDNESS, 1),
        ("A low volume.", Axis.LOUDNESS, -1),
        ("Below the others.", Axis.PITCH, None),  # "low" stands within it
        ("Slow, unhurried, lingering, with a pause.", Axis.PACE, -2),
        ("A table.", Axis.PACE, None),
        ("Hardly a gap.", Axis.WARMTH, None),  # and not hard
        ("Hard on each word.", Axis.WARMTH, -1),
    ],
)
def test_words_of_a_tone(tone: str, axis: Axis, value: float | None) -> None:
    assert voice_of(tone).get(axis) == value


@given(tone=TONES)
@settings(max_examples=25)
def test_a_voice_is_within_its_range(tone: str) -> None:
    assert all(-2 <= value <= 2 and value for value in voice_of(tone).values())


def test_the_lexicon_is_whole() -> None:
    assert set(WANTED) == set(STORY) == set(MOOD_OF_TONE) == set(Mood)
    assert all(set(WANTED[mood]) == set(Axis) for mood in Mood)
    assert all(bool(voice_of(entry)) is bool(moves) for entry, moves in TONE.items())
    assert {axis for moves in TONE.values() for axis, _ in moves} == set(Axis)
    assert all(entry == entry.casefold() for entry in TONE)
    words = [word for mood in Mood for word in STORY[mood].split()]
    assert len(words) == len(set(words))


def test_it_says_that_it_is_no_language_model_and_why_it_chose() -> None:
    assert "no language model" in READER.model
    reply = asyncio.run(READER.read(asked((RESONANT, DISSONANT))))
    assert reply.choice == 1
    assert "option 1" in reply.reasoning
    assert "weight" in reply.reasoning
    assert READER.planned(asked((RESONANT, DISSONANT))) == ()


def test_it_reads_dialogues_that_others_made(shared_data: Path) -> None:
    """Twelve real dialogues, whose tones were written by somebody else; better than three in four is far from chance."""
    right = []
    for path in sorted((shared_data / "speecheq").glob("*/metadata.json")):
        record = json.loads(path.read_bytes())
        scenario, said = record["scenario"], record["conversation"]
        tones = {(one["sentence_number"], one["eq_level"]): one["tone_description"] for one in record["audio_files"]}
        for turn in (4, 6):
            heard = tuple(
                Heard(line["speaker"], line["text"], tones[line["sentence_number"], "high"])
                for line in said[: turn - 1]
            )
            for order in (1, 2):
                levels = ("high", "low") if order == 1 else ("low", "high")
                asked = Question(
                    dialogue="",
                    arm=Arm.FULL,
                    turn=turn,
                    order=1 if order == 1 else 2,
                    context=scenario["context"],
                    description=scenario["description"],
                    heard=heard,
                    speaker="speaker2",
                    line=said[turn - 1]["text"],
                    tones=(tones[turn, levels[0]], tones[turn, levels[1]]),
                )
                right.append(read(asked) == levels.index("high") + 1)
    assert len(right) == 48
    assert sum(right) > 36
