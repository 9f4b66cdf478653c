"""Words: columns that behave as a sequence of words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from earmark.builders.corpora.seamless.words import Word, Words

times = st.none() | st.floats(0, 1e6)
words = st.lists(st.builds(Word, st.text(min_size=1, max_size=5), times, times), max_size=8)


@given(found=words, start=st.integers(-9, 9), stop=st.integers(-9, 9), step=st.sampled_from([-2, -1, 1, 2]))
def test_they_are_the_words_put_in(found: list[Word], start: int, stop: int, step: int) -> None:
    held = Words(found)
    assert list(held) == found
    assert [held[at] for at in range(len(held))] == found
    assert held[start:stop:step] == tuple(found[start:stop:step])
    assert list(reversed(held)) == found[::-1]
    assert all(word in held for word in found)
    assert repr(held) == f"Words({found!r})"


@given(one=words, other=words)
def test_they_are_equal_where_all_words_are(one: list[Word], other: list[Word]) -> None:
    assert (Words(one) == Words(other)) == (one == other)
    assert hash(Words(one)) == hash(Words(list(one)))
    assert Words(one) != one
