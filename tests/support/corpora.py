"""Seamless corpora written from conversations that are nothing but times: of audio a header, and the silence it promises."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from earmark.validation.strategies import ASSIGNMENT_COLUMNS, Conversation, Side

RATE = 48_000


def write_corpus(root: Path, conversations: Iterable[Conversation], *, without: Iterable[str] = ()) -> None:
    """Write recordings and `assignment.csv`.

    Args:
        root: The corpus's folder.
        conversations: What is said when.
        without: File ids whose recording is left out.
    """
    kept = list(conversations)
    left_out = set(without)
    for conversation in kept:
        for side in (conversation.a, conversation.b):
            if side.file_id not in left_out:
                write_recording(root, side, conversation.seconds)
    write_assignments(root / "assignment.csv", [conversation.assignment for conversation in kept])


def write_recording(root: Path, side: Side, seconds: float) -> None:
    """A mono 16-bit WAV file of silence, sparse where the file system can, and its JSON file."""
    folder = root / "improvised" / "train" / "0000" / "0000"
    folder.mkdir(parents=True, exist_ok=True)
    size = 2 * round(seconds * RATE)
    form = b"".join(
        value.to_bytes(width, "little") for value, width in ((1, 2), (1, 2), (RATE, 4), (2 * RATE, 4), (2, 2), (16, 2))
    )
    with (folder / f"{side.file_id}.wav").open("wb") as stream:
        stream.write(b"RIFF" + (36 + size).to_bytes(4, "little") + b"WAVEfmt " + (16).to_bytes(4, "little") + form)
        stream.write(b"data" + size.to_bytes(4, "little"))
        stream.truncate(44 + size)
    value: dict[str, object] = {
        "id": side.file_id,
        "metadata:vad": [{"start": start, "end": end} for start, end in side.vad],
    }
    if side.words is not None:
        words = [
            {"word": word.text} if word.start is None else {"word": word.text, "start": word.start, "end": word.end}
            for word in side.words
        ]
        value["metadata:transcript"] = [{"words": words}]
    (folder / f"{side.file_id}.json").write_text(json.dumps(value), encoding="utf-8")


def write_assignments(path: Path, rows: Sequence[Mapping[str, str]]) -> None:
    """Write an assignment table."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        table = csv.DictWriter(stream, ASSIGNMENT_COLUMNS)
        table.writeheader()
        table.writerows(rows)
