"""A conversation of two: who says what in which turn, and what it sounds like once the voice has spoken.

Planning needs no voice; laying out needs only its samples. Voice activity is read off the samples at 100 Hz, so that the
pauses within a sentence are the ones that are heard.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from earmark.audio.resample import quantise, resample
from earmark.builders.miniatures.sentences import BACKCHANNEL, sentence
from earmark.builders.voices.espeak import Speech, SpokenWord, Utterance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from earmark.builders.miniatures.deliveries import Delivery
    from earmark.builders.miniatures.dice import Dice

RATE = 48_000
"""Sampling rate of the corpus, Hz."""

FRAME = RATE // 100
"""One step of the voice activity, samples."""

_FLOOR = 0.02  # a frame is speech above this fraction of the loudest frame of its utterance, -34 dB
_SHORTEST_PAUSE = 12  # frames; a shorter gap is a stop consonant
_CHARACTERS_PER_WORD = 0.104  # characters per second that the voice speaks, for each word per minute
_BACKCHANNEL_RATE = 420  # fast enough for 0.17 s


class Speaker(NamedTuple):
    """A person, the same in every conversation.

    Attributes:
        voice: language and variant.
        pitch: own base pitch, in the voice's steps.
        level: own amplitude relative to others.
        tempo: own rate relative to others.
    """

    voice: str
    pitch: int
    level: float
    tempo: float


class Member(NamedTuple):
    """One of the two, in one conversation.

    Attributes:
        file_id: the file that will hold their channel.
        speaker: who they are.
        delivery: how their role speaks.
        seconds: speech they are to say, about, s.
    """

    file_id: str
    speaker: Speaker
    delivery: Delivery
    seconds: float


class Turn(NamedTuple):
    """What one member says before the other takes over.

    Attributes:
        member: 0 or 1.
        utterances: one for each sentence.
    """

    member: int
    utterances: tuple[Utterance, ...]


class Plan(NamedTuple):
    """A conversation before it is spoken.

    Attributes:
        members: the two.
        turns: in order; members alternate.
        backchannels: what each says as a listener.
    """

    members: tuple[Member, Member]
    turns: tuple[Turn, ...]
    backchannels: tuple[Utterance, Utterance]

    @property
    def script(self) -> list[Utterance]:
        """Everything in the order in which it is to be spoken: all turns, then the two backchannels."""
        return [utterance for turn in self.turns for utterance in turn.utterances] + list(self.backchannels)


class Word(NamedTuple):
    """A word and its times, s; None where the corpus lacks them."""

    text: str
    start: float | None
    end: float | None


class Line(NamedTuple):
    """One element of a transcript.

    Attributes:
        text: the sentence.
        start: s.
        end: s.
        words: its words.
    """

    text: str
    start: float
    end: float
    words: tuple[Word, ...]


class Track(NamedTuple):
    """One member's channel.

    Attributes:
        samples: int16 at 48 kHz, shape (n,); n is the same for both members.
        vad: (start, end) of every stretch of speech, s, in order, apart.
        lines: the transcript, in order.
    """

    samples: NDArray[np.int16]
    vad: list[tuple[float, float]]
    lines: list[Line]


def plan(dice: Dice, members: tuple[Member, Member]) -> Plan:
    """Decide who says what, and how each sentence is delivered."""
    said = (_sentences(dice, members[0]), _sentences(dice, members[1]))
    count = max(1, *(round(member.seconds / member.delivery.turn) for member in members))
    count = min(count, len(said[0]), len(said[1]))
    first = dice.whole(0, 1, "first turn")
    turns = []
    for n in range(count):
        for member in (first, 1 - first):
            whole = len(said[member])
            turns.append(Turn(member, tuple(said[member][n * whole // count : (n + 1) * whole // count])))
    listeners = [
        Utterance(
            BACKCHANNEL,
            member.speaker.voice,
            _BACKCHANNEL_RATE,
            member.speaker.pitch,
            member.delivery.range,
            _held(0.6 * member.delivery.volume * member.speaker.level, 10, 120),
        )
        for member in members
    ]
    return Plan(members, tuple(turns), (listeners[0], listeners[1]))


def lay_out(dice: Dice, planned: Plan, speeches: Sequence[Speech]) -> tuple[Track, Track]:
    """Set the spoken sentences on one time axis that both members share.

    Args:
        dice: draws gaps, overlaps, pauses and backchannels.
        planned: the plan.
        speeches: one for each utterance of the plan's script.

    Returns:
        The two members' tracks, of one length.
    """
    voiced = [_Voiced.of(speech) for speech in speeches]
    placed: tuple[list[tuple[int, _Voiced, str]], list[tuple[int, _Voiced, str]]] = ([], [])
    turns: list[tuple[int, int, int]] = []  # member, first frame, frame after the last
    ready = iter(zip(voiced, planned.script, strict=True))
    cursor = dice.whole(40, 120, "lead-in")
    for n, turn in enumerate(planned.turns):
        delivery = planned.members[turn.member].delivery
        low, high = delivery.gap
        gap = (
            -dice.between(0.05, 0.4, "overlap", n)
            if n and dice.chance(0.2, "overlaps", n)
            else dice.between(low, high, "gap", n)
        )
        begun = cursor = max(cursor + round(100 * gap), turns[-2][2] + 10 if n > 1 else 0)
        for k in range(len(turn.utterances)):
            if k:
                cursor += max(12, round(100 * delivery.pause * exp(0.5 * dice.normal("pause", n, k))))
            voice, utterance = next(ready)
            placed[turn.member].append((cursor, voice, utterance.text))
            cursor += voice.frames
        turns.append((turn.member, begun, cursor))
    for n, (member, begun, ended) in enumerate(turns):
        if ended - begun > 300 and dice.chance(0.4, "backchannel", n):
            at = begun + round((ended - begun) * dice.between(0.35, 0.65, "backchannel at", n))
            placed[1 - member].append((at, voiced[len(voiced) - 1 - member], BACKCHANNEL))
    total = (cursor + dice.whole(50, 100, "tail")) * FRAME
    first, second = (
        _track(dice.within(member.file_id), sorted(placed[n], key=lambda at: at[0]), total)
        for n, member in enumerate(planned.members)
    )
    return first, second


def hum(utterance: Utterance) -> Speech:
    """Stand in for the voice where tests need only some sound in the right places: a tone as long as the words would take."""
    seconds = _seconds(utterance.text, utterance.rate)
    phase = 2 * np.pi * (100 + utterance.pitch) * np.arange(int(seconds * RATE)) / RATE
    samples = np.rint(60 * utterance.volume * np.sin(phase)).astype(np.int16)
    words, at = [], 0
    for word in utterance.text.split():
        words.append(SpokenWord(at, len(word), at * len(samples) // len(utterance.text)))
        at += len(word) + 1
    return Speech(samples, RATE, tuple(words), "tones")


class _Voiced(NamedTuple):
    """A spoken sentence at the corpus's rate, from its first voiced frame to its last."""

    samples: NDArray[np.int16]
    active: list[tuple[int, int]]  # frames
    words: list[tuple[int, float]]  # offset in the text, s

    @property
    def frames(self) -> int:
        return self.active[-1][1]

    @classmethod
    def of(cls, speech: Speech) -> _Voiced:
        samples = speech.samples
        if speech.rate != RATE:
            samples = quantise(resample(samples, speech.rate, RATE), 16).samples.astype(np.int16, copy=False)
        active = active_frames(samples)
        first = active[0][0]
        cut = samples[first * FRAME : active[-1][1] * FRAME]
        words = [(word.start, max(0.0, word.sample / speech.rate - first / 100)) for word in speech.words]
        return cls(cut, [(start - first, end - first) for start, end in active], words)


