"""What only a published copy has, put into a sound release."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pyarrow.parquet as pq

from earmark.manifests.canonical import Json, json_text
from earmark.manifests.copies.published import SHIPPED
from earmark.manifests.declarations import RECIPES
from earmark.manifests.hashes import content_hash, file_hash
from earmark.manifests.release import MANIFEST, TableEntry, open_release


def add_recipe_of_no_clip(folder: Path) -> None:
    """A table of recipes whose only row is of a clip that the release has not."""
    row: dict[str, object] = {
        "clip_id": f"c{26 * 'a'}",
        "corpus": "toy",
        "corpus_version": "1.0",
        "path": "a.wav",
        "channel": 0,
        "rate": 16_000,
        "starts": [0],
        "ends": [1],
        "joining_silence": 0,
        "gain": None,
        "pcm_hash": f"blake2b-256:{64 * '0'}",
    }
    table, path = RECIPES.from_rows([row]), folder / "public" / RECIPES.filename
    pq.write_table(table, path)
    entry = TableEntry(side=RECIPES.side, rows=1, content_hash=content_hash(RECIPES, table), file_hash=file_hash(path))
    manifest = msgspec.structs.replace(open_release(folder).manifest, recipes=entry)
    (folder / MANIFEST).write_text(json_text(manifest.as_json()), encoding="utf-8", newline="\n")


def publish_private_side(folder: Path) -> None:
    """Leave of the private side what is published of one."""
    release, kept = open_release(folder), ("answers", "sources")
    for path in (folder / "private").iterdir():
        if path.stem not in kept:
            path.unlink()
    tables: dict[str, Json] = {name: {"file_hash": file_hash(release.file(name)), "reduced": False} for name in kept}
    said: dict[str, Json] = {
        "canary": release.manifest.canary,
        "release": f"{release.manifest.name}@{release.manifest.version}",
        "content_hash": release.manifest.content_hash,
        "tables": tables,
    }
    (folder / "private" / SHIPPED).write_text(json_text(said), encoding="utf-8", newline="\n")
