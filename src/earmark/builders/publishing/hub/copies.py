"""What a folder is a copy of, and what another copy says of itself: a published copy, or the answers to one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from earmark.builders.publishing.hub.contents import LocalFile, listed_files
from earmark.builders.publishing.hub.faults import HubError
from earmark.manifests.copies.published import SHIPPED
from earmark.manifests.errors import EarmarkError
from earmark.manifests.release import MANIFEST
from earmark.manifests.revisions.versions import Version
from earmark.manifests.tables import Side

SAYS_WHOSE = (MANIFEST, f"{Side.PRIVATE}/{SHIPPED}")
"""What says which release and version a copy is of, or answers are."""


@dataclass(frozen=True)
class LocalCopy:
    """What is to be uploaded.

    Args:
        files: The files, by POSIX path.
        kind: The file that says which release they are of.
        name: Name of that release.
        version: Its version.
    """

    files: Mapping[str, LocalFile]
    kind: str
    name: str
    version: Version

    @property
    def tag(self) -> str:
        """What the version is called in a repository."""
        return f"v{self.version}"


def copy_of(folder: Path) -> LocalCopy:
    """A folder as a copy to be uploaded.

    Raises:
        HubError: If it is none.
        Refused: If its list cannot be read.
    """
    files = listed_files(folder)
    for name in SAYS_WHOSE:
        if name in files and (whose := release_of(files[name].path.read_bytes())):
            return LocalCopy(files, name, *whose)
    raise HubError(f"{folder} is neither a published copy nor the answers to one")


def release_of(content: bytes) -> tuple[str, Version] | None:
    """Name and version of the release, as a manifest says, or what stands beside answers."""
    try:
        match json.loads(content):
            case {"name": str(name), "version": str(version)}:
                return name, Version.of(version)
            case {"release": str(both)}:
                name, _, version = both.rpartition("@")
                return name, Version.of(version)
            case _:
                return None
    except (ValueError, RecursionError, EarmarkError):
        return None
