"""Clips as they are written, and the journal's lines about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from earmark.builders.materializing.recipes import Recipe
from earmark.builders.media import write_media
from earmark.manifests.canonical import Json
from earmark.manifests.hashes import file_hash

if TYPE_CHECKING:
    from earmark.audio.cut import Cut
    from earmark.manifests.building import WorkFolder


LEAST_BITS, MOST_BITS = 16, 24


@dataclass(frozen=True)
class Clip:
    """A clip that was written.

    Args:
        recipe: How it was cut.
        path: From which file of the copy, which may be another of the same name.
        file_hash: Hash of its file.
        stored: Bits of a sample in it.
        needed: Bits that its samples need, 16 or 24.
    """

    recipe: Recipe
    path: str
    file_hash: str
    stored: int
    needed: int

    def as_json(self, rate: int | None) -> Mapping[str, Json]:
        """The line of the journal."""
        return {
            "clip": self.recipe.clip,
            "recipe": self.recipe.digest(),
            "path": self.path,
            "rate": rate,
            "file_hash": self.file_hash,
            "stored": self.stored,
            "needed": self.needed,
        }


def written(recipe: Recipe, path: str, native: Cut, folder: Path, rate: int | None) -> Clip:
    """Write a clip as a build does.

    Args:
        recipe: How it was cut.
        path: From which file.
        native: Its native samples.
        folder: The folder that it goes into.
        rate: Rate of the file in Hz, None for the clip's own.
    """
    target = folder / f"{recipe.clip}.flac"
    write_media(native, target, rate)
    stored = LEAST_BITS if native.samples.dtype == np.int16 else MOST_BITS
    fits = stored == LEAST_BITS or not (native.samples & 0xFFFF).any()
    return Clip(recipe, path, file_hash(target), stored, LEAST_BITS if fits else MOST_BITS)


def narrowed(native: Cut) -> Cut:
    """The same samples in 16 bits; all of them must fit."""
    return native._replace(samples=(native.samples >> 16).astype(np.int16))


def journalled(
    work: WorkFolder, folder: Path, recipes: Mapping[str, Recipe], rate: int | None
) -> Iterator[tuple[str, Clip]]:
    """Clips that an earlier run finished by the same recipe and at this rate, and whose files are still as it left them."""
    for entry in work.done():
        match entry:
            case {
                "clip": str(clip),
                "recipe": str(digest),
                "path": str(path),
                "rate": at,
                "file_hash": str(hash),
                "stored": int(stored),
                "needed": int(needed),
            }:
                target = folder / f"{clip}.flac"
                known = clip in recipes and at == rate and recipes[clip].digest() == digest
                if known and target.is_file() and file_hash(target) == hash:
                    yield clip, Clip(recipes[clip], path, hash, stored, needed)
            case _:
                continue
