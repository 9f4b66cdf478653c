"""mlcroissant opens what is written, without a warning and without a network, and reads the tables out of it as they are."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from tests.support.published_copies import Copy, published_copy, readable, sound

from earmark.manifests.declarations import CLIPS

pytestmark = [
    pytest.mark.usefixtures("fenced"),
    # What mlcroissant is made of will not be there for ever.
    pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:The inplace keyword in DataFrame.reset_index is deprecated"),
]


def records(copy: Copy, name: str) -> list[object]:
    """A record set as mlcroissant reads it."""
    return [readable(record) for record in copy.opened().records(name)]


def in_split(rows: Iterable[Mapping[str, object]]) -> list[Mapping[str, object]]:
    """Rows with what the names of their files say."""
    return [{**row, "split": "test"} for row in rows]


@pytest.mark.parametrize("family", ["stance", "dialogues"])
def test_it_is_valid_and_nothing_in_it_is_warned_of(
    family: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    copy = published_copy(tmp_path, family)
    with caplog.at_level(logging.WARNING):
        metadata = copy.opened().metadata
    assert (metadata.ctx.issues.errors, metadata.ctx.issues.warnings) == (set(), set())
    assert caplog.records == []
    assert metadata.ctx.is_v1_1()
    facets = {f"items-{config.name}" for config in copy.facts.configs if config.facet is not None}
    assert {entry.id for entry in metadata.record_sets} == {
        *("clips", "items", "presentations", "prompts", "facets", "splits"),
        *facets,
    }


def test_records_are_the_rows_of_the_tables(pairs: Copy) -> None:
    opened = pairs.opened()

    def read(name: str) -> list[object]:
        return [readable(record) for record in opened.records(name)]

    facets = [config for config in pairs.facts.configs if config.facet is not None]
    assert len(facets) == len(pairs.facts.facets)
    for facet in facets:
        assert read(f"items-{facet.name}") == in_split(pairs.stored(*facet.files))
    assert read("items") == in_split(pairs.stored(*sorted(file for facet in facets for file in facet.files)))
    for name in ("presentations", "prompts"):
        assert read(name) == pairs.stored(f"public/{name}.parquet")
    assert read("answers") == pairs.stored("private/answers.parquet")
    assert read("facets") == [
        {"id": facet.id, "name": facet.name, "items": facet.items} for facet in pairs.facts.facets
    ]


def test_clips_come_with_the_bytes_of_their_audio(pairs: Copy) -> None:
    rows = pairs.stored("public/clips.parquet")
    assert records(pairs, "clips") == in_split({**row, "audio": sound(row["clip_id"])} for row in rows)


def test_clips_are_read_file_by_file_and_for_nothing_else(pairs: Copy, tmp_path: Path) -> None:
    copy = Copy(tmp_path / "copy", pairs.facts)
    shutil.copytree(pairs.folder, copy.folder)
    (copy.folder / "data" / "clips" / "test-00001-of-00002.parquet").write_bytes(b"none")
    opened = copy.opened()
    first = next(iter(opened.records("clips")))
    assert first["clips/audio"] == sound(first["clips/clip_id"].decode())
    for name in ("items", "presentations", "answers"):
        assert list(opened.records(name))


def test_of_clips_without_audio_the_public_rows_are_read(tmp_path: Path) -> None:
    some, none = tmp_path / "some", tmp_path / "none"
    some.mkdir()
    none.mkdir()
    opened = published_copy(some, "dialogues", shipped=3, shards=1).opened()
    copy = published_copy(none, "dialogues", shipped=0)
    rows = copy.stored("public/clips.parquet")
    assert readable(list(opened.records("all_clips"))) == rows
    heard = in_split({**row, "audio": sound(row["clip_id"])} for row in rows[:3])
    assert readable(list(opened.records("clips"))) == heard
    assert len(list(opened.records("presentations"))) == copy.facts.presentations
    assert records(copy, "clips") == rows
    assert rows[0].keys() == {column.name for column in CLIPS.columns}


@pytest.mark.parametrize("path", ["public/presentations.parquet", "data/items/style-test-00000-of-00001.parquet"])
def test_a_changed_byte_is_noticed(pairs: Copy, tmp_path: Path, path: str) -> None:
    import mlcroissant

    copy = Copy(tmp_path / "copy", pairs.facts)
    shutil.copytree(pairs.folder, copy.folder)
    file = copy.folder / path
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    name = "presentations" if "presentations" in path else "items-style"
    with pytest.raises(mlcroissant.GenerationError) as caught:
        list(copy.opened().records(name))
    assert "not identical with the reference" in str(caught.value.__cause__)
