"""What a folder and a commit hold, set side by side by hash, so that nothing need be downloaded to compare them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from earmark.manifests.copies.checksums import PREFIX, read_checksums
from earmark.manifests.copies.file_digests import digests
from earmark.manifests.copies.published import CHECKSUMS
from earmark.manifests.copies.verifying import CHANGED
from earmark.manifests.findings import Findings
from earmark.manifests.hashes import file_hash

HUBS_OWN = frozenset({".gitattributes"})
"""What a hub puts into a repository itself, and needs there."""


@dataclass(frozen=True)
class LocalFile:
    """A file of a folder.

    Args:
        path: Where it is.
        size: In bytes.
        sha256: 64 hex digits.
    """

    path: Path
    size: int
    sha256: str


@dataclass(frozen=True)
class RemoteFile:
    """A file of a commit.

    Args:
        size: In bytes.
        blob: Git's name of it: of the content, or of what points to that.
        sha256: 64 hex digits of the content where it is large and stands outside git; else None.
    """

    size: int
    blob: str
    sha256: str | None = None


def listed_files(folder: Path) -> Mapping[str, LocalFile]:
    """The files of a folder that its list names, and the list, by POSIX path; whatever else lies there is nobody's to upload.

    Args:
        folder: A published copy, or the answers to one, whose hashes have been checked.

    Raises:
        Refused: If the list cannot be read.
        OSError: If a file is not there.
    """
    findings = Findings()
    hashes = dict(read_checksums(folder / CHECKSUMS, findings).hashes)
    findings.require_none()
    hashes[CHECKSUMS] = file_hash(folder / CHECKSUMS)
    return {
        name: LocalFile(
            path := folder.joinpath(*name.split("/")), path.stat().st_size, hashes[name].removeprefix(PREFIX)
        )
        for name in sorted(hashes)
    }


def require_true(folder: Path) -> None:
    """Make sure that the files of a folder have the hashes that its list names.

    Raises:
        Refused: If one has not.
        OSError: If one cannot be read.
    """
    files = listed_files(folder)
    made, findings = digests(folder, {name: file.size for name, file in files.items()}, jobs=2), Findings()
    for name, file in files.items():
        if (found := made.required(name)) != PREFIX + file.sha256:
            findings.add(CHANGED, file=name, found=found, expected=PREFIX + file.sha256)
    findings.require_none()


def same(local: LocalFile, remote: RemoteFile | None) -> bool:
    """Whether two files have the same bytes."""
    if remote is None or local.size != remote.size:
        return False
    if remote.sha256 is not None:
        return local.sha256 == remote.sha256
    return git_name(local) == remote.blob


def git_name(file: LocalFile) -> str:
    """What git calls a file of this content."""
    name = hashlib.sha1(b"blob %d\0" % file.size, usedforsecurity=False)
    with file.path.open("rb") as stream:
        while block := stream.read(1 << 18):
            name.update(block)
    return name.hexdigest()


def differing(local: Mapping[str, LocalFile], remote: Mapping[str, RemoteFile]) -> list[str]:
    """Paths of what is in only one of them, or has other bytes there."""
    changed = (name for name, file in local.items() if not same(file, remote.get(name)))
    return sorted({*changed, *stale(local, remote)})


def stale(local: Iterable[str], remote: Iterable[str]) -> list[str]:
    """Paths of a commit that are neither the folder's nor the hub's own."""
    return sorted({*remote} - {*local} - HUBS_OWN)
