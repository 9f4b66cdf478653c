"""JSON Lines: the fast way and the strict way agree on every line, and no line is too long for memory."""

from __future__ import annotations

import io
import json
import tracemalloc

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.support.examples import many
from tests.support.predictions import GOOD, LINES, SMALL, collected, rows_of, spelt, spoilt

from earmark.manifests.findings import Findings
from earmark.scoring.submissions import lines as module
from earmark.scoring.submissions.collecting import Collector
from earmark.scoring.submissions.header import Judge
from earmark.scoring.submissions.line_ends import LineEnds
from earmark.scoring.submissions.lines import bounded_lines, read_lines
from earmark.scoring.submissions.rows import Limits, Row, Rules


def agree(data: bytes, **options: object) -> Collector:
    """Read both ways, in whole and in small blocks of many sizes, and find no difference."""
    slow, header = collected(data, fast=False, **options)  # type: ignore[arg-type]  # passed on
    for block in (1 << 20, 64 if len(data) > 5000 else 3 + len(data) % 89):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "_BLOCK", block)
            fast, again = collected(data, **options)  # type: ignore[arg-type]  # passed on
        assert rows_of(fast) == rows_of(slow)
        assert fast.bad_rows() == slow.bad_rows()
        assert fast.rows == slow.rows
        assert fast.findings.as_json() == slow.findings.as_json()
        assert again == header
    return slow


@given(LINES, st.sampled_from([b"\n", b"\r\n"]), st.booleans())
@example([b'{"presentation_id":', b'"a","choice":"P"}{"presentation_id":"b","choice":"P"}'], b"\n", False)
@example([b'{"presentation_id":"a","choice":"P"}{"presentation_id":"b","choice":"P"}', b""], b"\n", True)
@example([b'{"presentation_id":"a","run":1,"run":1,"choice":"P"}'], b"\n", True)
@example([b'{"presentation_id":"a","r\\u0075n":1,"run":1,"choice":"P"}'], b"\n", True)
@example([b'{"presentation_id":"a\\\\","run":1,"run":1,"choice":"P"}'], b"\n", True)
@example([b'{"presentation_id":"\\\\\\"","run":1,"run":1,"choice":"P"}'], b"\n", True)
@example([b'{"presentation_id":"\\u0000","choice":"P"}'], b"\n", True)
@example([b'{"presentation_id":"a","choice":null,"response":"b","choice":"P"}'], b"\n", True)
@example([b'{"presentation_id":"a","choice":"P"}' + b" " * 2000], b"\n", True)
@settings(max_examples=many(300))
def test_both_ways_agree(lines: list[bytes], end: bytes, closed: bool) -> None:
    agree(end.join(lines) + (end if closed else b""))


@given(spoilt())
@settings(max_examples=many(500))
def test_both_ways_agree_on_a_spoilt_line(line: bytes) -> None:
    collector = agree(line)
    named = [bad.presentation_id for bad in collector.bad]
    assert len(named) + len(rows_of(collector)) + collector.findings.counts.get("submission.blank-line", 0) >= 1


@given(LINES)
def test_both_ways_agree_for_choices_that_are_numbers(lines: list[bytes]) -> None:
    data = b"\n".join(lines).replace(b'"P"', b"1").replace(b'"N"', b'"2"')
    agree(data, choices=("1", "2", "Tie"), probability=False)


@given(st.lists(GOOD, min_size=1, max_size=8), st.data())
def test_good_rows_come_back_as_they_were_given(rows: list[dict[str, object]], data: st.DataObject) -> None:
    collector = agree(b"\n".join(data.draw(spelt(st.just(row))) for row in rows))
    assert len(collector.findings) == 0
    assert collector.bad == []
    for n, (row, read) in enumerate(zip(rows, rows_of(collector), strict=True), start=1):
        wanted = {name: value for name, value in row.items() if value is not None}
        wanted["evidence"] = tuple(row.get("evidence") or ())  # type: ignore[call-overload]  # a list
        assert read == Row(**wanted, line=n)  # type: ignore[arg-type]  # drawn by the right types
        assert "-0.0" not in repr(read)


