"""The words check over a build: what does not say its words is spoken again, under a limit that the voice itself sets."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from threading import Event

import pytest
from tests.builders.dialogues.tones import LINES, Parrot, ToneVoice, dialogues, parrot, rows_of, spoken, voiced_by

from earmark.builders.dialogues.voicing import listening
from earmark.builders.dialogues.voicing.listening import DEAF, FEW, WordsCheck
from earmark.builders.dialogues.voicing.synthesis import SHORTCUT
from earmark.builders.dialogues.voicing.words import FLOOR, rate_between, word_error_rate
from earmark.manifests.attempts import CONTEXT, DISSONANT, OPTIONS, RESONANT
from earmark.manifests.findings import Findings

pytest.importorskip("parselmouth")
pytest.importorskip("pyloudnorm")
pytest.importorskip("jiwer")


def test_other_words_are_rejected_and_spoken_again(tmp_path: Path) -> None:
    listener = parrot({"boxes-0/4-resonant-0.wav": "so that is a fox", "boxes-1/6-dissonant-0.wav": ""})
    voiced = spoken(dialogues(2), ToneVoice(), tmp_path, words=WordsCheck(listener=listener, limit=0.25))
    first = rows_of(voiced, "boxes-0", 4)
    expected = word_error_rate(LINES[3], "so that is a fox")
    assert [row["wer"] for row in first] == [expected, 0.0]
    assert first[0]["rejected"] == f"other-words: {expected:g} word errors a word of the script, at most 0.25"
    assert [row["remade"] for row in first] == ["missing", None]
    assert [row["used"] for row in first] == [False, True]
    assert [row["wer"] for row in rows_of(voiced, "boxes-1", 6, DISSONANT)] == [1.0, 0.0]
    assert {row["wer"] for row in voiced.attempts if row["option"] == CONTEXT} == {None}
    assert voiced.dropped == []
    assert voiced.recipe["words"] == {"listener": "parrot 1", "limit": 0.25, "limit between options": 0.25}
    assert voiced.dialogues[0].clip(4, RESONANT).wer == 0.0


def test_two_options_must_say_the_same(tmp_path: Path) -> None:
    """Each is within the limit of the script, and they are not within it of each other; the nearer one stays."""
    nearer, further = "So this is what the boxes were for.", "So that was what a boxes were for."
    assert word_error_rate(LINES[3], nearer) < word_error_rate(LINES[3], further) <= 0.25
    assert rate_between(nearer, further) > 0.25
    other = {"boxes-0/4-resonant-0.wav": further, "boxes-0/4-dissonant-0.wav": nearer}
    voiced = spoken(dialogues(1), ToneVoice(), tmp_path, words=WordsCheck(listener=parrot(other), limit=0.25))
    rows = rows_of(voiced, "boxes-0", 4)
    rate = rate_between(nearer, further)
    said = f"other-words: {rate:g} word errors a word against the dissonant option, at most 0.25"
    assert [row["rejected"] for row in rows] == [said, None]
    assert [row["rejected"] for row in rows_of(voiced, "boxes-0", 4, DISSONANT)] == [None]


def test_a_dialogue_whose_words_never_come_is_given_up(tmp_path: Path) -> None:
    other = {f"boxes-0/4-resonant-{attempt}.wav": "no" for attempt in range(9)}
    check = WordsCheck(listener=parrot(other), limit=0.2)
    voiced = spoken(dialogues(2), ToneVoice(), tmp_path, words=check, most=1)
    [lost] = voiced.dropped
    assert str(lost["dropped"]).startswith("turn 4 has no resonant clip after 2 attempts; the last one: other-words: ")
    assert [one.name for one in voiced.dialogues] == ["boxes-1"]


def mishears(share: int) -> Parrot:
    """A word is wrong in the first line of one of so many dialogues and in one option, everything else is right."""
    wrong = " ".join(["They", "have", "moved", "me", "to", "an", "other", "floor."])
    other = {f"boxes-{n}/1-context-0.wav": wrong for n in range(0, 8, share)}
    return parrot(other | {"boxes-0/4-resonant-0.wav": "So this is what the boxes were for."})


def test_a_limit_is_calibrated_on_the_lines_of_context(tmp_path: Path) -> None:
    findings = Findings()
    check = WordsCheck(listener=mishears(2), acceptance=0.9)
    voiced = spoken(dialogues(8), ToneVoice(), tmp_path, words=check, findings=findings)
    told = voiced.report["words"]
    assert isinstance(told, dict)
    wrong = word_error_rate(LINES[0], "They have moved me to an other floor.")
    # 4 of 32 lines are misheard: more than the tenth that may be rejected.
    assert (told["limit"], told["calibration"]["clips"], told["calibration"]["share rejected"]) == (wrong, 32, 0.0)
    assert told["limit between options"] == FLOOR
    assert told["calibration between options"] == {
        "acceptance": 0.9,
        "pairs": 16,
        "rate at it": 0.0,
        "share rejected": pytest.approx(1 / 16),
    }
    # Within the limit of the script, and not within that of the other option.
    assert str(rows_of(voiced, "boxes-0", 4)[0]["rejected"]).endswith("against the dissonant option, at most 0.1")
    assert {row["rejected"] for row in voiced.attempts if row["option"] == CONTEXT} == {None}
    # This voice gives every right option away by its pitch, which is no matter here.
    assert findings.counts.keys() - {SHORTCUT.name} == {FEW.name}


def test_a_listener_that_understands_nothing_is_said_to(tmp_path: Path) -> None:
    findings = Findings()
    nothing = Parrot(dict.fromkeys(range(1, 7), "la la la"))
    spoken(dialogues(1), ToneVoice(), tmp_path, words=WordsCheck(listener=nothing), findings=findings)
    assert findings.counts == {FEW.name: 2, DEAF.name: 1}


def test_nothing_is_heard_twice(tmp_path: Path) -> None:
    first, second = mishears(2), mishears(2)
    one = spoken(dialogues(3), ToneVoice(), tmp_path, words=WordsCheck(listener=first), findings=Findings())
    two = spoken(dialogues(3), ToneVoice(), tmp_path, words=WordsCheck(listener=second), findings=Findings())
    assert one == two
    assert len(first.heard) == len(set(first.heard)) > 0
    assert second.heard == []
    assert {row["option"] for row in one.attempts if row["wer"] is not None} == {CONTEXT, *OPTIONS}


def test_who_is_interrupted_does_not_wait_until_all_is_heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "_AT_A_TIME", 1)
    begun, let_go, ended = Event(), Event(), Event()

    class Slow(Parrot):
        def transcribe(self, paths: Sequence[Path]) -> Sequence[str]:
            begun.set()
            ended.clear()
            assert let_go.wait(10)
            said = super().transcribe(paths)
            ended.set()
            return said

    slow = Slow(parrot().scripts)

    async def interrupted() -> None:
        loop = asyncio.get_running_loop()
        task = asyncio.create_task(voiced_by(slow, tmp_path))
        await loop.run_in_executor(None, begun.wait, 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        let_go.set()
        await loop.run_in_executor(None, ended.wait, 10)

    asyncio.run(interrupted())
    assert len(slow.heard) == 1
