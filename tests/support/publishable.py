"""Releases that may be published: the golden ones with audio for each clip, a licence for each corpus, and who made them."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec
from tests.support.golden import GOLDENS

from earmark.builders.publishing.data.shards import ClipFile
from earmark.builders.publishing.looking_over import Wanted
from earmark.builders.publishing.publish import Published, publish
from earmark.manifests.building import building
from earmark.manifests.findings import Findings
from earmark.manifests.hashes import files_hash
from earmark.manifests.licences import USUAL
from earmark.manifests.release import MediaEntry, Release, open_release

OWN: Mapping[str, object] = {
    "published": "2026-03-31",
    "creators": ["Ada Lovelace <ada@example.org>", "The Miniature Makers"],
    "url": "https://example.org/mini",
    "licence": "CC-BY-NC-4.0",
}
"""What a recipe says of a release that is to be published."""


def sound(clip: str) -> bytes:
    """The made-up content of a clip's file; it is no FLAC, which nobody decodes here."""
    return b"fLaC" + hashlib.shake_256(clip.encode()).digest(300 + hashlib.sha256(clip.encode()).digest()[0])


def publishable(
    out: Path,
    family: str = "stance",
    *,
    licences: Mapping[str, str] | None = None,
    media: bool = True,
    own: Mapping[str, object] = OWN,
    audio: Callable[[str], bytes] = sound,
) -> Release:
    """Write a golden release anew so that it may be published.

    Args:
        out: Folder to be made.
        family: Whose golden release.
        licences: The licence of each corpus by its name; of those that are not named the usual one, or CC-BY-4.0.
        media: Whether there is audio.
        own: What its recipe says of the release.
        audio: The content of each clip's file.
    """
    golden = open_release(GOLDENS[family].path / "release")
    rows = {name: golden.table(name).to_pylist() for name in golden.family.tables()}
    corpus = {row["clip_id"]: row["corpus"] for row in rows["sources"]}
    stated = {name: (licences or {}).get(name, USUAL.get(name, "CC-BY-4.0")) for name in corpus.values()}
    for row in rows["clips"]:
        row["licence"] = stated[corpus[row["clip_id"]]]
    for row in rows["sources"]:
        row["pcm_hash"] = f"blake2b-256:{hashlib.sha256(row['clip_id'].encode()).hexdigest()}"
    contents = {f"{clip}.flac": audio(clip) for clip in sorted(corpus)} if media else {}
    hashes = {name: f"sha256:{hashlib.sha256(content).hexdigest()}" for name, content in contents.items()}
    recipe = {**golden.manifest.recipe}
    recipe["release"] = {**_mapping(recipe.get("release")), **own}
    with building(out, golden.family, key=golden.path / "private" / "key") as work:
        for name, table in rows.items():
            work.write_table(name, table)
        if media:
            (work.partial / "public" / "audio").mkdir()
            for name, content in contents.items():
                (work.partial / "public" / "audio" / name).write_bytes(content)
        work.write_manifest(
            msgspec.structs.replace(
                golden.manifest,
                recipe=recipe,
                tables=dict(work.entries),
                sources=[
                    msgspec.structs.replace(source, licence=stated.get(source.corpus, "CC-BY-4.0"))
                    for source in golden.manifest.sources
                ],
                media=MediaEntry(rate=None, files=len(hashes), hash=files_hash(hashes)) if media else None,
            )
        )
    return open_release(out)


def clip_paths(folder: Path, contents: Sequence[bytes]) -> list[ClipFile]:
    """Files of clips that are named by their place."""
    folder.mkdir(exist_ok=True)
    files = []
    for n, content in enumerate(contents):
        path = folder / f"c{n:026d}.flac"
        path.write_bytes(content)
        row = {"clip_id": path.stem, "duration": n / 7, "rate": 16_000 + n % 2, "licence": "CC-BY-4.0"}
        files.append(ClipFile(row, path, len(content)))
    return files


def copy_of(release: Release, out: Path) -> Release:
    """The same release somewhere else, to be changed."""
    shutil.copytree(release.path, out)
    return open_release(out)


def published(release: Release, to: Path, **wanted: object) -> Published:
    """Publish it, and say nothing of what was found."""
    return publish(release, Wanted(to=to, **wanted), Findings(), lambda *_: None)  # type: ignore[arg-type]  # of many kinds


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}
