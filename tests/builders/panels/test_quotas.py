"""Spreading items over cells: exact, level, and as even in every column as trying everything finds."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from earmark.builders.panels.quotas import Cell, Tally, absent_cells, even_shares, split, spread

LABELS = ("a", "b", "c")


def by_name(cell: Cell) -> int:
    return sum(ord(letter) * 31**n for n, letter in enumerate("".join(cell)))


@st.composite
def pools(draw: st.DrawFn) -> tuple[int, dict[Cell, int]]:
    """Cells of one to three columns, some absent, and a demand that they can meet."""
    widths = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    cells = list(product(*(LABELS[:width] for width in widths)))
    available = {cell: draw(st.integers(0, 6)) for cell in cells}
    available = {cell: items for cell, items in available.items() if items} or {cells[0]: 1}
    return draw(st.integers(0, sum(available.values()))), available


@settings(max_examples=50)
@given(pools())
def test_exact_and_level_in_every_part(pool: tuple[int, dict[Cell, int]]) -> None:
    demand, available = pool
    counts = spread(demand, available, by_name)
    assert sum(counts.values()) == demand
    assert all(0 < items <= available[cell] for cell, items in counts.items())
    for columns in range(1, len(next(iter(available))) + 1):
        there, here = Counter[Cell](), Counter[Cell]()
        for cell, items in available.items():
            there[cell[:columns]] += items
            here[cell[:columns]] += counts[cell]
        for one, other in combinations(there, 2):
            # Of two siblings the one with fewer is at most one behind, or has given all it has.
            if one[:-1] == other[:-1]:
                fewer, more = sorted((one, other), key=lambda cell: here[cell])
                assert here[more] - here[fewer] <= 1 or here[fewer] == there[fewer]


@settings(max_examples=50)
@given(st.integers(0, 40), st.lists(st.integers(1, 3), min_size=1, max_size=3), st.permutations(range(30)))
def test_every_column_is_within_one_where_nothing_is_short(demand: int, widths: list[int], ranks: list[int]) -> None:
    cells = list(product(*(LABELS[:width] for width in widths)))
    counts = spread(demand, dict.fromkeys(cells, demand), lambda cell: ranks[by_name(cell) % 30])
    joint = [counts[cell] for cell in cells]
    assert max(joint) - min(joint) <= 1
    for column in range(len(widths)):
        alone = Counter(dict.fromkeys(LABELS[: widths[column]], 0))
        for cell, items in counts.items():
            alone[cell[column]] += items
        assert max(alone.values()) - min(alone.values()) <= 1


@settings(max_examples=50)
@example([(1, 1, 1, 0), (1, 0, 1, 1), (1, 1, 1, 0)])
@example([(1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 0, 1)])
@example([(1, 1, 1, 0), (1, 1, 0, 1), (1, 1, 1, 0), (1, 1, 1, 0)])
@given(
    st.lists(st.tuples(st.integers(0, 5), *[st.integers(0, 3)] * 3), min_size=1, max_size=3).filter(
        lambda rows: all(sum(row[1:]) > 0 for row in rows)
    )
)
def test_odd_items_go_where_trying_everything_puts_them(rows: list[tuple[int, ...]]) -> None:
    """The column alone is as even as any choice makes it that keeps each part level."""
    below = {(f"p{n}",): dict(zip(LABELS, row[1:], strict=True)) for n, row in enumerate(rows)}
    demands = {cell: min(rows[n][0], sum(below[cell].values())) for n, cell in enumerate(below)}
    counts = split(demands, below, 1, by_name, Tally())

    def unevenness(numbers: Counter[Cell]) -> tuple[int, int]:
        alone = Counter[str]()
        for cell, items in numbers.items():
            alone[cell[-1]] += items
        return sum(items**2 for items in numbers.values()), sum(items**2 for items in alone.values())

    ways = []
    for cell, labels in below.items():
        fits = [
            Counter({(*cell, label): n for label, n in zip(labels, numbers, strict=True)})
            for numbers in product(*(range(items + 1) for items in labels.values()))
            if sum(numbers) == demands[cell]
        ]
        ways.append(fits)
    best = min(unevenness(sum(way, Counter())) for way in product(*ways))
    assert unevenness(counts) == best


def test_odd_items_alternate_over_spreads() -> None:
    """One item of each of two cells, time and again: neither cell gathers one label."""
    tally, given_to = Tally(), Counter[Cell]()
    for _ in range(8):
        given_to += split(
            {("x",): 1, ("y",): 1}, {("x",): {"l": 1, "r": 1}, ("y",): {"l": 1, "r": 1}}, 0, by_name, tally
        )
    assert given_to == {(cell, side): 4 for cell in "xy" for side in "lr"}


def test_too_few_items() -> None:
    with pytest.raises(ValueError, match="3 items, 4 wanted"):
        spread(4, {("a",): 3}, by_name)
    assert not spread(0, {}, by_name)


def test_cells_that_are_missed() -> None:
    cells = {("tie", "good", "cross"): 3, ("tie", "bad", "same"): 1, ("tie", "bad", "cross"): 1}
    cells |= {("decided", "non", "same"): 1, ("decided", "non", "cross"): 1}
    assert absent_cells(cells) == [("tie", "good", "same")]
    assert absent_cells({("a",): 1}) == absent_cells({}) == []
    assert even_shares(Counter({("a",): 1, ("b",): 4}), ("a",), {("a",): 1, ("b",): 9}) == 3
