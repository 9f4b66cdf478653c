"""Clips on disk: written whole or not at all, with a note beside each that says what it was made of."""

from __future__ import annotations

import hashlib
import io
import os
import threading
import wave
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class _Note(msgspec.Struct, frozen=True):
    key: str
    file_hash: str


def wav_bytes(samples: NDArray[np.int16], rate: int) -> bytes:
    """One channel of 16-bit samples as a WAV file."""
    file = io.BytesIO()
    with wave.open(file, "wb") as wav:
        wav.setnchannels(1)
        wav.setsampwidth(2)
        wav.setframerate(rate)
        wav.writeframes(samples.astype("<i2").tobytes())
    return file.getvalue()


def write_whole(path: Path, data: bytes) -> str:
    """Write a file that appears under its name only when it is whole; its folder is made, and an older one replaced.

    Returns:
        sha256 of the bytes, hex.

    Raises:
        OSError: It cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.partial")
    try:
        partial.write_bytes(data)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return hashlib.sha256(data).hexdigest()


def keep(path: Path, data: bytes, key: str) -> str:
    """Write a clip, and beside it what it was made of.

    Returns:
        sha256 of the clip's bytes, hex.

    Raises:
        OSError: It cannot be written.
    """
    found = write_whole(path, data)
    write_whole(_note(path), msgspec.json.encode(_Note(key, found)))
    return found


def kept(path: Path, key: str) -> str | None:
    """The hash of a clip that was made of just this and lies there as it was written; None of any other."""
    try:
        note = msgspec.json.decode(_note(path).read_bytes(), type=_Note)
        # A clip is compared with its note, so that one that was changed or cut short is made again.
        lies = note.key == key and hashlib.sha256(path.read_bytes()).hexdigest() == note.file_hash
    except (OSError, msgspec.MsgspecError):
        return None
    return note.file_hash if lies else None


def _note(path: Path) -> Path:
    return path.with_name(f"{path.name}.json")
