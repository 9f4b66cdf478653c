"""Stored tables: their footers are read first, and a few bytes that stand for gigabytes are refused before memory is taken."""

from __future__ import annotations

import io
import tracemalloc
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.thrift import changed_footer

from earmark.manifests.building import write_parquet
from earmark.manifests.families.stance import STANCE
from earmark.manifests.parquet import bounds, stored
from earmark.manifests.parquet.bounds import MOST_BYTES, most_bytes
from earmark.manifests.parquet.pages import MOST_PAGE, Held, held
from earmark.manifests.parquet.stored import TooLarge, read_stored, stream_stored
from earmark.manifests.parquet.thrift import OddParquet

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
    pq.write_table(table, path, row_group_size=7)
    with pytest.MonkeyPatch.context() as patch:
        if measured:
            patch.setattr(stored, "_SURELY", -1)
        assert read_stored(path, rows=len(rows)).equals(table)


@settings(max_examples=25)
@given(st.lists(st.tuples(CELLS, st.lists(CELLS, max_size=3), st.integers(0, 9)), max_size=40), st.integers(1, 50))
def test_a_table_that_is_gone_through_is_the_table(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[object, object, int]], few: int
) -> None:
    kinds = {"a": pa.string(), "b": pa.list_(pa.string()), "c": pa.int64()}
    table = pa.Table.from_pylist([dict(zip(kinds, row, strict=True)) for row in rows], pa.schema(list(kinds.items())))
    path = tmp_path_factory.mktemp("stored") / "t.parquet"
    pq.write_table(table, path, row_group_size=7)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stored, "_SURELY", few % 2 * (1 << 24) - 1)
        patch.setattr(stored, "_FEW", few)
        parts = list(stream_stored(path, list(table.schema), rows=len(rows)))
    assert [row for part in parts for row in part] == table.to_pylist()
    assert all(len(part) <= few for part in parts)
    columns = [table.schema.field(name) for name in ("c", "a")]
    assert [row for part in stream_stored(path, columns, rows=len(rows)) for row in part] == table.select(
        ["c", "a"]
    ).to_pylist()


@pytest.mark.parametrize("lists", [False, True])
def test_a_text_that_is_repeated_in_a_few_rows_is_refused_too(tmp_path: Path, lists: bool) -> None:
    """Where a table is gone through, its few rows at a time are what must have room."""
    path = write(repeated("x" * (1 << 20), 20_000, lists=lists), tmp_path / "t.parquet")
    before = pa.total_allocated_bytes()
    column = pa.field("item_id", pa.list_(pa.string()) if lists else pa.string())
    with pytest.raises(TooLarge, match="in 1024 rows"):
        next(stream_stored(path, [column], rows=20_000))
    assert pa.total_allocated_bytes() - before < 1 << 26


def test_lists_of_nothing_take_room_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count = 6_000_000
    lists = pa.ListArray.from_arrays(pa.array([0, count], pa.int32()), pa.nulls(count, pa.string()))
    path = write(pa.table({"labels": lists}), tmp_path / "t.parquet")
    with pytest.raises(TooLarge, match=f"more than {most_bytes(path.stat().st_size)} bytes"):
        next(stream_stored(path, [pa.field("labels", pa.list_(pa.string()))], rows=1))
    monkeypatch.setattr(bounds, "SURE_BYTES", MOST_BYTES)
    with pytest.raises(TooLarge, match="in 1 rows"):
        next(stream_stored(path, [pa.field("labels", pa.list_(pa.string()))], rows=1))


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pa.field("b", pa.string()), "not one column b"),
        (pa.field("a", pa.int64()), "is of type string, not int64"),
        (pa.field("a", pa.string(), nullable=False), "is null in 1 rows"),
    ],
)
def test_columns_that_are_not_as_declared_are_refused(tmp_path: Path, column: pa.Field, message: str) -> None:
    path = write(pa.table({"a": ["x", None]}), tmp_path / "t.parquet")
    with pytest.raises(ValueError, match=message):
        list(stream_stored(path, [column], rows=2))
    with pytest.raises(TooLarge, match="where there should be"):
        list(stream_stored(path, [pa.field("a", pa.string())], rows=-(1 << 20)))


