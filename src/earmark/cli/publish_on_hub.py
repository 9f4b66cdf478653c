"""`earmark publish --to hub:owner/name`: what the command line says of a hub, and what is said of an upload."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from earmark.manifests.errors import EarmarkError

if TYPE_CHECKING:
    from earmark.builders.media import Progress
    from earmark.builders.publishing.hub.publish import OnHub, Places
    from earmark.builders.publishing.hub.upload import Uploaded
    from earmark.builders.publishing.looking_over import Wanted
    from earmark.manifests.findings import Findings
    from earmark.manifests.release import Release


def places_of(
    release: Release, to: Path, answers_to: Path | None, *, private: bool, branch: str, staging: Path | None
) -> Places:
    """Where a copy goes, from what the command line says.

    Raises:
        EarmarkError: If something is no address, or only the answers go to a hub.
    """
    from earmark.builders.publishing.hub.addresses import destination, on_a_hub
    from earmark.builders.publishing.hub.publish import Places
    from earmark.builders.publishing.hub.staged import staging_beside

    if not on_a_hub(to):
        raise EarmarkError(f"answers go to a hub with the copy that they are to; {to} is a folder")
    hidden = destination(answers_to, private=True) if answers_to is not None and on_a_hub(answers_to) else None
    return Places(
        to=destination(to, branch=branch, private=private),
        staging=staging or staging_beside(release),
        answers_to=hidden,
    )


def to_hub(release: Release, wanted: Wanted, places: Places, findings: Findings, progress: Progress) -> OnHub:
    """Publish to the hub of the environment.

    Raises:
        EarmarkError: If that cannot be.
    """
    from dataclasses import replace

    from earmark.builders.publishing.hub.client import Hub
    from earmark.builders.publishing.hub.publish import publish_on_hub

    if places.answers_to is not None:
        wanted = replace(wanted, answers_to=None)  # not a folder of that name
    return publish_on_hub(release, wanted, places, Hub(), findings, progress)


def uploaded_text(uploaded: OnHub) -> str:
    """What is on a hub now, for people."""
    manifest, staged = uploaded.staged.published.manifest, uploaded.staged
    both = filter(None, (uploaded.copy, uploaded.answers))
    waits = f"{staged.published.path.parent}{', made by an earlier run' if staged.reused else ''}: may be removed"
    return f"{manifest.name} {manifest.version}\n{''.join(map(_uploaded_facts, both))}copy: {waits}\n"


def _uploaded_facts(uploaded: Uploaded) -> str:
    from earmark.cli.tables import pairs

    sent = "was there already" if uploaded.unchanged else f"{uploaded.sent} of them new or changed"
    first = ", ".join(uploaded.deleted[:3]) + (", …" if len(uploaded.deleted) > 3 else "")
    deleted = [("deleted", f"{len(uploaded.deleted)} files of the version before: {first}")] if uploaded.deleted else []
    facts = [
        ("version", f"{uploaded.tag} in {uploaded.where.branch}, {'private' if uploaded.private else 'public'}"),
        ("commit", uploaded.commit),
        ("files", f"{uploaded.files}, {uploaded.bytes:,} bytes, as the hub lists their hashes; {sent}"),
        *deleted,
        ("page", uploaded.url),
    ]
    return f"{uploaded.where}\n{pairs([(f'  {name}', fact) for name, fact in facts])}\n"
