"""A reader that has only the words: what it makes of them, against a slow twin, and that nothing asked about is learnt from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from earmark.scoring.baselines.reader import Asked, Known, Spoken, fitting, log_odds

WORDS = "abcdefg"


def spoken(words: str, *ties: str) -> Spoken:
    return Spoken(tuple(sorted(set(words))), frozenset(ties))


SPOKEN = st.builds(
    lambda words, ties: Spoken(tuple(sorted(words)), frozenset(ties)),
    st.sets(st.sampled_from(WORDS), max_size=5),
    st.sets(st.sampled_from([f"tie {n}" for n in range(6)]), max_size=2),
)
CELLS = st.sampled_from(["S0", "S1"])
KNOWN = st.lists(st.builds(Known, CELLS, SPOKEN, st.booleans()), max_size=14)
ASKED = st.builds(Asked, CELLS, st.lists(SPOKEN, min_size=1, max_size=2).map(tuple))


def slowly(known: Sequence[Known], asked: Asked) -> list[float]:
    """The same, text by text and word by word."""
    ties = {tie for each in asked.spoken for tie in each.ties}
    others = [each for each in known if each.cell == asked.cell and not each.spoken.ties & ties]
    fit, unfit = ([each for each in others if each.fits == fits] for fits in (True, False))
    found = []
    for text in asked.spoken:
        odds = 0.0
        for word in text.words:
            with_word = [[word in each.spoken.words for each in those].count(True) for those in (fit, unfit)]
            if fit and unfit:
                mean = (len(fit) + len(unfit)) / 2
                odds += log(with_word[0] * mean / len(fit) + 1) - log(with_word[1] * mean / len(unfit) + 1)
        found.append(odds)
    return found


@given(KNOWN, ASKED)
@settings(max_examples=30)
def test_the_odds_are_those_of_a_slow_twin(known: list[Known], asked: Asked) -> None:
    [found] = log_odds(known, [asked])
    assert found == pytest.approx(slowly(known, asked), abs=1e-8)


@given(KNOWN, ASKED, st.randoms())
@settings(max_examples=25)
def test_labels_swapped_are_odds_swapped_and_no_order_matters(known: list[Known], asked: Asked, order: object) -> None:
    [found] = log_odds(known, [asked])
    [swapped] = log_odds([replace(each, fits=not each.fits) for each in known], [asked])
    assert swapped == tuple(-odds for odds in found)
    shuffled = list(known)
    order.shuffle(shuffled)  # type: ignore[attr-defined]  # Hypothesis' own random.Random
    assert log_odds(shuffled, [asked]) == [found]
    assert log_odds(known, [replace(asked, spoken=asked.spoken[::-1])]) == [found[::-1]]


@given(KNOWN, ASKED, st.lists(st.booleans(), min_size=14, max_size=14), st.sets(st.sampled_from(WORDS)))
@settings(max_examples=25)
def test_nothing_is_learnt_from_what_shares_anything(
    known: list[Known], asked: Asked, fits: list[bool], words: set[str]
) -> None:
    """Neither what is right of a text that shares something nor its words, or that there is such a text, moves anything."""
    ties = {tie for each in asked.spoken for tie in each.ties}
    own = [bool(each.spoken.ties & ties) for each in known]
    found = log_odds(known, [asked])
    other = [
        replace(each, fits=fit, spoken=replace(each.spoken, words=tuple(sorted(words)))) if mine else each
        for each, mine, fit in zip(known, own, fits, strict=False)
    ]
    assert log_odds(other, [asked]) == found
    assert log_odds([each for each, mine in zip(known, own, strict=True) if not mine], [asked]) == found


def test_a_word_that_every_text_has_says_nothing_however_many_there_are_of_either() -> None:
    known = [Known("S0", spoken("a", f"s{n}"), n < 3) for n in range(10)]
    assert log_odds(known, [Asked("S0", (spoken("a"),))]) == [(0.0,)]


def test_by_hand() -> None:
    known = [
        Known("S0", spoken("ab", "s1"), True),
        Known("S0", spoken("ac", "s2"), True),
        Known("S0", spoken("bc", "s3"), False),
        Known("S1", spoken("a", "s4"), False),
    ]
    asked = [Asked("S0", (spoken("a"), spoken("c"), spoken("z"), spoken(""))), Asked("S2", (spoken("a"),))]
    # "a" is in both texts that fit and not in the other, "c" in one of either: which is half of those and all of these.
    first, second = log(2 / (2 / 1.5) + 1), log(1 / (2 / 1.5) + 1) - log(1 / (1 / 1.5) + 1)
    assert log_odds(known, asked) == [
        (pytest.approx(first, abs=1e-9), pytest.approx(second, abs=1e-9), 0.0, 0.0),
        (0.0,),
    ]
    [(odds,)] = log_odds(known, [Asked("S0", (spoken("a", "s3"),))])
    assert odds == 0, "of those that do not fit none is left to compare with"


def test_probabilities_of_odds() -> None:
    assert fitting(log(3)) == pytest.approx(0.75)
    assert (fitting(1e9), fitting(-1e9), fitting(0.0)) == (1.0, 0.0, 0.5)


SEEDS = 250


def found_right(words: str, *, own: bool = False, balanced: bool = False) -> int:
    """In how many of many worlds the label of one text is found among 30 in 10 groups, whose labels are coins by group.

    Args:
        balanced: Whether labels are the same every time, in another order.
        words: "any": words have nothing to do with the label, though each group has one of its own; "telling": one does.
        own: Whether it is learnt from the text's own group too.
    """
    drawn = np.random.Generator(np.random.Philox(7))
    texts = [tuple(sorted(np.array(list(WORDS))[drawn.permutation(7)[:4]].tolist())) for _ in range(30)]
    right = 0
    worlds = drawn.integers(0, 2, (SEEDS, 10)).astype(bool)
    if balanced:
        worlds = drawn.permuted(np.tile(np.arange(10) < 5, (SEEDS, 1)), axis=1)
    for labels in worlds:
        told = [("yes",) if labels[n % 10] else ("no",) for n in range(30)]
        each = [
            Spoken((*text, f"topic {n % 10}", *(said if words == "telling" else ())), frozenset({f"group {n % 10}"}))
            for n, (text, said) in enumerate(zip(texts, told, strict=True))
        ]
        known = [Known("S0", text, bool(labels[n % 10])) for n, text in enumerate(each)]
        [(odds,)] = log_odds(known, [Asked("S0", (replace(each[0], ties=frozenset()) if own else each[0],))])
        right += bool(drawn.integers(0, 2)) if odds == 0 else (odds > 0) == labels[0]
    return right


def test_where_words_carry_nothing_it_is_at_chance() -> None:
    """The label of a group is independent of all that is learnt from, so that hits are exactly binomial over worlds."""
    low, high = binom.ppf([0.0005, 0.9995], SEEDS, 0.5)
    assert low <= found_right("any") <= high
    # Of balanced ones the others favour what its own is not, by so little that it does not show here.
    assert low <= found_right("any", balanced=True) <= high


def test_where_a_word_tells_it_is_found_and_learning_from_oneself_would_show() -> None:
    high = binom.ppf(0.999999, SEEDS, 0.5)
    assert found_right("telling") > 0.95 * SEEDS
    assert found_right("any", own=True) > high
