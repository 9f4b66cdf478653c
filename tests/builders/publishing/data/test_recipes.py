"""The table of recipes: what cuts a clip stands in it, and nothing else of what is known of its source."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.golden import GOLDENS

from earmark.builders.publishing.data.recipes import recipe_rows, write_recipes
from earmark.manifests.declarations import RECIPES, SOURCES
from earmark.manifests.errors import Refused
from earmark.manifests.hashes import content_hash, file_hash
from earmark.manifests.parquet.stored import read_stored
from earmark.manifests.release import Release, open_release

CUTS = {"clip_id", "corpus", "corpus_version", "path", "channel", "rate", "starts", "ends", "joining_silence", "gain"}


def test_only_what_cuts_a_clip_and_its_hash_is_told() -> None:
    assert {column.name for column in RECIPES.columns} == CUTS | {"pcm_hash"}
    assert not any(column.gold for column in RECIPES.columns)
    assert not RECIPES.column("pcm_hash").nullable
    assert SOURCES.column("pcm_hash").nullable, "a plain release may not have read its audio"


def test_rows_are_those_of_the_sources(miniature_release: Release, tmp_path: Path) -> None:
    sources = {row["clip_id"]: row for row in miniature_release.table("sources").to_pylist()}
    clips = sorted(sources)[::2]
    rows = recipe_rows(miniature_release, clips)
    assert [row["clip_id"] for row in rows] == clips
    for row in rows:
        assert row.pop("gain") is None
        assert row.items() <= sources[str(row["clip_id"])].items()
    entry = write_recipes(recipe_rows(miniature_release, set(clips)), tmp_path / RECIPES.filename)
    stored = read_stored(tmp_path / RECIPES.filename, rows=entry.rows)
    assert (entry.side, entry.rows) == ("public", len(clips))
    assert entry.content_hash == content_hash(RECIPES, stored)
    assert entry.file_hash == file_hash(tmp_path / RECIPES.filename)


def test_a_release_that_read_no_audio_has_no_recipes() -> None:
    release = open_release(GOLDENS["stance"].path / "release")
    clips = release.table("clips")["clip_id"].to_pylist()
    with pytest.raises(Refused) as refused:
        recipe_rows(release, [*clips, "c" + "a" * 26])
    assert refused.value.findings.counts == {"recipes.no-hash": len(clips), "recipes.no-source": 1}
