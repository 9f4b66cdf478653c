"""Cells that are cut out of a whole block at once are those that the standard library's reader sees, record by record."""

from __future__ import annotations

import csv
import io

from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.support.examples import many

from earmark.scoring.submissions.csv_records import Records, records, whole_records

TEXT = st.text(st.sampled_from('a",\n\ré\U0001f600 '), max_size=8)
COLUMNS = 3


def rows(found: Records, columns: int = COLUMNS) -> list[tuple[str | None, ...]]:
    """The plain records, cell by cell."""
    return list(zip(*(column.to_pylist() for column in found.cells(columns)), strict=True))


@given(
    st.lists(st.lists(TEXT, min_size=COLUMNS, max_size=COLUMNS), min_size=1, max_size=8),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
)
@example([['"', '""', ""]], "\r\n", csv.QUOTE_ALL)
@example([["", "", ""], ["a", "", ""]], "\r\n", csv.QUOTE_MINIMAL)
def test_cells_come_back_as_they_were_written(texts: list[list[str]], end: str, quoting: int) -> None:
    stream = io.StringIO(newline="")
    quoting = csv.QUOTE_ALL if any("\r" in text for row in texts for text in row) else quoting
    csv.writer(stream, lineterminator=end, quoting=quoting).writerows(texts)
    data = stream.getvalue().encode().removesuffix(b"\n")
    assert whole_records(data) == len(data)
    found = records(data, 7, COLUMNS, 1 << 16)
    assert found.plain.all()
    assert rows(found) == [tuple(text or None for text in row) for row in texts]
    spans = [sum(text.count("\n") for text in row) + 1 for row in texts]
    assert found.lines.tolist() == [7 + sum(spans[:n]) for n in range(len(texts))]


NOISE = st.lists(
    st.sampled_from(
        [*(b"a", b"b", b",", b",", b"\n", b"\n", b'"', b'"', b'""', b'a","b', b"\r", b"\r\n"), b"\xff", b"\0"]
    )
)


@settings(max_examples=many(300))
@given(NOISE.map(b"".join))
@example(b'a,b\n"a""",\n')
@example(b'a,"b"\r\n\r\n\na,\r')
def test_a_record_that_is_plain_reads_the_same_everywhere(data: bytes) -> None:
    data = data[: whole_records(data)].removesuffix(b"\n")
    if data.count(b'"') % 2:
        return
    found = records(data, 1, 2, 10)
    each = [data[begin:end] for begin, end in zip(found.begins.tolist(), found.ends.tolist(), strict=True)]
    assert b"\n".join(each) == data
    assert found.blank().tolist() == [record in (b"", b"\r") for record in each]
    assert found.lines.tolist() == [1 + data.count(b"\n", 0, begin) for begin in found.begins.tolist()]
    wanted = []
    for record, plain in zip(each, found.plain.tolist(), strict=True):
        if plain:
            assert len(record) <= 10
            assert b"\0" not in record
            (cells,) = csv.reader(io.StringIO(record.decode(), newline=""), strict=True)
            wanted.append(tuple(cell or None for cell in cells))
    assert (rows(found, 2) if wanted else []) == wanted


@given(NOISE.map(b"".join))
def test_a_cell_that_is_open_is_left_for_more_to_come(data: bytes) -> None:
    size = whole_records(data)
    assert data.count(b'"', 0, size) % 2 == 0
    if size < len(data):
        assert data.count(b'"', size) % 2 == 1
        assert data[size - 1 : size] in (b"", b"\n")
