"""Making the next version of a release without what was withdrawn: same key, same ids, same line; everything else as it was."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pyarrow.compute as pc

from earmark.builders.media import Progress
from earmark.builders.withdrawing.naming import NAMES, named
from earmark.builders.withdrawing.remaining import Remaining, remaining
from earmark.builders.withdrawing.request import check_reason, read_wishes
from earmark.builders.withdrawing.writing import Saying, write
from earmark.manifests import registry
from earmark.manifests.building import building
from earmark.manifests.clip_audio import ClipAudio
from earmark.manifests.errors import EarmarkError, PrivateSideMissing, Refused
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.release import MANIFEST, Release, open_release
from earmark.manifests.revisions import Difference, Step, Version, difference
from earmark.manifests.revisions.steps import NO_VERSION, TOO_SMALL
from earmark.manifests.tables import Side
from earmark.validation.invariants import validate

EVERYTHING = declare("withdraw.everything", Severity.ERROR, "nothing would be left")
UNSOUND = declare(
    "withdraw.unsound", Severity.ERROR, "the release is not sound, and its faults would go over into the next one"
)
BROKEN = declare("withdraw.broken", Severity.ERROR, "what is left breaks an invariant; this is a fault of Earmark")
NO_AUDIO = declare("withdraw.no-audio", Severity.ERROR, "audio that the manifest speaks of is not at hand")
ALONG = declare("withdraw.along", Severity.NOTE, "items go because others of their group do")

_SECRET = (*NAMES, "prompt", "script")
_SHORTEST = 4
"""Letters of the shortest name that a reason may not repeat; shorter ones stand in any prose."""


@dataclass(frozen=True, kw_only=True)
class Withdrawal:
    """What is asked for.

    Args:
        ids: File that names what is withdrawn, one a line.
        reason: Why, for everybody to read.
        out: The release to be made.
        version: Its version; by default the next major one.
        published: Date on which it is published, ISO 8601; what the version before says is never kept.
        url: Where it is published; by default where the version before was.
        force: Move an existing OUT aside.
    """

    ids: Path
    reason: str
    out: Path
    version: str | None = None
    published: str | None = None
    url: str | None = None
    force: bool = False


@dataclass(frozen=True)
class Withdrew:
    """What came of it.

    Args:
        release: The next version.
        difference: What it differs in from the one before.
        findings: What was found on the way; no error.
    """

    release: Release
    difference: Difference
    findings: Findings


def withdraw(release: Release, asked: Withdrawal, progress: Progress = lambda *_: None) -> Withdrew:
    """Make the next version of a release without what is named.

    Args:
        release: The release, its private side at hand: the next version has the same key.
        asked: What is withdrawn, and why.
        progress: Told how far it is.

    Raises:
        Refused: If a line names nothing, the reason cannot be published, nothing is left, or the release is not sound.
        PrivateSideMissing: If there is no private side.
        DestinationExists: If OUT exists.
        EarmarkError: If the file of ids or the date is none.
    """
    findings = Findings()
    key = _key(release)
    version = _version(release, asked, findings)
    _require_date(asked.published)
    wishes = read_wishes(asked.ids, findings)
    with release.trusted("what is withdrawn is looked up"):
        request = named(release, wishes, asked.ids.name, findings)
        reason = check_reason(asked.reason, _secrets(release), findings)
    findings.require_none()
    progress("checking the release", 0, 1)
    before = validate(release)
    if before.failed:
        findings.extend(before)
        findings.add(UNSOUND, file=str(release.path), found=before.summary(), expected="a sound one")
        raise Refused(findings)
    left = _settled(remaining(release, request))
    if not left.tables["items"].num_rows:
        findings.add(EVERYTHING, file=asked.ids.name, found=f"all {len(left.gone.items)} items", expected="fewer")
    if left.gone.along:
        findings.add(ALONG, found=left.gone.along, expected="whole groups go")
    _require_audio(left, findings)
    findings.require_none()
    saying = Saying(version=version, reason=reason, published=asked.published, url=asked.url)
    with building(asked.out, release.family, key=key, force=asked.force) as work:
        write(work, left, saying, progress)
        made = open_release(work.partial)
        checked, found = validate(made, building=True), difference(release, made)
        kept = not (found.items.added or found.items.changed or found.audio.changed)
        if checked.failed or not kept:
            findings.extend(checked)
            findings.add(BROKEN, file=str(asked.out), found=checked.summary() if kept else "other items changed")
            raise Refused(findings)
    findings.extend(checked)
    return Withdrew(open_release(asked.out), found, findings)


def _key(release: Release) -> Path:
    key = release.side(Side.PRIVATE) / "key"
    if not release.has_private_side or not key.is_file():
        raise PrivateSideMissing(f"{release.path} has no private side with its key, and the next version needs both")
    return key


def _version(release: Release, asked: Withdrawal, findings: Findings) -> str:
    """The version to be: the next major one, unless another is asked for that is no smaller a step."""
    try:
        before = Version.of(release.manifest.version)
        version = before.after(Step.MAJOR) if asked.version is None else Version.of(asked.version)
    except EarmarkError as error:
        findings.add(NO_VERSION, file=MANIFEST, found=error, expected="such as 2.0.0")
        return release.manifest.version
    if before.step_to(version) < Step.MAJOR:
        expected = f"{before.after(Step.MAJOR)} or later: items are removed"
        findings.add(TOO_SMALL, file=MANIFEST, column="version", found=version, expected=expected)
    return str(version)


def _require_date(published: str | None) -> None:
    if published is None:
        return
    try:
        dt.date.fromisoformat(published)
    except ValueError:
        raise EarmarkError(f"{published[:40]!r} is no date of the form 2026-01-31") from None


def _secrets(release: Release) -> frozenset[str]:
    """What only the private side may say."""
    sources = release.table("sources")
    names = {str(name) for column in _SECRET for name in pc.unique(sources[column]).drop_null().to_pylist()}
    # A corpus calls somebody p102 and a file rainbow.wav, who are told by that alone.
    last = {name.rpartition("/")[2] for name in names}
    names |= last | {name.rpartition(".")[0] for name in last}
    return frozenset(name for name in names if len(name) >= _SHORTEST)


def _settled(left: Remaining) -> Remaining:
    """What the family has to say of its own tables and its recipe."""
    module = registry.family_module("builders", left.release.manifest.family)
    settle = cast("Callable[[Remaining], Remaining] | None", getattr(module, "withdrawn", None))
    return left if settle is None else settle(left)


def _require_audio(left: Remaining, findings: Findings) -> None:
    if left.release.manifest.media is None:
        return
    here = ClipAudio(left.release).clips()
    for clip in sorted(set(left.tables["clips"]["clip_id"].to_pylist()) - here):
        findings.add(
            NO_AUDIO, file="public/audio", id=clip, expected="a copy that has all audio, such as a materialised one"
        )
