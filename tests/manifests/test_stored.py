"""Stored tables: their footers are read first, and a few bytes that stand for gigabytes are refused before memory is taken."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.manifests import stored
from earmark.manifests.stored import TooLarge, read_stored

CELLS = st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=5)


def repeated(text: str, times: int, *, lists: bool) -> pa.Table:
    cells = pa.DictionaryArray.from_arrays(pa.array([0] * times, pa.int32()), pa.array([text]))
    column = pa.ListArray.from_arrays(pa.array(range(times + 1), pa.int32()), cells) if lists else cells
    return pa.table({"item_id": column})


def write(table: pa.Table, path: Path) -> Path:
    pq.write_table(table, path, dictionary_pagesize_limit=1 << 26, store_schema=False)
    return path


@settings(max_examples=25)
@given(st.lists(st.tuples(CELLS, st.lists(CELLS, max_size=3), st.integers(0, 9)), max_size=40), st.booleans())
def test_a_table_is_read_as_it_was_written_measured_or_not(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[object, object, int]], measured: bool
) -> None:
    kinds = {"a": pa.string(), "b": pa.list_(pa.string()), "c": pa.int64()}
    cells = [list(column) for column in zip(*rows, strict=True)] or [[], [], []]
    arrays = [pa.array(column, kind) for column, kind in zip(cells, kinds.values(), strict=True)]
    table = pa.table(arrays, names=list(kinds))
    path = tmp_path_factory.mktemp("stored") / "t.parquet"
    pq.write_table(table, path)
    with pytest.MonkeyPatch.context() as patch:
        if measured:
            patch.setattr(stored, "_that_may_expand", lambda _: ["a", "b.list.element"])
        assert read_stored(path, rows=len(rows)).equals(table)


@pytest.mark.parametrize("lists", [False, True])
def test_a_text_that_is_repeated_a_million_times_is_refused(tmp_path: Path, lists: bool) -> None:
    path = write(repeated("x" * (1 << 20), 20_000, lists=lists), tmp_path / "t.parquet")
    assert path.stat().st_size < 1 << 18
    before = pa.total_allocated_bytes()
    tracemalloc.start()
    with pytest.raises(TooLarge, match="more than 1073741824 bytes once it is read"):
        read_stored(path, rows=20_000)
    assert tracemalloc.get_traced_memory()[1] < 1 << 24
    tracemalloc.stop()
    assert pa.total_allocated_bytes() - before < 1 << 26


def test_an_honest_table_of_long_texts_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = repeated("x" * 100, 5000, lists=False)
    path = write(table, tmp_path / "t.parquet")
    monkeypatch.setattr(stored, "MOST_BYTES", 500_000)
    assert read_stored(path, rows=5000).num_rows == 5000
    monkeypatch.setattr(stored, "MOST_BYTES", 499_999)
    monkeypatch.setattr(stored, "_measured", {})
    with pytest.raises(TooLarge, match="more than 499999 bytes"):
        read_stored(path, rows=5000)


def test_rows_are_bounded_by_what_there_should_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "SPARE_ROWS", 10)
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": pa.nulls(31, pa.int64())}), path)
    assert read_stored(path, rows=11).num_rows == 31
    with pytest.raises(TooLarge, match="31 rows, where there should be 10"):
        read_stored(path, rows=10)


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="what is mapped is read from /proc, which is Linux's")
def test_a_file_that_may_shrink_is_never_mapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(repeated("x" * 100, 5000, lists=False), tmp_path / "t.parquet")
    looked = 0

    def look(*_: object) -> list[str]:
        nonlocal looked
        looked += 1
        assert str(path) not in Path("/proc/self/maps").read_text(encoding="utf-8")
        return ["item_id"]

    written_out = stored._written_out
    monkeypatch.setattr(stored, "_that_may_expand", look)
    monkeypatch.setattr(stored, "_written_out", lambda column: len(look()) + written_out(column))
    assert read_stored(path, rows=5000).num_rows == 5000
    assert looked >= 2
