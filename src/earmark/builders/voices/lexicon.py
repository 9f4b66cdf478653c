"""The words that tell how something is said, and by how many steps each moves a delivery; `delivery.toml` beside this holds them.

A tone instruction is free English text. It is read word by word: entries move parameters, degree words make the next entry more
or less, negations turn round what follows them, a direction beside a noun (`lifted pitch`) moves what the noun names, and words
that are not known change nothing, wherever they stand.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

import msgspec

_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*|[,()]|[.;:!?—–]")
_COMMA, _STOP = frozenset(",()"), frozenset(".;:!?—–")
_STEMS = (("ally", ""), ("iness", "y"), ("ily", "y"), ("ness", ""), ("ly", ""), ("ly", "le"))
_FARTHEST = 4
"""Known words from a direction to its noun, at most."""

Moves = Mapping[str, float]
"""Steps by parameter."""


class Step(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one step of a parameter is, and where it ends; a factor of pace and range, else an amount.

    Args:
        step: One step.
        low: Least value.
        high: Greatest value.
    """

    step: float
    low: float
    high: float


class _Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: tuple[str, ...]
    by: float = 1.0


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words that say one thing.

    Args:
        words: The words; phrases among them.
        against: A word that says the opposite.
        rate: Steps of each parameter, see `earmark.builders.voices.delivery.Delivery`.
    """

    words: tuple[str, ...]
    against: str | None = None
    rate: float = 0.0
    pitch: float = 0.0
    range: float = 0.0
    level: float = 0.0
    breath: float = 0.0
    tilt: float = 0.0
    pause: float = 0.0
    gap: float = 0.0
    hesitation: float = 0.0
    tremor: float = 0.0
    contour: float = 0.0
    emphasis: float = 0.0

    @property
    def moves(self) -> Moves:
        """The parameters that it moves, and by how many steps."""
        return {name: value for name in PARAMETERS if (value := float(getattr(self, name)))}


PARAMETERS: tuple[str, ...] = Entry.__struct_fields__[2:]
"""What an entry can move."""


class _File(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    version: str
    steps: dict[str, Step]
    degrees: tuple[_Words, ...]
    negations: _Words
    breaks: _Words
    directions: dict[str, tuple[str, ...]]
    nouns: dict[str, dict[str, tuple[str, ...] | dict[str, float]]]
    entries: tuple[Entry, ...]


class Lexicon(NamedTuple):
    """The words, ready to be looked up; each key of a mapping is a word or a phrase.

    Attributes:
        version: Name of the words and figures.
        steps: What one step of each parameter is.
        entries: What each word moves.
        opposites: A word that says the opposite of a word.
        degrees: How much of the next entry a degree word makes.
        negations: Words that turn round what follows.
        negated: How much of an entry is left where it is negated; below 0.
        breaks: Words at which a part of a sentence ends.
        directions: The directions that a word may say of a noun, such as up or slow.
        nouns: What each noun's directions move.
        longest: Words of the longest phrase.
    """

    version: str
    steps: Mapping[str, Step]
    entries: Mapping[str, Moves]
    opposites: Mapping[str, str]
    degrees: Mapping[str, float]
    negations: frozenset[str]
    negated: float
    breaks: frozenset[str]
    directions: Mapping[str, tuple[str, ...]]
    nouns: Mapping[str, Mapping[str, Moves]]
    longest: int

    def knows(self, phrase: str) -> bool:
        """Whether a word or phrase stands here as it is."""
        return any(
            phrase in table
            for table in (self.entries, self.degrees, self.negations, self.breaks, self.directions, self.nouns)
        )


class Word(NamedTuple):
    """A known word or phrase of an instruction.

    Attributes:
        text: As it stands in the lexicon.
        part: Number of the part of the sentence; a degree or a negation reaches no farther.
        clause: Number of the larger part that commas do not end; a direction finds its noun within.
        commas: Commas before it in the whole instruction.
    """

    text: str
    part: int
    clause: int
    commas: int


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The lexicon that comes with the package."""
    data = files(__package__).joinpath("delivery.toml").read_text(encoding="utf-8")
    file = msgspec.convert(tomllib.loads(data), _File)
    directions: dict[str, tuple[str, ...]] = {}
    for direction, words in file.directions.items():
        for word in words:
            directions[word] = (*directions.get(word, ()), direction)
    nouns: dict[str, Mapping[str, Moves]] = {}
    for noun in file.nouns.values():
        moves: Mapping[str, Moves] = {direction: moved for direction, moved in noun.items() if isinstance(moved, dict)}
        nouns.update((word, moves) for word in noun["words"])
    entries = {word: entry.moves for entry in file.entries for word in entry.words}
    degrees = {word: degree.by for degree in file.degrees for word in degree.words}
    found = Lexicon(
        version=file.version,
        steps=file.steps,
        entries=entries,
        opposites={word: entry.against for entry in file.entries if entry.against for word in entry.words},
        degrees=degrees,
        negations=frozenset(file.negations.words),
        negated=file.negations.by,
        breaks=frozenset(file.breaks.words),
        directions=directions,
        nouns=nouns,
        longest=0,
    )
    phrases = (*entries, *degrees, *found.negations, *found.breaks, *directions, *nouns)
    return found._replace(longest=max(len(phrase.split()) for phrase in phrases))


