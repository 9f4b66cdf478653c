"""Human ratings of items: who rated what how high.

A file is CSV with a header or JSON Lines, with the columns `item_id`, `rater` and `rating`: a finite number, higher meaning more
of the positive pole, on any scale; of a pair, above 0 is for the clip stored first, below 0 for the other, 0 for neither. It is
aligned by id. Rows that say the same twice merge; where one rater gives one item two ratings none counts. Every problem is a
finding, and what is good is used.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.strict import NotStrictJson, strict_json

COLUMNS = ("item_id", "rater", "rating")
MOST_BYTES = 1 << 26
"""Largest file that is read."""
LARGEST = 1e12
"""Largest size of a rating; beyond it sums would lose what tells ratings apart."""

UNREADABLE = declare("ratings.unreadable", Severity.ERROR, "the file, or its rest, cannot be read as ratings")
MISSING_COLUMN = declare("ratings.missing-column", Severity.ERROR, "a column that ratings need is absent")
OTHER_COLUMN = declare("ratings.other-column", Severity.WARNING, "a column that ratings do not have was not read")
MALFORMED = declare("ratings.malformed-row", Severity.ERROR, "the row cannot be read; it does not count")
NO_NUMBER = declare("ratings.no-number", Severity.ERROR, "the rating is no finite number; it does not count")
WITHDRAWN = declare(
    "ratings.withdrawn", Severity.NOTE, "the item is none of this version any more; its rating is left out"
)
UNKNOWN_ITEM = declare("ratings.unknown-item", Severity.ERROR, "no item of the release has this id")
REPEATED = declare("ratings.repeated", Severity.WARNING, "a rater rated an item twice alike; it counts once")
CONFLICTING = declare("ratings.conflicting", Severity.ERROR, "a rater rated an item twice differently; neither counts")
ONE_RATER = declare("ratings.one-rater", Severity.WARNING, "all ratings are by one rater, so agreement is unknown")
EMPTY = declare("ratings.empty", Severity.ERROR, "the file has no rating that counts")

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


@dataclass(frozen=True, eq=False)
class Ratings:
    """One row per rater and item, ordered by both.

    Args:
        raters: Names of raters, ascending.
        items: Ids of rated items, ascending.
        rater: (m,) index into `raters`.
        item: (m,) index into `items`.
        rating: (m,) finite, higher meaning more of the positive pole.
    """

    raters: tuple[str, ...]
    items: tuple[str, ...]
    rater: NDArray[np.int64]
    item: NDArray[np.int64]
    rating: NDArray[np.float64]


def read_ratings(path: Path, items: Collection[str], findings: Findings, *, withdrawn: Collection[str] = ()) -> Ratings:
    """Read a file of ratings.

    Args:
        path: `.csv`, `.jsonl` or `.ndjson`.
        items: Ids that a rating may name.
        withdrawn: Ids of items of earlier versions, whose ratings are left out.
        findings: Where problems go; nothing that is an error in them counts.

    Raises:
        OSError: If the file cannot be opened.
    """
    kept: dict[tuple[str, str], float] = {}
    first_line: dict[tuple[str, str], int] = {}
    spoilt: set[tuple[str, str]] = set()
    for line, row in _rows(path, findings):
        if isinstance(row["item_id"], str) and row["item_id"] in withdrawn:
            findings.add(WITHDRAWN, file=path.name, row=line, id=row["item_id"])
            continue
        read = _read(path.name, line, row, items, findings)
        if read is None:
            continue
        item, rater, rating = read
        place = (rater, item)
        before = kept.setdefault(place, rating)
        if place not in first_line:
            first_line[place] = line
            continue
        code, found = (REPEATED, rater) if before == rating else (CONFLICTING, f"{rater}: {before:g} and {rating:g}")
        findings.add(code, file=path.name, row=line, id=item, found=found, expected=f"first in row {first_line[place]}")
        if before != rating:
            spoilt.add(place)
    places = sorted(kept.keys() - spoilt)
    raters = tuple(sorted({rater for rater, _ in places}))
    if not places:
        findings.add(EMPTY, file=path.name)
    if len(raters) == 1:
        findings.add(ONE_RATER, file=path.name, found=raters[0], expected="two raters or more")
    return from_rows([(item, rater, kept[rater, item]) for rater, item in places])


def from_rows(rows: Collection[tuple[str, str, float]]) -> Ratings:
    """Ratings from (item, rater, rating), each rater and item at most once.

    >>> from_rows([("i2", "ann", 3.0), ("i1", "ann", 1.0)]).rating.tolist()
    [1.0, 3.0]
    """
    ordered = sorted((rater, item, rating) for item, rater, rating in rows)
    raters = tuple(sorted({rater for rater, _, _ in ordered}))
    items = tuple(sorted({item for _, item, _ in ordered}))
    rater_number = {rater: n for n, rater in enumerate(raters)}
    item_number = {item: n for n, item in enumerate(items)}
    return Ratings(
        raters=raters,
        items=items,
        rater=np.array([rater_number[rater] for rater, _, _ in ordered], np.int64),
        item=np.array([item_number[item] for _, item, _ in ordered], np.int64),
        rating=np.array([rating for _, _, rating in ordered], np.float64),
    )


def _read(
    name: str, line: int, row: Mapping[str, object], items: Collection[str], findings: Findings
) -> tuple[str, str, float] | None:
    """Item, rater and rating of a row, or None after saying what is wrong with it."""
    item, rater = row["item_id"], row["rater"]
    for column, value in (("item_id", item), ("rater", rater)):
        if not (isinstance(value, str) and value.strip()):
            findings.add(MALFORMED, file=name, row=line, column=column, found=value, expected="text that is not empty")
            return None
    rating = _number(row["rating"])
    if rating is None:
        expected = f"a finite number of at most {LARGEST:g} in size"
        findings.add(NO_NUMBER, file=name, row=line, column="rating", found=row["rating"], expected=expected)
        return None
    if item not in items:
        findings.add(UNKNOWN_ITEM, file=name, row=line, id=str(item), expected="an item_id of the release")
        return None
    return str(item), str(rater), rating


def _number(value: object) -> float | None:
    """A cell or a JSON value as a number; nothing that only `float` would take for one, such as "nan" or "1_0"."""
    if isinstance(value, str):
        value = float(value) if _NUMBER.fullmatch(value.strip()) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    number = float(value)
    return number + 0.0 if math.isfinite(number) and abs(number) <= LARGEST else None


def _rows(path: Path, findings: Findings) -> Iterator[tuple[int, dict[str, object]]]:
    """Line number and the three values of each row that has them."""
    readers = {".csv": _csv_rows, ".jsonl": _json_rows, ".ndjson": _json_rows}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        findings.add(UNREADABLE, file=path.name, found=path.suffix or "no suffix", expected=", ".join(readers))
        return
    with path.open("rb") as stream:
        data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        findings.add(UNREADABLE, file=path.name, found=f"more than {MOST_BYTES} bytes", expected="fewer")
        return
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        findings.add(UNREADABLE, file=path.name, row=line, found=error.reason, expected="UTF-8")
        return
    yield from reader(text, path.name, findings)


def _csv_rows(text: str, name: str, findings: Findings) -> Iterator[tuple[int, dict[str, object]]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    line = 0
    try:
        header = next(reader, [])
        if not _complete(header, name, findings):
            return
        line = reader.line_num
        for cells in reader:
            first, line = line + 1, reader.line_num
            if len(cells) == len(header):
                row = dict(zip(header, cells, strict=True))
                yield first, {column: row[column] for column in COLUMNS}
            elif cells:
                expected = f"{len(header)} as in the header"
                findings.add(MALFORMED, file=name, row=first, found=f"{len(cells)} cells", expected=expected)
    except csv.Error as error:
        findings.add(UNREADABLE, file=name, row=line + 1, found=str(error), expected="CSV with quotes closed")


def _complete(header: list[str], name: str, findings: Findings) -> bool:
    """Whether a header has each column once."""
    counts = Counter(header)
    for column in COLUMNS:
        if counts[column] != 1:
            found = "the header has it twice" if counts[column] else ", ".join(header)[:200] or "an empty file"
            findings.add(MISSING_COLUMN, file=name, row=1, column=column, found=found, expected=", ".join(COLUMNS))
    for column in sorted(counts.keys() - set(COLUMNS)):
        findings.add(OTHER_COLUMN, file=name, row=1, column=column)
    return all(counts[column] == 1 for column in COLUMNS)


def _json_rows(text: str, name: str, findings: Findings) -> Iterator[tuple[int, dict[str, object]]]:
    others: set[str] = set()
    for line, row in enumerate(text.split("\n"), start=1):
        if not row.strip():
            continue
        try:
            value = strict_json(row.encode("utf-8"))
        except NotStrictJson as error:
            findings.add(MALFORMED, file=name, row=line, found=str(error), expected="one strict JSON object a line")
            continue
        if not isinstance(value, Mapping):
            findings.add(MALFORMED, file=name, row=line, found=type(value).__name__, expected="a JSON object")
            continue
        absent = [column for column in COLUMNS if column not in value]
        for column in absent:
            findings.add(MISSING_COLUMN, file=name, row=line, column=column, expected=", ".join(COLUMNS))
        for column in sorted(value.keys() - {*COLUMNS, *others}):
            others.add(column)
            findings.add(OTHER_COLUMN, file=name, row=line, column=column)
        if not absent:
            yield line, {column: value[column] for column in COLUMNS}
