"""The life of a release in Python: validated, published, verified, completed, compared with the next version, corrected.

Each is one call over what the command of the same name calls. This module stands outside the rooms, since it needs several of
them; what each verb needs is imported when it is called.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from earmark.manifests.findings import Findings

if TYPE_CHECKING:
    from earmark.builders.materializing.materialize import Materialized
    from earmark.builders.publishing.publish import Published
    from earmark.builders.withdrawing import Withdrew
    from earmark.manifests.copies.verifying import Verified
    from earmark.manifests.release import Release
    from earmark.manifests.revisions import Difference


@dataclass(frozen=True)
class PublishedCopy:
    """A copy and what was found on the way.

    Args:
        published: What was published.
        findings: What whoever publishes should know.
    """

    published: Published
    findings: Findings


@dataclass(frozen=True)
class VerifiedCopy:
    """A copy that was read and what was found in it.

    Args:
        verified: What was looked at.
        findings: What is not as it was published; an error for each.
    """

    verified: Verified
    findings: Findings


def validate(release: Release) -> Findings:
    """Check that a release is sound: schemas, ids, hashes, protocols, and nothing public that tells the answer."""
    from earmark.validation.invariants import validate as check

    return check(release)


def publish(
    release: Release,
    to: str | Path,
    *,
    recipes: bool = False,
    gold: Literal["hidden", "open"] = "hidden",
    answers_to: str | Path | None = None,
    previous: Release | None = None,
    as_stated: Sequence[str] = (),
    baselines: bool = True,
    webdataset: bool = False,
) -> PublishedCopy:
    """Write a copy that others can load, cite and verify. To a hub goes the command alone.

    Args:
        release: The release, as it was built.
        to: Folder to write; must not exist.
        recipes: Whether clips whose audio may not be shared are described instead; answers can be derived from that.
        gold: Whether the answers are published with it.
        answers_to: Folder for the hidden answers.
        previous: The version before it: what changed must fit the number.
        as_stated: Names of corpora whose licence is what the recipe says, though corpora of these names have a stricter one.
        baselines: Whether what rules say that do not listen is published with it.
        webdataset: Whether shards for streaming judges are written too.

    Raises:
        Refused: If anything speaks against it; its findings say all that does, and nothing is written.
        DestinationExists: If a folder to be written exists.
        EarmarkError: If the folders are in each other's way, or a file changed meanwhile.
    """
    from earmark.builders.publishing.looking_over import Wanted
    from earmark.builders.publishing.publish import publish as write
    from earmark.cli.published_baselines import Baselines

    findings = Findings()
    wanted = Wanted(
        to=Path(to),
        recipes=recipes,
        answers=gold,
        answers_to=None if answers_to is None else Path(answers_to),
        previous=previous,
        baselines=Baselines(open_gold=gold == "open") if baselines else None,
        webdataset=webdataset,
        as_stated=tuple(as_stated),
    )
    with release.trusted("it is published"):
        return PublishedCopy(write(release, wanted, findings, lambda *_: None), findings)


def verify(copy: str | Path, *, expect: str | None = None, media: bool = False) -> VerifiedCopy:
    """Read every byte of a copy and hold it against its list of hashes, and the hashes that its manifest names.

    Args:
        copy: Folder of a published copy, or of a release.
        expect: The content hash that it should have, such as a paper or a report names.
        media: Whether each clip in the shards is hashed too.

    Raises:
        EarmarkError: If the folder is neither, or `expect` is no content hash.
    """
    from earmark.manifests.copies.verifying import verify as check

    findings = Findings()
    return VerifiedCopy(check(Path(copy), findings, jobs=os.cpu_count() or 1, expect=expect, media=media), findings)


def materialize(
    release: Release,
    out: str | Path,
    *,
    corpora: Mapping[str, str | Path],
    elsewhere: bool = False,
    jobs: int | None = None,
    resume: bool = False,
    force: bool = False,
) -> Materialized:
    """Make the release with all of its audio, cut from one's own corpora and held to the hashes that were published.

    Args:
        release: A release that lacks audio of its own, or a published copy.
        out: Folder to write; must not exist.
        corpora: Name of a corpus → where one's own copy lies.
        elsewhere: Whether a clip may be cut from another file of the same name that has its samples.
        jobs: Clips cut at a time; as many as there are processors without.
        resume: Whether to continue an earlier run.
        force: Whether to move an existing release aside.

    Returns:
        The release and the findings; no release where a clip is missing or differs, and then `OUT.partial` holds the others.

    Raises:
        Refused: If the release's own tables are wrong, before anything is cut.
        DestinationExists: If OUT exists, or `OUT.partial` without `resume`.
        EarmarkError: If a corpus is needed and not given, or given and no folder.
    """
    from earmark.builders.materializing.materialize import Order
    from earmark.builders.materializing.materialize import materialize as make

    roots = {name: Path(root) for name, root in corpora.items()}
    order = Order(
        release=release,
        out=Path(out),
        roots=roots,
        elsewhere=elsewhere,
        jobs=jobs or os.cpu_count() or 1,
        resume=resume,
        force=force,
    )
    return make(order, lambda *_: None)


def diff(old: Release, new: Release) -> Difference:
    """What two versions of a release differ in; `earmark.manifests.revisions.smallest_step` says which number that owes."""
    from earmark.manifests.revisions import difference

    return difference(old, new)


def withdraw(
    release: Release,
    ids: str | Path,
    out: str | Path,
    *,
    reason: str,
    version: str | None = None,
    published: str | None = None,
    url: str | None = None,
    force: bool = False,
) -> Withdrew:
    """Make the next version of a release without what is withdrawn, and a list of it by id and reason.

    Args:
        release: The version before, with its private side.
        ids: File of ids, one a line: items, groups, clips; or speakers, conversations, paths of the corpus.
        out: Folder to write; must not exist.
        reason: Why, in a sentence that is published.
        version: The version to be; the next major one without.
        published: Date on which it is published, such as 2026-01-31.
        url: Where it is published; as before without.
        force: Whether to move an existing release aside.

    Raises:
        Refused: If an id is of nothing, or the reason names somebody.
        DestinationExists: If OUT exists.
        EarmarkError: If it cannot be made of this release.
    """
    from earmark.builders.withdrawing import Withdrawal
    from earmark.builders.withdrawing import withdraw as make

    asked = Withdrawal(
        ids=Path(ids), reason=reason, out=Path(out), version=version, published=published, url=url, force=force
    )
    return make(release, asked)
