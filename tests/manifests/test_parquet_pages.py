"""What a Parquet file holds is told by its pages, which no footer can belie, before any of it is unpacked."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.thrift import changed_footer

from earmark.manifests.findings import Findings
from earmark.manifests.parquet_pages import MOST_PAGE, OddParquet, held
from earmark.scoring.submissions.collecting import Collector
from earmark.scoring.submissions.parquet_file import read_parquet
from earmark.scoring.submissions.rows import Limits, Rules

ROWS, MOST = 40, 1 << 22
IDS = [f"p{n}" for n in range(ROWS)]


def written(columns: Mapping[str, object], **options: object) -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.table(dict(columns)), sink, **options)  # type: ignore[arg-type]  # passed on
    return sink.getvalue()


def codes(data: bytes, path: Path) -> dict[str, int]:
    path.write_bytes(data)
    collector = Collector(path.name, Rules(("P", "N"), probability=True, limits=Limits(bytes=MOST)), Findings())
    read_parquet(path, collector)
    return collector.findings.counts


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
    assert holds.values.get("presentation_id", 0) == rows
    assert holds.values.get("evidence", 0) == sum(max(1, len(entry or ())) for entry in lists)
    assert holds.bytes >= sum(group.total_byte_size for group in groups) - 200 * len(groups) * (rows + 2)


@pytest.mark.parametrize("dictionary", [True, False])
def test_a_page_is_not_unpacked_whatever_the_footer_says(dictionary: bool, tmp_path: Path) -> None:
    text = "x" * (MOST_PAGE + 1)
    options = {"use_dictionary": dictionary, "write_statistics": False, "compression": "zstd"}
    data = written({"presentation_id": ["p"], "response": [text]}, dictionary_pagesize_limit=1 << 30, **options)
    assert len(data) < 1 << 14
    small = changed_footer(data, total_byte_size=100, total_uncompressed_size=100)
    assert pq.read_metadata(io.BytesIO(small)).row_group(0).total_byte_size == 100
    before = pa.default_memory_pool().max_memory()
    assert codes(small, tmp_path / "f.parquet") == {"submission.not-parquet": 1}
    assert pa.default_memory_pool().max_memory() == before


def test_many_pages_that_are_small_are_added_up(tmp_path: Path) -> None:
    options = {"use_dictionary": False, "write_statistics": False, "write_batch_size": 1, "compression": "zstd"}
    texts = ["x" * (MOST // 30)] * ROWS
    data = written({"presentation_id": IDS, "response": texts}, data_page_size=1, **options)
    small = changed_footer(data, total_byte_size=100, total_uncompressed_size=100)
    assert codes(small, tmp_path / "f.parquet") == {"submission.too-large": 1}


def test_a_list_of_nulls_is_as_long_as_its_pages_say(tmp_path: Path) -> None:
    lists = pa.ListArray.from_arrays(pa.array([0, 100_000], pa.int32()), pa.nulls(100_000, pa.string()))
    data = written({"presentation_id": ["p"], "evidence": lists}, write_statistics=False)
    assert codes(data, tmp_path / "f.parquet") == {"submission.too-long": 1}
    assert codes(changed_footer(data, num_values=1), tmp_path / "f.parquet") == {"submission.not-parquet": 1}


LONG = "x" * (1 << 20)


@pytest.mark.parametrize("of", [pa.string(), pa.large_string()])
@pytest.mark.parametrize("listed", [False, True])
def test_one_text_repeated_is_measured_in_any_type_of_column(of: pa.DataType, listed: bool, tmp_path: Path) -> None:
    # Tens of kilobytes that would be two gigabytes once they are written out.
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * 2000, pa.int32()), pa.array([LONG]))
    column = pa.ListArray.from_arrays(pa.array(range(0, 2001, 2), pa.int32()), texts) if listed else texts
    rows = len(column)
    name = "evidence" if listed else "response"
    columns = {"presentation_id": pa.array(["p"] * rows), "run": pa.array(range(rows)), name: column}
    data = written(columns, write_statistics=False, dictionary_pagesize_limit=1 << 30)
    schema = pa.schema([("presentation_id", pa.string()), ("run", pa.int64()), (name, pa.list_(of) if listed else of)])
    before = pa.default_memory_pool().max_memory()
    assert codes(changed_footer(data, schema=schema), tmp_path / "f.parquet") == {"submission.too-large": 1}
    assert pa.default_memory_pool().max_memory() - before < 1 << 26


def test_damaged_metadata_of_a_list_do_not_end_the_process(tmp_path: Path) -> None:
    # Arrow's own account of such a column throws where nothing catches it.
    data = written({"presentation_id": IDS, "evidence": [["a"]] * ROWS})
    counts = codes(changed_footer(data, histogram=[1, 2]), tmp_path / "f.parquet")
    assert counts == {"submission.not-parquet": 1}


@pytest.mark.parametrize(
    "changes",
    [
        {"num_values": 5},
        {"total_byte_size": -1},
        {"data_page_offset": 1 << 40},
        {"data_page_offset": -4},
        {"total_compressed_size": 1 << 40},
        {"total_compressed_size": 3},
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
