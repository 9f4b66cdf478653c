"""A small SpeechEQ: real MP3 files of the rate and number of channels of the real ones, the same from the same seed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from earmark.audio.decode import probe
from earmark.builders.miniatures.speecheq import make_speecheq
from earmark.builders.miniatures.speecheq_layout import RATE, SOUND


def test_files_are_mp3_and_records_repeat(tmp_path: Path) -> None:
    make_speecheq(tmp_path / "one")
    make_speecheq(tmp_path / "two", seed=2)
    paths = sorted((tmp_path / "one").rglob("*.mp3"))
    assert len(paths) == 8 * len(SOUND)
    for path in paths[:8]:
        info = probe(path)
        assert (info.rate, info.channels, info.subtype) == (RATE, 1, "MPEG_LAYER_III")
    records = {
        name: [json.loads(path.read_text("utf-8")) for path in sorted((tmp_path / name).rglob("metadata.json"))]
        for name in ("one", "two")
    }
    assert records["one"] != records["two"]
    spellings = {record["scenario"][f"speaker{n}_gender"] for record in records["one"] for n in (1, 2)}
    assert spellings == {"Male", "Female", "male", "female", "Nonbinary", "Non-binary"}
    with pytest.raises(ValueError, match="is not empty"):
        make_speecheq(tmp_path / "one")
