"""Invariants that a rule switches on: who may speak a pair, from which corpus, how far apart in age, how often a word stands."""

from __future__ import annotations

from collections.abc import Iterator

from earmark.manifests.families.pairs import BOTH_BAD, NON_TIE, SAME
from earmark.manifests.families.pairs_recipe import HARD, MAIN, Pairing
from earmark.manifests.pairing import ADULT, AGE_GROUPS, BORDER_YEARS, CHILD_MOST, ELDER_LEAST, PACES
from earmark.manifests.rows import Row, optional_real, optional_text, text, texts
from earmark.manifests.text import normalise_text
from earmark.validation.pairing.invariant import Fault, invariant
from earmark.validation.pairing.labels import satisfied
from earmark.validation.pairing.tables import Pair, PairTables


@invariant("pairs.same-speaker", "two speakers where one must speak both")
def same_speaker(tables: PairTables, pairing: Pairing) -> Iterator[Fault]:
    """Pairs of the criteria that `same_speaker` lists are spoken by one speaker."""
    for pair in tables.asked:
        if pair.criterion in pairing.rules.same_speaker and len(pair.speakers) > 1:
            yield Fault(" and ".join(pair.speakers), "one speaker", pair)


@invariant("pairs.different-speakers", "one speaker where there must be two")
def different_speakers(tables: PairTables, pairing: Pairing) -> Iterator[Fault]:
    """Pairs of the criteria that `different_speakers` lists are never spoken by one speaker."""
    for pair in tables.asked:
        if pair.criterion in pairing.rules.different_speakers and len(pair.speakers) == 1:
            yield Fault(pair.speakers[0], "two speakers", pair)


@invariant("pairs.one-corpus", "the two utterances are from two corpora")
def one_corpus(tables: PairTables, pairing: Pairing) -> Iterator[Fault]:
    """Both utterances of a pair are from one corpus, where `one_corpus` is on."""
    for pair in tables.asked if pairing.rules.one_corpus else ():
        corpora = sorted({text(side, "corpus") for side in pair.sides or ()})
        if len(corpora) > 1:
            yield Fault(" and ".join(corpora), "one corpus", pair)


@invariant("pairs.same-sex", "the speakers are not of one, known sex")
def same_sex(tables: PairTables, pairing: Pairing) -> Iterator[Fault]:
    """The speakers of pairs of the criteria that `same_sex` lists are of one, known sex."""
    for pair in tables.asked:
        if pair.criterion in pairing.rules.same_sex and sex_of(pair) not in ("female", "male"):
            found = " and ".join(optional_text(side, "sex") or "undisclosed" for side in pair.sides or ())
            yield Fault(found, "one sex, known of both", pair)


@invariant("pairs.adults-only", "a child's voice where there must be none")
def adults_only(tables: PairTables, pairing: Pairing) -> Iterator[Fault]:
    """No child speaks in pairs of the criteria that `adults_only` lists."""
    for pair in tables.asked:
        for name, side in _sides(pair) if pair.criterion in pairing.rules.adults_only else ():
            age, group = optional_real(side, "age"), optional_text(side, "age_group")
            if group == AGE_GROUPS[0] or (age is not None and age < ADULT):
                found = f"{name}, {group or 'age'} {'' if age is None else age}".strip()
                yield Fault(found, f"{ADULT} years or more", pair)


@invariant("pairs.border-years", "a speaker's age is a year beside the border of an age group")
def border_years(tables: PairTables, pairing: Pairing) -> Iterator[Fault]:
    """No speaker of an age pair is of an age beside a border between groups, where `drop_border_years` is on."""
    for pair in _ages(tables) if pairing.rules.drop_border_years else ():
        for name, side in _sides(pair):
            if side["age"] in BORDER_YEARS:
                expected = f"none of {', '.join(map(str, sorted(BORDER_YEARS)))}"
                yield Fault(f"{name}, {side['age']}", expected, pair)


@invariant("pairs.clear-ages", "a child or an elder whose age is hard to hear")
def clear_ages(tables: PairTables, pairing: Pairing) -> Iterator[Fault]:
    """In age pairs that are not hard, children are 12 years at most and elders 60 at least, where `clear_ages` is on."""
    for pair in _ages(tables) if pairing.rules.clear_ages else ():
        for name, side in _sides(pair) if pair.variant != HARD else ():
            age, group = optional_real(side, "age"), optional_text(side, "age_group")
            if age is not None and group == AGE_GROUPS[0] and age > CHILD_MOST:
                yield Fault(f"{name}, {age:.0f}", f"at most {CHILD_MOST} years", pair)
            elif age is not None and group == AGE_GROUPS[-1] and age < ELDER_LEAST:
                yield Fault(f"{name}, {age:.0f}", f"at least {ELDER_LEAST} years", pair)


