"""Hearing every clip of a release, or every audio file of a folder, with a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from earmark.audio.affect import AffectModel
from earmark.audio.decode import UndecodableAudio, probe, read_span
from earmark.builders.affect.journal import HeardFile, Journal, journal_beside
from earmark.builders.affect.table import AffectTable, Key, write_affect
from earmark.builders.media import Progress
from earmark.manifests.canonical import Json
from earmark.manifests.errors import DestinationExists, EarmarkError
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.hashes import file_hash
from earmark.manifests.release import MANIFEST, Release, open_release

UNHEARD = declare("affect.unheard", Severity.ERROR, "a clip cannot be heard, and its affect is null")

SUFFIXES = frozenset({".wav", ".flac", ".mp3", ".ogg"})
"""Audio files of a folder that is no release."""


@dataclass(frozen=True)
class Clips:
    """What is to be heard.

    Args:
        key: What names a clip.
        files: The file of each, by name.
    """

    key: Key
    files: dict[str, Path]


def clips_of(target: Path) -> Clips:
    """The clips of a release, or the audio files of any other folder.

    Args:
        target: The folder.

    Raises:
        EarmarkError: If it is no folder, a release without audio, or has no audio file.
    """
    if (target / MANIFEST).is_file():
        return Clips("clip_id", dict(_of_release(open_release(target))))
    if not target.is_dir():
        raise EarmarkError(f"{target} is no folder; a release is needed, or a folder of audio files")
    files = sorted(path for path in target.rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file())
    if not files:
        raise EarmarkError(f"{target} is no release and holds no audio file ({', '.join(sorted(SUFFIXES))})")
    return Clips("path", {path.relative_to(target).as_posix(): path for path in files})


def hear_clips(
    clips: Clips, model: AffectModel, out: Path, *, findings: Findings, progress: Progress
) -> dict[str, Json]:
    """Hear clips and write the table. What a killed run had heard is not heard again; neither is a copy of a clip.

    Args:
        clips: The clips.
        model: Who hears.
        out: Parquet file to write; must not exist.
        findings: Told of clips that cannot be heard.
        progress: Told how far it is.

    Returns:
        What was done, for people.

    Raises:
        DestinationExists: If the file exists.
        Busy: If another process makes it.
        EarmarkError: If it cannot be written.
    """
    if out.exists():
        raise DestinationExists(f"{out} exists; choose another file")
    found: dict[str, HeardFile] = {}
    with journal_beside(out, model.hash) as journal:
        before = len(journal.known)
        for done, (name, path) in enumerate(clips.files.items()):
            progress("hearing clips", done, len(clips.files))
            found[name] = _hear(path, model, journal)
        progress("hearing clips", len(clips.files), len(clips.files))
        for name, heard in found.items():
            if heard.affect is None:
                findings.add(UNHEARD, id=name, found=heard.problem)
        write_affect(out, AffectTable(clips.key, {name: heard.affect for name, heard in found.items()}, model.name))
    states = Counter(heard.affect is None for heard in found.values())
    return {"clips": len(found), "heard": states[False], "unheard": states[True], "kept_from_before": before}


def _of_release(release: Release) -> Iterator[tuple[str, Path]]:
    for clip in sorted(str(id) for id in release.table("clips").column("clip_id").to_pylist()):
        path = release.audio_file(clip)
        if not path.is_file():
            raise EarmarkError(f"{release.path} has no audio of the clip {clip}; build it with --media")
        yield clip, path


def _hear(path: Path, model: AffectModel, journal: Journal) -> HeardFile:
    try:
        hash = file_hash(path)
    except OSError as error:
        return HeardFile(file="", problem=error.strerror or str(error))
    if hash not in journal.known:
        try:
            heard = HeardFile(file=hash, affect=model(read_span(path), probe(path).rate))
        except UndecodableAudio as error:
            heard = HeardFile(file=hash, problem=error.reason)
        except ValueError as error:
            heard = HeardFile(file=hash, problem=str(error))
        journal.add(heard)
    return journal.known[hash]
