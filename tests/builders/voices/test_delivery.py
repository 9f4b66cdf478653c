"""A tone as figures: each parameter goes where its words say, more for each word, and never out of its range."""

from __future__ import annotations

from dataclasses import asdict
from math import log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.builders.voices.delivery import NEUTRAL, Delivery, delivery_of, read_tone
from earmark.builders.voices.lexicon import PARAMETERS, lexicon

STEPS = lexicon().steps
names = st.sampled_from(PARAMETERS)


@given(names, st.floats(-8, 8), st.floats(0.01, 8))
@settings(max_examples=25)
def test_more_steps_move_a_parameter_further_and_no_other(name: str, steps: float, more: float) -> None:
    one, other = asdict(delivery_of({name: steps})), asdict(delivery_of({name: steps + more}))
    assert one[name] <= other[name]
    if steps > -4 and steps + more < 4 and (steps >= 0 or STEPS[name].low < 0):
        assert one[name] < other[name]
    assert {**one, name: 0} == {**other, name: 0} == {**asdict(NEUTRAL), name: 0}


@given(st.dictionaries(names, st.floats(-1e6, 1e6)))
@settings(max_examples=25)
def test_nothing_leaves_its_range(steps: dict[str, float]) -> None:
    for name, value in asdict(delivery_of(steps)).items():
        assert STEPS[name].low * (1 - 1e-12) <= value <= STEPS[name].high * (1 + 1e-12) or value == STEPS[name].low


@given(names)
@settings(max_examples=12)
def test_a_small_move_is_as_large_as_its_steps_say(name: str) -> None:
    moved = asdict(delivery_of({name: 0.01}))[name]
    step = STEPS[name].step
    found = log(moved) / log(step) if name in ("rate", "range") else moved / step
    assert found == pytest.approx(0.01, rel=1e-3)


def test_nothing_said_is_neutral() -> None:
    assert read_tone("") == read_tone("the table on Wednesday") == delivery_of({}) == NEUTRAL == Delivery()


@pytest.mark.parametrize(
    ("name", "down", "up"),
    [
        ("rate", "slow", "fast"),
        ("rate", "patient", "impatient"),
        ("pitch", "low", "high"),
        ("pitch", "calm", "anxious"),
        ("range", "monotone", "melodic"),
        ("level", "quiet", "loud"),
        ("level", "gentle", "angry"),
        ("tilt", "dark", "bright"),
        ("tilt", "soft", "harsh"),
        ("contour", "falling", "rising"),
        ("contour", "firm", "timid"),
    ],
)
def test_opposite_words_go_opposite_ways(name: str, down: str, up: str) -> None:
    def value(said: str) -> float:
        return float(getattr(read_tone(said), name))

    neutral = float(getattr(NEUTRAL, name))
    assert value(f"very {down}") < value(down) < value(f"slightly {down}") < neutral
    assert neutral < value(f"slightly {up}") < value(up) < value(f"very {up}")
    assert value(f"not {up}") < neutral < value(f"not {down}")
    assert value(f"{up}, {down}") > value(down)
    assert value(f"{up}, {down}") < value(up)


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("breath", "breathy"),
        ("tremor", "trembling"),
        ("hesitation", "halting"),
        ("pause", "pausing"),
        ("emphasis", "emphatic"),
        ("gap", "enunciated"),
    ],
)
def test_what_cannot_be_less_than_none_is_none_where_negated(name: str, more: str) -> None:
    assert getattr(read_tone(f"very {more}"), name) > getattr(read_tone(more), name) > 0
    assert getattr(read_tone(f"without being {more}"), name) <= 0


@given(st.sampled_from(sorted(lexicon().entries)))
@settings(max_examples=25)
def test_strength_moves_every_parameter_away_from_neutral(word: str) -> None:
    plain, strong = asdict(read_tone(word)), asdict(read_tone(word, 1.7))
    for name, neutral in asdict(NEUTRAL).items():
        assert abs(strong[name] - neutral) >= abs(plain[name] - neutral)
        assert (strong[name] - neutral) * (plain[name] - neutral) >= 0


def test_a_parameter_that_is_not_there() -> None:
    with pytest.raises(ValueError, match=r"loudness.*rate, pitch"):
        delivery_of({"loudness": 1.0})
