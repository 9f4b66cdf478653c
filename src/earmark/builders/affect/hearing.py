"""Hearing every clip of a release, or every audio file of a folder, with a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from earmark.audio.affect import AffectModel
from earmark.audio.decode import UndecodableAudio, probe, read_content, read_span
from earmark.builders.affect.journal import HeardFile, Journal, journal_beside
from earmark.builders.affect.table import AffectTable, Key, write_affect
from earmark.builders.media import Progress
from earmark.manifests.canonical import Json
from earmark.manifests.clip_audio import ClipAudio, most_frames
from earmark.manifests.errors import DestinationExists, EarmarkError, ReleaseError
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.hashes import bytes_hash, file_hash
from earmark.manifests.release import MANIFEST, Release, open_release
from earmark.manifests.rows import real, text, whole

UNHEARD = declare("affect.unheard", Severity.ERROR, "a clip cannot be heard, and its affect is null")

SUFFIXES = frozenset({".wav", ".flac", ".mp3", ".ogg"})
"""Audio files of a folder that is no release."""


@dataclass(frozen=True)
class Clips:
    """What is to be heard.

    Args:
        key: What names a clip.
        files: The file of each, by name; of a release, only what messages call it.
        audio: Where the clips of a release are.
        most_frames: Samples that each of those may have.
    """

    key: Key
    files: dict[str, Path]
    audio: ClipAudio | None = None
    most_frames: Mapping[str, int] = field(default_factory=dict)


def clips_of(target: Path) -> Clips:
    """The clips of a release, or the audio files of any other folder.

    Args:
        target: The folder.

    Raises:
        EarmarkError: If it is no folder, a release without audio, or has no audio file.
    """
    if (target / MANIFEST).is_file():
        return _of_release(open_release(target))
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
            found[name] = _hear(clips, name, path, model, journal)
        progress("hearing clips", len(clips.files), len(clips.files))
        for name, heard in found.items():
            if heard.affect is None:
                findings.add(UNHEARD, id=name, found=heard.problem)
        write_affect(out, AffectTable(clips.key, {name: heard.affect for name, heard in found.items()}, model.name))
    states = Counter(heard.affect is None for heard in found.values())
    return {"clips": len(found), "heard": states[False], "unheard": states[True], "kept_from_before": before}


def _of_release(release: Release) -> Clips:
    audio, rate = ClipAudio(release), 0 if release.manifest.media is None else release.manifest.media.rate or 0
    rows = sorted(release.table("clips").to_pylist(), key=lambda row: text(row, "clip_id"))
    for row in rows:
        if not audio.has(text(row, "clip_id")):
            raise EarmarkError(
                f"{release.path} has no audio of the clip {text(row, 'clip_id')}; build it with --media, or materialize it"
            )
    return Clips(
        "clip_id",
        {text(row, "clip_id"): release.audio_file(text(row, "clip_id")) for row in rows},
        audio,
        {text(row, "clip_id"): most_frames(real(row, "duration"), max(rate, whole(row, "rate"))) for row in rows},
    )


def _hear(clips: Clips, name: str, path: Path, model: AffectModel, journal: Journal) -> HeardFile:
    content = None
    try:
        if clips.audio is not None:
            content = clips.audio.read(name)
        hash = file_hash(path) if content is None else bytes_hash(content)
    except OSError as error:
        return HeardFile(file="", problem=error.strerror or str(error))
    except ReleaseError as error:
        return HeardFile(file="", problem=str(error))
    if hash not in journal.known:
        try:
            if content is None:
                samples, rate = read_span(path), probe(path).rate
            else:
                info, samples = read_content(content, path, most_frames=clips.most_frames[name])
                rate = info.rate
            heard = HeardFile(file=hash, affect=model(samples, rate))
        except UndecodableAudio as error:
            heard = HeardFile(file=hash, problem=error.reason)
        except ValueError as error:
            heard = HeardFile(file=hash, problem=str(error))
        journal.add(heard)
    return journal.known[hash]
