"""Parquet: the same rows as JSON Lines, and nothing taken on trust."""

from __future__ import annotations

import math
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.examples import many
from tests.support.predictions import GOOD, SMALL, rows_of

from earmark.manifests.findings import Findings
from earmark.scoring.submissions import parquet_file
from earmark.scoring.submissions.collecting import Collector
from earmark.scoring.submissions.columns import COLUMNS
from earmark.scoring.submissions.parquet_file import read_parquet
from earmark.scoring.submissions.rows import FIELDS, Limits, Row, Rules

GIVEN = pa.schema([COLUMNS.field(name).with_nullable(True) for name in FIELDS])


def read(path: Path, table: pa.Table, limits: Limits = SMALL, **options: object) -> Collector:
    """Read both ways, and find no difference."""
    pq.write_table(table, path, **options)
    return read_again(path, limits)


def read_again(path: Path, limits: Limits = SMALL, choices: tuple[str, ...] = ("P", "N")) -> Collector:
    slow, fast = (Collector("f.parquet", Rules(choices, probability=True, limits=limits), Findings()) for _ in range(2))
    read_parquet(path, slow, fast=False)
    read_parquet(path, fast)
    assert rows_of(fast) == rows_of(slow)
    assert fast.bad_rows() == slow.bad_rows()
    assert fast.findings.as_json() == slow.findings.as_json()
    assert fast.rows == slow.rows
    return fast


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("parquet") / "f.parquet"


@given(rows=st.lists(GOOD, min_size=1, max_size=8), dictionary=st.booleans(), group=st.integers(1, 4))
def test_rows_come_back_as_they_were_given(
    path: Path, rows: list[dict[str, object]], dictionary: bool, group: int
) -> None:
    table = pa.Table.from_pylist(rows, schema=GIVEN)
    collector = read(path, table, use_dictionary=dictionary, row_group_size=group)
    assert len(collector.findings) == 0
    rules = Rules(("P", "N"), probability=True, limits=SMALL)
    assert rows_of(collector) == [rules.check(row, n) for n, row in enumerate(rows, start=1)]  # type: ignore[arg-type]  # JSON


TEXTS = ["p", "q", None, "", "p" * 30, "p" * 31, "a\0", "é", "P", "N", "1", "ok", "failed", "abstained", "OK"]
WHOLE = [0, 1, None, -1, (1 << 31) - 1, 1 << 31, 10**12, 10**12 + 1, (1 << 63) - 1]
REAL = [0.0, -0.0, 1.0, 0.5, None, math.nan, math.inf, -math.inf, -0.5, 1.5, 1e12, 2e12, 1e300, 2.0**31]
LISTS = [["a"], None, [], ["a", "b", "c", "d"], ["a"] * 5, [None], ["a", None], ["e" * 31], ["\0"], ["é", ""]]
TEXT = [
    (pa.string(), TEXTS),
    (pa.large_string(), TEXTS),
    (pa.dictionary(pa.int8(), pa.string()), TEXTS),
    (pa.null(), [None]),
]
NUMBER = [
    *((pa.int64(), WHOLE), (pa.uint64(), [0, 1, None, 1 << 63, (1 << 64) - 1]), (pa.int8(), [0, 1, None, -1, 127])),
    *((pa.float64(), REAL), (pa.float32(), REAL), (pa.null(), [None])),
]
COLUMN = {
    **{name: [*TEXT, (pa.int64(), WHOLE)] for name in ("presentation_id", "response", "status")},
    "choice": [*TEXT, *NUMBER[:3]],
    **dict.fromkeys(("run", "probability", "latency_s", "input_tokens"), NUMBER),
    "evidence": [
        *((pa.list_(pa.string()), LISTS), (pa.large_list(pa.large_string()), LISTS), (pa.null(), [None])),
        *((pa.list_(pa.int64()), [[1], None, [], [None]]), (pa.list_(pa.null()), [[], None, [None]])),
    ],
}


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    """Columns of types that suit their fields, with cells that are good or nearly so."""
    names = ["presentation_id", *draw(st.lists(st.sampled_from(list(COLUMN)[1:]), unique=True, max_size=7))]
    count, columns = draw(st.integers(1, 8)), {}
    for name in names:
        kind, cells = draw(st.sampled_from(COLUMN[name]))
        few = cells[: draw(st.sampled_from([1, 2, 99]))]
        columns[name] = pa.array([draw(st.sampled_from(few)) for _ in range(count)], kind)
    return pa.table(columns)


@given(tables(), st.sampled_from([2, 10_000]), st.sampled_from([("P", "N"), ("1", "2", "P")]))
@settings(max_examples=60)
def test_columns_and_rows_give_the_same(path: Path, table: pa.Table, most: int, choices: tuple[str, ...]) -> None:
    pq.write_table(table, path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet_file, "_BATCH", 3)
        read_again(path, Limits(id=30, response=30, evidence=30, rows=most), choices)


