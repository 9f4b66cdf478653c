"""CSV: the same rows as JSON Lines, and every malformed record named."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.predictions import GOOD, SMALL, rows_of

from earmark.manifests.findings import Findings
from earmark.scoring.submissions import csv_file
from earmark.scoring.submissions.collecting import Collector
from earmark.scoring.submissions.csv_file import read_csv
from earmark.scoring.submissions.rows import FIELDS, Limits, Row, Rules


def read(data: bytes, limits: Limits = SMALL) -> Collector:
    collector = Collector("f.csv", Rules(("P", "N"), probability=True, limits=limits), Findings())
    read_csv(io.BytesIO(data), collector)
    return collector


def cell(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value


# An empty text and an absent one are the same cell.
ROWS = st.lists(GOOD.filter(lambda row: row.get("response") != ""), min_size=1, max_size=8)


@given(ROWS, st.permutations(FIELDS), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_rows_come_back_as_they_were_given(
    rows: list[dict[str, object]], columns: list[str], end: str, quoted: bool
) -> None:
    text = io.StringIO(newline="")
    quoted |= "\\r" in repr(rows)  # the writer leaves a bare carriage return without quotes
    writer = csv.DictWriter(text, columns, lineterminator=end, quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL)
    writer.writeheader()
    writer.writerows({name: cell(value) for name, value in row.items()} for row in rows)
    collector = read(text.getvalue().encode())
    assert len(collector.findings) == 0
    rules = Rules(("P", "N"), probability=True, limits=SMALL)
    for row, again in zip(rows, rows_of(collector), strict=True):
        wanted = rules.check(row, again.line)  # type: ignore[arg-type]  # JSON
        assert again == wanted


PIECES = st.lists(
    st.sampled_from(
        ['"', ",", "\n", "\r\n", "p", "P", "0.5", "presentation_id,choice\n", "\0", '""', "[", " ", "\ufeff"]
    ),
    max_size=25,
)


@given(PIECES.map("".join).map(str.encode) | st.binary(max_size=20), st.booleans())
def test_anything_is_read_or_found(data: bytes, named: bool) -> None:
    collector = read((b"presentation_id,choice\n" if named else b"") + data)
    assert collector.rows == len(collector.bad) + len(rows_of(collector))
    json.dumps(collector.findings.as_json(), ensure_ascii=False).encode()
    if not collector.findings.failed:
        assert all(row.choice in ("P", "N") for row in rows_of(collector))


def test_lines_are_those_on_which_records_begin() -> None:
    collector = read(b'presentation_id,response\np1,"a\nb\n""c"""\n\n"p2",x\n')
    assert rows_of(collector) == [Row("p1", response='a\nb\n"c"', line=2), Row("p2", response="x", line=6)]
    assert [(finding.code.name, finding.row) for finding in collector.findings] == [("submission.blank-line", 5)]


@pytest.mark.parametrize(
    ("record", "code", "id"),
    [
        (b"p1,P,extra,more", "not-csv", "p1"),
        (b"p1", "not-csv", "p1"),
        (b'p1,"P"x,', "not-csv", None),
        (b'p1,a"b"c,', "not-csv", None),
        (b"p1,P\rN,", "not-csv", None),
        (b"p1,\xff,", "not-utf8", None),
        (b"p1,X,", "unknown-value", "p1"),
        (b"p1,P,nan", "nan", "p1"),
        (b"p1,P,-Inf", "infinity", "p1"),
        (b"p1,P,TRUE", "bool-as-number", "p1"),
        (b"p1,P, 0.5", "wrong-type", "p1"),
        (b"p1,P,.5", "wrong-type", "p1"),
        (b"p1,P,05", "wrong-type", "p1"),
        (b"p1,P,1e999", "number-overflow", "p1"),
        (b"p1,P,1.5", "out-of-range", "p1"),
        (b"p1,,", "no-answer", "p1"),
        (b",P,", "no-id", None),
        (b"p\0,P,", "nul", None),
        (b'p1,"' + b"x\n" * 1100 + b'",', "line-too-long", None),
        (b"p1," + b"x" * 2100 + b",", "line-too-long", None),
        (b"p1," + b"x" * (1 << 21) + b",", "line-too-long", None),
    ],
    ids=lambda part: repr(part)[:40],
)
def test_bad_records(record: bytes, code: str, id: str | None) -> None:
    data = b"presentation_id,choice,probability\np0,P,\n" + record + b"\np2,N,1\n"
    collector = read(data, Limits(id=30, line=2000, bytes=1 << 23))
    assert collector.findings.counts == {f"submission.{code}": 1}
    assert [(bad.line, bad.presentation_id) for bad in collector.bad] == [(3, id)]
    assert [row.presentation_id for row in rows_of(collector)] == ["p0", "p2"]


@pytest.mark.parametrize("tail", [b'p1,"P', b'p1,"' + b"x\n" * 1100])
def test_a_cell_that_is_never_closed(tail: bytes) -> None:
    collector = read(b"presentation_id,choice\np0,P\n" + tail)
    assert [bad.line for bad in collector.bad] == [3]
    assert collector.findings.failed


def test_a_cell_longer_than_the_reader_takes() -> None:
    collector = read(b"presentation_id,response\np," + b"x" * 140_000, Limits())
    assert collector.findings.counts == {"submission.too-long": 1}


@pytest.mark.parametrize(
    ("header", "found"),
    [
        (b"", ["an empty file"]),
        (b"presentation_id,choise\np,P\n", ["choise"]),
        (b"choice,choice\nP,P\n", ["choice 2 times", "choice, choice"]),
        (b"\xff\np\n", ["invalid start byte at byte 0"]),
        (b'"presentation_id\np\n', ['"presentation_id\np']),
        (b"presentation_id;choice\np;P\n", ["presentation_id;choice", "presentation_id;choice"]),
        (b"\nchoice\n", [""]),
    ],
)
def test_bad_columns_are_found_and_nothing_is_read(header: bytes, found: list[str]) -> None:
    collector = read(header)
    assert sorted(str(finding.found) for finding in collector.findings) == sorted(found)
    assert collector.rows == 0
    assert collector.findings.failed


def test_a_byte_order_mark_is_passed_over_and_found() -> None:
    collector = read(b"\xef\xbb\xbfpresentation_id,choice\np,P\n")
    assert collector.findings.counts == {"submission.bom": 1}
    assert len(rows_of(collector)) == 1


@pytest.mark.parametrize("most", range(5))
@pytest.mark.parametrize("at_once", [1, 2, 4096])
def test_rows_are_bounded(most: int, at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_file, "_AT_ONCE", at_once)
    collector = read(b"presentation_id,choice\np,P\nq\nr,N\n\n", Limits(rows=most))
    assert collector.rows == min(most, 3)
    assert collector.findings.counts.get("submission.too-many-rows", 0) == (most < 3)


def test_evidence_is_a_list_in_a_cell() -> None:
    collector = read(b'presentation_id,choice,evidence\np,P,"[""a"",""b""]"\nq,P,plain\nr,P,"[""a"",""a"":1]"\n')
    assert rows_of(collector) == [Row("p", choice="P", evidence=("a", "b"), line=2)]
    assert collector.findings.counts == {"submission.wrong-type": 2}
