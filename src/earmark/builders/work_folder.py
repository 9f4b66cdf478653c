"""The folder that is kept from run to run, whatever becomes of a build: what was paid for, what was rendered, and a key."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from earmark.manifests.building import partial_of
from earmark.manifests.canonical import Json
from earmark.manifests.errors import EarmarkError
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
