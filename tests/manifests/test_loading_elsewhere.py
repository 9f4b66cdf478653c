"""A release's tables are plain Parquet: other people's tools read them, offline, as they were declared."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tests.support.tiny import write_tiny_release

from earmark.manifests.release import Release
from earmark.manifests.tables import Side


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return write_tiny_release(tmp_path_factory.mktemp("elsewhere") / "release")


def test_datasets_loads_every_public_table(release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    datasets = pytest.importorskip("datasets")
    tables = {name: table for name, table in release.family.tables().items() if table.side is Side.PUBLIC}
    files = {name: str(release.file(name)) for name in tables}
    for name in tables:
        loaded = datasets.load_dataset("parquet", data_files=files[name], split="train", cache_dir=str(tmp_path))
        assert loaded.to_list() == release.table(name).to_pylist()
        assert loaded.column_names == [column.name for column in tables[name].columns]
        assert loaded.data.schema.types == [column.type for column in tables[name].columns]


def test_pandas_reads_meanings_and_values(release: Release) -> None:
    import pandas as pd

    for name, table in release.family.tables().items():
        frame = pd.read_parquet(release.file(name))
        assert list(frame.columns) == [column.name for column in table.columns]
        assert len(frame) == release.table(name).num_rows
        told = {field.name: field.metadata[b"means"].decode() for field in pq.read_schema(release.file(name))}
        assert told == {column.name: column.means for column in table.columns}
