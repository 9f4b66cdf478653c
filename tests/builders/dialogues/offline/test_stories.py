"""A story is drawn by the dialogue's name alone, and its lines follow from each other."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from earmark.builders.dialogues.makers import Cell
from earmark.builders.dialogues.offline.draws import Draws
from earmark.builders.dialogues.offline.material import lines, names
from earmark.builders.dialogues.offline.stories import draw_story, fill, script_of

NAMES = st.from_regex(r"[a-z_]{1,30}-[0-9]{4}", fullmatch=True)


@given(NAMES, st.integers(0, 2**32))
def test_draws_are_by_name_alone(name: str, seed: int) -> None:
    draws = Draws(name, seed)
    values = list(range(7))
    first = draws.pick(values, "one")
    draws.pick(values, "two")
    assert draws.pick(values, "one") == first
    assert Draws(name, seed).pick(values, "one") == first


def test_draws_differ_by_what_seed_key_and_name() -> None:
    values = range(1000)
    whats = [Draws("a").pick(values, str(n)) for n in range(200)]
    seeds = [Draws("a", n).pick(values, "x") for n in range(200)]
    keys = [Draws("a", 0, bytes([n])).pick(values, "x") for n in range(200)]
    people = [Draws(str(n)).pick(values, "x") for n in range(200)]
    # Of 200 uniform draws from 1,000 values about 181 differ; fewer than 150 has no chance.
    assert min(len(set(drawn)) for drawn in (whats, seeds, keys, people)) > 150


def test_sentences_begin_with_a_capital_and_nothing_else_changes() -> None:
    words = {"a": "the owner", "b": "grandpa"}
    assert fill("{a} came! {b}? so {a}... and {b}", words) == "The owner came! Grandpa? So the owner... and grandpa"
    assert fill("So: {a}.", words) == "So: the owner."


@given(NAMES)
def test_turn_five_follows_turn_four(name: str) -> None:
    cell = Cell("self_perception_self_regard", "Conflict", "workplace")
    draws = Draws(name)
    story = draw_story(cell, draws)
    script = script_of(story, draws)
    beat = [story.fill(text) for text in story.plot.sustain].index(script.line(5))
    assert script.line(4).endswith(story.fill(story.plot.answer[beat]))
    assert script.line(3).endswith(story.fill(story.plot.then[beat]))


@given(NAMES)
def test_people_have_names_of_their_gender_and_are_two(name: str) -> None:
    story = draw_story(Cell("interpersonal_empathy", "Positive", "travel"), Draws(name))
    assert story.first.name != story.second.name
    assert story.day in lines().days
    for person, role in zip((story.first, story.second), story.setting.roles, strict=True):
        assert person.name in getattr(names(), person.gender)
        assert person.role == role