def active_frames(samples: NDArray[np.int16]) -> list[tuple[int, int]]:
    """Stretches of speech in one utterance.

    Args:
        samples: int16 at 48 kHz, at least one frame of 10 ms, not all silent.

    Returns:
        (first frame, frame after the last), in order; a gap of less than 0.12 s is no pause.
    """
    frames = samples[: len(samples) // FRAME * FRAME].reshape(-1, FRAME).astype(np.float32)
    power = np.einsum("ij,ij->i", frames, frames)
    loud = np.flatnonzero(power > _FLOOR**2 * power.max())
    breaks = np.flatnonzero(np.diff(loud) > _SHORTEST_PAUSE)
    starts = loud[np.concatenate(([0], breaks + 1))]
    ends = loud[np.concatenate((breaks, [len(loud) - 1]))] + 1
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def _track(dice: Dice, placed: list[tuple[int, _Voiced, str]], total: int) -> Track:
    # Room tone of a few steps, so that a pause is quiet and not digitally silent.
    tone = (np.frombuffer(dice.noise(RATE * 2, "room"), dtype=np.uint8) >> 5).astype(np.int16) - 4
    samples = np.resize(tone, total)
    vad: list[tuple[float, float]] = []
    lines = []
    for at, voiced, text in placed:
        here = samples[at * FRAME : at * FRAME + len(voiced.samples)]
        np.copyto(here, np.clip(here.astype(np.int32) + voiced.samples, -32768, 32767).astype(np.int16))
        vad.extend(((at + start) / 100, (at + end) / 100) for start, end in voiced.active)
        lines.append(Line(text, at / 100, (at + voiced.frames) / 100, _words(text, voiced, at / 100)))
    return Track(samples, vad, lines)


def _words(text: str, voiced: _Voiced, origin: float) -> tuple[Word, ...]:
    tokens = text.split()
    groups: list[
        tuple[float, list[str]]
    ] = []  # the voice runs some words together ("in the"): one time for all of them
    offset = 0
    for token in tokens:
        offset = text.index(token, offset)
        begins = [seconds for start, seconds in voiced.words if offset <= start < offset + len(token)]
        if begins or not groups:
            groups.append((min(begins, default=0.0), []))
        groups[-1][1].append(token)
        offset += len(token)
    words = []
    for n, (start, group) in enumerate(groups):
        later = groups[n + 1][0] if n + 1 < len(groups) else voiced.frames / 100
        # A word ends where the next begins, or where the voice pauses before that.
        pause = next((end / 100 for _, end in voiced.active if start < end / 100), later)
        end = max(start + 0.01, min(later, pause))
        whole, spent = sum(map(len, group)), 0
        for token in group:
            edges = (start + (end - start) * part / whole for part in (spent, spent + len(token)))
            words.append(Word(token, *(round(origin + edge, 3) for edge in edges)))
            spent += len(token)
    return tuple(words)


def _sentences(dice: Dice, member: Member) -> list[Utterance]:
    speaker, delivery, own = member.speaker, member.delivery, dice.within(member.file_id)
    rate = delivery.rate * speaker.tempo * exp(0.09 * own.normal("rate"))
    pitch = speaker.pitch + delivery.pitch + 3 * own.normal("pitch")
    movement = delivery.range + 12 * own.normal("range")
    volume = delivery.volume * speaker.level * exp(0.3 * own.normal("volume"))
    said: list[Utterance] = []
    seconds = 0.0
    while seconds < member.seconds:
        n = len(said)
        utterance = Utterance(
            sentence(own, "sentence", n),
            speaker.voice,
            _held(rate * exp(0.04 * own.normal("rate", n)), 80, 450),
            _held(pitch + 3 * own.normal("pitch", n), 0, 99),
            _held(movement, 0, 100),
            _held(volume * exp(0.08 * own.normal("volume", n)), 10, 150),
        )
        said.append(utterance)
        seconds += _seconds(utterance.text, utterance.rate)
    return said


def _seconds(text: str, rate: int) -> float:
    return len(text) / (_CHARACTERS_PER_WORD * rate)


def _held(value: float, low: int, high: int) -> int:
    return min(high, max(low, round(value)))
