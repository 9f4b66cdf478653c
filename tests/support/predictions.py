"""Prediction rows for tests: drawn good, spelt in several ways, and spoilt."""

from __future__ import annotations

import json
from io import BytesIO

from hypothesis import strategies as st

from earmark.manifests.findings import Findings
from earmark.scoring.submissions.collecting import Collector
from earmark.scoring.submissions.columns import table_rows
from earmark.scoring.submissions.header import Header
from earmark.scoring.submissions.lines import read_lines
from earmark.scoring.submissions.rows import Limits, Row, Rules

SMALL = Limits(bytes=1 << 20, rows=1000, line=2000, id=30, response=60, evidence=20)

_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
_OPTIONAL = {
    "run": st.none() | st.integers(0, 3),
    "evidence": st.none() | st.lists(_TEXT, max_size=4),
    "latency_s": st.none() | st.floats(0, 1e9) | st.integers(0, 10**12),
    "input_tokens": st.none() | st.integers(0, 10**12),
    "output_tokens": st.none() | st.just(0),
    "cost_usd": st.none() | st.floats(0, 1),
}
_ID = {"presentation_id": st.text('pqé"\\\n ', min_size=1, max_size=6)}
_PROBABILITY = {"probability": st.none() | st.floats(0, 1) | st.sampled_from([0, 1, -0.0, 5e-324])}
_OK = {"status": st.sampled_from(["ok", None])}

GOOD = st.one_of(
    st.fixed_dictionaries(
        {**_ID, "choice": st.sampled_from(["P", "N"])}, optional={**_OK, **_OPTIONAL, **_PROBABILITY}
    ),
    st.fixed_dictionaries({**_ID, "response": _TEXT}, optional={**_OK, **_OPTIONAL}),
    st.fixed_dictionaries(
        {**_ID, "status": st.sampled_from(["failed", "abstained"])},
        optional={**_OPTIONAL, "response": st.none() | _TEXT},
    ),
)
"""Rows that have nothing wrong, as JSON values."""

_ANY = st.sampled_from(
    [
        None,
        True,
        -1,
        0,
        1,
        1.0,
        0.5,
        2,
        10**13,
        1e13,
        "",
        "P",
        "N",
        "1",
        "ok",
        "x" * 61,
        "a\0b",
        [],
        ["a"],
        ["a"] * 5,
        {},
    ]
)
_NAMES = st.sampled_from(
    [
        "presentation_id",
        "run",
        "status",
        "response",
        "choice",
        "probability",
        "evidence",
        "latency_s",
        "input_tokens",
        "cost_usd",
        "other",
        "earmark",
    ]
)
ODD = st.builds(lambda row, changed: {**row, **changed}, GOOD, st.dictionaries(_NAMES, _ANY, min_size=1, max_size=3))
"""Rows of which most have something wrong."""


@st.composite
def spelt(draw: st.DrawFn, rows: st.SearchStrategy[dict[str, object]] = GOOD) -> bytes:
    """A row as a line of JSON, in one of its spellings."""
    separators = draw(st.sampled_from([(",", ":"), (", ", ": "), (" ,\t", "  :")]))
    return json.dumps(draw(rows), ensure_ascii=draw(st.booleans()), separators=separators).encode()


_INSERTED = st.sampled_from(
    [
        b'"',
        b"\\",
        b"\\\\",
        b'\\"',
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b"\n",
        b"\r",
        b" ",
        b"\0",
        b"\xff",
        b"\xc3",
        b"\xef\xbb\xbf",
        b"\\u0000",
        b"\\ud800",
        b"\\ude00",
        b"\\u0041",
        b"NaN",
        b"Infinity",
        b"1e999",
        b"-",
        b"9" * 20,
        b".0",
        b"null",
        b"true",
        b'"run":1,',
        b',"run":1',
        b'"r\\u0075n":2,',
        b'{"presentation_id":"p","choice":"P"}',
        b"\xed\xa0\x80",
    ]
)


@st.composite
def spoilt(draw: st.DrawFn) -> bytes:
    """A line in which bytes were put in, taken out or doubled."""
    line = draw(spelt())
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(line)))
        end = draw(st.integers(start, min(len(line), start + 12)))
        line = line[:start] + draw(_INSERTED | st.just(line[start:end] * 2) | st.just(b"")) + line[end:]
    return line


LINES = st.lists(spelt() | spelt(ODD) | spoilt() | st.sampled_from([b"", b" ", b"[]", b"1", b"{}"]), max_size=12)
"""Lines of a file: good, odd and broken ones."""


def collected(
    data: bytes,
    *,
    fast: bool = True,
    choices: tuple[str, ...] = ("P", "N"),
    probability: bool = True,
    limits: Limits = SMALL,
) -> tuple[Collector, Header | None]:
    """A JSON Lines file read the fast or the slow way."""
    collector = Collector("file.jsonl", Rules(choices, probability=probability, limits=limits), Findings())
    return collector, read_lines(BytesIO(data), collector, fast=fast)


def rows_of(collector: Collector) -> list[Row]:
    """The good rows."""
    return table_rows(collector.table())