@pytest.mark.parametrize("lists", [False, True])
def test_a_text_that_is_repeated_a_million_times_is_refused(tmp_path: Path, lists: bool) -> None:
    path = write(repeated("x" * (1 << 20), 20_000, lists=lists), tmp_path / "t.parquet")
    assert path.stat().st_size < 1 << 18
    before = pa.total_allocated_bytes()
    tracemalloc.start()
    with pytest.raises(TooLarge, match=f"more than {most_bytes(path.stat().st_size)} bytes once it is read"):
        read_stored(path, rows=20_000)
    assert tracemalloc.get_traced_memory()[1] < 1 << 24
    tracemalloc.stop()
    assert pa.total_allocated_bytes() - before < 1 << 26


def test_an_honest_table_of_long_texts_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = repeated("x" * 100, 5000, lists=False)
    path = write(table, tmp_path / "t.parquet")
    monkeypatch.setattr(stored, "_SURELY", 0)
    monkeypatch.setattr(bounds, "MOST_BYTES", 530_000)  # 100, an offset and a level each
    assert read_stored(path, rows=5000).num_rows == 5000
    monkeypatch.setattr(bounds, "MOST_BYTES", 529_999)
    monkeypatch.setattr(stored, "_measured", {})
    with pytest.raises(TooLarge, match="more than 529999 bytes"):
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

    def look() -> None:
        nonlocal looked
        looked += 1
        assert str(path) not in Path("/proc/self/maps").read_text(encoding="utf-8")

    def expected(file: pq.ParquetFile, holds: Held) -> tuple[int, list[str]]:
        look()
        return of_all(file, holds)

    def written_out(column: pa.Array) -> int:
        look()
        return of_one(column)

    of_all, of_one = stored._expected, stored._written_out
    monkeypatch.setattr(stored, "_SURELY", 0)
    monkeypatch.setattr(stored, "_expected", expected)
    monkeypatch.setattr(stored, "_written_out", written_out)
    assert read_stored(path, rows=5000).num_rows == 5000
    assert looked >= 2


def refused(
    table: pa.Table,
    path: Path,
    error: type[Exception],
    match: str,
    lie: Mapping[str, int] | None = None,
    **options: object,
) -> None:
    """Hold that a table is refused without memory being taken for it, though its footer says that it is small."""
    sink = io.BytesIO()
    pq.write_table(table, sink, write_statistics=False, **{"compression": "zstd", **options})
    path.write_bytes(changed_footer(sink.getvalue(), total_byte_size=100, total_uncompressed_size=100, **lie or {}))
    pool = pa.default_memory_pool()
    before, most = pa.total_allocated_bytes(), pool.max_memory()
    with pytest.raises(error, match=match):
        read_stored(path, rows=table.num_rows)
    assert pool.max_memory() <= max(most, before + (1 << 22))


@pytest.mark.parametrize("dictionary", [True, False])
def test_no_large_page_is_unpacked(tmp_path: Path, dictionary: bool) -> None:
    table = pa.table({"item_id": ["x" * (MOST_PAGE + 1)]})
    options = {"use_dictionary": dictionary, "dictionary_pagesize_limit": 1 << 30}
    refused(table, tmp_path / "t.parquet", OddParquet, "a page of 671088", **options)


def test_nulls_take_memory_though_they_take_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MOST_BYTES", 1 << 22)
    count = 1 << 19
    entries = pa.ListArray.from_arrays(pa.array([0, count], pa.int32()), pa.nulls(count, pa.string()))
    path = tmp_path / "t.parquet"
    refused(pa.table({"labels": entries}), path, TooLarge, "more than 4194304 bytes")
    refused(pa.table({"labels": entries}), path, OddParquet, f"{count} values", {"num_values": 1})
    refused(pa.table({"starts": pa.nulls(count + 1, pa.int64())}), path, TooLarge, "more than 4194304 bytes")
    refused(pa.table({"fixed": pa.nulls(64, pa.binary(1 << 17))}), path, TooLarge, "more than 4194304 bytes")


