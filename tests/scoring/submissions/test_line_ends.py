"""Line ends: one finding where the first line ends otherwise than those before it, wherever the file is cut into blocks."""

from __future__ import annotations

import csv
import io
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from earmark.manifests.findings import Findings
from earmark.scoring.submissions import lines as module
from earmark.scoring.submissions.collecting import Collector
from earmark.scoring.submissions.csv_file import read_csv
from earmark.scoring.submissions.line_ends import LineEnds
from earmark.scoring.submissions.lines import read_lines
from earmark.scoring.submissions.rows import Limits, Rules

ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])
RULES = Rules(("P", "N"), probability=True, limits=Limits())


def told(blocks: list[bytes], *, quoted: bool) -> list[tuple[int | None, str | None]]:
    """Rows of findings and what was found there."""
    findings = Findings()
    ends, line = LineEnds(Collector("f", RULES, findings), quoted=quoted), 1
    for block in blocks:
        ends.see(block, line)
        line += block.count(b"\n")
    ends.tell()
    return [(finding.row, finding.found) for finding in findings]


def cut(data: bytes, cuts: list[int]) -> list[bytes]:
    """The data in blocks of whole lines."""
    lines = data.splitlines(keepends=True) if b"\r" not in data else [part + b"\n" for part in data.split(b"\n")]
    if b"\r" in data:
        lines[-1] = lines[-1][:-1]
    places = sorted({min(place, len(lines)) for place in [0, *cuts, len(lines)]})
    return [b"".join(lines[a:b]) for a, b in pairwise(places)]


def odd(ends: list[str]) -> int | None:
    """Line of the first odd end, as a reader who counts line feeds counts lines."""
    usual = next((end for end in ends if end != "\r"), None)
    for n, end in enumerate(ends):
        if end == "\r" or end != usual:
            return 1 + sum(before != "\r" for before in ends[:n])
    return None


@settings(max_examples=150)
@given(
    st.lists(st.tuples(st.sampled_from(["", "a", '{"b":1}']), ENDS), max_size=8),
    st.lists(st.integers(0, 9), max_size=3),
)
@example([("a", "\r\n"), ("a", "\n")], [])
@example([("a", "\n"), ("a", "\r\n")], [1])
@example([("a", "\r"), ("a", "\n")], [])
def test_the_first_odd_end_is_told(lines: list[tuple[str, str]], cuts: list[int]) -> None:
    # A carriage return before an empty line that ends with a line feed is one end of both.
    kept = [(text or "x", end) for text, end in lines]
    data = "".join(text + end for text, end in kept).encode()
    row = odd([end for _, end in kept])
    found = told(cut(data, cuts), quoted=False)
    assert [at for at, _ in found] == ([] if row is None else [row])


@settings(max_examples=100)
@given(
    st.lists(st.lists(st.text('a",\r\n', max_size=5), min_size=2, max_size=2), min_size=1, max_size=6),
    st.sampled_from(["\n", "\r\n"]),
    st.lists(st.integers(0, 9), max_size=3),
)
def test_ends_between_quotation_marks_are_none(rows: list[list[str]], end: str, cuts: list[int]) -> None:
    stream = io.StringIO(newline="")
    csv.writer(stream, lineterminator=end, quoting=csv.QUOTE_ALL).writerows(rows)
    data = stream.getvalue().encode()
    assert told(cut(data, cuts), quoted=True) == []
    mixed = data + (b'"a","b"' + (b"\n" if end == "\r\n" else b"\r\n"))
    assert [row for row, _ in told(cut(mixed, cuts), quoted=True)] == [data.count(b"\n") + 1]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a\nb\r\n", [(2, "carriage return and line feed (CRLF)")]),
        (b"a\r\nb\n", [(2, "a line feed (LF)")]),
        (b"a\rb", [(1, "a carriage return (CR) alone")]),
        (b"a\r\nb\r", [(2, "a carriage return (CR) alone")]),
        (b"a\r\nb", []),
        (b"a\nb", []),
        (b"", []),
    ],
)
def test_what_was_found(data: bytes, expected: list[tuple[int, str]]) -> None:
    assert told([data], quoted=False) == expected
    assert told([data], quoted=True) == expected


ROW = {"csv": b"p,P", "jsonl": b'{"presentation_id":"p","choice":"P"}'}
HEAD = {"csv": b"presentation_id,choice", "jsonl": b'{"earmark":{}}'}


def said(name: str, data: bytes, limits: Limits, block: int, *, fast: bool = True) -> list[tuple[str, int | None]]:
    """Codes and lines of what is found in a file that is read in blocks of a size."""
    collector = Collector("f", Rules(("P", "N"), probability=True, limits=limits), Findings())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BLOCK", block)
        (read_csv if name == "csv" else read_lines)(io.BytesIO(data), collector, fast=fast)
    return [(finding.code.name.removeprefix("submission."), finding.row) for finding in collector.findings]


@pytest.mark.parametrize("name", ROW)
@given(
    ends=st.lists(st.sampled_from(["\n", "\n", "\n", "\r\n"]), min_size=1, max_size=12),
    most=st.integers(0, 12),
    block=st.integers(1, 200) | st.just(1 << 20),
    fast=st.booleans(),
)
def test_only_ends_before_the_line_at_which_reading_stopped_are_told(
    name: str, ends: list[str], most: int, block: int, fast: bool
) -> None:
    texts = [HEAD[name], *[ROW[name]] * (len(ends) - 1)]
    data = b"".join(text + end.encode() for text, end in zip(texts, ends, strict=True))
    stopped = most + 2  # the line of the first row that is not read, if there is one
    told = [("too-many-rows", stopped)] if stopped <= len(ends) else []
    row = odd(ends)
    if row is not None and (row < stopped or not told):
        told.append(("mixed-line-ends", row))
    assert sorted(said(name, data, Limits(rows=most), block, fast=fast)) == sorted(told)


@pytest.mark.parametrize(
    ("header", "row"),
    [
        (b"presentation_id,choise", None),
        (b'presentation_id,"a\r\nb"', None),
        (b'"a"b', None),
        (b"\xff", None),
        (b"x" * 99, None),
        (b"presentation_id\rp\rq", 1),
        (b'"a\nb",c\r,d', 2),
        (b"x\r" * 99, None),
    ],
)
def test_nothing_is_told_of_lines_behind_names_of_columns_that_cannot_be_read(header: bytes, row: int | None) -> None:
    data = header + b"\np,P\r\np,P\n"
    first, *others = (said("csv", data, Limits(line=90), block) for block in (1 << 20, 200, 13, 4, 1))
    assert dict(first).get("mixed-line-ends") == row
    assert len(first) > (row is not None)
    assert all(other == first for other in others)


@pytest.mark.parametrize("name", ROW)
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_file_that_grows_too_large_is_told_of_up_to_there_whatever_the_blocks(name: str, end: bytes) -> None:
    rows = b"\n".join([HEAD[name], *[ROW[name]] * 4]) + end
    most = len(rows) + 5
    for block in (1 << 20, 200, 64, 13, 1):
        found = said(name, rows + ROW[name] * 9, Limits(bytes=most), block)
        assert sorted(found) == [*([("mixed-line-ends", 5)] if end == b"\r\n" else []), ("too-large", 6)]
