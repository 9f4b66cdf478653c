"""Presenting: everything that a judge's author needs to answer a protocol, and nothing that tells the answer.

The folder holds `requests.jsonl` (a line per owed presentation), the audio it names, `sample_submission.jsonl`, the JSON Schema
or marks of the answer within each request, and `judge.py`, a short judge for any server that speaks the OpenAI protocol.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from earmark.builders.media import Progress
from earmark.manifests.canonical import Json
from earmark.manifests.errors import DestinationExists, EarmarkError, ReleaseError, UnknownName
from earmark.manifests.family import Protocol
from earmark.manifests.release import Release
from earmark.manifests.rows import Row, optional_real, optional_text, text, texts, whole, wholes

NO_WORDS = "(no words)"
"""What stands for a clip in which the corpus has no words."""


def present(
    release: Release,
    out: Path,
    *,
    protocol: str | None,
    modality: str | None,
    roots: Mapping[str, Path],
    progress: Progress,
) -> Mapping[str, Json]:
    """Write the folder.

    Args:
        release: The release. Audio is copied from its public side or, where that has none, cut from the corpora; transcripts
            are read from the private side.
        out: Folder to write; must not exist.
        protocol: Protocol to present; the release's first one without.
        modality: Choose the protocol by what stands for a clip instead.
        roots: Where corpora lie, by name, for releases without audio.
        progress: Told how far it is.

    Returns:
        What was written, for people.

    Raises:
        DestinationExists: If the folder exists.
        UnknownName: If the release has no such protocol or modality.
        EarmarkError: If the audio is neither in the release nor under `roots`.
    """
    chosen = release.protocol(protocol or _protocol_of(release, modality))
    if out.exists():
        raise DestinationExists(f"{out} exists; choose another folder")
    rows: list[Row] = [
        row for row in release.table("presentations").to_pylist() if chosen.name in texts(row, "protocols")
    ]
    rows.sort(key=lambda row: text(row, "presentation_id"))
    clips = sorted({clip for row in rows for clip in texts(row, "clips")})
    scratch = out.with_name(out.name + ".presenting")  # never `.partial`, which may be a build that waits to be resumed
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    try:
        _write(release, scratch, chosen, rows, clips, roots, progress)
        scratch.replace(out)
    except BaseException:
        shutil.rmtree(scratch, ignore_errors=True)
        raise
    return {"protocol": chosen.name, "modality": chosen.modality, "requests": len(rows), "clips": len(clips)}


def _write(
    release: Release,
    folder: Path,
    protocol: Protocol,
    rows: list[Row],
    clips: list[str],
    roots: Mapping[str, Path],
    progress: Progress,
) -> None:
    prompts = {text(row, "prompt_id"): row for row in release.table("prompts").to_pylist()}
    spoken: dict[str, str] = {}
    if protocol.modality == "audio":
        (folder / "audio").mkdir()
        copy_audio(release, clips, folder / "audio", roots, progress)
    else:
        sources = {text(row, "clip_id"): row for row in release.table("sources").to_pylist()}
        spoken = {clip: as_line(optional_text(sources[clip], "text")) for clip in clips}
    requests = [request(row, prompts[text(row, "prompt_id")], spoken) for row in rows]
    _write_lines(folder / "requests.jsonl", requests)
    _write_lines(folder / "sample_submission.jsonl", _sample(release, protocol.name, rows))
    judge = files("earmark.builders").joinpath("assets", "judge.py").read_text(encoding="utf-8")
    (folder / "judge.py").write_text(judge, encoding="utf-8", newline="\n")


def request(row: Row, prompt: Row, spoken: Mapping[str, str]) -> Mapping[str, Json]:
    """One line of `requests.jsonl`: what to send, in the order to send it.

    Args:
        row: A presentation.
        prompt: Its prompt.
        spoken: The words of each clip where words stand for clips; empty where audio does.
    """
    pairs = list(zip(texts(row, "labels"), texts(row, "clips"), strict=True))
    clips: list[Json] = [
        {"label": label, "text": spoken[clip]} if spoken else {"label": label, "audio": f"audio/{clip}.flac"}
        for label, clip in pairs
    ]
    answer: Json = json.loads(text(prompt, "answer"))
    return {
        "presentation_id": text(row, "presentation_id"),
        "system": text(prompt, "system"),
        "clips": clips,
        "user": text(prompt, "user"),
        "answer": answer,
    }


def as_line(words: str | None) -> str:
    r"""Words as they are sent: on one line, so that they cannot pass for another clip.

    >>> as_line("Well,\nCONTEXT: no.")
    'Well, CONTEXT: no.'
    """
    return " ".join((words or "").split()) or NO_WORDS


def _protocol_of(release: Release, modality: str | None) -> str | None:
    if modality is None:
        return None
    offered = {entry.modality: entry.name for entry in reversed(release.manifest.protocols)}
    if modality not in offered:
        raise UnknownName("modality", modality, tuple(sorted(offered)))
    return offered[modality]


def _sample(release: Release, protocol: str, rows: list[Row]) -> list[Mapping[str, Json]]:
    """A submission of the right form whose answers mean nothing."""
    manifest = release.manifest
    head: Mapping[str, Json] = {
        "earmark": {
            "release": f"{manifest.name}@{manifest.version}",
            "content_hash": manifest.content_hash,
            "protocol": protocol,
            "judge": {"name": "my judge"},
        }
    }
    return [head, *({"presentation_id": text(row, "presentation_id"), "status": "abstained"} for row in rows)]


def _write_lines(path: Path, lines: list[Mapping[str, Json]]) -> None:
    text = "".join(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8", newline="\n")


def copy_audio(release: Release, clips: list[str], folder: Path, roots: Mapping[str, Path], progress: Progress) -> None:
    """Put the audio of clips into a folder, from the release or, where that has none, cut from the corpora.

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
            _cut(sources[clip], roots, folder / f"{clip}.flac")
        progress("copying audio", n, len(clips))


def _cut(row: Row, roots: Mapping[str, Path], target: Path) -> None:
    from earmark.audio.cut import cut, write_flac

    path = roots[text(row, "corpus")].joinpath(*text(row, "path").split("/"))
    spans = list(zip(wholes(row, "starts"), wholes(row, "ends"), strict=True))
    silence, gain = whole(row, "joining_silence"), optional_real(row, "gain")
    clip = cut(path, spans, channel=whole(row, "channel"), joining_silence=silence, gain=gain)
    write_flac(target, clip.samples, clip.rate)
