"""Quotas: nothing lost, nothing made up, and the two sexes alike whatever the number."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from earmark.builders.pairs.quotas import apportion, over_sexes, whole_share

counts = st.integers(0, 10_000)
parts = st.dictionaries(st.sampled_from("abcde"), st.integers(1, 50), min_size=1)


@given(counts, parts)
def test_parts_add_up_and_none_is_a_pair_from_its_share(count: int, parts: dict[str, int]) -> None:
    split = apportion(count, parts)
    assert sum(split.values()) == count
    assert list(split) == list(parts)
    for name, part in parts.items():
        assert abs(split[name] - Fraction(count * part, sum(parts.values()))) < 1


@given(counts, st.integers(0, 9) | st.none())
def test_sexes_are_alike(count: int, mixed: int | None) -> None:
    split = dict(over_sexes(count, mixed=mixed))
    assert sum(split.values()) == count
    assert split.get("female", 0) == split.get("male", 0)
    assert 0 not in split.values()
    if mixed is None:
        assert split.get("either", 0) == count % 2
        assert "mixed" not in split
    else:
        assert split.get("mixed", 0) >= mixed * split.get("female", 0)
        assert "either" not in split


@given(st.fractions(0, 1), st.lists(st.integers(1, 500), min_size=1, max_size=4))
def test_a_whole_share_is_whole_of_every_quota_and_the_largest_such(share: Fraction, quotas: list[int]) -> None:
    found = whole_share(share, quotas)
    assert 0 <= found <= share
    assert all((found * quota).denominator == 1 for quota in quotas)
    larger = [
        Fraction(n, quotas[0])
        for n in range(quotas[0] + 1)
        if found < Fraction(n, quotas[0]) <= share
        and all((Fraction(n, quotas[0]) * q).denominator == 1 for q in quotas)
    ]
    assert larger == []
