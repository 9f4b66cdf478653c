"""Small releases with audio, and copies of them as they are published, written by hand: for tests that need no publisher."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
from tests.support.tiny import write_tiny_release

from earmark.manifests.canonical import json_text
from earmark.manifests.copies.checksums import write_checksums
from earmark.manifests.copies.published import CLIP_SHARDS
from earmark.manifests.hashes import folder_hash
from earmark.manifests.release import MANIFEST, Manifest, MediaEntry, Release, open_release

AUDIO = pa.struct([pa.field("bytes", pa.binary()), pa.field("path", pa.string())])


def write_heard_release(out: Path, *, items: int = 5, media: Mapping[str, bytes] | None = None) -> Release:
    """The tiny release with a file for each clip; bytes that are no FLAC unless others are given.

    Args:
        out: Folder to be made.
        items: How many items, each of one clip.
        media: The content of each clip's file.
    """
    release = write_tiny_release(out, items=items)
    folder = out / "public" / "audio"
    folder.mkdir()
    clips = release.table("clips")["clip_id"].to_pylist()
    for n, clip in enumerate(clips):
        content = hashlib.shake_256(clip.encode()).digest(900 + 70 * n) if media is None else media[clip]
        release.audio_file(clip).write_bytes(content)
    entry = MediaEntry(rate=16_000, files=len(clips), hash=folder_hash(folder))
    return rewritten(release, msgspec.structs.replace(release.manifest, media=entry))


def rewritten(release: Release, manifest: Manifest) -> Release:
    """The release with another manifest."""
    (release.path / MANIFEST).write_text(json_text(manifest.as_json()), encoding="utf-8", newline="\n")
    return open_release(release.path)


def as_published(
    release: Release, *, private: bool = False, shards: int = 2, listed: bool = True, **options: object
) -> Release:
    """Make a published copy of a release with audio, in its place.

    Args:
        release: The release; its folder is changed.
        private: Whether the private side stays, without the key.
        shards: How many shards the clips are dealt to.
        listed: Whether the list of hashes is written.
        options: Of the writer of shards.
    """
    folder = release.path
    rows = sorted(release.table("clips").to_pylist(), key=lambda row: str(row["clip_id"]))
    part = -(-len(rows) // shards)
    for n in range(shards):
        write_shard(
            release, folder / CLIP_SHARDS / f"test-{n:05d}-of-{shards:05d}.parquet", rows[n * part :][:part], **options
        )
    for row in rows:
        release.audio_file(str(row["clip_id"])).unlink()
    (folder / "public" / "audio").rmdir()
    for path in (folder / "private").iterdir():
        if not private or path.name not in ("answers.parquet", "sources.parquet"):
            path.unlink()
    if not private:
        (folder / "private").rmdir()
    canary = release.manifest.canary
    for name in ("README.md", "CITATION.cff", "baselines/longer/report.html"):
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text(f"{name} of {canary}\n", encoding="utf-8", newline="\n")
    if listed:
        write_checksums(folder, canary)
    return open_release(folder)


def write_shard(release: Release, path: Path, rows: Iterable[Mapping[str, object]], **options: object) -> Path:
    """Write clips of a release into a shard.

    Args:
        release: Where their audio is.
        path: The shard.
        rows: Rows of its table of clips.
        options: Of the writer.
    """
    cells = []
    for row in rows:
        clip = str(row["clip_id"])
        audio = {"bytes": release.audio_file(clip).read_bytes(), "path": f"{clip}.flac"}
        cells.append({"clip_id": clip, "audio": audio, **{name: row[name] for name in ("duration", "rate", "licence")}})
    kinds = {
        "clip_id": pa.string(),
        "audio": AUDIO,
        "duration": pa.float64(),
        "rate": pa.int64(),
        "licence": pa.string(),
    }
    path.parent.mkdir(exist_ok=True, parents=True)
    pq.write_table(
        pa.Table.from_pylist(cells, pa.schema(list(kinds.items()))), path, **{"row_group_size": 2, **options}
    )
    return path
