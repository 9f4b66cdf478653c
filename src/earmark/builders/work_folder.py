"""The folder that is kept from run to run, whatever becomes of a build: what was paid for, what was rendered, and a key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import filelock

from earmark.manifests.building import LOCK, partial_of
from earmark.manifests.canonical import Json
from earmark.manifests.errors import Busy, EarmarkError
from earmark.manifests.keys import new_key
from earmark.manifests.tables import Side

KEY = "key"
"""Name of the file in the folder that holds the key."""


class Placed(NamedTuple):
    """A recipe and its folder.

    Attributes:
        recipe: The recipe, in which the folder is named.
        folder: The folder; None where nothing is kept.
    """

    recipe: Mapping[str, Json]
    folder: Path | None


def kept_key(folder: Path, out: Path) -> Path | None:
    """The file of the key that a folder keeps; drawn where it has none.

    Args:
        folder: The folder, made where it is missing.
        out: The release to be made.

    Returns:
        None where a build that waits to be resumed has a key of its own.

    Raises:
        EarmarkError: If it cannot be written.
    """
    if (partial_of(out) / Side.PRIVATE.value / KEY).is_file():
        return None
    key = folder / KEY
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not key.exists():
            scratch = key.with_name(f"{KEY}.tmp")
            scratch.write_bytes(new_key())
            scratch.chmod(0o600)  # whoever can read the key can make the ids
            scratch.replace(key)
    except OSError as error:
        raise EarmarkError(f"cannot write {key}: {error.strerror}") from error
    return key


@contextmanager
def held(folder: Path | None) -> Iterator[None]:
    """Keep a folder from other builds, which would render into the files that this one measures and cuts.

    Args:
        folder: The folder, made where it is missing; gone again if nothing was put into it. None is no folder.

    Raises:
        Busy: If another process works in it.
        EarmarkError: If it cannot be written.
    """
    if folder is None:
        yield
        return
    lock = filelock.FileLock(folder / LOCK)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=0)
    except filelock.Timeout:
        raise Busy(f"another process works in {folder}") from None
    except OSError as error:
        raise EarmarkError(f"cannot write {folder / LOCK}: {error.strerror or error}") from error
    try:
        yield
    finally:
        lock.release()
        if not any(path.name != LOCK for path in folder.iterdir()):
            (folder / LOCK).unlink(missing_ok=True)
            with suppress(OSError):  # somebody else has begun in it
                folder.rmdir()
