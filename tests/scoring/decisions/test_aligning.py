"""Ids find their places as a plain look-up finds them, however full the table of slots is."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.scoring.decisions import aligning
from earmark.scoring.decisions.aligning import grouped, places

# Few letters, so that ids are alike and stand twice; not all are one byte.
TEXTS = st.text("abé", max_size=4) | st.text("ab", min_size=4, max_size=4)
SAME = st.lists(st.text("ab", min_size=4, max_size=4), min_size=1, max_size=20)


@given(st.lists(TEXTS, max_size=30), SAME | st.lists(TEXTS, max_size=8), st.sampled_from([1, 8]), st.integers(0, 3))
@settings(max_examples=200)
def test_places_are_those_of_a_plain_look_up(ids: list[str], among: list[str], room: int, begin: int) -> None:
    plain = [among.index(id) if id in among else -1 for id in ids]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(aligning, "_FEW", 1)
        patch.setattr(aligning, "_ROOM", room)
        sliced = pa.array(["x"] * begin + ids, pa.string()).slice(begin)
        assert places(sliced, pa.array(among, pa.string())).tolist() == plain
        assert (
            places(pa.array(ids, pa.string()), pa.array(["y"] * begin + among, pa.string()).slice(begin)).tolist()
            == plain
        )


def test_many_ids_in_a_small_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aligning, "_ROOM", 1)
    among = [f"p{n:05d}" for n in range(5000)]
    order = np.random.default_rng(1).permutation(6000)
    at = places(pa.array([f"p{n:05d}" for n in order]), pa.array(among))
    assert at.tolist() == [n if n < 5000 else -1 for n in order.tolist()]


ROWS = st.lists(st.tuples(st.integers(-1, 5), st.integers(0, 3)), max_size=30)


@given(ROWS, st.sampled_from([4, 63]))
def test_rows_are_grouped_in_the_order_of_the_file(rows: list[tuple[int, int]], bits: int) -> None:
    place, run = np.array(rows, np.int64).reshape(-1, 2).T
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(aligning, "_BITS", bits)
        assert grouped(place, run).tolist() == sorted(range(len(rows)), key=lambda n: rows[n])


def test_the_highest_run_of_the_last_place() -> None:
    place, run = np.array([1 << 23, -1, 1 << 23, 1 << 23]), np.array([(1 << 31) - 1, 0, 0, (1 << 31) - 1])
    assert grouped(place, run).tolist() == [1, 2, 0, 3]
