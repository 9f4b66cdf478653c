"""The words of tone: each stands once, opposites oppose, and what a word does depends on what is said of it alone."""

from __future__ import annotations

import tomllib
from collections import Counter
from importlib.resources import files
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.builders.voices.lexicon import PARAMETERS, known_words, lexicon, steps_of

LEXICON = lexicon()
SINGLE = sorted(
    word for word in LEXICON.entries if " " not in word and word not in LEXICON.directions and word not in LEXICON.nouns
)
UNKNOWN = ("voice", "table", "somebody", "wearing", "xylophone", "Wednesday", "the", "a", "in", "you")
words = st.sampled_from(SINGLE)


def only(**moved: float) -> dict[str, float]:
    return {**dict.fromkeys(PARAMETERS, 0.0), **moved}


def test_every_word_stands_once() -> None:
    data = tomllib.loads(files("earmark.builders.voices").joinpath("delivery.toml").read_text(encoding="utf-8"))
    counts = Counter(word for entry in data["entries"] for word in entry["words"])
    assert [word for word, count in counts.items() if count > 1] == []
    assert set(LEXICON.steps) == set(PARAMETERS)
    for table in (LEXICON.degrees, LEXICON.negations, LEXICON.breaks, LEXICON.nouns):
        assert set(table) & set(LEXICON.entries) == set()
    for noun in LEXICON.nouns.values():
        assert set(noun) <= {direction for found in LEXICON.directions.values() for direction in found}
        assert {name for moves in noun.values() for name in moves} <= set(PARAMETERS)


def test_every_word_of_the_lexicon_is_heard() -> None:
    assert len(LEXICON.entries) > 500
    for word, moves in LEXICON.entries.items():
        assert moves
        if word not in LEXICON.directions:
            assert steps_of(f"{word}.") == only(**moves), word


def test_what_opposes_a_word_pulls_the_other_way() -> None:
    assert len(LEXICON.opposites) > 400
    for word, opposite in LEXICON.opposites.items():
        one, other = LEXICON.entries[word], LEXICON.entries[opposite]
        assert sum(steps * other.get(name, 0.0) for name, steps in one.items()) < 0, (word, opposite)


@given(st.lists(words, min_size=1, max_size=6), st.data())
@settings(max_examples=25)
def test_unknown_words_change_nothing_wherever_they_stand(said: list[str], data: st.DataObject) -> None:
    degree = data.draw(st.sampled_from(["very", "slightly", "not", "without"]))
    said = data.draw(st.permutations([*said, degree]))
    mixed = [piece for word in said for piece in (*data.draw(st.lists(st.sampled_from(UNKNOWN), max_size=3)), word)]
    assert steps_of(" ".join(mixed)) == steps_of(" ".join(said))


@given(st.lists(words, min_size=1, max_size=6).flatmap(lambda said: st.tuples(st.just(said), st.permutations(said))))
@settings(max_examples=25)
def test_the_order_of_words_changes_nothing(orders: tuple[list[str], list[str]]) -> None:
    one, other = (steps_of(", ".join(said)) for said in orders)
    assert one == pytest.approx(other)
    total = only()
    for word in orders[0]:
        total = {name: steps + LEXICON.entries[word].get(name, 0.0) for name, steps in total.items()}
    assert one == pytest.approx(total)


@given(words)
@settings(max_examples=25)
def test_degrees_scale_and_negations_turn_round(word: str) -> None:
    plain = steps_of(word)
    for said, factor in ((f"very {word}", 1.6), (f"slightly {word}", 0.5), (f"not {word}", -0.6)):
        assert steps_of(said) == pytest.approx({name: factor * steps for name, steps in plain.items()}), said
    assert steps_of(f"not very {word}") == steps_of(f"not {word}")
    for other in (f"very, {word}", f"without table, {word}", f"not and {word}", f"{word} very", f"{word} not"):
        assert steps_of(other) == plain, other


def test_a_degree_makes_more_of_one_word_and_a_negation_turns_round_all_of_its_part() -> None:
    assert steps_of("very calm firm") == steps_of("very calm, firm")
    assert steps_of("without patience or calm") == steps_of("no patience, no calm")
    assert steps_of("not slow but fast") == pytest.approx(
        {name: -0.6 * steps_of("slow")[name] + steps_of("fast")[name] for name in PARAMETERS}
    )


@pytest.mark.parametrize(
    ("said", "name", "sign"),
    [
        ("pitch lifted", "pitch", 1),
        ("a low, even pitch", "pitch", -1),
        ("pitch high, volume low", "pitch", 1),
        ("pitch high, volume low", "level", -1),
        ("volume low and pitch high", "level", -1),
        ("high pitch with a slow pace", "rate", -1),
        ("quick words in low tones", "pitch", -1),
        ("energy sinking", "level", -1),
        ("the end lifts", "contour", 1),
        ("flat intonation", "range", -1),
        ("falling inflection", "contour", -1),
        ("volume slightly raised", "level", 1),
    ],
)
def test_a_direction_moves_what_its_noun_names(said: str, name: str, sign: int) -> None:
    assert steps_of(said)[name] * sign > 0


def test_a_direction_is_negated_with_its_noun() -> None:
    assert steps_of("no rising pitch")["pitch"] == pytest.approx(-0.6 * steps_of("rising pitch")["pitch"])


def test_every_direction_finds_every_noun() -> None:
    for (noun, moved), (word, directions) in product(LEXICON.nouns.items(), LEXICON.directions.items()):
        expected = next((moved[direction] for direction in directions if direction in moved), None)
        if expected is not None and " " not in noun:
            assert steps_of(f"{word} table {noun}") == only(**expected), (word, noun)


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("Softly, shakily; SARCASTICALLY!", ("soft", "shaky", "sarcastic")),
        ("Sing-song, as if to a child", ("sing song", "as if to a child")),
        ("don’t snap", ("don't", "snap")),
        ("gently—comfortably", ("gentle", "comfortable")),
        ("", ()),
        ("¿qué?", ()),
    ],
)
def test_what_is_heard(said: str, heard: tuple[str, ...]) -> None:
    assert known_words(said) == heard


@given(st.text(max_size=60))
@settings(max_examples=25)
def test_any_text_can_be_read(said: str) -> None:
    assert set(steps_of(said)) == set(PARAMETERS)
