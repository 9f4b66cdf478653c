"""Releases that are made to take memory: each verb refuses them before anything of them is Python, or counts what is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.hostile.case import ITEMS
from tests.support.copies import rewritten
from tests.support.tiny import write_tiny_release

from earmark.manifests.copies.verifying import verify
from earmark.manifests.damage import damage_of, longest_list, repeats_of
from earmark.manifests.errors import ReleaseError
from earmark.manifests.findings import Findings
from earmark.manifests.hashes import file_hash
from earmark.manifests.parquet.bounds import MOST_BYTES, MOST_ROWS, SURE_BYTES, SURE_ROWS, most_bytes, most_rows
from earmark.manifests.release import Release, open_release
from earmark.manifests.revisions import difference
from earmark.manifests.summary import summarise
from earmark.manifests.tables import Side
from earmark.validation import schemas
from earmark.validation.invariants import validate

MILLIONS = 5_000_000


def grown(release: Release, table: str, rows: int, **cells: pa.Array) -> pa.Table:
    """The first row of a table as often as asked for, but for some columns."""
    whole = release.table(table)
    place = pa.array(np.zeros(rows, np.int64))
    columns = {name: whole[name].combine_chunks().take(place) for name in whole.column_names if name not in cells}
    return pa.table({**columns, **cells}).select(whole.column_names).cast(whole.schema)


def put(release: Release, name: str, table: pa.Table, **options: object) -> Release:
    """The release with another table, which its manifest agrees with as far as whoever made it needs."""
    path = release.file(name)
    pq.write_table(table, path, **{"compression": "zstd", **options})
    entry = release.manifest.tables[name]
    hashed = file_hash(path) if entry.side is Side.PUBLIC else None
    tables = {**release.manifest.tables, name: msgspec.structs.replace(entry, rows=table.num_rows, file_hash=hashed)}
    return rewritten(release, msgspec.structs.replace(release.manifest, tables=tables))


def equal_items(release: Release, rows: int = MILLIONS) -> Release:
    return put(release, "items", grown(release, "items", rows))


def equal_items_in_full(release: Release, rows: int = MILLIONS) -> Release:
    return put(release, "items", grown(release, "items", rows), use_dictionary=False)


def counted_positions(release: Release, rows: int = MILLIONS) -> Release:
    """Keys that differ, in next to no bytes."""
    table = grown(release, "item_clips", rows, position=pa.array(np.arange(rows)))
    others = ["item_id", "role", "clip_id"]
    return put(release, "item_clips", table, use_dictionary=others, column_encoding={"position": "DELTA_BINARY_PACKED"})


def long_lists(release: Release, entries: int = 2_500_000, column: str = "protocols") -> Release:
    table = release.stored_table("presentations")
    cell = table[column][0][0].as_py()
    values = pa.array([cell]).take(pa.array(np.zeros(table.num_rows * entries, np.int64)))
    lists = pa.ListArray.from_arrays(pa.array(np.arange(table.num_rows + 1) * entries, pa.int32()), values)
    at = table.schema.get_field_index(column)
    return put(release, "presentations", table.set_column(at, table.schema.field(column), lists))


def long_texts(release: Release, rows: int = 100) -> Release:
    text = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array(["x" * (1 << 20)]))
    clips = pa.array([f"c{n:026d}" for n in range(rows)])
    table = grown(release, "sources", rows, clip_id=clips, text=text.cast(pa.string()))
    return put(release, "sources", table, dictionary_pagesize_limit=1 << 26)


@pytest.fixture
def tiny(tmp_path: Path) -> Release:
    return write_tiny_release(tmp_path / "release", items=ITEMS)


def test_what_a_file_may_hold_grows_with_it() -> None:
    assert most_bytes(0) == SURE_BYTES
    assert most_bytes(1 << 20) == SURE_BYTES + (128 << 20)
    assert most_bytes(1 << 40) == MOST_BYTES


@pytest.mark.parametrize(
    ("table", "each"), [("items", 1 / 8), ("clips", 1 / 8), ("sources", 1 / 8), ("item_clips", 4), ("selection", 4)]
)
def test_rows_that_have_ids_take_room_for_them(tiny: Release, table: str, each: float) -> None:
    declared = tiny.family.tables()[table]
    assert most_rows(declared, 0) == SURE_ROWS
    assert most_rows(declared, 1 << 16) == SURE_ROWS + (1 << 16) * each
    assert most_rows(declared, 1 << 40) == MOST_ROWS


@pytest.mark.parametrize("make", [equal_items, counted_positions])
def test_more_rows_than_bytes_tell_apart_are_refused_by_their_headers(
    tiny: Release, make: Callable[..., Release]
) -> None:
    """In every verb, without a byte of the table in memory."""
    name = "items" if make is equal_items else "item_clips"
    whole = open_release(write_tiny_release(tiny.path.with_name("sound"), items=ITEMS).path)
    broken, before = make(tiny, rows=1 << 19), pa.total_allocated_bytes()
    with pytest.raises(ReleaseError, match=f"table {name} of .* is not read: {1 << 19} rows in") as refused:
        summarise(broken)
    assert "earmark validate" in str(refused.value)
    with pytest.raises(ReleaseError, match=f"{1 << 19} rows in"):
        difference(whole, broken)
    found = [finding for finding in validate(broken) if finding.code.name == "release.unreadable"]
    assert [finding.file for finding in found] == [f"{name}.parquet"]
    findings = Findings()
    verify(broken.path, findings)
    assert findings.counts["verify.table"] == 1
    assert pa.total_allocated_bytes() - before < 1 << 22


def test_ids_that_repeat_are_refused_before_they_are_read_as_python(
    tiny: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = 1000
    release = equal_items_in_full(tiny, rows)
    told = f"a key of item_id stands twice: {rows} rows have 1 different ones"
    with pytest.raises(ReleaseError, match=f"damaged: {told}; earmark validate"):
        release.table("items")
    # In a short table every row of them is told, beside what else is wrong; in a long one it is one finding.
    few = validate(release)
    assert few.counts["table.duplicate-key"] == rows
    assert len([finding for finding in few if finding.code is schemas.DUPLICATE_KEY]) == few.cap
    monkeypatch.setattr(schemas, "_AT_ONCE", rows - 1)
    (one,) = [finding for finding in validate(release) if finding.file == "items.parquet"]
    assert (one.code.name, one.column, one.found) == (
        "table.duplicate-key",
        "item_id",
        told,
    )


def test_keys_of_several_columns_are_told_apart_by_all_of_them(tiny: Release) -> None:
    table = tiny.family.tables()["item_clips"]
    assert repeats_of(table, grown(tiny, "item_clips", 9, position=pa.array(range(9)))) is None
    twice = grown(tiny, "item_clips", 9, position=pa.array([0, *range(8)]))
    assert (
        repeats_of(table, twice) == "a key of item_id and role and position stands twice: 9 rows have 8 different ones"
    )


def test_a_long_table_is_checked_in_parts_as_a_short_one_is_at_once(
    tiny: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tiny.family.tables()["clips"]
    clips = pa.array([f"c{n:026d}" if n % 7 else f"c{n:09d}" for n in range(100)])
    rows = grown(tiny, "clips", 100, clip_id=clips, rate=pa.array([n % 10 for n in range(100)]))
    whole, parts = Findings(), Findings()
    assert schemas.check_table(table, rows, whole)
    monkeypatch.setattr(schemas, "_AT_ONCE", 9)
    assert schemas.check_table(table, rows, parts)
    assert parts.as_json() == whole.as_json()
    assert whole.counts["table.value"] == 100 + 10  # no id has digits 0, 1, 8 or 9


def test_lists_longer_than_what_they_may_name_are_refused(tiny: Release) -> None:
    column = tiny.family.tables()["presentations"].column("protocols")
    assert column.choices is not None
    release = long_lists(tiny, len(column.choices) + 1)
    assert longest_list(release.stored_table("presentations")["protocols"]) == len(column.choices) + 1
    with pytest.raises(ReleaseError, match="its column protocols has a list of"):
        release.table("presentations")
    counts = validate(release).counts
    assert counts["table.long-list"] == release.manifest.tables["presentations"].rows
    assert damage_of(column, long_lists(tiny, len(column.choices)).stored_table("presentations")) is None


def test_only_the_columns_that_are_needed_are_read_and_looked_at(tiny: Release) -> None:
    whole = tiny.table("sources")
    assert tiny.table("sources", ["speaker"]).equals(whole.select(["clip_id", "speaker"]))
    assert tiny.table("item_clips", []).column_names == ["item_id", "role", "position"]
    broken = put(tiny, "sources", whole.drop_columns(["text"]))
    assert broken.table("sources", ["speaker"]).num_rows == whole.num_rows
    with pytest.raises(ReleaseError, match="damaged: it has no column text"):
        broken.table("sources", ["text"])


VERBS = ("info", "check", "score", "validate", "verify", "diff")

RUN = """
import contextlib, io, json, sys, time
from pathlib import Path
said, code = io.StringIO(), 0
with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
    from earmark.cli.main import main
    try:
        main()
    except SystemExit as error:
        code = error.code