@pytest.mark.parametrize("name", ["item_id", "a.b", "a.list.element", ""])
@pytest.mark.parametrize("lists", [False, True])
def test_texts_are_measured_whatever_their_column_is_called(tmp_path: Path, name: str, lists: bool) -> None:
    table = repeated("x" * (1 << 20), 2000, lists=lists).rename_columns([name])
    path = write(table, tmp_path / "t.parquet")
    before = pa.total_allocated_bytes()
    with pytest.raises(TooLarge, match=f"more than {most_bytes(path.stat().st_size)} bytes once it is read"):
        read_stored(path, rows=2000)
    assert pa.total_allocated_bytes() - before < 1 << 26


def test_texts_of_many_row_groups_are_added_up(tmp_path: Path) -> None:
    # In each they come to less than is read.
    path = tmp_path / "t.parquet"
    pq.write_table(repeated("x" * (1 << 18), 6000, lists=False), path, row_group_size=1000, store_schema=False)
    with pytest.raises(TooLarge, match=f"more than {most_bytes(path.stat().st_size)} bytes once it is read"):
        read_stored(path, rows=6000)


@pytest.mark.parametrize(
    "of", [pa.struct([("b", pa.string())]), pa.list_(pa.list_(pa.int64())), pa.list_(pa.int64(), 3)]
)
def test_a_type_that_no_table_has_is_refused(tmp_path: Path, of: pa.DataType) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": pa.nulls(3, of)}), path)
    with pytest.raises(TooLarge, match="its column a is of type"):
        read_stored(path, rows=3)


def test_damaged_metadata_of_a_list_do_not_end_the_process(tmp_path: Path) -> None:
    # Arrow's own account of such a column throws where nothing catches it.
    path = tmp_path / "t.parquet"
    sink = io.BytesIO()
    pq.write_table(pa.table({"labels": [["a"]] * 40}), sink)
    path.write_bytes(changed_footer(sink.getvalue(), histogram=[1, 2]))
    with pytest.raises(OSError, match="histogram"):
        read_stored(path, rows=40)


def large(rows: int) -> pa.Table:
    """Presentations of a large release, in which nothing but names is repeated."""
    numbers = pa.array(range(rows))
    ids = {
        kind: pc.binary_join_element_wise(kind, pc.utf8_lpad(numbers.cast(pa.string()), 26, "0"), "") for kind in "pic"
    }
    lists = {"protocols": ["both-orders", "one-order"], "labels": ["TARGET", "A", "B"]}
    columns = {
        "presentation_id": ids["p"],
        "item_id": ids["i"],
        "order": pa.array(["PN", "NP"]).take(pc.bit_wise_and(numbers, 1)),
        "after": pa.nulls(rows, pa.string()),
        "modality": pa.repeat("audio", rows),
        "prompt_id": pa.repeat("stance-PN", rows),
        **{name: pa.repeat(pa.scalar(value, pa.list_(pa.string())), rows) for name, value in lists.items()},
        "clips": pa.ListArray.from_arrays(pa.array(range(rows + 1), pa.int32()), ids["c"]),
    }
    schema = STANCE.tables()["presentations"].arrow_schema()
    return pa.table([columns[name] for name in schema.names], schema=schema)


@pytest.mark.parametrize("rows", [(1 << 16) + 1, pytest.param(10**6, marks=pytest.mark.slow)])
def test_a_large_release_is_read(tmp_path: Path, rows: int) -> None:
    table, path = large(rows), tmp_path / "t.parquet"
    write_parquet(table, path)
    with path.open("rb") as stream:
        holds = held(stream, MOST_BYTES)
    assert holds.bytes < rows * 200
    assert {column.values for column in holds.columns} == {rows, 2 * rows, 3 * rows}
    assert read_stored(path, rows=rows).equals(table)
