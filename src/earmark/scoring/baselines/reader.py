"""A reader that has only the words: which of them stand with one answer more often than with the other, among other items.

The odds that a text fits are those of naive Bayes over its distinct words, within a facet or target: the sum of
log (h₁ / s₁ + 1) − log (h₀ / s₀ + 1), where h texts have the word, of those that fit (1) and of those that do not (0), and s is
how many such texts there are over the mean of both. So a word that is as frequent in either says nothing, however many there are
of them: of balanced answers the others always favour what the item's own is not. Neither answer is taken to be the likelier one
beforehand. Nothing is learnt from a text that has its clip, script, prompt, speaker, conversation or all of its words in common
with what is asked about, so no item's own answer moves what is said of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp
from typing import TYPE_CHECKING

import numpy as np

from earmark.manifests.keys import rank
from earmark.manifests.rows import optional_text, text
from earmark.manifests.text import normalise_text

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.scoring.measuring import Codes
    from earmark.statistics.statistic import Bools

NAME = "transcript-only"
NO_PRIVATE_SIDE = "this copy has no private side, where words and answers stand"
NO_WORDS = "this copy has no words of any clip"

_COMMON = ("script", "prompt", "speaker", "conversation")
_DIGITS = 9


@dataclass(frozen=True)
class Spoken:
    """What was said in a clip or several, and what it has in common with other clips.

    Args:
        words: Its words, normalised, each once, ascending.
        ties: What clips that depend on each other share.
    """

    words: tuple[str, ...]
    ties: frozenset[str]

    def with_other(self, other: Spoken) -> Spoken:
        """Both together."""
        return Spoken(tuple(sorted({*self.words, *other.words})), self.ties | other.ties)


@dataclass(frozen=True)
class Known:
    """A text of which it is known whether it fits.

    Args:
        cell: What is learnt by itself, such as a facet.
        spoken: The text.
        fits: Whether it does.
    """

    cell: str
    spoken: Spoken
    fits: bool


@dataclass(frozen=True)
class Asked:
    """Texts of one item; nothing is learnt from what shares anything with any of them.

    Args:
        cell: As of `Known`.
        spoken: The texts.
    """

    cell: str
    spoken: tuple[Spoken, ...]


def read_spoken(release: Release) -> Mapping[str, Spoken]:
    """What was said in each clip; of one without words there is only what it shares."""
    spoken = {}
    for row in release.table("sources").select(["clip_id", "text", *_COMMON]).to_pylist():
        clip, words = text(row, "clip_id"), normalise_text(optional_text(row, "text") or "")
        shared = {f"{name} {row[name]}" for name in _COMMON if row[name] is not None}
        ties = {f"clip {clip}", *shared, *([f"words {words}"] if words else [])}
        spoken[clip] = Spoken(tuple(sorted(set(words.split()))), frozenset(ties))
    return spoken


def log_odds(known: Iterable[Known], asked: Sequence[Asked]) -> list[tuple[float, ...]]:
    """For each item and each of its texts the log odds that it fits; 0 where nothing speaks for either."""
    cells: dict[str, list[Known]] = defaultdict(list)
    for each in known:
        cells[each.cell].append(each)
    learnt = {cell: _Learnt(texts) for cell, texts in cells.items()}
    return [learnt[item.cell].odds(item.spoken) if item.cell in learnt else (0.0,) * len(item.spoken) for item in asked]


def fitting(odds: float) -> float:
    """The probability of log odds.

    >>> fitting(0.0), round(fitting(-2.0) + fitting(2.0), 12), fitting(-1e6)
    (0.5, 1.0, 0.0)
    """
    return 1 / (1 + exp(-odds)) if odds > -700 else 0.0


def undecided(release: Release, item: str, choices: Sequence[str]) -> str:
    """What is said where the words decide nothing: a coin by item, so that both orders of it are answered alike."""
    return choices[rank(b"", release.manifest.seed, f"baseline {NAME}", item) % len(choices)]


class _Learnt:
    """The texts of one cell, numbered, and how many of either kind have each word."""

    def __init__(self, known: Sequence[Known]) -> None:
        self._number = {
            word: n for n, word in enumerate(sorted({word for each in known for word in each.spoken.words}))
        }
        self._words = [np.array([self._number[word] for word in each.spoken.words], np.int64) for each in known]
        self._fits = np.array([each.fits for each in known], np.bool_)
        self._tied: dict[str, list[int]] = defaultdict(list)
        for n, each in enumerate(known):
            for tie in each.spoken.ties:
                self._tied[tie].append(n)

    @cached_property
    def _having(self) -> Codes:
        """(2, v) how many texts that do not fit, and that do, have each word."""
        every = np.arange(len(self._words))
        return self._counted(every, np.arange(len(self._number)))

    def odds(self, spoken: Sequence[Spoken]) -> tuple[float, ...]:
        """The log odds of the texts of one item."""
        left_out = np.array(
            sorted({n for each in spoken for tie in each.ties for n in self._tied.get(tie, ())}), np.int64
        )
        texts = np.bincount(self._fits, minlength=2) - np.bincount(self._fits[left_out], minlength=2)
        if not texts.all():
            return (0.0,) * len(spoken)
        return tuple(self._odds(each, left_out, texts) for each in spoken)

    def _odds(self, spoken: Spoken, left_out: Codes, texts: Codes) -> float:
        own = np.array(sorted(self._number[word] for word in spoken.words if word in self._number), np.int64)
        having = self._having[:, own] - self._counted(left_out, own)
        share = np.log(having / (2 * texts / texts.sum())[:, None] + 1)
        # Logarithms may differ in their last bit from one machine to another, and what cancels out is to be 0 on all of them.
        return round(float((share[1] - share[0]).sum()), _DIGITS) + 0.0

    def _counted(self, texts: Codes, own: Codes) -> Codes:
        """(2, w) how many of some texts have each of some words, which are ascending: those that do not fit, and that do."""
        words = [np.zeros(0, np.int64), *(self._words[n] for n in texts.tolist())]
        every = np.concatenate(words)
        fits: Bools = np.repeat(self._fits[texts], np.array([len(each) for each in words[1:]], np.int64))
        at = np.searchsorted(own, every)
        there = at < len(own)
        there[there] = own[at[there]] == every[there]
        counts = np.bincount(at[there] + len(own) * fits[there], minlength=2 * len(own))
        return counts.reshape(2, len(own)).astype(np.int64)
