"""Publishing: a release becomes a folder that others can load, cite and verify, and that is a release itself.

Everything that speaks against it is said at once and before anything is written. Then the copy is staged beside its place,
looked through, listed in `SHA256SUMS`, and put there by one rename.
"""

from __future__ import annotations

import getpass
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from earmark.builders.media import Progress
from earmark.builders.publishing.answers import answers_are_there, remove_answers, write_answers
from earmark.builders.publishing.auditing import Auditing, auditing
from earmark.builders.publishing.data.dataset import copy_public_side, write_items
from earmark.builders.publishing.data.private_side import write_private_side
from earmark.builders.publishing.data.recipes import write_recipes
from earmark.builders.publishing.data.shards import hash_files, planned_shards
from earmark.builders.publishing.leaks import find_leaks, secrets_of
from earmark.builders.publishing.looking_over import Ready, Wanted, looked_over, require_places
from earmark.builders.publishing.staging import Staging, staging
from earmark.builders.publishing.texts.facts import Facts, facts_of
from earmark.builders.publishing.texts.writing import audit_text, changes_text, write_text, write_texts
from earmark.manifests.building import JOURNAL, LOCK, PID
from earmark.manifests.canonical import Json, json_text
from earmark.manifests.clip_audio import ClipAudio
from earmark.manifests.copies.checksums import write_checksums
from earmark.manifests.copies.file_digests import digests, walk
from earmark.manifests.copies.published import (
    AUDIT,
    BASELINES,
    CHANGES,
    CLIP_SHARDS,
    CROISSANT,
    RECIPES,
    STREAMED,
)
from earmark.manifests.errors import Refused
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.hashes import files_hash
from earmark.manifests.release import MANIFEST, Gold, Manifest, Release
from earmark.manifests.tables import Side

CHANGED = declare("publish.audio-changed", Severity.ERROR, "the audio is not what the release was built with")

NOT_STREAMED = declare(
    "publish.not-streamed",
    Severity.WARNING,
    "items need a clip whose audio is not in the copy, so they are in no shard",
)

_WORKING = (JOURNAL, LOCK, PID)


@dataclass(frozen=True)
class Published:
    """What was published.

    Args:
        path: The copy.
        answers: Where the hidden answers are, if anywhere.
        manifest: What the copy's `release.json` says.
        shipped: How many clips have their audio in it.
        described: Of how many it says how they are cut.
        bytes: Size of all files of the copy.
    """

    path: Path
    answers: Path | None
    manifest: Manifest
    shipped: int
    described: int
    bytes: int

    def as_json(self) -> Mapping[str, Json]:
        """The same for machines."""
        return {
            "path": str(self.path),
            "answers": None if self.answers is None else str(self.answers),
            "name": self.manifest.name,
            "version": self.manifest.version,
            "content_hash": self.manifest.content_hash,
            "gold": self.manifest.gold,
            "clips_with_audio": self.shipped,
            "clips_described": self.described,
            "bytes": self.bytes,
        }


def publish(release: Release, wanted: Wanted, findings: Findings, progress: Progress) -> Published:
    """Publish a release.

    Args:
        release: The release, as it was built.
        wanted: What is to be published, and where to.
        findings: What was found on the way.
        progress: Told how far it is.

    Raises:
        Refused: If anything speaks against it; the findings say all that does.
        DestinationExists: If a folder to be written exists, but for these very answers.
        Busy: If another process is at work on it.
        EarmarkError: If the folders are in each other's way, or a file changed meanwhile.
    """
    require_places(release, wanted)
    hidden, written = wanted.answers_to, False
    try:
        with auditing(release) as audit:
            found = looked_over(release, wanted, audit, findings)
            whole = found.shipping.sources
            there = hidden is not None and answers_are_there(release, whole, hidden)
            with staging(wanted.to, [found.plan, wanted.shard_bytes], of=release.manifest) as stage:
                published = _stage(found, wanted, audit, stage, findings, progress)
                if hidden is not None and not there:
                    write_answers(release, whole, hidden)
                    written = True
    except BaseException:
        if hidden is not None and written:
            remove_answers(hidden)
        raise
    return published


def _stage(
    found: Ready, wanted: Wanted, audit: Auditing, stage: Staging, findings: Findings, progress: Progress
) -> Published:
    release, folder = found.release, stage.folder
    hashes = _write_clips(found, wanted, audit, stage, progress)
    progress("validating", 0, 1)
    audited = audit.settled(findings)
    findings.require_none()
    progress("validating", 1, 1)
    copy_public_side(release, folder)
    manifest = _manifest(found, wanted, folder)
    write_text(folder / MANIFEST, json_text(manifest.as_json()))
    baselines = () if wanted.baselines is None else wanted.baselines(release, folder / BASELINES, progress)
    facts = facts_of(
        release,
        found.publication,
        found.shipping,
        audited,
        baselines,
        manifest=manifest,
        previous=None if wanted.previous is None else wanted.previous.manifest.version,
    )
    write_items(release, facts.configs, folder)
    if wanted.webdataset:
        hashes |= _write_streamed(found, wanted, folder, findings, progress)
    if manifest.gold == "open":
        write_private_side(release, found.shipping.sources, folder)
    write_text(folder / AUDIT, audit_text(facts))
    write_text(folder / CHANGES, changes_text(release, wanted.previous, found.difference, facts.published))
    _write_lists(facts, folder, hashes, progress)
    _require_no_leak(release, manifest.gold, folder, findings, progress)
    size = sum(walk(folder, _WORKING).files.values())
    shipped = found.shipping
    return Published(wanted.to, wanted.answers_to, manifest, len(shipped.audio), len(shipped.recipes), size)