@given(st.lists(spelt(), max_size=20), st.integers(0, 19), st.sampled_from([b"", b"\n", b"\r\n"]))
def test_every_line_is_counted_once(lines: list[bytes], at: int, end: bytes) -> None:
    lines.insert(at, b"not json")
    collector = agree(b"\n".join(lines) + end)
    assert collector.rows == len(lines)
    bad = lines.index(b"not json") + 1
    assert [entry.line for entry in collector.bad] == [bad]
    assert [row.line for row in rows_of(collector)] == [n for n in range(1, len(lines) + 1) if n != bad]


ID = b'"presentation_id":"p1"'


@pytest.mark.parametrize(
    ("line", "code", "id", "run"),
    [
        (b"{" + ID, "not-json", "p1", 0),
        (b"{" + ID + b',"run":2,"choice":"P"', "not-json", "p1", 2),
        (b"{" + ID + b',"run":2,"choice":"P",}', "not-json", "p1", 2),
        (b"{" + ID + b',"choice":"P"} x', "not-json", "p1", 0),
        (b"{" + ID + b',"run":99999999999,"choice":"P"', "not-json", "p1", 0),
        (b"{" + ID + b',"run":4000000000,"choice":"P",', "not-json", "p1", 0),
        (b"nothing at all", "not-json", None, 0),
        (b'{"presentation_id":"' + b"p" * 31 + b'"', "not-json", None, 0),
        (b"{" + ID + b',"choice":"P\xff"}', "not-utf8", "p1", 0),
        (b"{" + ID + b',"choice":"P","choice":"N"}', "duplicate-key", "p1", 0),
        (b"{" + ID + b',"presentation_id":"p2","choice":"N"}', "duplicate-key", None, 0),
        (b"{" + ID + b',"run":1,"run":2,"choice":"N"}', "duplicate-key", "p1", 0),
        (b"{" + ID + b',"probability":NaN,"choice":"P"}', "nan", "p1", 0),
        (b"{" + ID + b',"probability":-Infinity,"choice":"P"}', "infinity", "p1", 0),
        (b"{" + ID + b',"probability":1e999,"choice":"P"}', "number-overflow", "p1", 0),
        (b"{" + ID + b',"run":9223372036854775808,"choice":"P"}', "number-overflow", "p1", 0),
        (b"{" + ID + b',"response":"\\ud800"}', "lone-surrogate", "p1", 0),
        (b"{" + ID + b',"response":"\\u0000"}', "nul", "p1", 0),
        (b"{" + ID + b',"evidence":' + b"[" * 70 + b"]" * 70 + b"}", "too-deep", "p1", 0),
        (b"{" + ID + b',"choice":"P","other":1}', "unknown-field", "p1", 0),
        (b"{" + ID + b',"run":true,"choice":"P"}', "bool-as-number", "p1", 0),
        (b'{"earmark":{},' + ID + b',"choice":"P"}', "header-misplaced", "p1", 0),
        (b'["p1"]', "not-an-object", None, 0),
        (b"\xef\xbb\xbf{" + ID + b',"choice":"P"}', "not-json", "p1", 0),
        (b"{" + ID + b',"choice":"P"' + b" " * 400 + b"}", "line-too-long", "p1", 0),
        (b"{" + ID + b',"run":3,"response":"' + b"x" * 100_000 + b'"}', "line-too-long", "p1", 3),
        (b"{" + ID + b',"run":3,"response":"' + b"x" * (1 << 21) + b'"}', "line-too-long", "p1", 3),
    ],
    ids=lambda part: repr(part)[:60],
)
def test_each_bad_thing_has_its_code_and_keeps_its_place(line: bytes, code: str, id: str | None, run: int) -> None:
    good = b'{"presentation_id":"p0","choice":"P"}\n'
    collector, _ = collected(good + line + b"\n" + good, limits=Limits(id=30, line=400, bytes=1 << 23))
    assert [row.line for row in rows_of(collector)] == [1, 3]
    (bad,) = collector.bad
    assert (bad.line, bad.code, bad.presentation_id, bad.run) == (2, f"submission.{code}", id, run)
    assert collector.findings.counts == {f"submission.{code}": 1}
    (finding,) = collector.findings
    assert (finding.file, finding.row, finding.id) == ("file.jsonl", 2, id)
    assert finding.code.means in bad.reason
    assert (finding.expected == "one object a line, with no list around them") == (code == "not-an-object")


