"""Files of human ratings: what is good is read whatever its form and order, and everything else is named."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.manifests.findings import Findings, Severity
from earmark.scoring import ratings as module
from earmark.scoring.ratings import Ratings, from_rows, read_ratings

ITEMS = tuple(f"item-{n}" for n in range(6))
HEADER = "item_id,rater,rating\n"
Rows = dict[tuple[str, str], float]


def read(path: Path, content: str | bytes) -> tuple[Ratings, Findings]:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    findings = Findings()
    return read_ratings(path, frozenset(ITEMS), findings), findings


def rows_of(ratings: Ratings) -> Rows:
    return {
        (ratings.items[item], ratings.raters[rater]): rating
        for item, rater, rating in zip(
            ratings.item.tolist(), ratings.rater.tolist(), ratings.rating.tolist(), strict=True
        )
    }


rater_names = st.text("ab\"',é\n ", min_size=1, max_size=4).filter(lambda name: bool(name.strip()))
tables: st.SearchStrategy[Rows] = st.dictionaries(
    st.tuples(st.sampled_from(ITEMS), rater_names), st.floats(-1e6, 1e6), min_size=1, max_size=12
)


@given(tables, st.randoms(use_true_random=False), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_good_rows_are_read_from_either_form_in_any_order(
    tmp_path_factory: pytest.TempPathFactory, table: Rows, chance: object, end: str, mark: bool
) -> None:
    rows = [(item, rater, rating) for (item, rater), rating in table.items()]
    rows.sort(key=lambda _: chance.random())  # type: ignore[attr-defined]  # Hypothesis's own class
    folder = tmp_path_factory.mktemp("ratings")
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator=end)
    writer.writerows([("rating", "rater", "item_id"), *((repr(rating), rater, item) for item, rater, rating in rows)])
    text = ("\ufeff" if mark else "") + stream.getvalue()
    lines = [json.dumps({"rating": rating, "rater": rater, "item_id": item}) for item, rater, rating in rows]
    for path, content in (
        (folder / "a.csv", text),
        (folder / "a.jsonl", "\n".join(lines)),
        (folder / "a.NDJSON", end.join(lines) + end),
    ):
        found, findings = read(path, content)
        assert rows_of(found) == table
        expected = {} if len({rater for _, rater in table}) > 1 else {module.ONE_RATER.name: 1}
        assert findings.counts == expected
        assert list(zip(found.rater.tolist(), found.item.tolist(), strict=True)) == sorted(
            zip(found.rater.tolist(), found.item.tolist(), strict=True)
        )


GOOD = [("item-0", "ann", 2), ("item-0", "bob", 3), ("item-1", "ann", -1.5)]


@pytest.mark.parametrize(
    ("bad", "code", "says"),
    [
        ("item-9,ann,1", "ratings.unknown-item", "item-9"),
        ("item-2,ann,nan", "ratings.no-number", "nan"),
        ("item-2,ann,inf", "ratings.no-number", "inf"),
        ("item-2,ann,1e999", "ratings.no-number", "1e999"),
        ("item-2,ann,1e13", "ratings.no-number", "1e13"),
        ("item-2,ann,", "ratings.no-number", "rating"),
        ("item-2,ann,1_0", "ratings.no-number", "1_0"),
        ("item-2,ann,٣", "ratings.no-number", "rating"),
        ("item-2,ann,high", "ratings.no-number", "high"),
        ("item-2,,1", "ratings.malformed-row", "rater"),
        (" ,ann,1", "ratings.malformed-row", "item_id"),
        ("item-2,ann", "ratings.malformed-row", "2 cells"),
        ("item-2,ann,1,2", "ratings.malformed-row", "4 cells"),
        ('item-2,"ann,1', "ratings.unreadable", "unexpected end"),
        ('item-2,"an"n,1', "ratings.unreadable", "expected after"),
    ],
)
def test_a_bad_row_of_csv_is_named_and_the_others_count(tmp_path: Path, bad: str, code: str, says: str) -> None:
    text = HEADER + "".join(f"{item},{rater},{rating}\n" for item, rater, rating in GOOD) + bad + "\n"
    found, findings = read(tmp_path / "a.csv", text)
    assert rows_of(found) == {(item, rater): rating for item, rater, rating in GOOD}
    assert findings.counts == {code: 1}
    (finding,) = findings
    assert finding.row == 5
    assert finding.code.severity is Severity.ERROR
    assert says in finding.text()


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        ('{"item_id": "item-2", "rater": "ann", "rating": NaN}', "ratings.malformed-row"),
        ('{"item_id": "item-2", "rater": "ann", "rating": 1, "rating": 2}', "ratings.malformed-row"),
        ('["item-2", "ann", 1]', "ratings.malformed-row"),
        ('{"item_id": "item-2"', "ratings.malformed-row"),
        ('{"item_id": "item-2", "rater": "ann"}', "ratings.missing-column"),
        ('{"item_id": "item-2", "rater": 7, "rating": 1}', "ratings.malformed-row"),
        ('{"item_id": "item-2", "rater": "ann", "rating": true}', "ratings.no-number"),
        ('{"item_id": "item-2", "rater": "ann", "rating": null}', "ratings.no-number"),
        ('{"item_id": "item-9", "rater": "ann", "rating": 1}', "ratings.unknown-item"),
    ],
)
def test_a_bad_line_of_json_is_named_and_the_others_count(tmp_path: Path, bad: str, code: str) -> None:
    lines = [json.dumps({"item_id": item, "rater": rater, "rating": rating}) for item, rater, rating in GOOD]
    found, findings = read(tmp_path / "a.jsonl", "\n".join([*lines, "", bad]))
    assert rows_of(found) == {(item, rater): rating for item, rater, rating in GOOD}
    assert findings.counts == {code: 1}
    assert next(iter(findings)).row == 5


def test_rows_that_agree_merge_and_rows_that_differ_do_not_count(tmp_path: Path) -> None:
    rows = [*GOOD, ("item-0", "ann", "2.0"), ("item-1", "bob", 1), ("item-1", "bob", 2), ("item-1", "bob", 1)]
    found, findings = read(tmp_path / "a.csv", HEADER + "".join(f"{i},{r},{v}\n" for i, r, v in rows))
    assert rows_of(found) == {(item, rater): rating for item, rater, rating in GOOD}
    assert findings.counts == {"ratings.conflicting": 1, "ratings.repeated": 2}
    conflict = next(finding for finding in findings if finding.code is module.CONFLICTING)
    assert (conflict.row, conflict.id, conflict.found) == (7, "item-1", "bob: 1 and 2")
    assert conflict.expected == "first in row 6"


@pytest.mark.parametrize(
    ("header", "missing"),
    [
        ("item_id,rater\n", ["rating"]),
        ("item,rater,score\n", ["item_id", "rating"]),
        ("item_id,rater,rating,rating\n", ["rating"]),
        ("", ["item_id", "rater", "rating"]),
    ],
)
def test_absent_and_doubled_columns_are_named(tmp_path: Path, header: str, missing: list[str]) -> None:
    found, findings = read(tmp_path / "a.csv", header + "item-0,ann,1\n" * bool(header))
    assert not found.items
    named = [finding.column for finding in findings if finding.code is module.MISSING_COLUMN]
    assert named == sorted(missing)
    assert findings.counts[module.EMPTY.name] == 1


def test_other_columns_are_said_once_and_not_read(tmp_path: Path) -> None:
    _, findings = read(tmp_path / "a.csv", "item_id,note,rater,rating\nitem-0,x,ann,1\nitem-0,y,bob,1\n")
    assert findings.counts == {"ratings.other-column": 1}
    line = {"item_id": "item-0", "rating": 1, "note": "x"}
    _, findings = read(
        tmp_path / "a.jsonl", "\n".join(json.dumps({**line, "rater": rater}) for rater in ("ann", "bob"))
    )
    assert findings.counts == {"ratings.other-column": 1}
    assert not findings.failed


def test_one_rater_is_said(tmp_path: Path) -> None:
    _, findings = read(tmp_path / "a.csv", HEADER + "item-0,ann,1\nitem-1,ann,2\n")
    (finding,) = findings
    assert (finding.code, finding.found, findings.exit_code) == (module.ONE_RATER, "ann", 0)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.csv", HEADER.encode() + b"item-0,ann,1\nitem-1,\xff,1\n", "a.csv:3"),
        ("a.xlsx", b"PK", ".csv, .jsonl, .ndjson"),
        ("ratings", b"", "no suffix"),
        ("a.csv", HEADER.encode() + b"x" * 140_000, "field limit"),
    ],
)
def test_what_is_no_such_file_is_a_finding(tmp_path: Path, name: str, content: bytes, says: str) -> None:
    found, findings = read(tmp_path / name, content)
    assert found.rating.size == 0
    assert findings.counts == {module.UNREADABLE.name: 1, module.EMPTY.name: 1}
    unreadable = next(finding for finding in findings if finding.code is module.UNREADABLE)
    assert says in unreadable.text()


def test_a_file_is_bounded_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", len(HEADER) + 13)
    assert read(tmp_path / "a.csv", HEADER + "item-0,ann,1\n")[0].rating.size == 1
    found, findings = read(tmp_path / "a.csv", HEADER + "item-0,ann,12\n")
    assert found.rating.size == 0
    assert module.UNREADABLE.name in findings.counts


def test_a_row_that_spans_lines_is_found_at_its_first(tmp_path: Path) -> None:
    _, findings = read(tmp_path / "a.csv", HEADER + 'item-0,"a\nb",1\nitem-9,"c\nd",1\n\nitem-9,e,1\n')
    assert [finding.row for finding in findings if finding.code is module.UNKNOWN_ITEM] == [4, 7]


def test_an_absent_file_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_ratings(tmp_path / "absent.csv", ITEMS, Findings())


@given(tables)
def test_rows_in_memory_are_the_same(table: Rows) -> None:
    found = from_rows([(item, rater, rating) for (item, rater), rating in table.items()])
    assert rows_of(found) == table
    assert found.rating.dtype == np.float64
