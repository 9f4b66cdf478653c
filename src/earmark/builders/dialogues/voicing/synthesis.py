"""From written dialogues to spoken ones: every line is spoken, measured and judged, and what fails is spoken again.

All dialogues go through the same round together, so that a voice gets many lines at a time: speak, measure, check the words,
decide. A decision depends on what one dialogue has (and on a limit of word errors, where that is calibrated on the first
attempts of all), so neither the order of the dialogues nor the number of processes changes anything. What was made before is
found again by its file, and what was measured by the file's hash.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import TypeAlias

from earmark.builders.contrast.choosing import Choice, choose
from earmark.builders.contrast.gate import DISCARD, MISSING, REGENERATE, REGENERATIONS, decide
from earmark.builders.contrast.profile import Profile
from earmark.builders.contrast.shortcuts import Shortcut, shortcuts
from earmark.builders.dialogues.makers import Commission, LineToSpeak, Speaker
from earmark.builders.dialogues.records import RENDERINGS, TARGET_TURNS, TURNS, Dialogue
from earmark.builders.dialogues.voiced import Voiced
from earmark.builders.dialogues.voicing.file_cache import FileCache
from earmark.builders.dialogues.voicing.hearing import ToHear, hear
from earmark.builders.dialogues.voicing.listening import Listening, WordsCheck
from earmark.builders.dialogues.voicing.rows import assemble
from earmark.builders.dialogues.voicing.spoken import Origin, SpokenDialogues
from earmark.builders.dialogues.voicing.takes import Rendering, Take, Takes
from earmark.builders.media import Progress
from earmark.manifests.attempts import CONTEXT, OPTIONS
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.keys import rank
from earmark.statistics.significance import holm

Wanted: TypeAlias = "list[tuple[Takes, Rendering]]"

NEUTRAL = (2, CONTEXT)
"""The second speaker's other line: what the options of turns 4 and 6 are held against to tell which one has moved less."""

SHORTCUT = declare(
    "dialogues.shortcut",
    Severity.WARNING,
    "a rule that does not listen to what is meant finds the fitting option more often than chance",
)
CHANCE = 0.5
ALPHA = 0.05

_SEED_BITS = 31
"""What every provider takes for a seed."""


@dataclass(frozen=True, kw_only=True)
class Gate:
    """What a turn must pass, and how often it is tried.

    Args:
        profile: What differences are worth.
        most: Regenerations that a turn may have, >= 0; a line of context may be spoken once more than that.
    """

    profile: Profile
    most: int = REGENERATIONS


class _Stopped(Exception):
    """Nobody waits for the thread any more."""


async def voice(
    dialogues: Sequence[Dialogue],
    *,
    speaker: Speaker,
    gate: Gate,
    words: WordsCheck | None,
    origin: Origin,
    folder: Path,
    key: bytes,
    seed: int,
    jobs: int,
    findings: Findings,
    progress: Progress,
    asked: Sequence[Commission] = (),
    with_pages: bool = True,
) -> Voiced:
    """Speak dialogues, and keep those whose two target turns pass.

    Args:
        dialogues: Written, in any order, each name once.
        speaker: The voices.
        gate: What a turn must pass.
        words: Who checks the words; None leaves them unchecked, and the release says so.
        origin: What the corpus that comes of it is called.
        folder: Where the clips are put; what is there is not made again.
        key: The release key.
        seed: Of what is drawn.
        jobs: Processes that measure at a time, >= 1.
        findings: Where problems go.
        progress: Told how far it is.
        asked: What was commissioned, for the quotas in the report; also what nobody wrote.
        with_pages: Whether the page of the build is drawn, which takes seconds; without, there are no pages at all.

    Raises:
        ValueError: Two dialogues have one name.
        MissingExtra: A package of an extra is not installed.
    """
    if len({dialogue.name for dialogue in dialogues}) < len(dialogues):
        raise ValueError("two dialogues have one name")
    ordered = sorted(dialogues, key=lambda dialogue: dialogue.name)
    everybody = [Takes(dialogue, speaker.cast(dialogue)) for dialogue in ordered]
    kept = FileCache(folder, findings)
    stopped = Event()

    def told(what: str, done: int, whole: int) -> None:
        if stopped.is_set():
            raise _Stopped
        progress(what, done, whole)

    listening = Listening(words, kept, findings, told) if words else None
    wanted: Wanted = [(takes, rendering) for takes in everybody for rendering in RENDERINGS]
    try:
        while wanted:
            await _speak(wanted, speaker, folder, key, seed, progress)
            # Off the loop, so that a speaker's connections stay alive meanwhile.
            await asyncio.to_thread(_measure, wanted, gate.profile, folder, kept, jobs, told)
            if listening is not None:
                await asyncio.to_thread(listening.listen, everybody, wanted, folder)
            wanted = [
                (takes, again) for takes in everybody if takes.dropped is None for again in decide_all(takes, gate)
            ]
    finally:
        stopped.set()  # a thread that is left behind by an interrupt would keep the program from ending until it is done
    choice = _choose(everybody, gate.profile, key, seed)
    rules = shortcuts(choice.rows, seed=seed) if choice.rows else ()
    warn_of(rules, findings)
    spoken = SpokenDialogues(
        takes=tuple(everybody),
        choice=choice,
        rules=rules,
        profile=gate.profile,
        most=gate.most,
        origin=origin,
        provider=speaker.provider,
        model=speaker.model,
        words=None if listening is None else listening.as_json(),
        asked=tuple(asked),
        seed=seed,
    )
    return assemble(spoken, folder, with_pages=with_pages)


