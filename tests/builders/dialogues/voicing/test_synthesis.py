"""From written dialogues to spoken ones: what is spoken again, what is given up, and that nothing else decides about it."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders.dialogues.tones import (
    CALM,
    HARSH,
    KEY,
    ORIGIN,
    Sound,
    ToneVoice,
    dialogue,
    dialogues,
    fails_until,
    plain,
    rows_of,
    spoken,
)
from tests.builders.dialogues.written import DIALOGUE

from earmark.builders.contrast.features import Features
from earmark.builders.contrast.gate import DISCARD, REASONS, Attempt, decide
from earmark.builders.contrast.profile import shipped
from earmark.builders.contrast.shortcuts import PROBE, Chosen, shortcuts
from earmark.builders.contrast.signs import SIGNED
from earmark.builders.dialogues.makers import LineToSpeak
from earmark.builders.dialogues.records import RENDERINGS, TARGET_TURNS
from earmark.builders.dialogues.speakers import OfflineSpeaker
from earmark.builders.dialogues.voiced import Voiced
from earmark.builders.dialogues.voicing import hearing
from earmark.builders.dialogues.voicing.synthesis import Gate, seed_of, voice, warn_of
from earmark.manifests.attempts import CONTEXT, DISSONANT, OPTIONS, RESONANT
from earmark.manifests.findings import Findings

pytest.importorskip("parselmouth")
pytest.importorskip("pyloudnorm")


def attempt_of(row: dict[str, object]) -> Attempt:
    """A row of the table as the gate takes it."""
    measures = {name: row[name] for name in Features.__dataclass_fields__}
    mfcc = measures["mfcc"]
    features = Features(**{**measures, "mfcc": None if mfcc is None else tuple(mfcc)})  # type: ignore[arg-type]  # by name
    return Attempt(
        option=str(row["option"]),
        number=int(str(row["attempt"])),
        features=features,
        rejected=None if row["rejected"] is None else str(row["rejected"]),
    )


def neutral_of(voiced: Voiced, name: str) -> Features | None:
    """The measures of turn 2, where it has a clip that can be used."""
    rows = [row for row in rows_of(voiced, name, 2, CONTEXT) if row["rejected"] is None]
    return attempt_of({**rows[-1], "option": RESONANT}).features if rows else None


def check_whole(voiced: Voiced, speaker: ToneVoice, names: set[str]) -> None:
    """What holds of every build: nothing is lost, nothing stands twice, and what stands in it is its own and passed."""
    keys = [(row["dialogue"], row["turn"], row["option"], row["attempt"]) for row in voiced.attempts]
    asked = [(line.dialogue, line.turn, line.option, line.attempt) for line in speaker.asked]
    assert Counter(keys) == Counter(asked)
    assert set(Counter(keys).values()) == {1}
    kept, lost = {one.name for one in voiced.dialogues}, {str(row["dialogue"]) for row in voiced.dropped}
    assert kept | lost == names
    assert not kept & lost
    used = Counter(row["dialogue"] for row in voiced.attempts if row["used"])
    assert used == dict.fromkeys(kept, len(RENDERINGS))
    assert not [row for row in voiced.attempts if row["used"] and row["rejected"] is not None]
    for one in voiced.dialogues:
        assert [(clip.turn, clip.option) for clip in one.clips] == list(RENDERINGS)
        for clip in one.clips:
            assert clip.path.split("/")[0] == one.name
            assert (voiced.root / clip.path).is_file()
            rows = rows_of(voiced, one.name, clip.turn, clip.option)
            assert [row["attempt"] for row in rows] == list(range(len(rows)))
            assert rows[clip.attempt]["used"] is True
            assert [row["remade"] is None for row in rows] == [False] * (len(rows) - 1) + [True]
            assert {row["remade"] for row in rows[:-1]} <= REASONS.keys()
        for turn in TARGET_TURNS:
            rows = [row for option in OPTIONS for row in rows_of(voiced, one.name, turn, option)]
            again = decide(
                [attempt_of(row) for row in rows if row["used"]],
                shipped("default"),
                neutral=neutral_of(voiced, one.name),
            )
            assert again.verdict == "passed"
            assert all(row["points"] >= again.points for row in rows if row["used"])  # type: ignore[operator]  # both are numbers


def check_replayed(voiced: Voiced, name: str, turn: int, most: int = 3) -> list[str]:
    """Every decision about a turn comes out again from the rows of its attempts; the reasons in their order."""
    rows = {option: rows_of(voiced, name, turn, option) for option in OPTIONS}
    made = dict.fromkeys(OPTIONS, 1)
    reasons = []
    while True:
        so_far = [attempt_of(row) for option in OPTIONS for row in rows[option][: made[option]]]
        decision = decide(so_far, shipped("default"), neutral=neutral_of(voiced, name), most=most)
        if decision.option is None:
            assert {option: len(rows[option]) for option in OPTIONS} == made
            return reasons
        assert rows[decision.option][made[decision.option] - 1]["remade"] == decision.reason
        reasons.append(f"{decision.option} {decision.reason}")
        made[decision.option] += 1


def test_the_second_speakers_other_line_tells_which_option_is_made_again(tmp_path: Path) -> None:
    """Of two options that are too near each other the one is made again that is as the voice speaks otherwise."""
    moved = replace(CALM, f0=214.0)

    def plan(line: LineToSpeak) -> Sound:
        if line.turn not in TARGET_TURNS or line.attempt > 0:
            return plain(line)
        return moved if (line.option == DISSONANT) == (line.turn == 4) else CALM

    voiced = spoken(dialogues(1), ToneVoice(plan), tmp_path)
    assert check_replayed(voiced, "boxes-0", 4)[0] == "resonant nearer-to-neutral"
    assert check_replayed(voiced, "boxes-0", 6)[0] == "dissonant nearer-to-neutral"


def test_of_pairs_that_pass_those_are_used_that_balance_who_is_louder(tmp_path: Path) -> None:
    """Each turn passes with its second resonant clip, which is louder than one dissonant clip and quieter than the other."""

    def plan(line: LineToSpeak) -> Sound:
        if (line.option, line.attempt) == (RESONANT, 1):
            return replace(HARSH, level=-18.5)
        return replace(CALM, level=-17.0) if (line.option, line.attempt) == (DISSONANT, 1) else CALM

    voiced = spoken(dialogues(2), ToneVoice(plan), tmp_path)
    assert len(voiced.dialogues) == 2
    levels = {
        (row["dialogue"], row["turn"], row["option"]): float(str(row["level"]))
        for row in voiced.attempts
        if row["used"]
    }
    turns = [(name, turn) for name, turn, option in levels if option == RESONANT]
    assert len(turns) == 4
    louder = [levels[name, turn, RESONANT] > levels[name, turn, DISSONANT] for name, turn in turns]
    assert sorted(louder) == [False, False, True, True]
    balance = voiced.report["balance"]
    assert isinstance(balance, dict)
    # All four are higher, shorter, faster and brighter, which no choice can change.
    assert (balance["turns with a choice"], balance["imbalance"], balance["least that is possible"]) == (4, 16, 16)


def test_what_passes_at_once_is_spoken_once(tmp_path: Path) -> None:
    speaker = ToneVoice()
    voiced = spoken(dialogues(3), speaker, tmp_path)
    check_whole(voiced, speaker, {f"boxes-{n}" for n in range(3)})
    assert len(voiced.attempts) == 3 * len(RENDERINGS)
    assert voiced.dropped == []
    [first, *_] = voiced.dialogues
    assert (first.corpus, first.corpus_version, first.licence) == ("toy-tones", "1.0.0", "CC0-1.0")
    clip = first.clip(4, DISSONANT)
    assert (clip.tone, clip.failure) == ("Fast and sharp.", first.clip(6, DISSONANT).failure)
    assert first.clip(4, RESONANT).failure is None
    assert clip.voice == first.clip(4, RESONANT).voice == first.clip(2, CONTEXT).voice != first.clip(1, CONTEXT).voice
    assert {(row["turn"], row["voice"]) for row in voiced.attempts if row["dialogue"] == "boxes-0"} == {
        (turn, "low" if turn in (1, 3, 5) else "high") for turn in range(1, 7)
    }
    assert clip.sound["f0_median"] == pytest.approx(HARSH.f0, rel=0.01)
    assert clip.sound["words_per_second"] == pytest.approx(8 / HARSH.seconds, rel=0.05)
    assert voiced.recipe["words"] == voiced.report["words"] == "unchecked"


def test_a_turn_without_contrast_is_tried_until_it_has_one(tmp_path: Path) -> None:
    speaker = ToneVoice(fails_until({("boxes-1", 4): 2}))
    voiced = spoken(dialogues(3), speaker, tmp_path)
    check_whole(voiced, speaker, {f"boxes-{n}" for n in range(3)})
    rows = {option: rows_of(voiced, "boxes-1", 4, option) for option in OPTIONS}
    assert sum(map(len, rows.values())) == 5
    assert [row["used"] for row in rows[DISSONANT]] == [False, False, True]
    assert [row["points"] >= 4 for row in rows[DISSONANT]] == [False, False, True]  # type: ignore[operator]  # numbers
    assert len(check_replayed(voiced, "boxes-1", 4)) == 3
    seeds = [row["seed"] for row in voiced.attempts]
    assert len(set(seeds)) == len(seeds)


def test_what_never_passes_is_given_up_and_kept_with_its_reason(tmp_path: Path) -> None:
    speaker = ToneVoice(fails_until({("boxes-1", 6): 99}))
    voiced = spoken(dialogues(2), speaker, tmp_path, most=2)
    check_whole(voiced, speaker, {"boxes-0", "boxes-1"})
    [lost] = voiced.dropped
    assert lost["dialogue"] == "boxes-1"
    assert str(lost["dropped"]).startswith("turn 6 has no contrast after 4 clips; the best pair has ")
    rows = [row for option in OPTIONS for row in rows_of(voiced, "boxes-1", 6, option)]
    assert len(rows) == 2 + 2
    assert decide([attempt_of(row) for row in rows], shipped("default"), most=2).verdict == DISCARD
    assert not [row for row in voiced.attempts if row["dialogue"] == "boxes-1" and row["used"]]


def mute(line: LineToSpeak) -> Sound | str:
    """One option is spoken at the third attempt, one line of context at the second, another never."""
    place = line.dialogue, line.turn, line.option
    if place == ("boxes-0", 4, RESONANT) and line.attempt < 2:
        return "the server refuses"
    if place == ("boxes-0", 5, CONTEXT) and line.attempt < 1:
        return "silent"
    return "no voice" if place == ("boxes-1", 2, CONTEXT) else plain(line)


def test_what_is_not_spoken_counts_as_an_attempt(tmp_path: Path) -> None:
    speaker = ToneVoice(mute)
    voiced = spoken(dialogues(2), speaker, tmp_path, most=2)
    check_whole(voiced, speaker, {"boxes-0", "boxes-1"})
    rows = rows_of(voiced, "boxes-0", 4)
    assert [row["rejected"] for row in rows] == ["unspoken: the server refuses"] * 2 + [None]
    assert [row["file_hash"] is None for row in rows] == [True, True, False]
    assert [row["f0"] is None for row in rows] == [True, True, False]
    assert [row["remade"] for row in rows] == ["missing", "missing", None]
    assert [row["used"] for row in rows_of(voiced, "boxes-0", 5, CONTEXT)] == [False, True]
    [lost] = voiced.dropped
    assert lost["dropped"] == "turn 2 has no clip after 3 attempts; the last one: unspoken: no voice"
    assert len(rows_of(voiced, "boxes-1", 2, CONTEXT)) == 3


def test_a_file_that_says_nothing_or_is_none_is_rejected(tmp_path: Path) -> None:
    class Broken(ToneVoice):
        async def speak(self, lines, folder):  # type: ignore[no-untyped-def]  # as its parent's
            made = list(await super().speak(lines, folder))
            for line in lines:
                if line.attempt == 0 and (line.turn, line.option) == (6, DISSONANT):
                    (folder / line.filename).write_bytes(b"<html>")
            return made

    def silent(line: LineToSpeak) -> Sound:
        quiet = line.attempt == 0 and (line.turn, line.option) == (1, CONTEXT)
        return replace(CALM, level=-200.0) if quiet else plain(line)

    speaker = Broken(silent)
    voiced = spoken(dialogues(1), speaker, tmp_path)
    check_whole(voiced, speaker, {"boxes-0"})
    assert str(rows_of(voiced, "boxes-0", 6, DISSONANT)[0]["rejected"]).startswith("unreadable: ")
    assert str(rows_of(voiced, "boxes-0", 1, CONTEXT)[0]["rejected"]).startswith("no-speech: ")
    assert voiced.dropped == []


FAILING = st.dictionaries(
    st.tuples(st.sampled_from(["boxes-0", "boxes-1", "boxes-2"]), st.sampled_from(TARGET_TURNS)), st.integers(0, 3)
)


@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(failing=FAILING, order=st.permutations(range(3)), most=st.integers(0, 2))
def test_neither_the_order_nor_the_neighbours_change_a_dialogue(
    failing: dict[tuple[str, int], int], order: list[int], most: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = tmp_path_factory.mktemp("any")
    written = dialogues(3)
    speaker = ToneVoice(fails_until(failing))
    voiced = spoken([written[n] for n in order], speaker, place, most=most)
    check_whole(voiced, speaker, {one.name for one in written})
    alone = spoken([written[1]], ToneVoice(fails_until(failing)), place, most=most)
    mine = [row for row in voiced.attempts if row["dialogue"] == "boxes-1"]
    # Which of several pairs that pass is used is balanced over all dialogues; everything else is the dialogue's own.
    assert [{**row, "used": None} for row in mine] == [{**row, "used": None} for row in alone.attempts]
    assert [row for row in voiced.dropped if row["dialogue"] == "boxes-1"] == alone.dropped


def test_a_build_that_goes_on_speaks_and_measures_nothing_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = fails_until({("boxes-0", 4): 1})

    class Killed(ToneVoice):
        async def speak(self, lines, folder):  # type: ignore[no-untyped-def]  # as its parent's
            await super().speak(lines[:5], folder)
            raise KeyboardInterrupt

    killed = Killed(plan)
    with pytest.raises(KeyboardInterrupt):
        spoken(dialogues(2), killed, tmp_path)
    assert len(killed.made) == 5
    resumed = ToneVoice(plan)
    voiced = spoken(dialogues(2), resumed, tmp_path)
    assert not set(killed.made) & set(resumed.made)
    elsewhere = spoken(dialogues(2), ToneVoice(plan), tmp_path / "elsewhere")
    assert replace(elsewhere, root=tmp_path) == voiced

    def measured_again(*_: object, **__: object) -> None:
        raise AssertionError("a clip was measured that is known")

    monkeypatch.setattr(hearing, "measure_clips", lambda requests, **_: measured_again() if requests else [])
    third = ToneVoice(plan)
    assert spoken(dialogues(2)[::-1], third, tmp_path) == voiced
    assert third.made == []


@pytest.mark.slow
def test_processes_change_nothing(tmp_path: Path) -> None:
    written = dialogues(9)
    one = spoken(written, ToneVoice(), tmp_path / "one")
    two = spoken(written, ToneVoice(), tmp_path / "two", jobs=2)
    assert replace(two, root=one.root) == one


def test_seeds_are_drawn_with_the_key_and_fit_every_provider() -> None:
    lines = [
        LineToSpeak(dialogue="d", turn=4, option=option, attempt=attempt, text="", tone="", voice="", seed=0)
        for option in OPTIONS
        for attempt in range(50)
    ]
    seeds = [seed_of(line, KEY, 3) for line in lines]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 2**31 for seed in seeds)
    assert max(seeds) > 2**30
    assert not set(seeds) & {seed_of(line, bytes(32), 3) for line in lines}
    assert not set(seeds) & {seed_of(line, KEY, 4) for line in lines}


def test_two_dialogues_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="one name"):
        spoken([dialogue("a"), dialogue("a", 1)], ToneVoice(), tmp_path)


def test_nothing_written_is_nothing_voiced(tmp_path: Path) -> None:
    voiced = spoken([], ToneVoice(), tmp_path)
    assert (voiced.dialogues, voiced.attempts, voiced.dropped) == ((), [], [])


def test_the_offline_voice_speaks_a_dialogue(tmp_path: Path) -> None:
    pytest.importorskip("espeakng_loader")
    speaker = OfflineSpeaker(jobs=1)
    progress: list[tuple[str, int, int]] = []
    voiced = asyncio.run(
        voice(
            [DIALOGUE],
            speaker=speaker,
            gate=Gate(profile=shipped("default"), most=1),
            words=None,
            origin=ORIGIN,
            folder=tmp_path,
            key=KEY,
            seed=0,
            jobs=1,
            findings=Findings(strict=True),
            progress=lambda *told: progress.append(told),
            with_pages=False,
        )
    )
    assert len(voiced.dialogues) + len(voiced.dropped) == 1
    clips = [row for row in voiced.attempts if row["file_hash"] is not None]
    assert len(clips) >= len(RENDERINGS)
    assert {row["provider"] for row in clips} == {speaker.provider}
    assert all(row["words_per_second"] is not None for row in clips)
    assert {what for what, *_ in progress} == {"speaking lines", "measuring clips"}
    assert all(done <= whole for _, done, whole in progress)


def test_a_rule_that_is_right_too_often_is_warned_of_and_its_opposite_is_not() -> None:
    def rows(longer: int, turns: int) -> list[Chosen]:
        """So many of the turns have a longer resonant option; what else differs is as often so as otherwise."""
        return [
            Chosen(
                f"d{turn}",
                4,
                tuple((1.0 if turn < longer else -1.0) if name == "longer" else (-1.0) ** turn for name in SIGNED),
            )
            for turn in range(turns)
        ]

    def warned(longer: int, turns: int) -> dict[str | None, str]:
        findings = Findings()
        warn_of([rule for rule in shortcuts(rows(longer, turns)) if rule.rule != PROBE], findings)
        assert {finding.code.name for finding in findings} <= {"dialogues.shortcut"}
        return {finding.id: str(finding.found) for finding in findings}

    assert list(warned(27, 30)) == ["longer"]
    assert warned(27, 30)["longer"].startswith("0.900 [")
    assert list(warned(3, 30)) == ["shorter"]
    assert warned(15, 30) == {}
    assert warned(20, 30) == {}
    assert warned(3, 3) == {}
