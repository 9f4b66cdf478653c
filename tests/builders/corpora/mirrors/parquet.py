"""Small mirrors: Parquet with audio bytes and the schema metadata that `datasets` knows features by."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from earmark.builders.corpora.mirrors import Mirror, load_mirror

AUDIO = pa.struct([pa.field("bytes", pa.binary()), pa.field("path", pa.string())])

Row = Mapping[str, object]


def write_parquet(path: Path, rows: Sequence[Row], rate: int) -> None:
    """Write rows with a column `audio` of bytes and paths; the others are texts, or whole numbers where all are."""
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    types = {
        name: AUDIO
        if name == "audio"
        else pa.int64()
        if all(isinstance(value, int) for value in values)
        else pa.string()
        for name, values in columns.items()
    }
    features = {
        name: {"_type": "Audio", "sampling_rate": rate} if name == "audio" else {"_type": "Value", "dtype": str(kind)}
        for name, kind in types.items()
    }
    schema = pa.schema(types, metadata={"huggingface": json.dumps({"info": {"features": features}})})
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pydict(columns, schema=schema), path)


def mirror_of(folder: Path, splits: Mapping[str, Sequence[Row]], rate: int) -> Mirror:
    """Write a mirror and load it through `datasets`, offline."""
    for split, rows in splits.items():
        write_parquet(folder / "data" / f"{split}-00000-of-00001.parquet", rows, rate)
    files = {split: [f"data/{split}-00000-of-00001.parquet"] for split in splits}
    return load_mirror(folder, files=files, cache=folder / "cache")


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variables are read on import, so that what was imported before must be told too."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    pytest.importorskip("datasets")
    monkeypatch.setattr("datasets.config.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
