"""What a selection must be: a resonant candidate and another one that fails, actively where an active one stands by."""

from __future__ import annotations

from collections.abc import Iterator

from earmark.builders.dialogues.checks.apathy import is_apathetic
from earmark.builders.dialogues.checks.word_lists import DEFAULT_WORDS, WordLists, found_in, words_of
from earmark.builders.dialogues.records import Selection, TargetTones, Tone


def check_selection(selection: Selection, targets: TargetTones, words: WordLists = DEFAULT_WORDS) -> tuple[str, ...]:
    """What is wrong with a selection, in words that whoever made it can act on; none where it is sound.

    Args:
        selection: What was selected.
        targets: The candidates.
        words: Lists of words.
    """
    numbers = range(1, len(targets.candidates) + 1)
    unknown = [number for number in (selection.resonant, selection.dissonant) if number not in numbers]
    if unknown:
        return (f"turn {targets.turn} has no candidate {unknown[0]}: they are numbered 1 to {numbers[-1]}",)
    return tuple(_reasons(selection, targets, words))


def is_monotone(tone: Tone, words: WordLists = DEFAULT_WORDS) -> bool:
    """Whether a tone fails by showing nothing."""
    return is_apathetic(tone.failure) or bool(found_in(tone.instruction, words.monotone))


def _reasons(selection: Selection, targets: TargetTones, words: WordLists) -> Iterator[str]:
    turn = targets.turn
    resonant, dissonant = (targets.candidates[number - 1] for number in (selection.resonant, selection.dissonant))
    if selection.turn != turn:
        yield f"the selection is of turn {selection.turn} and the candidates are of turn {turn}"
    if selection.resonant == selection.dissonant:
        yield f"candidate {selection.resonant} of turn {turn} is named twice: the two options are two candidates"
    if resonant.failure is not None:
        yield f"candidate {selection.resonant} of turn {turn} is named as resonant and shows a failure, {resonant.failure}"
    if dissonant.failure is None:
        yield f"candidate {selection.dissonant} of turn {turn} is named as dissonant and shows no failure"
    elif is_monotone(dissonant, words):
        active = [
            number
            for number, tone in enumerate(targets.candidates, start=1)
            if tone.failure is not None and not is_monotone(tone, words)
        ]
        if active:
            yield f"candidate {selection.dissonant} of turn {turn} shows nothing: {active[0]} fails actively, take that one"
    if not words_of(selection.reasoning):
        yield f"the selection of turn {turn} gives no reason"
