"""Everything that speaks against publishing a release, found before anything is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

import pyarrow as pa

import earmark
from earmark.builders.media import Progress
from earmark.builders.publishing.answers import may_be_answers
from earmark.builders.publishing.auditing import Auditing
from earmark.builders.publishing.data.recipes import recipe_rows
from earmark.builders.publishing.data.shards import SHARD_BYTES, ClipFile, clip_files
from earmark.builders.publishing.policy import Shipping, shipping
from earmark.builders.publishing.readiness import Publication, ready
from earmark.builders.publishing.texts.facts import BaselineFacts
from earmark.builders.publishing.texts.writing import history
from earmark.manifests.canonical import Json
from earmark.manifests.copies.published import CHANGES, is_published
from earmark.manifests.errors import DestinationExists, EarmarkError, Refused
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.release import Release

if TYPE_CHECKING:
    from earmark.builders.plan import Rows
    from earmark.manifests.revisions.records import Difference

NO_AUDIO = declare(
    "publish.no-audio", Severity.ERROR, "the release holds no audio and its clips are not described either"
)
NO_PRIVATE_SIDE = declare(
    "publish.no-private-side",
    Severity.ERROR,
    "what is to be published stands on the private side, which this copy lacks",
)


NO_HISTORY = declare(
    "publish.no-history",
    Severity.WARNING,
    "the version before has no readable list of changes, so this one begins anew",
)

WritesBaselines: TypeAlias = Callable[[Release, Path, Progress], Sequence[BaselineFacts]]
"""Answers a release without listening; what does is in a room that this one does not know."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is to be published, and where to.

    Args:
        to: The copy to be made.
        recipes: Whether clips whose audio may not be shared, or of which there is none, are described instead.
        answers: Whether the gold is published with it.
        answers_to: Where hidden answers go, for a repository of their own that only the host reads.
        previous: The version before this one.
        baselines: Writes into a folder what rules say that do not listen, and returns what they get; None for none of it. Equal
            ones are spelt alike by `repr`, by which a copy is known that waits to be uploaded.
        webdataset: Whether shards for streaming judges are written too.
        shard_bytes: Bytes of audio of a shard.
        as_stated: Names of corpora whose licence is what the recipe says, though corpora of these names have a stricter one.
    """

    to: Path
    recipes: bool = False
    answers: Literal["hidden", "open"] = "hidden"
    answers_to: Path | None = None
    previous: Release | None = None
    baselines: WritesBaselines | None = None
    webdataset: bool = False
    shard_bytes: int = SHARD_BYTES
    as_stated: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ready:
    """A release of which nothing speaks against publishing it.

    Args:
        release: The release.
        publication: What it says of itself.
        shipping: What is published of each clip.
        recipes: Rows of the table of recipes.
        files: Audio that is shipped.
        others: Audio that is not.
        difference: What differs from the version before; None where none is named.
    """

    release: Release
    publication: Publication
    shipping: Shipping
    recipes: Rows
    files: Sequence[ClipFile]
    others: Sequence[ClipFile]
    difference: Difference | None

    @property
    def plan(self) -> Json:
        """All that the shards of clips depend on."""
        clips: list[Json] = [[file.path.name, file.size, *map(str, file.row.values())] for file in self.files]
        media = self.release.manifest.media
        return [pa.__version__, earmark.__version__, None if media is None else media.hash, clips]


def require_places(release: Release, wanted: Wanted) -> None:
    """Make sure that what is to be written has a place of its own.

    Raises:
        DestinationExists: If something is there.
        EarmarkError: If the release is a published copy, or folders are in each other's way.
    """
    if is_published(release.path):
        raise EarmarkError(f"{release.path} is a published copy; publish the release that it was made of")
    if wanted.answers_to is not None and wanted.answers == "open":
        raise EarmarkError("open answers are part of the copy; a folder of their own is for hidden ones")
    for place in filter(None, (wanted.to, wanted.answers_to)):
        known = place == wanted.answers_to and may_be_answers(place)  # which is settled when they can be compared
        if (place.exists() or place.is_symlink()) and not known:
            raise DestinationExists(f"{place} exists; choose another folder")
        if place.resolve().is_relative_to(release.path.resolve()):
            raise EarmarkError(f"{place} is in the release itself; choose another folder")
    if wanted.answers_to is not None:
        public, hidden = wanted.to.resolve(), wanted.answers_to.resolve()
        if public.is_relative_to(hidden) or hidden.is_relative_to(public):
            raise EarmarkError(
                f"{wanted.answers_to} holds the answers, and {wanted.to} is for everybody; keep them apart"
            )


def looked_over(release: Release, wanted: Wanted, audit: Auditing, findings: Findings) -> Ready:
    """Everything that speaks against it, before anything is written; where nothing does, validation may still be under way."""
    publication = ready(release, findings)
    allowed = shipping(release, recipes=wanted.recipes, findings=findings, as_stated=wanted.as_stated)
    difference = None if wanted.previous is None else _stepped(wanted.previous, release, findings)
    if wanted.previous is not None and is_published(wanted.previous.path) and history(wanted.previous) is None:
        findings.add(NO_HISTORY, file=str(wanted.previous.path / CHANGES), expected="the file that was published")
    media = release.manifest.media
    if not (media or wanted.recipes):
        expected = (
            "build it with --media, which also takes the hashes that --recipes holds other people's clips against"
        )
        findings.add(NO_AUDIO, file=str(release.path), expected=expected)
    _require_private_side(release, wanted, allowed, findings)
    rows: Rows = []
    if allowed.recipes and release.has_private_side:
        try:
            rows = recipe_rows(release, allowed.recipes)
        except Refused as refused:
            findings.extend(refused.findings)
    files = clip_files(release, allowed.audio, findings)
    every = frozenset(release.table("clips")["clip_id"].to_pylist())
    others = clip_files(release, every - allowed.audio, findings) if media else []
    if findings.failed:
        audit.settled(findings)
    findings.require_none()
    if publication is None:
        raise Refused(findings)
    return Ready(release, publication, allowed, rows, files, others, difference)


def _stepped(previous: Release, release: Release, findings: Findings) -> Difference | None:
    from earmark.manifests.revisions.steps import require_step

    return require_step(previous, release, findings)


def _require_private_side(release: Release, wanted: Wanted, allowed: Shipping, findings: Findings) -> None:
    asked = {
        "open answers": wanted.answers == "open",
        "hidden answers": wanted.answers_to is not None,
        "recipes": bool(allowed.recipes),
    }
    if any(asked.values()) and not release.has_private_side:
        said = " and ".join(name for name, wants in asked.items() if wants)
        findings.add(NO_PRIVATE_SIDE, file=str(release.path), found=said)
