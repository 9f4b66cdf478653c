"""Parquet that would come to far more than it seems is refused by its pages; texts are measured in any type of column."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.support.thrift import changed_footer

from earmark.manifests.findings import Findings
from earmark.manifests.parquet.pages import MOST_PAGE
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
    assert codes(changed_footer(data, path=["run"]), tmp_path / "f.parquet") == {"submission.too-long": 1}
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