def _write_streamed(
    found: Ready, wanted: Wanted, folder: Path, findings: Findings, progress: Progress
) -> Mapping[str, str]:
    """Write shards for judges that stream, and return the hash of each by its path in the copy."""
    from earmark.builders.publishing.data.webdataset import write_webdataset

    release, clips = found.release, found.shipping.audio
    if not clips:
        findings.add(NOT_STREAMED, found="no clip has its audio in the copy, so there are no shards")
        return {}
    target = folder / STREAMED
    streamed = write_webdataset(
        release, ClipAudio(release), target, clips, progress=progress, shard_bytes=wanted.shard_bytes
    )
    if streamed.items_left_out:
        findings.add(NOT_STREAMED, found=f"{streamed.items_left_out} of {release.manifest.tables['items'].rows} items")
    return {f"{STREAMED}/{shard.name}": shard.hash for shard in streamed.shards}


def _write_lists(facts: Facts, folder: Path, hashes: dict[str, str], progress: Progress) -> None:
    """Write the texts, then the two lists of all files: `croissant.json`, and `SHA256SUMS`, which has that one too.

    Args:
        facts: What the texts say.
        folder: The copy, whole but for them.
        hashes: Hashes that are known, by path.
        progress: Told how far it is.
    """
    from earmark.builders.publishing.croissant.document import croissant
    from earmark.builders.publishing.croissant.files import DataFile

    files = walk(folder, _WORKING).files
    left = {name: size for name, size in files.items() if name not in hashes}
    made = digests(folder, left, jobs=2, progress=progress)
    hashes = {**hashes, **{name: made.required(name) for name in left}}
    write_text(folder / CROISSANT, croissant(facts, (DataFile(name, hashes[name], files[name]) for name in files)))
    write_texts(facts, folder)
    write_checksums(folder, facts.canary, hashes, besides=_WORKING)


def _write_clips(found: Ready, wanted: Wanted, audit: Auditing, stage: Staging, progress: Progress) -> dict[str, str]:
    """Write the shards, and return the hash of each by its path in the copy.

    Raises:
        Refused: If the audio is not what the manifest says.
    """
    progress = audit.heeded(progress)
    shards = planned_shards(found.files, wanted.shard_bytes)
    written = stage.write_shards(shards, progress) if shards else []
    media = found.release.manifest.media
    if media is not None:
        hashes = {name: hash for shard in written for name, hash in shard.files.items()}
        # Those that are not shipped as well: there is one hash over all of them.
        hashes |= hash_files(found.others, progress)
        if (len(hashes), files_hash(hashes)) != (media.files, media.hash):
            findings = Findings()
            here, expected = f"{len(hashes)} files, {files_hash(hashes)}", f"{media.files} files, {media.hash}"
            findings.add(CHANGED, file="public/audio", found=here, expected=expected)
            audit.settled(findings)
            raise Refused(findings)
    return {f"{CLIP_SHARDS}/{shard.name}": shard.hash for shard in written}


def _manifest(found: Ready, wanted: Wanted, folder: Path) -> Manifest:
    gold: Gold = "hidden"
    if found.recipes:
        gold = "derivable"
    if wanted.answers == "open":
        gold = "open"
    recipes = write_recipes(found.recipes, folder / Side.PUBLIC.value / RECIPES) if found.recipes else None
    return msgspec.structs.replace(found.release.manifest, gold=gold, recipes=recipes)


def _require_no_leak(release: Release, gold: Gold, folder: Path, findings: Findings, progress: Progress) -> None:
    """Make sure that nothing is told that may not be: with open gold, where whoever publishes has their files.

    Raises:
        Refused: If something is.
    """
    user = None
    with suppress(OSError, KeyError, ImportError):
        user = getpass.getuser()
    folders = [release.path.resolve(), folder.resolve().parent, Path.cwd()]
    with suppress(RuntimeError):
        folders.append(Path.home())
    progress("looking for leaks", 0, 1)
    leaks = Findings()
    secrets = secrets_of(release, folders=folders, user=user)
    if gold == "open":
        secrets = replace(secrets, values=frozenset(), columns=frozenset())
    find_leaks(folder, secrets, leaks)
    progress("looking for leaks", 1, 1)
    findings.extend(leaks)
    leaks.require_none()