def test_all_problems_of_a_row_are_said_at_once() -> None:
    collector = agree(b'{"presentation_id":"p","run":-1,"status":"done","probability":"x","more":1,"evidence":["a",3]}')
    assert collector.findings.counts == {
        "submission.out-of-range": 1,
        "submission.unknown-field": 1,
        "submission.unknown-value": 1,
        "submission.wrong-type": 2,
    }
    assert len(collector.bad) == 1


def test_findings_are_capped_with_exact_counts() -> None:
    good = b'{"presentation_id":"p0","choice":"P"}'
    collector = agree(b"\n".join([good, b"bad"] * 200))
    assert collector.findings.counts == {"submission.not-json": 200}
    assert [finding.row for finding in collector.findings] == list(range(2, 102, 2))
    assert len(collector.bad) == 200


def test_a_byte_order_mark_is_passed_over_and_found() -> None:
    collector = agree(b'\xef\xbb\xbf{"presentation_id":"p","choice":"P"}')
    assert len(rows_of(collector)) == 1
    assert collector.findings.counts == {"submission.bom": 1}
    assert collector.findings.exit_code == 0


def test_blank_lines_are_passed_over_and_found() -> None:
    row = b'{"presentation_id":"p","choice":"P"}'
    collector = agree(row + b"\n\n \t\n" + row + b"\n\n")
    assert [read.line for read in rows_of(collector)] == [1, 4]
    assert [finding.row for finding in collector.findings] == [2, 3, 5]
    assert collector.findings.exit_code == 0


HEADER = b'{"earmark":{"release":"toy@1.0.0","protocol":"both-orders","judge":{"name":"J"}}}'


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize(
    "end", [b"", b"\n", b'\n{"presentation_id":"p","choice":"P"}', b'\n{"presentation_id":"p","choice":"P"}\n', b"\r\n"]
)
def test_the_first_line_may_describe_the_run(start: bytes, end: bytes) -> None:
    collector, header = collected(start + HEADER + end)
    assert header is not None
    assert (header.release, header.protocol, header.judge) == ("toy@1.0.0", "both-orders", Judge(name="J"))
    assert [row.line for row in rows_of(collector)] == ([2] if b"choice" in end else [])
    assert collector.bad == []
    agree(start + HEADER + end)


def test_only_the_first_line_may() -> None:
    collector, header = collected(b'{"presentation_id":"p","choice":"P"}\n' + HEADER)
    assert header is None
    assert [(bad.line, bad.code) for bad in collector.bad] == [(2, "submission.header-misplaced")]


@pytest.mark.parametrize(
    "line", [b'{"earmark":', b'"earmark"', b'{"earmark":{},"x":1}', b'{"presentation_id":"earmark","choice":"P"}']
)
def test_a_first_line_that_is_another_thing(line: bytes) -> None:
    collector, header = collected(line)
    assert header is None
    assert collector.rows == 1


@pytest.mark.parametrize("most", range(6))
def test_rows_are_bounded(most: int) -> None:
    lines = [
        b'{"presentation_id":"p","choice":"P"}',
        b"bad",
        b"",
        b'{"presentation_id":"q","choice":"P"}',
        b"x" * 401,
        b"",
        b"x" * 999_999,
    ]
    limits = Limits(rows=most, line=400)
    collector = agree(b"\n".join(lines), limits=limits)
    assert collector.rows == min(most, 5)
    assert collector.findings.counts.get("submission.too-many-rows", 0) == (most < 5)


