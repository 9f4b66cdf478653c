"""What makes a dialogue of SpeechEQ of no use, put into a small one on purpose, each thing in a dialogue of its own."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import cast

from earmark.builders.miniatures.speecheq_layout import SOUND, Sketch, folder_of, write_record
from earmark.manifests.canonical import Json

Record = dict[str, Json]
"""A dialogue's record as plain values."""

Flaw = Callable[[Path, Record], object]
"""Damages a dialogue, given its folder and its record."""


def _above(record: Record, place: Sequence[str | int]) -> dict[str | int, Json]:
    """What a place of a record lies in; a list is taken by its numbers as an object is by its names."""
    part: Json = record
    for name in place[:-1]:
        part = cast("dict[str | int, Json]", part)[name]
    return cast("dict[str | int, Json]", part)


def _set(*place: str | int, value: Json) -> Flaw:
    def change(folder: Path, record: Record) -> None:
        _above(record, place)[place[-1]] = value
        write_record(folder, record)

    return change


def _metadata(text: str) -> Flaw:
    return lambda folder, _: (folder / "metadata.json").write_text(text, encoding="utf-8", newline="\n")


def _without(*place: str | int) -> Flaw:
    def change(folder: Path, record: Record) -> None:
        del _above(record, place)[place[-1]]
        write_record(folder, record)

    return change


FLAWS: Mapping[str, Flaw] = {
    "bad-json": _metadata('{"scenario": '),
    "repeated-key": _metadata('{"scenario": 1, "scenario": 2}'),
    "bad-encoding": lambda folder, _: (folder / "metadata.json").write_bytes(b'{"a": "\xff"}'),
    "bad-part": _set("scenario", "title", value=7),
    "unknown-scale": _set("eq_scale", value="Decision Making - Shelving"),
    "other-slug": _set("generation_metadata", "subscale_slug", value="interpersonal_empathy"),
    "other-id": _set("generation_metadata", "dataset_id", value="20250101_000000_000009_99999999"),
    "unknown-generation": _set("generation_metadata", "generation_version", value="draft"),
    "unknown-gender": _set("scenario", "speaker2_gender", value="robot"),
    "turns": _without("conversation", 5),
    "renderings": _without("audio_files", 4),
    "texts-differ": _set("audio_files", 4, "text", value="Other words."),
    "tone-told": _set("audio_files", 4, "tone_description", value="has just found"),
    "bad-path": _set("audio_files", 4, "audio_path", value="../../../../etc/passwd"),
    "same-file": _set("audio_files", 4, "audio_path", value="audio/04.mp3"),
    "missing-audio": lambda folder, _: (folder / "audio" / "07.mp3").unlink(),
    "same-audio": lambda folder, _: shutil.copyfile(folder / "audio" / "04.mp3", folder / "audio" / "05.mp3"),
    "unmeasurable": lambda folder, _: (folder / "audio" / "08.mp3").write_bytes(b"no sound " * 99),
}
"""What may be wrong, by the code that finds it (`speecheq.…`; the last one `acoustics.unmeasurable`)."""


def flaw_id(number: int) -> str:
    """Name of the dialogue that has a flaw, counted from 0."""
    return f"20250202_{number:06d}_{number:06d}_00000000"


def add_flaw(root: Path, flaw: str, name: str, *, like: Sketch = SOUND[0], flat: bool = False) -> Path:
    """Add a dialogue that is of no use.

    Args:
        root: A miniature corpus.
        flaw: A key of `FLAWS`.
        name: Its name.
        like: The sound dialogue that it is a copy of but for the flaw.
        flat: As for `earmark.builders.miniatures.speecheq.make_speecheq`.

    Returns:
        Its folder.
    """
    source, target = folder_of(root, like, flat=flat), folder_of(root, like._replace(id=name), flat=flat)
    shutil.copytree(source, target)
    record = json.loads((target / "metadata.json").read_text(encoding="utf-8"))
    record["generation_metadata"]["dataset_id"] = name
    write_record(target, record)
    FLAWS[flaw](target, record)
    return target
