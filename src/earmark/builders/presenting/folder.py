"""The folder that a judge's author gets, written whole or not at all."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import cast

from earmark.builders.clip_audio import copy_audio
from earmark.builders.media import Progress
from earmark.builders.presenting.history import histories_of, names_of_answers
from earmark.builders.presenting.requests import request
from earmark.builders.presenting.showing import Showing, audio_name
from earmark.manifests import registry
from earmark.manifests.canonical import Json
from earmark.manifests.errors import DestinationExists, EarmarkError, UnknownName
from earmark.manifests.family import Protocol
from earmark.manifests.release import Release
from earmark.manifests.rows import Row, text, texts
from earmark.manifests.scratch import scratch_beside


def present(
    release: Release,
    out: Path,
    *,
    protocol: str | None,
    modality: str | None,
    roots: Mapping[str, Path],
    progress: Progress,
    affect: Path | None = None,
    persona: str | None = None,
) -> Mapping[str, Json]:
    """Write the folder.

    Args:
        release: The release. Audio is copied from its public side or, where that has none, cut from the corpora; words, and what
            goes with them, are read from the private side.
        out: Folder to write; must not exist.
        protocol: Protocol to present; the release's first one without.
        modality: Choose the protocol by what stands for a clip instead.
        roots: Where corpora lie, by name, for releases without audio.
        progress: Told how far it is.
        affect: Parquet with valence, arousal and dominance by clip_id, for cascades; what the release has of them without.
        persona: Who the judge is told to be; the prompt's own system text without.

    Returns:
        What was written, for people; `answers` counts the right answers that stand in histories, where the protocol has any.

    Raises:
        DestinationExists: If the folder exists.
        UnknownName: If the release has no such protocol or modality, or the family no such persona.
        Refused: If a clip lacks what stands for it.
        EarmarkError: If the audio is neither in the release nor under `roots`.
    """
    chosen = release.protocol(protocol or _protocol_of(release, modality))
    system = None if persona is None else _system_of(release, persona)
    if out.exists():
        raise DestinationExists(f"{out} exists; choose another folder")
    rows: list[Row] = [
        row for row in release.table("presentations").to_pylist() if chosen.name in texts(row, "protocols")
    ]
    # Whoever goes through them from the first to the last has an answer before it is needed.
    rows.sort(key=lambda row: (row["after"] is not None, text(row, "presentation_id")))
    histories = histories_of(release, chosen.name, rows)
    clips = {clip for row in rows for clip in texts(row, "clips")}
    clips |= {clip for earlier in histories.values() for clip in earlier.clips.values()}
    showing = Showing(release, chosen.modality, clips, affect)
    names = names_of_answers(release, histories) if showing.history_is_heard else {}
    prompts = {text(row, "prompt_id"): row for row in release.table("prompts").to_pylist()}
    requests = []
    for row in rows:
        earlier = histories.get(text(row, "presentation_id"))
        requests.append(request(row, prompts[text(row, "prompt_id")], showing, earlier, names, system))
    with scratch_beside(out) as scratch:
        scratch.mkdir()
        if showing.heard:
            (scratch / "audio").mkdir()
            copy_audio(release, showing.heard, scratch / "audio", roots, progress)
        for clip, name in names.items():
            shutil.copyfile(scratch / audio_name(clip), scratch / audio_name(name))
        _write_lines(scratch / "requests.jsonl", requests)
        _write_lines(scratch / "sample_submission.jsonl", _sample(release, chosen, rows, persona))
        judge = files("earmark.builders").joinpath("assets", "judge.py").read_text(encoding="utf-8")
        (scratch / "judge.py").write_text(judge, encoding="utf-8", newline="\n")
    told = {earlier.told for earlier in histories.values()} - {None} if showing.tells_renderings_apart else set()
    return {
        "protocol": chosen.name,
        "modality": chosen.modality,
        "requests": len(rows),
        "clips": len(clips),
        **({"answers": len(told)} if told else {}),
    }


def _system_of(release: Release, persona: str) -> str:
    """A persona's system text.

    Raises:
        EarmarkError: If the family has no personas.
        UnknownName: If it has none of this name.
    """
    module = registry.family_module("builders", release.family.name)
    personas = cast("Callable[[], Mapping[str, str]] | None", getattr(module, "personas", None))
    if personas is None:
        raise EarmarkError(f"{release.family.name} has no personas")
    known = personas()
    if persona not in known:
        raise UnknownName("persona", persona, tuple(known))
    return known[persona]


def _protocol_of(release: Release, modality: str | None) -> str | None:
    if modality is None:
        return None
    offered = {entry.modality: entry.name for entry in reversed(release.manifest.protocols)}
    if modality not in offered:
        raise UnknownName("modality", modality, tuple(sorted(offered)))
    return offered[modality]


def _sample(release: Release, protocol: Protocol, rows: list[Row], persona: str | None) -> list[Mapping[str, Json]]:
    """A submission of the right form whose answers mean nothing."""
    manifest = release.manifest
    judge: dict[str, Json] = {"name": "my judge"}
    head: Mapping[str, Json] = {
        "earmark": {
            "release": f"{manifest.name}@{manifest.version}",
            "content_hash": manifest.content_hash,
            "protocol": protocol.name,
            "judge": judge if persona is None else {**judge, "persona": persona},
        }
    }
    return [head, *({"presentation_id": text(row, "presentation_id"), "status": "abstained"} for row in rows)]


def _write_lines(path: Path, lines: Sequence[Mapping[str, Json]]) -> None:
    text = "".join(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8", newline="\n")
