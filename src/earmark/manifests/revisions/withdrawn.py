"""Tombstones: what earlier versions of a release held that was withdrawn, by id and reason alone, and which versions those were.

A version is a predecessor where nothing lies between the two but withdrawals: whatever stands in both is the same, so that a
prediction file made for the earlier one can be marked on what is left.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import msgspec

from earmark.manifests.canonical import Json, json_text
from earmark.manifests.copies.published import WITHDRAWN
from earmark.manifests.errors import ReleaseError
from earmark.manifests.hashes import file_hash
from earmark.manifests.keys import ID_PATTERN
from earmark.manifests.strict import NotStrictJson, read_strict_json
from earmark.manifests.tables import Side

if TYPE_CHECKING:
    from pathlib import Path

    from earmark.manifests.release import Release

MOST_BYTES = 1 << 27
"""Largest list that is read."""

MOST_REASON = 500
"""Longest reason, in characters."""

Id = Annotated[str, msgspec.Meta(pattern=f"^{ID_PATTERN}$")]
Semver = Annotated[str, msgspec.Meta(pattern=r"^[0-9]{1,9}\.[0-9]{1,9}\.[0-9]{1,9}$")]
Hash = Annotated[str, msgspec.Meta(pattern="^blake2b-256:[0-9a-f]{64}$")]
Reason = Annotated[str, msgspec.Meta(min_length=1, max_length=MOST_REASON)]


class Predecessor(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An earlier version, whose prediction files are still read."""

    version: Semver
    content_hash: Hash


class Tombstone(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An item that was withdrawn.

    Args:
        item: Its id.
        presentations: Ids of what was sent of it.
        clips: Ids of clips that went with it.
        version: The last version that held it.
        reason: Why it was withdrawn, for everybody.
    """

    item: Id
    presentations: tuple[Id, ...]
    clips: tuple[Id, ...]
    version: Semver
    reason: Reason


class Withdrawn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that was withdrawn.

    Args:
        predecessors: Versions whose files are still read, the oldest first.
        withdrawn: Items, by id.
        canary: That of the release, as in every text of a published copy.
    """

    predecessors: tuple[Predecessor, ...] = ()
    withdrawn: tuple[Tombstone, ...] = ()
    canary: str = ""

    def presentations(self) -> Iterator[str]:
        """Ids of all presentations that were withdrawn."""
        for tomb in self.withdrawn:
            yield from tomb.presentations

    def items(self) -> Iterator[str]:
        """Ids of all items that were withdrawn."""
        return (tomb.item for tomb in self.withdrawn)

    def text(self) -> str:
        """The file, for people and machines."""
        value: Json = msgspec.to_builtins(self)
        return json_text(value)


def withdrawn_file(release: Release) -> Path:
    """Where the list stands, whether or not it is there."""
    return release.side(Side.PUBLIC) / WITHDRAWN


def read_withdrawn(release: Release) -> Withdrawn:
    """What was withdrawn before this version; nothing where its manifest names no list.

    Raises:
        ReleaseError: If the list is absent, is not the one that the manifest names, or is none.
    """
    entry, file = release.manifest.withdrawn, withdrawn_file(release)
    if entry is None:
        return Withdrawn()
    name = f"{file.parent.name}/{file.name}"
    try:
        if not file.is_file():
            raise ReleaseError(f"{release.path} lacks {name}, which its manifest names; {release.remedy}")
        if file.stat().st_size <= MOST_BYTES and file_hash(file) != entry.file_hash:
            raise ReleaseError(f"{name} of {release.path} is not the list that the manifest names; {release.remedy}")
        found = msgspec.convert(read_strict_json(file, most_bytes=MOST_BYTES), Withdrawn)
    except OSError as error:
        raise ReleaseError(f"cannot read {name} of {release.path}: {error.strerror}") from error
    except (NotStrictJson, msgspec.ValidationError) as error:
        raise ReleaseError(f"{name} of {release.path} is no list of what was withdrawn: {error}") from error
    if len(found.withdrawn) != entry.items:
        raise ReleaseError(
            f"{name} of {release.path} has {len(found.withdrawn)} items, its manifest says {entry.items}"
        )
    return found