def warn_of(rules: Sequence[Shortcut], findings: Findings) -> None:
    """Say which rules find the resonant option more often than chance, adjusted by Holm's method.

    Args:
        rules: How often each is right; of a rule and its opposite the better one is tried.
        findings: Where they are named.
    """
    tried = [
        (rule.turns.p, rule)
        for rule in rules
        if rule.turns.p is not None and rule.turns.value is not None and rule.turns.value > CHANCE
    ]
    if not tried:
        return
    adjusted = holm([p for p, _ in tried])
    for (p, rule), corrected in zip(tried, adjusted, strict=True):
        if corrected is not None and corrected < ALPHA:
            ends = f" [{rule.turns.low:.3f}, {rule.turns.high:.3f}]" if rule.turns.low is not None else ""
            found = f"{rule.turns.value:.3f}{ends} of the turns, p {p:.2g}"
            findings.add(SHORTCUT, id=rule.rule, found=found, expected="0.5 within chance; see build.html")


def decide_all(takes: Takes, gate: Gate) -> list[Rendering]:
    """What of a dialogue is spoken again; nothing where all has passed, or where one turn is given up and so the dialogue.

    What is spoken again says why in the latest take of its rendering, and a dialogue that is given up in `dropped`.
    """
    again: dict[Rendering, str] = {}
    neutral = next((take.heard.features for take in takes.usable(NEUTRAL) if take.heard), None)
    for turn in TURNS:
        if turn not in TARGET_TURNS:
            made = takes.made[turn, CONTEXT]
            if takes.usable((turn, CONTEXT)):
                continue
            if len(made) > gate.most:
                takes.dropped = f"turn {turn} has no clip after {len(made)} attempts; the last one: {made[-1].rejected}"
                return []
            again[turn, CONTEXT] = MISSING
            continue
        decision = decide(takes.attempts(turn), gate.profile, neutral=neutral, most=gate.most)
        if decision.verdict == DISCARD:
            takes.no_contrast = decision.points is not None
            takes.dropped = _discarded(takes, turn, decision.points, gate)
            return []
        if decision.verdict == REGENERATE and decision.option is not None and decision.reason is not None:
            again[turn, decision.option] = decision.reason
    for rendering, reason in again.items():
        takes.made[rendering][-1] = replace(takes.made[rendering][-1], remade=reason)
    return list(again)


def _discarded(takes: Takes, turn: int, points: float | None, gate: Gate) -> str:
    if points is not None:
        best = f"the best pair has {points:g} points, {gate.profile.pass_at:g} pass"
        return f"turn {turn} has no contrast after {len(takes.of_turn(turn))} clips; {best}"
    lacking = next(option for option in OPTIONS if not takes.usable((turn, option)))
    made = takes.made[turn, lacking]
    return f"turn {turn} has no {lacking} clip after {len(made)} attempts; the last one: {made[-1].rejected}"


async def _speak(wanted: Wanted, speaker: Speaker, folder: Path, key: bytes, seed: int, progress: Progress) -> None:
    lines = [takes.line(rendering, 0) for takes, rendering in wanted]
    lines = [replace(line, seed=seed_of(line, key, seed)) for line in lines]
    progress("speaking lines", 0, len(lines))
    spoken = await speaker.speak(lines, folder)
    for (takes, rendering), line, found in zip(wanted, lines, spoken, strict=True):
        takes.made[rendering].append(Take(line=line).with_speech(found))
    progress("speaking lines", len(lines), len(lines))


def seed_of(line: LineToSpeak, key: bytes, seed: int) -> int:
    """What an attempt is drawn with: with the key, since it says which option it is; 0 … 2³¹ − 1."""
    return rank(key, seed, "speech", f"{line.dialogue} {line.turn} {line.option} {line.attempt}") >> (64 - _SEED_BITS)


def _measure(wanted: Wanted, profile: Profile, folder: Path, kept: FileCache, jobs: int, progress: Progress) -> None:
    places, clips = [], []
    for takes, rendering in wanted:
        take = takes.made[rendering][-1]
        if take.spoken is not None:
            places.append((takes, rendering))
            clips.append(ToHear(folder / take.spoken.path, take.spoken.file_hash, take.line.text))
    heard = hear(clips, profile, kept=kept, jobs=jobs, progress=progress)
    for (takes, rendering), found in zip(places, heard, strict=True):
        takes.made[rendering][-1] = takes.made[rendering][-1].with_measures(found)


def _choose(everybody: Sequence[Takes], profile: Profile, key: bytes, seed: int) -> Choice:
    """One pair for each turn of the dialogues that are left; what stands in the release is marked so."""
    left = [takes for takes in everybody if takes.dropped is None]
    attempts = {(takes.dialogue.name, turn): takes.attempts(turn) for takes in left for turn in TARGET_TURNS}
    choice = choose(attempts, profile, key=key, seed=seed)
    for takes in left:
        used = {(turn, CONTEXT): takes.usable((turn, CONTEXT))[-1] for turn in TURNS if turn not in TARGET_TURNS}
        for turn in TARGET_TURNS:
            pair = choice.pairs[takes.dialogue.name, turn]
            for option, number in zip(OPTIONS, (pair.resonant, pair.dissonant), strict=True):
                used[turn, option] = takes.made[turn, option][number]
        for rendering, take in used.items():
            takes.made[rendering][take.line.attempt] = replace(take, used=True)
    return choice
