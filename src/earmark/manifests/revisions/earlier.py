"""What a prediction file of another version may say: which version it was made for, and what of it is not marked on here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from earmark.manifests.release import Release
from earmark.manifests.revisions.withdrawn import Predecessor, read_withdrawn


@dataclass(frozen=True)
class Earlier:
    """Other versions whose files are read.

    Args:
        versions: Those versions.
        presentations: Ids of what they send and this one does not.
    """

    versions: tuple[Predecessor, ...] = ()
    presentations: pa.Array = field(default_factory=lambda: pa.array([], pa.string()), compare=False, repr=False)


@dataclass(frozen=True)
class CommonSubset(Release):
    """What two versions of a release both hold, unchanged: a release in memory, the same from whichever of them it is taken.

    Args:
        base: The version that is at hand.
        tables: Its tables; what is no data stands as the version at hand has it.
        between: The two versions.
        earlier: What files of the two, and of versions before them, may say.
    """

    base: Release | None = None
    tables: dict[str, pa.Table] = field(default_factory=dict, compare=False, repr=False)
    between: tuple[Predecessor, ...] = ()
    earlier: Earlier = field(default_factory=Earlier)

    def stored_table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """A table without what only one version holds."""
        return self.tables[name] if name in self.tables else super().stored_table(name, columns)


def whole(release: Release) -> Release:
    """The version that is at hand, of which a release may be a part."""
    return release.base if isinstance(release, CommonSubset) and release.base is not None else release


def earlier(release: Release) -> Earlier:
    """What files of other versions may say.

    Raises:
        ReleaseError: If the list of what was withdrawn is not the manifest's.
    """
    if isinstance(release, CommonSubset):
        return release.earlier
    listed = read_withdrawn(release)
    return Earlier(listed.predecessors, pa.array(list(listed.presentations()), pa.string()))
