"""Casting: two voices that differ, by gender, by the dialogue's name alone, each voice about as often as the next."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders.dialogues.speakers.lines import dialogue

from earmark.builders.dialogues.records import Gender
from earmark.builders.dialogues.speakers.casting import Pools, cast_by_name
from earmark.builders.dialogues.speakers.offline_voices import OFFLINE_POOLS, VOICES
from earmark.builders.dialogues.speakers.openai import OPENAI_POOLS

GENDERS: tuple[Gender, ...] = get_args(Gender)
POOLS = {"offline": OFFLINE_POOLS, "openai": OPENAI_POOLS}
PAIRS = list(product(GENDERS, GENDERS))
genders = st.sampled_from(GENDERS)


def pool(pools: Pools, gender: str) -> tuple[str, ...]:
    found: tuple[str, ...] = getattr(pools, gender)
    return found


@given(st.text(min_size=1, max_size=20), genders, genders, st.sampled_from(sorted(POOLS)))
@settings(max_examples=25)
def test_two_people_never_share_a_voice_and_each_has_one_of_the_own_pool(
    name: str, first: Gender, second: Gender, which: str
) -> None:
    pools = POOLS[which]
    one, other = cast_by_name(dialogue(name, first, second), pools)
    assert one != other
    assert one in pool(pools, first)
    assert other in pool(pools, second)
    assert (one, other) == cast_by_name(dialogue(name, first, second), pools)


@given(st.permutations(OPENAI_POOLS.female), st.permutations(OPENAI_POOLS.nonbinary))
@settings(max_examples=10)
def test_the_order_of_a_pool_plays_no_part(female: list[str], nonbinary: list[str]) -> None:
    others = Pools(female=tuple(female), male=OPENAI_POOLS.male, nonbinary=tuple(nonbinary))
    for name, (first, second) in zip("abcdefghi", PAIRS, strict=True):
        drawn = dialogue(name, first, second)
        assert cast_by_name(drawn, others) == cast_by_name(drawn, OPENAI_POOLS)


def test_another_voice_in_a_pool_changes_only_what_it_wins() -> None:
    more = Pools(female=(*OPENAI_POOLS.female, "marin"), male=OPENAI_POOLS.male, nonbinary=OPENAI_POOLS.nonbinary)
    for number in range(100):
        drawn = dialogue(f"d-{number}", "female", "male")
        before, after = cast_by_name(drawn, OPENAI_POOLS), cast_by_name(drawn, more)
        assert after == before or after[0] == "marin"


@pytest.mark.parametrize("which", sorted(POOLS))
def test_every_voice_speaks_about_as_often_as_the_others_of_its_pool(which: str) -> None:
    pools, count = POOLS[which], 1200
    for first, second in (("female", "female"), ("male", "nonbinary"), ("nonbinary", "nonbinary")):
        drawn = [cast_by_name(dialogue(f"s-{n}", first, second), pools) for n in range(count)]  # type: ignore[arg-type]
        for gender, voices in ((first, [one for one, _ in drawn]), (second, [other for _, other in drawn])):
            expected = count / len(pool(pools, gender))
            counts = Counter(voices)
            assert set(counts) == set(pool(pools, gender))
            # Less than one in a thousand fair draws is farther off: six standard deviations, and 20 % for what
            # another speaker's pool takes away.
            for voice, found in counts.items():
                assert abs(found - expected) < 0.2 * expected + 4 * expected**0.5, (voice, found, expected)


def test_non_binary_people_do_not_all_have_mens_voices() -> None:
    for pools in POOLS.values():
        drawn = [cast_by_name(dialogue(f"n-{n}", "nonbinary", "male"), pools)[0] for n in range(400)]
        male = sum(voice in pools.male for voice in drawn) / len(drawn)
        female = sum(voice in pools.female for voice in drawn) / len(drawn)
        assert male < 0.65
        assert male - female < 0.2


def test_the_offline_pools_are_all_voices_and_share_none() -> None:
    assert len(OFFLINE_POOLS.voices) == len(VOICES) == 18
    assert not set(OFFLINE_POOLS.nonbinary) & {*OFFLINE_POOLS.female, *OFFLINE_POOLS.male}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"female": ("alloy",)}, "'female' is .*two different"),
        ({"male": ("ash", "ash", "echo")}, "none of them twice"),
        ({"nonbinary": ()}, "'nonbinary' is"),
        ({"male": ("ash", "")}, "'male' is"),
        ({"nonbinary": OPENAI_POOLS.male}, "'nonbinary' is one of the pool 'male'"),
        ({"nonbinary": ("ash", "echo")}, "one of the pool 'male'"),
        ({"nonbinary": ("nova", "sage")}, "one of the pool 'female'"),
    ],
)
def test_pools_from_which_nobody_could_be_cast(change: dict[str, tuple[str, ...]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        msgspec.structs.replace(OPENAI_POOLS, **change)
    with pytest.raises(msgspec.ValidationError, match=message):
        msgspec.convert({**msgspec.to_builtins(OPENAI_POOLS), **change}, Pools)