def known_words(instruction: str) -> tuple[str, ...]:
    """The words of an instruction that count, as they stand in the lexicon.

    >>> known_words("Speak softly, without any real hurry.")
    ('soft', 'without', 'real', 'hurry')
    """
    return tuple(word.text for word in _words(instruction))


def steps_of(instruction: str) -> dict[str, float]:
    """By how many steps an instruction moves each parameter, one entry for each of `PARAMETERS`.

    Args:
        instruction: English text.
    """
    words = tuple(_words(instruction))
    total = dict.fromkeys(PARAMETERS, 0.0)
    for place in range(len(words)):
        moves = _moves(words, place)
        if not moves:
            continue
        factor = _factor(words, place)
        for name, steps in moves.items():
            total[name] += factor * steps
    # Sums of the same steps in another order differ in the last bit.
    return {name: round(steps, 9) + 0.0 for name, steps in total.items()}


def _words(instruction: str) -> Iterator[Word]:
    known = lexicon()
    text = unicodedata.normalize("NFKC", instruction).casefold().replace("\u2019", "'")
    tokens = _TOKEN.findall(text)
    part = clause = commas = place = 0
    while place < len(tokens):
        if tokens[place] in _COMMA | _STOP:
            part, commas = part + 1, commas + 1
            clause += tokens[place] in _STOP
            place += 1
            continue
        phrase, length = _phrase(tokens, place, known)
        if phrase in known.breaks:
            part, clause = part + 1, clause + 1
        elif phrase is not None:
            yield Word(phrase, part, clause, commas)
        place += length


def _phrase(tokens: list[str], place: int, known: Lexicon) -> tuple[str | None, int]:
    """The longest known phrase that begins at a token, and its length; None, 1 where there is none."""
    for length in range(min(known.longest, len(tokens) - place), 0, -1):
        phrase = " ".join(tokens[place : place + length])
        if known.knows(phrase):
            return phrase, length
    word = tokens[place]
    for ending, instead in _STEMS:
        if word.endswith(ending) and known.knows(stem := word.removesuffix(ending) + instead):
            return stem, 1
    return None, 1


def _moves(words: tuple[Word, ...], place: int) -> Moves | None:
    """What a word moves: as a direction what its noun names, else by its own entry."""
    known, word = lexicon(), words[place]
    if word.text in known.directions and (noun := _noun(words, place)) is not None:
        for direction in known.directions[word.text]:
            if (moved := known.nouns[noun].get(direction)) is not None:
                return moved
    return known.entries.get(word.text)


def _noun(words: tuple[Word, ...], place: int) -> str | None:
    """The noun of a direction: the nearest of its clause, each comma between counting as a word; of two the later."""
    known, word = lexicon(), words[place]
    found: list[tuple[int, int, str]] = []
    for at, other in enumerate(words):
        if other.text not in known.nouns or other.clause != word.clause or at == place:
            continue
        distance = abs(at - place) + abs(other.commas - word.commas)
        if distance <= _FARTHEST:
            found.append((distance, -at, other.text))
    return min(found)[2] if found else None


def _factor(words: tuple[Word, ...], place: int) -> float:
    """How much of an entry counts: the nearest negation before it, else the degree words between the last entry and it."""
    known, word, factor = lexicon(), words[place], 1.0
    counting = True
    for at in range(place - 1, -1, -1):
        other = words[at]
        if other.part != word.part:
            break
        if other.text in known.negations:
            return known.negated
        if other.text in known.degrees and counting and not _moves(words, at):
            factor *= known.degrees[other.text]
        else:
            counting = False
    return factor
