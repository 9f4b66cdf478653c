"""The words of one recording with their times, held in three columns rather than in one object each.

A corpus of 2,431 conversations has some three million words: as tuples they would take half a gigabyte, as columns over
shared spellings a fifth of that.
"""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, overload


class Word(NamedTuple):
    """A word as the corpus spells it.

    Attributes:
        text: the word, not blank.
        start: its start in the recording, s; None where the corpus gives no time.
        end: its end, s, >= start; None where the corpus gives no time.
    """

    text: str
    start: float | None
    end: float | None


class Words(Sequence[Word]):
    """Words in spoken order; equal where all their words are.

    >>> words = Words([Word("All", 0.245, 0.425), Word("right", None, None)])
    >>> len(words), words[0].end, words[-1]
    (2, 0.425, Word(text='right', start=None, end=None))
    """

    __slots__ = ("_ends", "_starts", "_texts")

    def __init__(self, words: Iterable[Word] = ()) -> None:
        kept = list(words)
        self._texts = tuple(sys.intern(word.text) for word in kept)
        self._starts = array("d", (_number(word.start) for word in kept))
        self._ends = array("d", (_number(word.end) for word in kept))

    def __len__(self) -> int:
        return len(self._texts)

    @overload
    def __getitem__(self, index: int) -> Word: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Word, ...]: ...
    def __getitem__(self, index: int | slice) -> Word | tuple[Word, ...]:
        """One word, or several as a tuple."""
        if isinstance(index, slice):
            return tuple(self[at] for at in range(*index.indices(len(self))))
        return Word(self._texts[index], _time(self._starts[index]), _time(self._ends[index]))

    def __iter__(self) -> Iterator[Word]:
        for text, start, end in zip(self._texts, self._starts, self._ends, strict=True):
            yield Word(text, _time(start), _time(end))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Words) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(self._texts)

    def __repr__(self) -> str:
        return f"Words({list(self)!r})"


def _number(time: float | None) -> float:
    return math.nan if time is None else time


def _time(number: float) -> float | None:
    return None if math.isnan(number) else number
