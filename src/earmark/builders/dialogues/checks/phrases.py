"""What a text says of whom: sentences, and the person who was named last before a word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from earmark.builders.dialogues.checks.word_lists import matches_in, words_of
from earmark.builders.dialogues.records import Person
from earmark.manifests.canonical import canonical_json
from earmark.manifests.text import normalise_text

BYTES_PER_WORD = 12
"""Most bytes of a text as JSON for each word that it may have; with it a dry run knows how large a text can be."""

_FIRST = ("speaker 1", "speaker one", "the first speaker")
_SECOND = ("speaker 2", "speaker two", "the second speaker")
_MARKUP = r"[\[\]{}<>*_#]|\w\s*=\s*\w"
_NO_PROSE, _DIRECTION = re.compile(rf"{_MARKUP}|\n"), re.compile(rf"{_MARKUP}|[()\n]")
_SHOUTED = re.compile(r"\b[^\W\d_a-z]{4,}\b")


def said_of_second(text: str, entries: Sequence[str], first: Person, second: Person) -> tuple[str, ...]:
    """The entries that a text says of the second speaker: the last person named before them, in the text, is the second.

    Args:
        text: Of any number of sentences.
        entries: Words or phrases.
        first: Who speaks the odd turns.
        second: Who speaks the even ones.
    """
    found = matches_in(text, entries)
    if not found:
        return ()
    mentions = ((first, _FIRST, False), (second, _SECOND, True))
    named = sorted((at, is_second) for person, others, is_second in mentions for at in _mentions(text, person, others))
    told: dict[str, None] = {}
    for match in found:
        before = [is_second for at, is_second in named if at < match.start()]
        if before and before[-1]:
            told[match[0]] = None
    return tuple(told)


def _mentions(text: str, person: Person, others: Sequence[str]) -> Iterator[int]:
    called = [name for name in (" ".join(words_of(person.name)), *others) if name]
    pattern = "|".join(re.escape(name) for name in called)
    for match in re.finditer(rf"(?<![\w'])(?:{pattern})(?![\w])", normalise_text(text)):
        yield match.start()


def has_direction(text: str) -> bool:
    """Whether a text has brackets, asterisks, key=value or several lines, as stage directions do.

    >>> has_direction("[sighs] Fine."), has_direction("pitch = high"), has_direction("Well, fine.")
    (True, True, False)
    """
    return _DIRECTION.search(text.strip()) is not None


def is_no_prose(text: str) -> bool:
    """The same, where a text that is not spoken may have an aside in round brackets.

    >>> is_no_prose("Two friends (both nurses) meet."), is_no_prose("**Two** friends meet.")
    (False, True)
    """
    return _NO_PROSE.search(text.strip()) is not None


def has_label(text: str, names: Sequence[str]) -> bool:
    """Whether a line begins with whoever says it.

    >>> has_label("Maya: It came.", ["Maya"]), has_label("Listen: it came.", ["Maya"])
    (True, False)
    """
    label, colon, _ = text.partition(":")
    said = words_of(label)
    return bool(colon) and (said in map(words_of, names) or said[:1] in {("speaker",), ("turn",)})


def shouted(text: str) -> tuple[str, ...]:
    """Words in capitals, of four letters or more.

    >>> shouted("That is HUGE, says NASA of the USA.")
    ('HUGE', 'NASA')
    """
    return tuple(dict.fromkeys(_SHOUTED.findall(text)))


def is_too_long(text: str, most_words: int) -> bool:
    """Whether a text has too many words, or so many characters that it has too many whatever a word is.

    >>> is_too_long("one two three", 3), is_too_long("one two three", 2), is_too_long("…" * 100, 3)
    (False, True, True)
    """
    return len(words_of(text)) > most_words or len(canonical_json(text)) - 2 > BYTES_PER_WORD * most_words


def quoted(words: Sequence[str]) -> str:
    """Words for people.

    >>> quoted(["wow", "oh my"])
    '“wow”, “oh my”'
    """
    return ", ".join(f"“{word}”" for word in words)