status = Path("/proc/self/status").read_text().splitlines()
peak = next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM"))
print(json.dumps([time.process_time(), peak, code or 0, said.getvalue()]))
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc, which is Linux's")
@pytest.mark.parametrize("make", [equal_items, equal_items_in_full, counted_positions, long_lists, long_texts])
def test_no_verb_takes_memory_for_them(tmp_path: Path, make: Callable[[Release], Release]) -> None:
    """Each in a process of its own, with its imports; the table that is refused is not the one that every verb reads."""
    whole = write_tiny_release(tmp_path / "whole", items=ITEMS)
    ids = whole.table("presentations")["presentation_id"].to_pylist()
    marked = tmp_path / "p.jsonl"
    lines = (json.dumps({"presentation_id": id, "choice": "P"}) for id in ids)
    marked.write_text("\n".join(lines), encoding="utf-8", newline="\n")
    folder = make(write_tiny_release(tmp_path / "broken", items=ITEMS)).path
    for verb in VERBS:
        words = {
            "check": [str(marked), "--release", str(folder)],
            "score": [str(marked), "--release", str(folder), "--out", str(tmp_path / "out"), "--resamples", "100"],
            "diff": [str(whole.path), str(folder)],
        }.get(verb, [str(folder)])
        run = subprocess.run([sys.executable, "-c", RUN, verb, *words], capture_output=True, text=True, check=True)
        seconds, peak, code, said = json.loads(run.stdout)
        assert "Traceback" not in said
        assert "fault of Earmark" not in said
        assert code in (1, 2) or (verb, make) in {
            ("info", long_lists),
            ("check", long_texts),
            ("check", counted_positions),
        }
        assert seconds < 10
        assert peak < 300