def test_columns_that_are_absent_or_all_null(path: Path) -> None:
    table = pa.table({"presentation_id": ["a", "b"], "choice": ["P", "N"], "response": pa.nulls(2)})
    assert rows_of(read(path, table)) == [Row("a", choice="P", line=1), Row("b", choice="N", line=2)]


def test_whole_numbers_that_a_data_frame_made_floating(path: Path) -> None:
    table = pa.table(
        {"presentation_id": ["a", "b"], "choice": ["P", "N"], "run": [1.0, None], "input_tokens": [3.0, 4.0]}
    )
    assert [(row.run, row.input_tokens) for row in rows_of(read(path, table))] == [(1, 3), (0, 4)]
    table = pa.table({"presentation_id": ["a", "b"], "choice": ["P", "N"], "run": [1.5, 2.0]})
    assert read(path, table).findings.counts == {"submission.wrong-type": 1}


def test_each_bad_row_keeps_its_place(path: Path) -> None:
    table = pa.table(
        {
            "presentation_id": ["a", None, "c", "d\0", "e", "f", "g"],
            "choice": ["P", "P", "X", "P", "P", "P", "P"],
            "probability": [0.5, 0.5, 0.5, 0.5, math.nan, 2.0, None],
            "evidence": [["x"], None, [], None, None, None, ["a"] * 5],  # five in a row, few in all
        }
    )
    collector = read(path, table)
    assert [row.presentation_id for row in rows_of(collector)] == ["a"]
    assert [(bad.line, bad.presentation_id, bad.code.removeprefix("submission.")) for bad in collector.bad] == [
        (2, None, "no-id"),
        (3, "c", "unknown-value"),
        (4, None, "nul"),
        (5, "e", "nan"),
        (6, "f", "out-of-range"),
        (7, "g", "too-long"),
    ]


@pytest.mark.parametrize(
    ("column", "cells"),
    [
        ("presentation_id", [b"a"]),
        ("run", ["1"]),
        ("run", [True]),
        ("choice", [["P"]]),
        ("probability", ["0.5"]),
        ("evidence", ["x"]),
        ("evidence", [[[1]]]),
        ("response", [{"a": 1}]),
        ("cost_usd", pa.array([1], pa.decimal128(5))),
    ],
)
def test_columns_of_another_type(path: Path, column: str, cells: object) -> None:
    good = {"presentation_id": ["a"], "choice": ["P"]}
    collector = read(path, pa.table({**good, column: cells}))
    (finding,) = collector.findings
    assert (finding.code.name, finding.column) == ("submission.column-type", column)
    assert collector.rows == 0


@pytest.mark.parametrize("names", [["presentation_id", "choice", "__index_level_0__"], ["id", "choice"], ["choice"]])
def test_columns_of_other_names(path: Path, names: list[str]) -> None:
    collector = read(path, pa.table({name: ["P"] for name in names}))
    assert set(collector.findings.counts) == {"submission.bad-columns"}
    assert collector.rows == 0


@pytest.mark.parametrize(
    "data", [b"", b"PAR1", b"PAR1" + b"\0" * 100 + b"PAR1", b"not parquet at all, but long enough"]
)
def test_files_that_are_no_parquet(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    collector = Collector("f.parquet", Rules(("P", "N"), probability=True, limits=SMALL), Findings())
    read_parquet(path, collector)
    assert collector.findings.counts == {"submission.not-parquet": 1}


@settings(max_examples=many(300))
@given(cut=st.integers(0, 2000), flipped=st.lists(st.tuples(st.integers(0, 2000), st.integers(1, 255)), max_size=3))
def test_a_damaged_file_is_read_or_found(path: Path, cut: int, flipped: list[tuple[int, int]]) -> None:
    pq.write_table(pa.table({"presentation_id": ["a", "b"] * 9, "choice": ["P", "N"] * 9}), path)
    data = bytearray(path.read_bytes())
    for at, mask in flipped:
        data[at % len(data)] ^= mask
    path.write_bytes(data[: len(data) - cut % len(data)] if cut % 3 == 0 else data)
    collector = Collector("f.parquet", Rules(("P", "N"), probability=True, limits=SMALL), Findings())
    read_parquet(path, collector)
    assert collector.rows == len(collector.bad) + len(rows_of(collector))
    assert collector.rows <= 18 or collector.findings.failed


def test_texts_that_are_not_utf8(path: Path) -> None:
    spoilt = pa.array([b"P\xff"], pa.binary()).view(pa.string())
    collector = read(path, pa.table({"presentation_id": ["a"], "choice": spoilt}))
    assert collector.findings.counts == {"submission.not-parquet": 1}


def test_a_text_repeated_a_million_times_is_not_written_out(path: Path) -> None:
    rows = 100_000
    table = pa.table(
        {
            "presentation_id": [f"p{n}" for n in range(rows)],
            "response": pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int8()), ["x" * 60_000]),
        }
    )
    before = pa.total_allocated_bytes()
    peak = 0

    def watching(batch: pa.RecordBatch) -> int:
        nonlocal peak
        peak = max(peak, pa.total_allocated_bytes() - before)
        return written_out(batch)

    written_out = parquet_file._written_out
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet_file, "_written_out", watching)
        collector = read(path, table, Limits(bytes=1 << 26))
    assert path.stat().st_size < 4 << 20
    assert collector.findings.counts == {"submission.too-large": 1}
    assert collector.rows == 0
    assert 0 < peak < 1 << 26, "6 GB if it were"


