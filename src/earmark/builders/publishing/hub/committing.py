"""Making a branch equal to a copy by one commit, of which what is large is sent before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from earmark.builders.media import Progress
from earmark.builders.publishing.hub.addresses import Destination
from earmark.builders.publishing.hub.contents import HUBS_OWN, LocalFile, RemoteFile, same, stale
from earmark.builders.publishing.hub.copies import SAYS_WHOSE, LocalCopy, release_of
from earmark.builders.publishing.hub.faults import HubError
from earmark.manifests.copies.published import CARD

if TYPE_CHECKING:
    from huggingface_hub import CommitOperationAdd

    from earmark.builders.publishing.hub.client import Hub

MOST_FILES, MOST_BYTES = 64, 2_500_000_000
"""Files and bytes that are sent before it is told how far it is: as many shards as the client sends at a time."""

ATTEMPTS = 5
"""How often it is tried to make a commit."""

MOST_MANIFEST = 1 << 24
"""Bytes of a manifest on a hub that is read."""

MAIN = "main"


@dataclass(frozen=True)
class Made:
    """A commit that is equal to the copy.

    Args:
        commit: The commit.
        sent: How many files it took.
        deleted: What was deleted for it.
    """

    commit: str
    sent: int = 0
    deleted: tuple[str, ...] = ()


def committed(hub: Hub, copy: LocalCopy, to: Destination, progress: Progress) -> Made:
    """Make a branch equal to a copy, and go by what the hub lists of it.

    Args:
        hub: The hub.
        copy: The copy.
        to: Repository and branch.
        progress: Told how many megabytes are there.

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
            return Made(head, len(sent), deleted)
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


def _require_own(hub: Hub, copy: LocalCopy, to: Destination, head: str, there: Mapping[str, RemoteFile]) -> None:
    """Make sure that the branch holds nothing but an earlier version of the same, since what is no part of this one is deleted.

    Raises:
        HubError: If it holds something else.
    """
    others = there.keys() - HUBS_OWN - {CARD}
    if not others:
        return
    advice = "name an empty repository, or that of an earlier version"
    kind = next((name for name in SAYS_WHOSE if name in others), None)
    whose = None
    if kind is not None and kind == copy.kind:
        whose = release_of(hub.content(to.repository, head, kind, MOST_MANIFEST))
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
    hub: Hub, copy: LocalCopy, missing: Mapping[str, LocalFile], to: Destination, progress: Progress
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
