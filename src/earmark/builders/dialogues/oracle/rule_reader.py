"""The embedded rule reader, no language model: it looks words up, and takes the option whose tone the moment asks for.

It reads what any reader is shown and nothing else. Where both options suit as well it takes the first, so that it is right in one
order and wrong in the other: half, as by chance.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

from earmark.builders.dialogues.oracle.lexicon import (
    DENIALS,
    MOOD_OF_TONE,
    STORY,
    TONE,
    WANTED,
    Axis,
    Mood,
)
from earmark.builders.dialogues.oracle.questions import Question, Reply
from earmark.builders.ledger.calls import CallRequest

RULES_PROVIDER = "offline"
RULES_MODEL = "embedded rule reader, no language model (rules 1)"

ValueT = TypeVar("ValueT")

_WORD = re.compile(r"[a-z]+(?:[-'][a-z]+)*!?|[.,;:—–]")
_MOST = 2.0  # a tone that says one thing four times does not say it four times as loud
_PRIOR = 0.5
_STEM = 4  # letters that an entry needs to stand for what begins with it
_LAST = 2.0  # what was said just before weighs twice


@dataclass(frozen=True)
class Moods:
    """How much of each mood is in what was read.

    Args:
        shares: Shares, which add up to 1.
    """

    shares: Mapping[Mood, float]

    @property
    def wanted(self) -> dict[Axis, float]:
        """What it asks of a voice."""
        return {axis: sum(self.shares[mood] * WANTED[mood][axis] for mood in Mood) for axis in Axis}


class RuleReader:
    """Reads by a lexicon; see `earmark.builders.dialogues.oracle.lexicon`."""

    @property
    def provider(self) -> str:
        """A name that stands for no server."""
        return RULES_PROVIDER

    @property
    def model(self) -> str:
        """What it is."""
        return RULES_MODEL

    async def read(self, question: Question) -> Reply:
        """Answer a question."""
        if question.tones is None:
            return Reply(1, "both options are the same words; the first is taken")
        moods = moods_of(question)
        wanted = moods.wanted
        marks = [sum(wanted[axis] * value for axis, value in voice_of(tone).items()) for tone in question.tones]
        said = ", ".join(f"{mood} {share:.2f}" for mood, share in moods.shares.items())
        options = "; ".join(
            f"option {number} {_said(voice_of(tone))} suits {mark:+.2f}"
            for number, (tone, mark) in enumerate(zip(question.tones, marks, strict=True), 1)
        )
        return Reply(1 if marks[0] >= marks[1] else 2, f"{said}; {options}")

    def planned(self, question: Question) -> Sequence[CallRequest]:  # noqa: ARG002 (others look at it)
        """None."""
        return ()


def voice_of(tone: str) -> dict[Axis, float]:
    """What a tone instruction says of a voice.

    Args:
        tone: The instruction.

    Returns:
        For each property that it speaks of, −2 … 2.

    >>> voice_of("Slow and warm, without any rush.")
    {<Axis.PACE: 'pace'>: -2.0, <Axis.WARMTH: 'warmth'>: 1.0}
    """
    found: dict[Axis, float] = {}
    words = _split(tone)
    place, denied = 0, -1
    while place < len(words):
        if words[place] in DENIALS:
            denied = place
        length, moves = _tone().at(words, place) or (1, ())
        sign = -1 if 0 <= denied < place <= denied + 2 else 1
        for axis, move in moves:
            found[axis] = found.get(axis, 0.0) + sign * move
        place += length
    return {axis: max(-_MOST, min(_MOST, found[axis])) for axis in Axis if found.get(axis)}


def moods_of(question: Question) -> Moods:
    """How the moment feels, by the words of the scenario, of what was said, and of how the other person said it."""
    counts = dict.fromkeys(Mood, _PRIOR)
    for text in (question.context, question.description):
        _count(text or "", 1.0, counts)
    other = [line for line in question.heard if line.speaker != question.speaker]
    for line in other:
        weight = _LAST if line is other[-1] else 1.0
        _count(line.text, weight, counts)
        voice = voice_of(line.tone or "")
        for mood, axes in MOOD_OF_TONE.items():
            counts[mood] += weight * max(0.0, sum(value * voice.get(axis, 0.0) for axis, value in axes.items()))
    whole = sum(counts.values())
    return Moods({mood: count / whole for mood, count in counts.items()})


def _count(text: str, weight: float, counts: dict[Mood, float]) -> None:
    words = _split(text)
    for mood in Mood:
        index = _story(mood)
        counts[mood] += weight * sum(index.at(words, place) is not None for place in range(len(words)))


class _Index(Generic[ValueT]):
    """Entries of a lexicon, found by a word's beginnings.

    A short entry, such as "low", stands for itself alone and not for what begins with it.
    """

    def __init__(self, entries: Mapping[str, ValueT]) -> None:
        self._single = {entry: value for entry, value in entries.items() if " " not in entry}
        self._phrases: dict[str, list[tuple[list[str], ValueT]]] = {}
        for entry in sorted((entry for entry in entries if " " in entry), key=len, reverse=True):
            self._phrases.setdefault(entry[:2], []).append((entry.split(), entries[entry]))

    def at(self, words: Sequence[str], place: int) -> tuple[int, ValueT] | None:
        """How many words the longest entry that begins here takes, and its value; None where there is none."""
        word = words[place]
        for parts, value in self._phrases.get(word[:2], ()):
            here = words[place : place + len(parts)]
            if len(here) == len(parts) and all(map(_fits, here, parts)):
                return len(parts), value
        for length in range(len(word), 0, -1):
            value_of = self._single.get(word[:length])
            if value_of is not None and _fits(word, word[:length]):
                return 1, value_of
        return None


@lru_cache(maxsize=len(Mood))
def _story(mood: Mood) -> _Index[bool]:
    return _Index({entry.replace("_", " "): True for entry in STORY[mood].split()})


@lru_cache(maxsize=1)
def _tone() -> _Index[tuple[tuple[Axis, int], ...]]:
    return _Index(TONE)


def _fits(word: str, entry: str) -> bool:
    return word.rstrip("!") == entry or (len(entry) >= _STEM and word.startswith(entry))


def _split(text: str) -> list[str]:
    return _WORD.findall(text.casefold().replace("’", "'"))


def _said(voice: Mapping[Axis, float]) -> str:
    return "(" + (", ".join(f"{axis} {value:+g}" for axis, value in voice.items()) or "nothing known") + ")"
