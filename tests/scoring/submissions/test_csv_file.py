"""CSV: the same rows as JSON Lines, and every malformed record named."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.support.predictions import GOOD, SMALL, rows_of

from earmark.manifests.findings import Findings
from earmark.scoring.submissions import csv_file, lines
from earmark.scoring.submissions.collecting import Collector
from earmark.scoring.submissions.csv_file import read_csv
from earmark.scoring.submissions.rows import FIELDS, Limits, Row, Rules


def once(data: bytes, limits: Limits, *, fast: bool) -> Collector:
    collector = Collector("f.csv", Rules(("P", "N"), probability=True, limits=limits), Findings(cap=5))
    read_csv(io.BytesIO(data), collector, fast=fast)
    return collector


def read(data: bytes, limits: Limits = SMALL) -> Collector:
    """Read both ways, in whole and in small blocks of many sizes, and find no difference."""
    slow = once(data, limits, fast=False)
    for block in (1 << 20, 64 if len(data) > 5000 else 3 + len(data) % 89):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(lines, "_BLOCK", block)
            fast = once(data, limits, fast=True)
        assert rows_of(fast) == rows_of(slow)
        assert fast.bad_rows() == slow.bad_rows()
        assert fast.rows == slow.rows
        assert fast.findings.as_json() == slow.findings.as_json()
    return slow


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


# What a cell of each kind may hold, and what only looks like it, one to a line or two by kind.
SPELT = {
    "presentation_id": [
        "p1",
        "p2",
        '"p3"',
        "",
        '""',
        "p" * 30,
        "p" * 31,
        "é",
        "a b",
        '"a,b"',
        '"a""b"',
        "p\0",
        "\ufeffp",
    ],
    "run": ["0", "1", "", "01", "+1", "-0", "1_000", "1e2", "1.0", " 1", "2147483647", "2147483648", "9" * 19, "true"],
    "status": ["ok", "failed", "abstained", "", "OK", '"ok"', " ok"],
    "response": [
        *("", "", '"a\nb"', '"a\r\nb"', '"a\rb"', '"a\n\n,""b"', "x", "y" * 60, "y" * 61, "'", "nan", "null"),
        *("é" * 60, '"' + "\n" * 90 + '"'),
    ],
    "choice": ["P", "P", "N", '"N"', "", "p", "1"],
    "probability": [
        *("0.5", "1", "0", "1.0", "", "1e-05", "5E-1", "-0.0", "-0", "1e999", "-1e999", "0.", ".5", "00.5", "+1", " 1"),
        *(
            "1 ",
            "nan",
            "NaN",
            "inf",
            "-Infinity",
            "true",
            "False",
            "1_0",
            "0.1" + "7" * 50,
            "1e-400",
            "9" * 400,
            "0x1p0",
        ),
        *('"0.25"', "1,5"),
    ],
    "evidence": [
        *("", '"[]"', '"[""a""]"', '"[""a"",""b"",""c"",""d"",""e""]"', "[]", "[1]", "null", "["),
        *('"[""\\u0000""]"', '"[""\\ud800""]"', '"[""aaaaaaaaaa""]"', '"[""a"",[""a""]]"'),
    ],
    "latency_s": ["0.25", "1e12", "1e13", "1000000000000", "1000000000001", "", "3"],
    "input_tokens": ["12", "", "1000000000000", "1000000000001", "12.0"],
}
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r", "\n\n", "\r\n\r\n", "\r\r\n"])


@st.composite
def spelt(draw: st.DrawFn) -> bytes:
    """A file in which most cells are good, some only look it, and now and then a byte is another."""
    columns = ["presentation_id", *draw(st.lists(st.sampled_from(list(SPELT)[1:]), unique=True, max_size=6))]
    first = draw(st.sampled_from([1, 3, 99]))
    end, text = draw(ENDS), ",".join(columns) + "\n"
    for _ in range(draw(st.integers(0, 8))):
        cells = [draw(st.sampled_from(SPELT[name][:first])) for name in columns]
        text += ",".join(cells[: draw(st.sampled_from([99] * 9 + [1]))])
        text += end if draw(st.integers(0, 3)) else draw(ENDS)
    data = bytearray(text.encode())
    for _ in range(draw(st.sampled_from([0, 0, 1, 2]))):
        at = draw(st.integers(len(",".join(columns)), len(data) - 1))
        data[at : at + draw(st.integers(0, 1))] = draw(
            st.sampled_from([b'"', b",", b"\n", b"\r", b"\xff", b"\0", b"1", b'""'])
        )
    return bytes(data)


@example(b"presentation_id,run\np1,0\np" + b"9" * 600 + b",0\r\n", 2)
@example(b'presentation_id,run\np1,0\n"' + b"9" * 601 + b"\r\np2,0\r\n", 10)
@given(spelt(), st.sampled_from([2, 10_000_000]))
@settings(max_examples=50)
def test_blocks_and_records_give_the_same(data: bytes, most: int) -> None:
    read(data, Limits(id=30, response=60, evidence=9, line=400, rows=most, bytes=1 << 20))


def test_good_rows_go_through_blocks_and_only_the_others_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    good = b'p1,P,0.5,\np2,N,1e-05,\r\n"p3",,,"a\n""b"", c"\np\xc3\xa9,P,0,\n'
    data = b"presentation_id,choice,probability,response\n" + good * 50 + b"p,P,05,\n" + good * 50
    taken: list[object] = []
    cells = csv_file._cells
    monkeypatch.setattr(csv_file, "_cells", lambda *given: taken.append(given[0].data) or cells(*given))
    collector = once(data, Limits(), fast=True)
    assert (collector.rows, len(collector.bad)) == (401, 1)
    assert taken == [b"presentation_id,choice,probability,response", b"p,P,05,"]


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
    lone = {"submission.mixed-line-ends": 1} if b"\r" in record else {}
    assert collector.findings.counts == {f"submission.{code}": 1, **lone}
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


@pytest.mark.parametrize(("mark", "called"), [(";", "semicolons"), ("\t", "tabs")])
def test_a_table_with_other_separators_is_told_so(mark: str, called: str) -> None:
    findings = read(f"choice{mark}presentation_id\nP{mark}p0\n".encode()).findings
    assert sorted(called in (one.expected or "") for one in findings) == [False, True]


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


def test_of_many_columns_that_there_are_not_only_those_told_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[str] = []

    def noted(name: str, valid: object) -> str:
        compared.append(name)
        return "another"

    monkeypatch.setattr(csv_file, "nearest", noted)
    names = [f"c{n:04}" for n in range(2000, 0, -1)]
    findings = once(",".join(["presentation_id", "run", *names, "run"]).encode(), Limits(), fast=True).findings
    assert compared == names[:-6:-1]
    assert findings.counts == {"submission.bad-columns": 2001}
    assert [finding.found for finding in findings] == names[:-6:-1]
