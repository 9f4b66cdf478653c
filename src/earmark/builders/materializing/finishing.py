"""What makes a folder of audio a release: the tables copied, and a manifest that is true of the audio."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import msgspec

from earmark.builders.materializing.clips import LEAST_BITS, Clip, narrowed, written
from earmark.builders.materializing.deviations import Deviation, native_clip
from earmark.builders.materializing.folders import CorpusFolder
from earmark.builders.materializing.recipes import media_rate
from earmark.manifests.canonical import json_text
from earmark.manifests.copies.published import WITHDRAWN
from earmark.manifests.declarations import RECIPES
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.hashes import files_hash
from earmark.manifests.release import MANIFEST, MediaEntry, Release
from earmark.manifests.tables import Side

UNVERIFIED = declare(
    "materialize.unverified", Severity.WARNING, "clips were cut whose samples nobody has hashed, so they may be others"
)
OTHER_BYTES = declare(
    "materialize.other-bytes",
    Severity.WARNING,
    "every clip's native samples are those that were published, but not every file's bytes: other versions wrote them",
)
NARROWED = declare(
    "materialize.narrowed", Severity.NOTE, "this copy stores samples of 16 bits in more; they were written as 16"
)
ELSEWHERE = declare("materialize.elsewhere", Severity.NOTE, "a clip was cut from another file that has its samples")


def finish(
    release: Release,
    partial: Path,
    folders: Mapping[str, CorpusFolder],
    done: Mapping[str, Clip],
    hashes: dict[str, str],
    findings: Findings,
) -> None:
    """Copy the tables, and the manifest with what is true of the audio.

    Args:
        release: The release that is completed.
        partial: The folder that is worked in; all audio is there.
        folders: The copies of the corpora.
        done: What was cut.
        hashes: Hash of every file of audio, by its name.
        findings: Told of what is not quite as it was published.
    """
    for clip in done.values():
        if clip.path != clip.recipe.path:
            expected = f"{clip.recipe.path}, which has not these samples here"
            findings.add(ELSEWHERE, file=f"{clip.recipe.corpus}/{clip.path}", id=clip.recipe.clip, expected=expected)
    stated = release.manifest.media
    if stated is not None and files_hash(hashes) != stated.hash:
        hashes |= _written_narrower(release, folders, done, partial, findings)
    media = MediaEntry(rate=media_rate(release), files=len(hashes), hash=files_hash(hashes))
    unhashed = sum(clip.recipe.pcm_hash is None for clip in done.values())
    if unhashed:
        findings.add(UNVERIFIED, found=f"{unhashed} clips", expected="a release built with --media, which hashes them")
    if stated is not None and media != stated:
        findings.add(OTHER_BYTES, file="public/audio", found=f"{media.files}, {media.hash}", expected=stated.hash)
    for name, table in release.family.tables().items():
        if table.side is Side.PUBLIC:
            shutil.copyfile(release.file(name), partial / Side.PUBLIC.value / table.filename)
    for name in (RECIPES.filename, WITHDRAWN):
        beside = release.side(Side.PUBLIC) / name
        if beside.is_file() and not beside.is_symlink():
            shutil.copyfile(beside, partial / Side.PUBLIC.value / name)
    _copy_private(release, partial)
    if media == stated:
        shutil.copyfile(release.path / MANIFEST, partial / MANIFEST)
    else:
        manifest = _manifest_with(release, media)
        (partial / MANIFEST).write_text(manifest, encoding="utf-8", newline="\n")


def _written_narrower(
    release: Release,
    folders: Mapping[str, CorpusFolder],
    done: Mapping[str, Clip],
    partial: Path,
    findings: Findings,
) -> Mapping[str, str]:
    """Write the clips of a copy that stores more bits than any of its samples needs with 16: it was made of one of 16."""
    folder, hashes = partial / Side.PUBLIC.value / "audio", {}
    deep = {clip.recipe.corpus for clip in done.values() if clip.needed > LEAST_BITS}
    for clip in done.values():
        recipe = clip.recipe
        if clip.stored > LEAST_BITS and recipe.corpus not in deep:
            native = native_clip(recipe, folders[recipe.corpus], clip.path)
            if not isinstance(native, Deviation):
                again = written(recipe, clip.path, narrowed(native), folder, media_rate(release))
                hashes[f"{recipe.clip}.flac"] = again.file_hash
    if hashes:
        findings.add(NARROWED, found=f"{len(hashes)} clips")
    return hashes


def _manifest_with(release: Release, media: MediaEntry) -> str:
    """The text of a manifest that says this of the audio, and all else as before."""
    return json_text(msgspec.structs.replace(release.manifest, media=media).as_json())


def _copy_private(release: Release, partial: Path) -> None:
    """Copy what stands on the private side; nobody else may read it."""
    private = release.side(Side.PRIVATE)
    if private.is_dir():
        target = partial / Side.PRIVATE.value
        target.mkdir(mode=0o700, exist_ok=True)
        for path in private.iterdir():
            if path.is_file() and not path.is_symlink():
                shutil.copy(path, target / path.name)
