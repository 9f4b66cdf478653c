"""Putting the audio of a release's clips into a folder: copied from where it is, or cut from the corpora."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from earmark.builders.media import Progress, cut_native, write_media
from earmark.manifests.clip_audio import ClipAudio
from earmark.manifests.errors import EarmarkError
from earmark.manifests.release import Release
from earmark.manifests.rows import Row, text


def copy_audio(release: Release, clips: list[str], folder: Path, roots: Mapping[str, Path], progress: Progress) -> None:
    """Put the audio of clips into a folder, from the release or, where that has none, cut from the corpora.

    Args:
        release: The release.
        clips: Ids of clips.
        folder: Where `<clip id>.flac` of each is put; must exist.
        roots: Where corpora lie, by name.
        progress: Told how far it is.

    Raises:
        EarmarkError: If it is in neither.
    """
    audio = ClipAudio(release)
    missing = [clip for clip in clips if not audio.has(clip)]
    sources = _sources_of(release, missing, roots) if missing else {}
    # In the order in which they lie, so that no part of a shard is read twice.
    for n, clip in enumerate(audio.in_turn(frozenset(clips)), start=1):
        if clip in sources:
            row = sources[clip]
            path = roots[text(row, "corpus")].joinpath(*text(row, "path").split("/"))
            write_media(cut_native(row, path), folder / f"{clip}.flac", None)
        else:
            audio.copy(clip, folder / f"{clip}.flac")
        progress("copying audio", n, len(clips))


def _sources_of(release: Release, clips: list[str], roots: Mapping[str, Path]) -> Mapping[str, Row]:
    """Where clips that the release does not hold are cut from."""
    if release.manifest.recipes is not None and not release.file("sources").is_file():
        raise EarmarkError(
            f"{release.path} says how {len(clips)} of the clips are cut and does not hold them; earmark materialize "
            "cuts them from the corpora and makes a copy that does"
        )
    wanted = set(clips)
    sources = {id: row for row in release.table("sources").to_pylist() if (id := text(row, "clip_id")) in wanted}
    lacking = sorted({text(sources[clip], "corpus") for clip in clips} - roots.keys())
    if lacking:
        named = " ".join(f"--corpus {name}=DIR" for name in lacking)
        raise EarmarkError(f"{release.path} holds no audio; say where the corpora lie: {named}")
    return sources
