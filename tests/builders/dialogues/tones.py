"""Written dialogues, and a voice that speaks them as tones: real files for real measuring, each as a test wants it."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from earmark.builders.contrast.profile import shipped
from earmark.builders.dialogues.makers import Commission, LineToSpeak, SpokenLine, Unspoken
from earmark.builders.dialogues.records import (
    Author,
    Dialogue,
    DissonantPersona,
    Line,
    Person,
    Scenario,
    Script,
    Selection,
    TargetTones,
    Tone,
    Tones,
)
from earmark.builders.dialogues.voiced import Voiced
from earmark.builders.dialogues.voicing.listening import WordsCheck
from earmark.builders.dialogues.voicing.spoken import Origin
from earmark.builders.dialogues.voicing.synthesis import Gate, voice
from earmark.builders.ledger.calls import CallRequest
from earmark.manifests.attempts import DISSONANT, RESONANT
from earmark.manifests.eqi import FAILURES, SUBSCALES, VALENCES
from earmark.manifests.findings import Findings

KEY = bytes(range(7, 39))
ORIGIN = Origin(corpus="toy-tones", version="1.0.0", licence="CC0-1.0")
RATE = 8_000

LINES = (
    "They have moved me to the other floor.",
    "When did they tell you that?",
    "An hour ago, and my desk is gone already.",
    "So that is what the boxes were for.",
    "I do not even know whom to ask.",
    "Well, it is Monday tomorrow.",
)


@dataclass(frozen=True)
class Sound:
    """How a line is spoken: F0 in Hz, level in dBFS, syllables a second, and length in seconds."""

    f0: float = 200.0
    level: float = -20.0
    pace: float = 4.0
    seconds: float = 0.7


CALM = Sound()
HARSH = Sound(f0=290.0, level=-12.0, pace=6.0, seconds=0.5)
"""Far from calm: passes the gate beside it."""

Plan = Callable[[LineToSpeak], Sound | str]
"""How a line is spoken, or why it is not."""


def plain(line: LineToSpeak) -> Sound:
    """Everything as it should be at the first attempt."""
    return HARSH if line.option == DISSONANT else CALM


def fails_until(attempts: Mapping[tuple[str, int], int]) -> Plan:
    """Both options of some turns sound alike until their dissonant one is tried so often."""

    def plan(line: LineToSpeak) -> Sound:
        late = line.attempt < attempts.get((line.dialogue, line.turn), 0)
        return CALM if late else plain(line)

    return plan


@dataclass
class ToneVoice:
    """A speaker; `asked` is every line it was asked for, `made` every file it wrote."""

    plan: Plan = plain
    asked: list[LineToSpeak] = field(default_factory=list)
    made: list[str] = field(default_factory=list)
    provider: str = "tones"
    model: str = "tones 1"

    def cast(self, dialogue: Dialogue) -> tuple[str, str]:
        return "low", ("high", "higher")[int(dialogue.name[-1], 36) % 2]

    async def speak(self, lines: Sequence[LineToSpeak], folder: Path) -> Sequence[SpokenLine | Unspoken]:
        return [self._speak(line, folder) for line in lines]

    def planned(self, lines: Sequence[LineToSpeak]) -> Sequence[CallRequest]:
        return ()

    def _speak(self, line: LineToSpeak, folder: Path) -> SpokenLine | Unspoken:
        self.asked.append(line)
        sound = self.plan(line)
        if isinstance(sound, str):
            return Unspoken(sound)
        path = folder / line.filename
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_tone(path, sound, line)
            self.made.append(line.filename)
        return SpokenLine(line.filename, hashlib.sha256(path.read_bytes()).hexdigest(), line.seed)


def write_tone(path: Path, sound: Sound, line: LineToSpeak) -> None:
    """Harmonics that swell and fade as syllables do, a little different for each line, so that no two files are one."""
    import soundfile

    own = np.frombuffer(hashlib.sha256(line.filename.encode()).digest(), np.int8)
    times = np.arange(round(sound.seconds * RATE)) / RATE
    carrier = sum(np.sin(2 * np.pi * sound.f0 * harmonic * times) / harmonic for harmonic in range(1, 6))
    envelope = 0.55 - 0.45 * np.cos(2 * np.pi * sound.pace * times)
    samples = carrier * envelope
    samples *= 10 ** (sound.level / 20) / np.sqrt(np.mean(samples**2))
    edge = np.concatenate([np.zeros(300), own / 2**19 * (sound.level > -100)])
    samples = np.concatenate([edge, samples, edge])
    soundfile.write(path, np.clip(samples * 2**15, -(2**15), 2**15 - 1).astype(np.int16), RATE)


@dataclass
class Parrot:
    """A listener that hears what a test says of a file, and the script of it otherwise."""

    scripts: Mapping[int, str]
    other: Mapping[str, str] = field(default_factory=dict)
    heard: list[str] = field(default_factory=list)
    name: str = "parrot 1"

    def transcribe(self, paths: Sequence[Path]) -> Sequence[str]:
        return [self._one(path) for path in paths]

    def _one(self, path: Path) -> str:
        name = f"{path.parent.name}/{path.name}"
        self.heard.append(name)
        return self.other.get(name, self.scripts[int(path.name[0])])


def parrot(other: Mapping[str, str] | None = None) -> Parrot:
    """One that knows the lines of every dialogue made here."""
    return Parrot(dict(enumerate(LINES, 1)), other or {})


def dialogue(name: str, number: int = 0) -> Dialogue:
    """A dialogue that is written."""
    one, two = FAILURES[number % len(FAILURES)].slug, FAILURES[(number + 1) % len(FAILURES)].slug
    resonant = Tone(instruction="Low and even, with room after every few words.")
    tones = (resonant, Tone(instruction="Fast and sharp.", failure=one), Tone(instruction="Flat.", failure=two))
    context = Tone(instruction="Plain and steady.")
    return Dialogue(
        name=name,
        scenario=Scenario(
            subscale=SUBSCALES[number % len(SUBSCALES)].slug,
            valence=VALENCES[number % len(VALENCES)],
            type="workplace",
            title=f"Boxes {number}",
            context="An office with few windows.",
            description="Somebody finds out about a move.",
            intent="Steady the other one.",
            first=Person(name="Ada", role="clerk", gender="female"),
            second=Person(name="Bo", role="colleague", gender="nonbinary"),
            first_persona="Tired.",
            resonant_persona="Listens.",
            dissonant_personas=(
                DissonantPersona(failure=one, persona="Bites."),
                DissonantPersona(failure=two, persona="Shrugs."),
            ),
        ),
        script=Script(lines=tuple(Line(turn=turn, text=text) for turn, text in enumerate(LINES, 1))),
        tones=Tones(
            context=(context,) * 4,
            targets=(TargetTones(turn=4, candidates=tones), TargetTones(turn=6, candidates=tones)),
        ),
        selections=tuple(Selection(turn=turn, resonant=1, dissonant=2, reasoning="It bites.") for turn in (4, 6)),  # type: ignore[arg-type]  # two of them
        author=Author(provider="nobody", model="none 1"),
    )


def dialogues(count: int) -> list[Dialogue]:
    """Several."""
    return [dialogue(f"boxes-{number}", number) for number in range(count)]


def spoken(
    written: Sequence[Dialogue],
    speaker: ToneVoice,
    folder: Path,
    *,
    words: WordsCheck | None = None,
    most: int = 3,
    jobs: int = 1,
    findings: Findings | None = None,
    asked: Sequence[Commission] = (),
    profile: str = "default",
    with_pages: bool = False,
) -> Voiced:
    """Everything that comes of speaking some dialogues."""
    return asyncio.run(
        voice(
            written,
            speaker=speaker,
            gate=Gate(profile=shipped(profile), most=most),
            words=words,
            origin=ORIGIN,
            folder=folder,
            key=KEY,
            seed=1,
            jobs=jobs,
            findings=Findings(strict=True) if findings is None else findings,
            progress=lambda *_: None,
            asked=asked,
            with_pages=with_pages,
        )
    )


async def voiced_by(listener: Parrot, folder: Path) -> Voiced:
    """What comes of one dialogue that somebody listens to, within a loop of the test's own."""
    return await voice(
        dialogues(1),
        speaker=ToneVoice(),
        gate=Gate(profile=shipped("default"), most=3),
        words=WordsCheck(listener=listener, limit=0.2),
        origin=ORIGIN,
        folder=folder,
        key=KEY,
        seed=1,
        jobs=1,
        findings=Findings(strict=True),
        progress=lambda *_: None,
        with_pages=False,
    )


def rows_of(voiced: Voiced, name: str, turn: int, option: str = RESONANT) -> list[dict[str, object]]:
    """Rows of the attempts at a rendering, in order."""
    found = [row for row in voiced.attempts if (row["dialogue"], row["turn"], row["option"]) == (name, turn, option)]
    return sorted(found, key=lambda row: int(str(row["attempt"])))