@pytest.mark.parametrize("encoding", ["DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY", "PLAIN"])
def test_texts_in_any_encoding_that_does_not_repeat_them_a_thousandfold(path: Path, encoding: str) -> None:
    table = pa.table({"presentation_id": ["a", "b", "c"], "response": ["long enough", "long before", None]})
    collector = read(path, table, use_dictionary=False, column_encoding=dict.fromkeys(table.column_names, encoding))
    assert [row.response for row in rows_of(collector)] == ["long enough", "long before"]


def test_texts_that_begin_alike_are_not_written_out(path: Path) -> None:
    # Each is spelt as the one before it and nothing more: 120 MB out of one page.
    table = pa.table({"presentation_id": [f"p{n}" for n in range(2_000)], "response": ["x" * 60_000] * 2_000})
    encoding = {"presentation_id": "PLAIN", "response": "DELTA_BYTE_ARRAY"}
    pq.write_table(table, path, use_dictionary=False, column_encoding=encoding)
    assert path.stat().st_size < 1 << 16
    collector = read_again(path, Limits(bytes=1 << 30))
    assert collector.findings.counts == {"submission.not-parquet": 1}


@pytest.mark.parametrize("unique", [True, False])
def test_dictionaries_are_kept_only_where_texts_are_much_repeated(
    path: Path, unique: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = 1_200
    kept: list[list[str]] = []
    texts = [f"{n:0600}" if unique else "x" * 60_000 for n in range(rows)]
    pq.write_table(pa.table({"presentation_id": [f"p{n}" for n in range(rows)], "response": texts}), path)
    opened = parquet_file._opened

    def watching(path: Path, texts: list[str]) -> pq.ParquetFile:
        kept.append(texts)
        return opened(path, texts)

    monkeypatch.setattr(parquet_file, "_opened", watching)
    collector = Collector("f.parquet", Rules(("P", "N"), probability=True, limits=Limits(bytes=1 << 30)), Findings())
    read_parquet(path, collector)
    assert collector.rows == rows
    assert kept == [[], [] if unique else ["response"]]


def test_a_list_of_a_million_nulls_is_not_taken_into_memory(path: Path) -> None:
    evidence = pa.ListArray.from_arrays([0, 3_000_000], pa.nulls(3_000_000, pa.string()))
    collector = read(
        path, pa.table({"presentation_id": ["a"], "choice": ["P"], "evidence": evidence}), Limits(bytes=1 << 20)
    )
    assert path.stat().st_size < 1 << 16
    assert collector.findings.counts == {"submission.too-long": 1}


@pytest.mark.parametrize("most", range(5))
def test_rows_are_bounded(path: Path, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_file, "_BATCH", 2)
    table = pa.table({"presentation_id": ["a", "b", "c"], "choice": ["P", "X", "N"]})
    collector = read(path, table, Limits(rows=most))
    assert collector.rows == min(most, 3)
    assert collector.findings.counts.get("submission.too-many-rows", 0) == (most < 3)


def test_a_file_that_says_it_is_too_large_is_not_read(path: Path) -> None:
    table = pa.table({"presentation_id": ["a"] * 1000, "response": ["x" * 2000] * 1000})
    collector = read(path, table, Limits(bytes=1 << 20), use_dictionary=False, compression="zstd")
    assert path.stat().st_size < 1 << 16
    assert collector.findings.counts == {"submission.too-large": 1}


def test_what_the_system_refuses_is_its_own_error(tmp_path: Path) -> None:
    collector = Collector("f.parquet", Rules(("P", "N"), probability=True, limits=SMALL), Findings())
    with pytest.raises(FileNotFoundError):
        read_parquet(tmp_path / "absent.parquet", collector)
