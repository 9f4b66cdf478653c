"""Content hashes: the same for the same rows however they lie, another for any other rows."""

from __future__ import annotations

import hashlib
import math
import unicodedata
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.feather as pf
import pyarrow.parquet as pq
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from earmark.manifests.canonical import canonical_cell
from earmark.manifests.hashes import content_hash, file_hash, folder_hash
from earmark.manifests.tables import Column, Side, Table

MIXED = Table(
    name="mixed",
    means="Rows of every type.",
    side=Side.PRIVATE,
    key=("id",),
    columns=(
        Column(name="id", type=pa.string(), means="Id."),
        Column(name="text", type=pa.string(), nullable=True, means="Text."),
        Column(name="other", type=pa.string(), nullable=True, means="Other text."),
        Column(name="n", type=pa.int64(), nullable=True, means="Number."),
        Column(name="x", type=pa.float64(), nullable=True, means="Real."),
        Column(name="yes", type=pa.bool_(), nullable=True, means="Truth."),
        Column(name="names", type=pa.list_(pa.string()), nullable=True, means="Names."),
        Column(name="level", type=pa.float64(), nullable=True, step=0.01, means="Measured."),
    ),
)
NFC = st.text(st.characters(exclude_categories=["Cs"]), max_size=4).map(lambda text: unicodedata.normalize("NFC", text))
CELLS = {
    "text": st.none() | NFC,
    "other": st.none() | NFC,
    "n": st.none() | st.integers(-(1 << 63), (1 << 63) - 1),
    "x": st.none() | st.floats(allow_nan=False).map(lambda x: x + 0.0),
    "yes": st.sampled_from([None, None, False, True]),
    "names": st.none() | st.lists(NFC, max_size=3),
}


def rows_of(cells: dict[str, st.SearchStrategy[object]]) -> st.SearchStrategy[list[dict[str, object]]]:
    """One to six rows of such cells."""
    return st.lists(
        st.fixed_dictionaries({"id": st.integers(0, 99).map(str), "level": st.none() | st.floats(-9, 9), **cells}),
        min_size=1,
        max_size=6,
        unique_by=lambda row: row["id"],
    )


ROWS = rows_of(CELLS)
SALT = bytes(range(32))


def hashed(rows: list[dict[str, object]], salt: bytes = b"") -> str:
    return content_hash(MIXED, MIXED.from_rows(rows), salt=salt)


@given(ROWS, st.data())
def test_order_chunks_and_measured_values_leave_no_trace(rows: list[dict[str, object]], data: st.DataObject) -> None:
    mixed = data.draw(st.permutations(rows))
    cut = data.draw(st.integers(0, len(rows)))
    schema = MIXED.arrow_schema()
    arrow = pa.concat_tables(pa.Table.from_pylist(part, schema) for part in (mixed[:cut], mixed[cut:]))
    assert content_hash(MIXED, arrow) == hashed(rows)
    assert hashed([{**row, "level": 1.0} for row in rows]) == hashed(rows)


@given(ROWS)
def test_composition_and_the_sign_of_zero_leave_no_trace(rows: list[dict[str, object]]) -> None:
    def apart(cell: object) -> object:
        match cell:
            case str():
                return unicodedata.normalize("NFD", cell)
            case list():
                return [apart(entry) for entry in cell]
            case float() if cell == 0:
                return -0.0
        return cell

    assert hashed([{name: apart(cell) for name, cell in row.items()} for row in rows]) == hashed(rows)


@given(ROWS, st.data())
def test_any_other_cell_gives_another_hash(rows: list[dict[str, object]], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(rows) - 1))
    name = data.draw(st.sampled_from(sorted(CELLS)))
    cell = data.draw(CELLS[name])
    assume(cell != rows[at][name])
    assert hashed([*rows[:at], {**rows[at], name: cell}, *rows[at + 1 :]]) != hashed(rows)


@given(ROWS)
def test_a_row_more_or_less_gives_another_hash(rows: list[dict[str, object]]) -> None:
    assert len({hashed(rows[:n]) for n in range(len(rows) + 1)}) == len(rows) + 1


@given(NFC, NFC, NFC, NFC)
def test_cells_do_not_run_together(a: str, b: str, c: str, d: str) -> None:
    rest = {"id": "1", "n": None, "x": None, "yes": None, "names": None, "level": None}
    assert (hashed([{**rest, "text": a, "other": b}]) == hashed([{**rest, "text": c, "other": d}])) == (
        (a, b) == (c, d)
    )


def test_null_and_empty_and_zero_differ() -> None:
    plain = {"id": "1", "text": None, "other": None, "n": None, "x": None, "yes": None, "names": None, "level": None}
    variants = [{}, {"text": ""}, {"text": "0"}, {"other": ""}, {"n": 0}, {"x": 0.0}, {"yes": False}, {"names": []}]
    variants += [{"names": [""]}, {"names": ["", ""]}]
    assert len({hashed([{**plain, **variant}]) for variant in variants}) == len(variants)


@given(ROWS, st.binary(min_size=1, max_size=32))
def test_a_salt_gives_another_hash(rows: list[dict[str, object]], salt: bytes) -> None:
    assert hashed(rows, salt) != hashed(rows)
    assert hashed(rows, salt) == hashed(rows, salt)


