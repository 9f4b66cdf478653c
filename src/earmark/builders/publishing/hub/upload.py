"""Uploading a folder: what is missing is sent, one commit makes the branch equal to the folder, and a tag makes it a version.

Every step looks at what is there before it does anything, so that whatever was interrupted is gone on with by doing it again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.builders.media import Progress
from earmark.builders.publishing.hub.addresses import Destination
from earmark.builders.publishing.hub.committing import committed
from earmark.builders.publishing.hub.contents import differing
from earmark.builders.publishing.hub.copies import LocalCopy, copy_of
from earmark.builders.publishing.hub.faults import HubError
from earmark.manifests.canonical import Json

if TYPE_CHECKING:
    from earmark.builders.publishing.hub.client import Hub


@dataclass(frozen=True)
class Uploaded:
    """What is on a hub now.

    Args:
        where: The repository.
        url: Page of the version.
        tag: Tag of the version.
        commit: The commit that has it.
        private: Whether the repository is private.
        files: How many files it has.
        bytes: How many bytes they have.
        sent: How many files were not there before.
        deleted: Paths that were in the branch and are not in this version.
        unchanged: Whether the version was there already.
    """

    where: Destination
    url: str
    tag: str
    commit: str
    private: bool
    files: int
    bytes: int
    sent: int
    deleted: tuple[str, ...]
    unchanged: bool

    def as_json(self) -> Mapping[str, Json]:
        """The same for machines."""
        return {
            "repository": self.where.repository,
            "branch": self.where.branch,
            "url": self.url,
            "tag": self.tag,
            "commit": self.commit,
            "private": self.private,
            "files": self.files,
            "bytes": self.bytes,
            "files_sent": self.sent,
            "deleted": list(self.deleted),
            "unchanged": self.unchanged,
        }


def require_repository(hub: Hub, to: Destination) -> bool:
    """Make a repository be there, and return whether it is private.

    Raises:
        HubError: If it cannot be created, or is there and is public although it is to be private.
    """
    private = hub.create(to.repository, private=to.private)
    if to.private and not private:
        raise HubError(f"{to} is public, and this is to be private; name another repository, or make that one private")
    return private


def upload(hub: Hub, folder: Path, to: Destination, progress: Progress) -> Uploaded:
    """Upload a published copy, or the answers to one, whose hashes have been checked.

    Args:
        hub: The hub.
        folder: The folder.
        to: Where to.
        progress: Told how many megabytes are there.

    Raises:
        HubError: If the hub or what is in the repository speaks against it.
        Refused: If the folder's list cannot be read.
    """
    copy = copy_of(folder)
    private = require_repository(hub, to)
    tagged = hub.references(to.repository).tags.get(copy.tag)
    made = None if tagged else committed(hub, copy, to, progress)
    if made is not None:
        hub.tag(to.repository, copy.tag, made.commit)
        tagged = hub.references(to.repository).tags.get(copy.tag)
    if tagged is None:
        raise HubError(f"{to}: the hub does not list the tag {copy.tag}; run the same command again")
    if made is None or tagged != made.commit:  # it was there before, or somebody else was first
        _require_same(hub, copy, to, tagged)
    return Uploaded(
        where=to,
        url=hub.page(to.repository, copy.tag),
        tag=copy.tag,
        commit=tagged,
        private=private,
        files=len(copy.files),
        bytes=sum(file.size for file in copy.files.values()),
        sent=0 if made is None else made.sent,
        deleted=() if made is None else made.deleted,
        unchanged=made is None,
    )


def _require_same(hub: Hub, copy: LocalCopy, to: Destination, commit: str) -> None:
    """Make sure that a tagged version is the folder.

    Raises:
        HubError: If it is not.
    """
    if other := differing(copy.files, hub.tree(to.repository, commit)):
        raise HubError(
            f"{to} has {copy.tag} already, and {len(other)} files differ, such as {other[0]!r}; a version is never changed: "
            "publish a release of a later one"
        )
