"""What a Parquet file holds is told by its pages, which no footer can belie, before any of it is unpacked."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Mapping

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.thrift import changed_footer

from earmark.manifests.parquet import pages
from earmark.manifests.parquet.pages import held
from earmark.manifests.parquet.thrift import OddParquet

ROWS, MOST = 40, 1 << 22
IDS = [f"p{n}" for n in range(ROWS)]


def written(columns: Mapping[str, object], **options: object) -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.table(dict(columns)), sink, **options)  # type: ignore[arg-type]  # passed on
    return sink.getvalue()


@given(
    rows=st.integers(0, 30),
    group=st.integers(1, 9),
    version=st.sampled_from(["1.0", "2.0"]),
    compression=st.sampled_from(["none", "snappy", "gzip", "zstd"]),
    dictionary=st.booleans(),
    size=st.sampled_from([1, 1 << 20]),
)
def test_pages_are_counted_as_arrow_wrote_them(
    rows: int, group: int, version: str, compression: str, dictionary: bool, size: int
) -> None:
    lists: list[list[str] | None] = [["a"] * (n % 3) if n % 4 else None for n in range(rows)]
    columns = {"presentation_id": pa.array(IDS[:rows], pa.string()), "evidence": pa.array(lists, pa.list_(pa.string()))}
    options = {"data_page_version": version, "compression": compression, "use_dictionary": dictionary}
    data = written(columns, row_group_size=group, data_page_size=size, **options)
    holds = held(io.BytesIO(data), MOST)
    metadata = pq.read_metadata(io.BytesIO(data))
    groups = [metadata.row_group(n) for n in range(metadata.num_row_groups)]
    assert holds.rows == holds.group_rows == rows
    ids, evidence = holds.columns
    assert ids.values == rows
    assert evidence.values == sum(max(1, len(entry or ())) for entry in lists)
    assert ids.bytes + evidence.bytes <= holds.bytes
    assert ids.written_out >= sum(map(len, IDS[:rows]))
    assert evidence.written_out >= sum(len(entry or ()) for entry in lists)
    assert holds.bytes >= sum(group.total_byte_size for group in groups) - 200 * len(groups) * (rows + 2)


@pytest.mark.parametrize(
    "changes",
    [
        {"num_values": 5},
        {"total_byte_size": -1},
        {"data_page_offset": 1 << 40},
        {"data_page_offset": -4},
        {"total_compressed_size": 1 << 40},
        {"total_compressed_size": 3},
        {"num_rows": ROWS + 1},
    ],
)
def test_what_cannot_be_told_is_refused(changes: dict[str, int]) -> None:
    data = written({"presentation_id": IDS}, use_dictionary=False, write_statistics=False)
    with pytest.raises(OddParquet):
        held(io.BytesIO(changed_footer(data, **changes)), MOST)


@given(st.binary(max_size=200), st.integers(0, 250))
def test_noise_is_refused_or_bounded(noise: bytes, length: int) -> None:
    data = b"PAR1" + noise + length.to_bytes(4, "little") + b"PAR1"
    with contextlib.suppress(OddParquet):
        assert held(io.BytesIO(data), MOST).bytes >= 0


@pytest.mark.parametrize("dictionary", [True, False])
def test_texts_are_taken_to_be_as_long_as_they_could_be(dictionary: bool) -> None:
    data = written({"presentation_id": ["x" * 1000] * ROWS}, use_dictionary=dictionary, write_statistics=False)
    (column,) = held(io.BytesIO(data), MOST).columns
    assert 1000 * ROWS <= column.written_out <= 1100 * ROWS
    assert (column.bytes < 2000) == dictionary


def test_a_column_is_known_by_its_place_and_not_by_the_name_that_a_row_group_gives_it() -> None:
    data = written({"run": range(ROWS), "evidence": [["a", "b"]] * ROWS})
    for path in (["run"], ["other", "list", "element"]):
        columns = held(io.BytesIO(changed_footer(data, path=path)), MOST).columns
        assert [column.values for column in columns] == [ROWS, 2 * ROWS]


def test_a_schema_of_many_entries_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = written({"a": [1], "b": [[1]]})
    monkeypatch.setattr(pages, "MOST_SCHEMA", 5)  # the root, a, and three of b
    assert len(held(io.BytesIO(data), MOST).columns) == 2
    monkeypatch.setattr(pages, "MOST_SCHEMA", 4)
    with pytest.raises(OddParquet, match="a schema of 5 entries"):
        held(io.BytesIO(data), MOST)


def test_headers_are_read_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    data = written({"a": range(ROWS)}, row_group_size=1)
    assert held(io.BytesIO(data), MOST).rows == ROWS
    for bound in ("MOST_PAGES", "MOST_HEADERS"):
        with monkeypatch.context() as patch:
            patch.setattr(pages, bound, ROWS)
            with pytest.raises(OddParquet, match="more than"):
                held(io.BytesIO(data), MOST)
