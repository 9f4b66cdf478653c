"""Putting the audio of a release's clips into a folder: copied from its public side, or cut from the corpora."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from earmark.builders.media import Progress, cut_native, write_media
from earmark.manifests.errors import EarmarkError, ReleaseError
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
    sources: Mapping[str, Row] = {}
    if not all(release.audio_file(clip).is_file() for clip in clips):
        sources = {text(row, "clip_id"): row for row in release.table("sources").to_pylist()}
        lacking = sorted({text(sources[clip], "corpus") for clip in clips} - roots.keys())
        if lacking:
            wanted = " ".join(f"--corpus {name}=DIR" for name in lacking)
            raise EarmarkError(f"{release.path} holds no audio; say where the corpora lie: {wanted}")
    for n, clip in enumerate(clips, start=1):
        if release.audio_file(clip).is_symlink():
            raise ReleaseError(f"{release.audio_file(clip)} is a link; audio is taken from the release itself only")
        if release.audio_file(clip).is_file():
            shutil.copyfile(release.audio_file(clip), folder / f"{clip}.flac")
        else:
            row = sources[clip]
            path = roots[text(row, "corpus")].joinpath(*text(row, "path").split("/"))
            write_media(cut_native(row, path), folder / f"{clip}.flac", None)
        progress("copying audio", n, len(clips))
