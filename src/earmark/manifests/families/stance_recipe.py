"""What validation and pages rely on in the recipe that a stance release keeps in its manifest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from earmark.manifests.release import Manifest


class Pole(msgspec.Struct, frozen=True):
    """The roles of a pole and the categories that they are of."""

    roles: list[str]
    categories: list[str]


class Dimension(msgspec.Struct, frozen=True):
    """A dimension as the release asks about it; its mode is "single" or "interaction"."""

    id: str
    mode: str
    positive: Pole
    negative: Pole


class Mapping(msgspec.Struct, frozen=True):
    """Which role stands for which pole."""

    dimension: list[Dimension]


class Sample(msgspec.Struct, frozen=True):
    """How conversations were drawn."""

    method: str
    share: float
    floor: int


class Segments(msgspec.Struct, frozen=True):
    """How much speech a clip may have, seconds."""

    single_close_s: float
    single_most_s: float
    single_tail_s: float
    context_least_s: float
    context_most_s: float
    target_least_s: float
    target_most_s: float


class StoredRecipe(msgspec.Struct, frozen=True):
    """The sections that something is held against."""

    mapping: Mapping
    sample: Sample
    segments: Segments


def stored_mapping(manifest: Manifest) -> Mapping:
    """The mapping alone, for whoever needs no more of the recipe.

    Raises:
        msgspec.ValidationError: If it is not that of a stance release.
    """
    return msgspec.convert(manifest.recipe.get("mapping"), Mapping)


def stored_recipe(manifest: Manifest) -> StoredRecipe:
    """The recipe in a manifest.

    Raises:
        msgspec.ValidationError: If it is not that of a stance release.
    """
    return msgspec.convert(manifest.recipe, StoredRecipe)
