"""CSV rows: every cell as it stands, every oddity a finding."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders.corpora.tiny import UNTIMED, codes, write_csv

from earmark.builders.corpora import csv_rows
from earmark.builders.corpora.csv_rows import Row, drop_conflicting, hash_records, merge_repeated, read_rows
from earmark.manifests.findings import Findings, Severity

# A lone surrogate has no UTF-8, and a carriage return is read as the newline that it stands for.
cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=12)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


def read(path: Path, columns: tuple[str, ...] = ("a", "b")) -> tuple[tuple[Row, ...] | None, Findings]:
    findings = Findings()
    return read_rows(path, columns, findings), findings


@UNTIMED
@given(rows=st.lists(st.tuples(cells, cells, cells), min_size=1), line_end=st.sampled_from(["\n", "\r\n"]))
def test_every_cell_is_read_as_it_stands(folder: Path, rows: list[tuple[str, str, str]], line_end: str) -> None:
    path = write_csv(folder / "any.csv", ("b", "x", "a"), rows, line_end=line_end)
    found, _ = read(path)
    assert found is not None
    assert [row.cells for row in found] == [(a, b) for b, _, a in rows]


@UNTIMED
@given(rows=st.lists(st.tuples(cells, cells), min_size=1))
def test_a_row_begins_where_an_editor_finds_it(folder: Path, rows: list[tuple[str, str]]) -> None:
    marked = [(f"begin {n}\n{a}", b) for n, (a, b) in enumerate(rows)]
    found, _ = read(write_csv(folder / "lines.csv", ("a", "b"), marked))
    lines = (folder / "lines.csv").read_bytes().split(b"\n")
    assert found is not None
    assert [lines[row.line - 1].lstrip(b'"').split()[1] for row in found] == [b"%d" % n for n in range(len(rows))]


def test_blank_cells_and_leading_zeros_stay(folder: Path) -> None:
    path = folder / "plain.csv"
    path.write_text("a,b\n00000634,\nNA,None\n\n", "utf-8")
    found, findings = read(path)
    assert found == (Row(2, ("00000634", "")), Row(3, ("NA", "None")))
    assert len(findings) == 0


def test_a_byte_order_mark_and_windows_line_ends_are_told_and_change_nothing(folder: Path) -> None:
    plain, odd = folder / "plain.csv", folder / "odd.csv"
    plain.write_bytes(b'a,b\n1,"two\nlines"\n')
    odd.write_bytes(b'\xef\xbb\xbfa,b\r\n1,"two\r\nlines"\r\n')
    found, findings = read(odd)
    assert found == read(plain)[0]
    assert codes(findings) == {"byte-order-mark": 1, "windows-line-ends": 1}
    assert not findings.failed


def test_windows_line_ends_within_cells_alone_are_the_tables_own_business(folder: Path) -> None:
    path = folder / "within.csv"
    path.write_bytes(b'a,b\n1,"two\r\nlines"\n')
    found, findings = read(path)
    assert found == (Row(2, ("1", "two\nlines")),)
    assert len(findings) == 0


@pytest.mark.parametrize(
    ("data", "code", "row"),
    [
        (b"", "unreadable-table", None),
        (b"a,b\n1,\xff\n", "unreadable-table", 2),
        (b'a,b\n1,2\n1,"two" more\n', "unreadable-table", 3),
        (b'a,b\n1,"never closed\n\n', "unreadable-table", 2),
        (b"a,b\n1," + b"x" * 200_000 + b"\n", "unreadable-table", 2),
        (b"a,c\n1,2\n", "missing-column", 1),
        (b"A,b\n1,2\n", "missing-column", 1),
        (b"a,b,a\n1,2,3\n", "repeated-column", 1),
    ],
)
def test_a_table_of_no_use_is_one_finding(folder: Path, data: bytes, code: str, row: int | None) -> None:
    path = folder / "bad.csv"
    path.write_bytes(data)
    found, findings = read(path)
    assert found is None
    assert codes(findings) == {code: 1}
    (finding,) = findings
    assert finding.file == str(path)
    assert finding.row == row
    assert finding.code.severity is Severity.ERROR


def test_a_missing_column_is_named_with_those_needed_and_those_found(folder: Path) -> None:
    path = folder / "columns.csv"
    path.write_bytes(b"A,b\n1,2\n")
    (finding,) = read(path)[1]
    assert (finding.column, finding.found, finding.expected) == ("a", "A, b", "the columns a, b")


def test_ragged_rows_are_dropped_and_the_others_kept(folder: Path) -> None:
    path = folder / "ragged.csv"
    path.write_bytes(b"a,b\n1\n2,2\n3,3,3\n")
    found, findings = read(path)
    assert found == (Row(3, ("2", "2")),)
    assert [(finding.row, finding.found) for finding in findings] == [(2, "1"), (4, "3")]


def test_an_absent_a_huge_and_an_empty_table(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert codes(read(folder / "absent.csv")[1]) == {"unreadable-table": 1}
    assert codes(read(folder)[1]) == {"unreadable-table": 1}
    path = folder / "header.csv"
    path.write_bytes(b"a,b\n")
    found, findings = read(path)
    assert found == ()
    assert codes(findings) == {"empty-table": 1}
    monkeypatch.setattr(csv_rows, "MOST_BYTES", 3)
    found, findings = read(path)
    assert found is None
    assert codes(findings) == {"unreadable-table": 1}


records = st.lists(st.tuples(st.sampled_from("xyz"), st.integers(0, 2)), max_size=12)


@given(rows=records, data=st.data())
def test_what_is_merged_and_dropped_does_not_depend_on_order(rows: list[tuple[str, int]], data: st.DataObject) -> None:
    def kept(rows: list[tuple[str, int]]) -> tuple[set[tuple[str, int]], dict[str, int]]:
        findings = Findings()
        merged = merge_repeated(enumerate(rows, start=2), "t.csv", findings)
        single = drop_conflicting(
            merged,
            lambda record: record[0],
            csv_rows.RAGGED_ROW,
            column="k",
            file="t.csv",
            findings=findings,
        )
        return {record for _, record in single}, findings.counts

    result, counts = kept(rows)
    assert kept(data.draw(st.permutations(rows))) == (result, counts)
    assert result == {row for row in rows if all(other == row for other in rows if other[0] == row[0])}
    assert counts.get("corpus.repeated-row", 0) == len(rows) - len(set(rows))


@given(rows=records, data=st.data())
def test_the_hash_is_of_what_is_said(rows: list[tuple[str, int]], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(rows + rows[:2]))
    assert hash_records([list(row) for row in rows]) == hash_records([list(row) for row in shuffled])
    assert hash_records([list(row) for row in rows]) != hash_records([[*row, None] for row in [*rows, ("w", 0)]])
