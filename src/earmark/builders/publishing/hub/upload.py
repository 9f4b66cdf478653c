"""Uploading a folder: what is missing is sent, one commit makes the branch equal to the folder, and a tag makes it a version.

Every step looks at what is there before it does anything, so that whatever was interrupted is gone on with by doing it again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.builders.media import Progress
from earmark.builders.publishing.hub.addresses import Destination
from earmark.builders.publishing.hub.contents import (
    HUBS_OWN,
    LocalFile,
    RemoteFile,
    differing,
    listed_files,
    same,
    stale,
)
from earmark.builders.publishing.hub.faults import HubError
from earmark.manifests.canonical import Json
from earmark.manifests.errors import EarmarkError
from earmark.manifests.published import CARD, SHIPPED
from earmark.manifests.release import MANIFEST
from earmark.manifests.revisions.versions import Version
from earmark.manifests.tables import Side

if TYPE_CHECKING:
    from huggingface_hub import CommitOperationAdd

    from earmark.builders.publishing.hub.client import Hub

MOST_FILES, MOST_BYTES = 64, 1_000_000_000
"""Files and bytes that are sent before it is told how far it is."""

ATTEMPTS = 5
"""How often it is tried to make a commit."""

MOST_MANIFEST = 1 << 24
"""Bytes of a manifest on a hub that is read."""

MAIN = "main"

_SAYS_WHOSE = (MANIFEST, f"{Side.PRIVATE}/{SHIPPED}")
"""What says which release and version a copy is of, or answers are."""


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


@dataclass(frozen=True)
class _Copy:
    """What is to be uploaded: the files, and the release and version that they are of."""

    files: Mapping[str, LocalFile]
    kind: str
    name: str
    version: Version

    @property
    def tag(self) -> str:
        return f"v{self.version}"


@dataclass(frozen=True)
class _Made:
    """The commit that is equal to the folder, how many files it took, and what was deleted for it."""

    commit: str
    sent: int = 0
    deleted: tuple[str, ...] = ()


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
    copy = _copy_of(folder)
    private = require_repository(hub, to)
    tagged = hub.references(to.repository).tags.get(copy.tag)
    made = None if tagged else _committed(hub, copy, to, progress)
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


def _copy_of(folder: Path) -> _Copy:
    files = listed_files(folder)
    for name in _SAYS_WHOSE:
        if name in files and (whose := _whose(files[name].path.read_bytes())):
            return _Copy(files, name, *whose)
    raise HubError(f"{folder} is neither a published copy nor the answers to one")


def _whose(content: bytes) -> tuple[str, Version] | None:
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


def _committed(hub: Hub, copy: _Copy, to: Destination, progress: Progress) -> _Made:
    """Make the branch equal to the folder, and go by what the hub lists of it.

    Raises:
        HubError: If that cannot be, or what is there is somebody else's.
    """
    sent: frozenset[str] = frozenset()
    deleted: tuple[str, ...] = ()
    for attempt in range(ATTEMPTS + 1):
        head = _head(hub, to)
        there = {} if head is None else hub.tree(to.repository, head)
        missing = {name: file for name, file in copy.files.items() if not same(file, there.get(name))}
        gone = tuple(stale(copy.files, there))
        if head is not None and not (missing or gone):
            return _Made(head, len(sent), deleted)
        if attempt == ATTEMPTS:
            break
        if head is not None:
            _require_own(hub, copy, to, head, there)
        additions = _send(hub, copy, missing, to, progress)
        try:
            hub.commit(to.repository, to.branch, f"{copy.name} {copy.version}", additions, gone, head)
        except HubError as error:
            # No answer is not no commit, and a branch that moved may have been moved by a commit whose answer was lost.
            if not (error.passing or error.status in (409, 412)) or attempt == ATTEMPTS - 1:
                raise
            hub.pause(attempt)
        sent, deleted = sent | missing.keys(), deleted or gone
    other = [*missing, *gone]
    raise HubError(
        f"{to}: of commit {head} the hub lists {len(other)} files otherwise than they were sent, such as {other[0]!r}; "
        "it was not tagged; run the same command again"
    )


def _head(hub: Hub, to: Destination) -> str | None:
    """The commit that the branch is at; None in a repository without any."""
    branches = hub.references(to.repository).branches
    if to.branch in branches or not branches:
        return branches.get(to.branch)
    start = branches.get(MAIN) or branches[min(branches)]
    hub.branch(to.repository, to.branch, start)
    return hub.references(to.repository).branches.get(to.branch, start)


def _require_own(hub: Hub, copy: _Copy, to: Destination, head: str, there: Mapping[str, RemoteFile]) -> None:
    """Make sure that the branch holds nothing but an earlier version of the same, since what is no part of this one is deleted.

    Raises:
        HubError: If it holds something else.
    """
    others = there.keys() - HUBS_OWN - {CARD}
    if not others:
        return
    advice = "name an empty repository, or that of an earlier version"
    kind = next((name for name in _SAYS_WHOSE if name in others), None)
    whose = None
    if kind is not None and kind == copy.kind:
        whose = _whose(hub.content(to.repository, head, kind, MOST_MANIFEST))
    if whose is None:
        raise HubError(f"{to} holds something else, such as {min(others)!r}, which would be deleted; {advice}")
    name, version = whose
    if name != copy.name:
        raise HubError(f"{to} holds {name!r} and not {copy.name!r}; {advice}")
    if version > copy.version:
        raise HubError(
            f"{to} holds version {version} in the branch {to.branch!r}, and {copy.version} is before it: name another --branch"
        )


def _send(
    hub: Hub, copy: _Copy, missing: Mapping[str, LocalFile], to: Destination, progress: Progress
) -> list[CommitOperationAdd]:
    total = sum(file.size for file in copy.files.values())
    done = total - sum(file.size for file in missing.values())
    additions: list[CommitOperationAdd] = []
    progress("uploading, MB", done // 1_000_000, total // 1_000_000)
    for part in _parts(missing):
        additions += hub.sent(to.repository, to.branch, part)
        done += sum(file.size for file in part.values())
        progress("uploading, MB", done // 1_000_000, total // 1_000_000)
    return additions


def _parts(files: Mapping[str, LocalFile]) -> Iterator[Mapping[str, LocalFile]]:
    part: dict[str, LocalFile] = {}
    size = 0
    for name, file in files.items():
        if part and (len(part) == MOST_FILES or size + file.size > MOST_BYTES):
            yield part
            part, size = {}, 0
        part[name] = file
        size += file.size
    if part:
        yield part


def _require_same(hub: Hub, copy: _Copy, to: Destination, commit: str) -> None:
    """Make sure that a tagged version is the folder.

    Raises:
        HubError: If it is not.
    """
    if other := differing(copy.files, hub.tree(to.repository, commit)):
        raise HubError(
            f"{to} has {copy.tag} already, and {len(other)} files differ, such as {other[0]!r}; a version is never changed: "
            "publish a release of a later one"
        )
