"""What two versions of a release line differ in: every table cell by cell, whatever the order of its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from earmark.manifests.errors import EarmarkError
from earmark.manifests.revisions.counts import cell_changes
from earmark.manifests.revisions.items import items_difference
from earmark.manifests.revisions.metadata import metadata_changes
from earmark.manifests.revisions.records import Difference, Edition
from earmark.manifests.revisions.sound import audio_difference
from earmark.manifests.revisions.tables import Pair, table_difference

if TYPE_CHECKING:
    from earmark.manifests.release import Release


class OtherLine(EarmarkError):
    """Two releases that are not versions of one line."""


def difference(old: Release, new: Release) -> Difference:
    """Compare two versions, with their private sides as far as those are at hand.

    Args:
        old: The earlier one.
        new: The later one; it need not be.

    Returns:
        What differs, the same whatever order rows stand in. A version's number is no difference by itself, nor is the canary,
        which follows from it.

    Raises:
        OtherLine: If they differ in name or family.
        ReleaseError: If a table cannot be read, or has a key twice.
    """
    require_one_line(old, new)
    pair = Pair.read(old, new)
    with new.trusted("it is compared"), old.trusted("it is compared"):
        tables = tuple(table_difference(pair, name) for name in new.family.tables())
        audio = audio_difference(pair)
        items = items_difference(pair, tables, audio)
        cells = cell_changes(pair)
    before, now = (
        0 if release.manifest.withdrawn is None else release.manifest.withdrawn.items for release in (old, new)
    )
    return Difference(
        old=_edition(old),
        new=_edition(new),
        items=items,
        tables=tables,
        audio=audio,
        cells=cells,
        metadata=metadata_changes(old.manifest, new.manifest),
        withdrawn=max(0, now - before),
    )


def require_one_line(old: Release, new: Release) -> None:
    """Go on only if two releases are of one line.

    Raises:
        OtherLine: If they differ in name or family.
    """
    for what in ("family", "name"):
        one, other = getattr(old.manifest, what), getattr(new.manifest, what)
        if one != other:
            raise OtherLine(
                f"{old.path} and {new.path} are no versions of one release: their {what} is {one!r} and {other!r}"
            )


def _edition(release: Release) -> Edition:
    manifest = release.manifest
    return Edition(manifest.name, manifest.version, manifest.content_hash)
