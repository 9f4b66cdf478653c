"""What tones must be: sentences that tell a voice what to do, three candidates of three kinds, and none of them in the words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from earmark.builders.dialogues.checks.phrases import has_direction, is_too_long, quoted
from earmark.builders.dialogues.checks.word_lists import DEFAULT_WORDS, WordLists, found_in, words_of
from earmark.builders.dialogues.records import CONTEXT_TURNS, TARGET_TURNS, Scenario, Script, TargetTones, Tone, Tones

FEWEST_WORDS, MOST_WORDS = 8, 15
"""Words of a tone, counted between spaces."""

_TELLING = 4
_ALIKE = 2 / 3


def check_tones(tones: Tones, script: Script, scenario: Scenario, words: WordLists = DEFAULT_WORDS) -> tuple[str, ...]:
    """What is wrong with the tones of a dialogue, in words that whoever wrote them can act on; none where they are sound.

    Args:
        tones: What was written.
        script: The lines, which may not tell the tones.
        scenario: Whose personas the candidates show.
        words: Lists of words.
    """
    return (
        *check_context_tones(tones.context, words),
        *(
            reason
            for turn, targets in zip(TARGET_TURNS, tones.targets, strict=True)
            for reason in check_target_tones(turn, targets, script, scenario, words)
        ),
    )


def check_context_tones(context: tuple[Tone, Tone, Tone, Tone], words: WordLists = DEFAULT_WORDS) -> tuple[str, ...]:
    """The same, of turns 1, 2, 3 and 5."""
    return tuple(_context_reasons(context, words))


def check_target_tones(
    turn: int, targets: TargetTones, script: Script, scenario: Scenario, words: WordLists = DEFAULT_WORDS
) -> tuple[str, ...]:
    """The same, of the candidates of turn 4 or 6.

    Args:
        turn: 4 or 6.
        targets: Its candidates.
        script: What is said, which a tone may not repeat.
        scenario: Whose failures the dissonant candidates must show.
        words: Lists of words.
    """
    return tuple(_target_reasons(turn, targets, script, scenario, words))


def word_count(instruction: str) -> int:
    """How many words a tone has: whatever has a letter or digit and stands between spaces.

    >>> word_count("Speak low — and half-swallow the last word.")
    7
    """
    return sum(any(character.isalnum() for character in part) for part in instruction.split())


def leaks(text: str, instruction: str, words: WordLists = DEFAULT_WORDS) -> tuple[str, ...]:
    """The words of a tone that its line says, in whatever form; short and common words tell nothing.

    >>> leaks("I was rushing over.", "Rush through the words, breathless and annoyed, eager to leave.")
    ('rushing',)
    """
    told = {_stem(word) for word in words_of(instruction) if _tells(word, words)}
    return tuple(dict.fromkeys(word for word in words_of(text) if _tells(word, words) and _stem(word) in told))


def _context_reasons(context: tuple[Tone, Tone, Tone, Tone], words: WordLists) -> Iterator[str]:
    for turn, tone in zip(CONTEXT_TURNS, context, strict=True):
        yield from _instruction(f"the tone of turn {turn}", tone.instruction, words)
        if tone.failure is not None:
            yield f"the tone of turn {turn} is said to show the failure {tone.failure!r}: a context turn shows none"


def _target_reasons(
    turn: int, targets: TargetTones, script: Script, scenario: Scenario, words: WordLists
) -> Iterator[str]:
    if targets.turn != turn:
        yield f"the candidates of turn {turn} are said to be of turn {targets.turn}"
    for number, tone in enumerate(targets.candidates, start=1):
        yield from _instruction(f"candidate {number} of turn {turn}", tone.instruction, words)
    resonant, *dissonant = targets.candidates
    if resonant.failure is not None:
        yield f"candidate 1 of turn {turn} shows the failure {resonant.failure!r}: it is the resonant one and shows none"
    failures = [tone.failure for tone in dissonant]
    wanted = [persona.failure for persona in scenario.dissonant_personas]
    if {*failures} != {*wanted} or len({*failures}) < len(failures):
        said = ", ".join(str(failure) for failure in failures)
        yield f"candidates 2 and 3 of turn {turn} show {said}: they show the personas' failures, {' and '.join(wanted)}"
    for (m, one), (n, other) in combinations(enumerate(targets.candidates, start=1), 2):
        if _alike(one.instruction, other.instruction, words):
            yield f"candidates {m} and {n} of turn {turn} say nearly the same: the three are of three kinds"
    line = script.line(turn)
    for number, tone in enumerate(targets.candidates, start=1):
        if told := leaks(line, tone.instruction, words):
            yield f"turn {turn} says what candidate {number} tells the voice ({quoted(told)}): tone and words share none"


def _instruction(what: str, text: str, words: WordLists) -> Iterator[str]:
    count = word_count(text)
    if not FEWEST_WORDS <= count <= MOST_WORDS or is_too_long(
        text, 2 * MOST_WORDS
    ):  # a word of a tone may be half-and-half
        yield f"{what} has {count} words: it has {FEWEST_WORDS} to {MOST_WORDS}, of ordinary length"
    if has_direction(text):
        yield f"{what} has brackets, key=value or line breaks: it is one plain sentence"
    if bland := found_in(text, words.bland):
        yield f"{what} uses words that say nothing about a voice ({quoted(bland)}): say what pitch, pace, force and breath do"


def _alike(one: str, other: str, words: WordLists) -> bool:
    first, second = ({_stem(word) for word in words_of(text) if _tells(word, words)} for text in (one, other))
    together = len(first | second)
    return words_of(one) == words_of(other) or (together > 0 and len(first & second) > _ALIKE * together)


def _tells(word: str, words: WordLists) -> bool:
    return len(word) >= _TELLING and word not in words.common


def _stem(word: str) -> str:
    """A word without its ending, roughly: `rush`, `rushed` and `rushing` are one."""
    for ending in ("ingly", "edly", "ing", "ed", "ly", "es", "s", "er", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= _TELLING - 1:
            return word.removesuffix(ending)
    return word
