"""Whether a copy of a release is what was published: every file against its list, and every hash that its manifest names.

A copy with a list is checked byte for byte. A release without one is checked against its manifest alone, which says nothing of
itself, of the private side, and of what else lies there; `expect` is a content hash from somewhere else, such as a paper.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from earmark.manifests.copies.checksums import CANARY, read_checksums
from earmark.manifests.copies.file_digests import Digests, Walked, digests, walk
from earmark.manifests.copies.published import AT_THE_ROOT, CHECKSUMS, DOWNLOADERS_OWN, RECIPES, SHIPPED, WITHDRAWN
from earmark.manifests.copies.shipped import read_shipped
from earmark.manifests.copies.true_hashes import MISSING, audio_is_true, tables_are_true
from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.hashes import CONTENT_PREFIX
from earmark.manifests.release import MANIFEST, Release, open_release
from earmark.manifests.tables import Side

CHANGED = declare("verify.changed", Severity.ERROR, "a file's bytes are not those that were published")
UNLISTED = declare("verify.unlisted", Severity.ERROR, "a file that was not published")
UNREADABLE = declare("verify.unreadable", Severity.ERROR, "something cannot be read")
LINK = declare("verify.link", Severity.ERROR, "a link stands where a file should")
SPECIAL = declare("verify.special", Severity.ERROR, "something that is no file")
NO_LIST = declare("verify.no-list", Severity.ERROR, "a published copy has lost the list of its hashes")
NO_MANIFEST = declare("verify.manifest", Severity.ERROR, "the manifest cannot be read, so its hashes were not checked")
UNEXPECTED = declare("verify.expected", Severity.ERROR, "the release's content hash is not the one that was asked for")
BESIDE = declare("verify.beside", Severity.NOTE, "what a downloader keeps for itself was not looked at")

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Verified:
    """What was looked at.

    Args:
        release: The release; None where there is no manifest, or it cannot be read.
        listed: Whether the copy has a list of its files.
        files: How many files were read.
        bytes: How many bytes they have.
        answers_of: Of a private side that was published by itself: the release that it says it is of, as `NAME@VERSION`.
    """

    release: Release | None
    listed: bool
    files: int
    bytes: int
    answers_of: str | None = None


def verify(
    folder: Path,
    findings: Findings,
    *,
    jobs: int = 2,
    progress: Progress = lambda *_: None,
    expect: str | None = None,
    media: bool = False,
) -> Verified:
    """Read every byte of a copy once and find what is not as it was published.

    Args:
        folder: A published copy, or a release; or a private side that was published by itself, which has a list and no manifest.
        findings: Where problems go.
        jobs: How many files are read at a time.
        progress: Told how far it is.
        expect: The content hash that it should have; whatever it has without.
        media: Whether each clip in the shards of a published copy is also hashed, against the manifest; the list vouches for the
            shards already, and this reads them twice.

    Raises:
        EarmarkError: If the folder is neither, or `expect` is no content hash.
    """
    wanted = None if expect is None else content_hash_of(expect)
    if not (folder / MANIFEST).exists() and not (folder / CHECKSUMS).exists():
        raise EarmarkError(f"{folder} is no release and no published copy: it has neither {MANIFEST} nor {CHECKSUMS}")
    release = _opened(folder, findings) if (folder / MANIFEST).exists() else None
    listed = _list_of(folder, release, findings)
    if not (folder / MANIFEST).exists() and any(path.startswith(f"{Side.PUBLIC}/") for path in listed or ()):
        findings.add(NO_MANIFEST, file=MANIFEST, found="no such file")
    if release is None and wanted is not None:
        findings.add(UNEXPECTED, file=MANIFEST, found="no manifest", expected=wanted)
    own = [name for name in DOWNLOADERS_OWN if not any(path.split("/")[0] == name for path in listed or ())]
    walked = walk(folder, own)
    if listed is None:
        _require_no_published_copy(walked, findings)
    _say_what_is_no_file(walked, findings)
    for name in own:
        if (folder / name).exists():
            findings.add(BESIDE, file=name)
    # What is not listed is found as such, and need not be read, however large it is.
    read = walked.files.keys() if listed is None else listed.keys()
    files = {name: size for name, size in walked.files.items() if name != CHECKSUMS and name in read}
    made = digests(folder, files, jobs=jobs, progress=progress)
    for name, error in made.errors.items():
        findings.add(UNREADABLE, file=name, found=error.strerror or error)
    if listed is not None:
        _compare(listed, walked, made, findings)
    elif release is not None:
        _nothing_else_is_there(release, walked, findings)
    if release is not None:
        found = release.manifest.content_hash
        if wanted is not None and found != wanted:
            findings.add(UNEXPECTED, file=MANIFEST, found=found, expected=wanted)
        tables_are_true(release, made.hashes, findings, listed or {})
        audio_is_true(release, made.hashes, findings, progress, every_clip=media)
    size = sum(files[name] for name in made.hashes)
    whose = _answers_of(folder) if f"{Side.PRIVATE}/{SHIPPED}" in made.hashes and release is None else None
    return Verified(release, listed is not None, len(made.hashes), size, whose)


def content_hash_of(text: str) -> str:
    """A content hash in full, from what a paper says.

    Raises:
        EarmarkError: If it is none.

    >>> content_hash_of(64 * "A")[:16]
    'blake2b-256:aaaa'
    """
    digits = text.strip().lower().removeprefix(CONTENT_PREFIX)
    if re.fullmatch("[0-9a-f]{64}", digits) is None:
        raise EarmarkError(f"{text[:120]!r} is no content hash; one is {CONTENT_PREFIX} and 64 hex digits")
    return CONTENT_PREFIX + digits


def _opened(folder: Path, findings: Findings) -> Release | None:
    try:
        return open_release(folder)
    except EarmarkError as error:
        findings.add(NO_MANIFEST, file=MANIFEST, found=error)
        return None


def _answers_of(folder: Path) -> str | None:
    """The release that a private side says it is of; what cannot be read says nothing, and whether it is true was looked at."""
    try:
        said = read_shipped(folder / Side.PRIVATE / SHIPPED)
    except EarmarkError:
        return None
    return None if said is None else said.release


def _list_of(folder: Path, release: Release | None, findings: Findings) -> Mapping[str, str] | None:
    """What the list says; None where there is none."""
    path = folder / CHECKSUMS
    if path.is_symlink() or not path.is_file():
        return None
    listed = read_checksums(path, findings)
    if release is not None and listed.canary != release.manifest.canary:
        expected = f"# canary {release.manifest.canary}"
        findings.add(CANARY, file=CHECKSUMS, row=1, found=listed.canary, expected=expected)
    return listed.hashes


def _require_no_published_copy(walked: Walked, findings: Findings) -> None:
    names = {path.split("/")[0] for path in (*walked.files, *walked.links, *walked.special)}
    if names & AT_THE_ROOT:
        findings.add(NO_LIST, file=CHECKSUMS, expected="the file that was published; download it again")


def _say_what_is_no_file(walked: Walked, findings: Findings) -> None:
    for path in walked.links:
        findings.add(LINK, file=path, expected="the file itself, as it is downloaded into a folder of its own")
    for path in walked.special:
        findings.add(SPECIAL, file=path, expected="plain files only")
    for path, why in walked.unreadable.items():
        findings.add(UNREADABLE, file=path, found=why)


def _compare(listed: Mapping[str, str], walked: Walked, made: Digests, findings: Findings) -> None:
    there = {*walked.files, *walked.links, *walked.special}
    for name in sorted(listed.keys() - there):
        findings.add(MISSING, file=name, expected="the file that was published; download it again")
    for name in sorted(walked.files.keys() - listed.keys() - {CHECKSUMS}):
        findings.add(UNLISTED, file=name, expected=f"only what {CHECKSUMS} lists")
    for name in sorted(made.hashes.keys() & listed.keys()):
        if made.hashes[name] != listed[name]:
            findings.add(CHANGED, file=name, found=made.hashes[name], expected=listed[name])


def _nothing_else_is_there(release: Release, walked: Walked, findings: Findings) -> None:
    """A release without a list has its manifest, its public side and audio, and whatever is on its private side."""
    tables = [table.filename for table in release.family.tables().values() if table.side is Side.PUBLIC]
    known = {MANIFEST, *(f"{Side.PUBLIC}/{name}" for name in (*tables, WITHDRAWN))}
    if release.manifest.recipes is not None:
        known.add(f"{Side.PUBLIC}/{RECIPES}")
    for name in sorted(walked.files.keys() - known):
        # Of files with audio, and of the list of what was withdrawn, the manifest's hash is what says.
        if not name.startswith((f"{Side.PRIVATE}/", f"{Side.PUBLIC}/audio/")) and name.split("/")[0] not in AT_THE_ROOT:
            findings.add(UNLISTED, file=name, expected="only what the format of a release names")
