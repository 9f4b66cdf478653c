"""Which item was heard: shares of time against a count of milliseconds, and at most one item for each."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.builders.converting.stancebench.cells import Answer, Heard, Span, heard_in
from earmark.builders.converting.stancebench.matching import Owned, matched, shared

CUTS = st.lists(st.integers(0, 60), min_size=2, max_size=8, unique=True).map(sorted)


def spans_of(cuts: list[int]) -> tuple[Span, ...]:
    return tuple(Span(cuts[n], cuts[n + 1]) for n in range(0, len(cuts) - 1, 2))


@given(one=CUTS.map(spans_of), other=CUTS.map(spans_of))
def test_what_is_shared_is_what_counting_says(one: tuple[Span, ...], other: tuple[Span, ...]) -> None:
    first, second = ({ms for span in spans for ms in range(*span)} for spans in (one, other))
    assert shared(one, other) == pytest.approx(len(first & second) / len(first | second))


def item(name: str, *spans: tuple[int, int], kind: str = "single", after: bool = False) -> Owned:
    asked = {"PN": f"{name} PN", "NP": f"{name} NP"}
    return Owned(name, f"clip of {name}", kind, tuple(Span(*span) for span in spans), after, asked)


def heard(*spans: tuple[int, int], number: int = 0, choice: str | None = "P", **rest: object) -> Heard:
    answers = (Answer(choice), Answer(choice))
    places = tuple(Span(*span) for span in spans)
    return Heard(
        label=str(rest.get("label", f"item {number}")),
        kind=str(rest.get("kind", "single")),
        spans=places,
        context_after=rest.get("after"),  # type: ignore[arg-type]  # a truth value or None
        number=number,
        answers=answers,
    )


@settings(max_examples=50)
@given(cuts=st.lists(st.integers(0, 200), min_size=4, max_size=12, unique=True).map(sorted), data=st.data())
def test_at_most_one_item_fits_whatever_the_order(cuts: list[int], data: st.DataObject) -> None:
    ours = [item(f"i{n}", span) for n, span in enumerate(spans_of(cuts))]
    theirs = heard(*spans_of(data.draw(CUTS)))
    one, other = matched([theirs], ours), matched([theirs], data.draw(st.permutations(ours)))
    assert one == other
    assert sum(shared(theirs.spans, entry.spans) > 0.5 for entry in ours) == (one[0].owned is not None)


def names(pairs: list[Heard], ours: list[Owned]) -> list[str | None]:
    return [match.owned.item if match.owned else None for match in matched(pairs, ours)]


def test_half_is_not_enough() -> None:
    assert names([heard((0, 100))], [item("i", (0, 50))]) == [None]
    assert names([heard((0, 100))], [item("i", (0, 51))]) == ["i"]


def test_context_before_and_after_are_different_items() -> None:
    ours = [item("before", (0, 9), kind="interaction"), item("after", (0, 9), kind="interaction", after=True)]
    assert names([heard((0, 9), kind="interaction", after=True)], ours) == ["after"]
    assert names([heard((0, 9), kind="interaction", after=False)], ours) == ["before"]
    assert names([heard((0, 9))], ours) == [None]


def test_clips_without_times_are_taken_in_order_where_there_are_as_many() -> None:
    ours = [item("one", (0, 9)), item("two", (10, 19)), item("three", (20, 29))]
    times = heard((10, 19), number=1)
    assert names([heard(number=2), times, heard(number=0)], ours) == ["three", "two", "one"]
    assert names([times, heard(number=0)], ours) == ["two", None]


def test_failures_are_placed_as_far_as_there_are_items() -> None:
    ours = [item("one", (0, 9)), item("two", (10, 19))]
    failed = [heard(number=n, choice=None) for n in range(3)]
    assert names(failed, ours) == ["one", "two", None]
    assert names(failed[:1], ours) == ["one"]


def test_times_are_the_two_numbers_that_a_name_ends_in() -> None:
    (found,) = heard_in('[{"item_type": "interaction", "target_ipu_id": "x_spkA_001_5_90+x_spkA_002_100_250"}]', "")
    assert found.spans == (Span(5, 90), Span(100, 250))
    (found,) = heard_in('[{"item_type": "single", "source_ipus": ["x_1_2_is_backchannel", "x_9_4"]}]', "")
    assert found.spans == ()
    (found,) = heard_in('[{"item_type": "single", "source_ipus": ["x_1_2_is_backchannel"]}]', "")
    assert found.spans == (Span(1, 2),)


@pytest.mark.parametrize(("context", "after"), [("x_1_4", False), ("x_70_90", True), ("x", None)])
def test_without_a_position_the_times_tell_which_came_first(context: str, after: bool | None) -> None:
    entry = f'[{{"item_type": "interaction", "target_ipu_id": "x_5_60", "context_ipu_id": "{context}"}}]'
    assert heard_in(entry, "")[0].context_after is after