def test_a_long_line_at_the_end_is_counted_as_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BLOCK", 100)
    collector, _ = collected(b'{"presentation_id":"p","choice":"P"}\n' + b"x" * 5000, limits=Limits(rows=1, line=400))
    assert collector.findings.counts == {"submission.too-many-rows": 1}
    collector, _ = collected(b'{"presentation_id":"p","choice":"P"}\n' + b"x" * 5000, limits=Limits(rows=2, line=400))
    assert [bad.code for bad in collector.bad] == ["submission.line-too-long"]


def test_bytes_are_bounded() -> None:
    row = b'{"presentation_id":"p","choice":"P"}\n'
    collector = agree(row * 5, limits=Limits(bytes=len(row) * 5))
    assert len(collector.findings) == 0
    collector, _ = collected(row * 5, limits=Limits(bytes=len(row) * 5 - 1))
    assert collector.findings.counts == {"submission.too-large": 1}


class Endless(io.RawIOBase):
    """A line of a gigabyte that is nowhere; `length` bytes of x and then a good row."""

    def __init__(self, length: int) -> None:
        self.left = length
        self.end = io.BytesIO(b'"}\n{"presentation_id":"p","choice":"P"}\n')

    def read(self, size: int = -1) -> bytes:
        assert size > 0, "never ask for all of a file"
        taken = min(size, self.left)
        self.left -= taken
        return b"x" * taken or self.end.read(size)


def test_a_line_of_a_gigabyte_is_not_taken_into_memory() -> None:
    collector = Collector("file.jsonl", Rules(("P", "N"), probability=True, limits=Limits(bytes=1 << 31)), Findings())
    tracemalloc.start()
    read_lines(Endless(1 << 30), collector)  # type: ignore[arg-type]  # all of a stream that is used
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [bad.code for bad in collector.bad] == ["submission.line-too-long"]
    assert [row.line for row in rows_of(collector)] == [2]
    assert peak < 16 << 20


@given(st.lists(st.text("a\r", max_size=12), max_size=12), st.integers(1, 40), st.integers(1, 12))
def test_bounded_lines_are_the_lines(texts: list[str], block: int, most: int) -> None:
    data = "\n".join(texts).encode()
    rules = Rules(("P",), probability=False, limits=Limits(line=most))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BLOCK", block)
        found: dict[int, bytes] = {}
        collector = Collector("f", rules, Findings())
        for part in bounded_lines(io.BytesIO(data), collector, LineEnds(collector, quoted=False)):
            assert len(part.data) <= block + most
            for number, line in enumerate([part.data] if part.cut else part.data.split(b"\n"), part.first):
                assert number not in found
                found[number] = line
                assert not part.cut or len(line) > most
    whole = {n: text.encode() for n, text in enumerate(texts, start=1)}
    for number, line in whole.items():
        if len(line) <= most and not (number == len(texts) and not line):
            assert found[number] == line
        elif line:
            assert line.startswith(found[number])
    assert set(found) <= set(whole)


def test_a_good_file_takes_the_fast_way(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(self: object, line: bytes, number: int) -> None:
        raise AssertionError(line)

    monkeypatch.setattr(module._Reader, "_take_line", never)
    rows = [
        {"presentation_id": 'p\n"1"\\', "run": 1, "choice": "P", "probability": 0.25, "evidence": ["\\", '"', "é"]},
        {"presentation_id": "p", "response": '```json\n{"choice": "P"}\n```', "latency_s": None},
        {"presentation_id": "q", "status": "failed", "cost_usd": 0},
    ]
    data = "\r\n".join(json.dumps(row) for row in rows).encode()
    collector, _ = collected(data)
    assert len(rows_of(collector)) == 3
    assert SMALL.rows > 3