@given(rows_of({**CELLS, "names": st.lists(NFC, max_size=3)}))
def test_the_file_format_leaves_no_trace(rows: list[dict[str, object]]) -> None:
    arrow = MIXED.from_rows(rows)
    sink = pa.BufferOutputStream()
    pq.write_table(arrow, sink, row_group_size=2, compression="gzip", use_dictionary=["text"])
    read = pq.read_table(pa.BufferReader(sink.getvalue()), read_dictionary=["text"])
    assert content_hash(MIXED, read) == hashed(rows)
    sink = pa.BufferOutputStream()
    pf.write_feather(arrow, sink, compression="uncompressed", chunksize=1)
    assert content_hash(MIXED, pf.read_table(pa.BufferReader(sink.getvalue()))) == hashed(rows)


def test_csv_gives_the_same_hash(tmp_path: Path) -> None:
    table = Table(name="t", means="T.", side=Side.PUBLIC, key=("id",), columns=MIXED.columns[:4])
    arrow = table.from_rows([{"id": str(n), "text": f"é {n}", "other": "a,b", "n": n} for n in range(20)])
    pc.write_csv(arrow, tmp_path / "t.csv")
    types = pc.ConvertOptions(column_types=table.arrow_schema())
    assert content_hash(table, pc.read_csv(tmp_path / "t.csv", convert_options=types)) == content_hash(table, arrow)


def test_columns_are_part_of_it() -> None:
    renamed = Table(
        name="t",
        means="T.",
        side=Side.PUBLIC,
        key=("id",),
        columns=(MIXED.columns[0], Column(name="words", type=pa.string(), means="Text.")),
    )
    plain = Table(name="t", means="T.", side=Side.PUBLIC, key=("id",), columns=MIXED.columns[:2])
    one = content_hash(plain, plain.from_rows([{"id": "1", "text": "a"}]))
    assert one != content_hash(renamed, renamed.from_rows([{"id": "1", "words": "a"}]))


def test_the_hash_is_what_the_format_says() -> None:
    table = Table(name="t", means="T.", side=Side.PUBLIC, key=("id",), columns=MIXED.columns[:2])
    said = b"id string\ntext string\n" + b"s1:a-" + b"s1:b" + b"s2:" + "é".encode()
    wanted = "blake2b-256:" + hashlib.blake2b(said, digest_size=32).hexdigest()
    assert content_hash(table, table.from_rows([{"id": "b", "text": "e\u0301"}, {"id": "a", "text": None}])) == wanted


def test_nan_is_refused() -> None:
    row = {"id": "1", "text": "", "other": "", "n": 1, "x": math.nan, "yes": True, "names": [], "level": None}
    with pytest.raises(ValueError, match="use null"):
        hashed([row])


@given(data=st.binary(max_size=99))
def test_file_hash(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("hash") / "file"
    path.write_bytes(data)
    assert file_hash(path) == "sha256:" + hashlib.sha256(data).hexdigest()


NAMES = st.text("ab.é", min_size=1, max_size=4).filter(lambda name: name.strip("."))


WORDS = st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=3) | st.text("ab:-[", max_size=3)


@given(
    rows=st.lists(
        st.fixed_dictionaries(
            {
                "id": st.uuids().map(str),
                "text": WORDS,
                "n": st.none() | st.integers(-(2**63), 2**63 - 1),
                "x": st.none() | st.floats(allow_nan=False),
                "yes": st.none() | st.booleans(),
                "names": st.none() | st.lists(WORDS, max_size=3),
            }
        ),
        max_size=6,
    ),
    skipped=st.integers(0, 2),
)
def test_each_cell_is_spelt_in_the_canonical_way(rows: list[dict[str, object]], skipped: int) -> None:
    """Whole columns are spelt by Arrow; `canonical_cell`, cell by cell, is the oracle."""
    columns = tuple(replace(column, step=None) for column in MIXED.columns if column.name not in ("other", "level"))
    table = replace(MIXED, columns=columns)
    arrow = pa.Table.from_pylist(rows, pa.schema([pa.field(column.name, column.type) for column in columns]))
    digest = hashlib.blake2b(digest_size=32)
    digest.update("".join(f"{column.name} {column.type}\n" for column in columns).encode())
    for row in sorted(rows[skipped:], key=lambda row: str(row["id"])):
        digest.update(b"".join(canonical_cell(row[column.name]) for column in columns))
    assert content_hash(table, arrow.slice(skipped)) == f"blake2b-256:{digest.hexdigest()}"


@given(
    files=st.dictionaries(NAMES, st.binary(max_size=9), max_size=4),
    other=st.dictionaries(NAMES, st.binary(max_size=9), max_size=4),
)
def test_folder_hash(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes], other: dict[str, bytes]
) -> None:
    def hashed(files: dict[str, bytes], names: list[str]) -> str:
        folder = tmp_path_factory.mktemp("folder")
        for name in names:
            (folder / name).write_bytes(files[name])
        return folder_hash(folder)

    assert hashed(files, list(files)) == hashed(files, sorted(files, reverse=True))
    assert (hashed(files, list(files)) == hashed(other, list(other))) == (files == other)
