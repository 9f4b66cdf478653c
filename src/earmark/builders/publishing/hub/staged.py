"""The folder that a copy waits in before it is on a hub, so that an upload which was interrupted need not make it anew.

It holds `copy`, `answers` where they go to a hub as well, and `made.json`, which says what they were made of and how.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path

import earmark
from earmark.builders.media import Progress
from earmark.builders.publishing.looking_over import Wanted, require_places
from earmark.builders.publishing.publish import Published, publish
from earmark.manifests.canonical import Json, json_text
from earmark.manifests.clip_audio import ClipAudio
from earmark.manifests.copies.file_digests import digests, walk
from earmark.manifests.errors import DestinationExists, EarmarkError
from earmark.manifests.findings import Findings
from earmark.manifests.hashes import file_hash, files_hash
from earmark.manifests.release import MANIFEST, Release, open_release

MADE = "made.json"

_PLACES = ("to", "answers_to")


@dataclass(frozen=True)
class Staged:
    """A copy that waits.

    Args:
        published: What was published into the folder.
        reused: Whether an earlier run made it.
    """

    published: Published
    reused: bool


def staging_beside(release: Release) -> Path:
    """Where a copy of a release waits unless somewhere else is named."""
    path = release.path.resolve()
    return path.with_name(f"{path.name}.hub")


def staged(
    release: Release, wanted: Wanted, folder: Path, *, answers: bool, findings: Findings, progress: Progress
) -> Staged:
    """Publish a release into a staging folder, unless the same was done there before.

    Args:
        release: The release.
        wanted: What is wanted of the copy; where it goes is settled here.
        folder: The staging folder.
        answers: Whether the hidden answers wait there too.
        findings: What was found on the way.
        progress: Told how far it is.

    Raises:
        DestinationExists: If the folder holds something else.
        Refused: If something speaks against publishing it.
        EarmarkError: If the copy cannot be made.
    """
    wanted = replace(wanted, to=folder / "copy", answers_to=folder / "answers" if answers else wanted.answers_to)
    how, note = _how(release, wanted), folder / MADE
    said = _read(note)
    if wanted.to.exists():
        if said is None or said.get("how") != how:
            raise DestinationExists(
                f"{folder} holds a copy of something else, or one that was made otherwise; remove it, or choose another --staging"
            )
        if wanted.answers_to is not None and not wanted.answers_to.is_dir():
            raise DestinationExists(
                f"the answers to the copy in {folder} are no longer in {wanted.answers_to}; remove {folder}"
            )
        return Staged(_published(wanted, said), reused=True)
    if said is not None and answers and (folder / "answers").is_dir():
        shutil.rmtree(folder / "answers")  # answers of a copy that was never finished
    if said is None and folder.is_dir() and any(folder.iterdir()):
        raise DestinationExists(f"{folder} holds something else; choose another --staging")
    require_places(release, wanted)
    folder.mkdir(parents=True, exist_ok=True)
    _write(note, {"how": how})
    try:
        published = publish(release, wanted, findings, progress)
    except EarmarkError:
        if list(folder.iterdir()) == [note]:  # nothing to go on with
            note.unlink()
            folder.rmdir()
        raise
    counts: Mapping[str, Json] = {
        "shipped": published.shipped,
        "described": published.described,
        "bytes": published.bytes,
    }
    _write(note, {"how": how, **counts})
    return Staged(published, reused=False)


def _how(release: Release, wanted: Wanted) -> Json:
    """All that a copy depends on."""
    options = {field.name: _spelt(getattr(wanted, field.name)) for field in fields(wanted) if field.name not in _PLACES}
    answers = None if wanted.answers_to is None else str(wanted.answers_to.absolute())
    return {
        "earmark": earmark.__version__,
        "release": file_hash(release.path / MANIFEST),
        "answers_to": answers,
        **options,
    }


def _spelt(option: object) -> Json:
    match option:
        case None | bool() | int() | str():
            return option
        case Release():
            return file_hash(option.path / MANIFEST)
        case Path() if option.is_dir():
            files = walk(option).files
            return files_hash(digests(option, files, jobs=2).hashes)
        case _:
            return repr(option)


def _read(note: Path) -> Mapping[str, Json] | None:
    try:
        said = json.loads(note.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None


def _write(note: Path, said: Mapping[str, Json]) -> None:
    scratch = note.with_name(f".{note.name}.tmp")
    scratch.write_text(json_text(said), encoding="utf-8", newline="\n")
    scratch.replace(note)


def _published(wanted: Wanted, said: Mapping[str, Json]) -> Published:
    match said:
        case {"shipped": int(shipped), "described": int(described), "bytes": int(size)}:
            manifest = open_release(wanted.to).manifest
            return Published(wanted.to, wanted.answers_to, manifest, shipped, described, size)
        case {"how": _} if len(said) == 1:  # a kill came when the copy stood, and before it was counted
            copy = open_release(wanted.to)
            recipes, size = copy.manifest.recipes, sum(walk(wanted.to).files.values())
            counts = len(ClipAudio(copy).clips()), 0 if recipes is None else recipes.rows
            return Published(wanted.to, wanted.answers_to, copy.manifest, *counts, size)
        case _:
            raise EarmarkError(f"{wanted.to.parent / MADE} is damaged; remove {wanted.to.parent}")