@invariant("pairs.group-distance", "target and foil are nearer or farther in age than the pair's variant says")
def group_distance(tables: PairTables, pairing: Pairing) -> Iterator[Fault]:
    """Target and foil of a non-tie age pair are `min_group_distance` groups apart or more; nearer ones alone are hard."""
    least = pairing.rules.min_group_distance
    for pair in _ages(tables):
        distances = _distances(pair)
        if pair.kind != NON_TIE or distances is None or set(satisfied(pair)) != {True, False}:
            continue
        near = max(distances) < least
        if near != (pair.variant == HARD):
            expected = HARD if near else f"{MAIN}, or any but {HARD}"
            yield Fault(f"{max(distances)} groups apart, {pair.variant}", expected, pair, column="variant")


@invariant("pairs.equal-distance", "one of two foils is nearer to the target's age, and may be preferred for it")
def equal_distance(tables: PairTables, pairing: Pairing) -> Iterator[Fault]:
    """Both utterances of a both-bad age pair are equally many groups from the target, where that rule is on."""
    for pair in _ages(tables) if pairing.rules.both_bad_equal_distance else ():
        distances = _distances(pair)
        if pair.kind == BOTH_BAD and distances is not None and distances[0] != distances[1]:
            yield Fault(f"{distances[0]} and {distances[1]} groups from {pair.target}", "equally many", pair)


@invariant("pairs.single-occurrence", "the word asked about does not stand once in each text")
def single_occurrence(tables: PairTables, pairing: Pairing) -> Iterator[Fault]:
    """The word that an emphasis pair asks about stands exactly once in each of its texts, where that rule is on."""
    for pair in tables.asked if pairing.rules.single_occurrence else ():
        for name, side in _sides(pair) if pair.criterion == "emphasis" else ():
            count = normalise_text(optional_text(side, "text") or "").split().count(pair.target)
            if count != 1:
                yield Fault(f"{pair.target!r} {count} times in {name}", "once", pair, column="target")


@invariant("pairs.single-mark", "a text of an emphasis pair has more than one mark")
def single_mark(tables: PairTables, pairing: Pairing) -> Iterator[Fault]:
    """No text of an emphasis pair has more than one mark, where that rule is on."""
    for pair in tables.asked if pairing.rules.single_mark else ():
        for name, side in _sides(pair) if pair.criterion == "emphasis" else ():
            if len(marks := texts(side, "emphasised")) > 1:
                yield Fault(f"{', '.join(marks)} in {name}", "one mark or none", pair)


@invariant("pairs.label-by-sound", "the pace that the label says is not the pace of the sound")
def label_by_sound(tables: PairTables, pairing: Pairing) -> Iterator[Fault]:
    """Of two paces of one speaker and text, what is called faster is faster, where that rule is on and the sound is known.

    Faster is more words per second, or less time without the silence around it; it is broken where all that is known says
    otherwise.
    """
    for pair in tables.asked if pairing.rules.label_by_sound else ():
        if pair.criterion != "rate" or pair.transcript != SAME or len(pair.speakers) > 1:
            continue
        slow, fast = sorted(pair.sides or (), key=lambda side: _pace(side) or 0)
        paces = _pace(slow), _pace(fast)
        if None in paces or paces[0] == paces[1]:
            continue
        rates = optional_real(slow, "words_per_second"), optional_real(fast, "words_per_second")
        times = _seconds(fast), _seconds(slow)
        known = [more > less for less, more in (rates, times) if less is not None and more is not None]
        if known and not any(known):
            found = f"{fast['utterance']} is no faster than {slow['utterance']}"
            yield Fault(found, f"{fast['pace']} to be faster than {slow['pace']}", pair)


def sex_of(pair: Pair) -> str | None:
    """Female or male of both speakers, mixed, or None where one is undisclosed."""
    sexes = {optional_text(side, "sex") for side in pair.sides or ()}
    return None if None in sexes else "mixed" if len(sexes) > 1 else sexes.pop()


def _sides(pair: Pair) -> Iterator[tuple[str, Row]]:
    return zip(pair.names, pair.sides or (), strict=False)


def _ages(tables: PairTables) -> list[Pair]:
    return [pair for pair in tables.asked if pair.criterion == "age"]


def _distances(pair: Pair) -> tuple[int, int] | None:
    """How many groups each utterance is from the target; None where a group is unknown."""
    groups = [optional_text(side, "age_group") for side in pair.sides or ()]
    if pair.target not in AGE_GROUPS or None in groups:
        return None
    first, second = (abs(AGE_GROUPS.index(group) - AGE_GROUPS.index(pair.target)) for group in groups if group)
    return first, second


def _pace(side: Row) -> int | None:
    pace = optional_text(side, "pace")
    return PACES.index(pace) if pace in PACES else None


def _seconds(side: Row) -> float | None:
    """Length of the speech; None where that of the recording is unknown."""
    start, end, rate = (optional_real(side, name) for name in ("start", "end", "rate"))
    if start is None or end is None or not rate:
        return None
    return max((end - start) / rate - (optional_real(side, "lead") or 0) - (optional_real(side, "trail") or 0), 0)
