"""A release with tables that would end or fill the process: each verb says one line, with a table and `earmark validate`."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.cli.conftest import Earmark
from tests.support.thrift import changed_footer

from earmark.cli.console import COULD_NOT_RUN, FOUND
from earmark.manifests.release import Release

Damage = Callable[[pa.Table], bytes]


def stored(table: pa.Table, **options: object) -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink, compression="zstd", **options)
    return sink.getvalue()


def damaged_metadata(table: pa.Table) -> bytes:
    """Arrow's own account of such a column throws where nothing catches it."""
    lists = pa.array([["a"]] * len(table))
    return changed_footer(stored(table.append_column("more", lists)), histogram=[1, 2])


def many_nulls(table: pa.Table) -> bytes:
    """They take no room in the file, and its footer says that there is one."""
    count = 100_000
    more = pa.ListArray.from_arrays(pa.array([0] + [count] * len(table), pa.int32()), pa.nulls(count, pa.string()))
    data = stored(table.append_column("more", more), write_statistics=False)
    return changed_footer(data, total_byte_size=100, total_uncompressed_size=100, num_values=len(table))


def repeated_text(table: pa.Table) -> bytes:
    """One text of a megabyte in each of two thousand rows."""
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * 2000, pa.int32()), pa.array(["x" * (1 << 20)]))
    return stored(pa.table({table.column_names[0]: texts}), dictionary_pagesize_limit=1 << 30, store_schema=False)


@pytest.mark.parametrize("damage", [damaged_metadata, many_nulls, repeated_text])
def test_each_verb_says_one_line(earmark: Earmark, release: Release, tmp_path: Path, damage: Damage) -> None:
    file = tmp_path / "predictions.jsonl"
    file.write_text('{"presentation_id": "p", "choice": "P"}\n', encoding="utf-8")
    for name in ("items", "presentations"):
        release.file(name).write_bytes(damage(pq.read_table(release.file(name), memory_map=False)))
    for words in (
        ("check", file, "--release", release.path),
        ("info", release.path),
        ("present", release.path, "--out", tmp_path / "presented"),
        ("score", file, "--release", release.path, "--out", tmp_path / "report"),
    ):
        said = earmark(*words)
        assert (said.code, said.out) == (COULD_NOT_RUN, ""), words
        assert len(said.err.splitlines()) == 1
        assert "items" in said.err or "presentations" in said.err
        assert said.err.endswith(f"earmark validate {release.path} says all that is wrong\n")
    said = earmark("validate", release.path)
    assert (said.code, said.out) == (FOUND, "")
    unreadable = [line for line in said.err.splitlines() if "release.unreadable" in line]
    assert len(unreadable) == 1
    assert unreadable[0].startswith("error release.unreadable, 2 times")
    assert "items.parquet" in said.err
    assert "presentations.parquet" in said.err
    assert not (tmp_path / "presented").exists()
    assert not (tmp_path / "report").exists()
