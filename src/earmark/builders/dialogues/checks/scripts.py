"""What a script must be: six lines as people say them, of which the fourth and the sixth fit every tone of voice."""

from __future__ import annotations

from collections.abc import Iterator

from earmark.builders.dialogues.checks.phrases import has_direction, has_label, is_too_long, quoted, shouted
from earmark.builders.dialogues.checks.word_lists import DEFAULT_WORDS, WordLists, found_in, words_of
from earmark.builders.dialogues.records import TARGET_TURNS, TURNS, Scenario, Script

FEWEST_WORDS, MOST_WORDS = 1, 60
"""Words of a line."""

FEWEST_TARGET_WORDS, MOST_TARGET_WORDS = 3, 30
"""Words of a line of turn 4 or 6, in which a tone of voice must have room."""


def check_script(script: Script, scenario: Scenario, words: WordLists = DEFAULT_WORDS) -> tuple[str, ...]:
    """What is wrong with a script, in words that whoever wrote it can act on; none where it is sound.

    Args:
        script: What was written.
        scenario: Whose script it is.
        words: Lists of words.
    """
    turns = tuple(line.turn for line in script.lines)
    if turns != TURNS:
        said = ", ".join(map(str, turns)) or "none"
        return (f"the script has the turns {said}: it has six, numbered 1 to 6, in order",)
    return (
        *(reason for turn in TURNS for reason in _line(turn, script.line(turn), scenario, words)),
        *_alike(script),
    )


def check_neutral(turn: int, text: str, words: WordLists = DEFAULT_WORDS) -> tuple[str, ...]:
    """Why a target line does not fit every tone of voice; none where it does.

    Args:
        turn: 4 or 6.
        text: The line.
        words: Lists of words.
    """
    reasons = []
    if "!" in text:
        reasons.append(f"turn {turn} has an exclamation mark: the line must fit every tone of voice")
    if felt := found_in(text, (*words.emotion, *words.manner)):
        reasons.append(f"turn {turn} names a feeling ({quoted(felt)}): the line must fit every tone of voice")
    if loud := shouted(text):
        reasons.append(f"turn {turn} has words in capitals ({quoted(loud)}): the line must fit every tone of voice")
    return tuple(reasons)


def _line(turn: int, text: str, scenario: Scenario, words: WordLists) -> Iterator[str]:
    is_target = turn in TARGET_TURNS
    fewest, most = (FEWEST_TARGET_WORDS, MOST_TARGET_WORDS) if is_target else (FEWEST_WORDS, MOST_WORDS)
    if len(words_of(text)) < fewest or is_too_long(text, most):
        yield f"turn {turn} is of {len(words_of(text))} words: it has {fewest} to {most}, of ordinary length"
    if has_direction(text):
        yield f"turn {turn} has line breaks, brackets or other signs that nobody says: write only what is said"
    if has_label(text, (scenario.first.name, scenario.second.name)):
        yield f"turn {turn} begins with a name and a colon: write only what is said"
    if learned := found_in(text, (*words.psychology, *words.skills.get(scenario.subscale, ()))):
        yield f"turn {turn} uses words of psychology ({quoted(learned)}): people do not speak so"
    if heard := found_in(text, words.voice):
        yield f"turn {turn} speaks of how somebody speaks ({quoted(heard)}): that must be heard and not said"
    if is_target:
        yield from check_neutral(turn, text, words)


def _alike(script: Script) -> Iterator[str]:
    seen: dict[tuple[str, ...], int] = {}
    for line in script.lines:
        if (before := seen.setdefault(words_of(line.text), line.turn)) != line.turn:
            yield f"turn {line.turn} says what turn {before} says: every line is another"
